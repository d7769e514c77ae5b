#include "runtime/dsp/contact/rolling.h"

#include <math.h>

double sb_rolling_depth_m(const sb_rolling *r) {
    return pow(r->load_n / r->law.stiffness, 1.0 / r->law.exponent);
}

double sb_rolling_patch_m(const sb_rolling *r) {
    return sqrt(r->radius_m * sb_rolling_depth_m(r));
}

double sb_rolling_stiffness_n_m(const sb_rolling *r) {
    return r->law.exponent * r->load_n / sb_rolling_depth_m(r);
}

double sb_rolling_mean(double patch_m, double per_m) {
    double x = patch_m * per_m;
    return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

double sb_rolling_loss_s_m(const sb_rolling *r, double damping) {
    double inverse = 1.0 / r->mass_kg + r->inverse_mass;
    double critical = 2.0 * sqrt(sb_rolling_stiffness_n_m(r) / inverse);
    return damping * critical / r->load_n;
}

double complex sb_rolling_response(const sb_rolling *r, double w,
                                   double complex body_m_n) {
    double loss = w * r->load_n * r->law.lambda / r->law.stiffness;
    double complex k = CMPLX(sb_rolling_stiffness_n_m(r), loss);
    double free_m_n = (1.0 / r->mass_kg + r->inverse_mass) / (w * w);
    return k / (1.0 + k * (body_m_n - free_m_n));
}
