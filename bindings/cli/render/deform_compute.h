/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/deform_compute.h -- the computing of deformable bodies:
 * what is said meanwhile (size and time before it begins, time left, what went
 * wrong), and scenes in real time, which are computed first and then played
 * from their journal.
 *
 * Thread: control. Memory: the caller's.
 */
#pragma once

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
