/* SPDX-License-Identifier: MIT */
/* Opens, advances, renders and closes scenes for programs in C. Thread: as
 * sandbell.h says. */
#include "bindings/library/library_internal.h"

#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/base/field.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/world/foreign_step.h"
#include "runtime/store/model_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DRY_MOST = 256 };

/* --- entering ----------------------------------------------------------------- */

/* A load on this thread shall end: set by `progress`, read by `must_stop`. */
static _Thread_local bool is_unwanted;

library_call library_enter(sandbell_scene *scene) {
    library_call call = {.scene = scene, .locale = sb_locale_enter()};
    (void)fegetenv(&call.floats);
    (void)fesetenv(FE_DFL_ENV);
    is_unwanted = false;
    if (scene) {
        (void)pthread_mutex_lock(&scene->lock);
        scene->depth++;
    }
    return call;
}

sb_status library_check_outside(library_call *call, const char *name) {
    if (call->scene->depth == 1) return SB_OK;
    return sb_fail(&call->why, SB_BAD_ARGUMENT,
                   "%s was called from a callback of the scene, whose work it "
                   "would have to wait for",
                   name);
}

int library_leave(library_call *call, sb_status status, sandbell_error *err) {
    if (status && err) {
        *err =
            (sandbell_error){.status = (int32_t)status, .line = call->why.line};
        (void)snprintf(err->file, sizeof err->file, "%s", call->why.file);
        (void)snprintf(err->text, sizeof err->text, "%s", call->why.message);
    }
    if (call->scene) {
        call->scene->depth--;
        (void)pthread_mutex_unlock(&call->scene->lock);
    }
    (void)fesetenv(&call->floats);
    sb_locale_leave(call->locale);
    return (int)status;
}

double library_time_s(const sandbell_scene *scene, int64_t frame) {
    int64_t least = atomic_load(&scene->next_frame);
    return sb_conductor_time_s(scene->steps.rate_hz,
                               frame > least ? frame : least);
}

/* --- the library ---------------------------------------------------------------- */

uint32_t sandbell_version(void) {
    return SANDBELL_VERSION_NUMBER;
}

const char *sandbell_status_name(int status) {
    return status >= 0 && status < SB_STATUS_COUNT
               ? sb_status_name((sb_status)status)
               : "UNKNOWN";
}

const char *sandbell_licence(void) {
    return "MIT; linked with libraries under MIT, BSD, zlib, Apache and LGPL "
           "terms, none under the GPL";
}

int sandbell_setup(const sandbell_setup_def *given, sandbell_error *err) {
    library_call call = library_enter(NULL);
    sandbell_setup_def def;
    sb_status status =
        library_read(SANDBELL_SETUP_DEF, given, &def, sizeof def, &call.why);
    if (!status && !(def.memory_bytes >= 0.0))
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         "memory_bytes must be 0 or more");
    if (!status) status = sb_self_set(SB_SELF_LIBRARY, def.library, &call.why);
    if (!status)
        status = sb_self_set(SB_SELF_MESH_READER, def.mesh_reader, &call.why);
    if (!status) status = sb_model_cache_set_folder(def.cache, &call.why);
    if (!status) sb_memory_set_limit((size_t)def.memory_bytes);
    return library_leave(&call, status, err);
}

/* --- opening --------------------------------------------------------------------- */

static void report(void *user, const char *line) {
    sandbell_scene *scene = user;
    if (scene->def.log) scene->def.log(scene->def.user, line, false);
}

static void print(void *user, const char *line) {
    sandbell_scene *scene = user;
    if (scene->def.log) scene->def.log(scene->def.user, line, true);
}

static void loaded(void *user, const sb_commit_counts *counts,
                   const sb_error *err) {
    sandbell_scene *scene = user;
    (void)counts;
    scene->loads++;
    scene->loaded = err ? *err : (sb_error){.status = SB_OK};
}

static void progress(void *user, const char *body, const char *stage, int done,
                     int expected) {
    sandbell_scene *scene = user;
    if (scene->def.progress)
        is_unwanted |= scene->def.progress(scene->def.user, body ? body : "",
                                           stage, done, expected);
}

static bool must_stop(void *user) {
    (void)user;
    return is_unwanted;
}

static sb_status check_def(const sandbell_scene_def *def, sb_error *err) {
    bool is_thread = def->control == SANDBELL_CONTROL_THREAD;
    if (def->control != SANDBELL_CONTROL_CALLER && !is_thread)
        return sb_fail(err, SB_BAD_ARGUMENT, "control is %d: no such choice",
                       (int)def->control);
    if (def->lead_frames < 0 || def->lead_frames > 10000000)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "lead_frames must be from 0 to 10,000,000, got %lld",
                       (long long)def->lead_frames);
    if (def->dry_most < 0 || def->dry_most > DRY_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "dry_most must be from 0 to %d, got %d", DRY_MOST,
                       (int)def->dry_most);
    if (def->param_count < 0 || (def->param_count > 0 && !def->params))
        return sb_fail(err, SB_BAD_ARGUMENT, "params are missing");
    if (!(def->memory_bytes >= 0.0))
        return sb_fail(err, SB_BAD_ARGUMENT, "memory_bytes must be 0 or more");
    return SB_OK;
}

