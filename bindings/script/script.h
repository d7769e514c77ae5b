/* SPDX-License-Identifier: MIT */
/* bindings/script/script.h -- one run of a scene's script, with its own Lua
 * state.
 *
 * A script is loaded once, from the top, and only describes a scene: it fills a
 * plan, on any thread. After the plan has been committed the script runs:
 * scene.start or scene.reload once, scene.update every control step, timers and
 * coroutines at their exact times. A saved file leads to a new script in a new
 * state, beside the old one until it replaces it.
 *
 * Thread: one at a time; control once the scene runs.
 * Memory: owns its state, plan, timers and params.
 */
#pragma once

#include "bindings/script/timers.h"
#include "runtime/base/status.h"
#include "runtime/scene/state/body.h"

#include <limits.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sb_body_def sb_body_def;
typedef struct sb_engine sb_engine;
typedef struct sb_field sb_field;
typedef struct sb_param sb_param;
typedef struct sb_params sb_params;
typedef struct sb_plan sb_plan;
typedef struct sb_script sb_script;
typedef struct sb_setting sb_setting;
typedef struct script_output script_output;

/* The functions of bindings/api that a script calls, passed in because api/ may
 * include script/ and not the reverse; defined in api/open.c. */
typedef struct script_api {
    lua_CFunction open;        /* creates the module `sandbell` */
    const sb_field *callbacks; /* of `scene`, with their descriptions */
    void (*push_body)(lua_State *L, const char *name); /* need not exist yet */
    bool (*is_body_gone)(lua_State *L, int index);
    /* Calls scene.contact for each world event after *reader, and advances
     * *reader. */
    void (*announce_contacts)(lua_State *L);
} script_api;

typedef struct script_def {
    const script_api *api; /* not copied */
    const char *path;      /* of the scene; copied */
    const char *folder;    /* from which it may require modules; copied */
    bool is_empty;         /* no script file: `path` is only a name */
    const char *text;      /* NULL, or run instead of the file; copied */
    uint64_t seed;
    bool is_live;               /* played in real time: see guard.h */
    bool puts_off_air;          /* sb_plan_put_off */
    bool is_trusted;            /* no limits: see sandbox.h */
    bool counts_ticks;          /* no limit of time: see guard.h */
    double load_share;          /* see host.h */
    double memory_bytes;        /* of a solve; 0: the default */
    bool hears_removed;         /* all bodies: see scene/plan/planned.c */
    bool is_linear;             /* deformable bodies are bodies of modes */
    const sb_setting *settings; /* copied, names included */
    int setting_count;
    const sb_params *params; /* values of the previous run, or NULL */
    bool (*must_stop)(void *user);
    /* Called while a body is solved; or NULL. */
    void (*progress)(void *user, const char *body, const char *stage, int done,
                     int expected);
    void (*report)(void *user, const char *message);
    void (*print)(void *user, const char *line); /* what the script prints */
    /* In place of report: an error is parked; `text` is all there is to say. */
    void (*failed)(void *user, const sb_error *err, const char *text);
    /* Called by sb.reload, sb.reset and sb.stats. */
    void (*request_reload)(void *user, bool is_reset);
    script_output (*read_output)(void *user);
    void *user;
} script_def;

/* Create the Lua state and its environment; runs nothing yet. */
SB_NODISCARD sb_status script_create(const script_def *def, sb_script **out,
                                     sb_error *err);
void script_destroy(sb_script *script); /* NULL is allowed */

/* Run the script from the top and solve its plan. `packed_state` (may be NULL)
 * is the initial content of `state`; `running` (may be NULL) is the plan of the
 * scene that is running now.
 * BAD_FORMAT: an error in the script, the message names file and line;
 * BAD_ARGUMENT: a setting for which the script declares no param. */
SB_NODISCARD sb_status script_load(sb_script *script, const char *packed_state,
                                   size_t packed_bytes, const sb_plan *running,
                                   sb_error *err);

/* Replace the script's callbacks and `user` by those of `def`. During a load on
 * its own thread they must not refer to the host, which may be closed before
 * the load ends. */
void script_adopt(sb_script *script, const script_def *def);

bool script_is_linear(const sb_script *script); /* --linear */

/* Lines that are said once: what --linear leaves out, and contacts for which
 * the audio thread has no time. */
typedef enum script_once {
    SCRIPT_ONCE_LINEAR,
    SCRIPT_ONCE_CONTACTS,
    SCRIPT_ONCE_COUNT
} script_once;
void script_report_once(sb_script *script, script_once what,
                        const char *message);

