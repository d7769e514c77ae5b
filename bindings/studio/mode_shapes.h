/* bindings/studio/mode_shapes.h -- the displacement of surfaces in modes.
 *
 * Only the mode that is asked for is evaluated. Surfaces of the latest bodies
 * are kept; vertices at the same place of the model, such as both sides of a
 * plate, are evaluated once.
 *
 * Thread: one at a time: the worker's.
 * Memory: the surfaces of the latest six bodies.
 */
#ifndef SB_BINDINGS_STUDIO_MODE_SHAPES_H
#define SB_BINDINGS_STUDIO_MODE_SHAPES_H

#include "bindings/studio/body_surface.h"

typedef struct mode_shapes mode_shapes;

mode_shapes *mode_shapes_open(void);       /* NULL: no memory */
void mode_shapes_close(mode_shapes *self); /* NULL is allowed */

/* The contents of modes/N.bin (protocol.md); `mode` and `member` (members.h)
 * from 0. NULL: no memory. `shape` as in surface_make. */
letter *mode_shapes_bytes(mode_shapes *self, sb_model *model,
                          const sb_shape *shape, int mode, int member);

#endif
