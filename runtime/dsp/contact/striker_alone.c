/* SPDX-License-Identifier: MIT */
/* A single striker near the surface: the result of link_block.c in less time.
 * In the air many frames are predicted at once, and in contact the next force
 * is computed while the modes advance under the last one. Thread: audio. */
#include "runtime/dsp/contact/link_internal.h"
#include "runtime/dsp/contact/record.h"
#include "runtime/dsp/contact/striker.h"

/* Frames to predict in the air. Those after a touch are computed in vain. */
enum { WATCH = 32 };

typedef struct lone {
    sb_striker *striker;
    sb_modal_field *field;
    float *out;
    const sb_link_side *side;
    sb_impact_log *log;
    striker_when step;
    double gravity_m_s2;
    double per_mass; /* 1 / m */
    double per_step; /* 1 / h */
    double give;     /* m/N in a step, of striker and body */
    double later;    /* and in the next step, of the body alone */
    double before_m; /* depth one step ago */
    double behind_n; /* force of the step by which the field is behind */
} lone;

/* Returns the motion of the surface in the first step without a force. */
static double aim(lone *l) {
    const sb_striker *s = l->striker;
    double h = l->step.h, loose = l->per_mass + s->inverse_mass;
    sb_modal_aim body =
        l->field->loops->aim(l->field, &l->field->part, s->weights);
    l->give = body.give + 0.5 * h * h * loose;
    l->later = body.later;
    return body.moved_m;
}

/* The law's force at the start of the step, where the velocity is known by now.
 * Mean forces alone would miss the peak between two of them. */
static inline double force_before(const lone *l, double depth_m) {
    const sb_striker *s = l->striker;
    if (s->phase != SB_STRIKER_TOUCHING) return 0.0;
    double speed_m_s = (depth_m - l->before_m) * (0.5 * l->per_step);
    return sb_contact_force(&s->law, s->depth_m, speed_m_s);
}

/* Advance to the end of a step with this mean force, depth and closing speed.
 * `beside_n` is another value of the force, for the peak. */
static inline void follow(lone *l, double force, double depth, double closing,
                          double beside_n) {
    sb_striker *s = l->striker;
    double h = l->step.h;
    if (force > 0.0 && s->phase != SB_STRIKER_TOUCHING)
        striker_touch(s, l->step);
    s->velocity_m_s += h * (l->gravity_m_s2 - force * l->per_mass);
    s->body_velocity_m_s += h * force * s->inverse_mass;
    s->depth_m = depth;
    s->closing_m_s = closing;
    s->force_change_before_n = s->force_change_n;
    s->force_change_n = force - s->force_n;
    s->force_n = force;
    if (s->phase != SB_STRIKER_TOUCHING) return;
    striker_measure(s, force, beside_n, h);
    if (depth > 0.0) return;
    striker_come_off(s, h, l->step.frame, true, l->log);
}

/* Add the force of a step that begins at `frame` to the side's record. */
static inline void record(const lone *l, double frame, double force) {
    if (!l->side->record) return;
    sb_record_add(l->side->record, frame, 1.0 / l->field->parts,
                  (double)l->side->record_gain * l->step.h * force);
}

/* A step with the free depth `free_m` at its end: find the mean force, and
 * advance the striker. */
static inline void press(lone *l, double free_m) {
    sb_striker *s = l->striker;
    double h = l->step.h, force = 0.0, from = s->depth_m, depth = free_m;
    if (from > 0.0 || depth > 0.0) {
        force = sb_contact_gradient(&s->law, h, from, depth, l->give,
                                    s->force_n + 2.0 * s->force_change_n -
                                        s->force_change_before_n,
                                    NULL);
        depth -= l->give * force;
    }
    follow(l, force, depth, (depth - from) * l->per_step,
           force_before(l, depth));
    record(l, l->step.frame, force);
    l->before_m = from;
    l->behind_n = force;
}

/* The depth at the end of a step without a force in which the free surface
 * moves by moved_m. */
static inline double without_force(const lone *l, double moved_m) {
    const sb_striker *s = l->striker;
    double h = l->step.h, v = s->velocity_m_s - s->body_velocity_m_s;
    return s->depth_m + h * (v + 0.5 * l->gravity_m_s2 * h) - moved_m;
}

static void aim_hold(const lone *l, double ahead_m, sb_modal_hold *hold) {
    const sb_striker *s = l->striker;
    hold->stiffness = s->law.stiffness;
    hold->lambda = s->law.lambda;
    hold->give = l->give;
    hold->later = l->later;
    hold->yield = l->per_mass + s->inverse_mass;
    hold->gravity_m_s2 = l->gravity_m_s2;
    hold->depth_m = s->depth_m;
    hold->speed_m_s = s->velocity_m_s - s->body_velocity_m_s;
    hold->ahead_m = ahead_m;
    hold->force_n[0] = s->force_n;
    hold->force_n[1] = s->force_n - s->force_change_n;
    hold->force_n[2] = hold->force_n[1] - s->force_change_before_n;
}

