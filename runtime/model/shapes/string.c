/* SPDX-License-Identifier: MIT */
/* A stretched string with some stiffness, pinned at both ends:
 *
 *     f_n = n f0 sqrt(1 + B n^2),   B = pi^3 E d^4 / (64 T L^2)
 *     phi = sqrt(2 / m) sin(n pi u), up and down (transverse) or sideways
 *
 * The two polarisations are independent: a strike from above drives the
 * transverse modes only. Thread: control, workers. */
#include "runtime/base/pi.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>

enum { TRANSVERSE, HORIZONTAL };

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *string = &model->shape;
    const sb_material *mat = &model->material;
    double length = string->length, d = string->diameter;
    double line_density = mat->density * SB_PI * d * d / 4; /* kg/m */
    model->mass_kg = line_density * length;
    model->area_m2 = SB_PI * d * length;
    model->is_held = true;
    double f0 = sqrt(string->tension / line_density) / (2 * length);
    double b = pow(SB_PI, 3) * mat->youngs_modulus * pow(d, 4) /
               (64 * string->tension * length * length);
    for (int n = 1; n <= model->limits.max_modes; n++) {
        double freq_hz = n * f0 * sqrt(1 + b * n * (double)n);
        for (int kind = TRANSVERSE; kind <= HORIZONTAL; kind++) {
            sb_mode_shape shape = {.kind = kind, .n = n};
            /* phi^2 averages to 1 / m along the string, and the cosine of the
             * angle around it to 1/2. */
            sb_status status = sb_model_add(
                model, freq_hz, 0.5 / model->mass_kg, &shape, err, "%s %d",
                kind == TRANSVERSE ? "transverse" : "horizontal", n);
            if (status) return status;
        }
        if (freq_hz > model->limits.max_hz) break;
    }
    return SB_OK;
}

static sb_vec3 position(const sb_model *model, double u, double v) {
    (void)v;
    return (sb_vec3){(u - 0.5) * model->shape.length,
                     0.5 * model->shape.diameter, 0};
}

static void nearest(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v) {
    *u = point_m.x / model->shape.length + 0.5;
    *v = 0.5;
}

static void weights(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *out) {
    (void)v;
    double amplitude = sqrt(2 / model->mass_kg);
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        double along = shape->kind == TRANSVERSE ? direction.y : direction.z;
        out[k] = amplitude * along * sin(SB_PI * shape->n * u);
    }
}

static const sb_model_ops ops = {
    .method = "analytic",
    .peaks_u = 385,
    .peaks_v = 1,
    .build = build,
    .weights = weights,
    .position = position,
    .nearest = nearest,
};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *string, sb_error *err) {
    return sb_shape_not_above(string, "diameter", string->diameter,
                              "its length", string->length, err);
}

static double aspect(const sb_shape *string) {
    (void)string;
    return 0;
}

/* As far from its end as strings are plucked and hammered, and not at a seventh
 * or a sixth: every harmonic sounds. */
static sb_vec3 usual(const sb_shape *string) {
    return (sb_vec3){-0.345 * string->length, 0, 0}; /* u = 0.155 */
}

static sb_collider collider(const sb_shape *string) {
    return (sb_collider){.kind = SB_COLLIDER_CAPSULE,
                         .radius =
                             fmax(0.5 * string->diameter, SB_COLLIDER_THIN_M),
                         .length = string->length};
}

const sb_field sb_string_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(length, "between the bridges"),
    SB_SHAPE_LENGTH_NEEDED(diameter, "of the wire"),
    SB_SHAPE_NUMBER_NEEDED(tension, 1e-3, 1e8, "N", "force at its ends"),
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_string = {
    .fields = sb_string_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_PINNED),
    .support_words = "pinned",
    .check = check,
    .ops = &ops,
    .layout = SB_UV_LINE,
    .aspect = aspect,
    .usual = usual,
    .collider = collider,
};
