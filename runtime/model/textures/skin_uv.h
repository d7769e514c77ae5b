/* SPDX-License-Identifier: MIT */
/* runtime/model/textures/skin_uv.h -- texture coordinates for the skin of a
 * solved body.
 *
 * A sheet's faces are those of its mesh and keep their coordinates. The skin of
 * a filled body has other faces: each takes its coordinates from the mesh faces
 * beneath it, on that side of a seam on which its middle lies. Near a seam the
 * coordinates may therefore be half a face off. Closed forms cut into solids
 * get coordinates from their positions (face_uv in shapes/shapes.h).
 *
 * Thread: control, workers. Memory: `*out` belongs to the caller.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_fem sb_fem;
typedef struct sb_mesh sb_mesh;
typedef struct sb_shape sb_shape;

/* One (u, v) per corner of fem->faces; NULL when there are none. `sheet` is the
 * mesh that was solved as a sheet; NULL for a solid. */
SB_NODISCARD sb_status sb_skin_uv(const sb_shape *shape, const sb_mesh *sheet,
                                  const sb_fem *fem, float (**out)[3][2],
                                  sb_error *err);

/* For faces that are larger than those of the mesh they were made from.
 *
 * At three points of each line from the middle of a face to its corner the
 * coordinates of the mesh beneath are looked up, the last one short of the
 * corner, so that it is on the face's side of a seam; the corner's follow
 * linearly.
 *
 * One (u, v) per corner of `coarse->faces`, from the mesh `fine`, which has
 * some. NO_MEMORY. */
SB_NODISCARD sb_status sb_uv_transfer(const sb_mesh *fine,
                                      const sb_mesh *coarse,
                                      float (**out)[3][2], sb_error *err);
