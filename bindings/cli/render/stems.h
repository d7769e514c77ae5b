/* bindings/cli/render/stems.h -- a sound file for every body of a render.
 *
 *     render scene.lua -o scene.wav --stems:  scene.bell.wav, scene.bar.wav
 *
 * The stems add up to the mix before the limiter, frame by frame. A body that
 * appears later has silence before. Letters, digits, '-', '_', '+' and bytes
 * beyond ASCII of the body's name are kept, others become '_'; a name that is
 * then taken, also by another option of the render, gets a number.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; stems_abort unless closed.
 */
#ifndef SB_BINDINGS_CLI_RENDER_STEMS_H
#define SB_BINDINGS_CLI_RENDER_STEMS_H

#include "bindings/cli/console/cli.h"
#include "bindings/cli/render/take.h"
#include "runtime/scene/scene.h"

#include <limits.h>

typedef struct stem_file {
    take take;
    char body[SB_NAME_SIZE];
    char path[PATH_MAX];
    float *held; /* frames that the mix does not have yet */
    int held_frames;
} stem_file;

typedef struct stems {
    const char *mix; /* path of the mix; NULL: no stems are wanted */
    const cli_verb *verb;
    const void *options; /* of the verb */
    sb_sound_def def;
    bool is_kept;
    stem_file **files;
    int count, capacity;
    int64_t skipped; /* frames of look-ahead left out so far */
    int64_t written; /* frames of every file */
} stems;

/* After each block that was computed. */
SB_NODISCARD sb_status stems_compute(stems *self, const sb_scene *scene,
                                     const sb_engine *engine, sb_error *err);
/* The mix has that many more frames. */
SB_NODISCARD sb_status stems_add(stems *self, int frames, sb_error *err);
SB_NODISCARD sb_status stems_close(stems *self, double gain, sb_error *err);
void stems_abort(stems *self);

#endif
