/* SPDX-License-Identifier: MIT */
/* Creation, the loop over steps on all members of the team, and time (deform.h).
 * Thread: as deform.h; the loop also those that it starts. */
#include "runtime/deform/deform.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/deform/contact/beads.h"
#include "runtime/deform/contact/deform_touch.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"
#include "runtime/deform/sound/sound_modes.h"
#include "runtime/model/linear/workers.h"

#include <math.h>

/* Shares of the limit 2 / w_max. Damping by stiffness lowers the limit to 0.88,
 * contacts need some more. */
static const double step_share = 0.85, step_share_contact = 0.8;

sb_deform_def sb_deform_def_default(void) {
    return (sb_deform_def){.air_density = 1.204, .speed_of_sound_m_s = 343.2};
}

sb_deform_body_def sb_deform_body_def_default(void) {
    const sb_material *steel = sb_material_find("steel");
    sb_deform_body_def def = {.rotation = sb_quat_identity()};
    if (steel) def.material = *steel;
    return def;
}

static sb_status check(const sb_deform_def *def, sb_error *err) {
    if (def->body_count < 1 || def->body_count > SB_DEFORM_BODIES)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: 1 to %d, got %d",
                       (int)SB_DEFORM_BODIES, def->body_count);
    if (def->collider_count < 0 || def->collider_count > SB_DEFORM_COLLIDERS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: at most %d colliders, got %d",
                       (int)SB_DEFORM_COLLIDERS, def->collider_count);
    if (!(def->air_density > 0) || !(def->speed_of_sound_m_s > 1) ||
        !isfinite(def->air_density) || !isfinite(def->speed_of_sound_m_s))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: air needs a density and a speed of "
                       "sound above 0");
    return SB_OK;
}

/* A mode that swings exactly once or half between two applications of damping
 * by mass may have no velocity at each of them. That must be above 40 kHz. */
static const double alpha_s = 12.5e-6;

/* In which what hovers loses its motion as a whole. */
static const double hover_s = 0.03;

static void choose_step(sb_deform *deform, double limit_s, double given_s) {
    bool touches = deform->collider_count > 0 || deform->touch;
    double share = touches ? step_share_contact : step_share;
    double step = given_s > 0 ? given_s : share * limit_s;
    deform->fine_steps = (int)fmax(1, ceil(1 / (FINE_RATE_HZ * step) - 1e-9));
    deform->step_s = 1.0 / ((double)FINE_RATE_HZ * deform->fine_steps);
    double dt = deform->step_s;
    deform->brake.steps = ALPHA_STEPS;
    while (deform->brake.steps > 1 && deform->brake.steps * dt > alpha_s) {
        deform->brake.steps /= 2;
    }
    for (int b = 0; b < deform->body_count; b++) {
        deform_body *body = &deform->bodies[b];
        double beta = body->material.beta;
        body->alpha_keep =
            exp(-body->material.alpha * deform->brake.steps * dt);
        bool drifts = body->hovers && body->rigid == RIGID_FREE;
        body->rigid_keep =
            drifts ? exp(-deform->brake.steps * dt / hover_s) : 1;
        if (is_braked(body)) deform->brake.is_on = true;
        if (beta > 0) {
            body->rate = -expm1(-dt / (4 * beta));
            body->gain = beta * body->rate / dt;
        }
    }
}

static sb_status make(sb_deform *deform, const sb_deform_def *def,
                      sb_error *err) {
    double omega = 0;
    sb_status status = deform_build(deform, def, err);
    if (!status) deform_centre_make(deform);
    if (!status && def->collider_count > 0)
        status = deform_colliders_make(deform, def, err);
    if (!status && def->bodies_touch) status = deform_touch_make(deform, err);
    if (!status) status = deform_sound_make(deform, def, err);
    if (!status) status = deform_state_make(deform, def, err);
    if (!status) status = deform_find_limit(deform, &omega, err);
    if (status) return status;
    choose_step(deform, 2 / omega, def->step_s);
    deform_smooth_set(deform);
    status = deform_sound_begin(deform, err);
    if (!status) deform_state_seal(deform);
    return status;
}