/* The host keeps path and settings as long as it lives. */
static sb_status copy_names(sandbell_scene *scene, const char *path,
                            sb_error *err) {
    int count = scene->def.param_count;
    scene->path = path ? sb_copy_text(path) : NULL;
    scene->settings = sb_alloc((size_t)count + 1, sizeof *scene->settings);
    bool is_well = scene->settings && !scene->path == !path;
    for (int i = 0; is_well && i < count; i++) {
        const sandbell_setting *param = &scene->def.params[i];
        scene->settings[i] = (sb_setting){
            sb_copy_text(param->name ? param->name : ""), param->value};
        is_well = scene->settings[i].name != NULL;
    }
    scene->def.params = NULL;
    return is_well ? SB_OK : sb_fail(err, SB_NO_MEMORY, "out of memory");
}

static sb_status open_lock(sandbell_scene *scene, sb_error *err) {
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind))
        return sb_fail(err, SB_NO_MEMORY, "out of memory");
    (void)pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    int failed = pthread_mutex_init(&scene->lock, &kind);
    (void)pthread_mutexattr_destroy(&kind);
    return failed ? sb_fail(err, SB_NO_MEMORY, "out of memory") : SB_OK;
}

static sb_status open_host(sandbell_scene *scene, const char *text,
                           const char *folder, sb_error *err) {
    const sandbell_scene_def *def = &scene->def;
    sb_host_def host = sb_host_def_default();
    host.sample_rate_hz = def->rate_hz;
    host.seed = def->seed;
    host.settings = scene->settings;
    host.setting_count = def->param_count;
    host.watches = def->watches;
    host.parks_errors = def->parks_errors;
    host.is_live = host.puts_off_air = def->is_live;
    host.is_trusted = def->is_trusted;
    host.counts_ticks = !def->measures_time;
    host.memory_bytes = def->memory_bytes;
    host.deform.how = SB_DEFORM_COMPUTE;
    host.text = text;
    host.folder = folder;
    host.report = report;
    host.print = print;
    host.loaded = loaded;
    host.progress = progress;
    host.must_stop = must_stop;
    host.user = scene;
    return sb_host_open(scene->path, &host, &scene->host, err);
}

static sb_status open_steps(sandbell_scene *scene, sb_error *err) {
    sb_engine *engine = sb_host_engine(scene->host);
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = engine;
    def.step = sb_host_step;
    def.user = scene->host;
    def.lead_frames = sb_host_lead(scene->host);
    sb_conductor_init(&scene->steps, &def);
    sb_scene_want_impacts(sb_host_scene(scene->host), true);
    int room = scene->def.dry_most;
    if (room == 0) return SB_OK;
    scene->dry = sb_alloc((size_t)room, sizeof *scene->dry);
    if (!scene->dry) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    return sb_engine_open_bodies(engine, room, err);
}

static void free_scene(sandbell_scene *scene) {
    sb_host_close(scene->host);
    for (int i = 0; scene->settings && i < scene->def.param_count; i++)
        sb_free((void *)(uintptr_t)scene->settings[i].name);
    sb_free_all(scene->settings, scene->path, scene->dry);
    (void)pthread_mutex_destroy(&scene->lock);
    sb_free(scene);
}

static void *run_control(void *user);

/* They are computed step by step, slower than they are heard. */
static sb_status refuse_deformable(const sandbell_scene *scene, sb_error *err) {
    const sb_scene *own = sb_host_scene(scene->host);
    for (int i = 0; i < sb_scene_body_count(own); i++) {
        const sb_planned *body =
            sb_scene_body_planned(own, sb_scene_body_at(own, i));
        if (body->def.is_deformable)
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "body '%s' is deformable: it cannot be computed as "
                           "fast as it is heard, by SANDBELL_CONTROL_THREAD; "
                           "render it with SANDBELL_CONTROL_CALLER",
                           body->name);
    }
    return SB_OK;
}

/* The library's thread takes over what this one has opened. */
static sb_status start_thread(sandbell_scene *scene, sb_error *err) {
    if (scene->def.control != SANDBELL_CONTROL_THREAD) return SB_OK;
    sb_status status = refuse_deformable(scene, err);
    if (status) return status;
    status = sb_conductor_reach(&scene->steps, scene->def.lead_frames, err);
    if (status) return status;
    if (pthread_create(&scene->thread, NULL, run_control, scene))
        return sb_fail(err, SB_NO_MEMORY, "the control thread did not start");
    scene->has_thread = true;
    scene->process = getpid();
    return SB_OK;
}

