/* SPDX-License-Identifier: MIT */
/* The deformable bodies of a scene: their life, the simulation made from
 * them, what is done to them, and what can be asked of them.
 * Control thread. */
#include "runtime/scene/deform/scene_deform.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/deform.h"
#include "runtime/scene/deform/deform_info.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

int sb_scene_deformable_count(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < scene->order_count; i++)
        count += scene->bodies[scene->order[i]].declared.def.is_deformable;
    return count;
}

int scene_deform_index(const sb_scene *scene, sb_body_id id) {
    const scene_deform *deform = scene->deform;
    for (int i = 0; deform && i < deform->body_count; i++) {
        if (deform->bodies[i].index == id.index &&
            deform->bodies[i].generation == id.generation)
            return i;
    }
    return -1;
}

void scene_deform_free(sb_scene *scene) {
    scene_deform *deform = scene->deform;
    if (!deform) return;
    journal_close(&deform->journal);
    journal_close(&deform->ahead);
    deform_tick_free(&deform->tick);
    deform_tick_free(&deform->ahead_tick);
    resample_free(&deform->sound);
    sb_free_all(deform->engine_frames, deform->colliders,
                deform->checkpoint.state, deform->begin_state);
    sb_deform_destroy(deform->sim);
    sb_free(deform);
    scene->deform = NULL;
}

void scene_deform_commit(sb_scene *scene, bool is_changed) {
    if (!scene->deform || !is_changed) return;
    scene_deform_free(scene);
    scene->has_changed_deform = true;
}

/* A journal that is written ends here: a second beginning is not part of it. */
void scene_deform_restart(sb_scene *scene, double time_s) {
    scene_deform *deform = scene->deform;
    sb_error err;
    if (!deform) return;
    bool is_replay = deform->def.how == SB_DEFORM_REPLAY;
    if (!is_replay) journal_close(&deform->journal);
    if (is_replay &&
        (journal_rewind(&deform->journal) || journal_rewind(&deform->ahead)))
        deform->ahead_is_over = deform->motion_is_over = true;
    else
        deform->ahead_is_over = deform->motion_is_over = false;
    if (sb_deform_restore(deform->sim, deform->begin_state,
                          sb_deform_state_bytes(deform->sim), &err))
        deform->failure = err;
    else
        deform->failure = (sb_error){0};
    deform->resume_bytes = 0;
    deform->strike_count = deform->done_count = 0;
    memset(deform->strikers, 0, sizeof deform->strikers);
    deform->origin_s = time_s;
    deform->time_s = deform->busy_s = deform->pose_s = 0.0;
    deform->tick.time_s = deform->ahead_tick.time_s = 0.0;
    deform->tick.first = deform->tick.count = 0;
    deform->ear = scene->hear.listener.position;
    sb_deform_set_ear(deform->sim, deform->ear);
    resample_restart(&deform->sound);
}

/* --- the simulation -------------------------------------------------------- */

/* Bodies that hover are not pulled down. */
static sb_deform_body_def body_def(const scene_body *body) {
    const sb_body_def *def = &body->declared.def;
    sb_deform_body_def out = sb_deform_body_def_default();
    out.name = body->declared.name;
    out.shape = &def->shape;
    out.material = def->material;
    out.heard = body->declared.model;
    out.position_m = def->position;
    out.rotation = def->moves.rotation;
    out.velocity_m_s = def->moves.velocity;
    out.spin_rad_s = def->moves.spin;
    out.hovers = def->moves.motion == SB_MOTION_FIXED;
    return out;
}

static void list_bodies(const sb_scene *scene, scene_deform *deform,
                        sb_deform_body_def *defs) {
    for (int i = 0; i < scene->order_count; i++) {
        const scene_body *body = &scene->bodies[scene->order[i]];
        if (!body->declared.def.is_deformable ||
            deform->body_count == SB_DEFORM_BODIES)
            continue;
        defs[deform->body_count] = body_def(body);
        deform->bodies[deform->body_count++] = sb_scene_body_at(scene, i);
    }
}

static sb_status fill_colliders(const scene_deform *deform, sb_deform_def *def,
                                sb_deform_collider **out, sb_error *err) {
    *out = sb_alloc((size_t)deform->collider_count, sizeof **out);
    if (!*out) return sb_no_memory(err, "deformable bodies");
    for (int i = 0; i < deform->collider_count; i++)
        (*out)[i] = deform->colliders[i].collider;
    def->collider_count = deform->collider_count;
    def->colliders = *out;
    return SB_OK;
}

