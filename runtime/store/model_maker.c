/* SPDX-License-Identifier: MIT */
#include "runtime/store/model_maker.h"

#include "runtime/base/clock.h"
#include "runtime/base/locale.h"
#include "runtime/base/memo.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/profile.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solution.h"
#include "runtime/model/solve/solve.h"
#include "runtime/store/model_file.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* --- the thread ----------------------------------------------------------- */

/* A phase of a solve may take seconds in which it reports nothing: filling a
 * mesh, ordering, a dense eigenproblem. The work runs on a thread of its own
 * with copies of what it needs. The calling thread waits, calls the progress
 * callback at least ten times a second, and leaves when it returns false: then
 * the thread ends at its next question (stop.h) and frees what it has made. */

enum { STAGE_SIZE = 32, WAIT_MS = 100, GRACE_WAITS = 3 };

typedef struct job {
    sb_maker maker; /* its callback is `report` */
    sb_shape shape;
    sb_material material;
    sb_model_limits limits;
    bool has_material, has_limits;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool is_unwanted; /* as is_left, for what reports nothing */
    /* --- under the lock --- */
    char stage[STAGE_SIZE];
    int done, expected;
    bool has_report; /* not taken yet */
    bool is_left;    /* the work is not wanted any more */
    bool is_orphan;  /* the thread frees the job */
    bool is_over;
    sb_effort_ns *helped; /* of the thread; NULL before and after it works */
    int64_t effort_ns;    /* of all its work, once it is over */
    double put_off_s;
    sb_model *model;
    sb_status status;
    sb_error err;
} job;

static void free_job(job *self) {
    sb_model_release(self->model);
    sb_solution_release(self->maker.known);
    sb_shape_release(&self->shape);
    (void)pthread_cond_destroy(&self->changed);
    (void)pthread_mutex_destroy(&self->lock);
    sb_free(self);
}

/* Jobs that were left and whose threads still run. */
static atomic_int left_count;

int sb_make_jobs_left(void) {
    return atomic_load(&left_count);
}

/* On the thread: hands a report over and waits until it is taken. */
static bool report(void *context, const char *stage, int done, int expected) {
    job *self = context;
    (void)pthread_mutex_lock(&self->lock);
    (void)snprintf(self->stage, sizeof self->stage, "%s", stage);
    self->done = done;
    self->expected = expected;
    self->has_report = true;
    (void)pthread_cond_broadcast(&self->changed);
    while (self->has_report && !self->is_left) {
        (void)pthread_cond_wait(&self->changed, &self->lock);
    }
    bool goes_on = !self->is_left;
    (void)pthread_mutex_unlock(&self->lock);
    return goes_on;
}

static sb_status make_any(const sb_maker *maker, const sb_shape *shape,
                          const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err);

static void *run(void *argument) {
    job *self = argument;
    sb_model *model = NULL;
    sb_error err = {0};
    sb_stop_watch(&self->is_unwanted);
    (void)sb_locale_enter();
    (void)pthread_mutex_lock(&self->lock);
    self->helped = sb_effort_helped();
    (void)pthread_mutex_unlock(&self->lock);
    sb_status status = make_any(
        &self->maker, &self->shape, self->has_material ? &self->material : NULL,
        self->has_limits ? &self->limits : NULL, &model, &err);
    sb_stop_watch(NULL);
    (void)pthread_mutex_lock(&self->lock);
    self->model = status ? NULL : model;
    self->status = status;
    self->err = err;
    self->is_over = true;
    self->helped = NULL;
    self->effort_ns = (int64_t)(1e9 * sb_effort_s());
    bool is_orphan = self->is_orphan;
    (void)pthread_cond_broadcast(&self->changed);
    (void)pthread_mutex_unlock(&self->lock);
    if (is_orphan) {
        free_job(self);
        (void)atomic_fetch_sub(&left_count, 1);
    }
    return NULL;
}

static job *new_job(const sb_maker *maker, const sb_shape *shape,
                    const sb_material *material,
                    const sb_model_limits *limits) {
    job *self = sb_alloc(1, sizeof *self);
    if (!self) return NULL;
    self->maker = *maker;
    self->maker.progress = report;
    self->maker.context = self;
    if (maker->put_off_s) self->maker.put_off_s = &self->put_off_s;
    if (maker->known) (void)sb_solution_retain(maker->known);
    self->shape = *shape;
    sb_shape_retain(shape);
    self->has_material = material != NULL;
    if (material) self->material = *material;
    self->has_limits = limits != NULL;
    if (limits) self->limits = *limits;
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    return self;
}

/* Waits for a change, or a tenth of a second. Called under the lock. */
static void wait_a_little(job *self) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&self->changed, &self->lock, &until);
}

