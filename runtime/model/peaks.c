/* The largest value of each mode on a model's surface. */
#include "runtime/base/memory.h"
#include "runtime/model/model_draft.h"

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

/* Edges and middle included. Forms whose modes have many waves ask for many
 * points; where one point takes a millisecond the default is enough. */
enum { POINTS = 49 };

static void over_grid(const sb_model *model, int count, double *weights,
                      double *peaks) {
    int along = model->ops->peaks_u, across = model->ops->peaks_v;
    if (along == 0) along = POINTS;
    if (across == 0) across = POINTS;
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
    if (source->ops->faces) {
        over_mesh(source, source->ops->faces->face_count(source), count,
                  weights, peaks);
    } else {
        /* A closed form evaluates as many modes as mode_count says. */
        sb_model few = *source;
        few.mode_count = count;
        over_grid(&few, count, weights, peaks);
    }
    for (int k = 0; model->base && k < count; k++)
        peaks[k] *= model->base_weight;
    sb_free(weights);
    return SB_OK;
}
