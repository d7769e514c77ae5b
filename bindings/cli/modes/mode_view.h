/* bindings/cli/modes/mode_view.h -- a moving surface, seen through parallel rays.
 *
 * Triangles are filled one by one; the nearest to the eye stays (a z-buffer).
 * Each pixel keeps how far the surface moves there and how far, on the screen,
 * the nodal line is: |d| / |grad d|, with the gradient of its own triangle, so
 * that an edge where d jumps is not taken for a line.
 *
 * Thread: control. Memory: mode_view_free frees the pixels.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_VIEW_H
#define SB_BINDINGS_CLI_MODES_MODE_VIEW_H

#include "bindings/cli/modes/mode_surface.h"

typedef struct view_pixel {
    float depth; /* towards the eye; -INFINITY: nothing is seen */
    float value; /* -1 .. 1 */
    float line;  /* pixels to the nodal line; INFINITY: none near */
    float shade, gloss;
} view_pixel;

typedef struct mode_view {
    int width, height;
    view_pixel *pixels;
    bool
        is_in_plane; /* flat, and moves along itself: value is along one axis */
} mode_view;

SB_NODISCARD sb_status mode_view_make(int width, int height, mode_view *out,
                                      sb_error *err);
void mode_view_free(mode_view *view);

/* Draw one mode over the whole view, leaving `margin` pixels at each side. */
void mode_view_draw(mode_view *view, const mode_surface *surface, int mode,
                    double margin);

/* Height over width of what is seen. */
double mode_view_aspect(const mode_surface *surface);

#endif
