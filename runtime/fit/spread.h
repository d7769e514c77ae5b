/* runtime/fit/spread.h -- weights at a few places, interpolated to a texture.
 *
 *     line       along the line through the places; constant beyond the first
 *                and the last place
 *     round      by the distance from the middle (0.5, 0.5), equal in all
 *                directions
 *     scattered  radial basis functions (the distance) plus a constant
 *
 * Line and round use monotone cubic pieces that never overshoot, so that a
 * weight between two places lies between theirs.
 *
 * Thread: control. Memory: the caller's.
 * Source: F. N. Fritsch & J. Butland, A Method for Constructing Local Monotone
 *         Piecewise Cubic Interpolants, SIAM J. Sci. Stat. Comput. 5(2), 1984;
 *         D. Maunsbach & S. Serafin, 2019, 5.2 and 5.3.
 */
#ifndef SB_FIT_SPREAD_H
#define SB_FIT_SPREAD_H

#include "runtime/base/status.h"

enum { SB_SPREAD_MAX_PLACES = 64 };

typedef enum sb_spread_kind {
    SB_SPREAD_LINE,
    SB_SPREAD_ROUND,
    SB_SPREAD_SCATTERED
} sb_spread_kind;

typedef struct sb_spread {
    sb_spread_kind kind;
    int count;                              /* 1 .. SB_SPREAD_MAX_PLACES */
    double places[SB_SPREAD_MAX_PLACES][2]; /* u and v, 0 .. 1 */
} sb_spread;

/* Fill a picture of `width` x `height` texels, rows from the top (v = 0), from
 * one value per place. BAD_ARGUMENT when two scattered places coincide,
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_spread_fill(const sb_spread *spread,
                                      const double *values, int width,
                                      int height, float *out, sb_error *err);

#endif
