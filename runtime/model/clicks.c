/* SPDX-License-Identifier: MIT */
#include "runtime/model/clicks.h"

#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/model/model_draft.h"

#include <math.h>

#define ZETA    0.70710678118654752
#define MOST_HZ 20000.0

void sb_model_scale_clicks(sb_model *model, const sb_model *from, double size) {
    model->click_count = from->click_count;
    for (int i = 0; i < from->click_count; i++) {
        sb_click_axis axis = from->click_axes[i];
        double cube = size * size * size;
        axis.mass_kg *= cube;
        axis.dipole_kg *= cube;
        axis.turning_kg_m = sb_vec3_scale(axis.turning_kg_m, cube * size);
        model->click_axes[i] = axis;
    }
}

static sb_click click_of(const sb_model *model, const sb_click_axis *axis) {
    const double c = SB_AIR_SPEED;
    double dipole = axis->dipole_kg;
    double omega = cbrt(12 * SB_TAU * SB_AIR_DENSITY * c * c * c * ZETA *
                        axis->mass_kg / (dipole * dipole));
    omega = fmin(omega, SB_TAU * MOST_HZ);
    double peak = dipole * omega * omega / (2 * SB_TAU * c);
    return (sb_click){
        .freq_hz = omega / SB_TAU,
        .sigma_per_s = ZETA * omega,
        .radiation = peak / sqrt(3 * model->mass_kg) / SB_CLICK_SHARE,
        .axis = axis->axis,
        .energy_j =
            SB_TAU * peak * peak / (6 * SB_AIR_DENSITY * c * ZETA * omega),
        .peak_pa = peak,
    };
}

int sb_model_clicks(const sb_model *model, sb_click out[SB_CLICKS_MOST]) {
    for (int i = 0; out && i < model->click_count; i++)
        out[i] = click_of(model, &model->click_axes[i]);
    return model->click_count;
}

static sb_vec3 turned(const double m[6], sb_vec3 v) {
    return (sb_vec3){m[0] * v.x + m[3] * v.y + m[5] * v.z,
                     m[3] * v.x + m[1] * v.y + m[4] * v.z,
                     m[5] * v.x + m[4] * v.y + m[2] * v.z};
}

void sb_model_click_weights(const sb_model *model, sb_model_point point,
                            const sb_vec3 *direction, double *weights) {
    if (model->click_count == 0) return;
    sb_vec3 unit = direction ? sb_vec3_normalised(*direction)
                             : sb_vec3_scale(sb_model_normal(model, point), -1);
    sb_vec3 arm = sb_vec3_sub(sb_model_position(model, point), model->centre_m);
    sb_vec3 spin = turned(model->inverse_inertia, sb_vec3_cross(arm, unit));
    for (int i = 0; i < model->click_count; i++) {
        const sb_click_axis *own = &model->click_axes[i];
        double turning = sb_vec3_dot(own->turning_kg_m, spin) / own->dipole_kg;
        double root = sqrt(model->mass_kg);
        weights[i] = SB_CLICK_SHARE *
                     (sb_vec3_dot(own->axis, unit) / root + turning * root);
    }
}
