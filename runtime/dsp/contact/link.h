/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/link.h -- forces between ringing bodies, frame by frame.
 *
 * A link is one force F along one line. It has one side or two; each side is a
 * point of a ringing body that is driven by sign phi F and measured as
 * sign sum phi q. In a step the coordinate x of the link changes to
 *
 *     x1 = x0 + (motion of its own mass) + (prescribed motion)
 *             - sum over sides sign (sum phi dq),     x1 = xf - sum_j C_ij F_j
 *
 * C_ij is how far a newton on link j moves link i in that step: this small
 * matrix contains the modes of all bodies. The forces are found one after the
 * other, repeatedly, until they agree. The kinds differ in their law, F for a
 * given x0 and x1:
 *
 *   striker     flies at a body, presses it and bounces (striker.h). Its second
 *               side, if any, is its own ringing: x = y + sum psi p - r - sum
 *               phi q, and its modes are driven by -F.
 *   press       a mass that stays on the surface, rolling or at rest: its
 *               weight is the load N, and its surface follows a profile h,
 *               x = y + h - r - sum phi q. The support of the body carries N.
 *   buzz        two bodies, or a body and a stop, with a gap between:
 *               x = u_a - u_b - gap, with the law of contact.h.
 *   friction    F along the surface, the law of bristle.h for the slip speed
 *               V - v_a + v_b. The rubbing side may be a mass on a spring:
 *               m z'' = -k z - F - m V'; then V + z' replaces V.
 *   spring      inside one body, x = u: F = k1 u + k3 u^3 as a difference of
 *               k1 u^2 / 2 + k3 u^4 / 4, so that energy is exact.
 *   distortion  inside one body: F = c v / sqrt(1 + (v / knee)^2), v being the
 *               mean speed of the step. It only removes energy.
 *   pulse       a known force, the half-sine of known_impact.h, for bodies with
 *               springs inside: a bank alone would ignore the springs.
 *
 * Bodies and links that are connected form an island. Per block: look; if that
 * returns true, load, play and store, otherwise let the banks render; then fly.
 *
 * The weights of lasting links may move: given at the start, in the middle and
 * at the end of a block, they follow the parabola through the three, frame by
 * frame. What the point climbs on the deformed surface is prescribed motion,
 * like a profile.
 *
 * Symbols: x depth_m, F force_n, C give, h step_s or profile_m.
 * Thread:  audio. Memory: the caller's; what is pointed at must outlive the
 *          link's last block.
 */
#pragma once

#include "runtime/base/voice_types.h"
#include "runtime/dsp/contact/bristle.h"
#include "runtime/dsp/contact/striker.h"

typedef struct sb_record sb_record;

enum {
    SB_ISLAND_BODIES = 8,
    SB_ISLAND_LINKS = SB_STRIKERS + 8,
    SB_PROFILE_POINTS = SB_BLOCK_FRAMES + 1,
    SB_LASTING_PARTS = 16, /* most steps per frame of lasting links */
    SB_TRACE_POINTS = 512, /* of a block; a contact has some 32 to 64 */
    SB_PULSE_PARTS =
        4 /* steps per frame of a pulse: 0.2 dB at 20 kHz for an impulse */
};

typedef enum sb_link_kind {
    SB_LINK_STRIKER,
    SB_LINK_PRESS,
    SB_LINK_BUZZ,
    SB_LINK_FRICTION,
    SB_LINK_SPRING,
    SB_LINK_DISTORTION,
    SB_LINK_PULSE
} sb_link_kind;

typedef struct sb_link_side {
    int body;    /* index in the island; < 0: it does not ring */
    double sign; /* 1 or -1; the init functions set it */
    /* phi, padded; if they move, at the start of the block */
    const float *weights;
    const float *middle, *end; /* NULL: the weights do not move */
    float *now;                /* buffer of the same size, if they move */
    sb_record *record;         /* to which the force is added; or NULL */
    float record_gain;         /* times this */
} sb_link_side;

/* The rubbing side of a friction link. */
typedef struct sb_link_rub {
    const sb_bristle *law;
    double slip_m_s[2];   /* V at the start and end of the coming block */
    double rub_mass_kg;   /* its own mass; 0: none, it moves at V */
    double rub_stiffness; /* N/m, spring that holds the mass; > 0 with a mass */
    /* link whose force is the load; NULL: load_n */
    const struct sb_link *press;
    /* Internal. */
    sb_bristle_state state, after;
    double stretch_m, speed_m_s; /* z, z' */
} sb_link_rub;

typedef struct sb_link_pulse {
    double impulse_ns;
    double duration_s;  /* 0: an impulse, 1 / SB_PULSE_PARTS of a frame long */
    double start_frame; /* relative to the start of the coming block */
    bool is_over;       /* internal */
} sb_link_pulse;

