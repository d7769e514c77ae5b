/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/rub.h -- the force of a lasting contact, one-way.
 *
 * A rolling, sliding, scraping or creaking contact drives both bodies with a
 * force that depends on its load (voice_types.h) but not on their vibration.
 * Where it does depend, or jumps, it is solved elsewhere (link.h, ride.h), on
 * heights from here: a ball, by the same law of contact. Four kinds, mixed by
 * gains:
 *
 * profile   A needle on a record (Menzies 2.2.1): the contact of rolling.h, made
 *           linear. The heights h of surfaces and asperities, each passing at its
 *           own speed, lift a mass m on the contact stiffness k of the load:
 *           below the corner w the mass follows and the force is m h'', above it
 *           the force is k h:
 *               F = m w^2 / (s^2 + 2 z w s + w^2) h'',   w^2 = k / m.
 *           The force cannot exceed the load: F is scaled by
 *           (1 + E^2 / N^2)^(-1/2), E being the root mean square predicted from
 *           the spectrum of the surfaces at this speed.
 * impacts   Micro-impacts at random distances (Maunsbach & Serafin 4.3), of
 *               J = m slope v (N / N0)^q (1 +- variation) (1 - r)
 *           and T = pi sqrt(m / k). v is the mean of the two speeds, r = |slip|
 *           / greater of the speeds.
 * gravel    Grains that profile and impacts set in motion (2.2.3), where a
 *           surface has them (sb_gravel).
 * creak     Stick and slip (2.2.4): a pulse each time the slip has stretched
 *           the contact by 2 drop N / k_t, of peak force 2 drop N and
 *           T = pi sqrt(m / k_t) / (1 + |slip| / creak_speed).
 *
 * Wobble: all but the creak, and the load of a ball, is modulated by
 * 1 + eccentricity cos(angle) as the first body turns, one turn per 2 pi radius
 * of its contact distance.
 *
 * A contact at rest is silent. The spectrum up to 10 kHz is the same at every
 * sample rate from 44.1 kHz on. Pulses come SB_RUB_DELAY_S after their cause.
 *
 * Symbols: N force_n, N0 contact.load_n, m, k of rolling.h, z damping.
 * Thread:  audio; _default and _check control.
 * Memory:  plain values, in the caller's memory; surfaces must outlive it.
 * Source:  Menzies, Phya and VFoley, 2.2; Maunsbach & Serafin 2019, 4.3.
 */
#pragma once

#include "runtime/base/random.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/contact/rolling.h"
#include "runtime/dsp/surface/pulses.h"
#include "runtime/dsp/surface/surface.h"

typedef enum sb_rub_kind {
    SB_RUB_PROFILE,
    SB_RUB_IMPACTS,
    SB_RUB_GRAVEL,
    SB_RUB_CREAK,
    SB_RUB_KIND_COUNT
} sb_rub_kind;

typedef enum sb_rub_gaps {
    SB_RUB_UNIFORM,    /* uniform between the least and the greatest */
    SB_RUB_EXPONENTIAL /* a Poisson process with the same mean */
} sb_rub_gaps;

/* Three frames below 37.5 kHz. */
#define SB_RUB_DELAY_S 80e-6

typedef struct sb_rub_def {
    const sb_surface *surface[2]; /* NULL: perfectly smooth */
    double start_m[2];            /* initial position on each */
    double across_m[2];           /* position across the rows of a height map */
    double gain[SB_RUB_KIND_COUNT]; /* 0: off, at no cost */
    uint64_t seed;
    sb_rolling contact;  /* at the load N0 */
    sb_contact_law law;  /* of a ball (rolling.h); stiffness 0: none */
    double eccentricity; /* 0 .. 1; 0: no wobble */
    /* Micro-impacts. */
    sb_rub_gaps gaps;
    /* least and greatest; the greatest at least twice the least, to avoid a
     * pitch */
    double gap_m[2];
    double gap_s[2];  /* the same in time, 0: no limit. Never below 50 us */
    double slope;     /* at which the mass strikes, per speed */
    double variation; /* 0 .. 1 */
    double strength_exponent; /* q, 0 .. 2 */
    /* Creak. */
    double creak_drop; /* static minus kinetic friction */
    double creak_stiffness_n_m, creak_mass_kg;
    double creak_speed_m_s; /* at which a pulse is half as long */
    double creak_jitter;    /* of the distances, 0 .. 1 */
} sb_rub_def;

