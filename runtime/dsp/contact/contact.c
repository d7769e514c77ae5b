/* SPDX-License-Identifier: MIT */
/* The force of a normal contact over one step, by the gradient scheme or the
 * K-method. Thread: any. */
#include "runtime/dsp/contact/contact.h"

#include "runtime/dsp/bank/hertz_step.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* x^a for x >= 0; the common exponents avoid pow. */
static double power(double x, double a) {
    if (a == 1.5) return x * sqrt(x);
    if (a == 1.0) return x;
    return pow(x, a);
}

double sb_contact_force(const sb_contact_law *law, double depth_m,
                        double speed_m_s) {
    if (!(depth_m > 0.0)) return 0.0;
    double push = law->stiffness + law->lambda * speed_m_s;
    return push > 0.0 ? power(depth_m, law->exponent) * push : 0.0;
}

/* X. */
static double area(double x, double a) {
    return x > 0.0 ? power(x, a) * x / (a + 1.0) : 0.0;
}

double sb_contact_energy_j(const sb_contact_law *law, double depth_m) {
    return law->stiffness * area(depth_m, law->exponent);
}

/* A root between `low` and `high`; `at` is the guess. */
typedef struct search {
    double at, low, high;
} search;

/* Newton's step, or bisection when it leaves the bracket. True when the step is
 * less than `enough` times `scale`. */
static inline bool refine(search *s, double miss, double slope, double scale,
                          double enough) {
    if (miss > 0.0) {
        s->high = s->at;
    } else {
        s->low = s->at;
    }
    double step = miss / slope, next = s->at - step;
    bool is_found = fabs(step) <= enough * scale;
    if (!is_found && !(next > s->low && next < s->high)) {
        next = s->low + 0.5 * (s->high - s->low);
        is_found = !(s->high - s->low > DBL_EPSILON * scale);
    }
    s->at = next;
    return is_found;
}

/* A value and its first two derivatives with respect to x1. */
typedef struct quotient {
    double value, slope, bend;
} quotient;

typedef struct gradient {
    double a, inverse_n;    /* the exponent, and 1 / (a + 1) */
    double stiffness, loss; /* K, and b / h */
    double x0, area0;
} gradient;

/* (X(x1) - X(x0)) / (x1 - x0). */
static inline quotient divide(const gradient *g, double x1) {
    double apart = x1 - g->x0, middle = 0.5 * (g->x0 + x1), a = g->a;
    if (fabs(apart) < 1e-2 * middle) {
        /* A series about the middle, where the difference has lost its
         * digits. */
        double inverse = 1.0 / middle;
        double d = apart * inverse, square = d * d;
        double xa = power(middle, a);
        double c2 = a * (a - 1.0) * (1.0 / 24.0);
        double c4 = c2 * (a - 2.0) * (a - 3.0) * (1.0 / 80.0);
        double bulge = 1.0 + square * (c2 + square * c4);
        double by_middle = 0.5 * a * bulge - square * (c2 + 2.0 * square * c4);
        double by_apart = d * (2.0 * c2 + 4.0 * square * c4);
        double bend = 8.0 * c2 * (1.0 + 0.25 * (a - 2.0) * d);
        return (quotient){xa * bulge, xa * inverse * (by_middle + by_apart),
                          xa * inverse * inverse * bend};
    }
    double end = x1 > 0.0 ? power(x1, a) : 0.0, inverse = 1.0 / apart;
    double value = (end * x1 * g->inverse_n - g->area0) * inverse;
    double slope = (end - value) * inverse;
    double rise = x1 > 0.0 ? a * end / x1 : 0.0;
    return (quotient){value, slope, (rise - 2.0 * slope) * inverse};
}

/* F. */
static inline quotient mean_force(const gradient *g, double x1) {
    quotient d = divide(g, x1);
    double push = g->stiffness + g->loss * (x1 - g->x0);
    if (!(push > 0.0) || !(d.value > 0.0)) return (quotient){0.0, 0.0, 0.0};
    return (quotient){d.value * push, d.slope * push + d.value * g->loss,
                      d.bend * push + 2.0 * d.slope * g->loss};
}

/* Solve a Hertz contact from a good guess in a step or two. False when that
 * fails and the general search must be used. */
