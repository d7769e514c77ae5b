/* SPDX-License-Identifier: MIT */
/* Weights that hands paint on. Thread: control; painting_of_modes: any. */
#include "bindings/studio/session/paint.h"

#include "runtime/base/memory.h"
#include "runtime/media/image/png_file.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <string.h>

static size_t weight_count(const body_paint *self) {
    return (size_t)self->def.width * (size_t)self->def.height *
           (size_t)self->def.plane_count;
}

static float *at(const body_paint *self, float *texels, int x, int y) {
    size_t texel = (size_t)y * (size_t)self->def.width + (size_t)x;
    return texels + texel * (size_t)self->def.plane_count;
}

/* The largest weight that a channel has, or that its modes have. */
static void find_scales(body_paint *self, const sb_planned *planned) {
    size_t planes = (size_t)self->def.plane_count;
    for (size_t i = 0; i < weight_count(self); i++) {
        float *scale = &self->scales[i % planes];
        *scale = fmaxf(*scale, fabsf(self->texels[i]));
    }
    for (size_t p = 0; p < planes; p++) {
        int mode = self->planes[p].first - 1;
        if (self->planes[p].is_relative) {
            self->scales[p] = fmaxf(self->scales[p], 1.0F);
        } else if (planned->peaks && mode < planned->peak_count) {
            self->scales[p] =
                fmaxf(self->scales[p], (float)planned->peaks[mode]);
        }
        if (!(self->scales[p] > 0.0F)) self->scales[p] = 1.0F;
    }
}

sb_status paint_open(const sb_texture *texture, const sb_planned *planned,
                     body_paint **out, sb_error *err) {
    size_t planes = (size_t)sb_texture_plane_count(texture);
    long long weights = (long long)sb_texture_width(texture) *
                        sb_texture_height(texture) * (long long)planes;
    if (weights > PAINT_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the texture has %lld weights; up to %lld can be "
                       "painted while it sounds",
                       weights, PAINT_MOST);
    body_paint *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "paint");
    self->planes = sb_alloc(planes, sizeof *self->planes);
    self->scales = sb_alloc(planes, sizeof *self->scales);
    self->texels = sb_alloc((size_t)weights, sizeof *self->texels);
    if (!self->planes || !self->scales || !self->texels) {
        paint_close(self);
        return sb_no_memory(err, "paint");
    }
    sb_texture_describe(texture, self->planes, &self->def);
    memcpy(self->texels, sb_texture_weights_of(texture),
           (size_t)weights * sizeof *self->texels);
    find_scales(self, planned);
    *out = self;
    return SB_OK;
}

void paint_close(body_paint *self) {
    if (!self) return;
    for (int i = 0; i < self->undo_count + self->redo_count; i++)
        sb_free(self->undo[i]);
    sb_free_all(self->planes, self->scales, self->texels, self);
}

/* --- painting -------------------------------------------------------------- */

bool paint_has_rect(const body_paint *self, const paint_rect *rect) {
    return rect->channel >= -1 && rect->channel < self->def.plane_count &&
           rect->x >= 0 && rect->y >= 0 && rect->w > 0 && rect->h > 0 &&
           rect->x + rect->w <= self->def.width &&
           rect->y + rect->h <= self->def.height;
}

void paint_set(body_paint *self, const paint_rect *rect,
               const unsigned char *codes) {
    int first = rect->channel < 0 ? 0 : rect->channel;
    int last = rect->channel < 0 ? self->def.plane_count - 1 : rect->channel;
    for (int i = 0; i < rect->w * rect->h; i++) {
        uint16_t code;
        memcpy(&code, codes + 2 * (size_t)i, sizeof code);
        float share = (float)(code - SB_CODE_ZERO) / (float)SB_CODE_REACH;
        share = fmaxf(share, -1.0F);
        float *texel = at(self, self->texels, rect->x + i % rect->w,
                          rect->y + i / rect->w);
        for (int p = first; p <= last; p++)
            texel[p] = share * self->scales[p];
    }
    self->is_dirty = true;
}