/* Set what is heard of a body as the definition of the script says. */
void script_choose_modes(const sb_script *script, sb_body_def *body);

/* The plan, until script_begin; then NULL. */
sb_plan *script_plan(const sb_script *script);

/* Start running, after the plan has been committed to `scene`. Body i of the
 * plan is ids[i]; the script owns `ids` from now on. Timers count from
 * `time_s`. */
void script_begin(sb_script *script, sb_scene *scene, sb_engine *engine,
                  sb_body_id *ids, int count, double time_s);

/* In place of lines that are left out. */
#define SCRIPT_LINES_MORE "... and %lld lines more"

/* Report the lines that the script printed while it was loaded. */
void script_flush_reports(sb_script *script);

/* Files that the load has read or tried to read, the scene itself first. */
int script_file_count(const sb_script *script);
const char *script_file(const sb_script *script, int i);

/* The line of the scene that has the error, as "   12 | local x =", or an empty
 * text: the scene is a text in memory, or the line is not known. */
void script_quote_line(const sb_error *err, bool is_text, char *out,
                       size_t size);

/* Resolve a file name given by the script: first in the scene's folder, then in
 * models/ and textures/ of the library. A trusted script may name any path. The
 * file is added to the watched files even if it does not exist. */
SB_NODISCARD sb_status script_asset(lua_State *L, const char *name,
                                    char resolved[PATH_MAX], sb_error *err);

/* The same for a texture, without a message. If only textures have changed, the
 * script need not run again. */
bool script_find_texture(sb_script *script, const char *name,
                         char resolved[PATH_MAX]);
/* NOT_FOUND for a name that was not found, and why if it leads out of the
 * scene's folder. */
sb_status script_no_asset(const char *name, sb_error *err);
bool script_is_only_texture(const sb_script *script, const char *path);

/* Message of the last mesh or model that could not be loaded, or "". */
void script_set_asset_error(sb_script *script, const char *message);
const char *script_asset_error(const sb_script *script);

/* The same for a texture. sb.body raises an error if a texture failed to load
 * and its field is nil. "" if none has failed. */
void script_set_unpainted(sb_script *script, const char *message);
const char *script_unpainted(const sb_script *script);
/* During a load, the plan of the scene that is running; or NULL. */
const sb_plan *script_running(const sb_script *script);
/* Add to the number of texels read; returns the total. */
long long script_count_texels(sb_script *script, long long texels);

/* The functions of `scene` that the host calls. */
typedef enum script_callback {
    SCRIPT_START,
    SCRIPT_RELOAD,
    SCRIPT_UPDATE,
    SCRIPT_CALLBACK_COUNT
} script_callback;

/* Run one control step. Callbacks requested with script_call_first run before
 * scene.update. An error ends the step with BAD_FORMAT; with `parks_errors` it
 * is reported, the failed function is not called again, and the step continues.
 */
SB_NODISCARD sb_status script_step(sb_script *script, double from_s,
                                   double to_s, bool parks_errors,
                                   sb_error *err);
void script_call_first(sb_script *script, script_callback which);
bool script_is_busy(const sb_script *script); /* timers or scene.start wait */
bool script_has_started(const sb_script *script); /* scene.start has run */
int script_error_count(const sb_script *script);  /* parked */

/* Run `text` as a chunk in the script's environment, with `sb` and the bodies'
 * names defined in addition. *result is the expression's values, or those that
 * the statement returns, as text (free it with sb_free; NULL for none). A chunk
 * that sleeps continues later like a coroutine of sb.go and has no result.
 * BAD_FORMAT: an error in the chunk; *is_incomplete is true if more lines could
 * complete it. */
SB_NODISCARD sb_status script_evaluate(sb_script *script, const char *text,
                                       char **result, bool *is_incomplete,
                                       sb_error *err); /* evaluate.c */

/* Run the function on top of the stack now, as a coroutine that may sleep: it
 * has begun even if another script takes over in the next step. */
void script_run_now(lua_State *L, const char *actor); /* evaluate.c */

/* Who acts in the coroutine that runs now: SCRIPT_HAND for a line of the
 * prompt, the name of an action that was pressed, NULL for the scene itself. A
 * coroutine of sb.go inherits it. */
#define SCRIPT_HAND "hand"
const char *script_actor(lua_State *L);

