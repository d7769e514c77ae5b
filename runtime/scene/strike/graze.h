/* runtime/scene/strike/graze.h -- a strike at an angle: impact and slide.
 *
 * A striker that arrives at an angle t to the surface normal strikes with the
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
 * Symbols: v speed_m_s, t angle, D time_s, w weight_n.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.3 and 2.2.1.
 */
#ifndef SB_SCENE_STRIKE_GRAZE_H
#define SB_SCENE_STRIKE_GRAZE_H

#include "runtime/base/vec3.h"

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
    double into_m_s;  /* v_n; 0 when it moves away from the surface */
    double along_m_s; /* v_s */
    double into_share, along_share; /* of the energy; they add up to 1 */
    sb_vec3 along; /* unit vector along the surface; zero straight in */
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

#endif
