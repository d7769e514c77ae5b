/* Shapes without a geometry of their own: modes given by hand, which answer
 * alike wherever they are struck, and the rigid body, which has none. Both are
 * points of 1 kg; a rigid body with a radius is a ball of its material. */
#include "runtime/base/pi.h"
#include "runtime/model/family.h"

#include <math.h>
#include <stdio.h>

/* A hand-given mode is heard as a sphere of 0.1 m would be at high frequency:
 * rho c a, whatever its pitch, so that gains mean the same all over. */
#define HAND_RADIUS_M 0.1

static sb_vec3 centre(const sb_model *model, double u, double v) {
    (void)model, (void)u, (void)v;
    return (sb_vec3){0, 0, 0};
}

static void nearest(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v) {
    (void)model, (void)point_m;
    *u = *v = 0.5;
}

static sb_status build_hand_modes(sb_model *model, sb_error *err) {
    model->mass_kg = 1;
    sb_status status = SB_OK;
    for (int k = 0; k < model->shape.mode_count && !status; k++) {
        const sb_hand_mode *hand = &model->shape.modes[k];
        sb_mode mode = {
            .freq_hz = hand->freq_hz,
            .sigma_per_s = log(1000.0) / hand->t60_s,
            .radiation = SB_AIR_DENSITY * SB_AIR_SPEED * HAND_RADIUS_M,
        };
        (void)snprintf(mode.label, sizeof mode.label, "given %d", k + 1);
        sb_mode_shape shape = {.c = {hand->gain}};
        status = sb_model_add_mode(model, &mode, &shape, err);
    }
    return status;
}

static void hand_weights(const sb_model *model, double u, double v,
                         sb_vec3 direction, double *weights) {
    (void)u, (void)v;
    double scale = sb_vec3_length(direction); /* 1, or 0 for no direction */
    for (int k = 0; k < model->mode_count; k++) {
        weights[k] = model->shapes[k].c[0] * scale;
    }
}

static sb_status build_rigid(sb_model *model, sb_error *err) {
    (void)err;
    double radius = model->shape.radius;
    model->mass_kg = 1;
    if (radius > 0 && model->material.density > 0) {
        model->mass_kg =
            model->material.density * 4 / 3 * SB_PI * radius * radius * radius;
    }
    return SB_OK;
}

const sb_family sb_family_hand_modes = {
    .method = "given",
    .build = build_hand_modes,
    .weights = hand_weights,
    .position = centre,
    .nearest = nearest,
};

const sb_family sb_family_rigid = {
    .method = "rigid",
    .build = build_rigid,
    .weights = hand_weights, /* of its no modes */
    .position = centre,
    .nearest = nearest,
};
