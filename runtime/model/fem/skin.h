/* runtime/model/fem/skin.h -- the outer faces of a tetrahedral mesh. Thread:
 * control, workers. Memory: the caller owns the faces and frees them with
 * sb_free. */
#ifndef SB_MODEL_FEM_SKIN_H
#define SB_MODEL_FEM_SKIN_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_solid_mesh sb_solid_mesh;

/* Finds the sides of tetrahedra that no other tetrahedron shares, facing
 * outward. Quadratic: each side becomes four triangles of its six nodes;
 * otherwise one triangle of its corners. */
SB_NODISCARD sb_status sb_skin_find(const sb_solid_mesh *solid,
                                    bool is_quadratic, int (**faces)[3],
                                    int *face_count, sb_error *err);

#endif
