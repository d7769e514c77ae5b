/* runtime/dsp/contact/link_internal.h -- what the files of the links share:
 * link.c, what is done once a block; link_block.c, the frames of a block;
 * link_step.c, the steps of a frame; link_meet.c, what they do to each other;
 * link_solve.c, the forces; striker.c and striker_alone.c, a striker by itself.
 *
 * Thread: audio.
 */
#ifndef SB_DSP_CONTACT_LINK_INTERNAL_H
#define SB_DSP_CONTACT_LINK_INTERNAL_H

#include "runtime/dsp/contact/link.h"

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

/* Where in the block a step is. */
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
    if (log) sb_impact_log_add(log, r);
    s->body_velocity_m_s = 0.0;
    if (r->speed_in_m_s < STRIKER_SLOWEST_SHARE * s->speed_m_s)
        s->is_loose = true;
}

/* It touches at its time wherever the surface is then, so that no energy comes
 * in with it but its own. */
static inline void striker_begin(sb_striker *s, double surface_m_s,
                                 double frame, double dt_s) {
    double wait_s = fmax(s->start_frame - frame, 0.0) * dt_s;
    s->velocity_m_s = s->speed_m_s - s->gravity_m_s2 * wait_s;
    s->closing_m_s = s->velocity_m_s - surface_m_s;
    s->depth_m = -wait_s * fmax(s->closing_m_s, 0.0);
    s->phase = SB_STRIKER_AWAY;
}

/* A block in which this one is near, by the gradient, and no other. The force
 * is added to `felt_ns`, if not NULL. */
void sb_striker_play_alone(sb_striker *striker, sb_modal_field *field,
                           float *out, float *felt_ns,
                           sb_impact_log *log) SB_RT;

/* Set what its contact needs, `yields` being 1/kg of all that is set against
 * the contact at once, before anything swings back. */
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

/* 1/kg of what moves besides modes: the mass of its own and the body's. */
static inline double link_loose(const sb_link *link) {
    const sb_striker *s = link->striker;
    if (!s || link->kind == SB_LINK_BUZZ) return 0.0;
    return 1.0 / s->mass_kg + s->inverse_mass;
}

/* --- one step --------------------------------------------------------------*/

/* A side of a link that is near. */
typedef struct link_port {
    int link; /* in link_set.near */
    double sign;
    const float *weights; /* of this frame */
    const sb_link_side *side;
    double softness; /* while nothing lasts */
} link_port;

/* What the links do to each other in one step of some length. */
typedef struct link_gives {
    double give[SB_ISLAND_LINKS][SB_ISLAND_LINKS]; /* of i by a force on j */
    double speed[SB_ISLAND_LINKS][SB_ISLAND_LINKS];
} link_gives;

/* What a link does by itself in the step under way, without a force. */
typedef struct link_motion {
    double own_m, own_m_s;     /* of its mass, in the step and at its end */
    double drive_m, drive_m_s; /* of what is prescribed */
    double load;               /* gravity, m/s^2; or N; or V' */
} link_motion;

/* Energies at the end of the frame before, while traced. */
typedef struct link_account {
    double in_j, modes_j, links_j;
} link_account;

typedef struct link_set {
    sb_island *island;
    sb_link *near[SB_ISLAND_LINKS];
    int count;
    /* Those of body f are ports[port_end[f - 1]] .. ports[port_end[f]]. */
    link_port ports[2 * SB_ISLAND_LINKS];
    int port_end[SB_ISLAND_BODIES];
    bool is_one;     /* contact, with one side: see link_set_press_alone */
    bool has_moving; /* weights */
    bool has_lasting;
    link_gives gives[2];             /* of a part, and of a whole frame */
    double climb_m[SB_ISLAND_LINKS]; /* by moving weights, in this frame */
    /* Of the step under way. */
    link_motion motion[SB_ISLAND_LINKS];
    double seen_m[SB_ISLAND_LINKS], seen_m_s[SB_ISLAND_LINKS];
    double free_m[SB_ISLAND_LINKS], free_m_s[SB_ISLAND_LINKS];
    double force_n[SB_ISLAND_LINKS]; /* mean */
    double heard[SB_ISLAND_BODIES];
    /* In this frame, while traced: work done on modes, and the impulse of the
     * link that is watched. */
    double to_modes_j, push_ns;
    link_account was;
} link_set;

/* A step: which of the two, and where in the block it lies. */
typedef struct link_step {
    bool is_whole;
    double h;             /* s */
    double frame, frames; /* its beginning and length */
} link_step;

static inline int link_set_first_port(const link_set *c, int body) {
    return body == 0 ? 0 : c->port_end[body - 1];
}

static inline const sb_modal_stride *
link_set_stride(const link_set *c, int body, const link_step *step) {
    const sb_modal_field *field = c->island->field[body];
    return step->is_whole ? &field->whole : &field->part;
}

/* Fill in `gives` for a kind of step: all, or what moving weights change. */
void link_set_meet(link_set *c, const link_step *step, bool is_first) SB_RT;

/* Begin the step in all bodies: fills in seen. */
void link_set_begin_step(link_set *c, const link_step *step) SB_RT;

/* Where all would be after it without forces. True when there must be some of
 * links that need parts. */
bool link_set_foresee(link_set *c, const link_step *step) SB_RT;

/* Find the forces. */
void link_set_solve(link_set *c, const link_step *step) SB_RT;
/* That of a contact by itself. */
double link_set_contact_force(const link_set *c, int i, const link_step *step,
                              double free_m, double free_m_s) SB_RT;

/* Find the forces, end the step with them and move the links; unless it is the
 * last, begin another. */
void link_set_end_step(link_set *c, const link_step *step, bool is_last) SB_RT;

/* The usual case by itself, in half the time: one contact with one side, from
 * frame `n` on for as long as it touches. Returns the frame that comes next. */
bool link_set_is_one_contact(const link_set *c) SB_RT;
int link_set_press_alone(link_set *c, int n) SB_RT;

/* Where a link's surfaces are: sum over sides sign phi q, and sign phi v. */
void link_set_surface(const link_set *c, int link, double *at_m,
                      double *speed_m_s) SB_RT;

/* --- laws without a contact spring (link_law.c) ----------------------------*/

/* F of a step from x0, with x1 = free_m - give F. */
double link_spring_force(const sb_spring *spring, double from_m, double free_m,
                         double give) SB_RT;
/* F of a step in which v = free_m_s - give F. */
double link_distortion_force(const sb_spring *spring, double free_m_s,
                             double give) SB_RT;

/* The mean of a known force over a step. */
double link_pulse_force(const sb_link_pulse *blow, double frame, double frames,
                        double h) SB_RT;

/* G, S, T of an undamped mass on a spring. */
typedef struct link_swing {
    double g, s, t;
} link_swing;
link_swing link_swing_of(const sb_link_rub *rub, double h) SB_RT;

/* --- the account (link_trace.c) --------------------------------------------*/

double link_energy_j(const sb_link *link) SB_RT;
void link_set_trace_begin(link_set *c) SB_RT;
/* One link's part in a step that took x from `from_m` to `to_m`. */
void link_set_trace_step(link_set *c, int i, double h, double from_m,
                         double to_m) SB_RT;
void link_set_trace_frame(link_set *c, int n) SB_RT;

#endif