/* The parameters of a contact at one moment; they are interpolated linearly. */
typedef struct sb_rub_pose {
    sb_contact_load load;
    double slip_ratio; /* r */
    /* load for which the following were computed; it may be slightly
     * outdated */
    double filter_n;
    double contact_rad_s; /* sqrt(k / m) */
    double corner_rad_s;  /* the same, as far as a filter can represent it */
    double damping;
    double b[3], a[2];   /* the low-pass, from dh/dt to F / m */
    double asperities_m; /* their heights on k or, of a ball, on its law */
    double junctions;    /* n */
    double noise_hz[SB_ROLLING_NOISES]; /* corners per m/s */
    double law_hz; /* low-pass of the heights under a ball */
    /* of the moment */
    double profile_gain; /* from F / m to N s per frame */
    double profile_part; /* of the surfaces, so that the load can bear it */
    double profile_n2, impacts_n2; /* mean squares of the forces */
    double impact_m_s;             /* speed that drives the micro-impacts */
    double impact_ns;              /* impulse of one micro-impact */
    double grains_hz, creaks_hz;
} sb_rub_pose;

typedef struct sb_rub_place {
    uint64_t phase;
    double along_m; /* position, used instead of the phase if clamped */
    int level;      /* -1: not read yet */
    double across_m;
} sb_rub_place;

/* A countdown to the next event. */
typedef struct sb_rub_clock {
    sb_random random;
    double left;
    double since_frames;
} sb_rub_clock;

/* The noises T of the asperities. */
typedef struct sb_rub_asperities {
    sb_random random;
    double noise[SB_ROLLING_NOISES];
    double left;    /* of the tick, 0 .. 1, or before the first */
    double sum;     /* of the noises at the tick */
    double last[3]; /* their means in the last three frames */
} sb_rub_asperities;

/* The low-pass of the heights under a ball. */
typedef struct sb_rub_lag {
    bool is_begun;
    double in_m, out_m; /* the last ones */
} sb_rub_lag;

typedef struct sb_rub {
    sb_rub_def def;
    double rate_hz;
    sb_rub_place place[2];
    sb_rub_asperities asperities;
    sb_rub_lag lag;
    sb_rub_pose pose; /* at the end of the last block */
    double turn;      /* turn of the first body, 0 .. 1 */
    double heard[2];  /* last two inputs dh/dt of the low-pass */
    double state[2];  /* its last two outputs */
    sb_rub_clock impacts, gravel, creak;
    unsigned long impact_count, grain_count, creak_count;
    sb_pulses pulses;
} sb_rub;

/* Default: smooth surfaces, a steel marble of 10 g at its own weight: mass
 * 0.01 kg, stiffness 1e6 N/m at 0.1 N, radius 10 mm, no wobble; uniform gaps of
 * 0.5 to 1.5 mm, slope 0.01, variation 0.5, q 0.5; drop 0.15, creak
 * stiffness 1e4 N/m and mass 1 g, creak speed 0.1 m/s, jitter 0.05. Gains:
 * profile 1, others 0. */
sb_rub_def sb_rub_default(void);

/* BAD_ARGUMENT; the message names the field and its range. */
SB_NODISCARD sb_status sb_rub_check(const sb_rub_def *def, sb_error *err);

/* Silent, at its initial position. The definition must have been checked. */
void sb_rub_init(sb_rub *rub, const sb_rub_def *def,
                 double sample_rate_hz) SB_RT;

/* The contact begins that many frames into the coming block, its first: then its
 * noise is the same at every sample rate. */
void sb_rub_delay(sb_rub *rub, double frames) SB_RT;

/* Add the force of a block to impulse_ns[SB_BLOCK_FRAMES], N s per frame.
 * `from` is normally the `to` of the block before. */
void sb_rub_block(sb_rub *rub, const sb_contact_load *from,
                  const sb_contact_load *to, float *impulse_ns) SB_RT;

/* The load of a ball at both ends of the coming block, as it wobbles. */
void sb_rub_ball_load(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, double load_n[2]) SB_RT;

/* For a ball, a mass that rides on the profile by sb_rolling_law: the height of
 * both surfaces and of the asperities under the contact, at the start of each
 * frame and at the end of the last. Advances the positions. Then sb_rub_block,
 * without a profile, adds what else the ball does. */
void sb_rub_profile(sb_rub *rub, const sb_contact_load *from,
                    const sb_contact_load *to,
                    double height_m[SB_BLOCK_FRAMES + 1]) SB_RT;