sb_status sb_deform_create(const sb_deform_def *def, sb_deform **out,
                           sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    const sb_deform_kernel *kernel =
        sb_deform_kernel_choose(def->instruction_set);
    if (!kernel)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: no instruction set \"%s\" here",
                       def->instruction_set);
    sb_deform *deform = sb_alloc(1, sizeof *deform);
    if (!deform) return deform_no_memory(err);
    deform->kernel = kernel;
    deform->threads = def->threads > 0 ? def->threads : sb_workers_default();
    deform->pace.team_s = deform->pace.alone_s = INFINITY;
    deform->pace.trial_step = CHECK_STEPS;
    deform->gravity_m_s2 = def->gravity_m_s2;
    deform->collider_count = def->collider_count;
    deform->has_ear = def->ear_m != NULL;
    deform->must_stop = def->must_stop;
    deform->air_density = def->air_density;
    deform->speed_of_sound_m_s = def->speed_of_sound_m_s;
    status = make(deform, def, err);
    if (status) {
        sb_deform_destroy(deform);
        return status;
    }
    *out = deform;
    return SB_OK;
}

void sb_deform_destroy(sb_deform *deform) {
    if (!deform) return;
    sb_free_all(deform->bodies, deform->arrays, deform->state);
    deform_sound_free(deform);
    deform_touch_free(deform);
    deform_colliders_free(deform);
    sb_free(deform);
}

/* ns per element and step, and per triangle, ear and frame: see `sandbell
 * bench deformable`. */
sb_deform_cost sb_deform_cost_of(const sb_deform *deform) {
    sb_deform_cost cost = {.step_s = deform->step_s,
                           .steps_per_s = 1 / deform->step_s,
                           .bytes = deform->bytes,
                           .node_count = deform->node_count};
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        if (body->is_sheet)
            cost.triangle_count += body->element_count;
        else
            cost.tet_count += body->element_count;
    }
    cost.seconds_per_s = cost.steps_per_s *
                         (55e-9 * cost.tet_count + 45e-9 * cost.triangle_count);
    if (!deform->sound) return cost;
    cost.surface_count = deform->sound->face_count;
    cost.seconds_per_s += SB_DEFORM_RATE_HZ * 40e-9 * cost.surface_count * 3 +
                          cost.steps_per_s * 2e-9 * deform->sound->node_count;
    return cost;
}

sb_deform_limit sb_deform_limit_of(const sb_deform *deform, int body) {
    const deform_sound *sound = deform->sound;
    if (!sound) return (sb_deform_limit){INFINITY, INFINITY};
    double flat = deform->bodies[body].limit_hz;
    return (sb_deform_limit){flat, fmax(flat, sound->highest_hz[body])};
}

/* --- the loop over steps -------------------------------------------------- */

typedef struct run {
    sb_deform *deform;
    int64_t last; /* step at which to stop; earlier if that is asked for */
    /* Written by member 0 before the barrier that the others read it after, and
     * not again before the next: all members leave after the same step. The
     * failure itself may change as soon as member 0 has gone on. */
    bool has_failed;
} run;

static void fail_touch(sb_deform *deform, int most, int64_t step) {
    (void)sb_fail(&deform->state->failure, SB_NO_CONVERGENCE,
                  "deformable bodies: more than %d places could touch at %.6g "
                  "s: use fewer elements where bodies meet",
                  most, (double)step * deform->step_s);
}

static void elements(sb_deform *deform, const sb_team *team, int member,
                     int64_t step) {
    int first, last;
    if (member == 0) {
        deform_load(deform, step);
        if (deform->colliders && !deform_colliders_begin(deform, step))
            fail_touch(deform, deform->colliders->beads->most, step);
        if (deform->touch && !deform_touch_bodies(deform, step))
            fail_touch(deform, deform->touch->most, step);
    }
    sb_team_share(team, member, deform->chunks.group_count, &first, &last);
    for (int c = first; c < last; c++) {
        deform_group_forces(deform, c, step % CHECK_STEPS == 0);
    }
}

