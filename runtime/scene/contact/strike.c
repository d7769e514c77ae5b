#include "runtime/scene/contact/strike.h"

#include <math.h>

#define PI 3.141592653589793

/* The depth A at which k A^2/2 + k s A^3/3 = m v^2/2. Newton from the linear
 * spring's depth, which is never too small, so that it falls to the root. */
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
double sb_blow_shortening(double ratio) {
    return depth(1.0, 1.0, ratio, 1.0);
}

const char *sb_contact_model_name(sb_contact_model model) {
    static const char *const names[SB_CONTACT_MODELS] = {
        "auto", "impulse", "pulse", "kmethod", "gradient"};
    return names[model];
}

sb_contact_model sb_blow_model(const sb_blow *blow) {
    if (blow->model != SB_CONTACT_AUTO) return blow->model;
    bool has_spring = blow->hardness_n_m > 0.0 || blow->stiffening_per_m > 0.0;
    if (blow->impulse_ns <= 0.0)
        return has_spring ? SB_CONTACT_PULSE : SB_CONTACT_GRADIENT;
    return has_spring || blow->mass_kg > 0.0 ? SB_CONTACT_PULSE
                                             : SB_CONTACT_IMPULSE;
}

/* --- speeds ------------------------------------------------------------------ */

/* Without curve and limit; m is the reduced mass. */
static double true_speed(const sb_blow *blow, double m) {
    return blow->impulse_ns > 0.0 ? blow->impulse_ns / (2.0 * m)
                                  : blow->speed_m_s;
}

/* The speed at which the impulse, (1 + e) m v, is the limit; e falls with v as
 * the loss lambda / K says. */
static double fastest(double limit_ns, double m, double loss) {
    double low = limit_ns / (2.0 * m), high = limit_ns / m;
    if (!(loss > 0.0)) return low;
    for (int i = 0; i < 50; i++) {
        double v = 0.5 * (low + high);
        if ((1.0 + sb_blow_restitution(loss * v)) * m * v > limit_ns) {
            high = v;
        } else {
            low = v;
        }
    }
    return low;
}

static double heard_speed(const sb_blow *blow, double m, double loss) {
    double v = sb_level_read(&blow->curve, true_speed(blow, m));
    if (blow->limit_ns > 0.0) v = fmin(v, fastest(blow->limit_ns, m, loss));
    return v;
}

static double shortening(const sb_blow *blow, double m) {
    return blow->onset_m_s > 0.0
               ? sb_blow_shortening(true_speed(blow, m) / blow->onset_m_s)
               : 1.0;
}

/* --- springs ------------------------------------------------------------------ */

static double striker_mass(const sb_blow *blow) {
    if (blow->mass_kg > 0.0) return blow->mass_kg;
    double r = blow->radius_m;
    if (r > 0.0 && blow->has_material)
        return 4.0 / 3.0 * PI * blow->material.density * r * r * r;
    return SB_BLOW_MASS_KG;
}

sb_blow_result sb_blow_strike(const sb_blow *blow, double inverse_mass,
                              double hardness_n_m) {
    double striker_kg = striker_mass(blow);
    double striker_n_m =
        blow->has_material ? blow->material.hardness : hardness_n_m;
    if (blow->hardness_n_m > 0.0) striker_n_m = blow->hardness_n_m;
    double m = 1.0 / (1.0 / striker_kg + inverse_mass);
    double k = 1.0 / (1.0 / striker_n_m + 1.0 / hardness_n_m);
    double v = heard_speed(blow, m, 0.0);
    sb_blow_result result = {.impulse_ns = 2.0 * m * v,
                             .speed_m_s = blow->impulse_ns > 0.0 ? 0.0 : v,
                             .strength_m_s = true_speed(blow, m),
                             .mass_kg = striker_kg};
    if (sb_blow_model(blow) == SB_CONTACT_IMPULSE || v <= 0.0) return result;
    result.duration_s =
        PI * depth(m, k, blow->stiffening_per_m, v) / v * shortening(blow, m);
    result.peak_force_n = result.impulse_ns * PI / (2.0 * result.duration_s);
    return result;
}

