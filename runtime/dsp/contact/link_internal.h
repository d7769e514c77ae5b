/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/link_internal.h -- shared by the files of the links.
 *
 * link.c works once per block, link_block.c runs the frames of a block,
 * link_step.c the steps of a frame. link_solve.c computes the compliance matrix
 * and the forces. striker_alone.c handles a single striker.
 *
 * Thread: audio. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/link.h"

#include <math.h>

/* Gravity on a striker is faded out when it returns slower than this share of
 * its first speed (50 dB), over this time. */
#define STRIKER_SLOWEST_SHARE 3e-3
#define STRIKER_LETTING_GO_S  0.05

/* The distance of a striker that has been taken away, until the block ends: no
 * body reaches it, and at 1 km/s it does not come back in a block. */
#define STRIKER_GONE_M 1e4

/* Contacts that are farther apart are two blows. */
#define STRIKER_APART_S 0.005

static inline double striker_gravity(const sb_striker *striker) {
    if (!striker->is_loose) return striker->gravity_m_s2;
    double left = 1.0 - striker->loose_s / STRIKER_LETTING_GO_S;
    return left > 0.0 ? striker->gravity_m_s2 * left : 0.0;
}

/* The highest point of its trajectory from y within that time. */
static inline double striker_top(const sb_striker *striker, double y,
                                 double span_s) {
    double v = striker->velocity_m_s;
    double g = striker_gravity(striker);
    double end = y + span_s * (v + 0.5 * g * span_s);
    double top = fmax(y, end);
    /* Thrown against a pull away from the body, it may turn back within the
     * time. */
    if (g < 0.0 && v > 0.0 && v < -g * span_s) top = y - 0.5 * v * v / g;
    return top;
}

/* The position of a step in the block. */
typedef struct striker_when {
    double frame, dt_s, h;
} striker_when;

static inline double striker_within(double t, double h) {
    return fmax(0.0, fmin(t, h));
}

static inline void striker_touch(sb_striker *s, striker_when at) {
    double late = s->depth_m < 0.0 && s->closing_m_s > 0.0
                      ? striker_within(-s->depth_m / s->closing_m_s, at.h)
                      : 0.0;
    s->contact = (sb_impact_record){
        .time_frames = at.frame + late / at.dt_s,
        .duration_s = -late, /* the length of the step is added later */
        .speed_in_m_s = s->velocity_m_s - s->body_velocity_m_s,
        .label = s->label,
        .before = s->touches++,
    };
    s->touching_s = 0.0;
    s->phase = SB_STRIKER_TOUCHING;
}

static inline void striker_go(sb_striker *s) {
    s->is_gone = true;
    s->depth_m = -STRIKER_GONE_M;
}

static inline void striker_release(sb_striker *s, sb_impact_log *log) {
    sb_impact_record *r = &s->contact;
    r->speed_out_m_s = s->body_velocity_m_s - s->velocity_m_s;
    r->restitution =
        r->speed_in_m_s > 0.0 ? r->speed_out_m_s / r->speed_in_m_s : -1.0;
    if (log) sb_impact_log_add(log, r);
    s->body_velocity_m_s = 0.0;
    if (r->speed_in_m_s < STRIKER_SLOWEST_SHARE * s->speed_m_s)
        s->is_loose = true;
    if (s->is_one_blow && r->speed_out_m_s > 0.0) striker_go(s);
}

/* Measure a step of a contact with this mean force; `beside_n` is another value
 * of the force, for the peak. */
static inline void striker_measure(sb_striker *s, double force, double beside_n,
                                   double h) {
    double most = force > beside_n ? force : beside_n;
    if (most > s->contact.peak_force_n) s->contact.peak_force_n = most;
    s->contact.impulse_ns += h * force;
    s->contact.duration_s += h;
    s->touching_s += h;
}

/* The surfaces have separated within a step that begins at `frame`; `log`, of a
 * striker that flies off, may be NULL. */
