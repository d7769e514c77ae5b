/* bindings/cli/modes/mode_surface.h -- the surface of a body and its
 * displacement in the first modes, for drawing.
 *
 * Thread: control. Memory: mode_surface_free frees the arrays.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_SURFACE_H
#define SB_BINDINGS_CLI_MODES_MODE_SURFACE_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

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

#endif
