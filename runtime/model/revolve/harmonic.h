/* SPDX-License-Identifier: MIT */
/* runtime/model/revolve/harmonic.h -- vibration of a shell of revolution with n
 * waves round its axis.
 *
 * Round the axis the motion is known exactly:
 *
 *     radial and axial  u_r, u_y  times cos(n a),   round the axis  u_a sin(n a)
 *
 * and the same turned by a quarter wave. Along the profile, elements with three
 * nodes carry u_r, u_a, u_y and two leans of the director that crosses the wall
 * (Ahmad's thick shell: plane stress, shear across the wall times 5/6).
 * Stiffness is summed at two points of each element, where its strains are most
 * exact, so that thin walls do not lock; moved or turned as a whole the body has
 * no strain. On the axis, what has one value for all angles has one number:
 * n = 0 keeps u_y, n = 1 keeps u_r = -u_a, others keep nothing.
 *
 * Unit E and density, and per 2 pi (n = 0) or pi radians (others).
 *
 * Thread: control, workers. Memory: sb_harmonic_free frees the arrays.
 * Source: S. Ahmad, B. M. Irons, O. C. Zienkiewicz, Analysis of thick and thin
 * shell structures by curved finite elements, 1970; Zienkiewicz, R. L. Taylor,
 * J. M. Too, Reduced integration technique in general analysis of plates and
 * shells, 1971.
 */
#pragma once

#include "runtime/model/revolve/outline.h"

typedef struct sb_harmonic_def {
    const sb_meridian *meridian;
    int waves;
    double poisson_ratio;
    sb_rim first, last; /* a first ring on the axis: up to the second point */
    double max_value;   /* eigenvalues up to this one */
} sb_harmonic_def;

typedef struct sb_harmonic {
    int count;
    int rigid_count;     /* of them, motions as a whole: not in `count` */
    double *values;      /* omega^2 rho / E, ascending */
    double (*shapes)[3]; /* [count][node_count]: u_r, u_a, u_y */
    double lowest;       /* the lowest elastic one, also if above the
                               * bound; INFINITY: not known */
} sb_harmonic;

/* NO_CONVERGENCE, NO_MEMORY. */
SB_NODISCARD sb_status sb_harmonic_solve(const sb_harmonic_def *def,
                                         sb_harmonic *out, sb_error *err);
void sb_harmonic_free(sb_harmonic *harmonic);
