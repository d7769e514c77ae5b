/* runtime/model/shapes/face_uv.h -- texture coordinates of the faces of a skin.
 *
 * For the face_uv column of family.h: `at` are the corners of a triangle on the
 * surface, `uvs` their coordinates.
 *
 * Thread: any.
 */
#ifndef SB_MODEL_SHAPES_FACE_UV_H
#define SB_MODEL_SHAPES_FACE_UV_H

#include "runtime/base/vec3.h"

typedef struct sb_sheet sb_sheet;

/* Of a sheet: u along x, v along z. The unit square is the top; the other faces
 * lie beside it, at v + 2. */
void sb_face_uv_sheet(const sb_sheet *sheet, const sb_vec3 at[3],
                      float uvs[3][2]);

/* The first `axis_count` of u and v are angles over 2 pi: turn those of the
 * corners so that they lie together, their mean within 0 .. 1. */
void sb_face_uv_unwind(float uvs[3][2], int axis_count);

/* The normal of a face, not of unit length. */
sb_vec3 sb_face_normal(const sb_vec3 at[3]);

#endif
