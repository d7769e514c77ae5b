/* runtime/dsp/striker_inside.h -- what the two files of the strikers share:
 * striker.c, their flight, and striker_block.c, their contacts.
 *
 * Thread: audio.
 */
#ifndef SB_DSP_STRIKER_INSIDE_H
#define SB_DSP_STRIKER_INSIDE_H

#include "runtime/dsp/striker.h"

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

#endif
