/* SPDX-License-Identifier: MIT */
/* Estimates of impacts: springs, Hertz contacts, restitution, yielding modes.
 * Pure functions; any thread, the audio thread included: pad_law.c. */
#include "runtime/scene/strike/strike.h"

#include "runtime/base/pi.h"

#include <math.h>

/* The depth A at which k A^2/2 + k s A^3/3 = m v^2/2. Newton's method
 * from the depth of the linear spring, which is never below the root, so the
 * iteration falls toward it monotonically. */
static double depth(double m, double k, double s, double v) {
    double a = v * sqrt(m / k);
    double energy = m * v * v / 2.0;
    for (int i = 0; i < 60 && s > 0.0; i++) {
        double f = k * a * a / 2.0 + k * s * a * a * a / 3.0 - energy;
        double next = a - f / (k * a + k * s * a * a);
        if (!(fabs(next - a) > 1e-15 * a)) break;
        a = next;
    }
    return a;
}

/* The same equation with A = a v sqrt(m/k), s A = a v / v0. */
double sb_strike_shortening(double ratio) {
    return depth(1.0, 1.0, ratio, 1.0);
}

const char *const sb_impact_model_names[SB_IMPACT_MODELS + 1] = {
#define IMPACT_MODEL(model, name, nonlinear) name,
#include "runtime/scene/strike/impact_models.def"
#undef IMPACT_MODEL
};

const sb_field sb_indenter_fields[] = {
    SB_INDENTER_ROWS(0, 0, 0, "default that of a ball of its radius"),
    SB_HARDNESS_ROW(0), SB_FIELDS_END};

const sb_field sb_strike_fields[] = {SB_STRIKE_ROWS, SB_DESIGNER_ROWS(0),
                                     SB_FIELDS_END};

bool sb_impact_model_is_nonlinear(sb_impact_model model) {
    static const bool nonlinear[SB_IMPACT_MODELS] = {
#define IMPACT_MODEL(model, name, nonlinear) nonlinear,
#include "runtime/scene/strike/impact_models.def"
#undef IMPACT_MODEL
    };
    return nonlinear[model];
}

double sb_level_read(const sb_level_curve *curve, double speed_m_s) {
    if (curve->count == 0) return speed_m_s;
    sb_level_point from = {0.0, 0.0};
    for (int i = 0; i < curve->count; i++) {
        sb_level_point to = curve->points[i];
        if (speed_m_s < to.speed_m_s) {
            double share =
                (speed_m_s - from.speed_m_s) / (to.speed_m_s - from.speed_m_s);
            return from.level_m_s + share * (to.level_m_s - from.level_m_s);
        }
        from = to;
    }
    return from.level_m_s;
}

sb_impact_model sb_strike_model(const sb_strike_def *def) {
    if (def->model != SB_IMPACT_MODEL_AUTO) return def->model;
    bool has_spring =
        def->striker.hardness_n_m > 0.0 || def->stiffening_per_m > 0.0;
    if (def->impulse_ns <= 0.0)
        return has_spring ? SB_IMPACT_MODEL_PULSE : SB_IMPACT_MODEL_GRADIENT;
    return has_spring || def->striker.mass_kg > 0.0 ? SB_IMPACT_MODEL_PULSE
                                                    : SB_IMPACT_MODEL_IMPULSE;
}

/* --- speeds -------------------------------------------------------------- */

/* The speed before curve and limit; m is the reduced mass. */
static double true_speed(const sb_strike_def *def, double m) {
    return def->impulse_ns > 0.0 ? def->impulse_ns / (2.0 * m) : def->speed_m_s;
}

/* The speed at which the impulse (1 + e) m v reaches the limit; e falls with v
 * by the loss lambda / K. */
static double fastest(double limit_ns, double m, double loss) {
    double low = limit_ns / (2.0 * m), high = limit_ns / m;
    if (!(loss > 0.0)) return low;
    for (int i = 0; i < 50; i++) {
        double v = 0.5 * (low + high);
        if ((1.0 + sb_impact_restitution(loss * v)) * m * v > limit_ns) {
            high = v;
        } else {
            low = v;
        }
    }
    return low;
}

static double played_speed(const sb_strike_def *def, double m, double loss) {
    double v = sb_level_read(&def->curve, true_speed(def, m));
    if (def->limit_ns > 0.0) v = fmin(v, fastest(def->limit_ns, m, loss));
    return v;
}

static double shortening(const sb_strike_def *def, double m) {
    return def->onset_m_s > 0.0
               ? sb_strike_shortening(true_speed(def, m) / def->onset_m_s)
               : 1.0;
}

/* --- springs ------------------------------------------------------------- */

static double striker_mass(const sb_strike_def *def) {
    if (def->striker.mass_kg > 0.0) return def->striker.mass_kg;
    double r = def->striker.radius_m;
    if (r > 0.0 && def->striker.has_material)
        return 4.0 / 3.0 * SB_PI * def->striker.material.density * r * r * r;
    return SB_STRIKER_MASS_KG;
}

