/* SPDX-License-Identifier: MIT */
/* Ticks: computes or reads them, plays their sound, moves the bodies. Control
 * thread. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/deform/deform.h"
#include "runtime/engine/impact_def.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

/* Processor time between checkpoints. */
#define MARK_S 10.0
/* Surfaces are kept this often. */
#define POSE_S 0.01
/* REPLAY: how much earlier than the motion the sound is read. */
#define AHEAD_S 0.25

bool scene_deform_is_on(const sb_scene *scene) {
    return scene->deform && scene->deform->sim &&
           !scene->deform->failure.status;
}

/* FNV-1a, of whole words. */
void scene_deform_note(scene_deform *deform, const double *numbers, int count) {
    uint64_t hash = deform->inputs;
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits ^ bits >> 32) * 0x100000001b3u;
    }
    deform->inputs = hash;
}

/* --- sound ---------------------------------------------------------------- */

static sb_status post(sb_scene *scene, int channel, int64_t first,
                      const float *frames, int count, sb_error *err) {
    const scene_deform *deform = scene->deform;
    sb_body_id id = deform->bodies[channel];
    if (!sb_scene_has(scene, id)) return SB_OK;
    return sb_engine_stream(scene->engine, scene_body_of(scene, id)->voice,
                            first, frames, count, err);
}

static bool is_silent(const float *frames, int count) {
    for (int i = 0; i < count; i++)
        if (frames[i] != 0.0f) return false;
    return true;
}

/* Sends all frames that are ready. */
static sb_status play(sb_scene *scene, const deform_tick *tick, sb_error *err) {
    scene_deform *deform = scene->deform;
    deform_resampler *sound = &deform->sound;
    int at = 0;
    while (at < tick->count) {
        int part = tick->count - at;
        if (part > RESAMPLE_KEPT / 2) part = RESAMPLE_KEPT / 2;
        resample_take(sound, tick->frames + at * sound->channels, part);
        at += part;
        int ready = resample_ready(sound);
        if (!sb_grow_list(deform->engine_frames, deform->engine_capacity,
                          ready))
            return sb_no_memory(err, "deformable bodies");
        int64_t first =
            llround(scene_frames(scene, deform->origin_s)) + sound->next;
        for (int c = 0; c < sound->channels && ready > 0; c++) {
            for (int i = 0; i < ready; i++)
                deform->engine_frames[i] = resample_at(sound, i, c);
            if (is_silent(deform->engine_frames, ready)) continue;
            sb_status status =
                post(scene, c, first, deform->engine_frames, ready, err);
            if (status) return status;
        }
        resample_drop(sound, ready);
    }
    return SB_OK;
}

/* --- bodies --------------------------------------------------------------- */

/* Where they are heard from. */
static void move_bodies(sb_scene *scene, double from_s, double to_s) {
    const scene_deform *deform = scene->deform;
    for (int i = 0; i < deform->body_count; i++) {
        sb_body_id id = deform->bodies[i];
        if (!sb_scene_has(scene, id)) continue;
        scene_body *body = scene_body_of(scene, id);
        const deform_place_now *now = &deform->tick.places[i];
        sb_vec3 off = sb_vec3_sub(now->centre_m, deform->begins[i]);
        sb_vec3 before = body->pose.position, v = body->pose.velocity;
        body->pose.position = sb_vec3_add(body->declared.def.position, off);
        body->pose.velocity = now->velocity_m_s;
        sb_leg leg = {.from_s = from_s,
                      .to_s = to_s,
                      .start = before,
                      .start_velocity = v,
                      .end = body->pose.position,
                      .end_velocity = body->pose.velocity,
                      .start_turn = body->pose.rotation,
                      .end_turn = body->pose.rotation};
        if (sb_vec3_length(sb_vec3_sub(leg.end, leg.start)) == 0.0 &&
            sb_vec3_length(leg.end_velocity) == 0.0)
            continue;
        /* When out of memory, it is heard from its old place. */
        sb_status status = scene_send_motion(scene, body, &leg, NULL);
        (void)status;
    }
}

/* What sounding rigid bodies felt, frame by frame, as impulses on their
 * modes. */
