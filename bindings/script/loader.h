/* SPDX-License-Identifier: MIT */
/* bindings/script/loader.h -- loads a script beside the running one.
 *
 *     prepare (control): copy `state`, the models of the running scene and
 *                        the values of the params
 *     run     (worker):  run the script from the top, solve its models
 *     collect (control): get the script or the error
 *
 * The threads share only the models, which are immutable. A load that does not
 * end in time is abandoned: its must_stop becomes true, and it frees everything
 * when it ends. It uses no memory of the host, which does not wait for it.
 *
 * Thread: control, except loader_run and what it calls.
 */
#pragma once

#include "runtime/scene/param.h"

#include <stdbool.h>

typedef struct sb_plan sb_plan;
typedef struct sb_scene sb_scene;
typedef struct sb_script sb_script;
typedef struct script_def script_def;

/* A script ends when its budget is used up (guard.h), except in an instruction
 * that nothing interrupts: after this processor time more it is given up. */
#define LOADER_OVERDUE_S 0.5

typedef struct loaded_script {
    sb_script *script; /* NULL after the host has taken it */
    sb_plan *running;  /* snapshot of the running scene before the load */
    sb_params params;  /* copy of the running script's values */
    char *state;       /* packed, or NULL for a reset */
    size_t state_bytes;
    bool is_state_lost; /* packing failed, with the error state_err */
    sb_error state_err;
    sb_status status; /* of the load */
    sb_error err;
} loaded_script;

SB_NODISCARD sb_status loader_prepare(loaded_script *loaded,
                                      const script_def *def, sb_script *running,
                                      const sb_scene *scene, bool is_reset,
                                      sb_error *err);
void loader_run(loaded_script *loaded);
void loader_clear(loaded_script *loaded);

/* Apply the changes that the running script has made to its `state`, and that
 * were made to its params, since the load began to the new script's. */
SB_NODISCARD sb_status loader_merge_state(const loaded_script *loaded,
                                          sb_script *running, sb_error *err);

typedef struct sb_loader sb_loader;

/* Prepare, then run on a new thread. */
SB_NODISCARD sb_status loader_start(sb_loader **out, const script_def *def,
                                    sb_script *running, const sb_scene *scene,
                                    bool is_reset, sb_error *err);
bool loader_is_done(const sb_loader *loader);
/* The script has run, and its bodies are being solved. */
bool loader_is_solving(const sb_loader *loader);
/* What is being solved. False: nothing since the load began. */
typedef struct loader_progress {
    char body[SB_NAME_SIZE], stage[24];
    int done, expected; /* 0: not known */
} loader_progress;
bool loader_read_progress(sb_loader *loader, loader_progress *out);
bool loader_is_late(const sb_loader *loader);
bool loader_is_reset(const sb_loader *loader);

/* After loader_is_done: move the result to *out (owned by the caller) and free
 * the loader. Returns the duration of the load in milliseconds. */
double loader_collect(sb_loader *loader, loaded_script *out);
void loader_abandon(sb_loader *loader); /* NULL is allowed */
/* Abandoned loads and solves that still run. The program must then end by _exit: libraries
 * that a solve uses are torn down by exit. */
int loader_left_count(void);

/* Destroy a script that has been replaced. A large Lua state is closed on a
 * separate thread, because that takes longer than a control step. */
void loader_retire(sb_script *script); /* NULL is allowed */