static inline void striker_come_off(sb_striker *s, double h, double frame,
                                    bool is_flying, sb_impact_log *log) {
    if (s->closing_m_s < 0.0)
        s->contact.duration_s -= striker_within(s->depth_m / s->closing_m_s, h);
    if (is_flying) striker_release(s, log);
    s->force_n = s->force_change_n = s->force_change_before_n = 0.0;
    s->phase = SB_STRIKER_AWAY;
    s->released_frame = frame;
}

/* Whether its one blow ended before this frame, as it stayed away too long. */
static inline bool striker_is_late(const sb_striker *s, double frame,
                                   double dt_s) {
    return s->is_one_blow && s->phase == SB_STRIKER_AWAY && s->touches > 0 &&
           (frame - s->released_frame) * dt_s > STRIKER_APART_S;
}

/* It touches at its start time wherever the surface is then, so that it brings
 * only its own kinetic energy. */
static inline void striker_begin(sb_striker *s, double surface_m_s,
                                 double frame, double dt_s) {
    double wait_s = fmax(s->start_frame - frame, 0.0) * dt_s;
    s->velocity_m_s = s->speed_m_s - s->gravity_m_s2 * wait_s;
    s->closing_m_s = s->velocity_m_s - surface_m_s;
    s->depth_m = -wait_s * fmax(s->closing_m_s, 0.0);
    s->phase = SB_STRIKER_AWAY;
}

/* Play a block in which this striker alone is near, by the gradient scheme. The
 * force times the gain of `side` is added to its record, if it has one. */
void sb_striker_play_alone(sb_striker *striker, sb_modal_field *field,
                           float *out, const sb_link_side *side,
                           sb_impact_log *log) SB_RT;

/* Set the number of steps its contact needs; `yields` (1/kg) is the sum of all
 * inverse masses that the contact accelerates. */
void striker_set_parts(sb_striker *striker, double yields,
                       double sample_rate_hz) SB_RT;

static inline double link_ramp(const double ends[2], double frame) {
    return ends[0] + (ends[1] - ends[0]) * frame / SB_BLOCK_FRAMES;
}

static inline bool link_is_waiting(const sb_link *link) {
    return link->kind == SB_LINK_STRIKER &&
           link->striker->phase == SB_STRIKER_WAITING;
}

static inline bool link_is_touching(const sb_link *link) {
    return !link->striker || link->striker->phase == SB_STRIKER_TOUCHING;
}

static inline bool link_has_side(const sb_link *link, int s) {
    return link->side[s].body >= 0 && link->side[s].weights;
}

static inline bool link_is_moving(const sb_link *link) {
    return link->side[0].end || link->side[1].end;
}

/* A whole frame is too long a step for it while it touches. */
static inline bool link_is_short(const sb_link *link) {
    return link->kind == SB_LINK_STRIKER || link->parts > 1;
}

/* 1/kg of its own mass and of the body as rigid bodies. */
static inline double link_loose(const sb_link *link) {
    const sb_striker *s = link->striker;
    if (!s || link->kind == SB_LINK_BUZZ) return 0.0;
    return 1.0 / s->mass_kg + s->inverse_mass;
}

/* --- one step -------------------------------------------------------------*/

/* One side of a near link. */
typedef struct link_port {
    int link; /* index into link_set.near */
    double sign;
    const float *weights; /* in this frame */
    const sb_link_side *side;
    double softness; /* static compliance; set if there is no lasting link */
} link_port;

/* The compliance matrix of the links for a step of one length. */
typedef struct link_gives {
    /* motion of i per force on j */
    double give[SB_ISLAND_LINKS][SB_ISLAND_LINKS];
    double speed[SB_ISLAND_LINKS][SB_ISLAND_LINKS];
} link_gives;

/* The motion of a link in the present step without a force. */
typedef struct link_motion {
    /* motion of its mass in the step, velocity at its end */
    double own_m, own_m_s;
    double drive_m, drive_m_s; /* prescribed motion */
    double load;               /* gravity (m/s^2), N, or V' */
} link_motion;

