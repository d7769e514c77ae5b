/* SPDX-License-Identifier: MIT */
/* The bristle law of dry friction over one step, and the solution of the
 * force and slip that agree with it. Thread: any. */
#include "runtime/dsp/contact/bristle.h"

#include "runtime/base/pi.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* --- the law
 *
 * Internally deflections are y = k z, which is a coefficient of friction, and
 * distances are k |v| h, so that the load appears only in the last line.
 */

typedef struct rub {
    double mu_static, mu_kinetic, stribeck; /* ms, mk, vs */
    double away;                            /* B mk */
    double damping, viscous;                /* c, d */
    double travel;                          /* k h: travel per m/s of slip */
    double y0;                              /* y at the start of the step */
} rub;

sb_bristle sb_bristle_from(double mu_static, double mu_kinetic,
                           double stribeck_m_s, double stiffness_per_m) {
    double stiffness = stiffness_per_m > 0.0 ? stiffness_per_m : 1e5;
    double ms = mu_static > 0.0 ? mu_static : 0.0;
    double mk = mu_kinetic > 0.0 ? mu_kinetic : 0.0;
    return (sb_bristle){.mu_static = ms,
                        .mu_kinetic = mk < ms ? mk : ms,
                        .stribeck_m_s =
                            stribeck_m_s > 0.0 ? stribeck_m_s : 0.02,
                        .stiffness_per_m = stiffness,
                        .damping_s_per_m = 1e-4 * stiffness,
                        .break_away = 0.7};
}

/* mu(v) without its viscous part. */
static inline double stribeck(const rub *r, double speed) {
    double part = speed / r->stribeck;
    double more = r->mu_static - r->mu_kinetic;
    return part < 27.0 ? r->mu_kinetic + more * exp(-part * part)
                       : r->mu_kinetic;
}

/* The deflection in a step: its mean and its increase. */
typedef struct stretch {
    double mean, gain;
} stretch;

/* (1 - e^-x) / x. */
static inline double decay_mean(double x) {
    return x > 1e-8 ? -expm1(-x) / x : 1.0 - 0.5 * x;
}

/* Beyond mu the law is linear and has a closed solution. */
static stretch relax(double y0, double mu, double travel) {
    double x = travel / mu, apart = y0 - mu;
    if (!(x < 700.0)) return (stretch){mu + apart * (mu / travel), -apart};
    return (stretch){mu + apart * decay_mean(x), apart * expm1(-x)};
}

/* t(x) and its slope. */
static inline void lean(double x, double *t, double *slope) {
    if (x < 0.1) {
        double square = x * x;
        *t = 0.5 + x * (1.0 / 12.0 - square * (1.0 / 720.0 - square / 30240.0));
        *slope = 1.0 / 12.0 - square * (1.0 / 240.0 - square / 6048.0);
        return;
    }
    double e = x < 700.0 ? exp(-x) : 0.0, inverse = 1.0 / (1.0 - e);
    *t = inverse - 1.0 / x;
    *slope = 1.0 / (x * x) - e * inverse * inverse;
}

/* Between break-away and mu: the mean y of y - y0 = t travel (1 - a y / mu). It
 * has exactly one root between y0 and mu, because t' / t^2 <= 1/3: t cannot
 * grow as fast as 1 - a y / mu falls. */
static stretch yield(double y0, double away, double mu, double travel) {
    double inverse = 1.0 / mu, x = travel * inverse;
    double per_width = SB_PI / (mu - away), middle = 0.5 * (mu + away);
    double low = y0, high = mu, y = mu + (y0 - mu) * decay_mean(x), gain = 0.0;
    for (int i = 0; i < 60; i++) {
        double phase = per_width * (y - middle), t, lean_slope;
        double sine = sin(phase), a = 0.5 + 0.5 * sine;
        /* cos, which is not negative here. */
        double a_slope = 0.5 * per_width * sqrt(1.0 - sine * sine);
        lean(a * x, &t, &lean_slope);
        double left = 1.0 - a * y * inverse;
        double miss = y - y0 - t * travel * left;
        gain = x < 1.0 ? travel * left
                       : (y - y0) / t; /* the more precise difference */
        if (miss > 0.0) {
            high = y;
        } else {
            low = y;
        }
        double slope = 1.0 + t * travel * inverse * (a_slope * y + a) -
                       lean_slope * x * a_slope * travel * left;
        double next = y - miss / slope;
        bool is_found = fabs(next - y) <= 2.0 * DBL_EPSILON * y;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        if (is_found || !(high - low > DBL_EPSILON * y)) break;
        y = next;
    }
    return (stretch){y, gain};
}

