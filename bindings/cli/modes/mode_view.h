/* bindings/cli/modes/mode_view.h -- draws a vibrating surface by parallel
 * projection.
 *
 * The value of a pixel is the displacement of the surface, from -1 to 1, so
 * that its line is the nodal line.
 *
 * Thread: control. Memory: mode_view_free frees the pixels.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_VIEW_H
#define SB_BINDINGS_CLI_MODES_MODE_VIEW_H

#include "runtime/media/picture/surface_view.h"

typedef struct mode_surface mode_surface;

typedef struct mode_view {
    sb_view view;
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
