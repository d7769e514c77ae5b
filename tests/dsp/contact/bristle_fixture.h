/* SPDX-License-Identifier: MIT */
/* tests/dsp/contact/bristle_fixture.h -- one mass on a spring, rubbed.
 */
#pragma once

#include "runtime/dsp/contact/bristle.h"

#include "tests/suite.h"

#include <math.h>

/* The Stribeck curve: force per newton of load of steady sliding, v > 0. */
static inline double steady_mu(const sb_bristle *law, double slip_m_s) {
    double part = slip_m_s / law->stribeck_m_s;
    return law->mu_kinetic +
           (law->mu_static - law->mu_kinetic) * exp(-part * part) +
           law->viscous_s_per_m * slip_m_s;
}

/* A mass on a spring, or a mode, rubbed by a belt, or a bow; stepped exactly
 * for a force that is held through the step. */
typedef struct rubbed {
    sb_bristle law;
    sb_bristle_state bristles;
    double mass_kg, omega, sigma, step_s;
    double q, v, work_j, force_n;
} rubbed;

static inline void rub(rubbed *o, double load_n, double belt_m_s) {
    double h = o->step_s, w2 = o->omega * o->omega;
    double wd = sqrt(w2 - o->sigma * o->sigma), fade = exp(-o->sigma * h);
    double c = fade * cos(wd * h), s = fade * sin(wd * h) / wd;
    double g = (1 - c - o->sigma * s) / w2, t = c - o->sigma * s;
    double p = -w2 * o->q, free = belt_m_s - (g * p + s * o->v) / h;
    o->force_n = sb_bristle_force(&o->law, &o->bristles, h, load_n, free,
                                  g / (o->mass_kg * h), &o->bristles);
    p += o->force_n / o->mass_kg;
    o->q += g * p + s * o->v;
    o->v = t * o->v + s * p;
    o->work_j += o->force_n * belt_m_s * h;
}

static inline double energy(const rubbed *o) {
    double w2 = o->omega * o->omega;
    return 0.5 * o->mass_kg * (o->v * o->v + w2 * o->q * o->q) +
           sb_bristle_energy_j(&o->law, &o->bristles);
}

/* Period and swing of the steady oscillation about q = mid. */
typedef struct cycle {
    double period_s, swing_m;
} cycle;

static inline cycle measure(rubbed *o, double load_n, double belt_m_s,
                            double mid, double settle_s, double for_s) {
    double first = 0, last = 0, low = mid, high = mid;
    int count = 0, begin = (int)(settle_s / o->step_s);
    int end = begin + (int)(for_s / o->step_s);
    for (int n = 0; n < end; n++) {
        double before = o->q;
        rub(o, load_n, belt_m_s);
        if (n < begin) continue;
        low = fmin(low, o->q);
        high = fmax(high, o->q);
        if (!(before < mid && o->q >= mid)) continue;
        last = (n + (mid - before) / (o->q - before)) * o->step_s;
        if (count++ == 0) first = last;
    }
    return (cycle){count > 1 ? (last - first) / (count - 1) : 0, high - low};
}
