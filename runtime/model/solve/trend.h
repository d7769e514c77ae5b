/* runtime/model/solve/trend.h -- what is left of the error of a solve, from a
 * coarser one.
 *
 * Frequencies of two solves differ by an error that falls with a power p of the
 * edge h of the elements. What is left of it in the finer solve is, relative to
 * the frequency,
 *
 *     (f0 - f1) / f1 / ((h0 / h1)^p - 1)
 *
 * by Richardson's extrapolation. f0 is the frequency of the same mode, not of
 * the one with the same number: modes of different shapes have different
 * errors, and may follow in another order. The coarse modes that a fine mode
 * consists of are found by their shapes (probe.h); in a pair or triple of equal
 * frequencies, whose shapes are any mixture, f0^2 is the mean by shares.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#ifndef SB_MODEL_SOLVE_TREND_H
#define SB_MODEL_SOLVE_TREND_H

#include "runtime/model/solve/probe.h"

/* What is kept of a solve: its modes on the skin and, of solids of any size of
 * elements, all modes found at the points of a probe. */
typedef struct sb_outcome {
    sb_solution *solution;
    sb_reading read;
    sb_grain grain;
    double edge_m;
} sb_outcome;

void sb_outcome_free(sb_outcome *outcome);

/* One number per mode of `fine`. A mode that the coarser solve does not have
 * gets the number of its neighbour if it is one of the highest, which may be
 * beyond the end of that solve, and else 1. NO_MEMORY. */
SB_NODISCARD sb_status sb_trend_left(const sb_probe *probe,
                                     const sb_outcome *coarse,
                                     const sb_outcome *fine, double **out,
                                     sb_error *err);

/* Takes what is left out of the frequencies; modes that change places do so
 * with their shapes. */
SB_NODISCARD sb_status sb_trend_extrapolate(const double *left,
                                            sb_outcome *fine, sb_error *err);

#endif
