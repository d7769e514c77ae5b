/* bindings/studio/body_surface_internal.h -- building surfaces. Only the files of
 * body_surface.h include it.
 *
 * Thread: any. Memory: the surface's.
 */
#ifndef SB_BINDINGS_STUDIO_BODY_SURFACE_INTERNAL_H
#define SB_BINDINGS_STUDIO_BODY_SURFACE_INTERNAL_H

#include "bindings/studio/body_surface.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/solution.h"

/* Room for all that will be added; false: no memory. */
bool surface_reserve(surface *self, int vertices, int faces);
/* Add a vertex at a place of the model; returns its number. */
int surface_add(surface *self, const sb_model *model, sb_model_point point,
                sb_vec3 at);
bool surface_take_solved(const sb_model *model, const sb_solution *solved,
                         surface *out);

#endif