static sb_status open_all(sandbell_scene *scene, const char *path,
                          const char *text, const char *folder, sb_error *err) {
    sb_status status = check_def(&scene->def, err);
    if (!status && scene->def.control == SANDBELL_CONTROL_THREAD)
        scene->def.parks_errors = true;
    if (!status) status = copy_names(scene, path, err);
    if (!status) status = open_host(scene, text, folder, err);
    if (!status) status = open_steps(scene, err);
    if (!status && scene->def.has_physics)
        status = sb_scene_foreign_begin(sb_host_scene(scene->host), 0.0, err);
    if (!status) status = start_thread(scene, err);
    return status;
}

static int open_scene(const char *path, const char *text, const char *folder,
                      const sandbell_scene_def *given, sandbell_scene **out,
                      sandbell_error *err) {
    library_call call = library_enter(NULL);
    sb_status status = SB_OK;
    sandbell_scene *scene = sb_alloc(1, sizeof *scene);
    if (!scene) status = sb_fail(&call.why, SB_NO_MEMORY, "out of memory");
    if (!status) status = open_lock(scene, &call.why);
    if (status) {
        sb_free(scene);
        return library_leave(&call, status, err);
    }
    status = library_read(SANDBELL_SCENE_DEF, given, &scene->def,
                          sizeof scene->def, &call.why);
    if (status) scene->def.param_count = 0;
    if (!status) status = open_all(scene, path, text, folder, &call.why);
    if (status) {
        free_scene(scene);
    } else {
        *out = scene;
    }
    return library_leave(&call, status, err);
}

int sandbell_scene_open(const char *path, const sandbell_scene_def *def,
                        sandbell_scene **out, sandbell_error *err) {
    return open_scene(path ? path : "", NULL, NULL, def, out, err);
}

int sandbell_scene_open_text(const char *lua, const char *folder,
                             const sandbell_scene_def *def,
                             sandbell_scene **out, sandbell_error *err) {
    return open_scene(NULL, lua ? lua : "", folder, def, out, err);
}

int sandbell_scene_create(const sandbell_scene_def *def, sandbell_scene **out,
                          sandbell_error *err) {
    return open_scene(NULL, NULL, NULL, def, out, err);
}

void sandbell_scene_close(sandbell_scene *scene) {
    if (!scene) return;
    /* A child process has no threads of its parent's, only their locks. */
    if (scene->has_thread && scene->process != getpid()) return;
    sandbell_stop(scene);
    if (scene->has_thread) {
        atomic_store(&scene->is_over, true);
        (void)pthread_join(scene->thread, NULL);
    }
    library_call call = library_enter(NULL);
    free_scene(scene);
    (void)library_leave(&call, SB_OK, NULL);
}

/* --- the clock -------------------------------------------------------------------- */

/* The lock is held. */
static sb_status reach(sandbell_scene *scene, int64_t until, sb_error *err) {
    /* All of the block that holds the last frame. */
    int64_t blocks = (until + SB_BLOCK_FRAMES - 1) / SB_BLOCK_FRAMES;
    sb_status status =
        sb_conductor_reach(&scene->steps, blocks * SB_BLOCK_FRAMES, err);
    atomic_store(&scene->next_frame,
                 scene->steps.step * scene->steps.step_frames);
    library_refresh_dry(scene);
    return status;
}

/* Control steps in real time, and the output if there is one. */
static void *run_control(void *user) {
    sandbell_scene *scene = user;
    while (!atomic_load(&scene->is_over)) {
        library_call call = library_enter(scene);
        int64_t lead = scene->def.lead_frames;
        if (scene->output) {
            int64_t period = sb_output_period_frames(scene->output);
            sb_output_watch(scene->output, sb_clock_ns());
            if (lead < 2 * period + scene->steps.step_frames)
                lead = 2 * period + scene->steps.step_frames;
        }
        int64_t clock = sb_engine_clock(scene->steps.def.engine);
        /* Its errors are logged: parks_errors. */
        if (reach(scene, clock + lead, &call.why))
            report(scene, call.why.message);
        /* Else a load takes place within a step. */
        if (scene->def.is_live || scene->def.watches) sb_host_idle(scene->host);
        (void)library_leave(&call, SB_OK, NULL);
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return NULL;
}

int sandbell_advance(sandbell_scene *scene, int64_t until,
                     sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_status status = library_check_outside(&call, "sandbell_advance");
    if (!status && scene->has_thread) {
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         "the scene has a control thread, which advances it");
    } else if (!status) {
        if (until < 0) until = sandbell_clock(scene) + scene->def.lead_frames;
        status = reach(scene, until, &call.why);
    }
    return library_leave(&call, status, err);
}

