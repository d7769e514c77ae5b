/* runtime/dsp/contact/contact_meet.h -- a Hertz contact's next force, in one step.
 *
 * Within a contact of exponent 3/2, x = s^2 makes the gradient of contact.h all
 * polynomials: the quotient of areas is
 *
 *     2/5 (s^4 + s^3 s0 + s^2 s0^2 + s s0^3 + s0^4) / (s + s0),
 *
 * which loses no digits however near s is to s0. A good guess is one step from
 * the root: Newton's with the curvature, so that what is left is its cube.
 *
 * The step is cut into four, each about as long as a division: whoever has
 * other work can do some of it between them.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_CONTACT_CONTACT_MEET_H
#define SB_DSP_CONTACT_CONTACT_MEET_H

#include <math.h>
#include <stdbool.h>

/* Kernels that have one define a fused operation before. */
#ifndef MEET_FMA
#define MEET_FMA(a, b, c) ((a) * (b) + (c))
#endif

typedef struct sb_meet {
    /* Set by the caller. */
    double stiffness, loss; /* K, and b / h */
    double x0;              /* depth at the step's start, > 0 */
    double free_m;          /* and at its end without a force */
    double give;
    double begin_m; /* where to begin, > 0 */
    /* The steps'. */
    double s0, s;
    double inverse, p, p1, p2;
    double push, f, f1, f2, by_slope;
    double newton, step;
    /* The result. */
    bool is_met;
    double force_n;
} sb_meet;

static inline void meet_roots(sb_meet *m) {
    m->s0 = sqrt(m->x0);
    m->s = sqrt(m->begin_m);
}

/* The 2/5 goes into the push, which is not waited for. */
static inline void meet_quotient(sb_meet *m) {
    double s = m->s, s0 = m->s0, x0 = m->x0, cube0 = x0 * s0;
    double square = s * s, both = s * s0, sum = s + s0;
    m->inverse = 1.0 / sum;
    m->p = MEET_FMA(square, MEET_FMA(s, s, both + x0), cube0 * sum);
    m->p1 =
        MEET_FMA(s, MEET_FMA(4.0, square, MEET_FMA(3.0, both, x0 + x0)), cube0);
    m->p2 = MEET_FMA(12.0, square, MEET_FMA(6.0, both, x0 + x0));
    m->push = 0.4 * MEET_FMA(m->loss, square - x0, m->stiffness);
}

static inline void meet_slope(sb_meet *m) {
    double q = m->p * m->inverse;
    double q1 = (m->p1 - q) * m->inverse;
    double q2 = (m->p2 - (q1 + q1)) * m->inverse;
    double push1 = 0.8 * m->loss * m->s, push2 = 0.8 * m->loss;
    m->f = q * m->push;
    m->f1 = MEET_FMA(q1, m->push, q * push1);
    m->f2 = MEET_FMA(q2, m->push, MEET_FMA(q1 + q1, push1, q * push2));
    m->by_slope = 1.0 / MEET_FMA(m->give, m->f1, m->s + m->s);
}

/* Sets `is_met` and the force when this was the last step. */
static inline void meet_end(sb_meet *m) {
    double half = MEET_FMA(0.5 * m->give, m->f2, 1.0);
    double miss = MEET_FMA(-m->s, m->s, m->free_m) - m->give * m->f;
    m->newton = miss * m->by_slope;
    m->step = MEET_FMA(-half * m->by_slope * m->newton, m->newton, m->newton);
    double end = m->s + m->step;
    /* So stiff that the force follows from where it gets to. */
    bool is_stiff = m->give * m->f1 > 2.0 * m->s;
    m->force_n =
        is_stiff
            ? (m->free_m - end * end) / m->give
            : MEET_FMA(m->step, MEET_FMA(0.5 * m->f2, m->step, m->f1), m->f);
    /* Far from the root the two terms may cancel: look at the first. */
    m->is_met = m->push > 0.0 && fabs(m->newton) <= 1e-5 * m->s && end > 0.0 &&
                m->force_n >= 0.0;
}

#endif