/* script_pack_state serializes `state` (free *bytes with sb_free).
 * script_merge_state writes the entries of the packed state `after` that differ
 * from the packed state `before` into this script's `state`. */
SB_NODISCARD sb_status script_pack_state(sb_script *script, char **bytes,
                                         size_t *count, sb_error *err);
SB_NODISCARD sb_status script_merge_state(sb_script *script, const char *before,
                                          size_t before_count,
                                          const char *after, size_t after_count,
                                          sb_error *err);

const sb_params *script_params(const sb_script *script);
size_t script_bytes(const sb_script *script); /* allocated by Lua */

/* --- for the other binding files ------------------------------------------ */

sb_script *script_of(lua_State *L);
double script_now(const sb_script *script); /* scene time, s */
void script_set_now(sb_script *script, double now_s);
/* Set the time within a control step and advance the world to it, so that a
 * timer finds and releases bodies at their positions at that time. */
void script_reach(sb_script *script, double time_s);
sb_scene *script_scene(const sb_script *script);   /* NULL during a load */
sb_engine *script_engine(const sb_script *script); /* likewise */
sb_params *script_own_params(sb_script *script);
/* Read a param; while the scene is described, this is remembered. */
double script_read_param(sb_script *script, int index);
/* Set a param to the number at `value`, or raise an error: "<where>: <name>
 * must be ...". From a line of the prompt, a param that the description of the
 * scene depends on also loads the scene again. */
void script_set_param(lua_State *L, int index, const char *where, int value);
timers *script_timers(sb_script *script);
/* What scene.contact has been called for (sb_scene_next_event). */
uint64_t *script_contact_reader(sb_script *script);
bool script_is_late(const sb_script *script); /* in this control step */
void script_report(sb_script *script, const char *message);
/* An error that is parked; `text` is all there is to say. */
void script_report_failure(sb_script *script, const sb_error *err,
                           const char *text);
/* Find file and line in a message of Lua's, if it is one about this scene. */
void script_place_error(const sb_script *script, sb_error *err);
/* The same for a line that the script prints. */
void script_print(sb_script *script, const char *line);
void script_request_reload(const sb_script *script, bool is_reset);
script_output script_read_output(const sb_script *script);

/* Work on a mesh while the scene is described: it ends by itself and does not
 * count as time of the script, but an untrusted scene has 120 s for it and for
 * solving its bodies. begin returns false when they are used up. Nothing may
 * raise between begin and end. */
typedef struct script_work {
    double left_s, began_s;
    bool waits; /* for another process: the clock counts, not the effort */
} script_work;
SB_NODISCARD bool script_begin_work(lua_State *L, bool waits, script_work *out);
void script_end_work(lua_State *L, const script_work *work);
/* During the work: whether it has used up the rest. */
bool script_is_work_late(lua_State *L, const script_work *work);
/* Raise the error for that: "<where>: ...". */
int script_raise_late(lua_State *L, const char *where);

/* Declare a param. Its value is the one it was set to in the previous run, else
 * that of the command line, else the default. */
SB_NODISCARD sb_status script_declare_param(sb_script *script,
                                            const sb_param *param, int *index,
                                            sb_error *err);

#define BODY_TYPE "sandbell.Body"

/* A body as a script holds it. Until the plan is committed, `planned` is its
 * index in the plan; then `id` identifies it. A body that came with `state`
 * from an earlier run is identified by its name until it is used. */
typedef struct script_body {
    sb_body_id id; /* generation 0: use `name`, else `planned` */
    int planned;
    char name[SB_NAME_SIZE]; /* or empty */
} script_body;

/* Push a body by its name; the body need not exist yet. The second function is
 * true if the body at `index` has been removed. */
void script_push_body(lua_State *L, const char *name);
bool script_is_body_gone(lua_State *L, int index);

/* The body's id: stale if it has been removed, null during a load. */
sb_body_id script_body_id(const sb_script *script, const script_body *body);

/* The body's name, or NULL if it has been removed. */
const char *script_body_name(const sb_script *script, const script_body *body);

/* Push the table of the script's globals. */
void script_push_environment(lua_State *L);

/* Push the module that require "sandbell" returns. */
void script_push_module(lua_State *L);

/* Push the script's `scene` table, which holds start, update, ... */
void script_push_scene_table(lua_State *L);

/* Raise an error during a load: strikes and the like need a running scene. */
void script_check_running(lua_State *L, const char *where);
