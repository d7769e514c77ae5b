/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/hertz_step.h -- the next force of a Hertz contact.
 *
 * In a contact of exponent 3/2 the substitution x = s^2 makes every term of the
 * gradient scheme (contact.h) a polynomial. The quotient of the areas is
 *
 *     2/5 (s^4 + s^3 s0 + s^2 s0^2 + s s0^3 + s0^4) / (s + s0),
 *
 * which loses no digits however close s is to s0. From a good guess one step
 * reaches the root: Newton's step with the curvature term, whose remaining
 * error is of third order.
 *
 * The step is split into four functions, each about as long as a division, so
 * that a kernel can do other work between them while the divisions complete.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

/* Kernels with a fused multiply-add define this before. */
#ifndef SCALAR_FMA
#define SCALAR_FMA(a, b, c) ((a) * (b) + (c))
#endif

typedef struct sb_hertz_step {
    /* Set by the caller. */
    double stiffness, loss; /* K, and b / h */
    double x0;              /* depth at the start of the step, > 0 */
    double free_m;          /* depth at its end without a force */
    double give;            /* m/N: how far a newton moves the end */
    double guess_m;         /* initial guess of the depth at its end, > 0 */
    /* Intermediate results. */
    double s0, s;
    double inverse, p, p1, p2;
    double push, f, f1, f2, by_slope;
    double newton, step;
    /* The result. */
    bool is_converged;
    double force_n;
} sb_hertz_step;

static inline void hertz_roots(sb_hertz_step *m) {
    m->s0 = sqrt(m->x0);
    m->s = sqrt(m->guess_m);
}

/* The factor 2/5 goes into `push`, which is not on the critical path. */
static inline void hertz_quotient(sb_hertz_step *m) {
    double s = m->s, s0 = m->s0, x0 = m->x0, cube0 = x0 * s0;
    double square = s * s, both = s * s0, sum = s + s0;
    m->inverse = 1.0 / sum;
    m->p = SCALAR_FMA(square, SCALAR_FMA(s, s, both + x0), cube0 * sum);
    m->p1 = SCALAR_FMA(
        s, SCALAR_FMA(4.0, square, SCALAR_FMA(3.0, both, x0 + x0)), cube0);
    m->p2 = SCALAR_FMA(12.0, square, SCALAR_FMA(6.0, both, x0 + x0));
    m->push = 0.4 * SCALAR_FMA(m->loss, square - x0, m->stiffness);
}

static inline void hertz_slope(sb_hertz_step *m) {
    double q = m->p * m->inverse;
    double q1 = (m->p1 - q) * m->inverse;
    double q2 = (m->p2 - (q1 + q1)) * m->inverse;
    double push1 = 0.8 * m->loss * m->s, push2 = 0.8 * m->loss;
    m->f = q * m->push;
    m->f1 = SCALAR_FMA(q1, m->push, q * push1);
    m->f2 = SCALAR_FMA(q2, m->push, SCALAR_FMA(q1 + q1, push1, q * push2));
    m->by_slope = 1.0 / SCALAR_FMA(m->give, m->f1, m->s + m->s);
}

/* Sets `is_converged` and the force. */
static inline void hertz_end(sb_hertz_step *m) {
    double half = SCALAR_FMA(0.5 * m->give, m->f2, 1.0);
    double miss = SCALAR_FMA(-m->s, m->s, m->free_m) - m->give * m->f;
    m->newton = miss * m->by_slope;
    m->step = SCALAR_FMA(-half * m->by_slope * m->newton, m->newton, m->newton);
    double end = m->s + m->step;
    /* So stiff that the force is best computed from the depth reached. */
    bool is_stiff = m->give * m->f1 > 2.0 * m->s;
    m->force_n =
        is_stiff ? (m->free_m - end * end) / m->give
                 : SCALAR_FMA(m->step, SCALAR_FMA(0.5 * m->f2, m->step, m->f1),
                              m->f);
    /* Far from the root the two terms of the step may cancel: test the
     * first. */
    m->is_converged = m->push > 0.0 && fabs(m->newton) <= 1e-5 * m->s &&
                      end > 0.0 && m->force_n >= 0.0;
}