bool paint_begin(body_paint *self) {
    size_t bytes = weight_count(self) * sizeof *self->texels;
    float *copy = sb_alloc(weight_count(self), sizeof *copy);
    if (!copy) return false;
    memcpy(copy, self->texels, bytes);
    while (self->redo_count > 0)
        sb_free(self->undo[self->undo_count + --self->redo_count]);
    size_t most = PAINT_UNDO_BYTES / (bytes + 1);
    while (self->undo_count == PAINT_UNDO ||
           (self->undo_count > 0 && (size_t)self->undo_count >= most)) {
        sb_free(self->undo[0]);
        memmove(self->undo, self->undo + 1,
                (PAINT_UNDO - 1) * sizeof *self->undo);
        self->undo_count--;
    }
    self->undo[self->undo_count++] = copy;
    return true;
}

/* The present state changes places with state `i`. */
static bool exchange(body_paint *self, int i) {
    float *now = self->texels;
    self->texels = self->undo[i];
    self->undo[i] = now;
    self->is_dirty = true;
    return true;
}

bool paint_undo(body_paint *self) {
    if (self->undo_count == 0) return false;
    self->redo_count++;
    return exchange(self, --self->undo_count);
}

bool paint_redo(body_paint *self) {
    if (self->redo_count == 0) return false;
    self->redo_count--;
    return exchange(self, self->undo_count++);
}

void paint_weights(const body_paint *self, int channel, float *weights) {
    int count = self->def.width * self->def.height;
    for (int i = 0; i < count; i++)
        weights[i] = self->texels[(size_t)i * (size_t)self->def.plane_count +
                                  (size_t)channel];
}

void paint_get(const body_paint *self, int channel, uint16_t *codes) {
    int count = self->def.width * self->def.height;
    for (int i = 0; i < count; i++) {
        float weight = self->texels[(size_t)i * (size_t)self->def.plane_count +
                                    (size_t)channel];
        codes[i] =
            sb_code_of_weight((double)weight, (double)self->scales[channel]);
    }
}

sb_status paint_texture(const body_paint *self, sb_texture **out,
                        sb_error *err) {
    sb_status status = sb_texture_create(&self->def, out, err);
    if (status) return status;
    memcpy(sb_texture_texels(*out), self->texels,
           weight_count(self) * sizeof *self->texels);
    return SB_OK;
}

/* --- mode shapes as a texture ------------------------------------------------ */

sb_status painting_of_modes(const sb_planned *planned, int width, int height,
                            sb_texture **out, sb_error *err) {
    int modes = sb_model_mode_count(planned->model);
    int count = modes < PAINT_MODES ? modes : PAINT_MODES;
    sb_texture_plane planes[PAINT_MODES];
    if (count < 1 || !sb_model_has_uv(planned->model))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the body has no modes, or no texture coordinates");
    for (int p = 0; p < count; p++)
        planes[p] = (sb_texture_plane){p + 1, p + 1, false};
    sb_texture_def def = {.width = width,
                          .height = height,
                          .planes = planes,
                          .plane_count = count};
    double *weights = sb_alloc((size_t)modes + SB_BEHIND_MOST, sizeof *weights);
    if (!weights) return sb_no_memory(err, "paint");
    sb_status status = sb_texture_create(&def, out, err);
    for (int i = 0; i < width * height && !status; i++) {
        double u = (i % width + 0.5) / width, v = (i / width + 0.5) / height;
        sb_planned_weights(planned, sb_model_point_at(planned->model, u, v),
                           NULL, weights);
        float *texel = sb_texture_texels(*out) + (size_t)i * (size_t)count;
        for (int p = 0; p < count; p++)
            texel[p] = (float)weights[p];
    }
    sb_free(weights);
    return status;
}