/* Energies at the end of the previous frame, while traced. */
typedef struct link_account {
    double in_j, modes_j, links_j;
} link_account;

typedef struct link_set {
    sb_island *island;
    sb_link *near[SB_ISLAND_LINKS];
    int count;
    /* The ports of body f are ports[port_end[f - 1]] .. ports[port_end[f]]. */
    link_port ports[2 * SB_ISLAND_LINKS];
    int port_end[SB_ISLAND_BODIES];
    bool is_one; /* a single contact with one side: see link_set_press_alone */
    bool has_moving; /* some weights move */
    bool has_lasting;
    link_gives gives[2]; /* for a part of a frame, and for a whole frame */
    /* climb due to moving weights, in this frame */
    double climb_m[SB_ISLAND_LINKS];
    /* Of the present step. */
    link_motion motion[SB_ISLAND_LINKS];
    double seen_m[SB_ISLAND_LINKS], seen_m_s[SB_ISLAND_LINKS];
    double free_m[SB_ISLAND_LINKS], free_m_s[SB_ISLAND_LINKS];
    double force_n[SB_ISLAND_LINKS]; /* mean */
    double heard[SB_ISLAND_BODIES];
    /* In this frame, while traced: work done on modes, and the impulse of the
     * traced link. */
    double to_modes_j, push_ns;
    link_account was;
} link_set;

/* A step: its length and its position in the block. */
typedef struct link_step {
    bool is_whole;
    double h;             /* s */
    double frame, frames; /* start and length */
} link_step;

static inline int link_set_first_port(const link_set *c, int body) {
    return body == 0 ? 0 : c->port_end[body - 1];
}

static inline const sb_modal_stride *
link_set_stride(const link_set *c, int body, const link_step *step) {
    const sb_modal_field *field = c->island->field[body];
    return step->is_whole ? &field->whole : &field->part;
}

/* Compute `gives` for one step length: all of it, or what moving weights
 * change. */
void link_set_compliances(link_set *c, const link_step *step,
                          bool is_first) SB_RT;

/* Begin the step in all bodies: sets seen_m and seen_m_s. */
void link_set_begin_step(link_set *c, const link_step *step) SB_RT;

/* Compute the free motion of all links. True when links that need short steps
 * will have a force. */
bool link_set_predict(link_set *c, const link_step *step) SB_RT;

/* Solve for the forces. */
void link_set_solve(link_set *c, const link_step *step) SB_RT;
/* The force of a single contact. */
double link_set_contact_force(const link_set *c, int i, const link_step *step,
                              double free_m, double free_m_s) SB_RT;

/* Solve for the forces, end the step with them and advance the links; unless it
 * is the last, begin another. */
void link_set_end_step(link_set *c, const link_step *step, bool is_last) SB_RT;

/* The common case in half the time: one contact with one side, from frame `n`
 * on for as long as it touches. Returns the next frame. */
bool link_set_is_one_contact(const link_set *c) SB_RT;
int link_set_press_alone(link_set *c, int n) SB_RT;

/* Position (moved_m) and velocity of a link's surfaces: sum over sides of sign
 * phi q and sign phi v. */
sb_point_motion link_set_surface(const link_set *c, int link) SB_RT;

/* G, S, T of an undamped mass on a spring. */
typedef struct link_swing {
    double g, s, t;
} link_swing;
link_swing link_swing_of(const sb_link_rub *rub, double h) SB_RT;

/* --- the account (link_trace.c) -------------------------------------------*/

void link_set_trace_begin(link_set *c) SB_RT;
/* Account for one link in a step that took x from `from_m` to `to_m`. */
void link_set_trace_step(link_set *c, int i, double h, double from_m,
                         double to_m) SB_RT;
void link_set_trace_frame(link_set *c, int n) SB_RT;
/* Is there room for all steps of a frame, if they are wanted? */
bool link_set_has_points(const link_set *c) SB_RT;
/* The step that has ended, if the traced link is a striker. */
void link_set_trace_part(link_set *c, const link_step *step) SB_RT;
