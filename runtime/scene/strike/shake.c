/* SPDX-License-Identifier: MIT */
/* A mass on a body that is struck (shake.h). */
#include "runtime/scene/strike/shake.h"

#include "runtime/base/pi.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>

/* It is thrown within a period of the lowest mode, or not at all: later the
 * body is slower. */
#define LONGEST_S  0.03
#define SHORTEST_S 0.005

/* Steps per radian of the contact resonance, of the blow, and in all. */
#define STEPS_PER_RAD  4.0
#define STEPS_PER_BLOW 16.0
#define STEPS_MOST     2000.0

typedef struct mode_state {
    double q, v;        /* m kg^1/2, and per second */
    double turn[2][2];  /* of one step: (q, v) -> turn (q, v) */
    double push, yield; /* phi0, phi1 */
} mode_state;

typedef struct shaking {
    mode_state modes[SB_SHAKE_MODES];
    sb_contact_law law;
    double step_s, rest_m; /* d */
    double y, v;           /* of the mass */
    double push_s;         /* when the force last rose above the weight */
    bool is_pushed;
} shaking;

double sb_shake_most_m_s(const sb_shake_def *def) {
    double sum = 0.0;
    for (int k = 0; k < def->mode_count; k++) {
        const sb_shake_mode *m = &def->modes[k];
        double p2 = sb_impact_mode_yield(def->duration_s, 1.0, m->omega_rad_s);
        sum += fabs(m->struck * m->thrown) * sqrt(p2);
    }
    return (1.0 + def->restitution) * def->impulse_ns * sum;
}

/* The damped rotation of a free mode over a step. */
static void turn_of(const sb_shake_mode *mode, double h, double turn[2][2]) {
    double s = mode->sigma_per_s, w2 = mode->omega_rad_s * mode->omega_rad_s;
    double damped = sqrt(fmax(w2 - s * s, 1e-6 * w2)), fall = exp(-s * h);
    double c = cos(damped * h), z = sin(damped * h) / damped;
    turn[0][0] = fall * (c + s * z);
    turn[0][1] = fall * z;
    turn[1][0] = -fall * w2 * z;
    turn[1][1] = fall * (c - s * z);
}

static double lasts_s(const sb_shake_def *def) {
    double lowest = INFINITY;
    for (int k = 0; k < def->mode_count; k++)
        lowest = fmin(lowest, def->modes[k].omega_rad_s);
    double period = def->mode_count > 0 ? SB_TAU / lowest : 0.0;
    return def->duration_s + fmin(fmax(1.2 * period, SHORTEST_S), LONGEST_S);
}

/* The contact is stiffest at the speed of the blow's first push. */
static double step_of(const sb_shake_def *def, const sb_contact_law *law,
                      double end_s) {
    double m = def->mass_kg, a = law->exponent, v = sb_shake_most_m_s(def);
    double deep =
        pow(0.5 * (a + 1.0) * m * v * v / law->stiffness, 1.0 / (a + 1.0));
    double rest = pow(m * def->gravity_m_s2 / law->stiffness, 1.0 / a);
    double k = a * law->stiffness * pow(fmax(deep, rest), a - 1.0);
    double step = 1.0 / (STEPS_PER_RAD * sqrt(k / m));
    step = fmin(step, fmax(def->duration_s, 1e-5) / STEPS_PER_BLOW);
    return fmax(step, end_s / STEPS_MOST);
}

static shaking begin(const sb_shake_def *def, double end_s) {
    shaking s = {.law = def->law};
    double v = sb_shake_most_m_s(def) / (1.0 + def->restitution);
    s.law.lambda =
        sb_impact_loss(def->restitution) * s.law.stiffness / fmax(v, 1e-3);
    s.step_s = step_of(def, &s.law, end_s);
    s.rest_m = pow(def->mass_kg * def->gravity_m_s2 / s.law.stiffness,
                   1.0 / s.law.exponent);
    for (int k = 0; k < def->mode_count; k++) {
        turn_of(&def->modes[k], s.step_s, s.modes[k].turn);
        s.modes[k].push = def->modes[k].struck;
        s.modes[k].yield = def->modes[k].thrown;
    }
    return s;
}

/* Impulse of the half-sine within a step from `t`. */
static double blow_ns(const sb_shake_def *def, double t, double h) {
    double end = def->duration_s;
    if (!(end > 0.0)) return t <= 0.0 ? def->impulse_ns : 0.0;
    double a = fmin(t, end) / end, b = fmin(t + h, end) / end;
    return 0.5 * def->impulse_ns * (cos(SB_PI * a) - cos(SB_PI * b));
}

/* Returns the force on the mass. */
static double step(shaking *s, const sb_shake_def *def, double t) {
    double h = s->step_s, x = s->rest_m - s->y, speed = -s->v;
    for (int k = 0; k < def->mode_count; k++) {
        x += s->modes[k].yield * s->modes[k].q;
        speed += s->modes[k].yield * s->modes[k].v;
    }
    double force =
        x > 0.0 ? fmax(sb_contact_force(&s->law, x, speed), 0.0) : 0.0;
    double excess = (force - def->mass_kg * def->gravity_m_s2) * h;
    double blow = blow_ns(def, t, h);
    s->v += excess / def->mass_kg;
    s->y += h * s->v;
    for (int k = 0; k < def->mode_count; k++) {
        mode_state *m = &s->modes[k];
        double v = m->v + blow * m->push - excess * m->yield, q = m->q;
        m->q = m->turn[0][0] * q + m->turn[0][1] * v;
        m->v = m->turn[1][0] * q + m->turn[1][1] * v;
    }
    return force;
}

sb_shake sb_shake_of(const sb_shake_def *def) {
    sb_shake best = {0.0, 0.0};
    double end_s = lasts_s(def);
    shaking s = begin(def, end_s);
    double weight = def->mass_kg * def->gravity_m_s2;
    for (double t = 0.0; t < end_s; t += s.step_s) {
        double force = step(&s, def, t);
        if (force > weight * (1.0 + 1e-6) && !s.is_pushed) {
            s.is_pushed = true;
            s.push_s = t;
        }
        if (force > 0.0 || !s.is_pushed) continue;
        s.is_pushed = false;
        if (s.v <= best.speed_m_s) continue;
        best = (sb_shake){s.v, s.push_s};
    }
    return best;
}
