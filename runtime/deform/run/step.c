/* The loop over steps, on all members of the team (deform_internal.h). Thread:
 * the one that calls sb_deform_advance, and those that it starts. */

#include "runtime/base/clock.h"
#include "runtime/deform/contact/beads.h"
#include "runtime/deform/contact/deform_touch.h"
#include "runtime/deform/sound/sound.h"

#include <math.h>

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
    sb_team_share(team, member, deform->group_chunk_count, &first, &last);
    for (int c = first; c < last; c++) {
        deform_group_forces(deform, c, step % CHECK_STEPS == 0);
    }
}

static void nodes(sb_deform *deform, const sb_team *team, int member,
                  int64_t step) {
    int first, last;
    sb_team_share(team, member, deform->node_chunk_count, &first, &last);
    for (int c = first; c < last; c++) {
        deform_move_chunk(deform, c, step);
    }
}

/* Damping by mass, once in some steps: exact for each body as a whole. */
static void find_rigid(sb_deform *deform) {
    for (int b = 0; b < deform->body_count; b++) {
        if (!is_braked(&deform->bodies[b])) continue;
        deform_rigid rigid = deform_rigid_of(deform, b);
        deform->rigid[b] = rigid;
        if (deform->bodies[b].rigid == RIGID_FREE)
            deform->state->accounts[b].about = rigid.about;
    }
}

static void brake(sb_deform *deform, const sb_team *team, int member) {
    int first, last;
    sb_team_share(team, member, deform->node_chunk_count, &first, &last);
    for (int c = first; c < last; c++) {
        int body = deform->node_chunks[c].body;
        if (is_braked(&deform->bodies[body]))
            deform_brake_chunk(deform, c, &deform->rigid[body]);
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
    for (int body = member; body < own->body_count; body += team->count) {
        deform_sound_mean(deform, body);
        deform_sound_bend(deform, body, batch);
    }
    sb_team_wait(team);
    deform_sound_sources(deform, first, last);
    sb_team_wait(team);
    for (int ring = member; ring < own->ring_count; ring += team->count) {
        if (deform->is_source)
            deform_sound_leave(deform, ring, batch);
        else
            deform_sound_hear(deform, ring, batch);
    }
    /* The next batch is far away: no barrier is needed. */
}

/* What the triangles of sheets do not resolve is damped. */
static void smooth(sb_deform *deform, sb_team *team, int member) {
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        int first, last;
        sb_team_share(team, member, deform->group_chunk_count, &first, &last);
        for (int c = first; c < last; c++) {
            deform_smooth_elements(deform, c, round);
        }
        sb_team_wait(team);
        sb_team_share(team, member, deform->node_chunk_count, &first, &last);
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
            (deform->has_alpha && step % deform->alpha_steps == 0)) {
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
        if (deform->smooth_steps > 0 && step % deform->smooth_steps == 0)
            smooth(deform, team, member);
        if (deform->sound && deform_sound_is_due(deform, step, &batch))
            sound(deform, team, member, batch);
    }
}

/* The last step of a batch, plus one. */
static int64_t steps_for(const sb_deform *deform, int64_t batches) {
    int64_t fine = FINE_BATCH * batches - FINE_PER_FRAME + SOUND_HALF;
    return fine * deform->fine_steps;
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
bool deform_steps(sb_deform *deform, int64_t last) {
    enum { TRIAL = 64, SEGMENT = 1024, BETWEEN = 4096 };
    state_head *state = deform->state;
    bool is_stopped = false;
    while (state->step < last && !state->failure.status && !is_stopped) {
        bool is_trial = state->step >= deform->trial_step;
        bool is_team = deform->threads > 1 &&
                       (deform->team_s <= deform->alone_s) != is_trial;
        int64_t next = state->step + (is_trial ? TRIAL : SEGMENT);
        if (is_trial) deform->trial_step = next + BETWEEN;
        run_segment(deform, next < last ? next : last,
                    is_team ? deform->threads : 1,
                    is_team ? &deform->team_s : &deform->alone_s);
        is_stopped = state->step < last && must_stop(deform);
    }
    if (!state->failure.status) {
        if (deform->colliders) deform_colliders_settle(deform, state->step);
        state->frames =
            deform_sound_frames(deform, state->step / deform->fine_steps + 1);
    }
    return !is_stopped;
}

bool deform_run(sb_deform *deform, int64_t frames) {
    int64_t all = frames + (deform->sound ? deform->sound->lead : 0);
    int64_t batches = (all + FRAMES_BATCH - 1) / FRAMES_BATCH;
    if (frames <= deform->state->frames) return true;
    return deform_steps(deform, steps_for(deform, batches));
}
