/* bindings/cli/render/poses_file.h -- poses of all moving bodies, one JSON
 * object per control step.
 *
 *     {"t":0.51,"poses":[{"body":"ball","position":[x,y,z],
 *                         "rotation":[w,x,y,z]}]}
 *
 * Rotations are unit quaternions; fixed bodies are left out.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; poses_abort unless written.
 */
#ifndef SB_BINDINGS_CLI_RENDER_POSES_FILE_H
#define SB_BINDINGS_CLI_RENDER_POSES_FILE_H

#include "runtime/base/out_file.h"
#include "runtime/scene/world/scene_world.h"

typedef struct poses_file {
    sb_out_file *file; /* not requested */
} poses_file;

SB_NODISCARD sb_status poses_open(poses_file *poses, const char *path,
                                  sb_error *err);
SB_NODISCARD sb_status poses_add(poses_file *poses, const sb_scene *scene,
                                 sb_error *err);
SB_NODISCARD sb_status poses_write(poses_file *poses, sb_error *err);
void poses_abort(poses_file *poses);

#endif
