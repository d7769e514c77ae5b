/* SPDX-License-Identifier: MIT */
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
 * consists of are found by their shapes (sb_probe); in a pair or triple of
 * equal frequencies, whose shapes are any mixture, f0^2 is the mean by shares.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#pragma once

#include "runtime/model/solve/attempt.h"

/* Solves with elements of different sizes have no nodes in common, and their
 * modes may follow in another order. Both are read at the same points, spread
 * through the body with the volume each stands for as its weight, so that the
 * product of two shapes
 *
 *     O_ij = sum_p w_p x_i(p) . y_j(p)
 *
 * is that of the mass matrix: 1 for the same mode, 0 for another one. The
 * surface alone would not do: overtones of a ball are equal there.
 *
 * Symbols: O overlap; w_p volume of a point, x and y unit shapes at it. */
typedef struct sb_probe_point {
    sb_vec3 at;
    double volume_m3;
} sb_probe_point;

typedef struct sb_probe {
    int count;
    sb_probe_point *points; /* by x, ascending */
} sb_probe;

/* Points in the middles of its elements; of many elements a part. */
SB_NODISCARD sb_status sb_probe_make(const sb_solid_mesh *solid, sb_probe *out,
                                     sb_error *err);
void sb_probe_free(sb_probe *probe);

/* All elastic modes that a solve has found, at the points. */
typedef struct sb_reading {
    int count;
    double *lambdas; /* ascending */
    float *shapes;   /* [mode][point][3] times the root of the volume, each mode
                      * of length 1 */
} sb_reading;

/* Of a solid that has been solved. NO_MEMORY. */
SB_NODISCARD sb_status sb_probe_read(const sb_probe *probe,
                                     const sb_attempt *attempt, sb_reading *out,
                                     sb_error *err);

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
