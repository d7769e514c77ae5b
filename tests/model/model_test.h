/* SPDX-License-Identifier: MIT */
/* tests/model/model_test.h -- shared by the tests of runtime/model. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"

#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS_MOST = 4096 };

static const sb_vec3 along_x = {1, 0, 0};
static const sb_vec3 along_y = {0, 1, 0};
static const sb_vec3 along_z = {0, 0, 1};

static inline sb_material elastic(double youngs, double density,
                                  double poisson) {
    return (sb_material){density, youngs, poisson, 5, 3e-8, 1e9,
                         1e-6,    0.5,    0.4,     0, 0};
}

static inline sb_material steel(void) {
    return elastic(200e9, 7850, 0.29);
}

static inline sb_model *make_below(sb_shape shape, sb_material material,
                                   double max_hz) {
    sb_model_limits limits = sb_model_limits_default();
    limits.max_hz = max_hz;
    sb_model *model = NULL;
    sb_error err = {0};
    sb_status status =
        sb_model_create(&shape, &material, &limits, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return model;
}

static inline sb_model *make(sb_shape shape, sb_material material) {
    return make_below(shape, material, 22000);
}

static inline int find_mode(const sb_model *model, const char *label) {
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        if (strcmp(sb_model_modes(model)[k].label, label) == 0) return k;
    }
    ck_abort_msg("there is no mode \"%s\"", label);
    return -1;
}

static inline double freq_of(const sb_model *model, const char *label) {
    return sb_model_modes(model)[find_mode(model, label)].freq_hz;
}

static inline double weight_at(const sb_model *model, int k, double u, double v,
                               const sb_vec3 *direction) {
    static double weights[WEIGHTS_MOST];
    sb_model_weights(model, sb_model_point_at(model, u, v), direction, weights);
    return weights[k];
}

/* Modes 1, 2, ... match the published values, each to `tolerance`. */
static inline void check_freqs(const sb_model *model, const double *printed,
                               int count, double scale, double tolerance) {
    ck_assert_int_ge(sb_model_mode_count(model), count);
    for (int k = 0; k < count; k++) {
        double got = sb_model_modes(model)[k].freq_hz * scale;
        ck_assert_msg(fabs(got - printed[k]) <= tolerance,
                      "mode %d (%s): %.6f, printed %.6f", k + 1,
                      sb_model_modes(model)[k].label, got, printed[k]);
    }
}

/* omega a^2 / sqrt(D / rho h) per Hz. */
static inline double lambda_per_hz(sb_material material, double thickness,
                                   double a) {
    double nu = material.poisson_ratio;
    double speed = thickness * sqrt(material.youngs_modulus /
                                    (12 * (1 - nu * nu) * material.density));
    return 2 * SB_PI * a * a / speed;
}