static sb_status create(const sb_scene *scene, scene_deform *deform,
                        sb_deform_body_def *defs, sb_error *err) {
    sb_deform_def def = sb_deform_def_default();
    sb_deform_collider *colliders;
    sb_status status = fill_colliders(deform, &def, &colliders, err);
    if (status) return status;
    def.body_count = deform->body_count;
    def.bodies = defs;
    def.bodies_touch = deform->body_count > 1;
    def.ear_m = &scene->hear.listener.position;
    def.gravity_m_s2 = scene->declared.world.gravity;
    def.air_density = scene->declared.world.air_kg_m3;
    def.speed_of_sound_m_s = sb_air_speed(&scene->hear.listener.air);
    def.threads = deform->def.threads;
    def.memory_bytes = deform->def.memory_bytes;
    def.must_stop = deform->def.must_stop;
    status = sb_deform_create(&def, &deform->sim, err);
    sb_free(colliders);
    deform->ear = scene->hear.listener.position;
    return status;
}

/* The state at the beginning, whose first number is the fingerprint. */
static sb_status keep_begin(scene_deform *deform, sb_error *err) {
    size_t bytes = sb_deform_state_bytes(deform->sim);
    deform->begin_state = sb_alloc_aligned(bytes);
    if (!deform->begin_state) return sb_no_memory(err, "deformable bodies");
    sb_deform_save(deform->sim, deform->begin_state);
    memcpy(&deform->sizes.fingerprint, deform->begin_state,
           sizeof deform->sizes.fingerprint);
    deform->sizes.bodies = deform->body_count;
    deform->sizes.colliders = deform->collider_count;
    deform->sizes.channels = sb_deform_channel_count(deform->sim);
    for (int i = 0; i < deform->body_count; i++) {
        deform->sizes.vertices += sb_deform_surface_nodes(deform->sim, i);
        deform->begins[i] = sb_deform_centre(deform->sim, i, NULL);
    }
    return SB_OK;
}

/* More than this makes a contact throw a body out. */
#define OVERLAP_M 1e-6

static sb_status check_overlap(const sb_scene *scene,
                               const scene_deform *deform, sb_error *err) {
    int body, collider;
    double depth = sb_deform_overlap(deform->sim, &body, &collider);
    if (!(depth > OVERLAP_M)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "deformable body '%s' begins %.3g mm inside body '%s' (a "
                   "sheet has half its thickness on each side): move it out",
                   sb_scene_body_name(scene, deform->bodies[body]), 1e3 * depth,
                   sb_scene_body_name(scene, deform->colliders[collider].body));
}

sb_status scene_deform_make(sb_scene *scene, scene_deform *deform,
                            sb_error *err) {
    sb_deform_body_def defs[SB_DEFORM_BODIES];
    list_bodies(scene, deform, defs);
    sb_status status = create(scene, deform, defs, err);
    if (!status) status = check_overlap(scene, deform, err);
    if (!status) status = keep_begin(deform, err);
    if (!status) status = deform_tick_make(&deform->tick, &deform->sizes, err);
    if (!status) status = scene_deform_take_pose(deform, err);
    if (!status)
        status = deform_tick_make(&deform->ahead_tick, &deform->sizes, err);
    if (!status)
        status = resample_make(&deform->sound, deform->sizes.channels,
                               sb_engine_sample_rate(scene->engine), err);
    return status;
}

/* --- strikes, pushes and drives --------------------------------------------- */

/* Times of the simulation. A script may be a fraction of a step behind. */
static double event_s(const scene_deform *deform, double time_s) {
    return fmax(time_s - deform->origin_s, sb_deform_time_s(deform->sim));
}

/* While a journal is read, what happens is in it. */
static bool is_computed(const scene_deform *deform) {
    return deform->def.how != SB_DEFORM_REPLAY && deform->resume_bytes == 0;
}

static sb_status find(const sb_scene *scene, sb_body_id id, int *index,
                      sb_error *err) {
    *index = scene_deform_index(scene, id);
    if (*index >= 0) return SB_OK;
    const sb_planned *declared = &scene_body_of(scene, id)->declared;
    /* Nothing was opened: it is still and silent. */
    if (declared->def.is_deformable && !scene->has_changed_deform) return SB_OK;
    if (declared->def.is_deformable)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' has changed since it was computed: start the "
                       "scene again",
                       declared->name);
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s' is not deformable: sb.deformable makes one",
                   declared->name);
}

static void keep_busy(scene_deform *deform, double until_s) {
    if (isfinite(until_s)) deform->busy_s = fmax(deform->busy_s, until_s);
}

static void note_act(scene_deform *deform, int index, double time_s,
                     const sb_vec3 *vectors, int count) {
    scene_deform_note(deform, (double[]){index, time_s}, 2);
    for (int i = 0; i < count; i++)
        scene_deform_note(
            deform, (double[]){vectors[i].x, vectors[i].y, vectors[i].z}, 3);
}

