/* runtime/dsp/contact/bristle.h -- dry friction: squeak, creak, and the bow.
 *
 * Two surfaces touch through bristles that bend before they slip. With z their
 * mean stretch, v the slip of the first surface over the second and N the load,
 *
 *     F  = N (k z + c(v) z' + d v),       z' = v (1 - a(z, v) z / zs(v))
 *     zs = sgn(v) mu(v) / k,              mu(v) = mk + (ms - mk) e^-(v / vs)^2
 *
 * a is 0 up to the break-away k |z| = B mk, and whenever z and v disagree in
 * sign; there the bristles are plain springs, so that what sticks does not
 * creep. From there to zs it rises as a sine to 1. Stiffness goes with the
 * load, as it does for real asperities: those that a rising load adds are not
 * yet stretched (k N z stays as it was), those that a falling load frees take
 * their part with them (z stays), and a load of 0 leaves nothing. Neither makes
 * energy.
 *
 * A step of h takes v as constant. The bristles then move exactly as their
 * equation says while a is 0 or 1; between, z1 - z0 = h z'(z0 + t (z1 - z0))
 * with t = 1 / (1 - e^-x) - 1 / x and x = a |v| h / |zs|, from 1/2 to 1. F is
 * the mean of the step. The spring takes up the work F v h but for
 *
 *     h (a N k z^2 |v| / |zs| + N c z' v + N d v^2) >= 0.
 *
 * The middle term is negative where z' and v disagree, beyond zs. There, with
 * r = z / zs, the first is N mu |v| r^2 and the middle -N c v^2 (r - 1). Since
 * (r - 1) / r^2 is 1/4 at most, no energy is made while c |v| <= 4 mu; while
 * c |v| <= mu the force does not even point along the slip. So c(v) is c, or
 * mk / |v| where that is less. Nor is it ever more than brings the surfaces to
 * rest in one step, which is as good as any more.
 *
 * Symbols: ms mu_static, mk mu_kinetic, vs stribeck_m_s, k stiffness_per_m,
 *          c damping_s_per_m, d viscous_s_per_m, B break_away, z stretch_m.
 * Thread:  any. Memory: plain values.
 * Source:  Dupont et al. 2002 (elasto-plastic bristles); Avanzini, Serafin &
 *          Rocchesso 2005, section II; the step and the bound are our own.
 */
#ifndef SB_DSP_CONTACT_BRISTLE_H
#define SB_DSP_CONTACT_BRISTLE_H

#include "runtime/base/status.h"

/* Everything per newton of load. */
typedef struct sb_bristle {
    double mu_static;       /* ms >= mk */
    double mu_kinetic;      /* mk >= 0 */
    double stribeck_m_s;    /* vs > 0: the slip at which mu is well on its way
                               from the one to the other */
    double stiffness_per_m; /* k > 0: the bristles let go at ms / k metres */
    double damping_s_per_m; /* c >= 0: what calms them while they stick */
    double viscous_s_per_m; /* d >= 0: what mu gains per m/s of slip */
    double break_away;      /* B, 0 .. 1 */
} sb_bristle;

/* All zeros: they have not touched yet. */
typedef struct sb_bristle_state {
    double stretch_m; /* z */
    double slip_m_s;  /* v, of the step that led here */
    double load_n;    /* N, of that step */
} sb_bristle_state;

/* The solve stops here at the latest; three to ten looks at the law are usual,
 * and none while the surfaces stick. */
enum { SB_BRISTLE_ITERATIONS = 120 };

/* A law from what is known of a pair of surfaces. A stribeck_m_s or a
 * stiffness_per_m of 0 asks for the usual one: 0.02 m/s, and bristles of 4 um
 * for ms = 0.4. mu_kinetic is cut to mu_static. The bristles' own damping is a
 * tenth of a millisecond's, break_away 0.7, and there is no viscous part. */
sb_bristle sb_bristle_from(double mu_static, double mu_kinetic,
                           double stribeck_m_s, double stiffness_per_m) SB_RT;

/* The mean force over a step, opposing the slip of the first surface over the
 * second, where that slip is v = free_m_s - give_m_s_per_n F on average. Where
 * several F are possible (a bow that may stick or slip), it is the one next to
 * the step before. `after` may be `before`. A load of 0 or less, or anything
 * that is not a number, gives no force and bristles at rest. */
double sb_bristle_force(const sb_bristle *law, const sb_bristle_state *before,
                        double step_s, double normal_n, double free_m_s,
                        double give_m_s_per_n, sb_bristle_state *after) SB_RT;

/* What the bristles hold, N k z^2 / 2. */
double sb_bristle_energy_j(const sb_bristle *law,
                           const sb_bristle_state *state) SB_RT;

#endif