/* Whether a stage takes time, and may be reported again while it lasts. */
static bool lasts(const char *stage) {
    static const char *const lasting[] = {
        "mesh",          "thinning", "assembly", "ordering",
        "factorisation", "modes",    "radiation"};
    for (size_t i = 0; i < sizeof lasting / sizeof lasting[0]; i++) {
        if (strcmp(stage, lasting[i]) == 0) return true;
    }
    return false;
}

/* Add what the job has done since the last call, `*counted` so far, to the
 * effort of the calling thread. Called under the lock. */
static void count_effort(const job *self, pthread_t thread, int64_t *counted) {
    int64_t now = self->effort_ns;
    if (self->helped) now = sb_effort_of_ns(thread, self->helped);
    if (now <= *counted) return;
    sb_effort_add_ns(now - *counted);
    *counted = now;
}

/* On the calling thread: passes reports on until the work is over, or the
 * callback ends it: then false. Without news the last report is repeated. */
static bool attend(job *self, pthread_t thread, const sb_maker *maker) {
    /* A closed form reports nothing: it has modes only. */
    char stage[STAGE_SIZE] = "modes", lasting_stage[STAGE_SIZE] = "modes";
    int done = 0, expected = 0;
    int64_t counted = 0;
    for (;;) {
        (void)pthread_mutex_lock(&self->lock);
        if (!self->is_over && !self->has_report) wait_a_little(self);
        bool is_over = self->is_over && !self->has_report;
        bool has_report = self->has_report;
        if (has_report) {
            memcpy(stage, self->stage, sizeof stage);
            done = self->done;
            expected = self->expected;
        }
        count_effort(self, thread, &counted);
        (void)pthread_mutex_unlock(&self->lock);
        if (is_over) return true;
        bool goes_on = maker->progress(maker->context, stage, done, expected);
        if (!lasts(stage)) {
            (void)snprintf(stage, sizeof stage, "%s", lasting_stage);
            done = expected = 0;
        } else if (has_report) {
            memcpy(lasting_stage, stage, sizeof stage);
        }
        (void)pthread_mutex_lock(&self->lock);
        self->is_left = !goes_on;
        atomic_store(&self->is_unwanted, !goes_on);
        if (has_report) self->has_report = false;
        (void)pthread_cond_broadcast(&self->changed);
        (void)pthread_mutex_unlock(&self->lock);
        if (!goes_on) return false;
    }
}

/* Gives the thread a moment to end; true when it goes on and frees the job. */
static bool leave(job *self) {
    (void)pthread_mutex_lock(&self->lock);
    for (int i = 0; i < GRACE_WAITS && !self->is_over; i++)
        wait_a_little(self);
    self->is_orphan = !self->is_over;
    bool is_orphan = self->is_orphan;
    if (is_orphan) (void)atomic_fetch_add(&left_count, 1);
    (void)pthread_mutex_unlock(&self->lock);
    return is_orphan;
}

static sb_status collect(job *self, const sb_maker *maker, sb_model **out,
                         sb_error *err) {
    sb_status status = self->status;
    if (maker->put_off_s) *maker->put_off_s += self->put_off_s;
    if (!status) *out = self->model;
    if (status && err) *err = self->err;
    self->model = NULL;
    free_job(self);
    return status;
}

/* INTERRUPTED when the maker's progress callback returns false. Without a
 * callback, or when no thread can be started, the work is done here. */
static sb_status make_job(const sb_maker *maker, const sb_shape *shape,
                          const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err) {
    pthread_t thread;
    job *self =
        maker->progress ? new_job(maker, shape, material, limits) : NULL;
    if (self && pthread_create(&thread, NULL, run, self)) {
        free_job(self);
        self = NULL;
    }
    if (!self) return make_any(maker, shape, material, limits, out, err);
    bool is_done = attend(self, thread, maker);
    if (!is_done && leave(self)) {
        (void)pthread_detach(thread);
        return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
    }
    (void)pthread_join(thread, NULL);
    if (is_done) return collect(self, maker, out, err);
    free_job(self);
    return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
}

/* --- what is heard -------------------------------------------------------- */

static bool find_heard(void *context, const char *key, char **bytes,
                       size_t *count) {
    const sb_maker *maker = context;
    return sb_model_cache_find_heard(&maker->cache, key, bytes, count);
}

static void keep_heard(void *context, const char *key, const char *bytes,
                       size_t count) {
    const sb_maker *maker = context;
    (void)sb_model_cache_store_heard(&maker->cache, key, bytes, count);
}

