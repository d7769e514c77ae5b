/* What the modes of a model are at their strongest places. */
#include "runtime/base/memory.h"
#include "runtime/model/family.h"

#include <math.h>

static void lift(const sb_model *model, sb_model_point point, int count,
                 double *weights, double *peaks) {
    sb_model_weights(model, point, NULL, weights);
    for (int k = 0; k < count; k++)
        peaks[k] = fmax(peaks[k], fabs(weights[k]));
}

/* On a mesh modes are linear over each triangle, so its corners are enough. */
static void over_mesh(const sb_model *model, int faces, int count,
                      double *weights, double *peaks) {
    for (int i = 0; i < faces; i++) {
        lift(model, (sb_model_point){i, 0, 0}, count, weights, peaks);
        lift(model, (sb_model_point){i, 1, 0}, count, weights, peaks);
        lift(model, (sb_model_point){i, 0, 1}, count, weights, peaks);
    }
}

/* Places along u and v, edges and middle included: many where modes have many
 * waves and are soon computed, few where one place takes a millisecond. */
static void grid_of(sb_shape_kind kind, int *along, int *across) {
    *along = *across = 49;
    if (kind == SB_SHAPE_STRING || kind == SB_SHAPE_MODES) {
        *along = 385;
        *across = 1;
    } else if (kind == SB_SHAPE_BAR) {
        *along = 385;
        *across = 3;
    } else if (kind == SB_SHAPE_RING) {
        *along = 193;
        *across = 17;
    }
}

static void over_grid(const sb_model *model, int count, double *weights,
                      double *peaks) {
    int along, across;
    grid_of(model->shape.kind, &along, &across);
    for (int i = 0; i < along * across; i++) {
        sb_model_point point = {0, (double)(i % along) / (along - 1), 0.5};
        if (across > 1) point.v = (double)(i / along) / (across - 1);
        lift(model, point, count, weights, peaks);
    }
}

sb_status sb_model_peaks(const sb_model *model, int count, double *peaks,
                         sb_error *err) {
    const sb_model *source = model->base ? model->base : model;
    double *weights = sb_alloc((size_t)model->mode_count + 1, sizeof *weights);
    if (!weights) return sb_fail(err, SB_NO_MEMORY, "model: out of memory");
    for (int k = 0; k < count; k++)
        peaks[k] = 0.0;
    if (source->family->mesh) {
        over_mesh(source, source->family->mesh->face_count(source), count,
                  weights, peaks);
    } else {
        /* A closed form computes as many modes as it is said to have. */
        sb_model few = *source;
        few.mode_count = count;
        over_grid(&few, count, weights, peaks);
    }
    for (int k = 0; model->base && k < count; k++)
        peaks[k] *= model->base_weight;
    sb_free(weights);
    return SB_OK;
}