static void nodes(sb_deform *deform, const sb_team *team, int member,
                  int64_t step) {
    int first, last;
    sb_team_share(team, member, deform->chunks.node_count, &first, &last);
    for (int c = first; c < last; c++) {
        deform_move_chunk(deform, c, step);
    }
}

/* Damping by mass, once in some steps: exact for each body as a whole. */
static void find_rigid(sb_deform *deform) {
    for (int b = 0; b < deform->body_count; b++) {
        if (!is_braked(&deform->bodies[b])) continue;
        deform_rigid rigid = deform_rigid_of(deform, b);
        deform->brake.rigid[b] = rigid;
        if (deform->bodies[b].rigid == RIGID_FREE)
            deform->state->accounts[b].about = rigid.about;
    }
}

static void brake(sb_deform *deform, const sb_team *team, int member) {
    int first, last;
    sb_team_share(team, member, deform->chunks.node_count, &first, &last);
    for (int c = first; c < last; c++) {
        int body = deform->chunks.nodes[c].body;
        if (is_braked(&deform->bodies[body]))
            deform_brake_chunk(deform, c, &deform->brake.rigid[body]);
    }
}

static void sound(sb_deform *deform, sb_team *team, int member, int64_t batch) {
    const deform_sound *own = deform->sound;
    int first, last;
    sb_team_share(team, member, own->node_count, &first, &last);
    deform_sound_filter(deform, first, last);
    sb_team_wait(team);
    sb_team_share(team, member, own->face_count, &first, &last);
    deform_sound_faces(deform, first, last);
    sb_team_wait(team);
    if (own->modes) {
        int low, high;
        sb_team_share(team, member, deform_sound_mode_count(own), &low, &high);
        deform_sound_modes_read(deform, low, high);
        sb_team_wait(team);
        deform_sound_modes_rest(deform, first, last);
        sb_team_wait(team);
    }
    for (int body = member; body < own->body_count; body += team->count) {
        deform_sound_mean(deform, body);
        deform_sound_bend(deform, body, batch);
    }
    sb_team_wait(team);
    deform_sound_sources(deform, first, last);
    sb_team_wait(team);
    for (int body = member; body < own->body_count; body += team->count) {
        deform_sound_leave(deform, body, batch);
    }
    /* The next batch is far away: no barrier is needed. */
}

/* What the triangles of sheets do not resolve is damped. */
static void smooth(sb_deform *deform, sb_team *team, int member) {
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        int first, last;
        sb_team_share(team, member, deform->chunks.group_count, &first, &last);
        for (int c = first; c < last; c++) {
            deform_smooth_elements(deform, c, round);
        }
        sb_team_wait(team);
        sb_team_share(team, member, deform->chunks.node_count, &first, &last);
        for (int c = first; c < last; c++) {
            deform_smooth_nodes(deform, c, round);
        }
        sb_team_wait(team);
    }
}

static bool must_stop(const sb_deform *deform) {
    return deform->must_stop && atomic_load(deform->must_stop);
}

static void take_steps(void *context, sb_team *team, int member) {
    run *own = context;
    sb_deform *deform = own->deform;
    for (int64_t step = deform->state->step; step < own->last; step++) {
        int64_t batch;
        elements(deform, team, member, step);
        sb_team_wait(team);
        nodes(deform, team, member, step);
        sb_team_wait(team);
        if (step % CHECK_STEPS == 0 ||
            (deform->brake.is_on && step % deform->brake.steps == 0)) {
            if (member == 0) {
                deform->state->step = step;
                if (step % CHECK_STEPS == 0) (void)deform_check(deform);
                find_rigid(deform);
                if (must_stop(deform)) own->last = step + 1;
                own->has_failed = deform->state->failure.status != SB_OK;
            }
            sb_team_wait(team);
            if (own->has_failed) return;
            brake(deform, team, member);
            sb_team_wait(team); /* others read these nodes */
        }
        if (deform->smoothing.steps > 0 && step % deform->smoothing.steps == 0)
            smooth(deform, team, member);
        if (deform->sound && deform_sound_is_due(deform, step, &batch))
            sound(deform, team, member, batch);
    }
}