static void note_signal(scene_deform *deform, const sb_deform_signal *signal) {
    scene_deform_note(deform, (double[]){signal->start_s, signal->freq_hz}, 2);
    scene_deform_note(deform, signal->times_s, signal->count);
    scene_deform_note(deform, signal->values, signal->count);
}

static double end_of(const sb_deform_signal *signal) {
    return signal->start_s + signal->times_s[signal->count - 1];
}

/* A known force: a half sine. */
static sb_status push_once(scene_deform *deform, int body,
                           const deform_strike *strike, sb_vec3 direction,
                           double at_s, sb_error *err) {
    double duration = strike->duration_s;
    double peak = 0.5 * SB_PI * strike->impulse_ns / duration;
    sb_deform_push_def push = {
        .body = body,
        .low_m = strike->at_m,
        .high_m = strike->at_m,
        .force_n = sb_vec3_scale(direction, peak),
        .signal = {.start_s = at_s,
                   .freq_hz = 0.5 / duration,
                   .count = 3,
                   .times_s = {0.0, duration, duration * (1.0 + 1e-9)},
                   .values = {1.0, 1.0, 0.0}}};
    return sb_deform_push(deform->sim, &push, err);
}

/* In the world, of unit length. By default straight into the surface of the
 * model: its elements have edges, whose normals lean outwards. A free body may
 * have turned; it is struck into its surface as it is then: 0. */
static sb_vec3 direction_of(const scene_body *body,
                            const deform_strike *strike) {
    const sb_body_def *def = &body->declared.def;
    const sb_model *model = body->declared.model;
    sb_vec3 d = strike->direction;
    bool is_known = strike->duration_s > 0.0 && !(strike->mass_kg > 0.0);
    if (sb_vec3_length(d) == 0.0) {
        if (def->moves.motion != SB_MOTION_FIXED && !is_known) return d;
        d = sb_vec3_scale(
            sb_model_normal(model, sb_model_nearest(model, strike->at_m)),
            -1.0);
    }
    return sb_vec3_normalised(sb_quat_turn(def->moves.rotation, d));
}

/* Strikes have the same numbers in the simulation and in its journal. */
static void expect(scene_deform *deform, const deform_strike *strike,
                   double time_s) {
    int64_t number = deform->strike_count++;
    if (strike->mass_kg > 0.0)
        deform->strikers[number % DEFORM_BLOWS] =
            (deform_blow_done){.number = number,
                               .event = strike->event,
                               .time_s = time_s,
                               .mass_kg = strike->mass_kg,
                               .inverse_mass = strike->inverse_mass,
                               .speed_in_m_s = strike->speed_m_s};
}

sb_status scene_deform_strike(sb_scene *scene, const deform_strike *strike,
                              double time_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, strike->body, &index, err);
    if (status || index < 0) return status;
    double at_s = event_s(deform, time_s);
    note_act(deform, index, time_s,
             (sb_vec3[]){strike->at_m, strike->direction}, 2);
    scene_deform_note(deform,
                      (double[]){strike->mass_kg, strike->speed_m_s,
                                 strike->stiffness, strike->impulse_ns,
                                 strike->duration_s},
                      5);
    keep_busy(deform, time_s - deform->origin_s + 0.01);
    bool is_mass = strike->mass_kg > 0.0;
    bool is_push = !is_mass && strike->duration_s > 0.0;
    bool is_played = is_computed(deform) && !deform->failure.status;
    if (!is_played && !is_push) expect(deform, strike, time_s);
    if (!is_played) return SB_OK;
    const scene_body *body = scene_body_of(scene, strike->body);
    sb_vec3 direction = direction_of(body, strike);
    if (is_push) return push_once(deform, index, strike, direction, at_s, err);
    sb_deform_strike_def def = {.body = index,
                                .at_m = strike->at_m,
                                .direction = direction,
                                .time_s = at_s,
                                .mass_kg = is_mass ? strike->mass_kg
                                                   : strike->impulse_ns,
                                .speed_m_s = is_mass ? strike->speed_m_s : 1.0,
                                .stiffness = is_mass ? strike->stiffness : 0.0};
    status = sb_deform_strike(deform->sim, &def, NULL, err);
    if (!status) expect(deform, strike, time_s);
    return status;
}

bool scene_deform_next_blow(sb_scene *scene, deform_blow_done *out) {
    scene_deform *deform = scene->deform;
    if (!deform || deform->done_count == 0) return false;
    *out = deform->done[0];
    memmove(deform->done, deform->done + 1,
            (size_t)--deform->done_count * sizeof *deform->done);
    return true;
}

