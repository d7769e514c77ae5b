/* SPDX-License-Identifier: MIT */
/* Collecting the modes of a closed form: they are added in any order, sorted
 * and cut off at the limits. Thread: control, workers. */
#include "runtime/model/model_draft.h"
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sb_model_note(sb_model *model, double freq_hz) {
    if (model->lowest_hz == 0 || freq_hz < model->lowest_hz) {
        model->lowest_hz = freq_hz;
    }
}

sb_status sb_model_add_mode(sb_model *model, const sb_mode *mode,
                            const sb_mode_shape *shape, sb_error *err) {
    sb_status status = sb_stop_check(err);
    if (status) return status;
    sb_model_note(model, mode->freq_hz);
    if (!(mode->freq_hz <= model->limits.max_hz)) return SB_OK;
    if (!sb_grow_list(model->drafts, model->draft_capacity,
                      model->draft_count + 1)) {
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for its modes",
                       sb_shape_kind_name(model->shape.kind));
    }
    sb_draft_mode *draft = &model->drafts[model->draft_count];
    draft->mode = *mode;
    draft->shape = *shape;
    draft->pitch_key = llround(log(mode->freq_hz) * 1e9);
    draft->order = model->draft_count++;
    return SB_OK;
}

sb_status sb_model_add(sb_model *model, double freq_hz, double mean_square,
                       const sb_mode_shape *shape, sb_error *err,
                       const char *label, ...) {
    double omega = SB_TAU * freq_hz;
    double radius = sqrt(model->area_m2 / (4 * SB_PI)); /* a: S = 4 pi a^2 */
    double ka = omega / SB_AIR_SPEED * radius;
    sb_mode mode = {
        .freq_hz = freq_hz,
        .sigma_per_s = sb_material_sigma(&model->material, omega),
        .radiation = SB_AIR_DENSITY * SB_AIR_SPEED * radius *
                     sqrt(mean_square) * ka / sqrt(1 + ka * ka),
    };
    va_list arguments;
    va_start(arguments, label);
    (void)vsnprintf(mode.label, sizeof mode.label, label, arguments);
    va_end(arguments);
    return sb_model_add_mode(model, &mode, shape, err);
}

void sb_model_set_box(sb_model *model, double x_m, double y_m, double z_m) {
    double xx = x_m * x_m, yy = y_m * y_m, zz = z_m * z_m;
    model->mass_kg = model->material.density * x_m * y_m * z_m;
    model->area_m2 = 2 * (x_m * y_m + y_m * z_m + z_m * x_m);
    model->inverse_inertia[0] = 12 / (model->mass_kg * (yy + zz));
    model->inverse_inertia[1] = 12 / (model->mass_kg * (zz + xx));
    model->inverse_inertia[2] = 12 / (model->mass_kg * (xx + yy));
}

static int by_pitch(const void *left, const void *right) {
    const sb_draft_mode *a = left, *b = right;
    if (a->pitch_key != b->pitch_key) {
        return a->pitch_key < b->pitch_key ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

static void print_hz(char *text, size_t size, double hz) {
    (void)snprintf(text, size, hz >= 1000 ? "%.3g kHz" : "%.3g Hz",
                   hz >= 1000 ? hz / 1000 : hz);
}

sb_status sb_model_fail_high(sb_shape_kind kind, double lowest_hz,
                             double limit_hz, sb_error *err) {
    char lowest[32], limit[32];
    print_hz(lowest, sizeof lowest, lowest_hz);
    print_hz(limit, sizeof limit, limit_hz);
    return sb_fail(err, SB_NO_MODES,
                   "the lowest mode of this %s lies at %s, above the limit "
                   "of %s",
                   sb_shape_kind_name(kind), lowest, limit);
}

sb_status sb_model_finish(sb_model *model, sb_error *err) {
    int count = model->draft_count;
    if (count == 0 && !model->ops->may_be_silent) {
        return sb_model_fail_high(model->shape.kind, model->lowest_hz,
                                  model->limits.max_hz, err);
    }
    if (count > 1) {
        qsort(model->drafts, (size_t)count, sizeof *model->drafts, by_pitch);
    }
    if (count > model->limits.max_modes) {
        count = model->limits.max_modes;
        model->is_cut = true;
    }
    model->modes = sb_alloc((size_t)count, sizeof *model->modes);
    model->shapes = sb_alloc((size_t)count, sizeof *model->shapes);
    if (!model->modes || !model->shapes) {
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for %d modes",
                       sb_shape_kind_name(model->shape.kind), count);
    }
    for (int k = 0; k < count; k++) {
        sb_mode *mode = &model->modes[k];
        *mode = model->drafts[k].mode;
        model->shapes[k] = model->drafts[k].shape;
        if (mode->label[0] == '\0') {
            (void)snprintf(mode->label, sizeof mode->label, "mode %d", k + 1);
        }
    }
    model->mode_count = count;
    sb_free(model->drafts);
    model->drafts = NULL;
    return SB_OK;
}
