/* SPDX-License-Identifier: MIT */
/* Shapes that a script gives itself: meshes, whose modes come from elements
 * (solve/discrete.c); and shapes without geometry: modes given by hand, whose
 * weights are the same at all points, and the rigid body, which has no modes.
 * Both have a mass of 1 kg; a rigid body with a radius is a ball of its
 * material. Thread: any. */
#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <stdio.h>

/* --- meshes --------------------------------------------------------------- */

static bool mesh_is_sheet_method(sb_method method) {
    return method == SB_METHOD_SHELL || method == SB_METHOD_SPRINGS ||
           method == SB_METHOD_SPRINGS_LITERAL;
}

static sb_status mesh_check(const sb_shape *shape, sb_error *err) {
    if (!shape->mesh) {
        return sb_fail(err, SB_BAD_ARGUMENT, "mesh: no mesh is given");
    }
    if (shape->method == SB_METHOD_ANALYTIC) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: a mesh has no closed form; method must be auto, "
                       "shell, solid, tet4, springs or springs-literal");
    }
    if (shape->thickness == 0 && mesh_is_sheet_method(shape->method)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: method = \"%s\" needs a thickness (m)",
                       sb_method_name(shape->method));
    }
    return SB_OK;
}

/* The world finds out whether it is smooth. */
static sb_collider mesh_collider(const sb_shape *shape) {
    (void)shape;
    return (sb_collider){.kind = SB_COLLIDER_HULL};
}

/* For the check only: sb.mesh has its own list (bindings/api/l_mesh.c). */
const sb_field sb_mesh_fields[] = {{.name = "thickness",
                                    .offset = offsetof(sb_shape, thickness),
                                    .min = 1e-6,
                                    .max = 10,
                                    .unit = "m",
                                    .help = "of its sheet"},
                                   SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_mesh = {
    .fields = sb_mesh_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE),
    .support_words = "left out; use clamp",
    .methods = SB_ALL_BITS,
    .check = mesh_check,
    .is_computed = true,
    .is_rescalable = true,
    .layout = SB_UV_FACES,
    .collider = mesh_collider,
};

/* --- modes given by hand, rigid bodies ------------------------------------ */

/* A mode given by hand radiates like a sphere of this radius a at high
 * frequency: rho c a at any pitch, so that gains are comparable. */
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

static const sb_model_ops hand_ops = {
    .method = "given",
    .peaks_u = 385,
    .peaks_v = 1,
    .build = build_hand_modes,
    .weights = hand_weights,
    .position = centre,
    .nearest = nearest,
};

static const sb_model_ops rigid_ops = {
    .method = "rigid",
    .may_be_silent = true,
    .build = build_rigid,
    .weights = hand_weights, /* it has no modes */
    .position = centre,
    .nearest = nearest,
};

/* --- the rows ------------------------------------------------------------- */

enum { MODES_MOST = 4096 };

static sb_status check_modes(const sb_shape *shape, sb_error *err) {
    if (!shape->modes || shape->mode_count < 1 ||
        shape->mode_count > MODES_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "modes: 1 to %d modes are needed, got %d",
                       (int)MODES_MOST, shape->mode_count);
    }
    for (int k = 0; k < shape->mode_count; k++) {
        const sb_hand_mode *mode = &shape->modes[k];
        const struct {
            const char *name;
            double value, least, most;
        } rows[] = {{"freq_hz", mode->freq_hz, 1, 1e5},
                    {"t60_s", mode->t60_s, 1e-4, 1e4},
                    {"gain", mode->gain, -1e3, 1e3}};
        for (int i = 0; i < 3; i++) {
            if (rows[i].value >= rows[i].least &&
                rows[i].value <= rows[i].most) {
                continue;
            }
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "modes: mode %d: %s must be %g to %g, got %g", k + 1,
                           rows[i].name, rows[i].least, rows[i].most,
                           rows[i].value);
        }
    }
    return SB_OK;
}

static sb_collider rigid_collider(const sb_shape *shape) {
    if (shape->radius > 0) return sb_collider_sphere(shape->radius);
    return (sb_collider){.kind = SB_COLLIDER_NONE};
}

const sb_field sb_modes_fields[] = {SB_SHAPE_FIELDS_STOP};
const sb_shape_family sb_shape_modes = {
    .fields = sb_modes_fields,
    .supports = SB_ALL_BITS,
    .check = check_modes,
    .material_is_optional = true,
    .ops = &hand_ops,
    .layout = SB_UV_NONE,
};

const sb_field sb_rigid_fields[] = {
    SB_SHAPE_LENGTH(radius, "it is a ball of the body's material; default an "
                            "ideal half-space"),
    SB_SHAPE_FIELDS_STOP};
const sb_shape_family sb_shape_rigid = {
    .fields = sb_rigid_fields,
    .supports = SB_ALL_BITS,
    .material_is_optional = true,
    .ops = &rigid_ops,
    .layout = SB_UV_NONE,
    .collider = rigid_collider,
};
