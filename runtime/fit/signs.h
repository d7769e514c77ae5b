/* runtime/fit/signs.h -- on which side of a nodal line each place was struck.
 *
 * Struck on one side of a nodal line, a mode first moves up; on the other side,
 * down. In two recordings with the same time origin its phases are then equal
 * or opposite. An onset error delays a recording, which shifts the phase of
 * each mode in proportion to its frequency. For each recording, the delay is
 * searched at which all doubled phases agree with those of the loudest
 * recording. If there is none, all signs are plus.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_FIT_SIGNS_H
#define SB_FIT_SIGNS_H

#include "runtime/fit/modes_fit.h"

/* Signed gains weights[k * take_count + r], scaled per mode so that the largest
 * is plus or minus 1; largest[k] is that gain. Returns the agreement of phases,
 * 0 .. 1; below 0.7 all signs are plus. */
double sb_fit_weights(const sb_fit *fit, double *weights, double *largest);

#endif