static void strike_rigid(sb_scene *scene) {
    const scene_deform *deform = scene->deform;
    double per_frame = sb_engine_sample_rate(scene->engine) / SB_DEFORM_RATE_HZ;
    for (int i = 0; i < deform->tick.touch_count; i++) {
        const sb_deform_touch_frame *touch = &deform->tick.touches[i];
        sb_body_id id = deform->colliders[touch->collider].body;
        if (!sb_scene_has(scene, id)) continue;
        const scene_body *body = scene_body_of(scene, id);
        if (!sb_engine_has_voice(scene->engine, body->voice)) continue;
        sb_place place = {.point = touch->point_m,
                          .has_point = true,
                          .direction = touch->impulse_ns,
                          .has_direction = true};
        scene_weights(body, &place, 1.0, scene->weights);
        sb_impact_def impact = {.impulse_ns = sb_vec3_length(touch->impulse_ns),
                                .weights = scene->weights};
        double frames = scene_frames(scene, deform->origin_s) +
                        ((double)touch->frame + 0.5) * per_frame;
        /* When the queue is full, this much of it is not heard. */
        sb_status status =
            sb_engine_strike(scene->engine, body->voice, frames, &impact, NULL);
        (void)status;
    }
}

/* --- computing ------------------------------------------------------------ */

static void set_surroundings(const sb_scene *scene, scene_deform *deform) {
    sb_vec3 ear = scene->hear.listener.position;
    if (sb_vec3_length(sb_vec3_sub(ear, deform->ear)) > 0.0) {
        deform->ear = ear;
        sb_deform_set_ear(deform->sim, ear);
    }
    for (int i = 0; i < deform->collider_count; i++) {
        const sb_deform_collider *own = &deform->colliders[i].collider;
        sb_deform_set_collider(deform->sim, i, own);
    }
}

/* The surroundings as part of what was done to the bodies. */
static void note_surroundings(const sb_scene *scene, scene_deform *deform) {
    sb_vec3 ear = scene->hear.listener.position;
    scene_deform_note(deform, (double[]){ear.x, ear.y, ear.z}, 3);
    for (int i = 0; i < deform->collider_count; i++) {
        const sb_deform_collider *c = &deform->colliders[i].collider;
        const double numbers[] = {
            c->position_m.x,   c->position_m.y,   c->position_m.z,
            c->rotation.w,     c->rotation.x,     c->rotation.y,
            c->rotation.z,     c->velocity_m_s.x, c->velocity_m_s.y,
            c->velocity_m_s.z, c->spin_rad_s.x,   c->spin_rad_s.y,
            c->spin_rad_s.z};
        scene_deform_note(deform, numbers,
                          (int)(sizeof numbers / sizeof *numbers));
    }
}

static sb_status collect_sound(scene_deform *deform, sb_error *err) {
    deform_tick *tick = &deform->tick;
    tick->first += tick->count;
    tick->count = 0;
    for (;;) {
        enum { PART = 512 };
        sb_status status =
            deform_tick_grow(tick, &deform->sizes, tick->count + PART, 0, err);
        if (status) return status;
        int got =
            sb_deform_read(deform->sim, PART,
                           tick->frames + (size_t)tick->count *
                                              (size_t)deform->sizes.channels);
        tick->count += got;
        if (got < PART) return SB_OK;
    }
}

static sb_status collect_touches(scene_deform *deform, sb_error *err) {
    deform_tick *tick = &deform->tick;
    sb_deform_touch_frame touch;
    tick->touch_count = 0;
    while (sb_deform_next_touch(deform->sim, &touch)) {
        sb_status status = deform_tick_grow(tick, &deform->sizes, 0,
                                            tick->touch_count + 1, err);
        if (status) return status;
        tick->touches[tick->touch_count++] = touch;
    }
    return SB_OK;
}

sb_status scene_deform_take_pose(scene_deform *deform, sb_error *err) {
    float *to = deform->tick.pose;
    for (int i = 0; i < deform->body_count; i++) {
        int count = sb_deform_surface_nodes(deform->sim, i);
        sb_vec3 *at = sb_alloc((size_t)count, sizeof *at);
        if (!at) return sb_no_memory(err, "deformable bodies");
        sb_deform_pose(deform->sim, i, at);
        for (int k = 0; k < count; k++) {
            *to++ = (float)at[k].x;
            *to++ = (float)at[k].y;
            *to++ = (float)at[k].z;
        }
        sb_free(at);
    }
    return SB_OK;
}

static sb_status collect_pose(scene_deform *deform, sb_error *err) {
    deform_tick *tick = &deform->tick;
    double every_s = deform->def.pose_s > 0.0 ? deform->def.pose_s : POSE_S;
    tick->has_pose = floor(deform->time_s / every_s + 1e-6) <
                     floor(tick->time_s / every_s + 1e-6);
    return tick->has_pose ? scene_deform_take_pose(deform, err) : SB_OK;
}

