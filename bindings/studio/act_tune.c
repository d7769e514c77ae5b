/* Params, materials, single modes, limits. Thread: control; models for other
 * materials are made by the worker. */
#include "bindings/studio/studio_internal.h"

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

bool studio_do_param(studio_call *call, sb_error *err) {
    const char *name;
    double value = NAN;
    char text[300], *result = NULL;
    bool is_incomplete;
    if (!call->studio->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (!read_text(call->json, "name", &name, err) ||
        !read_number(call->json, "value", -1e300, 1e300, &value, err)) {
        return false;
    }
    if (!name || !isfinite(value) || strlen(name) >= SB_NAME_SIZE ||
        strpbrk(name, "\"\\\n\r")) {
        return studio_fail(call, "bad_field", err,
                           "name must be that of a param, value a number");
    }
    /* As a line of the prompt: the script may have to run again. */
    (void)snprintf(text, sizeof text, "sb.params[\"%s\"] = %.17g", name, value);
    sb_status status = sb_host_evaluate(call->studio->host, text, &result,
                                        &is_incomplete, err);
    sb_free(result);
    if (status) call->code = "bad_field";
    call->studio->looked_s = 0.0; /* tell all pages soon */
    return status == SB_OK;
}

/* --- materials ------------------------------------------------------------------ */

/* A body with another material, to be solved and then taken over. */
typedef struct tuning_job {
    studio *studio;
    bool is_replayed;
    sb_plan *before; /* the body as it is, alone */
    sb_planned after;
    bool has_after;
    sb_material material; /* what is wanted; also ... */
    studio_merging merging;
    bool hears_removed;
    uint32_t body, client;
    double id;               /* of the request; NaN: none */
    double begun_s;          /* wall clock */
    atomic_bool is_unwanted; /* the solve ends itself */
    bool is_outdated;        /* the script was loaded since: it has no effect */
    sb_status status;
    sb_error err;
    struct tuning_job *next;
} tuning_job;

typedef struct studio_tuner {
    int under_way;
    tuning_job *waiting; /* not yet given to the worker: newest per body */
    tuning_job *solving; /* or NULL */
} studio_tuner;

static void free_job(tuning_job *job) {
    if (!job) return;
    sb_plan_destroy(job->before);
    if (job->has_after) sb_planned_free(&job->after);
    sb_free(job);
}

static studio_taker take_one;

/* Thread: the worker's. */
static void solve(void *data, bool is_over) {
    tuning_job *job = data;
    const atomic_bool *watched = sb_stop_watched();
    if (!job->is_replayed) sb_stop_watch(&job->is_unwanted);
    job->status =
        is_over ? SB_INTERRUPTED
                : sb_planned_solve(&job->after, sb_plan_at(job->before, 0),
                                   NULL, &job->err);
    sb_stop_watch(watched);
    studio_finish(job->studio, take_one, job);
}

static void start_waiting(studio *self) {
    studio_tuner *tuner = self->tuner;
    if (tuner->under_way > 0 || !tuner->waiting) return;
    tuning_job *job = tuner->waiting;
    tuner->waiting = job->next;
    if (worker_post(self->solver, solve, job)) {
        tuner->under_way++;
        tuner->solving = job;
        job->begun_s = sb_clock_s();
    } else {
        free_job(job);
    }
}

/* `is_moved`: the world has the body, with other numbers now. */
static void answer(studio *self, const tuning_job *job, const char *change,
                   bool is_moved) {
    cJSON *json = studio_message(job->status ? "error" : "ok");
    if (isfinite(job->id)) json_number(json, "id", job->id);
    if (job->status) {
        json_text(json, "code", "failed");
        json_text(json, "message", job->err.message);
    } else {
        json_text(json, "change", change);
        if (is_moved)
            json_text(json, "note",
                      "its mass, bounce and friction in the world change with "
                      "the next reload");
    }
    studio_send(self, job->client, json);
}

static const char *const change_names[] = {
    [SB_CHANGE_NONE] = "none",      [SB_CHANGE_PLACE] = "none",
    [SB_CHANGE_PAINT] = "none",     [SB_CHANGE_TUNING] = "retuned",
    [SB_CHANGE_MODEL] = "replaced",
};

static void change(studio *self, tuning_job *job, double time_s) {
    studio_body *body = studio_body_of(self, job->body);
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
    studio_look(self);
    body = studio_body_of(self, job->body);
    if (!body) return;
    cJSON *json = studio_message("modes.changed");
    json_number(json, "body", job->body);
    json_number(json, "rev", body->modes_rev);
    studio_send_all(self, MAIL_MUST, 0, json);
}

static void take_one(studio *self, void *data, double time_s) {
    tuning_job *job = data;
    if (!job->is_replayed) {
        self->tuner->under_way--;
        self->tuner->solving = NULL;
    }
    if (self->host) change(self, job, time_s);
    free_job(job);
    start_waiting(self);
}

sb_status studio_open_tuning(studio *self, sb_error *err) {
    self->tuner = sb_alloc(1, sizeof *self->tuner);
    if (self->tuner) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "studio: out of memory");
}

