/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/mode_view.h -- pictures of a mode: the surface of a body
 * with its displacement, its drawing by parallel projection, and its colours.
 *
 * The value of a pixel is the displacement of the surface, from -1 to 1, so
 * that its line is the nodal line. Flat bodies are dark metal, orange and blue
 * where they move, with sand along the nodal lines, as Chladni drew them; other
 * bodies are lit from above and have pale nodal lines.
 *
 * Thread: control. Memory: mode_surface_free frees the arrays.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/media/picture/picture.h"
#include "runtime/media/picture/surface_view.h"

#include <stdbool.h>

typedef struct mode_body mode_body;

typedef struct mode_surface {
    int vertex_count, face_count, mode_count;
    sb_vec3 *vertices;
    int (*faces)[3];
    sb_vec3 *moves; /* [mode][vertex], scaled to a maximum of 1 per mode */
    sb_vec3 *normals;
    sb_vec3 low, high;
    bool is_flat; /* drawn from above */
    int across;   /* axis of the smallest extent: 0 x, 1 y, 2 z */
} mode_surface;

/* Make the surface with the first `mode_most` modes, or fewer if there are
 * fewer. BAD_ARGUMENT for a body without a surface or modes, NO_MEMORY. */
SB_NODISCARD sb_status mode_surface_make(const mode_body *body, int mode_most,
                                         mode_surface *out, sb_error *err);
void mode_surface_free(mode_surface *surface);

/* Draw one mode over the whole view, leaving `margin` pixels at each side. True
 * for a flat body whose mode is in-plane: its value is along one axis. */
bool mode_view_draw(sb_view *view, const mode_surface *surface, int mode,
                    double margin);

/* Height divided by width of the drawing. */
double mode_view_aspect(const mode_surface *surface);

/* A pixel is the mean of MODE_PAINT_FINE x MODE_PAINT_FINE pixels of the view.
 */
enum { MODE_PAINT_FINE = 3 };

extern const sb_colour mode_paint_page, mode_paint_panel, mode_paint_ink,
    mode_paint_faint;

/* Paint a whole view with its top left corner at (left, top) of the picture. */
void mode_paint(sb_picture *picture, const sb_view *view, bool is_flat,
                int left, int top);