sb_impact_estimate sb_strike_push(const sb_strike_def *def, double inverse_mass,
                                  double hardness_n_m) {
    double striker_kg = striker_mass(def);
    double striker_n_m = def->striker.has_material
                             ? def->striker.material.hardness
                             : hardness_n_m;
    if (def->striker.hardness_n_m > 0.0)
        striker_n_m = def->striker.hardness_n_m;
    double m = 1.0 / (1.0 / striker_kg + inverse_mass);
    double k = 1.0 / (1.0 / striker_n_m + 1.0 / hardness_n_m);
    double v = played_speed(def, m, 0.0);
    sb_impact_estimate estimate = {.impulse_ns = 2.0 * m * v,
                                   .speed_m_s = def->impulse_ns > 0.0 ? 0.0 : v,
                                   .strength_m_s = true_speed(def, m),
                                   .mass_kg = striker_kg};
    if (sb_strike_model(def) == SB_IMPACT_MODEL_IMPULSE || v <= 0.0)
        return estimate;
    estimate.duration_s =
        SB_PI * depth(m, k, def->stiffening_per_m, v) / v * shortening(def, m);
    estimate.peak_force_n =
        estimate.impulse_ns * SB_PI / (2.0 * estimate.duration_s);
    return estimate;
}

/* --- Hertz --------------------------------------------------------------- */

void sb_strike_harden(const sb_strike_def *def, double inverse_mass,
                      sb_hertz *hertz) {
    double m = 1.0 / (1.0 / hertz->mass_kg + inverse_mass);
    double harder = pow(shortening(def, m), -(hertz->law.exponent + 1.0));
    hertz->law.stiffness *= harder;
    hertz->law.lambda *= harder;
}

double sb_impact_restitution(double d) {
    if (!(d > 1e-12)) return 1.0;
    double low = 0.0, high = fmin(1.0, 1.0 / d);
    for (int i = 0; i < 100; i++) {
        double e = 0.5 * (low + high);
        if (log((1.0 + d) / (1.0 - e * d)) > d * (1.0 + e)) {
            high = e;
        } else {
            low = e;
        }
    }
    return low;
}

/* By bisection: the restitution falls as the loss rises. */
double sb_impact_loss(double e) {
    double low = 0.0, high = 1e3;
    if (e >= 1.0) return 0.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sb_impact_restitution(middle) > e) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double sb_strike_noise_loss(double mass_yield) {
    const double least_kept = 0.05;
    if (!(mass_yield > 0.0)) return 0.0;
    return sb_impact_loss(
        fmax((1.0 - mass_yield) / (1.0 + mass_yield), least_kept));
}

sb_impact_estimate sb_strike_press(const sb_strike_def *def,
                                   const sb_hertz *hertz, double inverse_mass) {
    const sb_contact_law *law = &hertz->law;
    double m = 1.0 / (1.0 / hertz->mass_kg + inverse_mass);
    double v = played_speed(def, m, law->lambda / law->stiffness);
    sb_impact_estimate estimate = {.speed_m_s = v,
                                   .strength_m_s = true_speed(def, m),
                                   .mass_kg = hertz->mass_kg};
    if (v <= 0.0) return estimate;
    double n = law->exponent + 1.0;
    double deep = pow(n * m * v * v / (2.0 * law->stiffness), 1.0 / n);
    double c =
        2.0 * sqrt(SB_PI) * tgamma(1.0 / n) / (n * tgamma(1.0 / n + 0.5));
    double e = sb_impact_restitution(law->lambda * v / law->stiffness);
    estimate.impulse_ns = (1.0 + e) * m * v;
    estimate.duration_s = c * deep / v;
    estimate.peak_force_n = law->stiffness * pow(deep, law->exponent);
    return estimate;
}

double sb_impact_mode_yield(double duration_s, double weight,
                            double omega_rad_s) {
    double turn = omega_rad_s * duration_s;
    double off = 1.0 - (turn / SB_PI) * (turn / SB_PI);
    /* At w T = pi both vanish, and P is pi / 4. */
    double share = fabs(off) < 1e-6 ? SB_PI / 4.0 : cos(turn / 2.0) / off;
    return weight * weight * share * share;
}

double sb_impact_rebound(double restitution, double mass_yield) {
    /* Exact, to the bit, where nothing vibrates. */
    if (!(mass_yield > 0.0)) return restitution;
    return fmax((restitution - mass_yield) / (1.0 + mass_yield), 0.0);
}

double sb_impact_exchange(double restitution, double mass_yield) {
    return (1.0 + restitution) / (1.0 + fmax(mass_yield, 0.0));
}

sb_impact_estimate sb_strike_yield(const sb_strike_def *def,
                                   sb_impact_estimate estimate,
                                   double inverse_mass, double modes_yield) {
    if (def->impulse_ns > 0.0) return estimate;
    double rigid = 1.0 / estimate.mass_kg + inverse_mass;
    double factor = rigid / (rigid + modes_yield);
    estimate.impulse_ns *= factor;
    estimate.peak_force_n *= factor;
    return estimate;
}

sb_impact_record sb_strike_record(const sb_impact_estimate *estimate,
                                  double inverse_mass) {
    double speed = estimate->speed_m_s, impulse = estimate->impulse_ns;
    sb_impact_record record = {.duration_s = estimate->duration_s,
                               .impulse_ns = impulse,
                               .peak_force_n = estimate->peak_force_n,
                               .speed_in_m_s = speed,
                               .restitution = -1.0};
    if (speed > 0.0) {
        record.speed_out_m_s =
            impulse * (1.0 / estimate->mass_kg + inverse_mass) - speed;
        record.restitution = record.speed_out_m_s / speed;
    }
    return record;
}
