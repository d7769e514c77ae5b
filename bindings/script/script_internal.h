/* bindings/script/script_internal.h -- a script as its own files see it.
 *
 * script.c has life, loading and running; script_doors.c the functions for the
 * API; script_state.c carries `state` from one run to the next. Tests
 * include this header; no other file does.
 *
 * Thread: the one that runs the script.
 */
#ifndef SB_BINDINGS_SCRIPT_SCRIPT_INTERNAL_H
#define SB_BINDINGS_SCRIPT_SCRIPT_INTERNAL_H

#include "bindings/script/script.h"

#include <stdatomic.h>

/* A file that has been read, and what for. */
typedef struct script_file_use {
    char *path;
    bool is_texture, is_else;
} script_file_use;

struct sb_script {
    script_def def; /* texts and settings are copies */
    lua_State *L;
    guard guard;
    timers timers;
    sb_params params;
    sb_scene *scene;   /* once it runs */
    sb_engine *engine; /* likewise */
    sb_plan *plan;     /* until then */
    sb_body_id *plan_ids;
    int plan_count;
    double now_s;
    double reached_s; /* up to here the world has gone in this step */
    bool is_wanted[SCRIPT_CALLBACK_COUNT]; /* to be called in the next step */
    bool is_parked[SCRIPT_CALLBACK_COUNT];
    bool parks_errors;
    double step_began_s;     /* processor time */
    uint64_t contact_reader; /* what it has heard of the world */
    int error_count;
    sb_error setting_error; /* of the first setting outside its range */
    char *kept; /* lines printed while loading, each with its zero */
    int kept_bytes, kept_capacity;
    script_file_use *files;
    int file_count, file_capacity;
    char asset_error[SB_MESSAGE_SIZE];
    char unpainted[SB_MESSAGE_SIZE]; /* why a texture could not be read */
    const sb_plan *running; /* while it is loaded: what runs, or NULL */
    long long texels;       /* of the textures read so far */
    atomic_bool is_solving;
};

#define ENVIRONMENT "sandbell.environment"
#define MODULE      "sandbell.module"

/* For tests that call Lua functions directly. */
lua_State *script_state(const sb_script *script);

/* Every name=value of the command line must have met its param. */
sb_status script_check_settings(const sb_script *script, sb_error *err);

#endif
