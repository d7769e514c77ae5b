/* SPDX-License-Identifier: MIT */
#include "bindings/script/loader.h"

#include "bindings/script/script_internal.h"
#include "runtime/base/clock.h"
#include "runtime/base/locale.h"
#include "runtime/base/memory.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/store/model_maker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef enum loader_phase {
    LOADER_RUNNING,
    LOADER_DONE,
    LOADER_ABANDONED /* the thread that finishes last frees everything */
} loader_phase;

struct sb_loader {
    loaded_script loaded;
    pthread_t thread;
    atomic_int phase;
    double started_s;
    bool is_reset;
    pthread_mutex_t lock; /* of what follows; neither side is the audio's */
    loader_progress progress;
    bool has_progress;
    double next_s; /* when the present body was begun; 0: none yet */
};

/* A body that takes longer is being solved. */
#define LONG_S 0.03

/* --- one load ------------------------------------------------------------- */

static sb_status copy_params(sb_params *to, const sb_params *from,
                             sb_error *err) {
    for (int i = 0; i < from->count; i++) {
        int index;
        sb_status status = sb_params_declare(to, &from->items[i], &index, err);
        if (!status)
            status = sb_params_set(to, index, from->items[i].value, err);
        if (status) return status;
    }
    return SB_OK;
}

sb_status loader_prepare(loaded_script *loaded, const script_def *def,
                         sb_script *running, const sb_scene *scene,
                         bool is_reset, sb_error *err) {
    memset(loaded, 0, sizeof *loaded);
    sb_status status = sb_scene_snapshot(scene, &loaded->running, err);
    if (!status)
        status = copy_params(&loaded->params, script_params(running), err);
    if (!status && !is_reset) {
        status = script_pack_state(running, &loaded->state,
                                   &loaded->state_bytes, &loaded->state_err);
        /* A state that cannot be packed must not prevent a reload. */
        loaded->is_state_lost = status && status != SB_INTERRUPTED;
        if (loaded->is_state_lost) status = SB_OK;
        if (status && err) *err = loaded->state_err;
    }
    if (!status) {
        script_def own = *def;
        /* The command line sets the params of the first load; later loads
         * continue with the current values. */
        own.params = &loaded->params;
        status = script_create(&own, &loaded->script, err);
    }
    return status;
}

void loader_run(loaded_script *loaded) {
    loaded->status =
        script_load(loaded->script, loaded->state, loaded->state_bytes,
                    loaded->running, &loaded->err);
}

void loader_clear(loaded_script *loaded) {
    script_destroy(loaded->script);
    sb_plan_destroy(loaded->running);
    sb_params_free(&loaded->params);
    sb_free(loaded->state);
    memset(loaded, 0, sizeof *loaded);
}

/* Params that were set while the new script was loaded: it does not know them
 * yet. If its description depends on one, it is loaded once more. */
static void merge_params(const loaded_script *loaded,
                         const sb_script *running) {
    const sb_params *before = &loaded->params, *now = script_params(running);
    sb_params *own = script_own_params(loaded->script);
    for (int i = 0; i < now->count; i++) {
        const sb_param *param = &now->items[i];
        int was = sb_params_find(before, param->name);
        int index = sb_params_find(own, param->name);
        if (was < 0 || index < 0 || before->items[was].value == param->value)
            continue;
        /* Out of the new range: the new value stays. */
        if (sb_params_set(own, index, param->value, NULL)) continue;
        if (own->items[index].is_described)
            script_request_reload(loaded->script, false);
    }
}

sb_status loader_merge_state(const loaded_script *loaded, sb_script *running,
                             sb_error *err) {
    char *now;
    size_t now_bytes;
    merge_params(loaded, running);
    if (loaded->is_state_lost) {
        if (err) *err = loaded->state_err;
        return loaded->state_err.status;
    }
    sb_status status = script_pack_state(running, &now, &now_bytes, err);
    if (status) return status;
    bool is_same =
        now_bytes == loaded->state_bytes &&
        (now_bytes == 0 || memcmp(now, loaded->state, now_bytes) == 0);
    if (!is_same) {
        status = script_merge_state(loaded->script, loaded->state,
                                    loaded->state_bytes, now, now_bytes, err);
    }
    sb_free(now);
    return status;
}

/* --- on a thread ---------------------------------------------------------- */

/* Loads that were abandoned and whose threads still run. */
static atomic_int left_count;

int loader_left_count(void) {
    return atomic_load(&left_count) + sb_make_jobs_left();
}

static void loader_free(sb_loader *loader) {
    loader_clear(&loader->loaded);
    (void)pthread_mutex_destroy(&loader->lock);
    sb_free(loader);
}

