/* bindings/studio/mode_shapes.h -- the displacement of surfaces in modes.
 *
 * A model gives all modes at a point at once, so all are kept: the first shape
 * of a body takes some time, the others none. Vertices at the same place of
 * the model, such as both sides of a plate, are evaluated once, and directions
 * in which no mode moves not at all.
 *
 * Thread: one at a time: the worker's.
 * Memory: the shapes of the latest bodies, up to 128 MB.
 */
#ifndef SB_BINDINGS_STUDIO_MODE_SHAPES_H
#define SB_BINDINGS_STUDIO_MODE_SHAPES_H

#include "bindings/studio/surface.h"

typedef struct mode_shapes mode_shapes;

mode_shapes *mode_shapes_open(void);       /* NULL: no memory */
void mode_shapes_close(mode_shapes *self); /* NULL is allowed */

/* The contents of modes/N.bin (protocol.md), `mode` from 0; NULL: no memory.
 * `shape` as in surface_make. */
letter *mode_shapes_bytes(mode_shapes *self, sb_model *model,
                          const sb_shape *shape, int mode);

#endif