/* --- Hertz ------------------------------------------------------------------ */

/* A striker nobody says anything of, on a body nobody does: steel. */
static const sb_material *striker_material(const sb_blow *blow,
                                           const sb_material *body) {
    if (blow->has_material) return &blow->material;
    return body ? body : sb_material_find("steel");
}

static double compliance(const sb_material *material) {
    double nu = material->poisson_ratio;
    return (1.0 - nu * nu) / material->youngs_modulus;
}

sb_hertz sb_blow_hertz(const sb_blow *blow, const sb_material *body) {
    const sb_material *striker = striker_material(blow, body);
    double mass = blow->mass_kg, radius = blow->radius_m;
    double ball = 4.0 / 3.0 * PI * striker->density; /* kg at 1 m */
    if (mass <= 0.0) {
        mass = radius > 0.0 ? ball * radius * radius * radius : SB_BLOW_MASS_KG;
    }
    if (radius <= 0.0) radius = cbrt(mass / ball);
    double give = compliance(striker) + (body ? compliance(body) : 0.0);
    sb_hertz hertz = {
        .law = {.stiffness = 4.0 / 3.0 * sqrt(radius) / give,
                .exponent = blow->exponent > 0.0 ? blow->exponent : 1.5,
                .lambda = blow->lambda},
        .mass_kg = mass,
    };
    if (blow->stiffness > 0.0) hertz.law.stiffness = blow->stiffness;
    return hertz;
}

void sb_blow_harden(const sb_blow *blow, double inverse_mass, sb_hertz *hertz) {
    double m = 1.0 / (1.0 / hertz->mass_kg + inverse_mass);
    double harder = pow(shortening(blow, m), -(hertz->law.exponent + 1.0));
    hertz->law.stiffness *= harder;
    hertz->law.lambda *= harder;
}

double sb_blow_restitution(double d) {
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

sb_blow_result sb_blow_press(const sb_blow *blow, const sb_hertz *hertz,
                             double inverse_mass) {
    const sb_contact_law *law = &hertz->law;
    double m = 1.0 / (1.0 / hertz->mass_kg + inverse_mass);
    double v = heard_speed(blow, m, law->lambda / law->stiffness);
    sb_blow_result result = {.speed_m_s = v,
                             .strength_m_s = true_speed(blow, m),
                             .mass_kg = hertz->mass_kg};
    if (v <= 0.0) return result;
    double n = law->exponent + 1.0;
    double deep = pow(n * m * v * v / (2.0 * law->stiffness), 1.0 / n);
    double c = 2.0 * sqrt(PI) * tgamma(1.0 / n) / (n * tgamma(1.0 / n + 0.5));
    double e = sb_blow_restitution(law->lambda * v / law->stiffness);
    result.impulse_ns = (1.0 + e) * m * v;
    result.duration_s = c * deep / v;
    result.peak_force_n = law->stiffness * pow(deep, law->exponent);
    return result;
}

double sb_blow_mode_yield(double duration_s, double weight,
                          double omega_rad_s) {
    double turn = omega_rad_s * duration_s;
    double off = 1.0 - (turn / PI) * (turn / PI);
    /* At w T = pi both vanish, and P is pi / 4. */
    double share = fabs(off) < 1e-6 ? PI / 4.0 : cos(turn / 2.0) / off;
    return weight * weight * share * share;
}

sb_blow_result sb_blow_yield(const sb_blow *blow, sb_blow_result result,
                             double inverse_mass, double modes_yield) {
    if (blow->impulse_ns > 0.0) return result;
    double rigid = 1.0 / result.mass_kg + inverse_mass;
    double factor = rigid / (rigid + modes_yield);
    result.impulse_ns *= factor;
    result.peak_force_n *= factor;
    return result;
}
