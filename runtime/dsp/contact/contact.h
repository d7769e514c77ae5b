/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/contact.h -- the normal force between two surfaces.
 *
 * With x the penetration, Hunt and Crossley's
 *
 *     f = x^a (K + b x')   for x > 0, never attractive; 0 when they are apart.
 *
 * A time step h with a constant force F moves the penetration from x0 to
 * x1 = xf - C F. xf is the penetration at its end without a force, and C is the
 * compliance of striker and body in the step. There are two schemes for F:
 *
 *   gradient   F = (X(x1) - X(x0)) / (x1 - x0) (K + b (x1 - x0) / h),
 *              X = x^(a + 1) / (a + 1): F does exactly the work that the spring
 *              stores, so that energy can only be lost, whatever h is;
 *   kmethod    F = (f0 + f1) / 2, f1 being the law at the end of the step: the
 *              trapezoid of Maunsbach & Serafin's section 3. It can gain energy
 *              when a contact lasts only a few steps; link_solve.c limits F to
 *              what the contact has taken, unless the step shall be coarse.
 *
 * Both are one strictly monotonic equation in one unknown. Newton's method
 * solves it inside a bracket that is halved where Newton leaves it.
 *
 * Symbols: K stiffness_n_m, a exponent, b lambda, x depth_m, C give.
 * Thread:  any. Memory: plain values.
 * Source:  Maunsbach & Serafin 2019, section 3, with its equation (4) cut off
 *          at x = 0 and at f = 0.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_contact_law {
    double stiffness; /* K, N / m^a, > 0 */
    double exponent;  /* a, 1 .. 4 */
    double lambda;    /* b, N s / m^(a + 1), >= 0 */
} sb_contact_law;

/* Iteration limit of both solvers; a few iterations are usual. */
enum { SB_CONTACT_ITERATIONS = 100 };

/* f at a penetration and its rate. */
double sb_contact_force(const sb_contact_law *law, double depth_m,
                        double speed_m_s) SB_RT;

/* Energy stored in the spring, K X(x). */
double sb_contact_energy_j(const sb_contact_law *law, double depth_m) SB_RT;

/* The mean force of a step by the gradient scheme; >= 0. `guess_n` is the
 * initial guess: the force of the step before, or 0. `iterations`, which may be
 * NULL, gets their number. */
double sb_contact_gradient(const sb_contact_law *law, double step_s,
                           double from_m, double free_m, double give,
                           double guess_n, int *iterations) SB_RT;

/* A step of the K-method. */
typedef struct sb_contact_step {
    double free_m, free_m_s; /* x and x' at its end if the mean force were 0 */
    double give, give_speed; /* decrease of each per newton */
    double force_before_n;   /* f0 */
} sb_contact_step;

/* f1; >= 0. `iterations` as above. */
double sb_contact_kmethod(const sb_contact_law *law,
                          const sb_contact_step *step, int *iterations) SB_RT;

/* Approximate duration of an impact, within 10 % for exponents from 1 to 4, for
 * choosing a time step. */
double sb_contact_time_s(const sb_contact_law *law, double mass_kg,
                         double speed_m_s) SB_RT;
