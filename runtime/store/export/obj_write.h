/* runtime/store/export/obj_write.h -- a surface as a Wavefront OBJ file.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#ifndef SB_STORE_EXPORT_OBJ_WRITE_H
#define SB_STORE_EXPORT_OBJ_WRITE_H

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;

/* Write vertices in metres, faces in their order, and texture coordinates per
 * corner (NULL: none); equal coordinates of a vertex are written once. The file
 * appears complete or not at all; errors of out_file.h. */
SB_NODISCARD sb_status sb_obj_write(const char *path, const sb_mesh *mesh,
                                    const float (*uvs)[3][2], sb_error *err);

#endif
