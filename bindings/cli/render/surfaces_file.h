/* bindings/cli/render/surfaces_file.h -- `render --poses` with the surfaces of
 * deformable bodies: FILE.glb (morph targets) or FILE.pc2 (a point cache).
 *
 * Thread: control. Memory: the caller's; surfaces_abort frees.
 */
#ifndef SB_BINDINGS_CLI_RENDER_SURFACES_FILE_H
#define SB_BINDINGS_CLI_RENDER_SURFACES_FILE_H

#include "runtime/scene/deform/scene_deform.h"
#include "runtime/store/export/pose_writer.h"

typedef struct surfaces_file {
    const char *path; /* NULL: none is wanted */
    sb_pose_writer *writer;
    int body_count;
    sb_vec3 *points;   /* of all bodies */
    sb_vec3 **of_body; /* their parts of it */
} surfaces_file;

/* Is this the name of such a file? */
bool surfaces_is_name(const char *path);
SB_NODISCARD sb_status surfaces_add(surfaces_file *file, const sb_scene *scene,
                                    sb_error *err);
/* Writes it. Without a deformable body: NOT_FOUND. */
SB_NODISCARD sb_status surfaces_write(surfaces_file *file, sb_error *err);
void surfaces_abort(surfaces_file *file);

#endif
