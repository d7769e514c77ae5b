/* runtime/model/textures/skin_uv.h -- texture coordinates for the skin of what was solved.
 *
 * A sheet's faces are the mesh's own and keep what they have. The skin of a
 * filled body has other faces: each takes its coordinates from the mesh's faces
 * beneath it, on the side of a seam on which its middle lies, and a little
 * beyond: so near a seam a place may be found half a face off. Closed forms as solids have them from their places.
 *
 * Thread: control, workers. Memory: `*out` is the caller's.
 */
#ifndef SB_MODEL_TEXTURES_SKIN_UV_H
#define SB_MODEL_TEXTURES_SKIN_UV_H

#include "runtime/model/solve/discrete.h"

/* One (u, v) a corner of fem->faces; NULL when there are none. */
SB_NODISCARD sb_status sb_skin_uv(const sb_shape *shape,
                                  const sb_discrete *discrete,
                                  const sb_fem *fem, float (**out)[3][2],
                                  sb_error *err);

#endif
