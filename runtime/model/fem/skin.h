/* runtime/model/fem/skin.h -- the outside of a body of tetrahedra.
 *
 * Thread: control, workers. Memory: the faces are the caller's, by sb_free.
 */
#ifndef SB_MODEL_FEM_SKIN_H
#define SB_MODEL_FEM_SKIN_H

#include "runtime/model/fill/fill.h"

#include <stdbool.h>

/* Sides of tetrahedra that no other shares, turned outward. Quadratic: each is
 * four triangles of its six nodes, else one of its corners. */
SB_NODISCARD sb_status sb_skin_find(const sb_solid_mesh *solid,
                                    bool is_quadratic, int (**faces)[3],
                                    int *face_count, sb_error *err);

#endif
