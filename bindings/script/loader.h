/* bindings/script/loader.h -- loads a script beside the running one.
 *
 *     prepare (control): what the new script starts from: `state`, models of
 *                        the running scene, the values of the params
 *     run     (worker):  run the script from the top, solve its models
 *     collect (control): the script, or the error
 *
 * The threads share only the models, which are immutable. A load that does not
 * end in time is abandoned: it is told to stop, refers to nothing outside
 * itself, and frees everything when it ends. The host does not wait for that.
 *
 * Thread: control, except loader_run.
 */
#ifndef SB_BINDINGS_SCRIPT_LOADER_H
#define SB_BINDINGS_SCRIPT_LOADER_H

#include "bindings/script/script.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/scene.h"

#include <stdbool.h>

/* A script has its own budget for loading, and its bodies are solved after it;
 * this is for all of it, by the clock on the wall. */
#define LOADER_PATIENCE_S 2.5

typedef struct loaded_script {
    sb_script *script; /* NULL once taken over */
    sb_plan *running;  /* what runs, as it was when the load began */
    sb_params params;  /* values to go on with */
    char *state;       /* packed, or NULL for a reset */
    size_t state_bytes;
    bool is_state_lost; /* it could not be packed; `state_err` says why */
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

/* What the running script has done to its `state` since the load began is done
 * to the new one's. */
SB_NODISCARD sb_status loader_merge_state(const loaded_script *loaded,
                                          sb_script *running, sb_error *err);

typedef struct sb_loader sb_loader;

/* The same on a thread of its own. */
SB_NODISCARD sb_status loader_start(sb_loader **out, const script_def *def,
                                    sb_script *running, const sb_scene *scene,
                                    bool is_reset, sb_error *err);
bool loader_is_done(const sb_loader *loader);
/* Past the script itself: its bodies are being computed. */
bool loader_is_solving(const sb_loader *loader);
bool loader_is_late(const sb_loader *loader);
bool loader_is_reset(const sb_loader *loader);

/* When done: the result is the caller's, the loader is gone. Returns the
 * milliseconds it took. */
double loader_collect(sb_loader *loader, loaded_script *out);
void loader_abandon(sb_loader *loader); /* NULL is allowed */

/* The script that ran until now has done its work. Closing a state of many
 * megabytes takes longer than a control step has: that is done aside. */
void loader_retire(sb_script *script); /* NULL is allowed */

#endif