void studio_end_outdated(studio *self) {
    tuning_job *solving = self->tuner->solving;
    if (!solving || sb_clock_s() - solving->begun_s < SHORT_S) return;
    for (const tuning_job *job = self->tuner->waiting; job; job = job->next)
        if (job->body == solving->body)
            atomic_store(&solving->is_unwanted, true);
}

void studio_drop_tuning(studio *self) {
    tuning_job *solving = self->tuner->solving;
    if (solving) {
        solving->is_outdated = true;
        atomic_store(&solving->is_unwanted, true);
    }
    for (tuning_job *job = self->tuner->waiting; job; job = job->next)
        answer(self, job, change_names[SB_CHANGE_NONE], false);
    studio_forget_tuning(self);
}

void studio_forget_tuning(studio *self) {
    if (self->tuner && self->tuner->solving)
        atomic_store(&self->tuner->solving->is_unwanted, true);
    while (self->tuner && self->tuner->waiting) {
        tuning_job *job = self->tuner->waiting;
        self->tuner->waiting = job->next;
        free_job(job);
    }
}

static bool read_material(studio_call *call, const sb_material *scripted,
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
            return studio_fail(call, "bad_field", err,
                               "there is no material '%.60s'", name);
        *material = *found;
    }
    sb_material given = *material;
    return read_fields(call->json, sb_material_fields, &given, err) &&
           !sb_material_take(material, given,
                             has_field(call->json, "youngs_modulus_across"),
                             has_field(call->json, "shear_modulus"), err);
}

/* The body as described by `wanted`, not yet solved. */
static sb_status make_job(const sb_planned *now, const sb_body_def *wanted,
                          tuning_job *job, sb_error *err) {
    sb_status status = sb_plan_create(&job->before, err);
    if (!status) status = sb_plan_add_solved(job->before, now, err);
    if (status) return status;
    sb_body_def def = sb_plan_at(job->before, 0)->def;
    def.name = now->name;
    def.material = wanted->material;
    def.shape.merge = wanted->shape.merge;
    def.shape.keeps_beats = wanted->shape.keeps_beats;
    def.shape.max_modes = wanted->shape.max_modes;
    def.hears_removed = wanted->hears_removed;
    status = sb_planned_init(&job->after, &def, err);
    job->has_after = !status;
    return status;
}

