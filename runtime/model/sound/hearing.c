/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/hearing.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/air_load.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/exact_turned.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/heard.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- groups of modes
 * -------------------------------------------------------------- */

/* Shares of its modes in the radiation, or equal ones if all are silent. */
static double share_of(const sb_mode *plain, int k, double power, int count) {
    double g = plain[k].radiation;
    return power > 0 ? g * g / power : 1.0 / count;
}

static double power_of(const sb_mode *plain, const sb_group *group) {
    double sum = 0;
    for (int k = 0; k < group->mode_count; k++) {
        double g = plain[group->first_mode + k].radiation;
        sum += g * g;
    }
    return sum;
}

static void name_group(const sb_mode *loudest, int count, char *label) {
    char number[16];
    int length = snprintf(number, sizeof number, " (%d)", count);
    (void)snprintf(label, SB_MODE_LABEL_SIZE, "%.*s%s",
                   SB_MODE_LABEL_SIZE - 1 - length, loudest->label, number);
}

static sb_mode mode_of(const sb_mode *plain, const sb_group *group) {
    int first = group->first_mode, count = group->mode_count;
    sb_mode mode = plain[first];
    if (count == 1) return mode;
    double power = power_of(plain, group);
    int loudest = first;
    mode.freq_hz = group->freq_hz;
    mode.radiation = group->radiation;
    mode.sigma_per_s = 0;
    for (int k = first; k < first + count; k++) {
        mode.sigma_per_s +=
            share_of(plain, k, power, count) * plain[k].sigma_per_s;
        if (plain[k].radiation > plain[loudest].radiation) loudest = k;
    }
    name_group(&plain[loudest], count, mode.label);
    return mode;
}

static double slope_of(const double *slopes, const sb_mode *plain,
                       const sb_group *group) {
    double power = power_of(plain, group), slope = 0;
    for (int k = group->first_mode; k < group->first_mode + group->mode_count;
         k++)
        slope += share_of(plain, k, power, group->mode_count) * slopes[k];
    return slope;
}

/* Plain modes are orthogonal and have the same mass, so over the whole surface
 * the mean of phi^2 is the same for all of them. */
static double error_of(const sb_mode *plain, int count,
                       const sb_groups *groups) {
    double before[SB_BANDS] = {0}, after[SB_BANDS] = {0};
    for (int k = 0; k < count; k++) {
        double g = plain[k].radiation;
        sb_bands_add(before, plain[k].freq_hz,
                     g * g / (plain[k].sigma_per_s + 1e-3));
    }
    for (int i = 0; i < groups->group_count; i++) {
        sb_mode mode = mode_of(plain, &groups->groups[i]);
        sb_bands_add(after, mode.freq_hz,
                     power_of(plain, &groups->groups[i]) /
                         (mode.sigma_per_s + 1e-3));
    }
    return sb_bands_error_db(before, after);
}

/* Take over the arrays of `groups`. */
static bool adopt(sb_model *model, sb_groups *groups, sb_merging *merging) {
    size_t count = (size_t)groups->group_count;
    merging->groups = sb_alloc(count, sizeof *merging->groups);
    sb_mode *modes = sb_alloc(count, sizeof *modes);
    sb_patterns *patterns =
        model->patterns ? sb_patterns_group(model->patterns, groups) : NULL;
    if (!merging->groups || !modes || !model->patterns != !patterns) {
        sb_free(modes);
        sb_patterns_free(patterns);
        return false;
    }
    sb_patterns_free(model->patterns);
    model->patterns = patterns;
    merging->plain = model->modes;
    merging->plain_count = model->mode_count;
    merging->group_count = groups->group_count;
    merging->error_db = error_of(merging->plain, merging->plain_count, groups);
    merging->terms = groups->terms;
    groups->terms = NULL;
    for (int i = 0; i < groups->group_count; i++) {
        const sb_group *group = &groups->groups[i];
        modes[i] = mode_of(merging->plain, group);
        merging->groups[i] =
            (sb_merged_group){group->first_mode, group->mode_count,
                              group->row_count, group->first_term};
        /* In place: no group begins below its own number. */
        if (model->slopes) {
            model->slopes[i] = slope_of(model->slopes, merging->plain, group);
        }
    }
    model->modes = modes;
    model->mode_count = groups->group_count;
    model->merging = merging;
    return true;
}

static sb_status group_modes(sb_model *model, sb_far_set *heard,
                             double *freqs_hz, double *levels,
                             sb_groups *groups, sb_error *err) {
    int count = model->mode_count;
    double merge = sb_shape_merge(&model->shape, false);
    for (int k = 0; k < count; k++) {
        freqs_hz[k] = model->modes[k].freq_hz;
        levels[k] = model->modes[k].radiation;
    }
    heard->levels = levels;
    sb_compress_pool(freqs_hz, count);
    /* Fewer limens than one need more groups. */
    int most = merge < 1 ? count : SB_COMPRESS_MOST;
    return sb_compress_set(freqs_hz, heard, count, merge, most, groups, err);
}

