/* Radiation of closed forms: their surface as a mesh, with their mode shapes at
 * its vertices (hearing.h). Thread: control, workers. */
#include "runtime/model/sound/hearing.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/merge.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/model/sound/short_waves.h"

#include <math.h>
#include <string.h>

/* Across a sheet. Two edges per half-wave are right to 3 dB; with less than
 * one, short waves are seen as long ones, up to 45 dB too loud. So a sheet that
 * has modes with more half-waves than ROUGH_WAVES is sampled more finely, and
 * its modes with more than FINE_WAVES radiate as short_waves.h says. */
enum {
    SHEET_EDGES = 24,
    ROUGH_WAVES = 24,
    FINE_EDGES = 48,
    FINE_WAVES = 12,
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
    int edges;    /* across a sheet */
    int sampled;  /* modes from the lowest that are sampled */
} skin;

static void free_skin(skin *self) {
    sb_mesh_free(&self->mesh);
    sb_free(self->vertices);
    sb_free(self->shapes);
    sb_free(self->freqs_hz);
    sb_free(self->weights);
    sb_free(self->fars);
}

bool sb_model_wave_sheet(const sb_model *model, sb_wave_sheet *out) {
    const sb_shape *shape = &model->shape;
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (!family->sheet || family->outside || !(shape->thickness > 0))
        return false;
    bool is_round = shape->radius > 0;
    double side = shape->radius * sqrt(SB_PI);
    *out = (sb_wave_sheet){
        .sides_m = {is_round ? side : shape->width,
                    is_round ? side : shape->depth},
        .thickness_m = shape->thickness,
        .mass_kg = model->mass_kg,
        .poisson_ratio = model->material.poisson_ratio,
        .support = shape->support,
    };
    return out->sides_m[0] > 0 && out->sides_m[1] > 0;
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
    return sb_shape_surface(shape, self->edges, &self->mesh, err);
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
    for (int i = 0; i < self->mesh.vertex_count && !sb_stop_is_wanted(); i++) {
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

/* --- modes too short to be sampled ---------------------------------------- */

static double half_waves(const sb_model *model, const sb_wave_sheet *sheet,
                         double freq_hz) {
    double k =
        sb_bending_wavenumber(&model->material, sheet->thickness_m, freq_hz);
    return k * fmax(sheet->sides_m[0], sheet->sides_m[1]) / SB_PI;
}

static void choose_edges(const sb_model *model, skin *self) {
    sb_wave_sheet sheet;
    self->edges = SHEET_EDGES;
    self->sampled = model->mode_count;
    if (!sb_model_wave_sheet(model, &sheet)) return;
    const sb_mode *modes = model->modes;
    /* As fine as it would be with the modes that are missing. */
    double top_hz =
        model->is_cut ? model->limits.max_hz : modes[self->sampled - 1].freq_hz;
    if (half_waves(model, &sheet, top_hz) <= ROUGH_WAVES) return;
    self->edges = FINE_EDGES;
    while (self->sampled > 1 &&
           half_waves(model, &sheet, modes[self->sampled - 1].freq_hz) >
               FINE_WAVES)
        self->sampled--;
}

static void hear_short(sb_model *model, int first) {
    sb_wave_sheet sheet;
    int count = model->mode_count;
    if (first == count || !sb_model_wave_sheet(model, &sheet)) return;
    /* The last quarter of what was sampled. */
    int from = first - (first + 3) / 4;
    sb_wave_law law;
    sb_wave_law_init(&law, &sheet, &model->material, model->modes[from].freq_hz,
                     model->modes[count - 1].freq_hz, STEP);
    double heard = 0, expected = 0;
    for (int k = from; k < first; k++) {
        double g = model->modes[k].radiation;
        heard += g * g;
        expected += sb_wave_law_power(&law, model->modes[k].freq_hz);
    }
    if (heard > 0 && expected > 0) {
        law.offset_db = 10 * log10(heard / expected);
        law.offset_hz = model->modes[first - 1].freq_hz;
    }
    for (int k = first; k < count; k++) {
        sb_mode *mode = &model->modes[k];
        mode->radiation = sqrt(sb_wave_law_power(&law, mode->freq_hz));
        model->slopes[k] = sb_wave_law_slope(&law, mode->freq_hz);
    }
}

/* Radiation and slopes of the sampled modes, which are all that the model has
 * for the moment. */
static sb_status hear_sampled(sb_model *model, skin *self, double *levels,
                              sb_error *err) {
    size_t count = (size_t)model->mode_count;
    sb_status status = lay_out(model, self, err);
    if (!status && !reserve(model, self)) {
        status = sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                         sb_shape_kind_name(model->shape.kind));
    }
    if (!status) {
        sample(model, self);
        status = listen(model, self, 1.0, levels, err);
    }
    if (!status) status = listen(model, self, STEP, levels + count, err);
    for (size_t k = 0; !status && k < count; k++) {
        bool is_heard = levels[k] > 0 && levels[count + k] > 0;
        model->modes[k].radiation = levels[k];
        if (is_heard) {
            model->slopes[k] = log(levels[count + k] / levels[k]) / log(STEP);
        }
    }
    return status;
}

sb_status sb_model_hear(sb_model *model, sb_error *err) {
    int count = model->mode_count;
    if (count == 0) return SB_OK;
    if (!has_surface(&model->shape)) return sb_model_merge(model, NULL, 0, err);
    skin self = {0};
    double *levels = sb_alloc(2 * (size_t)count, sizeof *levels);
    model->slopes = sb_alloc((size_t)count, sizeof *model->slopes);
    if (!levels || !model->slopes) {
        sb_free(levels);
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(model->shape.kind));
    }
    choose_edges(model, &self);
    model->mode_count = self.sampled;
    sb_status status = hear_sampled(model, &self, levels, err);
    /* The far fields at the frequencies themselves, which the slopes replaced.
     */
    if (!status && sb_shape_merge(&model->shape, false) > 0)
        status = listen(model, &self, 1.0, levels, err);
    model->mode_count = count;
    if (!status) {
        hear_short(model, self.sampled);
        status = sb_model_merge(model, self.fars, self.sampled, err);
    }
    sb_free(levels);
    free_skin(&self);
    return status;
}