static inline bool solve_hertz(sb_hertz_step *m) {
    enum { TRIES = 3 };
    if (!(m->x0 > 0.0) || !(m->guess_m > 0.0)) return false;
    hertz_roots(m);
    for (int i = 0; i < TRIES; i++) {
        hertz_quotient(m);
        hertz_slope(m);
        hertz_end(m);
        if (m->is_converged) return true;
        bool is_near = fabs(m->newton) <= 1e-5 * m->s;
        m->s += m->step;
        if (is_near || !(m->push > 0.0) || !(m->s > 0.0)) return false;
    }
    return false;
}

double sb_contact_gradient(const sb_contact_law *law, double step_s,
                           double from_m, double free_m, double give,
                           double guess_n, int *iterations) {
    if (iterations) *iterations = 0;
    if (!(from_m > 0.0) && !(free_m > 0.0)) return 0.0;
    double loss = law->lambda / step_s;
    if (law->exponent == 1.5) {
        sb_hertz_step hertz = {.stiffness = law->stiffness,
                               .loss = loss,
                               .x0 = from_m,
                               .free_m = free_m,
                               .give = give,
                               .guess_m = free_m - give * guess_n};
        if (solve_hertz(&hertz)) return hertz.force_n;
    }
    gradient g = {law->exponent,  1.0 / (law->exponent + 1.0),
                  law->stiffness, loss,
                  from_m,         area(from_m, law->exponent)};
    double low = from_m > 0.0 ? -DBL_MAX : 0.0;
    search s = {free_m - give * guess_n, low, free_m};
    if (!(s.at > low)) s.at = free_m;
    quotient f = {0.0, 0.0, 0.0};
    for (int i = 0; i < SB_CONTACT_ITERATIONS; i++) {
        double at = s.at;
        if (iterations) *iterations = i + 1;
        f = mean_force(&g, at);
        double miss = at - free_m + give * f.value;
        /* F rises with x1: to the right of the root it is too large. */
        double least = free_m - give * f.value;
        if (miss > 0.0 && least > s.low) s.low = least;
        /* From the air the law begins at 0, however far away that was. */
        double scale = fabs(at) + fmax(from_m, 0.0);
        double slope = 1.0 + give * f.slope;
        bool is_found = refine(&s, miss, slope, scale, 1e-5);
        double step = s.at - at;
        /* Where the force is 0, the root may still be where it is not. */
        if (f.value == 0.0 && fabs(step) > DBL_EPSILON * scale)
            is_found = false;
        /* The last step with its curvature term: the remaining error is of
         * third order. */
        if (is_found) step -= 0.5 * give * f.bend * step * step / slope;
        if (give * f.slope > 1.0) {
            /* So stiff that the force is best computed from the depth
             * reached. */
            f.value = (free_m - (at + step)) / give;
        } else {
            f.value += step * (f.slope + 0.5 * f.bend * step);
        }
        if (is_found) break;
    }
    return f.value < 0.0 ? 0.0 : f.value; /* NaN stays NaN */
}

double sb_contact_kmethod(const sb_contact_law *law,
                          const sb_contact_step *step, int *iterations) {
    if (iterations) *iterations = 0;
    double half = 0.5 * step->give, half_speed = 0.5 * step->give_speed;
    double x = step->free_m - half * step->force_before_n;
    double v = step->free_m_s - half_speed * step->force_before_n;
    search s = {0.0, 0.0, sb_contact_force(law, x, v)};
    if (!(s.high > 0.0)) return 0.0;
    for (int i = 0; i < SB_CONTACT_ITERATIONS; i++) {
        double x1 = x - half * s.at, v1 = v - half_speed * s.at;
        if (iterations) *iterations = i + 1;
        double wanted = sb_contact_force(law, x1, v1), slope = 1.0;
        if (wanted > 0.0) {
            double xa = power(x1, law->exponent);
            slope += half * law->exponent * wanted / x1 +
                     half_speed * law->lambda * xa;
        }
        if (refine(&s, s.at - wanted, slope, s.at, 1e-7)) break;
    }
    return s.at;
}

double sb_contact_time_s(const sb_contact_law *law, double mass_kg,
                         double speed_m_s) {
    double a1 = law->exponent + 1.0;
    double energy = 0.5 * mass_kg * speed_m_s * speed_m_s;
    double depth = pow(a1 * energy / law->stiffness, 1.0 / a1);
    return 2.9 * depth / speed_m_s;
}