/* The present position: a frame and a part of it. */
typedef struct moment {
    int frame, part;
} moment;

static inline void next_moment(moment *at, int parts) {
    at->part++;
    if (at->part < parts) return;
    at->part = 0;
    at->frame++;
}

/* Account for the steps of `hold`, from `at` on. */
static void book(lone *l, const sb_modal_hold *hold, int count, moment *at) {
    sb_striker *s = l->striker;
    const double h = l->step.h;
    double sum = 0.0, most = s->contact.peak_force_n;
    double x0 = s->depth_m, before = l->before_m;
    double frames = 1.0 / l->field->parts;
    for (int i = 0; i < count; i++, next_moment(at, l->field->parts)) {
        double force = hold->forces_n[i], x1 = hold->depths_m[i];
        double speed = (x1 - before) * (0.5 * l->per_step);
        double beside = sb_contact_force(&s->law, x0, speed);
        if (force > most) most = force;
        if (beside > most) most = beside;
        sum += force;
        before = x0;
        x0 = x1;
        if (at->part == 0) l->out[at->frame] += hold->heard[i];
        record(l, at->frame + at->part * frames, force);
    }
    if (count == 0) return;
    double steps_s = h * count;
    s->contact.peak_force_n = most;
    s->contact.impulse_ns += h * sum;
    s->contact.duration_s += steps_s;
    s->touching_s += steps_s;
    s->velocity_m_s += l->gravity_m_s2 * steps_s - h * sum * l->per_mass;
    s->body_velocity_m_s += h * sum * s->inverse_mass;
    s->closing_m_s = (x0 - before) * l->per_step;
    s->depth_m = x0;
    l->before_m = before;
    l->behind_n = hold->forces_n[count - 1];
    for (int i = count < 3 ? 0 : count - 3; i < count; i++) {
        s->force_change_before_n = s->force_change_n;
        s->force_change_n = hold->forces_n[i] - s->force_n;
        s->force_n = hold->forces_n[i];
    }
}

/* Take steps in one call for as long as they converge at once. Returns the
 * motion of the surface ahead; `at` is the next step. */
static double hold_on(lone *l, double ahead_m, sb_modal_hold *hold,
                      moment *at) {
    int left = (SB_BLOCK_FRAMES - at->frame) * l->field->parts - at->part;
    int steps = left < SB_MODAL_HOLD_STEPS ? left : SB_MODAL_HOLD_STEPS;
    aim_hold(l, ahead_m, hold);
    int done = l->field->loops->hold(l->field, &l->field->part,
                                     l->striker->weights, hold, steps);
    book(l, hold, done, at);
    if (!hold->is_open) return hold->ahead_m;
    l->step.frame = at->frame + at->part * (1.0 / l->field->parts);
    if (at->part == 0) l->out[at->frame] += hold->heard[done];
    press(l, hold->free_m);
    next_moment(at, l->field->parts);
    return hold->ahead_m;
}

/* A single step. */
static double step_on(lone *l, double ahead_m, moment *at) {
    double free_m = without_force(l, ahead_m + l->later * l->behind_n);
    sb_point_motion ahead = l->field->loops->press(
        l->field, &l->field->part, l->striker->weights, l->behind_n);
    l->step.frame = at->frame + at->part * (1.0 / l->field->parts);
    if (at->part == 0) l->out[at->frame] += (float)ahead.heard;
    press(l, free_m);
    next_moment(at, l->field->parts);
    return ahead.moved_m;
}

/* Play frame `n` and the following for as long as it touches. Returns the next
 * frame. The field is one step behind all the time. */
static int press_on(lone *l, int n) {
    sb_modal_field *field = l->field;
    const sb_striker *s = l->striker;
    sb_modal_hold hold;
    moment at = {n, 0};
    double moved_m = aim(l);
    sb_point_motion ahead = field->loops->ahead(field);
    double ahead_m = ahead.moved_m;
    l->step.frame = n;
    l->out[n] += (float)ahead.heard;
    l->before_m = s->depth_m - l->step.h * s->closing_m_s;
    press(l, without_force(l, moved_m));
    next_moment(&at, field->parts);
    while (at.frame < SB_BLOCK_FRAMES) {
        bool is_touching = s->phase == SB_STRIKER_TOUCHING;
        if (at.part == 0 && !is_touching) break;
        bool is_easy = is_touching && s->law.exponent == 1.5;
        moment was = at;
        if (is_easy) ahead_m = hold_on(l, ahead_m, &hold, &at);
        if (was.frame == at.frame && was.part == at.part)
            ahead_m = step_on(l, ahead_m, &at);
    }
    (void)field->loops->press(field, &field->part, s->weights, l->behind_n);
    return at.frame;
}

/* Displacement and velocity of the surface where it strikes. */
static sb_point_motion surface_of(const sb_modal_field *field,
                                  const sb_striker *s) {
    return field->loops->read(field, s->weights);
}

