/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/striker.h -- a mass that hits a body and bounces.
 *
 * A mass m moves along a line, with gravity g along it, and meets the surface
 * of the body with a nonlinear contact force (contact.h):
 *
 *     m y'' = m g - f,      f = f(x, x'),   x = y - r - sum phi q
 *     q'' + 2 s q' + w0^2 q = phi f,        r'' = f / M
 *
 * The same weights phi drive and read the modes, so that the system is passive.
 * 1/M is the inverse mass of the body as a rigid body; once the striker has
 * left, the support of the body absorbs that motion.
 *
 * Several strikers on one body act on the same modes; their forces are solved
 * one after the other, repeatedly, until they agree.
 *
 * A frame in which nothing touches is one step. A frame with a contact is split
 * such that the shortest contact in it has 32 steps, with at most 64 steps per
 * frame. Blocks in which nothing can touch cost nothing.
 *
 * A striker that gravity brings back bounces until it is 300 times slower than
 * at first, or rests, or reaches its time limit; then gravity is faded out, so
 * that its weight does not end with a click. A striker that nothing brings back
 * is over as soon as the surface can no longer reach it.
 *
 * A striker of one blow (is_one_blow) is taken away, as a player lifts a
 * mallet, when it first comes off while it moves away from the body as a rigid
 * body. If the vibrating surface lets go of it while it still approaches, the
 * blow goes on, unless they stay apart for 5 ms: a later contact would be heard
 * as another blow (Wallach, Newman & Rosenzweig, The precedence effect in sound
 * localization, 1949: clicks fuse up to about 5 ms).
 *
 * Symbols: y position_m, x depth_m, 1/M inverse_mass.
 * Thread:  audio. Memory: the caller's; `weights` must outlive the striker.
 * Source:  Maunsbach & Serafin 2019, sections 3 and 4.1.
 */
#pragma once

#include "runtime/dsp/contact/contact.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_modal_bank sb_modal_bank;
typedef struct sb_modal_field sb_modal_field;

/* Most strikers on one body at once, and most steps per frame. */
enum { SB_STRIKERS = 32, SB_STRIKER_PARTS = 64 };

/* One contact from touch to release. Speeds are those of the striker toward and
 * away from the body as a rigid body, without its vibration. */
typedef struct sb_impact_record {
    double time_frames; /* start of contact, from the start of the block */
    double duration_s;
    double impulse_ns;
    double peak_force_n;
    double speed_in_m_s, speed_out_m_s;
    double restitution; /* out / in; < 0: unknown */
    uint32_t label;     /* set by the strike */
    uint32_t before;    /* contacts of the same strike before this one */
} sb_impact_record;

/* Records of a block. Records that do not fit are counted in `lost`. */
enum { SB_IMPACT_LOG = 64 };
typedef struct sb_impact_log {
    sb_impact_record items[SB_IMPACT_LOG];
    int count, lost;
} sb_impact_log;

void sb_impact_log_add(sb_impact_log *log, const sb_impact_record *item) SB_RT;

typedef enum sb_striker_phase {
    SB_STRIKER_WAITING, /* before its start time */
    SB_STRIKER_AWAY,    /* in the air */
    SB_STRIKER_TOUCHING,
    SB_STRIKER_OVER
} sb_striker_phase;

typedef struct sb_striker {
    /* Set by the caller; the rest is 0. */
    sb_contact_law law;
    bool is_kmethod;     /* else the gradient scheme */
    bool is_coarse;      /* K-method: one step per frame, energy may rise */
    bool is_one_blow;    /* else it may touch again */
    double mass_kg;      /* > 0 */
    double inverse_mass; /* 1/M of the body, >= 0 */
    double speed_m_s;    /* toward the body at first contact, > 0 */
    double gravity_m_s2; /* toward the body; < 0 pulls it away */
    double limit_s;      /* time after which gravity is faded out; > 0 */
    /* of first contact, from the start of the coming block */
    double start_frame;
    const float *weights; /* phi, padded: see modal_field.h */
    uint32_t label;
    /* Internal. */
    sb_striker_phase phase;
    int parts;         /* steps per frame that its contact needs */
    double position_m; /* y, in the air */
    double depth_m;    /* x, near the surface */
    double velocity_m_s, body_velocity_m_s;
    double closing_m_s; /* x' */
    double force_n;     /* mean of the last step; K-method: at its end */
    double given_j;     /* K-method: work that the contact has taken */
    double force_change_before_n;
    double force_change_n; /* change since the step before */
    double age_s, touching_s, loose_s;
    bool is_loose;            /* gravity is being faded out */
    bool is_near;             /* may touch in this block */
    bool is_gone;             /* its one blow is over */
    double released_frame;    /* end of the last contact, as start_frame */
    uint32_t touches;         /* contacts begun */
    sb_impact_record contact; /* the present contact */
} sb_striker;

/* Compute the number of steps its contact needs, once. */
void sb_striker_prepare(sb_striker *striker, int mode_count,
                        double sample_rate_hz) SB_RT;
