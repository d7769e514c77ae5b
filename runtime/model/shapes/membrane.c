/* A round membrane: phi = A J_n(l r) cos n t with J_n(l) = 0 at the rim, and
 * omega = (l / R) sqrt(T / sigma). The rectangular one is in rectangle.c. */
#include "runtime/base/pi.h"
#include "runtime/model/shapes/bessel.h"
#include "runtime/model/shapes/polar.h"

#include <math.h>

static double held(const sb_model *model, int n, double l) {
    (void)model;
    double j[2];
    sb_bessel_j(n, l, j);
    return j[0];
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *drum = &model->shape;
    double area = SB_PI * drum->radius * drum->radius;
    model->mass_kg = drum->surface_density * area;
    model->area_m2 = 2 * area;
    model->is_held = true;
    sb_polar_rim rim = {
        .condition = held,
        .factor = sqrt(drum->tension / drum->surface_density) / drum->radius,
        .power = 1,
        .first_circle = 1,
        .face_kg_m2 = drum->surface_density,
    };
    return sb_polar_build(model, &rim, err);
}

const sb_family sb_family_membrane_round = {
    .method = "analytic",
    .build = build,
    .weights = sb_polar_weights,
    .position = sb_polar_position,
    .nearest = sb_polar_nearest,
};