static void collect_blows(scene_deform *deform) {
    deform_tick *tick = &deform->tick;
    tick->blow_count = 0;
    for (int i = 0; i < DEFORM_BLOWS; i++) {
        const deform_blow_done *striker = &deform->strikers[i];
        if (striker->event == 0) continue;
        sb_deform_blow blow =
            sb_deform_blow_of(deform->sim, (int)striker->number);
        if (blow.is_over)
            tick->blows[tick->blow_count++] = (deform_blow){
                striker->number, blow.contact_s, blow.impulse_ns, blow.peak_n};
    }
}

/* Strikers that are over, by the tick: computed, or read from the journal. */
static void end_strikers(scene_deform *deform) {
    for (int i = 0; i < deform->tick.blow_count; i++) {
        const deform_blow *blow = &deform->tick.blows[i];
        deform_blow_done *striker =
            &deform->strikers[(uint64_t)blow->number % DEFORM_BLOWS];
        if (striker->event == 0 || striker->number != blow->number ||
            deform->done_count == DEFORM_BLOWS)
            continue;
        double yields = 1.0 / striker->mass_kg + striker->inverse_mass;
        striker->contact_s = blow->contact_s;
        striker->impulse_ns = blow->impulse_ns;
        striker->peak_n = blow->peak_n;
        striker->speed_out_m_s =
            blow->impulse_ns * yields - striker->speed_in_m_s;
        deform->done[deform->done_count++] = *striker;
        striker->event = 0;
    }
}

static sb_status collect(scene_deform *deform, double to_s, sb_error *err) {
    deform_tick *tick = &deform->tick;
    tick->time_s = to_s;
    tick->inputs = deform->inputs;
    sb_status status = collect_sound(deform, err);
    if (!status) status = collect_touches(deform, err);
    if (!status) status = collect_pose(deform, err);
    collect_blows(deform);
    for (int i = 0; i < deform->collider_count; i++)
        tick->reactions[i] = sb_deform_take_reaction(deform->sim, i);
    for (int i = 0; i < deform->body_count; i++)
        tick->places[i].centre_m =
            sb_deform_centre(deform->sim, i, &tick->places[i].velocity_m_s);
    return status;
}

/* --- the journal ---------------------------------------------------------- */

/* Without a journal the work goes on; that is said once. */
static void give_up_journal(scene_deform *deform, const sb_error *err) {
    (void)sb_fail(&deform->remark, err->status,
                  "%.400s; the work goes on, but it cannot be resumed",
                  err->message);
    journal_close(&deform->journal);
}

void scene_deform_mark(scene_deform *deform, bool is_over) {
    /* In the middle of a tick the state does not fit the journal. */
    if (!deform->journal.file || deform->failure.status || deform->is_torn)
        return;
    size_t bytes = sb_deform_state_bytes(deform->sim);
    deform_checkpoint mark = {.journal_bytes = deform->journal.bytes,
                              .time_s = deform->tick.time_s,
                              .inputs = deform->inputs,
                              .is_over = is_over,
                              .state = sb_alloc_aligned(bytes),
                              .state_bytes = bytes};
    sb_error err;
    sb_status status;
    if (mark.state) {
        sb_deform_save(deform->sim, mark.state);
        status = journal_mark(&deform->journal, &mark, &err);
        sb_free(mark.state);
    } else {
        status = sb_no_memory(&err, "checkpoint");
    }
    if (status) {
        give_up_journal(deform, &err);
    } else {
        deform->kept_s = deform->tick.time_s;
    }
    deform->marked_s = deform->computed_s;
}

static void keep(scene_deform *deform) {
    sb_error err;
    double every_s = deform->def.mark_s > 0.0 ? deform->def.mark_s : MARK_S;
    if (!deform->journal.file) return;
    if (journal_write(&deform->journal, &deform->tick, &err)) {
        give_up_journal(deform, &err);
    } else if (deform->computed_s - deform->marked_s >= every_s) {
        scene_deform_mark(deform, false);
    }
}

static sb_status compute(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    set_surroundings(scene, deform);
    double from = sb_clock_process_s();
    sb_error reason;
    sb_status status = sb_deform_reach(deform->sim, to_s, &reason);
    deform->computed_s += sb_clock_process_s() - from;
    deform->is_torn = status == SB_INTERRUPTED;
    if (deform->is_torn) return sb_fail(err, status, "%s", reason.message);
    if (status) {
        deform->failure = reason;
        return SB_OK;
    }
    return collect(deform, to_s, err);
}

