/* SPDX-License-Identifier: MIT */
/* tests/dsp/surface/rolling_response.h -- the force of what rolls and slides in
 * closed form, for small roughness. runtime/dsp/contact/rolling.h has the
 * derivation. */
#pragma once

#include "runtime/base/cmplx.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/rolling.h"

#include <math.h>

/* A: the mean of a wave over a patch of half-width `patch_m`. */
static inline double rolling_mean(double patch_m, double per_m) {
    double x = patch_m * per_m;
    return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

/* Of g T, at the speed at which asperities meet. */
static inline double noise_power(const sb_rolling *r, double corner_hz_s_m,
                                 double speed_m_s, double hz) {
    double corner_hz = corner_hz_s_m * fabs(speed_m_s);
    if (!(corner_hz > 0.0)) return 0.0;
    double x = hz / corner_hz;
    double gain = sb_rolling_gain(sb_rolling_junctions(r), speed_m_s);
    return gain * gain * 2.0 / (SB_PI * corner_hz * (1.0 + x * x));
}

/* Power of the asperities' z at a frequency, m^2 per hertz, at the speed v and
 * the slip u. */
static inline double rolling_asperity_power(const sb_rolling *r,
                                            double speed_m_s, double slip_m_s,
                                            double hz) {
    if (!(r->rough_m > 0.0)) return 0.0;
    double z = sb_rolling_asperities_n(r) / sb_rolling_stiffness_n_m(r);
    double corner_hz[SB_ROLLING_NOISES];
    sb_rolling_corners_hz(r, corner_hz);
    double power = noise_power(r, corner_hz[0], speed_m_s, hz);
    for (int i = 1; i < SB_ROLLING_NOISES; i++)
        power += noise_power(r, corner_hz[i], slip_m_s, hz);
    return z * z * power;
}

/* F / z, in N/m. */
static inline double complex rolling_response(const sb_rolling *r, double w,
                                              double complex body_m_n) {
    double stiffness = sb_rolling_stiffness_n_m(r);
    double inverse = 1.0 / r->mass_kg + r->inverse_mass;
    double loss = 2.0 * sb_rolling_damping(r) * sqrt(stiffness / inverse);
    double complex k = CMPLX(stiffness, w * loss);
    return stiffness / (1.0 + k * (body_m_n - inverse / (w * w)));
}
