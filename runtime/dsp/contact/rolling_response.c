/* The spectrum of rolling and sliding in closed form. Thread: any. */
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/rolling.h"

#include <math.h>

double sb_rolling_mean(double patch_m, double per_m) {
    double x = patch_m * per_m;
    return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

/* Of T. */
static double noise_power(double corner_hz, double hz) {
    if (!(corner_hz > 0.0)) return 0.0;
    double x = hz / corner_hz;
    return 2.0 / (SB_PI * corner_hz * (1.0 + x * x));
}

double sb_rolling_asperity_power(const sb_rolling *r, double speed_m_s,
                                 double slip_m_s, double hz) {
    double z = sb_rolling_asperities_n(r) / sb_rolling_stiffness_n_m(r);
    double corner_hz[SB_ROLLING_NOISES];
    sb_rolling_corners_hz(r, corner_hz);
    double power = noise_power(corner_hz[0] * fabs(speed_m_s), hz);
    for (int i = 1; i < SB_ROLLING_NOISES; i++)
        power += noise_power(corner_hz[i] * fabs(slip_m_s), hz);
    return z * z * power;
}

double complex sb_rolling_response(const sb_rolling *r, double w,
                                   double complex body_m_n) {
    double stiffness = sb_rolling_stiffness_n_m(r);
    double inverse = 1.0 / r->mass_kg + r->inverse_mass;
    double loss = 2.0 * sb_rolling_damping(r) * sqrt(stiffness / inverse);
    double complex k = CMPLX(stiffness, w * loss);
    return stiffness / (1.0 + k * (body_m_n - inverse / (w * w)));
}
