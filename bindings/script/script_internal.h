/* SPDX-License-Identifier: MIT */
/* bindings/script/script_internal.h -- the members of a script.
 *
 * script.c creates, loads and runs it; script_access.c has the functions for the
 * API; pack.c carries `state` from one run to the next; loader.c loads it on a
 * thread; evaluate.c runs lines of the prompt. Tests include this header, too.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include "bindings/sandbox/guard.h"
#include "bindings/script/script.h"
#include "runtime/scene/param.h"

#include <stdatomic.h>

/* A file that has been read, and for which purpose. */
typedef struct script_file_use {
    char *path;
    bool is_texture, is_else;
    bool is_chunk; /* a source file in the scene's folder */
} script_file_use;

struct sb_script {
    script_def def; /* strings and settings are copies */
    lua_State *L;
    guard guard;
    timers timers;
    sb_params params;
    sb_scene *scene;   /* while it runs, else NULL */
    sb_engine *engine; /* likewise */
    sb_plan *plan;     /* during the load, else NULL */
    sb_body_id *plan_ids;
    int plan_count;
    double now_s;
    double reached_s; /* the world has been advanced to this time */
    bool is_wanted[SCRIPT_CALLBACK_COUNT]; /* to be called in the next step */
    bool is_parked[SCRIPT_CALLBACK_COUNT];
    bool parks_errors;
    double step_began_s;  /* processor time */
    double owed_s;        /* by the callbacks of the steps before */
    double update_span_s; /* since scene.update was last called */
    int late_steps;
    uint64_t contact_reader; /* world events passed to scene.contact */
    int error_count;
    sb_error setting_error; /* for the first setting outside its range */
    /* Messages and printed lines while loading, each after a byte that is 1
     * for a printed one, and null-terminated. */
    char *kept;
    int kept_bytes, kept_capacity;
    long long lost_lines; /* for which there was no room */
    script_file_use *files;
    int file_count, file_capacity;
    char asset_error[SB_MESSAGE_SIZE];
    char unpainted[SB_MESSAGE_SIZE]; /* why a texture could not be read */
    const sb_plan *running; /* during a load: the running plan, or NULL */
    long long texels;       /* total of the textures read */
    atomic_bool is_solving;
    double work_spent_s;  /* on meshes */
    double solve_until_s; /* effort of the thread that loads (clock.h) */
    bool is_prompting;    /* a line of the prompt runs */
    bool has_said[SCRIPT_ONCE_COUNT];
};

#define ENVIRONMENT "sandbell.environment"
#define MODULE      "sandbell.module"

/* After a failed load: free the Lua state now, on the loading thread. */
void script_close_state(sb_script *script);

/* Add a source file; errors quote its lines if it is one of the scene's. */
SB_NODISCARD sb_status script_add_chunk(sb_script *script, const char *path,
                                        bool is_own);

/* Fails if a name=value of the command line has no param or is out of range. */
sb_status script_check_settings(const sb_script *script, sb_error *err);
