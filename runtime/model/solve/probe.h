/* runtime/model/solve/probe.h -- mode shapes of two solves of one body, compared
 * inside it.
 *
 * Solves with elements of different sizes have no nodes in common, and their
 * modes may follow in another order. Both are read at the same points, spread
 * through the body with the volume each stands for as its weight, so that the
 * product of two shapes
 *
 *     O_ij = sum_p w_p x_i(p) . y_j(p)
 *
 * is that of the mass matrix: 1 for the same mode, 0 for another one. The
 * surface alone would not do: overtones of a ball are equal there.
 *
 * Symbols: O overlap; w_p volume of a point, x and y unit shapes at it.
 * Thread: control, workers. Memory: the caller's; free with _free.
 */
#ifndef SB_MODEL_SOLVE_PROBE_H
#define SB_MODEL_SOLVE_PROBE_H

#include "runtime/model/solve/attempt.h"

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

/* O of two modes, as read. */
double sb_probe_overlap(const sb_probe *probe, const float *a, const float *b);

#endif
