/* bindings/cli/render/deform_work.h -- what is said while deformable bodies are
 * computed: size and time before it begins, time left, what went wrong.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_BINDINGS_CLI_RENDER_DEFORM_WORK_H
#define SB_BINDINGS_CLI_RENDER_DEFORM_WORK_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_scene sb_scene;

enum { DEFORM_NOTE_SIZE = 96 };

typedef struct deform_work {
    double began_s; /* steady time */
    double from_s;  /* scene time from which it computes */
    bool has_failed, has_begun;
} deform_work;

/* Prints the size of the work, if there is any. */
void deform_work_begin(deform_work *work, const char *verb,
                       const sb_scene *scene, double duration_s);
/* Prints what must be said since the last call. */
void deform_work_tell(deform_work *work, const char *verb, sb_scene *scene);
/* "1.2 s", and how long the rest will take where that is known. */
void deform_work_note(deform_work *work, const sb_scene *scene, double now_s,
                      double duration_s, char note[DEFORM_NOTE_SIZE]);
/* Keeps the work for --resume and `run`, and prints why it ended early;
 * `is_over`: the scene was silent in the end. */
void deform_work_end(deform_work *work, const char *verb, sb_scene *scene,
                     sb_status status, bool is_over);

#endif
