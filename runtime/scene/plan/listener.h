/* runtime/scene/plan/listener.h -- two ears with a position and a direction.
 *
 * A body radiates the pressure p at 1 m; at distance r it is p / r, after r / c.
 * What the two ears make of it:
 *
 *   head  on a sphere of radius a, at both ends of its axis. With t the angle
 *         between an ear's side of the axis and the body, sound comes to that ear
 *         earlier by a cos t / c, or creeps round the head and comes later by
 *         a (t - pi / 2) / c (Woodworth). High tones are louder on the near side
 *         and softer on the far one by alpha(t) (Brown & Duda); straight ahead
 *         both ears hear p / r after r / c.
 *   pair  two microphones, each at its own distance.
 *   pan   at once, and panned by the angle from straight ahead with constant
 *         power: left = sqrt(2) cos(s), right = sqrt(2) sin(s),
 *         s = (1 + side) pi / 4, where side = -1 .. 1 is how far to the right the
 *         body is.
 *
 * Symbols: full scale is SB_FULL_SCALE_PA, the loudest pressure a file holds;
 *          c -> sb_air_speed, a -> SB_HEAD_M.
 * Thread:  any.
 */
#ifndef SB_SCENE_PLAN_LISTENER_H
#define SB_SCENE_PLAN_LISTENER_H

#include "runtime/base/vec3.h"
#include "runtime/dsp/ears/air.h"

#include <stdbool.h>

/* A sine of 40 Pa peak is 123 dB of sound pressure level: a hard stroke at
 * arm's length stays below it, a soft one is well above the noise. */
#define SB_FULL_SCALE_PA 40.0

/* Nearer than this, a body is heard as if it were here. */
#define SB_NEAREST_M 0.1

#define SB_HEAD_M 0.0875 /* its radius */

typedef enum sb_ears_kind {
    SB_EARS_HEAD,
    SB_EARS_PAIR,
    SB_EARS_PAN,
    SB_EARS_KINDS
} sb_ears_kind;

typedef struct sb_listener {
    sb_vec3 position;  /* m; default {0, 0, 1} */
    sb_vec3 facing;    /* need not be of unit length; default {0, 0, -1} */
    sb_vec3 velocity;  /* m/s, by itself; default {0, 0, 0} */
    double gain;       /* linear, on everything; default 1 */
    sb_ears_kind ears; /* default HEAD */
    double spacing_m;  /* of a pair; default 0.2 */
    sb_air air;        /* that it hears through */
} sb_listener;

sb_listener sb_listener_default(void);
bool sb_listener_is_same(const sb_listener *a, const sb_listener *b);

/* What one ear (0: left) hears of a body at `source`: how late, and with which
 * gains, full scale per (Pa m), of the whole sound and of its low part
 * (propagation.h). `occlusion`, 0 .. 1, is how much stands in the way: at 1 the
 * low part alone comes through, at half its level. */
typedef struct sb_heard {
    double delay_s;
    double full, dull;
    double distance_m; /* through the air; 0 for a pan */
} sb_heard;

sb_heard sb_listener_listen(const sb_listener *listener, int ear,
                            sb_vec3 source, double occlusion);

#endif
