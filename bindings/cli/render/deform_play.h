/* bindings/cli/render/deform_play.h -- scenes with deformable bodies in real
 * time: they are computed first, then played from their journal.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_BINDINGS_CLI_RENDER_DEFORM_PLAY_H
#define SB_BINDINGS_CLI_RENDER_DEFORM_PLAY_H

#include "bindings/cli/render/deform_work.h"

typedef struct sb_host sb_host;
typedef struct sb_host_def sb_host_def;

/* Longest scene that is computed without --for, s. */
#define DEFORM_PLAY_LONGEST_S 20.0

typedef struct deform_play {
    deform_work work;
    bool has_ended; /* its end was said */
} deform_play;

/* What is called while it computes, with the user of the host's definition. */
typedef struct deform_play_calls {
    /* The scene that is computed, before it begins and after it has ended;
     * another one than that which is played. */
    void (*begin)(void *user, sb_host *host);
    void (*end)(void *user);
    /* How far it has come, scene time. True: stop. */
    bool (*progress)(void *user, double now_s);
} deform_play_calls;

/* Opens a scene that is played live. If it has deformable bodies and no
 * complete journal of them, they are computed first, until `duration_s` or, if
 * that is 0, until the scene is silent, but 20 s at most; what there is of them
 * is said. */
SB_NODISCARD sb_status deform_play_open(const char *verb, const char *path,
                                        const sb_host_def *def,
                                        double duration_s,
                                        const deform_play_calls *calls,
                                        sb_host **out, sb_error *err);

/* Prints what must be said while it plays. */
void deform_play_tell(deform_play *play, const char *verb, sb_scene *scene);

#endif
