/* SPDX-License-Identifier: MIT */
/* Params, materials, single modes, limits. Thread: control; models for other
 * materials are made by the worker. */
#include "bindings/studio/session/session_internal.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

#define FADE_S 0.02 /* of modes that are silenced or heard again */
/* Solves that take longer end when a newer one waits. Shorter ones do not: a
 * slider that is moved would be heard only when it rests. */
#define SHORT_S 0.5

/* --- params ------------------------------------------------------------------- */

bool session_do_param(session_call *call, sb_error *err) {
    const char *name;
    double value = NAN;
    char text[300], *result = NULL;
    bool is_incomplete;
    if (!read_text(call->json, "name", &name, err) ||
        !read_number(call->json, "value", -1e300, 1e300, &value, err)) {
        return false;
    }
    if (!name || !isfinite(value) || strlen(name) >= SB_NAME_SIZE ||
        strpbrk(name, "\"\\\n\r")) {
        return session_fail(call, "bad_field", err,
                            "name must be that of a param, value a number");
    }
    /* As a line of the prompt: the script may have to run again. */
    (void)snprintf(text, sizeof text, "sb.params[\"%s\"] = %.17g", name, value);
    sb_status status = sb_host_evaluate(call->session->host, text, &result,
                                        &is_incomplete, err);
    sb_free(result);
    if (status) call->code = "bad_field";
    session_say_soon(call->session, call->session->stream.params);
    return status == SB_OK;
}

/* --- materials ------------------------------------------------------------------ */

/* What is wanted of a body. */
typedef struct tuning {
    sb_material material;
    session_merging merging;
    bool hears_removed;
} tuning;

/* A body with another material, to be solved and then taken over. */
typedef struct tuning_job {
    session *session;
    bool is_replayed;
    bool puts_off_air; /* the host computes it afterwards */
    sb_plan *before;   /* the body as it is, alone */
    sb_planned after;
    bool has_after;
    tuning wanted;
    uint32_t body, hand;
    double id;               /* of the request; NaN: none */
    double begun_s;          /* wall clock */
    atomic_bool is_unwanted; /* the solve ends itself */
    bool is_outdated;        /* the script was loaded since: it has no effect */
    sb_status status;
    sb_error err;
    struct tuning_job *next;
} tuning_job;

static void free_job(tuning_job *job) {
    if (!job) return;
    sb_plan_destroy(job->before);
    if (job->has_after) sb_planned_free(&job->after);
    sb_free(job);
}

static session_taker take_one;

/* Thread: the worker's. */
static void solve(void *data, bool is_over) {
    tuning_job *job = data;
    const atomic_bool *watched = sb_stop_watched();
    if (!job->is_replayed) sb_stop_watch(&job->is_unwanted);
    const sb_planned *before = sb_plan_at(job->before, 0);
    job->status = SB_INTERRUPTED;
    if (!is_over && job->puts_off_air)
        job->status = sb_planned_solve_soon(&job->after, before, &job->err);
    else if (!is_over)
        job->status = sb_planned_solve(&job->after, before, NULL, &job->err);
    sb_stop_watch(watched);
    session_finish(job->session, take_one, job);
}

static void start_waiting(session *self) {
    session_tuner *tuner = &self->tuner;
    if (tuner->solving || !tuner->waiting) return;
    tuning_job *job = tuner->waiting;
    tuner->waiting = job->next;
    if (worker_post(self->workers.solver, solve, job)) {
        tuner->solving = job;
        job->begun_s = sb_clock_s();
    } else {
        free_job(job);
    }
}

/* `is_moved`: the world has the body, with other numbers now. */
static void answer(session *self, const tuning_job *job, const char *change,
                   bool is_moved) {
    cJSON *json = session_late_reply(job->id, job->status, &job->err);
    if (!job->status) json_text(json, "change", change);
    if (!job->status && is_moved)
        json_text(json, "note",
                  "its mass, bounce and friction in the world change with "
                  "the next reload");
    session_say(self, job->hand, json);
}

static const char *const change_names[] = {
    [SB_CHANGE_NONE] = "none",      [SB_CHANGE_PLACE] = "none",
    [SB_CHANGE_PAINT] = "none",     [SB_CHANGE_TUNING] = "retuned",
    [SB_CHANGE_MODEL] = "replaced",
};

static void change(session *self, tuning_job *job, double time_s) {
    session_body *body = session_body_of(self, job->body);
    sb_change what = SB_CHANGE_NONE;
    sb_scene *scene = sb_host_scene(self->host);
    bool is_moved = false;
    if (job->is_outdated ||
        (job->status == SB_INTERRUPTED && atomic_load(&job->is_unwanted))) {
        job->status = SB_OK; /* a newer one has what it wanted */
        answer(self, job, change_names[what], false);
        return;
    }
    if (!job->status && body && sb_scene_has(scene, body->id)) {
        is_moved = sb_scene_world_info(scene).is_there &&
                   !sb_planned_is_same_solid(
                       sb_scene_body_planned(scene, body->id), &job->after);
        job->status =
            sb_scene_change(scene, &job->after, time_s, &what, &job->err);
        /* On success the scene has taken it over and left it empty. */
        if (!job->status) body->is_tuned = true;
    }
    answer(self, job, change_names[what], is_moved);
    if (job->status || !body) return;
    session_look(self);
    body = session_body_of(self, job->body);
    if (!body) return;
    cJSON *json = session_message("modes.changed");
    json_number(json, "body", job->body);
    json_number(json, "rev", body->modes_rev);
    session_say_all(self, json);
}

