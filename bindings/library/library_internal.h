/* SPDX-License-Identifier: MIT */
/* bindings/library/library_internal.h -- a scene as the library holds it.
 *
 * Control calls of a scene wait for each other: each enters, works and leaves.
 * While it is inside, the thread has the locale "C" and the default float
 * environment, so that a host's do not change results.
 *
 * Thread: as sandbell.h says. Memory: the scene's.
 */
#pragma once

#include "bindings/host/host.h"
#include "bindings/library/sandbell.h"
#include "runtime/base/locale.h"
#include "runtime/base/pose.h"
#include "runtime/base/vec3.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/state/body.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

typedef struct sb_material sb_material;
typedef struct sb_place sb_place;
typedef struct sb_strike_def sb_strike_def;

/* A body that is heard alone: the voice it has now. */
typedef struct dry_body {
    sb_body_id body;
    _Atomic uint64_t voice; /* index, then generation in the upper half */
} dry_body;

struct sandbell_scene {
    pthread_mutex_t lock; /* recursive: a log may call back */
    int depth;            /* of calls; more than 1: from a callback */
    sandbell_scene_def def;
    char *path;
    sb_setting *settings;
    sb_host *host;
    sb_conductor steps;
    _Atomic int64_t next_frame; /* where the next control step begins */
    _Atomic int64_t underruns;  /* calls that rendered beyond it */
    int64_t physics_until;      /* end of the last physics step, frames */
    /* CONTROL_THREAD */
    pthread_t thread;
    bool has_thread;
    pid_t process; /* that started it */
    atomic_bool is_over;
    sb_output *output; /* of sandbell_play, or NULL */
    int loads;         /* that have ended, and how the last one did */
    sb_error loaded;
    /* Events. */
    uint64_t reader;
    /* Dry bodies. */
    dry_body *dry;
    atomic_int dry_count;
};

/* --- entering ----------------------------------------------------------------- */

typedef struct library_call {
    sandbell_scene *scene; /* or NULL */
    sb_locale locale;
    fenv_t floats;
    sb_error why; /* of what fails */
} library_call;

library_call library_enter(sandbell_scene *scene);
/* BAD_ARGUMENT: the call would change what a callback was called by. */
SB_NODISCARD sb_status library_check_outside(library_call *call,
                                             const char *name);
/* Returns `status`, with the reason in `err`. */
int library_leave(library_call *call, sb_status status, sandbell_error *err);

/* --- structs ------------------------------------------------------------------- */

/* Copy a caller's struct into `own`, of `own_size` bytes, with defaults for what
 * it is too short for. `given` NULL: all are defaults. BAD_ARGUMENT: its size is
 * 0, or it has values that this version does not have. */
SB_NODISCARD sb_status library_read(int which, const void *given, void *own,
                                    size_t own_size, sb_error *err);
/* The other way: as much as the caller's struct has room for. */
void library_write(const void *own, size_t own_size, void *out);

/* --- conversions ----------------------------------------------------------------- */

static inline sb_vec3 vec3_in(sandbell_vec3 v) {
    return (sb_vec3){v.x, v.y, v.z};
}

static inline sandbell_vec3 vec3_out(sb_vec3 v) {
    return (sandbell_vec3){v.x, v.y, v.z};
}

static inline sb_pose pose_in(const sandbell_pose *pose) {
    return (sb_pose){.position = vec3_in(pose->position),
                     .rotation = {pose->rotation.w, pose->rotation.x,
                                  pose->rotation.y, pose->rotation.z},
                     .velocity = vec3_in(pose->velocity),
                     .spin = vec3_in(pose->spin)};
}

static inline sb_body_id body_in(sandbell_body body) {
    return (sb_body_id){body.index, body.generation};
}

static inline sandbell_body body_out(sb_body_id id) {
    return (sandbell_body){id.index, id.generation};
}

/* Scene time of a frame, or of the next control step if it is in the past. */
double library_time_s(const sandbell_scene *scene, int64_t frame);

/* A material of the library by its name. NOT_FOUND. */
SB_NODISCARD sb_status library_material(const char *name, sb_material *out,
                                        sb_error *err);

/* After a render. RT. */
void library_count_underrun(sandbell_scene *scene);

/* The voices of dry bodies may have changed. */
void library_refresh_dry(sandbell_scene *scene);
