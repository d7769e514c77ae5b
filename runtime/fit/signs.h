/* runtime/fit/signs.h -- on which side of a nodal line each place was hit.
 *
 * Seen from the middle of its swing, a mode moves up first or down first. Two
 * recordings whose clocks agree show this as phases that are equal or opposite;
 * clocks differ by the little that onsets are wrong, which turns the phase of a
 * mode in proportion to its frequency. So the delay of each recording is sought
 * that brings all phases, taken twice, to those of the loudest. Where none
 * does, all signs are plus.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_FIT_SIGNS_H
#define SB_FIT_SIGNS_H

#include "runtime/fit/modes_fit.h"

/* Gains with signs, weights[k * take_count + r], each mode's own largest being
 * plus or minus 1; the largest gains themselves in largest[k]. Returns how well
 * phases agree, 0 .. 1; below 0.7 no sign is believed. */
double sb_fit_weights(const sb_fit *fit, double *weights, double *largest);

#endif