static void take_one(session *self, void *data, double time_s) {
    tuning_job *job = data;
    if (!job->is_replayed) self->tuner.solving = NULL;
    if (self->host) change(self, job, time_s);
    free_job(job);
    start_waiting(self);
}

void session_end_outdated(session *self) {
    tuning_job *solving = self->tuner.solving;
    if (!solving || sb_clock_s() - solving->begun_s < SHORT_S) return;
    for (const tuning_job *job = self->tuner.waiting; job; job = job->next)
        if (job->body == solving->body)
            atomic_store(&solving->is_unwanted, true);
}

void session_drop_tuning(session *self) {
    tuning_job *solving = self->tuner.solving;
    if (solving) {
        solving->is_outdated = true;
        atomic_store(&solving->is_unwanted, true);
    }
    for (tuning_job *job = self->tuner.waiting; job; job = job->next)
        answer(self, job, change_names[SB_CHANGE_NONE], false);
    session_forget_tuning(self);
}

void session_forget_tuning(session *self) {
    if (self->tuner.solving)
        atomic_store(&self->tuner.solving->is_unwanted, true);
    while (self->tuner.waiting) {
        tuning_job *job = self->tuner.waiting;
        self->tuner.waiting = job->next;
        free_job(job);
    }
}

static bool read_material(session_call *call, const sb_material *scripted,
                          sb_material *material, sb_error *err) {
    const char *name;
    bool is_scripted = false;
    if (!read_text(call->json, "name", &name, err) ||
        !read_bool(call->json, "scripted", &is_scripted, NULL, err)) {
        return false;
    }
    if (is_scripted) *material = *scripted;
    if (name) {
        const sb_material *found = sb_material_find(name);
        if (!found)
            return session_fail(call, "bad_field", err,
                                "there is no material '%.60s'", name);
        *material = *found;
    }
    sb_material given = *material;
    return read_fields(call->json, sb_material_fields, &given, err) &&
           !sb_material_take(material, given,
                             json_field(call->json, "youngs_modulus_across"),
                             json_field(call->json, "shear_modulus"), err);
}

/* The body as described by `wanted`, not yet solved. */
static sb_status make_job(const sb_planned *now, tuning_job *job,
                          sb_error *err) {
    sb_status status = sb_plan_create(&job->before, err);
    if (!status) status = sb_plan_add_solved(job->before, now, err);
    if (status) return status;
    sb_body_def def = sb_plan_at(job->before, 0)->def;
    const session_merging *merging = &job->wanted.merging;
    def.name = now->name;
    def.material = job->wanted.material;
    def.shape.merge = merging->merge;
    def.shape.keeps_beats = merging->keeps_beats;
    def.shape.max_modes = merging->max_modes;
    def.hears_removed = job->wanted.hears_removed;
    status = sb_planned_init(&job->after, &def, err);
    job->has_after = !status;
    return status;
}

/* The newer one has what the older one wanted, too. */
static void replace_waiting(session *self, tuning_job *job) {
    tuning_job **at = &self->tuner.waiting;
    while (*at && (*at)->body != job->body)
        at = &(*at)->next;
    if (*at) {
        tuning_job *older = *at;
        job->next = older->next;
        answer(self, older, change_names[SB_CHANGE_NONE], false);
        free_job(older);
    }
    *at = job;
}

/* The body as it will be when all that was asked for is done. */
static tuning wanted_of(session *self, const session_body *body) {
    const sb_body_def *def = &session_planned(self, body)->def;
    tuning wanted = {def->material, session_merging_of(body, def),
                     def->hears_removed};
    const tuning_job *last = self->tuner.solving;
    if (last && (last->body != body->number || last->is_outdated)) last = NULL;
    for (const tuning_job *job = self->tuner.waiting; job; job = job->next)
        if (job->body == body->number) last = job;
    return last ? last->wanted : wanted;
}

/* Have the body solved anew; the reply follows when that is done. */
static bool post(session_call *call, tuning wanted, sb_error *err) {
    session *self = call->session;
    const sb_host_def *host = sb_host_definition(self->host);
    tuning_job *job = sb_alloc(1, sizeof *job);
    if (job) {
        *job = (tuning_job){.session = self,
                            .is_replayed = call->is_replayed,
                            .puts_off_air = !call->is_replayed &&
                                            host->is_live && host->puts_off_air,
                            .wanted = wanted,
                            .body = call->body->number,
                            .hand = call->hand->number,
                            .id = call->id};
    }
    if (!job || make_job(session_planned(self, call->body), job, err)) {
        free_job(job);
        return session_call_done(call, SB_NO_MEMORY);
    }
    if (job->is_replayed) {
        /* A replay does it now, on every machine at the same time. */
        solve(job, false);
        session_take_finished(self, call->time_s);
        return true;
    }
    replace_waiting(self, job);
    start_waiting(self);
    session_reply_not(call);
    return true;
}

