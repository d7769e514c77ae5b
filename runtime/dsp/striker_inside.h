/* runtime/dsp/striker_inside.h -- what the files of the strikers share:
 * striker.c, their flight; striker_block.c, contacts of several on one body;
 * striker_alone.c, those of one by itself.
 *
 * Thread: audio.
 */
#ifndef SB_DSP_STRIKER_INSIDE_H
#define SB_DSP_STRIKER_INSIDE_H

#include "runtime/dsp/striker.h"

#include <math.h>

/* Gravity lets go of a striker when it comes back slower than this share of
 * its first speed: 50 dB. It takes this long over it. */
#define STRIKER_SLOWEST_SHARE 3e-3
#define STRIKER_LETTING_GO_S  0.05

static inline double striker_gravity(const sb_striker *striker) {
    if (!striker->is_loose) return striker->gravity_m_s2;
    double left = 1.0 - striker->loose_s / STRIKER_LETTING_GO_S;
    return left > 0.0 ? striker->gravity_m_s2 * left : 0.0;
}

/* The highest place on its way from y in that time. */
static inline double striker_top(const sb_striker *striker, double y,
                                 double span_s) {
    double v = striker->velocity_m_s;
    double g = striker_gravity(striker);
    double end = y + span_s * (v + 0.5 * g * span_s);
    double top = fmax(y, end);
    /* Thrown up against a pull away from the body, it may turn on the way. */
    if (g < 0.0 && v > 0.0 && v < -g * span_s) top = y - 0.5 * v * v / g;
    return top;
}

/* A block in which this one is near, by the gradient, and no other. */
void sb_striker_play_alone(sb_striker *striker, sb_modal_field *field,
                           float *out, sb_impact_log *log) SB_RT;

/* --- one step ---------------------------------------------------------------*/

/* The mean force of a step. */
static inline double striker_solve(const sb_striker *s, double h, double free_m,
                                   double free_m_s, double give,
                                   double give_speed) {
    if (!s->is_kmethod) {
        return sb_contact_gradient(&s->law, h, s->depth_m, free_m, give,
                                   s->force_n + 2.0 * s->force_change_n -
                                       s->force_change_before_n);
    }
    sb_contact_step step = {free_m, free_m_s, give, give_speed, s->force_n};
    return 0.5 * (s->force_n + sb_contact_kmethod(&s->law, &step));
}

/* Where in the block a step is, and its length. */
typedef struct striker_step {
    double frame, dt_s, h;
    double gravity_m_s2;
    double per_mass; /* 1 / m */
} striker_step;

static inline double striker_within(double t, double h) {
    return fmax(0.0, fmin(t, h));
}

static inline void striker_touch(sb_striker *s, const striker_step *step) {
    double late = s->depth_m < 0.0 && s->closing_m_s > 0.0
                      ? striker_within(-s->depth_m / s->closing_m_s, step->h)
                      : 0.0;
    s->contact = (sb_impact_record){
        .time_frames = step->frame + late / step->dt_s,
        .duration_s = -late, /* the step's length is still to be added */
        .speed_in_m_s = s->velocity_m_s - s->body_velocity_m_s,
        .label = s->label,
    };
    s->touching_s = 0.0;
    s->phase = SB_STRIKER_TOUCHING;
}

static inline void striker_release(sb_striker *s, sb_impact_log *log) {
    sb_impact_record *r = &s->contact;
    r->speed_out_m_s = s->body_velocity_m_s - s->velocity_m_s;
    r->restitution =
        r->speed_in_m_s > 0.0 ? r->speed_out_m_s / r->speed_in_m_s : -1.0;
    sb_impact_log_add(log, r);
    s->body_velocity_m_s = 0.0;
    s->force_n = s->force_change_n = s->force_change_before_n = 0.0;
    s->phase = SB_STRIKER_AWAY;
    if (r->speed_in_m_s < STRIKER_SLOWEST_SHARE * s->speed_m_s)
        s->is_loose = true;
}

/* Move it to the end of a step with this mean force, where it is so deep and
 * closes in so fast. `beside_n` is what else the force has been, for its peak. */
static inline void striker_follow(sb_striker *s, const striker_step *step,
                                  double force, double depth, double closing,
                                  double beside_n, sb_impact_log *log) {
    double h = step->h;
    if (force > 0.0 && s->phase != SB_STRIKER_TOUCHING) striker_touch(s, step);
    s->velocity_m_s += h * (step->gravity_m_s2 - force * step->per_mass);
    s->body_velocity_m_s += h * force * s->inverse_mass;
    s->depth_m = depth;
    s->closing_m_s = closing;
    s->force_change_before_n = s->force_change_n;
    s->force_change_n = force - s->force_n;
    s->force_n = s->is_kmethod ? 2.0 * force - s->force_n : force;
    if (s->phase != SB_STRIKER_TOUCHING) return;
    double most = force > beside_n ? force : beside_n;
    if (most > s->contact.peak_force_n) s->contact.peak_force_n = most;
    s->contact.impulse_ns += h * force;
    s->contact.duration_s += h;
    s->touching_s += h;
    if (depth > 0.0 || (s->is_kmethod && s->force_n > 0.0)) return;
    if (closing < 0.0)
        s->contact.duration_s -= striker_within(depth / closing, h);
    striker_release(s, log);
}

/* --- the block's ends -------------------------------------------------------*/

/* It touches at its time wherever the surface is then, so that no energy comes
 * in with it but its own. */
static inline void striker_begin(sb_striker *s, const sb_modal_field *field,
                                 double frame, double dt_s) {
    double surface_m, surface_m_s;
    sb_modal_field_read(field, s->weights, &surface_m, &surface_m_s);
    double wait_s = fmax(s->start_frame - frame, 0.0) * dt_s;
    s->velocity_m_s = s->speed_m_s - s->gravity_m_s2 * wait_s;
    s->closing_m_s = s->velocity_m_s - surface_m_s;
    s->depth_m = -wait_s * fmax(s->closing_m_s, 0.0);
    s->phase = SB_STRIKER_AWAY;
}

/* The surface may have been moved between blocks by other blows. One that
 * touches is carried with it; one in the air meets it no deeper than just so. */
static inline void striker_approach(sb_striker *s,
                                    const sb_modal_field *field) {
    double surface_m, surface_m_s;
    sb_modal_field_read(field, s->weights, &surface_m, &surface_m_s);
    if (s->phase == SB_STRIKER_AWAY)
        s->depth_m = fmin(s->position_m - surface_m, 0.0);
    s->closing_m_s = s->velocity_m_s - s->body_velocity_m_s - surface_m_s;
}

static inline void striker_leave(sb_striker *s, const sb_modal_field *field) {
    double surface_m, surface_m_s;
    sb_modal_field_read(field, s->weights, &surface_m, &surface_m_s);
    s->position_m = s->depth_m + surface_m;
    s->contact.time_frames -= SB_BLOCK_FRAMES;
}

#endif
