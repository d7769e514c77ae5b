/* runtime/model/closed_forms/beam.h -- exact bending modes of a uniform beam.
 *
 * Timoshenko's beam, with shear and rotary inertia, along xi = x / L:
 *
 *     w'' + b^2 s^2 w = (L psi)',    b = omega L^2 sqrt(rho A / E I)
 *     w = c0 e^(-p xi) + c1 e^(-p (1 - xi)) + c2 cos(q xi) + c3 sin(q xi)
 *     L psi = g (-c0 e^(-p xi) + c1 e^(-p (1 - xi)))
 *             + h (-c2 sin(q xi) + c3 cos(q xi))
 *     g = (p^2 + b^2 s^2) / p,   h = (q^2 - b^2 s^2) / q
 *
 * r = s = 0 is Euler and Bernoulli's beam. The growing exponential is written
 * from the far end, so that high modes keep all their digits.
 *
 * Above b = 1 / (r s) the exponentials turn into a second family of waves
 * across the section; beam theory ends there, and so do the modes.
 *
 * Symbols: r^2 = I / (A L^2) rotary; s^2 = E I / (kappa G A L^2) shear.
 * Thread: any. Memory: plain values.
 * Source: T. C. Huang, J. Appl. Mech. 28 (1961) 579; the frequency equations
 *         are solved here for their phase, which grows with b.
 */
#ifndef SB_MODEL_CLOSED_FORMS_BEAM_H
#define SB_MODEL_CLOSED_FORMS_BEAM_H

#include "runtime/model/shape.h"

#include <stdbool.h>

typedef struct sb_beam {
    double rotary; /* r^2 */
    double shear;  /* s^2 */
    sb_support ends;
} sb_beam;

typedef struct sb_beam_mode {
    double b;          /* omega L^2 sqrt(rho A / E I) */
    double p, q, g, h; /* as above */
    double c[4];
    double mean_square; /* of w over the length */
} sb_beam_mode;

/* The n-th bending mode, n >= 1, with integral of w^2 + r^2 (L psi)^2 over xi
 * equal to 1 and w positive near xi = 0. False when it lies above the range of
 * the theory. */
bool sb_beam_solve(const sb_beam *beam, int n, sb_beam_mode *out);

/* w and L psi at xi. */
void sb_beam_at(const sb_beam_mode *mode, double xi, double *w, double *l_psi);

#endif
