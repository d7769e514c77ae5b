/* SPDX-License-Identifier: MIT */
/* How a body lies on a rough surface. Thread: any. */
#include "runtime/dsp/contact/rolling.h"

#include "runtime/base/pi.h"

#include <math.h>

/* Junctions between asperities: the height that the tips of all surfaces have,
 * their least length, and their radius. Choices, of the usual order. */
#define TIP_M        4e-6
#define JUNCTION_M   1e-5
#define TIP_RADIUS_M 5e-4

/* At least so many carry the load. */
#define LEAST_JUNCTIONS 4.0

/* Speed at which asperities are pushed by as much as they carry: a choice, that of
 * a hand. */
#define MEETING_M_S 0.3

/* By how much of s the mean gap between rough surfaces falls as the load grows
 * by a factor of e: 0.4 to 0.5 of most surfaces (Persson 2007). */
#define LAYER 0.4

#define SMOOTH_DAMPING 0.05
#define ROUGH_DAMPING  0.25

double sb_rolling_depth_m(const sb_rolling *r) {
    return pow(r->load_n / r->law.stiffness, 1.0 / r->law.exponent);
}

double sb_rolling_patch_m(const sb_rolling *r) {
    return sqrt(r->radius_m * (sb_rolling_depth_m(r) + r->rough_m));
}

/* d / a + c s: the depth at which a constant stiffness would carry the load. */
static double give_m(const sb_rolling *r) {
    return sb_rolling_depth_m(r) / r->law.exponent + LAYER * r->rough_m;
}

double sb_rolling_stiffness_n_m(const sb_rolling *r) {
    return r->load_n / give_m(r);
}

double sb_rolling_junctions(const sb_rolling *r) {
    if (!(r->rough_m > 0.0)) return INFINITY;
    double tip = r->law.stiffness * sqrt(TIP_RADIUS_M / r->radius_m);
    double one_n = tip * pow(r->rough_m, r->law.exponent);
    return LEAST_JUNCTIONS + r->load_n / one_n;
}

double sb_rolling_asperities_n(const sb_rolling *r) {
    return r->load_n / sqrt(sb_rolling_junctions(r));
}

double sb_rolling_gain(double junctions, double speed_m_s) {
    double a2 = fabs(speed_m_s) / MEETING_M_S;
    return sqrt(a2 * junctions / (junctions + 2.0 * a2));
}

void sb_rolling_corners_hz(const sb_rolling *r,
                           double corner_hz[SB_ROLLING_NOISES]) {
    double width_m = 2.0 * sqrt(TIP_M * r->radius_m);
    double ratio = fmax(width_m / JUNCTION_M, 1.0);
    corner_hz[0] = corner_hz[1] = 0.44 / width_m;
    corner_hz[2] = sqrt(ratio) * corner_hz[1];
    corner_hz[3] = ratio * corner_hz[1];
}

static double critical_ns_m(const sb_rolling *r) {
    double inverse = 1.0 / r->mass_kg + r->inverse_mass;
    return 2.0 * sqrt(sb_rolling_stiffness_n_m(r) / inverse);
}

double sb_rolling_damping(const sb_rolling *r) {
    double critical = critical_ns_m(r);
    /* 2 zeta w0 = k mobility; the critical damping is 2 k / w0 */
    double modes = 0.25 * r->mobility * critical;
    if (r->law.lambda > 0.0)
        return modes + r->load_n * r->law.lambda / r->law.stiffness / critical;
    return modes + SMOOTH_DAMPING +
           ROUGH_DAMPING * LAYER * r->rough_m / give_m(r);
}

sb_contact_law sb_rolling_law(const sb_rolling *r) {
    double a = r->law.exponent;
    double stiffness = r->load_n / pow(a * give_m(r), a);
    double loss_s_m = sb_rolling_damping(r) * critical_ns_m(r) / r->load_n;
    return (sb_contact_law){stiffness, a, loss_s_m * stiffness};
}

sb_rolling_at sb_rolling_law_at(const sb_contact_law *law, double load_n) {
    double depth_m = pow(load_n / law->stiffness, 1.0 / law->exponent);
    double stiffness = law->exponent * load_n / depth_m;
    double loss = load_n * law->lambda / law->stiffness;
    return (sb_rolling_at){stiffness, stiffness / (SB_TAU * loss)};
}
