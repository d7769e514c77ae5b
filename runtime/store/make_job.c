/* The thread, and the door between it and the caller: one report at a time
 * (make_job.h). Thread: as make_job.h. */
#include "runtime/store/make_job.h"

#include "runtime/base/effort.h"
#include "runtime/base/locale.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/profile.h"
#include "runtime/store/model_maker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STAGE_SIZE = 32, WAIT_MS = 100, GRACE_WAITS = 3 };

typedef struct job {
    sb_make make;
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
    sb_model *model;
    sb_status status;
    sb_error err;
} job;

static void free_job(job *self) {
    sb_model_release(self->model);
    sb_mesh_source_release((sb_mesh_source *)(uintptr_t)self->shape.mesh);
    sb_profile_release(self->shape.profile);
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

static void *run(void *argument) {
    job *self = argument;
    sb_model *model = NULL;
    sb_error err = {0};
    sb_stop_watch(&self->is_unwanted);
    (void)sb_locale_enter();
    (void)pthread_mutex_lock(&self->lock);
    self->helped = sb_effort_helped();
    (void)pthread_mutex_unlock(&self->lock);
    sb_status status = self->make(
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

static job *new_job(sb_make make, const sb_maker *maker, const sb_shape *shape,
                    const sb_material *material,
                    const sb_model_limits *limits) {
    job *self = sb_alloc(1, sizeof *self);
    if (!self) return NULL;
    self->make = make;
    self->maker = *maker;
    self->maker.progress = report;
    self->maker.context = self;
    self->shape = *shape;
    if (shape->mesh) self->shape.mesh = sb_mesh_source_retain(shape->mesh);
    if (shape->profile) self->shape.profile = sb_profile_retain(shape->profile);
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

static sb_status collect(job *self, sb_model **out, sb_error *err) {
    sb_status status = self->status;
    if (!status) *out = self->model;
    if (status && err) *err = self->err;
    self->model = NULL;
    free_job(self);
    return status;
}

sb_status sb_make_job(sb_make make, const sb_maker *maker,
                      const sb_shape *shape, const sb_material *material,
                      const sb_model_limits *limits, sb_model **out,
                      sb_error *err) {
    pthread_t thread;
    job *self =
        maker->progress ? new_job(make, maker, shape, material, limits) : NULL;
    if (!self) return make(maker, shape, material, limits, out, err);
    if (pthread_create(&thread, NULL, run, self)) {
        free_job(self);
        return make(maker, shape, material, limits, out, err);
    }
    bool is_done = attend(self, thread, maker);
    if (!is_done && leave(self)) {
        (void)pthread_detach(thread);
        return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
    }
    (void)pthread_join(thread, NULL);
    if (is_done) return collect(self, out, err);
    free_job(self);
    return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
}