/* Fly from frame `n` on until a frame in which it touches, which is the
 * next. */
static int fly_on(lone *l, int n) {
    sb_striker *s = l->striker;
    int frames = SB_BLOCK_FRAMES - n < WATCH ? SB_BLOCK_FRAMES - n : WATCH;
    double dt_s = l->step.dt_s, g = l->gravity_m_s2;
    double v = s->velocity_m_s - s->body_velocity_m_s, depth = s->depth_m;
    float heard[WATCH] = {0};
    double path_m[WATCH + 1];
    l->field->loops->watch(l->field, s->weights, frames, heard, path_m);
    int free_frames = 0;
    while (free_frames < frames) {
        double t = (free_frames + 1) * dt_s;
        double there = s->depth_m + t * (v + 0.5 * g * t) -
                       (path_m[free_frames + 1] - path_m[0]);
        if (there > 0.0) break;
        depth = there;
        free_frames++;
    }
    if (free_frames == 0) return n;
    for (int i = 0; i < free_frames; i++)
        l->out[n + i] += heard[i];
    if (free_frames == frames) {
        sb_modal_field_go(l->field);
    } else {
        l->field->loops->coast(l->field, free_frames, heard);
    }
    s->depth_m = depth;
    s->velocity_m_s += g * free_frames * dt_s;
    s->closing_m_s = s->velocity_m_s - s->body_velocity_m_s -
                     surface_of(l->field, s).velocity_m_s;
    return n + free_frames;
}

/* Other strikes may have moved the surface between blocks. A mass in contact is
 * carried along; one in the air is at most at the surface. */
static void approach(sb_striker *s, const sb_modal_field *field) {
    sb_point_motion surface = surface_of(field, s);
    if (s->phase == SB_STRIKER_AWAY)
        s->depth_m = fmin(s->position_m - surface.moved_m, 0.0);
    s->closing_m_s =
        s->velocity_m_s - s->body_velocity_m_s - surface.velocity_m_s;
}

/* Wait for its start, and touch. Returns the next frame. */
static int begin(lone *l) {
    sb_striker *s = l->striker;
    int n = (int)fmin(fmax(s->start_frame, 0.0), SB_BLOCK_FRAMES - 1);
    if (n > 0) l->field->loops->coast(l->field, n, l->out);
    striker_begin(s, surface_of(l->field, s).velocity_m_s, n, l->step.dt_s);
    return press_on(l, n);
}

static void leave(sb_striker *s, const sb_modal_field *field) {
    s->position_m = s->depth_m + surface_of(field, s).moved_m;
    s->contact.time_frames -= SB_BLOCK_FRAMES;
}

void sb_striker_play_alone(sb_striker *striker, sb_modal_field *field,
                           float *out, const sb_link_side *side,
                           sb_impact_log *log) {
    lone l = {.striker = striker,
              .field = field,
              .out = out,
              .side = side,
              .log = log,
              .step = {0, field->whole.step_s, field->part.step_s},
              .gravity_m_s2 = striker_gravity(striker),
              .per_mass = 1.0 / striker->mass_kg,
              .per_step = 1.0 / field->part.step_s};
    int n = 0;
    approach(striker, field);
    if (striker->phase == SB_STRIKER_WAITING) n = begin(&l);
    while (n < SB_BLOCK_FRAMES) {
        int touching =
            striker->phase == SB_STRIKER_TOUCHING ? n : fly_on(&l, n);
        if (touching == n && striker_is_late(striker, n, l.step.dt_s)) {
            striker_go(striker);
            continue;
        }
        if (touching == n) touching = press_on(&l, n);
        n = touching;
    }
    leave(striker, field);
}

/* --- reports --------------------------------------------------------------*/

/* Steps per contact; 1 % in contact time and force needs about 16. */
#define CONTACT_STEPS 32.0

void sb_impact_log_add(sb_impact_log *log, const sb_impact_record *item) {
    if (log->count < SB_IMPACT_LOG) {
        log->items[log->count++] = *item;
    } else {
        log->lost++;
    }
}

void striker_set_parts(sb_striker *striker, double yields,
                       double sample_rate_hz) {
    double frames =
        sample_rate_hz *
        sb_contact_time_s(&striker->law, 1.0 / yields, striker->speed_m_s);
    double parts = ceil(CONTACT_STEPS / frames);
    striker->parts = SB_STRIKER_PARTS;
    if (striker->is_coarse || parts < 1.0) {
        striker->parts = 1;
    } else if (parts < SB_STRIKER_PARTS) {
        striker->parts = (int)parts;
    }
    striker->phase = SB_STRIKER_WAITING;
}

void sb_striker_prepare(sb_striker *striker, int mode_count,
                        double sample_rate_hz) {
    sb_link link;
    sb_link_init_striker(&link, striker);
    sb_link_prepare_striker(&link, (int[2]){mode_count, 0}, sample_rate_hz);
}