sb_status sb_scene_push_deform(sb_scene *scene, sb_body_id id,
                               const sb_deform_push_def *def, double time_s,
                               sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, id, &index, err);
    if (status || index < 0) return status;
    sb_deform_push_def push = *def;
    push.body = index;
    push.signal.start_s = event_s(deform, time_s);
    note_act(deform, index, time_s,
             (sb_vec3[]){push.low_m, push.high_m, push.force_n, push.moment_nm},
             4);
    note_signal(deform, &push.signal);
    keep_busy(deform, end_of(&push.signal));
    if (!is_computed(deform) || deform->failure.status) return SB_OK;
    return sb_deform_push(deform->sim, &push, err);
}

bool sb_scene_is_driven(const sb_scene *scene, sb_body_id id) {
    return sb_scene_has(scene, id) && scene_body_of(scene, id)->is_driven;
}

sb_status sb_scene_drive_deform(sb_scene *scene, sb_body_id id,
                                const sb_deform_drive_def *def, double time_s,
                                sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, id, &index, err);
    if (status || index < 0) return status;
    sb_deform_drive_def drive = *def;
    drive.body = index;
    drive.signal.start_s = event_s(deform, time_s);
    drive.until_s = drive.signal.start_s + def->until_s;
    if (isinf(def->until_s)) scene_body_of(scene, id)->is_driven = true;
    note_act(deform, index, time_s,
             (sb_vec3[]){drive.low_m, drive.high_m, drive.displacement_m}, 3);
    scene_deform_note(
        deform, (double[]){drive.until_s, drive.is_loose, drive.is_clamped}, 3);
    note_signal(deform, &drive.signal);
    keep_busy(deform, fmin(end_of(&drive.signal), drive.until_s));
    if (!is_computed(deform) || deform->failure.status) return SB_OK;
    return sb_deform_drive(deform->sim, &drive, err);
}

/* --- what can be asked ---------------------------------------------------- */

sb_deform_info sb_scene_deform_info(const sb_scene *scene) {
    const scene_deform *deform = scene->deform;
    sb_deform_info info = {.is_changed = scene->has_changed_deform};
    if (!deform || !deform->sim) return info;
    info.is_open = true;
    info.how = deform->def.how;
    info.cost = sb_deform_cost_of(deform->sim);
    info.body_count = deform->body_count;
    info.time_s = deform->origin_s + deform->time_s;
    info.resumed_s = deform->resumed_s;
    info.kept_s = deform->kept_s;
    info.computed_s = deform->computed_s;
    info.ends_s = deform->origin_s + deform->checkpoint.time_s;
    info.is_over = deform->checkpoint.is_over;
    info.lead_frames =
        deform->def.how == SB_DEFORM_REPLAY
            ? 0
            : sb_deform_lag_frames(deform->sim) + resample_lag(&deform->sound);
    info.failure = deform->failure;
    info.remark = deform->remark;
    return info;
}

sb_deform_limit sb_scene_deform_limit(const sb_scene *scene, int index,
                                      sb_body_id *body) {
    *body = scene->deform->bodies[index];
    return sb_deform_limit_of(scene->deform->sim, index);
}

void sb_scene_deform_said(sb_scene *scene) {
    scene->has_changed_deform = false;
    if (scene->deform) scene->deform->remark = (sb_error){0};
}

/* A body that moves faster than this as a whole is going somewhere. */
#define GOING_M_S 5e-3

bool sb_scene_deform_is_moving(const sb_scene *scene) {
    const scene_deform *deform = scene->deform;
    if (!scene_deform_is_on(scene)) return false;
    if (deform->def.how == SB_DEFORM_REPLAY) return !deform->motion_is_over;
    if (deform->busy_s > deform->time_s) return true;
    for (int i = 0; i < deform->body_count; i++) {
        if (sb_vec3_length(deform->tick.places[i].velocity_m_s) > GOING_M_S)
            return true;
    }
    return false;
}

bool sb_scene_deform_surface(const sb_scene *scene, int i,
                             sb_deform_surface *out) {
    const scene_deform *deform = scene->deform;
    if (!deform || !deform->sim || i < 0 || i >= deform->body_count)
        return false;
    int first = 0;
    for (int k = 0; k < i; k++)
        first += sb_deform_surface_nodes(deform->sim, k);
    *out = (sb_deform_surface){
        .body = deform->bodies[i],
        .time_s = deform->origin_s + deform->pose_s,
        .vertex_count = sb_deform_surface_nodes(deform->sim, i),
        .vertices = deform->tick.pose + (size_t)3 * (size_t)first};
    out->faces = sb_deform_surface_faces(deform->sim, i, &out->face_count);
    return true;
}
