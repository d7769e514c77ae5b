/* bindings/cli/modes/mode_view.h -- draws a vibrating surface by parallel
 * projection.
 *
 * Triangles are filled one by one into a z-buffer. Each pixel stores the
 * displacement d of the surface, and its distance on the screen from the nodal
 * line, |d| / |grad d|, with the gradient of its own triangle: an edge at which
 * d jumps is not drawn as a nodal line.
 *
 * Thread: control. Memory: mode_view_free frees the pixels.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_VIEW_H
#define SB_BINDINGS_CLI_MODES_MODE_VIEW_H

#include "bindings/cli/modes/mode_surface.h"

typedef struct view_pixel {
    float depth; /* towards the viewer; -INFINITY: empty */
    float value; /* -1 .. 1 */
    float line;  /* pixels to the nodal line; INFINITY: none near */
    float shade, gloss;
} view_pixel;

typedef struct mode_view {
    int width, height;
    view_pixel *pixels;
    bool is_in_plane; /* flat, with an in-plane mode: value is along one axis */
} mode_view;

SB_NODISCARD sb_status mode_view_make(int width, int height, mode_view *out,
                                      sb_error *err);
void mode_view_free(mode_view *view);

/* Draw one mode over the whole view, leaving `margin` pixels at each side. */
void mode_view_draw(mode_view *view, const mode_surface *surface, int mode,
                    double margin);

/* Height divided by width of the drawing. */
double mode_view_aspect(const mode_surface *surface);

#endif
