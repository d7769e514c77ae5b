/* runtime/fit/spread.h -- what is known at a few places, told for all.
 *
 *     line       along the line through the places, in order; beyond the first
 *                and the last it stays as it is there
 *     round      by the distance from the middle (0.5, 0.5): what is known at a
 *                distance is turned about the middle
 *     scattered  radial basis functions, the distance itself, with a mean: the
 *                surface that is straightest between the places
 *
 * Along line and radius cubic pieces are used whose slopes never overshoot, so
 * that a weight between two places lies between theirs.
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
    double places[SB_SPREAD_MAX_PLACES][2]; /* u, v; 0 .. 1 */
} sb_spread;

/* Texels of a picture `width` x `height`, rows from the top (v = 0), from one
 * value a place. BAD_ARGUMENT for two scattered places that are the same,
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_spread_fill(const sb_spread *spread,
                                      const double *values, int width,
                                      int height, float *out, sb_error *err);

#endif
