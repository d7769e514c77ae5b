/* runtime/dsp/surface/rub.h -- the force of a lasting contact, one-way.
 *
 * A rolling, sliding, scraping or creaking contact drives both bodies with a
 * force that depends on its load (contact_load.h) but not on their vibration.
 * The force of a ball that rolls is that of a mass on the profile and is
 * computed elsewhere (link.h, ride.h), under a load from here. Four kinds, mixed
 * by gains:
 *
 * profile   A needle on a record (Menzies 2.2.1). The heights h of the
 *           surfaces, each passing at its own speed, lift a mass m on the
 *           contact stiffness k: below the corner w the mass follows and the
 *           force is m h'', above it the force is k h:
 *               F = m w^2 / (s^2 + 2 z w s + w^2) h'',
 *               1 / w^2 = m / k + 1 / w_slip^2.
 *           w_slip rises from a corner for rolling to one for sliding with the
 *           slip ratio r = |slip| / greater of the speeds. k grows with the
 *           load, k = K (N / N0)^p. The force cannot exceed what the load
 *           allows: F is scaled by (1 + E^2 / L^2)^(-firmness / 2), L = limit
 *           N, E being the root mean square predicted from the spectrum of the
 *           profile at this speed. A firm limit holds F at L, so that only the
 *           pitch depends on the speed; a softer one lets F grow as E^(1 -
 *           firmness).
 * impacts   Micro-impacts at random distances (Maunsbach & Serafin 4.3), of
 *               J = m slope v (N / N0)^q (1 +- variation) (1 - r)
 *           and T = pi sqrt(m / k). v is the mean of the two speeds.
 * gravel    Grains that profile and impacts set in motion (2.2.3), where a
 *           surface has them (sb_gravel).
 * creak     Stick and slip (2.2.4): a pulse each time the slip has stretched
 * the
 *           contact by 2 drop N / k_t, of peak force 2 drop N and
 *           T = pi sqrt(m / k_t) / (1 + |slip| / creak_speed).
 *
 * A ball that rolls (is_rolling) is no needle. As it begins to slip, the
 * profile's force counts by r, and the ball carries 1 - r of the load.
 *
 * Wobble: all but the creak, and the load of a ball, is modulated by 1 + eccentricity cos(angle) as the
 * first body turns, one turn per 2 pi radius of its contact distance.
 *
 * A contact at rest is silent. The spectrum up to 10 kHz is the same at every
 * sample rate from 44.1 kHz on. Pulses come SB_RUB_DELAY_S after their cause.
 *
 * Symbols: N force_n, N0 load_n, m mass_kg, K stiffness_n_m, z damping.
 * Thread:  audio; _default and _check control.
 * Memory:  plain values, in the caller's memory; surfaces must outlive it.
 * Source:  Menzies, Phya and VFoley, 2.2; Maunsbach & Serafin 2019, 4.3.
 */
#ifndef SB_DSP_SURFACE_RUB_H
#define SB_DSP_SURFACE_RUB_H

#include "runtime/base/random.h"
#include "runtime/dsp/surface/contact_load.h"
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
    /* The contact. */
    double mass_kg;       /* the mass on the contact spring */
    double stiffness_n_m; /* K, at the load N0 */
    double load_n;        /* N0 */
    double load_exponent; /* p, 0 .. 1; 1/3 is Hertz's */
    double damping;       /* z, 0.05 .. 0.95 */
    double limit;    /* of the profile's force, in units of the load; > 0 */
    double firmness; /* hardness of that limit, 0 .. 1 */
    double roll_corner_hz, slide_corner_hz;
    bool is_rolling; /* a ball rides on the profile */
    /* Wobble. */
    double radius_m, eccentricity; /* eccentricity 0 .. 1; 0: none */
    /* Micro-impacts. */
    sb_rub_gaps gaps;
    /* least and greatest; the greatest at least twice the least, to avoid a
     * pitch */
    double gap_m[2];
    double gap_s[2];  /* the same in time, 0: no limit. Never below 50 us */
    double slope;     /* mean slope of the asperities */
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
    /* load and r for which the following were computed; they may be slightly
     * outdated */
    double filter_n, filter_ratio;
    double contact_rad_s;          /* sqrt(k / m) */
    double corner_rad_s;           /* w */
    double b[3], a[2];             /* the low-pass, from dh/dt to F / m */
    double profile_gain;           /* from F / m to N s per frame */
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

typedef struct sb_rub {
    sb_rub_def def;
    double rate_hz;
    sb_rub_place place[2];
    sb_rub_place began[2]; /* is_rolling: at the start of the block */
    sb_rub_pose pose;      /* at the end of the last block */
    double turn;           /* turn of the first body, 0 .. 1 */
    double heard[2];       /* last two inputs dh/dt of the low-pass */
    double state[2];       /* its last two outputs */
    sb_rub_clock impacts, gravel, creak;
    unsigned long impact_count, grain_count, creak_count;
    sb_pulses pulses;
} sb_rub;

/* Default: smooth surfaces, a steel marble of 10 g at its own weight: mass
 * 0.01 kg, stiffness 1e6 N/m at 0.1 N, exponent 1/3, damping 0.3, limit 1,
 * firmness 1, corners 1.2 and 16 kHz, radius 10 mm, no wobble; uniform gaps
 * of 0.5 to 1.5 mm, slope 0.01, variation 0.5, q 0.5; drop 0.15, creak
 * stiffness 1e4 N/m and mass 1 g, creak speed 0.1 m/s, jitter 0.05. Gains:
 * profile 1, others 0. */
sb_rub_def sb_rub_default(void);

/* BAD_ARGUMENT; the message names the field and its range. */
SB_NODISCARD sb_status sb_rub_check(const sb_rub_def *def, sb_error *err);

/* Silent, at its initial position. The definition must have been checked. */
void sb_rub_init(sb_rub *rub, const sb_rub_def *def,
                 double sample_rate_hz) SB_RT;

/* Add the force of a block to impulse_ns[SB_BLOCK_FRAMES], N s per frame.
 * `from` is normally the `to` of the block before. */
void sb_rub_block(sb_rub *rub, const sb_contact_load *from,
                  const sb_contact_load *to, float *impulse_ns) SB_RT;

/* The load of a rolling ball at both ends of the coming block: less what the
 * needle carries, and as the ball wobbles. */
void sb_rub_ball_load(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, double load_n[2]) SB_RT;

/* For a mass that rides on the profile: the height of both surfaces under the
 * contact, at the start of each frame and at the end of the last. Advances the
 * positions. With is_rolling sb_rub_block must follow for the same block: its
 * needle, if any, follows the same positions. */
void sb_rub_profile(sb_rub *rub, const sb_contact_load *from,
                    const sb_contact_load *to,
                    double height_m[SB_BLOCK_FRAMES + 1]) SB_RT;

#endif