/* One thread or all of them, up to a step; keeps the time that a step took. */
static void run_segment(sb_deform *deform, int64_t last, int threads,
                        double *pace_s) {
    run own = {.deform = deform, .last = last};
    state_head *state = deform->state;
    int64_t first = state->step;
    double from = sb_clock_s();
    sb_team_run(threads, take_steps, &own);
    if (state->failure.status) return;
    state->step = own.last;
    double now = (sb_clock_s() - from) / (double)(own.last - first);
    *pace_s = isfinite(*pace_s) ? 0.5 * (*pace_s + now) : now;
}

/* On a busy machine, threads that wait for each other at every step are slower
 * than one alone: the faster way is taken, and the other tried from time to
 * time. The result is the same. */
static bool take_all(sb_deform *deform, int64_t last) {
    enum { TRIAL = 64, SEGMENT = 1024, BETWEEN = 4096 };
    state_head *state = deform->state;
    bool is_stopped = false;
    while (state->step < last && !state->failure.status && !is_stopped) {
        bool is_trial = state->step >= deform->pace.trial_step;
        bool is_team =
            deform->threads > 1 &&
            (deform->pace.team_s <= deform->pace.alone_s) != is_trial;
        int64_t next = state->step + (is_trial ? TRIAL : SEGMENT);
        if (is_trial) deform->pace.trial_step = next + BETWEEN;
        run_segment(deform, next < last ? next : last,
                    is_team ? deform->threads : 1,
                    is_team ? &deform->pace.team_s : &deform->pace.alone_s);
        is_stopped = state->step < last && must_stop(deform);
    }
    if (!state->failure.status) {
        if (deform->colliders) deform_colliders_settle(deform, state->step);
        state->frames =
            deform_sound_frames(deform, state->step / deform->fine_steps + 1);
    }
    return !is_stopped;
}

/* --- time ----------------------------------------------------------------- */

static sb_status failure_of(const sb_deform *deform, sb_error *err) {
    const sb_error *failure = &deform->state->failure;
    if (!failure->status) return SB_OK;
    return sb_fail(err, failure->status, "%s", failure->message);
}

static sb_status end_of(const sb_deform *deform, bool is_done, sb_error *err) {
    if (deform->state->failure.status || is_done)
        return failure_of(deform, err);
    return sb_fail(err, SB_INTERRUPTED,
                   "deformable bodies: stopped on the way at %.6g s",
                   sb_deform_time_s(deform));
}

static sb_status check_unread(const sb_deform *deform, double frames,
                              sb_error *err) {
    int64_t read = deform->state->frames_read;
    if (deform->colliders &&
        !deform_heard_has_room(deform, frames + sb_deform_lag_frames(deform)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: read the touches of colliders that "
                       "are heard before going on for more than %d frames",
                       (int)HEARD_FRAMES);
    if (!deform->sound || frames <= (double)read + SOUND_UNREAD_MOST)
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "deformable bodies: read the sound that is complete before "
                   "going on for more than %d frames",
                   (int)SOUND_UNREAD_MOST);
}

sb_status sb_deform_reach(sb_deform *deform, double time_s, sb_error *err) {
    if (!(time_s <= 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: no time to reach: %g s", time_s);
    sb_status status = check_unread(deform, time_s * SB_DEFORM_RATE_HZ, err);
    if (status) return status;
    int64_t last = llround(time_s / deform->step_s);
    return end_of(deform, take_all(deform, last), err);
}

double sb_deform_time_s(const sb_deform *deform) {
    return (double)deform->state->step * deform->step_s;
}
