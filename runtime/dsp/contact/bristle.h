/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/bristle.h -- dry friction: squeak, creak, and the bow.
 *
 * Two surfaces touch through bristles that bend before they slip. With z their
 * mean deflection, v the slip of the first surface over the second and N the
 * load,
 *
 *     F  = N (k z + c(v) z' + d v),       z' = v (1 - a(z, v) z / zs(v))
 *     zs = sgn(v) mu(v) / k,              mu(v) = mk + (ms - mk) e^-(v / vs)^2
 *
 * a is 0 up to the break-away point k |z| = B mk, and whenever z and v have
 * opposite signs; there the bristles are plain springs, so that a sticking
 * contact does not creep. From there to zs it rises to 1 as a sine. Stiffness
 * is proportional to the load, as for real asperities: a rising load adds
 * bristles that are not deflected yet (k N z is continuous), a falling load
 * removes bristles together with their force (z is continuous), and at load 0
 * nothing is left. Neither creates energy.
 *
 * A step of h takes v as constant. While a is 0 or 1 the bristles then move
 * exactly as their equation says; in between, z1 - z0 = h z'(z0 + t (z1 - z0))
 * with t = 1 / (1 - e^-x) - 1 / x and x = a |v| h / |zs|, from 1/2 to 1. F is
 * the mean over the step. The springs take up the work F v h except for
 *
 *     h (a N k z^2 |v| / |zs| + N c z' v + N d v^2) >= 0.
 *
 * The middle term is negative where z' and v have opposite signs, beyond zs.
 * There, with r = z / zs, the first term is N mu |v| r^2 and the middle one
 * -N c v^2 (r - 1). Since (r - 1) / r^2 is at most 1/4, no energy is created
 * while c |v| <= 4 mu; while c |v| <= mu the force never points along the slip.
 * So c(v) is c, or mk / |v| where that is less. It is also limited to the value
 * that brings the surfaces to rest in one step; more has no benefit.
 *
 * Symbols: ms mu_static, mk mu_kinetic, vs stribeck_m_s, k stiffness_per_m,
 *          c damping_s_per_m, d viscous_s_per_m, B break_away, z stretch_m.
 * Thread:  any. Memory: plain values.
 * Source:  Dupont et al. 2002 (elasto-plastic bristles); Avanzini, Serafin &
 *          Rocchesso 2005, section II; the step and the bound are our own.
 */
#pragma once

#include "runtime/base/status.h"

/* All values are per newton of load. */
typedef struct sb_bristle {
    double mu_static;  /* ms >= mk */
    double mu_kinetic; /* mk >= 0 */
    /* vs > 0: the slip speed scale of the fall from ms to mk */
    double stribeck_m_s;
    double stiffness_per_m; /* k > 0: the bristles slip at ms / k metres */
    double damping_s_per_m; /* c >= 0: damps them while they stick */
    double viscous_s_per_m; /* d >= 0: increase of mu per m/s of slip */
    double break_away;      /* B, 0 .. 1 */
} sb_bristle;

/* All zeros: no contact yet. */
typedef struct sb_bristle_state {
    double stretch_m; /* z */
    double slip_m_s;  /* v of the last step */
    double load_n;    /* N of the last step */
} sb_bristle_state;

/* Iteration limit of the solver; three to ten evaluations of the law are usual,
 * and none while the surfaces stick. */
enum { SB_BRISTLE_ITERATIONS = 120 };

/* A law for a pair of surfaces. A stribeck_m_s or stiffness_per_m of 0 selects
 * the default: 0.02 m/s, and a deflection of 4 um for ms = 0.4. mu_kinetic is
 * limited to mu_static. The damping time of the bristles is 0.1 ms, break_away
 * 0.7, and there is no viscous part. */
sb_bristle sb_bristle_from(double mu_static, double mu_kinetic,
                           double stribeck_m_s, double stiffness_per_m) SB_RT;

/* The mean force over a step, opposing the slip of the first surface over the
 * second, where the mean slip is v = free_m_s - give_m_s_per_n F. Where several
 * F are possible (a bow that may stick or slip), the one closest to the
 * previous step is taken. `after` may be `before`. A load of 0 or less, or any
 * NaN, gives no force and bristles at rest. */
double sb_bristle_force(const sb_bristle *law, const sb_bristle_state *before,
                        double step_s, double normal_n, double free_m_s,
                        double give_m_s_per_n, sb_bristle_state *after) SB_RT;

/* Energy stored in the bristles, N k z^2 / 2. */
double sb_bristle_energy_j(const sb_bristle *law,
                           const sb_bristle_state *state) SB_RT;