static bool has_time(void *context, double seconds) {
    const sb_maker *maker = context;
    if (maker->put_off_s) *maker->put_off_s += seconds;
    return !maker->put_off_s;
}

static sb_memo memo_of(const sb_maker *maker) {
    return (sb_memo){(void *)maker, find_heard, keep_heard, has_time};
}

sb_status sb_maker_rescale(const sb_maker *maker, sb_model *model,
                           const sb_shape *shape, const sb_material *material,
                           sb_model **out, sb_error *err) {
    sb_maker usual;
    if (!maker) {
        usual = sb_maker_default();
        maker = &usual;
    }
    sb_memo memo = memo_of(maker);
    sb_memo_use(&memo);
    sb_status status = sb_model_rescale(model, shape, material, out, err);
    sb_memo_use(NULL);
    return status;
}

/* --- models --------------------------------------------------------------- */

/* To be increased with every change of a solve's results. */
enum { SOLVER_VERSION = 10 };

sb_maker sb_maker_default(void) {
    return (sb_maker){.cache = sb_model_cache_default()};
}

/* The part of the cache key that comes from the shape besides its mesh. */
typedef struct form_key {
    double lengths[SB_SHAPE_SIZE_COUNT];
    /* What was wanted: a solve for more modes finds the same ones with other
     * rounding errors, and perhaps with smaller elements. */
    double max_lambda;
    double memory_bytes; /* may limit how small elements are */
    int max_modes;
    sb_vec3 low, high;
    int kind, support, elements, is_for_deform, where, how;
    char listed[SB_DIGEST_TEXT_SIZE];  /* digest of the individually clamped
                                        * nodes */
    char profile[SB_DIGEST_TEXT_SIZE]; /* digest of its points */
} form_key;

static form_key form_of(const sb_shape *shape, double max_lambda,
                        int max_modes) {
    form_key form;
    memset(&form, 0, sizeof form); /* its padding is part of the key */
    form.max_lambda = max_lambda;
    form.max_modes = max_modes;
    sb_shape_sizes(shape, form.lengths);
    form.kind = (int)shape->kind;
    form.support = (int)shape->support;
    form.elements = shape->elements;
    form.is_for_deform = shape->is_for_deform;
    form.where = (int)shape->hold.where;
    form.how = (int)shape->hold.how;
    if (shape->hold.where == SB_HOLD_IN_BOX) {
        form.low = shape->hold.low;
        form.high = shape->hold.high;
    }
    int count;
    const sb_hold *holds =
        shape->mesh ? sb_mesh_source_holds(shape->mesh, &count) : NULL;
    if (holds) {
        sb_digest_bytes(holds, (size_t)count * sizeof *holds, form.listed);
    }
    if (shape->profile) {
        size_t points = (size_t)sb_profile_count(shape->profile);
        sb_digest_bytes(sb_profile_points(shape->profile),
                        points * sizeof(sb_profile_point), form.profile);
    }
    return form;
}

static void key_of(const sb_maker *maker, const sb_shape *shape,
                   const sb_material *material, double max_hz,
                   char key[SB_DIGEST_TEXT_SIZE]) {
    static const sb_mesh no_mesh = {0};
    form_key form = form_of(shape, sb_solution_lambda(material, max_hz),
                            sb_solved_mode_limit(shape));
    form.memory_bytes = maker->memory_bytes;
    sb_problem problem = {
        .mesh = shape->mesh ? sb_mesh_source_mesh(shape->mesh) : &no_mesh,
        .method = shape->method,
        .poisson_ratio = material->poisson_ratio,
        .thickness_m = shape->thickness,
        .held = &form,
        .held_bytes = sizeof form,
        .solver_version = SOLVER_VERSION,
    };
    sb_problem_key(&problem, key);
}

/* Find a solution in the cache or solve. `file` receives it. */
static sb_status provide(const sb_maker *maker, const sb_shape *shape,
                         const sb_material *material,
                         const sb_finish_def *finish, sb_model_file *file,
                         bool *is_new, sb_error *err) {
    char key[SB_DIGEST_TEXT_SIZE];
    key_of(maker, shape, material, finish->max_hz, key);
    memset(file, 0, sizeof *file);
    *is_new = false;
    if (shape->mesh && sb_mesh_source_solution(shape->mesh)) {
        file->solution =
            sb_solution_retain(sb_mesh_source_solution(shape->mesh));
        return SB_OK;
    }
    if (maker->known) {
        file->solution = sb_solution_retain(maker->known);
        memcpy(file->key, key, sizeof key);
        return SB_OK;
    }
    if (sb_model_cache_find(&maker->cache, key, 0.0, file)) {
        if (maker->progress) {
            (void)maker->progress(maker->context, "cached",
                                  file->solution->mode_count,
                                  file->solution->mode_count);
        }
        return SB_OK;
    }
    sb_status status =
        sb_solve_for(shape, material, maker->progress, maker->context,
                     maker->memory_bytes, &file->solution, err);
    if (status) return status;
    *is_new = !file->solution->is_coarse;
    memcpy(file->key, key, sizeof key);
    return SB_OK;
}