int64_t sandbell_clock(const sandbell_scene *scene) {
    return sb_engine_clock(scene->steps.def.engine);
}

int64_t sandbell_horizon(const sandbell_scene *scene) {
    return atomic_load(&scene->next_frame);
}

double sandbell_rate(const sandbell_scene *scene) {
    return scene->steps.rate_hz;
}

int sandbell_latency(const sandbell_scene *scene) {
    return sb_engine_latency(scene->steps.def.engine);
}

bool sandbell_is_busy(sandbell_scene *scene) {
    library_call call = library_enter(scene);
    bool is_busy = sb_host_is_busy(scene->host);
    (void)library_leave(&call, SB_OK, NULL);
    return is_busy;
}

/* RT: frames that nobody has prepared are silent of what was to come. */
void library_count_underrun(sandbell_scene *scene) {
    if (sandbell_clock(scene) > sandbell_horizon(scene))
        (void)atomic_fetch_add(&scene->underruns, 1);
}

void sandbell_render(sandbell_scene *scene, float *stereo, int frames) {
    sb_engine_pull(scene->steps.def.engine, stereo, frames);
    library_count_underrun(scene);
}

void sandbell_report_duration(sandbell_scene *scene, int64_t ns) {
    sb_engine_report_duration(scene->steps.def.engine, ns);
}

/* --- reload ------------------------------------------------------------------------- */

/* The control thread starts the load and ends it, in control steps; wait for
 * that. While nobody renders no step is due: then take one after this many ms. */
enum { PATIENCE = 50 };

static sb_status reload_by_thread(library_call *call, bool is_reset) {
    sandbell_scene *scene = call->scene;
    int before = scene->loads, waited = 0;
    int64_t reached = atomic_load(&scene->next_frame);
    sb_host_request_reload(scene->host, is_reset);
    while (scene->loads == before) {
        scene->depth--;
        (void)pthread_mutex_unlock(&scene->lock);
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
        (void)pthread_mutex_lock(&scene->lock);
        scene->depth++;
        bool has_stepped = atomic_load(&scene->next_frame) != reached;
        waited = has_stepped ? 0 : waited + 1;
        if (waited >= PATIENCE && reach(scene, reached + 1, &call->why))
            report(scene, call->why.message);
        reached = atomic_load(&scene->next_frame);
    }
    call->why = scene->loaded;
    return scene->loaded.status;
}

int sandbell_scene_reload(sandbell_scene *scene, const char *lua, bool is_reset,
                          sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_commit_counts counts;
    sb_status status = library_check_outside(&call, "sandbell_scene_reload");
    if (!status && lua && scene->path)
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         "the scene was opened from a file: it is read again, "
                         "and cannot become a text");
    if (!status && lua) status = sb_host_set_text(scene->host, lua, &call.why);
    if (!status && scene->has_thread) {
        status = reload_by_thread(&call, is_reset);
    } else if (!status) {
        status = sb_host_reload_now(scene->host, is_reset,
                                    library_time_s(scene, SANDBELL_NOW),
                                    &counts, &call.why);
    }
    library_refresh_dry(scene);
    return library_leave(&call, status, err);
}

/* --- on a device ---------------------------------------------------------------------- */

int sandbell_play(sandbell_scene *scene, const sandbell_play_def *given,
                  sandbell_error *err) {
    library_call call = library_enter(scene);
    sandbell_play_def def;
    sb_status status =
        library_read(SANDBELL_PLAY_DEF, given, &def, sizeof def, &call.why);
    if (!status && (!scene->has_thread || scene->output))
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         scene->output ? "the scene plays already"
                                       : "sandbell_play needs a scene with "
                                         "SANDBELL_CONTROL_THREAD");
    sb_output *output = NULL;
    if (!status) {
        sb_output_def own = sb_output_def_default();
        own.engine = scene->steps.def.engine;
        own.backend = def.backend;
        own.device = def.device;
        own.needs_device = def.needs_device;
        own.report = report;
        own.user = scene;
        status = sb_output_open(&own, &output, &call.why);
    }
    if (!status) status = sb_output_start(output, &call.why);
    if (status) {
        sb_output_close(output);
    } else {
        scene->output = output;
        sb_host_set_output(scene->host, output);
    }
    return library_leave(&call, status, err);
}

void sandbell_stop(sandbell_scene *scene) {
    library_call call = library_enter(scene);
    sb_host_set_output(scene->host, NULL);
    sb_output_close(scene->output);
    scene->output = NULL;
    (void)library_leave(&call, SB_OK, NULL);
}
