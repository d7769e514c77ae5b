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
#ifndef SB_BINDINGS_SCRIPT_SCRIPT_H
#define SB_BINDINGS_SCRIPT_SCRIPT_H

#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/script/timers.h"
#include "runtime/base/status.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/param.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/scene.h"

#include <limits.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sb_script sb_script;

/* What a script needs of the API, which is above it: api/open.c has it. */
typedef struct script_api {
    lua_CFunction open;          /* makes the module `sandbell` */
    const bind_field *callbacks; /* of `scene`, with their texts */
    void (*push_body)(lua_State *L, const char *name); /* need not exist yet */
    bool (*is_body_gone)(lua_State *L, int index);
    /* Calls scene.contact for what the world has reported since `reader`. */
    void (*announce_contacts)(lua_State *L, uint64_t *reader);
} script_api;

/* How the audio thread keeps up: for sb.stats() and the meter. */
typedef struct script_output {
    long long missed;         /* deadlines */
    double share;             /* of the audio thread's time, 0 .. 1 */
    sb_output_counts devices; /* lost and found */
} script_output;

/* name=value, from the command line. */
typedef struct sb_setting {
    const char *name;
    double value;
} sb_setting;

typedef struct script_def {
    const script_api *api; /* not copied */
    const char *path;      /* of the scene; copied */
    const char *folder;    /* where it may require from; copied */
    bool is_empty;         /* there is no file: `path` is only a name */
    uint64_t seed;
    bool is_live;               /* someone listens: see guard.h */
    bool is_trusted;            /* no limits: see sandbox.h */
    double load_share;          /* see host.h */
    const sb_setting *settings; /* copied, names included */
    int setting_count;
    const sb_params *params; /* values to go on with, or NULL */
    bool (*must_stop)(void *user);
    /* How far the solving of a body is, or NULL. */
    void (*progress)(void *user, const char *body, const char *stage, int done,
                     int expected);
    void (*report)(void *user, const char *message);
    /* For sb.reload, sb.reset and sb.stats of a script that runs. */
    void (*request_reload)(void *user, bool is_reset);
    script_output (*read_output)(void *user);
    void *user;
} script_def;

/* An empty state with its environment; nothing has run. */
SB_NODISCARD sb_status script_create(const script_def *def, sb_script **out,
                                     sb_error *err);
void script_destroy(sb_script *script); /* NULL is allowed */

/* Run it from the top and solve its plan. `packed_state` (may be NULL) is what
 * `state` starts with; `running` (may be NULL) is the scene that runs.
 * BAD_FORMAT: an error in the script, the message names file and line;
 * BAD_ARGUMENT: a setting that the script has no param for. */
SB_NODISCARD sb_status script_load(sb_script *script, const char *packed_state,
                                   size_t packed_bytes, const sb_plan *running,
                                   sb_error *err);

/* Who is asked and told from now on: a load on a thread of its own knows
 * nobody that could be gone before it. */
void script_adopt(sb_script *script, const script_def *def);

/* A load has failed: give its state back now, on this thread. */
void script_close_state(sb_script *script);

/* The plan, until script_begin; then NULL. */
sb_plan *script_plan(const sb_script *script);

/* The plan has been committed to `scene`: its i-th body is ids[i], which the
 * script takes over. From `time_s` on it runs: its timers count from there. */
void script_begin(sb_script *script, sb_scene *scene, sb_engine *engine,
                  sb_body_id *ids, int count, double time_s);

/* What the script printed while it was loaded is kept until now. */
void script_flush_reports(sb_script *script);

/* Files the load has read or tried to read, the scene itself first. */
int script_file_count(const sb_script *script);
const char *script_file(const sb_script *script, int i);
SB_NODISCARD sb_status script_add_file(sb_script *script, const char *path);

/* Where the file is that the script calls `name`: in the scene's folder, or in
 * models or textures of the library. A trusted script may name any. It is
 * watched from then on, whether it is there or not. */
bool script_find_asset(sb_script *script, const char *name,
                       char resolved[PATH_MAX]);

/* The same for a picture of weights: when only such change, the script need not
 * run again. */
bool script_find_texture(sb_script *script, const char *name,
                         char resolved[PATH_MAX]);
bool script_is_only_texture(const sb_script *script, const char *path);

/* The same for a script that names it, with a reason why not. */
SB_NODISCARD sb_status script_asset(lua_State *L, const char *name,
                                    char resolved[PATH_MAX], sb_error *err);
/* A sentence that begins with the resolved path, told with the name that was
 * asked for; returns `status`. */
sb_status script_retell(const char *path, const char *name, sb_status status,
                        const sb_error *reason, sb_error *err);

/* The last misfortune of a loader that gave the script nil, or "". */
void script_set_misfortune(sb_script *script, const char *message);
const char *script_misfortune(const sb_script *script);

/* The same of a texture, which a body may do without: sb.body asks whether that
 * is meant. "" when none is missing. */
