/* runtime/scene/listener.h -- two ears with a position and a direction.
 *
 * A body radiates the pressure p at 1 m. At distance r an ear hears p / r,
 * panned by the angle from straight ahead with constant power:
 *
 *     left  = sqrt(2) cos(t),  right = sqrt(2) sin(t),  t = (1 + side) pi / 4
 *
 * where side = -1 .. 1 is how far to the right the body is. Straight ahead both
 * ears hear p / r.
 *
 * Symbols: full scale is SB_FULL_SCALE_PA, the loudest pressure a file holds.
 * Thread:  any.
 */
#ifndef SB_SCENE_LISTENER_H
#define SB_SCENE_LISTENER_H

#include "runtime/base/vec3.h"

/* A sine of 40 Pa peak is 123 dB of sound pressure level: a hard stroke at
 * arm's length stays below it, a soft one is well above the noise. */
#define SB_FULL_SCALE_PA 40.0

/* Nearer than this, a body is heard as if it were here. */
#define SB_NEAREST_M 0.1

typedef struct sb_listener {
    sb_vec3 position; /* m; default {0, 0, 1} */
    sb_vec3 facing;   /* need not be of unit length; default {0, 0, -1} */
    double gain;      /* linear, on everything; default 1 */
} sb_listener;

sb_listener sb_listener_default(void);

/* Left and right gain, full scale per (Pa m), for a body at `source`. */
void sb_listener_hear(const sb_listener *listener, sb_vec3 source,
                      float ear_gain[2]);

#endif
