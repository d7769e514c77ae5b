/* runtime/scene/contact/graze.h -- a blow at an angle: part impact, part slide.
 *
 * What comes at a surface at an angle t to its normal strikes with the part of
 * its velocity that goes into the surface, and runs along it with the rest
 * (Menzies 2.1.3):
 *
 *     into v_n = v cos t,   along v_s = v sin t,
 *     share of the energy: cos^2 t and sin^2 t.
 *
 * A body is uneven, so it does not leave at once: the main impulse falls into
 * a longer period of lighter contact. That one lasts D sin^2 t, as the motion
 * along the surface has its share of the energy; its speed and its load fall
 * evenly to nothing meanwhile. Its load at the beginning is the weight w on the
 * surface and what spreads the impulse once more over all of D: a force that
 * falls evenly from F to 0 gives F D / 2. So both fade out as t goes to 0.
 *
 * Straight in, that is a plain impact without a slide; all the way along the
 * surface, a slide under the weight without an impact.
 *
 * Symbols: v speed_m_s, t angle, D time_s, w weight_n.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.3 and 2.2.1.
 */
#ifndef SB_SCENE_CONTACT_GRAZE_H
#define SB_SCENE_CONTACT_GRAZE_H

#include "runtime/base/vec3.h"

/* Used where a script does not say. */
#define SB_GRAZE_TIME_S 0.06
#define SB_GRAZE_SLIDE  1.0

/* Of the impulse of the impact, during the slide. A rough contact's force
 * changes at most as much as it bears, so that a scrape comes 25 dB or more
 * below its impact. */
#define SB_GRAZE_SHARE 1.0

typedef struct sb_graze_def {
    double time_s;      /* D, of a blow right along the surface; > 0 */
    double roughness_m; /* rms, of what it runs over; 0: the body's own */
    double slide;       /* 1: it slides, 0: it rolls, between: both */
    double level;       /* linear, on the force of the slide; 1 */
} sb_graze_def;

sb_graze_def sb_graze_def_default(void);

/* The way of the blow, told apart by the surface it comes at. */
typedef struct sb_graze_split {
    double into_m_s;  /* v_n; 0 when it does not come at the surface at all */
    double along_m_s; /* v_s */
    double into_share, along_share; /* of the energy; their sum is 1 */
    sb_vec3 along; /* unit vector along the surface; zero straight in */
} sb_graze_split;

/* `normal` points out of the surface; neither need be of unit length. */
sb_graze_split sb_graze_split_of(sb_vec3 normal, sb_vec3 direction,
                                 double speed_m_s);

/* The lasting contact that goes with the impact, at its beginning: speeds and
 * force fall evenly to 0 over its time. */
typedef struct sb_graze {
    double time_s;      /* 0: there is none */
    double contact_m_s; /* how fast the place moves over the body */
    double slip_m_s;    /* of what touches, over the body: 0 when it rolls */
    double force_n;     /* normal */
    double roughness_m; /* as in the definition */
    sb_vec3 along;      /* the way it goes; unit length */
} sb_graze;

/* `impulse_ns` is what the impact gives, `weight_n` what lies on the surface. */
sb_graze sb_graze_of(const sb_graze_def *def, const sb_graze_split *split,
                     double impulse_ns, double weight_n);

#endif