void script_set_unpainted(sb_script *script, const char *message);
const char *script_unpainted(const sb_script *script);
/* While it is loaded, what runs; or NULL. */
const sb_plan *script_running(const sb_script *script);
/* So many more are read; returns how many it is in all. */
long long script_count_texels(sb_script *script, long long texels);

/* Are its bodies being computed, which may take long? From any thread. */
bool script_is_solving(const sb_script *script);

/* Call scene.<name>(argument) if it is there; false, with a message, when it
 * failed. */
typedef enum script_callback {
    SCRIPT_START,
    SCRIPT_RELOAD,
    SCRIPT_UPDATE,
    SCRIPT_CALLBACK_COUNT
} script_callback;

/* One control step. Callbacks asked for with script_call_first come before
 * update. Errors end the step with BAD_FORMAT, unless they are parked: then
 * they are reported, what failed is not called again, and the rest goes on. */
SB_NODISCARD sb_status script_step(sb_script *script, double from_s,
                                   double to_s, bool parks_errors,
                                   sb_error *err);
void script_call_first(sb_script *script, script_callback which);
bool script_is_busy(const sb_script *script); /* something is going to happen */
bool script_has_started(const sb_script *script); /* scene.start is past */
int script_error_count(const sb_script *script);  /* parked */

/* Run `text` as a chunk in the script's environment, where `sb` is there
 * without being asked for and bodies answer to their names: an expression's
 * values, or what a statement returns, as text in *result (sb_free it; NULL for
 * none). It may sleep: then it goes on by itself, like sb.go, and gives
 * nothing. BAD_FORMAT with the message; *is_incomplete when more lines would
 * help. */
SB_NODISCARD sb_status script_evaluate(sb_script *script, const char *text,
                                       char **result, bool *is_incomplete,
                                       sb_error *err); /* evaluate.c */

/* `state` as bytes (sb_free them), and the bytes of `after` put into this
 * script's `state` where they differ from `before`. */
SB_NODISCARD sb_status script_pack_state(sb_script *script, char **bytes,
                                         size_t *count, sb_error *err);
SB_NODISCARD sb_status script_merge_state(sb_script *script, const char *before,
                                          size_t before_count,
                                          const char *after, size_t after_count,
                                          sb_error *err);

const sb_params *script_params(const sb_script *script);
size_t script_bytes(const sb_script *script); /* held by Lua */
lua_State *script_state(const sb_script *script);

/* --- for the other binding files ------------------------------------------ */

sb_script *script_of(lua_State *L);
double script_now(const sb_script *script); /* scene time of what runs, s */
void script_set_now(sb_script *script, double now_s);
/* The same, within a control step, with the world taken along: what a timer
 * lets go is let go at that time, and it finds everything where it is by then.
 */
void script_reach(sb_script *script, double time_s);
sb_scene *script_scene(const sb_script *script);   /* NULL while it is loaded */
sb_engine *script_engine(const sb_script *script); /* likewise */
sb_params *script_own_params(sb_script *script);
timers *script_timers(sb_script *script);
bool script_is_late(const sb_script *script); /* this control step is */
void script_report(sb_script *script, const char *message);
void script_request_reload(const sb_script *script, bool is_reset);
script_output script_read_output(const sb_script *script);

/* Declare, and give it the value it had, or the command line's. */
SB_NODISCARD sb_status script_declare_param(sb_script *script,
                                            const sb_param *param, int *index,
                                            sb_error *err);

#define BODY_TYPE "sandbell.Body"

/* A body as a script holds it: known by its place in the plan until the plan
 * is committed, and by its id from then on. One that came with `state` from an
 * earlier run is known by its name until it is used. */
typedef struct script_body {
    sb_body_id id; /* generation 0: see `name`, then `planned` */
    int planned;
    char name[SB_NAME_SIZE]; /* or empty */
} script_body;

/* Push a body by its name, which need not exist yet; has the body at `index`
 * been removed? */
void script_push_body(lua_State *L, const char *name);
bool script_is_body_gone(lua_State *L, int index);

/* The id behind it; stale, or null while the scene is being described. */
sb_body_id script_body_id(const sb_script *script, const script_body *body);

/* Its name, or NULL when it has been removed. */
const char *script_body_name(const sb_script *script, const script_body *body);

/* Call a C function inside Lua, in protected mode, with `argument` as a light
 * userdata. */
SB_NODISCARD sb_status script_protect(sb_script *script, guard_budget budget,
                                      lua_CFunction function, void *argument,
                                      sb_error *err);

/* Push the table of the script's globals. */
void script_push_environment(lua_State *L);

/* Push what require "sandbell" gives. */
void script_push_module(lua_State *L);

/* Push the script's own `scene` table, where start, update, ... are. */
void script_push_scene_table(lua_State *L);

/* Raise unless the scene runs: strikes and the like make no sense while it is
 * being described. */
void script_check_running(lua_State *L, const char *where);

#endif