/* The newer one has what the older one wanted, too. */
static void replace_waiting(studio *self, tuning_job *job) {
    tuning_job **at = &self->tuner->waiting;
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

static void set_merging(sb_shape *shape, studio_merging merging) {
    shape->merge = merging.merge;
    shape->keeps_beats = merging.keeps_beats;
    shape->max_modes = merging.max_modes;
}

/* The body as it will be when all that was asked for is done. */
static sb_body_def wanted_of(studio *self, const studio_body *body) {
    sb_body_def def =
        sb_scene_body_planned(sb_host_scene(self->host), body->id)->def;
    studio_merging merging = studio_merging_of(body, &def);
    const tuning_job *last = self->tuner->solving;
    if (last && (last->body != body->number || last->is_outdated)) last = NULL;
    for (const tuning_job *job = self->tuner->waiting; job; job = job->next)
        if (job->body == body->number) last = job;
    if (last) {
        def.material = last->material;
        def.hears_removed = last->hears_removed;
        merging = last->merging;
    }
    set_merging(&def.shape, merging);
    return def;
}

/* Have the body solved anew; the reply follows when that is done. */
static bool post(studio_call *call, const studio_body *body,
                 const sb_body_def *wanted, sb_error *err) {
    studio *self = call->studio;
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(call->json, "id");
    const sb_planned *now =
        sb_scene_body_planned(sb_host_scene(self->host), body->id);
    tuning_job *job = sb_alloc(1, sizeof *job);
    if (!job || make_job(now, wanted, job, err)) {
        free_job(job);
        call->code = "failed";
        return false;
    }
    job->body = body->number;
    job->client = call->client ? call->client->number : 0;
    job->id = cJSON_IsNumber(id) ? id->valuedouble : NAN;
    job->studio = self;
    job->is_replayed = !call->client;
    job->material = wanted->material;
    job->merging =
        (studio_merging){wanted->shape.merge, wanted->shape.keeps_beats,
                         wanted->shape.max_modes};
    job->hears_removed = wanted->hears_removed;
    if (job->is_replayed) {
        /* A replay does it now, on every machine at the same time. */
        solve(job, false);
        studio_take_finished(self, call->time_s);
        return true;
    }
    replace_waiting(self, job);
    start_waiting(self);
    cJSON_Delete(call->reply);
    call->reply = NULL;
    return true;
}

studio_merging studio_merging_of(const studio_body *body,
                                 const sb_body_def *def) {
    if (def->hears_removed && body->has_scripted) return body->merging;
    const sb_shape *shape = &def->shape;
    return (studio_merging){shape->merge, shape->keeps_beats, shape->max_modes};
}

bool studio_do_material(studio_call *call, sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    if (!body) return false;
    sb_body_def wanted = wanted_of(call->studio, body);
    if (!wanted.has_material)
        return studio_fail(call, "bad_field", err, "'%s' has no material",
                           body->name);
    return read_material(call, &body->scripted_material, &wanted.material,
                         err) &&
           post(call, body, &wanted, err);
}

bool studio_do_merge(studio_call *call, sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    if (!body) return false;
    sb_body_def wanted = wanted_of(call->studio, body);
    studio_merging merging = studio_merging_of(
        body,
        &sb_scene_body_planned(sb_host_scene(call->studio->host), body->id)
             ->def);
    double merge = wanted.shape.merge;
    if (!read_number(call->json, "merge", 0, 100, &merge, err) ||
        !read_bool(call->json, "removed", &wanted.hears_removed, NULL, err)) {
        return false;
    }
    if (!body->has_scripted) body->scripted = merging;
    body->has_scripted = true;
    merging = body->scripted;
    if (merge > 0) {
        merging.merge = merge;
        merging.keeps_beats = false;
    }
    body->merging = merging;
    set_merging(&wanted.shape, merging);
    return post(call, body, &wanted, err);
}

/* --- modes ---------------------------------------------------------------------- */

static bool is_any(const bool *list, int count) {
    for (int k = 0; k < count && list; k++)
        if (list[k]) return true;
    return false;
}

void studio_apply_mask(studio *self, studio_body *body, double time_s) {
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

bool studio_do_mode(studio_call *call, sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    long long n = 0;
    bool solo = false, mute = false, has_solo, has_mute;
    if (!body || !read_whole(call->json, "n", 1, 1e6, &n, err) ||
        !read_bool(call->json, "solo", &solo, &has_solo, err) ||
        !read_bool(call->json, "mute", &mute, &has_mute, err)) {
        return false;
    }
    if (n > body->mode_count)
        return studio_fail(call, "no_such_mode", err, "'%s' has %d modes",
                           body->name, body->mode_count);
    if (n == 0 && body->solo && body->mute) {
        memset(body->solo, 0, (size_t)body->mode_count * sizeof(bool));
        memset(body->mute, 0, (size_t)body->mode_count * sizeof(bool));
    }
    body->has_choices = n > 0 || body->has_choices;
    if (n > 0 && has_solo) body->solo[n - 1] = solo;
    if (n > 0 && has_mute) body->mute[n - 1] = mute;
    studio_apply_mask(call->studio, body, call->time_s);
    call->studio->looked_s = 0.0;
    return true;
}

bool studio_do_limit(studio_call *call, sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    long long count = 0;
    if (!body || !read_whole(call->json, "count", 0, 1e6, &count, err))
        return false;
    body->limit = count >= body->mode_count ? 0 : (int)count;
    studio_apply_mask(call->studio, body, call->time_s);
    call->studio->looked_s = 0.0;
    return true;
}

bool studio_do_quality(studio_call *call, sb_error *err) {
    if (!call->studio->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    sb_scene *scene = sb_host_scene(call->studio->host);
    sb_quality_def quality = sb_scene_quality(scene);
    long long modes = quality.modes;
    if (!read_number(call->json, "budget", 0, 1, &quality.budget, err) ||
        !read_number(call->json, "slope", 0, 1e6, &quality.slope, err) ||
        !read_number(call->json, "tau", 0, 32768, &quality.tau, err) ||
        !read_whole(call->json, "modes", 0, 1e6, &modes, err)) {
        return false;
    }
    sb_listener listener = sb_scene_listener(scene);
    double gain = -1.0;
    if (!read_number(call->json, "gain", 0, 1e6, &gain, err)) return false;
    quality.modes = (int)modes;
    call->studio->looked_s = 0.0;
    sb_status status = sb_scene_set_quality(scene, &quality, call->time_s, err);
    if (!status && gain >= 0.0) {
        listener.gain = gain;
        listener.is_exposed = false;
        status = sb_scene_set_listener(scene, &listener, call->time_s, err);
    }
    if (status) call->code = "failed";
    return !status;
}