/* Replace the model's modes by groups of them; `fars` are those of the lowest
 * far_count modes. Does nothing unless its shape says so. NO_MEMORY. */
static sb_status model_merge(sb_model *model, const sb_far *fars, int far_count,
                             sb_error *err) {
    int count = model->mode_count;
    if (count < 2 || !(sb_shape_merge(&model->shape, false) > 0)) return SB_OK;
    sb_far_set heard = {.fars = fars, .far_count = far_count};
    sb_groups groups = {0};
    double *freqs_hz = sb_alloc((size_t)count, sizeof *freqs_hz);
    double *levels = sb_alloc((size_t)count, sizeof *levels);
    sb_merging *merging = sb_alloc(1, sizeof *merging);
    sb_status status = SB_NO_MEMORY;
    if (freqs_hz && levels && merging) {
        status = group_modes(model, &heard, freqs_hz, levels, &groups, err);
        bool is_merged = !status && groups.group_count < count;
        if (is_merged && !adopt(model, &groups, merging)) status = SB_NO_MEMORY;
    }
    if (!model->merging) sb_merging_free(merging);
    sb_free(freqs_hz);
    sb_free(levels);
    sb_groups_free(&groups);
    if (status != SB_NO_MEMORY) return status;
    return sb_fail(err, status, "%s: out of memory to merge %d modes",
                   sb_shape_kind_name(model->shape.kind), count);
}

/* --- radiation ------------------------------------------------------------ */

/* Across a sheet. Two edges per half-wave are right to 3 dB; with less than
 * one, short waves are seen as long ones, up to 45 dB too loud. So a sheet that
 * has modes with more half-waves than ROUGH_WAVES is sampled more finely, and
 * its modes with more than FINE_WAVES radiate as beyond.h says. */
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
    int exact_count;
    sb_patterns *patterns; /* of all modes; NULL: of the quick law */
    int mode_count;        /* of the model */
    bool is_flat;          /* only its vertical motion radiates */
    int edges;             /* across a sheet */
    int sampled;           /* modes from the lowest that are sampled */
} skin;

static void free_skin(skin *self) {
    sb_mesh_free(&self->mesh);
    sb_free(self->vertices);
    sb_free(self->shapes);
    sb_free(self->freqs_hz);
    sb_free(self->weights);
    sb_free(self->fars);
    sb_patterns_free(self->patterns);
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

/* Polygons get the area of their circles, else the air in a tube of twelve sides
 * resonates 2 % too high. */
static void round_out(sb_mesh *mesh) {
    sb_vec3 widest = {0, 0, 0};
    int around = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 at = mesh->vertices[i];
        if (hypot(at.x, at.z) > hypot(widest.x, widest.z)) widest = at;
    }
    double r = hypot(widest.x, widest.z);
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 at = mesh->vertices[i];
        around +=
            fabs(hypot(at.x, at.z) - r) + fabs(at.y - widest.y) < 1e-6 * r;
    }
    double angle = SB_TAU / around, by = sqrt(angle / sin(angle));
    for (int i = 0; around > 2 && i < mesh->vertex_count; i++) {
        mesh->vertices[i].x *= by;
        mesh->vertices[i].z *= by;
    }
}

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
        sb_status status =
            sb_shape_surface(shape, TURNED_EDGES, &self->mesh, err);
        if (!status) round_out(&self->mesh);
        return status;
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
    bool is_exact = model->shape.radiation == SB_RADIATES_EXACT;
    if (is_exact) self->patterns = sb_patterns_make(self->mode_count);
    return self->vertices && self->shapes && self->freqs_hz && self->weights &&
           self->fars && (self->patterns || !is_exact);
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

/* What is heard of each mode at its pitch: g, by the quick law at its pitch and
 * a STEP above, and the slopes of those that were heard exactly. */
typedef struct hearing {
    double *levels, *quick, *stepped, *slopes;
    bool is_put_off;
} hearing;

static sb_status listen(const sb_model *model, skin *self, bool is_exact,
                        double pitch, hearing *out, sb_error *err) {
    double *levels = pitch == 1.0 ? out->levels : out->stepped;
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
        .is_exact = is_exact,
        .turned = sb_model_is_turned(model) ? model : NULL,
        .exact_count = &self->exact_count,
        .patterns = pitch == 1 ? self->patterns : NULL,
        .is_put_off = &out->is_put_off,
        .quick = pitch == 1.0 ? out->quick : NULL,
        .slopes = out->slopes,
    };
    sb_status status = sb_radiation(&def, self->fars, err);
    for (int k = 0; !status && k < model->mode_count; k++)
        levels[k] = sqrt(sb_far_product(&self->fars[k], &self->fars[k]));
    return status;
}