/* The effect of one step of constant slip: the mean coefficient of friction
 * and, in `gain`, the increase of the deflection; both signed. */
static double friction(const rub *r, double slip, double *gain) {
    double sign = slip < 0.0 ? -1.0 : 1.0, speed = fabs(slip);
    double y0 = sign * r->y0, travel = r->travel * speed;
    double spring = r->away - y0; /* range in which they are plain springs */
    stretch all = {y0 + 0.5 * travel, travel};
    if (travel > spring && travel > 0.0) {
        if (spring < 0.0) spring = 0.0;
        double y = y0 + spring, rest = travel - spring, mu = stribeck(r, speed);
        stretch then =
            y < mu ? yield(y, r->away, mu, rest) : relax(y, mu, rest);
        all.mean = (spring * (y0 + 0.5 * spring) + rest * then.mean) / travel;
        all.gain = spring + then.gain;
    }
    double calm = fmin(r->damping * speed, r->mu_kinetic);
    double following = travel > 0.0 ? all.gain / travel : 1.0; /* z' / v */
    *gain = sign * all.gain;
    return sign * (all.mean + calm * following) + r->viscous * slip;
}

/* --- the equation
 *
 * v - free + give F(v) = 0. Around v = 0, from `spring_low` to `spring_high`,
 * it is a straight line; outside F first rises, then falls to mk, so that there
 * can be three roots.
 */

typedef struct balance {
    const rub *r;
    double free, give; /* give per unit of friction coefficient */
    double spring_low,
        spring_high;    /* range in which the bristles are springs */
    double spring_slip; /* root of the straight line */
    double low, high;   /* bounds of all roots */
} balance;

/* The law at one slip, and the residual of the equation there. */
typedef struct look {
    double slip, mu, gain, miss;
} look;

static look look_at(const balance *b, double slip) {
    look at = {.slip = slip};
    at.mu = friction(b->r, slip, &at.gain);
    at.miss = slip - b->free + b->give * at.mu;
    return at;
}

static balance balance_of(const rub *r, double free, double give) {
    /* F| / N without the viscous part: y does not exceed ms, and the damping
     * term does not exceed mk.
     */
    double most = 2.0 * r->mu_static * give, damped = 1.0 + give * r->viscous;
    double calm = r->damping > 0.0 ? r->mu_kinetic / r->damping : DBL_MAX;
    balance b = {r, free, give, .low = (free - most) / damped,
                 .high = (free + most) / damped};
    b.spring_high = fmin(fmax((r->away - r->y0) / r->travel, 0.0), calm);
    b.spring_low = -fmin(fmax((r->away + r->y0) / r->travel, 0.0), calm);
    double slope = damped + give * (0.5 * r->travel + r->damping);
    b.spring_slip = (free - give * r->y0) / slope;
    return b;
}

/* A root between two points with residuals of opposite sign: regula falsi with
 * Anderson and Bjorck's weight, and an occasional bisection in case the law is
 * badly shaped. */
static look close_in(const balance *b, look p, look q) {
    double noise = DBL_EPSILON * fabs(b->free);
    for (int i = 0; i < SB_BRISTLE_ITERATIONS; i++) {
        double apart = q.slip - p.slip;
        double slip = q.slip - q.miss * apart / (q.miss - p.miss);
        double low = fmin(p.slip, q.slip), high = fmax(p.slip, q.slip);
        if (i % 4 == 3 || !(slip > low && slip < high))
            slip = p.slip + 0.5 * apart;
        look next = look_at(b, slip);
        if (!(fabs(next.miss) > noise) ||
            !(fabs(apart) > 2.0 * DBL_EPSILON * fabs(slip)) || slip == p.slip ||
            slip == q.slip)
            return next;
        if ((next.miss < 0.0) != (q.miss < 0.0)) {
            p = q;
        } else {
            double weight = 1.0 - next.miss / q.miss;
            p.miss *= weight > 0.0 ? weight : 0.5;
        }
        q = next;
    }
    return q;
}

/* The first step of the search: as far as a slope of 1 or more would need, but
 * not so far that a root close to sticking is skipped. */
static double first_stride(const balance *b, look at) {
    double width = b->spring_high - b->spring_low;
    double scale = fmax(width, fabs(at.slip)), stride = 1.25 * fabs(at.miss);
    return scale > 0.0 ? fmin(stride, scale) : stride;
}

