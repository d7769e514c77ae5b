/* SPDX-License-Identifier: MIT */
/* Bodies that begin with the quick law of radiation, since the exact one takes
 * long, get it while they play: a thread solves one after the other, and each
 * is then retuned (sb_scene_change).
 * Thread: control, and one of its own. */
#include "bindings/host/host_internal.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/body.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* What takes less is not said. */
#define SAY_S 0.5

/* A body, and what it becomes. */
typedef struct air_body {
    sb_plan *before;
    sb_planned after;
    sb_plan *copy; /* of what it became, for its twins */
    bool has_after;
    sb_status status;
} air_body;

typedef struct air_work {
    pthread_t thread;
    air_body *bodies;
    int count;
    int taken;               /* by the control thread */
    atomic_int done;         /* by the other one */
    atomic_bool is_unwanted; /* stop.h */
} air_work;

bool host_puts_off_air(const sb_host *host) {
    return host->def.is_live && host->def.puts_off_air;
}

static void free_work(air_work *self) {
    for (int i = 0; self->bodies && i < self->count; i++) {
        if (self->bodies[i].has_after) sb_planned_free(&self->bodies[i].after);
        sb_plan_destroy(self->bodies[i].before);
        sb_plan_destroy(self->bodies[i].copy);
    }
    sb_free(self->bodies);
    sb_free(self);
}

static const sb_planned *alone(const sb_plan *plan) {
    return sb_plan_at(plan, 0);
}

/* A body with the same model that is solved already; else what it was. */
static const sb_planned *near(const air_work *self, int index) {
    const sb_planned *before = alone(self->bodies[index].before);
    for (int i = 0; i < index; i++) {
        const air_body *twin = &self->bodies[i];
        if (!twin->status && alone(twin->before)->model == before->model)
            return alone(twin->copy);
    }
    return before;
}

static sb_status solve(air_work *self, int index, sb_error *err) {
    air_body *body = &self->bodies[index];
    sb_status status =
        sb_planned_solve(&body->after, near(self, index), NULL, err);
    if (!status) status = sb_plan_create(&body->copy, err);
    if (!status) status = sb_plan_add_solved(body->copy, &body->after, err);
    return status;
}

static void *work(void *argument) {
    air_work *self = argument;
    sb_error err;
    /* Of this thread, and so of those that it starts. */
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
    sb_stop_watch(&self->is_unwanted);
    for (int i = 0; i < self->count && !sb_stop_is_wanted(); i++) {
        self->bodies[i].status = solve(self, i, &err);
        atomic_store(&self->done, i + 1);
    }
    return NULL;
}

/* --- what is to be done --------------------------------------------------- */

static sb_status add(const sb_planned *now, air_body *out, sb_error *err) {
    sb_body_def def = now->def;
    def.name = now->name;
    sb_status status = sb_plan_create(&out->before, err);
    if (!status) status = sb_plan_add_solved(out->before, now, err);
    if (!status) status = sb_planned_init(&out->after, &def, err);
    out->has_after = !status;
    return status;
}

static air_work *collect(const sb_scene *scene, double *seconds) {
    sb_error err;
    sb_status status = SB_OK;
    int all = sb_scene_body_count(scene);
    air_work *self = sb_alloc(1, sizeof *self);
    if (self) self->bodies = sb_alloc((size_t)all, sizeof *self->bodies);
    if (self && !self->bodies) status = SB_NO_MEMORY;
    *seconds = 0;
    for (int i = 0; self && !status && i < all; i++) {
        const sb_planned *now =
            sb_scene_body_planned(scene, sb_scene_body_at(scene, i));
        if (!now || !(now->put_off_s > 0)) continue;
        *seconds += now->put_off_s;
        status = add(now, &self->bodies[self->count++], &err);
    }
    if (self && (status || self->count == 0)) {
        free_work(self);
        return NULL;
    }
    return self;
}

static bool has_any(const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        const sb_planned *now =
            sb_scene_body_planned(scene, sb_scene_body_at(scene, i));
        if (now && now->put_off_s > 0) return true;
    }
    return false;
}

static void begin(sb_host *host) {
    double seconds;
    if (!has_any(host->scene)) return;
    air_work *self = collect(host->scene, &seconds);
    if (!self) return;
    if (pthread_create(&self->thread, NULL, work, self)) {
        free_work(self);
        return;
    }
    host->air = self;
    char line[160];
    if (seconds < SAY_S) return;
    (void)snprintf(line, sizeof line,
                   "radiation of %d bod%s by boundary elements: about %.*f s; "
                   "by the quick law until then",
                   self->count, self->count == 1 ? "y" : "ies",
                   seconds < 10 ? 1 : 0, seconds);
    (void)host_put_line(host, LINE_REPORTED, line);
}

/* --- what is done --------------------------------------------------------- */

/* Unless the body has become another since. */
static void take(sb_host *host, air_body *body, double time_s) {
    const sb_planned *before = alone(body->before);
    sb_body_id id = sb_scene_find(host->scene, body->after.name);
    const sb_planned *now = sb_scene_has(host->scene, id)
                                ? sb_scene_body_planned(host->scene, id)
                                : NULL;
    if (body->status || !now || now->model != before->model) return;
    sb_change what;
    sb_error err;
    sb_status status =
        sb_scene_change(host->scene, &body->after, time_s, &what, &err);
    if (status) (void)host_put_line(host, LINE_REPORTED, err.message);
}

void host_step_air(sb_host *host, double time_s) {
    air_work *self = host->air;
    if (!host_puts_off_air(host)) return;
    if (!self) {
        if (!host->loader) begin(host);
        return;
    }
    /* One per step. */
    if (self->taken < atomic_load(&self->done))
        take(host, &self->bodies[self->taken++], time_s);
    if (self->taken == self->count) host_end_air(host);
}

void host_end_air(sb_host *host) {
    air_work *self = host->air;
    if (!self) return;
    atomic_store(&self->is_unwanted, true);
    (void)pthread_join(self->thread, NULL);
    free_work(self);
    host->air = NULL;
}