static bool has_surface(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (shape->kind == SB_SHAPE_MEMBRANE)
        return shape->radiation == SB_RADIATES_EXACT;
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
        double wave = sb_bending_wavenumber(&model->material, sheet.thickness_m,
                                            law.offset_hz);
        double air = SB_TAU * law.offset_hz / SB_AIR_SPEED;
        if (model->shape.radiation == SB_RADIATES_EXACT && !model->is_put_off)
            law.coincidence_hz = law.offset_hz * pow(wave / air, 2);
    }
    for (int k = first; k < count; k++) {
        sb_mode *mode = &model->modes[k];
        mode->radiation = sqrt(sb_wave_law_power(&law, mode->freq_hz));
        model->slopes[k] = sb_wave_law_slope(&law, mode->freq_hz);
    }
}

/* Radiation and slopes of the sampled modes, which are all that the model has
 * for the moment. */
static sb_status hear_sampled(sb_model *model, skin *self, hearing *out,
                              sb_error *err) {
    bool is_exact = model->shape.radiation == SB_RADIATES_EXACT;
    sb_status status = lay_out(model, self, err);
    if (!status && !reserve(model, self)) {
        status = sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                         sb_shape_kind_name(model->shape.kind));
    }
    if (!status) {
        sample(model, self);
        status = listen(model, self, false, STEP, out, err);
    }
    /* Last, since merging takes the far fields of the modes themselves. */
    if (!status) status = listen(model, self, is_exact, 1.0, out, err);
    model->is_put_off = out->is_put_off;
    model->exact_count = out->is_put_off ? 0 : self->exact_count;
    for (int k = 0; !status && k < model->mode_count; k++) {
        bool is_heard = out->quick[k] > 0 && out->stepped[k] > 0;
        model->modes[k].radiation = out->levels[k];
        model->slopes[k] = out->slopes[k];
        if (out->slopes[k] == 0 && is_heard)
            model->slopes[k] = log(out->stepped[k] / out->quick[k]) / log(STEP);
    }
    return status;
}

void sb_model_lose(sb_model *model) {
    if (!sb_model_loses(model)) return;
    for (int k = 0; k < model->mode_count; k++) {
        sb_mode *mode = &model->modes[k];
        mode->sigma_per_s += sb_radiation_loss(mode->radiation);
    }
}

bool sb_model_loses(const sb_model *model) {
    int exact;
    bool is_solved = sb_model_solution(model->base ? model->base : model);
    if (model->shape.is_for_deform) return false; /* finish.c */
    return sb_model_radiating(model, &exact) == SB_RADIATES_EXACT &&
           (is_solved || has_surface(&model->shape));
}

/* Radiation, slopes and patterns of all modes, and the far fields of those that
 * were sampled. */
static sb_status hear_all(sb_model *model, skin *self, sb_error *err) {
    int count = model->mode_count;
    double *room = sb_alloc(4 * (size_t)count, sizeof *room);
    if (!room)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(model->shape.kind));
    hearing out = {room, room + count, room + 2 * count, room + 3 * count,
                   false};
    choose_edges(model, self);
    model->mode_count = self->sampled;
    sb_status status = hear_sampled(model, self, &out, err);
    model->mode_count = count;
    sb_free(room);
    if (status) return status;
    hear_short(model, self->sampled);
    if (out.is_put_off) return SB_OK;
    model->patterns = self->patterns;
    self->patterns = NULL;
    for (int k = 0; model->patterns && k < count; k++)
        sb_patterns_match(model->patterns, k, model->modes[k].radiation);
    return SB_OK;
}

sb_status sb_model_hear(sb_model *model, sb_error *err) {
    int count = model->mode_count;
    if (count == 0) return SB_OK;
    if (model->shape.kind == SB_SHAPE_MEMBRANE && has_surface(&model->shape)) {
        sb_status status = sb_model_load_air(model, err);
        return status ? status : model_merge(model, NULL, 0, err);
    }
    if (!has_surface(&model->shape)) return model_merge(model, NULL, 0, err);
    model->slopes = sb_alloc((size_t)count, sizeof *model->slopes);
    if (!model->slopes)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(model->shape.kind));
    skin self = {.mode_count = count};
    char key[SB_DIGEST_TEXT_SIZE] = "";
    sb_status status = SB_OK;
    /* Merging needs the far fields, which are not kept. */
    bool may_be_kept = model->shape.radiation == SB_RADIATES_EXACT &&
                       !(sb_shape_merge(&model->shape, false) > 0);
    if (!may_be_kept || !sb_heard_recall(model, key)) {
        status = hear_all(model, &self, err);
        if (!status && model->patterns) sb_heard_note(model, key);
    }
    if (!status) {
        sb_model_lose(model);
        status = model_merge(model, self.fars, self.sampled, err);
    }
    free_skin(&self);
    return status;
}
