/* runtime/model/closed_forms/ritz_axis.h -- polynomials for the ends of a beam.
 *
 * Along x = -1 .. 1 the functions
 *
 *     X_i = (1 + x)^p (1 - x)^q P_i(x),   p, q = 0 at a free end; at a
 *                                         clamped one 2 if X' is 0 there, too,
 *                                         1 if only X is
 *
 * with P_i Jacobi's polynomials of weight (1 + x)^2p (1 - x)^2q (Legendre's
 * when both ends are free) are orthonormal, so that a plate's mass matrix in
 * their products is the identity however many are taken.
 *
 * Private to runtime/model.   Thread: any once made. Memory: sb_ritz_axis_free.
 */
#ifndef SB_MODEL_CLOSED_FORMS_RITZ_AXIS_H
#define SB_MODEL_CLOSED_FORMS_RITZ_AXIS_H

#include "runtime/base/status.h"

typedef struct sb_ritz_axis {
    int count;                 /* functions; P_i has degree i */
    int power_low, power_high; /* p, q */
    double first;              /* P_0 */
    double *off,
        *diag; /* x P_i = off[i+1] P_i+1 + diag[i] P_i + off[i] P_i-1 */
} sb_ritz_axis;

/* Integrals over x of products of functions and their derivatives, count x
 * count each, in one block. */
typedef struct sb_ritz_matrices {
    double *bend;  /* X_i'' X_j'' */
    double *mixed; /* X_i   X_j'' */
    double *slope; /* X_i'  X_j'  */
    double *drift; /* X_i   X_j'  */
} sb_ritz_matrices;

SB_NODISCARD sb_status sb_ritz_axis_init(sb_ritz_axis *axis, int count,
                                         int power_low, int power_high,
                                         sb_error *err);
void sb_ritz_axis_free(sb_ritz_axis *axis);

/* values[count] of the functions at x. */
void sb_ritz_axis_at(const sb_ritz_axis *axis, double x, double *values);

/* Values in out[0 .. count), first derivatives in the next `count`, second ones
 * in the last. */
void sb_ritz_axis_derivatives(const sb_ritz_axis *axis, double x, double *out);

/* Free `bend` to free them all. */
SB_NODISCARD sb_status sb_ritz_axis_matrices(const sb_ritz_axis *axis,
                                             sb_ritz_matrices *out,
                                             sb_error *err);

#endif
