/* runtime/model/textures/uv_transfer.h -- texture coordinates for faces that
 * are larger than those of the mesh they were made from.
 *
 * At three points of each line from the middle of a face to its corner the
 * coordinates of the mesh beneath are looked up, the last one short of the
 * corner, so that it is on the face's side of a seam; the corner's follow
 * linearly.
 *
 * Thread: control, workers. Memory: `*out` belongs to the caller.
 */
#ifndef SB_MODEL_TEXTURES_UV_TRANSFER_H
#define SB_MODEL_TEXTURES_UV_TRANSFER_H

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;

/* One (u, v) per corner of `coarse->faces`, from the mesh `fine`, which has
 * some. NO_MEMORY. */
SB_NODISCARD sb_status sb_uv_transfer(const sb_mesh *fine,
                                      const sb_mesh *coarse,
                                      float (**out)[3][2], sb_error *err);

#endif
