/* bindings/cli/render/poses_file.h -- poses of all moving bodies, one JSON
 * object per control step.
 *
 *     {"t":0.51,"poses":[{"body":"ball","position":[x,y,z],
 *                         "rotation":[x,y,z,angle]}]}
 *
 * A rotation is an axis and radians about it, as body:rotation() returns.
 * Bodies that are fixed are left out, and so are steps after the end of the
 * render: control steps run ahead of the sound.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; poses_abort unless written.
 */
#ifndef SB_BINDINGS_CLI_RENDER_POSES_FILE_H
#define SB_BINDINGS_CLI_RENDER_POSES_FILE_H

#include "runtime/base/out_file.h"
#include "runtime/scene/world/scene_world.h"

typedef struct poses_line poses_line;

typedef struct poses_file {
    sb_out_file *file; /* NULL: not requested */
    struct poses_line {
        double time_s;
        char *text;
    } * lines; /* not yet rendered */
    int count, capacity;
} poses_file;

SB_NODISCARD sb_status poses_open(poses_file *poses, const char *path,
                                  sb_error *err);
/* `rendered_s` is the length of the render so far. */
SB_NODISCARD sb_status poses_add(poses_file *poses, const sb_scene *scene,
                                 double rendered_s, sb_error *err);
SB_NODISCARD sb_status poses_write(poses_file *poses, double end_s,
                                   sb_error *err);
void poses_abort(poses_file *poses);

#endif
