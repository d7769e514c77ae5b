/* SPDX-License-Identifier: MIT */
/* tests/model/turned_test.h -- walls of revolution for tests. */
#pragma once

#include "runtime/model/revolve/outline.h"
#include "tests/model/model_test.h"

#include <stdio.h>

static inline sb_shape tube(double length, double radius, double wall) {
    return (sb_shape){.kind = SB_SHAPE_TUBE,
                      .length = length,
                      .radius = radius,
                      .thickness = wall};
}

static inline sb_shape revolve(const sb_profile_point *points, int count,
                               bool is_curve) {
    sb_profile *profile = NULL;
    sb_error err;
    sb_status status =
        is_curve ? sb_profile_create_curve(points, count, &profile, &err)
                 : sb_profile_create(points, count, 1, &profile, &err);
    ck_assert_int_eq(status, SB_OK);
    return (sb_shape){
        .kind = SB_SHAPE_REVOLVE, .thickness = points[0].t, .profile = profile};
}

/* From the lowest to the highest point of a sphere. */
static inline sb_shape sphere(double radius, double wall, int pieces) {
    sb_profile_point points[200];
    for (int i = 0; i <= pieces; i++) {
        double angle = SB_PI * i / pieces;
        points[i] =
            (sb_profile_point){radius * sin(angle), -radius * cos(angle), wall};
    }
    points[0].r = points[pieces].r = 0;
    return revolve(points, pieces + 1, true);
}

static inline void close_to(double got, double wanted, double share,
                            const char *what) {
    ck_assert_msg(fabs(got / wanted - 1) < share, "%s: %.3f, not %.3f", what,
                  got, wanted);
}

static const sb_profile_point bowl[] = {{0, 0, 0.002},
                                        {0.03, 0.004, 0.002},
                                        {0.055, 0.025, 0.002},
                                        {0.065, 0.06, 0.002}};