/* The root next to `slip`, in the direction given by the sign of the residual:
 * growing steps, if necessary across the straight line of the springs. */
static look walk(const balance *b, double slip) {
    look at = look_at(b, slip);
    double sign = at.miss < 0.0 ? 1.0 : -1.0;
    double near = sign > 0.0 ? b->spring_low : b->spring_high;
    double far = sign > 0.0 ? b->spring_high : b->spring_low;
    double end = sign > 0.0 ? b->high : b->low;
    double stride = first_stride(b, at);
    bool has_crossed = sign * (slip - far) >= 0.0;
    for (int i = 0; i < SB_BRISTLE_ITERATIONS; i++) {
        slip = at.slip + sign * stride;
        if (!has_crossed && sign * (slip - near) >= 0.0) slip = near;
        if (sign * (slip - end) >= 0.0) slip = end;
        look next = look_at(b, slip);
        if ((next.miss < 0.0) != (at.miss < 0.0)) return close_in(b, at, next);
        if (slip == end) return next;
        at = next;
        stride *= 3.0;
        if (has_crossed || slip != near) continue;
        if (sign * (b->spring_slip - far) <= 0.0)
            return look_at(b, b->spring_slip);
        at = look_at(b, far);
        stride = first_stride(b, at);
        has_crossed = true;
    }
    return at;
}

static look solve(const balance *b, double before) {
    bool is_stuck = before >= b->spring_low && before <= b->spring_high;
    if (!(b->give > 0.0)) return look_at(b, b->free);
    if (!is_stuck) return walk(b, fmin(fmax(before, b->low), b->high));
    if (b->spring_slip > b->spring_high) return walk(b, b->spring_high);
    if (b->spring_slip < b->spring_low) return walk(b, b->spring_low);
    return look_at(b, b->spring_slip);
}

/* Damping that brings two sticking surfaces to rest in one step is the largest
 * useful value: more only holds the mean slip of the step at 0, while the
 * velocity at its end oscillates. Where the springs alone do that already, k h
 * / 2 damps best. */
static double most_damping(const rub *r, double give) {
    double half = 0.5 * r->travel;
    return give > 0.0 ? fmax(1.0 / give - half, half) : DBL_MAX;
}

/* Set up the step that begins where `before` ended, under its own load. */
static rub begin(const sb_bristle *law, const sb_bristle_state *before,
                 double step_s, double normal_n) {
    double ms = law->mu_static, z = before->stretch_m;
    /* A lower bound: without any kinetic friction there is no break-away. */
    double mk = fmax(fmin(law->mu_kinetic, ms), 1e-6 * ms);
    if (normal_n > before->load_n) z *= before->load_n / normal_n;
    return (rub){.mu_static = ms,
                 .mu_kinetic = mk,
                 .stribeck = fmax(law->stribeck_m_s, 1e-30),
                 .away = fmin(fmax(law->break_away, 0.0), 0.98) * mk,
                 .damping = law->damping_s_per_m,
                 .viscous = law->viscous_s_per_m,
                 .travel = law->stiffness_per_m * step_s,
                 .y0 = fmin(fmax(law->stiffness_per_m * z, -ms), ms)};
}

double sb_bristle_force(const sb_bristle *law, const sb_bristle_state *before,
                        double step_s, double normal_n, double free_m_s,
                        double give_m_s_per_n, sb_bristle_state *after) {
    double give = give_m_s_per_n * normal_n;
    look at = {0.0, 0.0, 0.0, 0.0};
    rub r = begin(law, before, step_s, normal_n);
    bool is_touching = normal_n > 0.0 && r.travel > 0.0 && r.mu_static > 0.0;
    if (is_touching) {
        r.damping = fmin(r.damping, most_damping(&r, give));
        balance b = balance_of(&r, free_m_s, give);
        at = solve(&b, before->slip_m_s);
    }
    if (!is_touching || !(fabs(normal_n * at.mu) <= DBL_MAX)) {
        *after = (sb_bristle_state){0.0, 0.0, 0.0};
        return 0.0;
    }
    double stretch_m = (r.y0 + at.gain) / law->stiffness_per_m;
    *after = (sb_bristle_state){stretch_m, at.slip, normal_n};
    return normal_n * at.mu;
}

double sb_bristle_energy_j(const sb_bristle *law,
                           const sb_bristle_state *state) {
    double z = state->stretch_m;
    return 0.5 * state->load_n * law->stiffness_per_m * z * z;
}
