/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/scene_deform_def.h -- what becomes of a scene's deformable bodies.
 *
 * Thread: control. Memory: plain values; what is pointed to is the caller's.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sb_scene sb_scene;

typedef enum sb_deform_how {
    SB_DEFORM_NOT,     /* they are silent and still */
    SB_DEFORM_COMPUTE, /* from the beginning */
    SB_DEFORM_RESUME,  /* from the last checkpoint of the journal, if any */
    SB_DEFORM_REPLAY   /* from a journal, in real time */
} sb_deform_how;

typedef struct sb_scene_deform_def {
    sb_deform_how how;
    const char *journal; /* its path; NULL: none */
    double mark_s;       /* processor time between checkpoints; 0: 10 s */
    double pose_s;       /* how often surfaces are kept; 0: 0.01 */
    /* Called when surfaces are new (sb_scene_deform_surface); or NULL. */
    void (*posed)(void *user, const sb_scene *scene);
    void *user;
    int threads;                  /* 0: one per core */
    double memory_bytes;          /* 0: no limit */
    const atomic_bool *must_stop; /* or NULL */
    bool may_miss; /* REPLAY: without a journal they are not opened */
} sb_scene_deform_def;