/* must_stop of a script during its load. */
static bool is_abandoned(void *user) {
    const sb_loader *loader = user;
    return atomic_load(&loader->phase) == LOADER_ABANDONED;
}

/* progress of a script during its load. */
static void note_progress(void *user, const char *body, const char *stage,
                          int done, int expected) {
    sb_loader *loader = user;
    bool is_next = strcmp(stage, SB_STAGE_NEXT) == 0;
    if (strcmp(stage, "cached") == 0) return;
    (void)pthread_mutex_lock(&loader->lock);
    loader_progress *to = &loader->progress;
    if (is_next) loader->next_s = sb_clock_s();
    (void)snprintf(to->body, sizeof to->body, "%s", body ? body : "");
    (void)snprintf(to->stage, sizeof to->stage, "%s",
                   is_next ? "modes" : stage);
    to->done = done;
    to->expected = expected;
    loader->has_progress = !is_next;
    (void)pthread_mutex_unlock(&loader->lock);
}

bool loader_read_progress(sb_loader *loader, loader_progress *out) {
    (void)pthread_mutex_lock(&loader->lock);
    /* A closed form reports nothing while it is computed. */
    bool is_long =
        loader->next_s > 0.0 && sb_clock_s() - loader->next_s > LONG_S;
    bool has_any =
        loader->has_progress || (is_long && loader_is_solving(loader));
    *out = loader->progress;
    (void)pthread_mutex_unlock(&loader->lock);
    return has_any;
}

static void *run_thread(void *argument) {
    sb_loader *loader = argument;
    (void)sb_locale_enter();
    loader_run(&loader->loaded);
    /* Closing a large state takes too long for the control thread. */
    if (loader->loaded.status) script_close_state(loader->loaded.script);
    int before = atomic_exchange(&loader->phase, LOADER_DONE);
    if (before == LOADER_ABANDONED) {
        loader_free(loader);
        (void)atomic_fetch_sub(&left_count, 1);
    }
    return NULL;
}

sb_status loader_start(sb_loader **out, const script_def *def,
                       sb_script *running, const sb_scene *scene, bool is_reset,
                       sb_error *err) {
    sb_loader *loader = sb_alloc(1, sizeof *loader);
    if (!loader) return sb_no_memory(err, "%s", def->path);
    (void)pthread_mutex_init(&loader->lock, NULL);
    loader->is_reset = is_reset;
    loader->started_s = sb_clock_s();
    script_def own = *def;
    own.must_stop = is_abandoned;
    own.user = loader;
    own.report = own.print = NULL; /* lines are stored until the load ends */
    own.progress = note_progress;
    sb_status status =
        loader_prepare(&loader->loaded, &own, running, scene, is_reset, err);
    if (!status &&
        pthread_create(&loader->thread, NULL, run_thread, loader) != 0) {
        status = sb_fail(err, SB_NO_MEMORY, "%s: no thread to load it with",
                         def->path);
    }
    if (status) {
        loader_free(loader);
        return status;
    }
    *out = loader;
    return SB_OK;
}

bool loader_is_done(const sb_loader *loader) {
    return atomic_load(&loader->phase) == LOADER_DONE;
}

bool loader_is_solving(const sb_loader *loader) {
    return atomic_load(&loader->loaded.script->is_solving);
}

bool loader_is_late(const sb_loader *loader) {
    return watchdog_overdue_s(&loader->loaded.script->guard.watch) >
           LOADER_OVERDUE_S * guard_time_scale();
}

bool loader_is_reset(const sb_loader *loader) {
    return loader->is_reset;
}

double loader_collect(sb_loader *loader, loaded_script *out) {
    (void)pthread_join(loader->thread, NULL);
    double took_ms = (sb_clock_s() - loader->started_s) * 1e3;
    *out = loader->loaded;
    (void)pthread_mutex_destroy(&loader->lock);
    sb_free(loader);
    return took_ms;
}

void loader_abandon(sb_loader *loader) {
    if (!loader) return;
    (void)pthread_detach(loader->thread);
    (void)atomic_fetch_add(&left_count, 1);
    int before = atomic_exchange(&loader->phase, LOADER_ABANDONED);
    if (before != LOADER_DONE) return;
    loader_free(loader);
    (void)atomic_fetch_sub(&left_count, 1);
}

/* A smaller state closes in less than a millisecond: no thread needed. */
#define LARGE_BYTES ((size_t)4 << 20)

static void *close_script(void *argument) {
    (void)sb_locale_enter();
    script_destroy(argument);
    return NULL;
}

void loader_retire(sb_script *script) {
    pthread_t thread;
    if (script && script_bytes(script) > LARGE_BYTES &&
        pthread_create(&thread, NULL, close_script, script) == 0) {
        (void)pthread_detach(thread);
        return;
    }
    script_destroy(script);
}