/* Also the result that there are no audible modes. What was put off is finished
 * another time. */
static void store(const sb_maker *maker, const sb_model_file *file,
                  bool is_new) {
    sb_model_file kept = *file;
    if (file->finished.radiation != file->finish.radiation)
        kept.has_finished = false;
    if (is_new ||
        (kept.has_finished && *file->key && !file->solution->is_coarse))
        (void)sb_model_cache_store(&maker->cache, &kept);
}

static sb_status make_computed(const sb_maker *maker, const sb_shape *shape,
                               const sb_material *material, sb_model **out,
                               sb_error *err) {
    sb_finish_def finish = sb_solved_finish_def(shape);
    sb_model_file file;
    bool is_new;
    sb_status status =
        provide(maker, shape, material, &finish, &file, &is_new, err);
    if (status) return status;
    if (!sb_model_file_is_finished_for(&file, material, &finish)) {
        if (file.has_finished) sb_finished_free(&file.finished);
        file.has_finished = false;
        if (maker->progress &&
            (is_new || finish.radiation == SB_RADIATES_EXACT) &&
            !maker->progress(maker->context, "radiation", 0, 0)) {
            sb_model_file_free(&file);
            return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
        }
        status = sb_solution_finish(file.solution, material, &finish,
                                    &file.finished, err);
        file.has_finished = file.has_material = !status;
        file.material = *material;
        file.finish = finish;
        if (!status || status == SB_NO_MODES) store(maker, &file, is_new);
    }
    if (!status) {
        status = sb_model_from_solution(shape, material, file.solution,
                                        &file.finished, out, err);
        file.has_finished = false; /* the model owns it now */
    }
    sb_model_file_free(&file);
    return status;
}

static sb_status make_here(const sb_maker *maker, const sb_shape *shape,
                           const sb_material *material,
                           const sb_model_limits *limits, sb_model **out,
                           sb_error *err) {
    sb_shape grained;
    if (sb_shape_needs_form(shape, material, &grained)) shape = &grained;
    if (!sb_shape_is_computed(shape) || sb_solid_is_silent(shape, material)) {
        /* What may take time of a closed form. */
        bool may_last = shape->radiation == SB_RADIATES_EXACT &&
                        !maker->put_off_s && maker->progress;
        if (may_last && !maker->progress(maker->context, "radiation", 0, 0))
            return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
        return sb_model_create(shape, material, limits, out, err);
    }
    sb_status status = sb_shape_check(shape, err);
    if (!status && material) status = sb_material_check(material, err);
    if (status) return status;
    if (!material) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: a material is needed",
                       sb_shape_kind_name(shape->kind));
    }
    status = make_computed(maker, shape, material, out, err);
    if (status != SB_NO_MODES || !sb_shape_is_solid(shape)) return status;
    return sb_model_create_rigid(shape, material, out, err);
}

static sb_status make_any(const sb_maker *maker, const sb_shape *shape,
                          const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err) {
    sb_memo memo = memo_of(maker);
    sb_memo_use(&memo);
    sb_status status = make_here(maker, shape, material, limits, out, err);
    sb_memo_use(NULL);
    return status;
}

/* What is too small or too large to be solved is often not in metres. */
static sb_status hint(const sb_shape *shape, sb_status status, sb_error *err) {
    char remark[96];
    bool is_told = status == SB_NO_MODES || status == SB_NO_MEMORY ||
                   status == SB_NO_CONVERGENCE;
    if (!err || !is_told || !sb_shape_size_remark(shape, remark, sizeof remark))
        return status;
    sb_error before = *err;
    return sb_fail(err, status, "%s; %s", before.message, remark);
}

sb_status sb_maker_make(const sb_maker *maker, const sb_shape *shape,
                        const sb_material *material,
                        const sb_model_limits *limits, sb_model **out,
                        sb_error *err) {
    sb_maker usual;
    if (!maker) {
        usual = sb_maker_default();
        maker = &usual;
    }
    /* Modes given by hand, and what does not ring, are made at once. */
    bool is_quick = shape->modes != NULL || !sb_shape_needs_material(shape);
    sb_status status = is_quick
                           ? make_any(maker, shape, material, limits, out, err)
                           : make_job(maker, shape, material, limits, out, err);
    return status ? hint(shape, status, err) : SB_OK;
}