/* The next tick of an interrupted render; at its checkpoint the state is
 * restored. */
static sb_status recall(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    bool is_read = journal_read(&deform->journal, &deform->tick);
    if (!is_read || deform->tick.time_s != to_s ||
        deform->tick.inputs != deform->inputs)
        return sb_fail(err, SB_BAD_FORMAT,
                       "--resume: the scene is not the one that was "
                       "interrupted: it differs at %.4g s; leave --resume out",
                       deform->time_s);
    if (deform->journal.bytes < deform->resume_bytes) return SB_OK;
    deform->resume_bytes = 0;
    deform->resumed_s = to_s;
    sb_status status = sb_deform_restore(deform->sim, deform->checkpoint.state,
                                         deform->checkpoint.state_bytes, err);
    sb_free(deform->checkpoint.state);
    deform->checkpoint.state = NULL;
    if (!status) status = journal_cut(&deform->journal, err);
    return status;
}

/* --- replaying in real time ----------------------------------------------- */

static sb_status play_ahead(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    while (!deform->ahead_is_over && deform->ahead_tick.time_s < to_s) {
        if (!journal_read(&deform->ahead, &deform->ahead_tick)) {
            deform->ahead_is_over = true;
            return SB_OK;
        }
        sb_status status = play(scene, &deform->ahead_tick, err);
        if (status) return status;
    }
    return SB_OK;
}

static void add_reaction(sb_deform_reaction *sum,
                         const sb_deform_reaction *more) {
    sum->impulse_ns = sb_vec3_add(sum->impulse_ns, more->impulse_ns);
    sum->moment_nms = sb_vec3_add(sum->moment_nms, more->moment_nms);
    sum->velocity_m_s = sb_vec3_add(sum->velocity_m_s, more->velocity_m_s);
    sum->spin_rad_s = sb_vec3_add(sum->spin_rad_s, more->spin_rad_s);
    sum->shift_m = sb_vec3_add(sum->shift_m, more->shift_m);
    sum->turn_rad = sb_vec3_add(sum->turn_rad, more->turn_rad);
}

/* The ticks of the journal up to a time; reactions of all of them together. */
static void replay_motion(sb_scene *scene, double to_s) {
    scene_deform *deform = scene->deform;
    deform_tick *tick = &deform->tick;
    sb_deform_reaction sums[SB_DEFORM_COLLIDERS];
    bool has_pose = false;
    memset(sums, 0, sizeof sums);
    while (!deform->motion_is_over && tick->time_s < to_s - 1e-9) {
        deform->motion_is_over = !journal_read(&deform->journal, tick);
        if (deform->motion_is_over) break;
        has_pose |= tick->has_pose;
        for (int i = 0; i < deform->collider_count; i++)
            add_reaction(&sums[i], &tick->reactions[i]);
        strike_rigid(scene);
        end_strikers(deform);
    }
    memcpy(tick->reactions, sums,
           (size_t)deform->collider_count * sizeof *tick->reactions);
    tick->touch_count = tick->blow_count = 0;
    tick->has_pose = has_pose;
}

/* --- a tick --------------------------------------------------------------- */

static sb_status take(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    if (deform->def.how == SB_DEFORM_REPLAY) {
        replay_motion(scene, to_s);
        return play_ahead(scene, to_s + AHEAD_S, err);
    }
    note_surroundings(scene, deform);
    bool is_recalled = deform->resume_bytes > 0;
    sb_status status =
        is_recalled ? recall(scene, to_s, err) : compute(scene, to_s, err);
    if (status || deform->failure.status) return status;
    if (!is_recalled) keep(deform);
    if (is_recalled && deform->resumed_s > 0.0) deform->kept_s = to_s;
    return play(scene, &deform->tick, err);
}

sb_status scene_deform_advance(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    double from_s = deform->origin_s + deform->time_s;
    double tick_s = to_s - deform->origin_s;
    if (!(tick_s > deform->time_s)) return SB_OK;
    sb_status status = take(scene, tick_s, err);
    if (status || deform->failure.status) return status;
    deform->time_s = tick_s;
    if (deform->tick.has_pose) deform->pose_s = tick_s;
    if (deform->tick.has_pose && deform->def.posed)
        deform->def.posed(deform->def.user, scene);
    move_bodies(scene, from_s, to_s);
    strike_rigid(scene);
    end_strikers(deform);
    return SB_OK;
}
