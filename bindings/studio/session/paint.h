/* SPDX-License-Identifier: MIT */
/* bindings/studio/session/paint.h -- weights that hands paint on.
 *
 * A copy of a body's texture that can be changed rect by rect, with the states
 * to which strokes can be undone. Weights are painted as codes (png_file.h):
 * 32768 is 0, and 32767 more or less is the scale of the channel, which does not
 * change while one paints.
 *
 * Thread: control; painting_of_modes: any.
 * Memory: the caller's; texels are copied.
 */
#pragma once

#include "runtime/model/textures/texture.h"
#include "runtime/scene/plan/plan.h"

enum { PAINT_UNDO = 16, PAINT_MODES = 24 };
/* More than this many weights are not painted on: each change copies them. */
#define PAINT_MOST 6000000LL
/* As many of the last states are kept for undo as this holds. */
enum { PAINT_UNDO_BYTES = 64 << 20 };

typedef struct body_paint {
    sb_texture_def def;       /* its planes are those below */
    sb_texture_plane *planes; /* one per channel */
    float *scales;            /* likewise */
    float *texels;            /* as in the texture */
    float *undo[PAINT_UNDO];  /* oldest first; then what was undone */
    int undo_count, redo_count;
    bool is_dirty;  /* not heard yet */
    double heard_s; /* when it last was, wall clock */
} body_paint;

/* BAD_ARGUMENT: too large; NO_MEMORY. */
SB_NODISCARD sb_status paint_open(const sb_texture *texture,
                                  const sb_planned *planned, body_paint **out,
                                  sb_error *err);
void paint_close(body_paint *self); /* NULL is allowed */

typedef struct paint_rect {
    int channel; /* -1: all */
    int x, y, w, h;
} paint_rect;

bool paint_has_rect(const body_paint *self, const paint_rect *rect);
/* Set the weights in it to w h codes. */
void paint_set(body_paint *self, const paint_rect *rect,
               const unsigned char *codes);

/* Remember the present state; go back to the last one, and forth again. False:
 * there is none, or no memory. */
bool paint_begin(body_paint *self);
bool paint_undo(body_paint *self);
bool paint_redo(body_paint *self);

/* One channel as codes, or as weights, w h of them. */
void paint_get(const body_paint *self, int channel, uint16_t *codes);
void paint_weights(const body_paint *self, int channel, float *weights);

/* A texture with the present weights. */
SB_NODISCARD sb_status paint_texture(const body_paint *self, sb_texture **out,
                                     sb_error *err);

/* The mode shapes of a body as a texture, one channel per mode, of up to
 * PAINT_MODES modes. */
SB_NODISCARD sb_status painting_of_modes(const sb_planned *planned, int width,
                                         int height, sb_texture **out,
                                         sb_error *err);
