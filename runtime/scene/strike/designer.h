/* SPDX-License-Identifier: MIT */
/* runtime/scene/strike/designer.h -- what a sound designer adds to a strike: how
 * it gets louder, the micro-impacts that follow, and the slide of one at an
 * angle.
 *
 * Level: breakpoints map the true speed of a strike to the speed it is played
 * with (Menzies 2.1.1). The curve is linear between breakpoints and from the
 * origin to the first. It is constant after the last, whose level is therefore
 * an upper limit. Without breakpoints it is the identity, the physical law.
 *
 * Scatter: things seldom strike just once. A Poisson process draws secondary impacts,
 * more of them the harder the strike (Menzies 2.1.3). Its rate at a time t
 * after the strike is
 *
 *     r v / T  e^(-t / T),
 *
 * so r v micro-impacts are expected in all, half of them within 0.7 T. Each is
 * an impact of the same model. Its speed is uniformly distributed between 0 and
 * a share of the first speed. Times are in seconds, so every sample rate draws
 * the same micro-impacts.
 *
 * Graze: a striker that arrives at an angle t to the surface normal strikes with the
 * velocity component into the surface and slides with the component along it
 * (Menzies 2.1.3):
 *
 *     into v_n = v cos t,   along v_s = v sin t,
 *     shares of the energy: cos^2 t and sin^2 t.
 *
 * Surfaces are uneven, so the striker does not leave at once: a longer period
 * of lighter contact follows the main impulse. It lasts D sin^2 t, in
 * proportion to the energy of the motion along the surface. Speed and load fall
 * linearly to zero during that time. The initial load is the weight w on the
 * surface plus the force that gives the impulse once more over all of D: a
 * force that falls linearly from F to 0 gives F D / 2. So the slide vanishes as
 * t goes to 0.
 *
 * Straight in, this is an impact without a slide; parallel to the surface, a
 * slide under the weight without an impact.
 *
 * Symbols: v speed_m_s; r per_m_s, T spread_s; t angle, D time_s, w weight_n.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.1, 2.1.3 and 2.2.1.
 */
#pragma once

#include "runtime/base/random.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

/* --- level ----------------------------------------------------------------- */

enum { SB_LEVEL_POINTS = 16 };

typedef struct sb_level_point {
    double speed_m_s; /* strictly rising from point to point; >= 0 */
    double level_m_s; /* >= 0 */
} sb_level_point;

typedef struct sb_level_curve {
    sb_level_point points[SB_LEVEL_POINTS];
    int count; /* 0: the identity */
} sb_level_curve;

double sb_level_read(const sb_level_curve *curve, double speed_m_s) SB_RT;

/* --- scatter --------------------------------------------------------------- */

/* Defaults. */
#define SB_SCATTER_SPREAD_S 0.02
#define SB_SCATTER_LEVEL    0.3

/* At most this many per strike: more cannot be heard separately. */
enum { SB_SCATTER_IMPACTS = 64 };

typedef struct sb_scatter {
    double per_m_s;  /* >= 0; 0: none */
    double spread_s; /* > 0 */
    double level;    /* highest speed, as a share of the strike's */
} sb_scatter;

typedef struct sb_micro_impact {
    double after_s; /* since the strike; rising */
    double share;   /* of the strike's speed */
} sb_micro_impact;

/* Draw the micro-impacts of a strike of this speed; returns their number. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random,
                    sb_micro_impact impacts[SB_SCATTER_IMPACTS]);

/* --- graze ----------------------------------------------------------------- */

/* Defaults. */
#define SB_GRAZE_TIME_S 0.06
#define SB_GRAZE_SLIDE  1.0

/* Impulse of the slide's load, as a share of the impact's. The force of a rough
 * contact varies by at most its load, so a scrape is 25 dB or more below its
 * impact. */
#define SB_GRAZE_SHARE 1.0

typedef struct sb_graze_def {
    double time_s;      /* D, for a strike parallel to the surface; > 0 */
    double roughness_m; /* rms, of the surface; 0: the body's own */
    double slide;       /* 1: it slides, 0: it rolls, between: both */
    double level;       /* linear, on the force of the slide; 1 */
} sb_graze_def;

sb_graze_def sb_graze_def_default(void);

/* The velocity of a strike, split into its parts into and along the surface. */
typedef struct sb_graze_split {
    double into_m_s;    /* v_n; 0 when it moves away from the surface */
    double along_m_s;   /* v_s */
    double along_share; /* of the energy */
    sb_vec3 along;      /* unit vector along the surface; zero straight in */
} sb_graze_split;

/* `normal` points out of the surface; neither need be of unit length. */
sb_graze_split sb_graze_split_of(sb_vec3 normal, sb_vec3 direction,
                                 double speed_m_s);

/* The slide that follows the impact, at its beginning: speeds and force fall
 * linearly to 0 over its time. */
typedef struct sb_graze {
    double time_s;      /* 0: there is none */
    double contact_m_s; /* of the contact point over the body */
    double slip_m_s;    /* of the striker over the body; 0 when it rolls */
    double force_n;     /* normal */
    double roughness_m; /* as in the definition */
    sb_vec3 along;      /* direction of the slide; unit length */
} sb_graze;

/* `impulse_ns` is that of the impact, `weight_n` the weight on the surface. */
sb_graze sb_graze_of(const sb_graze_def *def, const sb_graze_split *split,
                     double impulse_ns, double weight_n);