typedef struct sb_link {
    sb_link_kind kind;
    sb_link_side side[2];
    sb_striker *striker; /* STRIKER, PRESS, BUZZ: law, mass and motion */
    /* PRESS, FRICTION: N at the start and end of the coming block, >= 0 */
    double load_n[2];
    const double *profile_m; /* PRESS: SB_PROFILE_POINTS heights of the coming
                                block, or NULL; only their differences count */
    /* PRESS: a block to which the force less the load, times the frame's
     * duration, is added in double; or NULL */
    double *excess_ns;
    double excess_before_ns; /* of the frame before the block */
    double gap_m;            /* BUZZ */
    union {
        sb_link_rub rub;     /* FRICTION */
        sb_spring spring;    /* SPRING, DISTORTION */
        sb_link_pulse pulse; /* PULSE */
    };
    bool is_watched; /* traced; set and used by the owner */
    /* Internal. */
    bool is_near; /* must be solved in this block */
    int parts;    /* steps per frame that it needs */
    double depth_m, force_n;
} sb_link;

/* After init the caller sets the bodies and weights of the sides and, before
 * every block, load_n, profile_m and slip_m_s. All links begin without a
 * body. */

/* `striker` is set up as in striker.h; its weights are those of the first side.
 * The body is 0 by default. */
void sb_link_init_striker(sb_link *link, sb_striker *striker) SB_RT;

/* `room` holds the law and the motion. inverse_mass is 1/M of the body, 0 when
 * it is held. */
void sb_link_init_press(sb_link *link, sb_striker *room,
                        const sb_contact_law *law, double mass_kg,
                        double inverse_mass) SB_RT;

/* The first side moves toward the second when its u grows. */
void sb_link_init_buzz(sb_link *link, sb_striker *room,
                       const sb_contact_law *law, double gap_m) SB_RT;

/* F drags the first side along and retards the second. */
void sb_link_init_friction(sb_link *link, const sb_bristle *law,
                           double rub_mass_kg, double rub_stiffness) SB_RT;
void sb_link_init_spring(sb_link *link, const sb_spring *spring,
                         bool is_distortion) SB_RT;
void sb_link_init_pulse(sb_link *link, const sb_link_pulse *pulse) SB_RT;

/* Energy of a link: its masses, contact spring and bristles. 0 for a striker
 * that waits or is over; for a spring inside a body, as of its last near
 * block. */
double sb_link_energy_j(const sb_link *link) SB_RT;

/* One frame of the traced link, at the end of the frame. The energies are those
 * of the whole island since the trace began. */
typedef struct sb_trace_row {
    double force_n; /* mean over the frame, so that its sum is the impulse */
    double depth_m; /* for friction: deflection of the bristles */
    /* of the surface of each side, positive along the force on the first;
     * the second is the striker, or what rubs */
    double speed_m_s[2];
    /* work done from outside: weight, load, profile, drive; and energy that
     * was there or arrived between blocks */
    double in_j;
    double kept_j; /* stored now: masses, contact springs, bristles and modes */
    double lost_j; /* dissipated */
    double drift;  /* (in - kept - lost) / in: the error of the balance */
} sb_trace_row;

/* The same for one of the steps into which a frame is split while a striker
 * touches; the force is the mean over the step. */
typedef struct sb_trace_point {
    int n;        /* frame of the block that it is a part of */
    double frame; /* end of the step */
    sb_trace_row row;
} sb_trace_point;

typedef struct sb_trace {
    const sb_link *link; /* the traced link; NULL: energies only */
    sb_trace_row rows[SB_BLOCK_FRAMES];
    /* Steps of the traced striker, all of a frame or none. Where it begins to
     * touch there is one more, at the start of the step, without a force. */
    bool has_points; /* they are wanted */
    int point_count;
    double was_force_n; /* of the last step */
    sb_trace_point points[SB_TRACE_POINTS];
    /* Sums so far, and their values after the last block was loaded, which
     * include what happened between blocks. */
    double in_j, kept_j, lost_j;
    double found_in_j, found_kept_j, found_lost_j;
} sb_trace;

typedef struct sb_island {
    double dt_s;
    int body_count, link_count;
    sb_modal_bank *bank[SB_ISLAND_BODIES];
    sb_modal_field *field[SB_ISLAND_BODIES]; /* needed if look returns true */
    float *out[SB_ISLAND_BODIES]; /* SB_BLOCK_FRAMES each; output is added */
    sb_link *link[SB_ISLAND_LINKS];
    sb_impact_log *log; /* receives the contacts of strikers */
    sb_trace *trace;    /* or NULL; initially zeros */
    /* Internal. */
    int parts;
    bool is_touched[SB_ISLAND_BODIES]; /* by a near link */
} sb_island;

/* Like sb_striker_prepare, for a striker with two sides whose weights are set;
 * mode_count per side, 0 for a side that does not ring. */
void sb_link_prepare_striker(sb_link *link, const int mode_count[2],
                             double sample_rate_hz) SB_RT;

/* Examine the coming block: true when anything may touch. */
bool sb_island_look(sb_island *island) SB_RT;

/* Copy the modes of the touched bodies from their banks, play a block, which
 * adds the output of each body to its `out`, and copy them back. The caller
 * renders the untouched bodies with their banks. False on NaN: the touched
 * bodies are then silent and at rest, their strikers OVER, and nothing has been
 * added. */
bool sb_island_play(sb_island *island) SB_RT;

/* In every block, after sb_island_play if that was needed: strikers that are
 * not near fly on; finished strikers and pulses are marked OVER. */
void sb_island_fly(sb_island *island) SB_RT;

/* Like sb_island_play, on fields that the caller has loaded with island->parts
 * steps and stores; every body must be touched. */
void sb_island_play_fields(sb_island *island) SB_RT;