session_merging session_merging_of(const session_body *body,
                                   const sb_body_def *def) {
    if (def->hears_removed && body->has_scripted) return body->merging;
    const sb_shape *shape = &def->shape;
    return (session_merging){shape->merge, shape->keeps_beats,
                             shape->max_modes};
}

bool session_do_material(session_call *call, sb_error *err) {
    const session_body *body = call->body;
    tuning wanted = wanted_of(call->session, body);
    if (!session_planned(call->session, body)->def.has_material)
        return session_fail(call, "bad_field", err, "'%s' has no material",
                            body->name);
    return read_material(call, &body->scripted_material, &wanted.material,
                         err) &&
           post(call, wanted, err);
}

bool session_do_merge(session_call *call, sb_error *err) {
    session_body *body = call->body;
    tuning wanted = wanted_of(call->session, body);
    double merge = wanted.merging.merge;
    if (!read_number(call->json, "merge", 0, 100, &merge, err) ||
        !read_bool(call->json, "removed", &wanted.hears_removed, NULL, err)) {
        return false;
    }
    if (!body->has_scripted)
        body->scripted = session_merging_of(
            body, &session_planned(call->session, body)->def);
    body->has_scripted = true;
    wanted.merging = body->scripted;
    if (merge > 0) {
        wanted.merging.merge = merge;
        wanted.merging.keeps_beats = false;
    }
    body->merging = wanted.merging;
    return post(call, wanted, err);
}

/* --- modes ---------------------------------------------------------------------- */

static bool is_any(const bool *list, int count) {
    for (int k = 0; k < count && list; k++)
        if (list[k]) return true;
    return false;
}

void session_apply_mask(session *self, session_body *body, double time_s) {
    int count = body->mode_count;
    bool *silent = sb_alloc((size_t)count + 1, sizeof *silent);
    bool has_solo = is_any(body->solo, count), has_any = false;
    for (int k = 0; k < count && silent; k++) {
        silent[k] = (has_solo && !body->solo[k]) || body->mute[k] ||
                    (body->limit > 0 && k >= body->limit);
        has_any = has_any || silent[k];
    }
    if (silent && (has_any || body->is_masked)) {
        sb_status status =
            sb_scene_silence(sb_host_scene(self->host), body->id,
                             has_any ? silent : NULL, FADE_S, time_s, NULL);
        (void)status;
    }
    body->is_masked = has_any;
    sb_free(silent);
}

bool session_do_mode(session_call *call, sb_error *err) {
    session_body *body = call->body;
    long long n = 0;
    bool solo = false, mute = false, has_solo, has_mute;
    if (!read_whole(call->json, "n", 1, 1e6, &n, err) ||
        !read_bool(call->json, "solo", &solo, &has_solo, err) ||
        !read_bool(call->json, "mute", &mute, &has_mute, err)) {
        return false;
    }
    if (n > body->mode_count)
        return session_fail(call, "no_such_mode", err, "'%s' has %d modes",
                            body->name, body->mode_count);
    if (n == 0 && body->solo && body->mute) {
        memset(body->solo, 0, (size_t)body->mode_count * sizeof(bool));
        memset(body->mute, 0, (size_t)body->mode_count * sizeof(bool));
    }
    body->has_choices = n > 0 || body->has_choices;
    if (n > 0 && has_solo) body->solo[n - 1] = solo;
    if (n > 0 && has_mute) body->mute[n - 1] = mute;
    session_apply_mask(call->session, body, call->time_s);
    session_say_soon(call->session, call->session->stream.settings);
    return true;
}

bool session_do_limit(session_call *call, sb_error *err) {
    session_body *body = call->body;
    long long count = 0;
    if (!read_whole(call->json, "count", 0, 1e6, &count, err)) return false;
    body->limit = count >= body->mode_count ? 0 : (int)count;
    session_apply_mask(call->session, body, call->time_s);
    session_say_soon(call->session, call->session->stream.settings);
    return true;
}

bool session_do_quality(session_call *call, sb_error *err) {
    sb_scene *scene = sb_host_scene(call->session->host);
    sb_quality_def quality = sb_scene_quality(scene);
    sb_listener listener = sb_scene_listener(scene);
    const sb_field gain[] = {*sb_field_find(sb_listener_fields, "gain"),
                             SB_FIELDS_END};
    if (!read_fields(call->json, sb_quality_fields, &quality, err) ||
        !read_fields(call->json, gain, &listener, err)) {
        return false;
    }
    session_say_soon(call->session, call->session->stream.quality);
    sb_status status = sb_scene_set_quality(scene, &quality, call->time_s, err);
    if (!status && json_field(call->json, "gain")) {
        listener.is_exposed = false;
        status = sb_scene_set_listener(scene, &listener, call->time_s, err);
    }
    if (status) call->code = "failed";
    return !status;
}
