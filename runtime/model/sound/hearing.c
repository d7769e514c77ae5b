/* Radiation of closed forms: their surface as a mesh, with their mode shapes at
 * its vertices (hearing.h). Thread: control, workers. */
#include "runtime/model/sound/hearing.h"

#include "runtime/base/memory.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <string.h>

enum {
    SHEET_EDGES = 24, /* across; levels are then within 3 dB of a finer one */
    RING_EDGES = 32,
    TURNED_EDGES = 24
};

/* A step in frequency, to find the slope of the level. */
#define STEP 1.1

/* The surface, and all modes on it. */
typedef struct skin {
    sb_mesh mesh;
    float (*vertices)[3];
    float *shapes;
    double *freqs_hz;
    double *weights;
    sb_far *fars;
    double sheet_m;
    bool is_flat; /* only its vertical motion radiates */
} skin;

static void free_skin(skin *self) {
    sb_mesh_free(&self->mesh);
    sb_free(self->vertices);
    sb_free(self->shapes);
    sb_free(self->freqs_hz);
    sb_free(self->weights);
    sb_free(self->fars);
}

/* --- shapes on the surface ------------------------------------------------ */

static sb_status lay_out(const sb_model *model, skin *self, sb_error *err) {
    const sb_shape *shape = &model->shape;
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (family->outside) return family->outside(shape, &self->mesh, err);
    if (family->turned) {
        sb_turned_def def;
        family->turned(shape, &def);
        sb_outline outline = sb_outline_of(def.points, def.count, def.second);
        if (!sb_outline_is_closed(&outline)) {
            sb_outline_mass mass = sb_outline_weigh(&outline);
            self->sheet_m = 2 * mass.volume_m3 / mass.area_m2; /* mean */
        }
        return sb_shape_surface(shape, TURNED_EDGES, &self->mesh, err);
    }
    if (!family->sheet) {
        return sb_shape_surface(shape, RING_EDGES, &self->mesh, err);
    }
    self->is_flat = true;
    self->sheet_m = shape->thickness;
    return sb_shape_surface(shape, SHEET_EDGES, &self->mesh, err);
}

static bool reserve(const sb_model *model, skin *self) {
    size_t modes = (size_t)model->mode_count;
    size_t vertices = (size_t)self->mesh.vertex_count;
    self->vertices = sb_alloc(vertices, sizeof *self->vertices);
    self->shapes = sb_alloc(3 * vertices, modes * sizeof *self->shapes);
    self->freqs_hz = sb_alloc(modes, sizeof *self->freqs_hz);
    self->weights = sb_alloc(modes, sizeof *self->weights);
    self->fars = sb_alloc(modes, sizeof *self->fars);
    return self->vertices && self->shapes && self->freqs_hz && self->weights &&
           self->fars;
}

static void sample(const sb_model *model, skin *self) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < self->mesh.vertex_count; i++) {
        sb_vec3 at = self->mesh.vertices[i];
        float xyz[3] = {(float)at.x, (float)at.y, (float)at.z};
        memcpy(self->vertices[i], xyz, sizeof xyz);
        sb_model_point point = sb_model_nearest(model, at);
        for (int c = 0; c < 3; c++) {
            if (self->is_flat && c != 1) continue;
            sb_model_weights(model, point, &axes[c], self->weights);
            float *shapes =
                self->shapes + 3 * (size_t)i * (size_t)model->mode_count;
            for (int k = 0; k < model->mode_count; k++)
                shapes[3 * k + c] = (float)self->weights[k];
        }
    }
}

static sb_status listen(const sb_model *model, skin *self, double pitch,
                        double *levels, sb_error *err) {
    for (int k = 0; k < model->mode_count; k++)
        self->freqs_hz[k] = model->modes[k].freq_hz * pitch;
    sb_compress_pool(self->freqs_hz, model->mode_count);
    sb_radiation_def def = {
        .vertex_count = self->mesh.vertex_count,
        .face_count = self->mesh.face_count,
        .mode_count = model->mode_count,
        .vertices = (const float(*)[3])self->vertices,
        .faces = (const int32_t(*)[3])self->mesh.faces,
        .shapes = self->shapes,
        .stride = model->mode_count,
        .shape_scale = 1,
        .freqs_hz = self->freqs_hz,
        .sheet_m = self->sheet_m,
    };
    sb_status status = sb_radiation(&def, self->fars, err);
    for (int k = 0; !status && k < model->mode_count; k++)
        levels[k] = sqrt(sb_far_product(&self->fars[k], &self->fars[k]));
    return status;
}

static bool has_surface(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    return family->outside || family->sheet || family->surface;
}

sb_status sb_model_hear(sb_model *model, sb_error *err) {
    size_t count = (size_t)model->mode_count;
    if (!has_surface(&model->shape) || count == 0) return SB_OK;
    skin self = {0};
    double *levels = sb_alloc(2 * count, sizeof *levels);
    model->slopes = sb_alloc(count, sizeof *model->slopes);
    sb_status status = lay_out(model, &self, err);
    if (!status && (!levels || !model->slopes || !reserve(model, &self))) {
        status = sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                         sb_shape_kind_name(model->shape.kind));
    }
    if (!status) {
        sample(model, &self);
        status = listen(model, &self, 1.0, levels, err);
    }
    if (!status) status = listen(model, &self, STEP, levels + count, err);
    for (size_t k = 0; !status && k < count; k++) {
        bool is_heard = levels[k] > 0 && levels[count + k] > 0;
        model->modes[k].radiation = levels[k];
        if (is_heard) {
            model->slopes[k] = log(levels[count + k] / levels[k]) / log(STEP);
        }
    }
    sb_free(levels);
    free_skin(&self);
    return status;
}
