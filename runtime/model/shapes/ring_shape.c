/* SPDX-License-Identifier: MIT */
/* A free ring of thin wire, round or flat. The wire's centre line moves by
 * radial, tangential and upward parts, for n = 2, 3, ... in pairs:
 *
 *     in-plane      radial A cos n t, tangential -(A / n) sin n t
 *                   w^2 = E I / (rho A R^4)  n^2 (n^2 - 1)^2 / (n^2 + 1)
 *     out-of-plane  up A cos n t
 *                   w^2 = E I'/ (rho A R^4)  n^2 (n^2 - 1)^2 / (n^2 + E I'/G J)
 *     breathing     radial A,  w^2 = E / (rho R^2)
 *
 * and the same turned by a quarter wave (sin). I belongs to the radial
 * thickness of the wire, I' to its width along y. The turning of the section
 * about the wire is part of the stiffness but, the wire being thin, not of the
 * motion. A ring of wire thicker than a fifth of its radius is a solid.
 * Thread: control, workers. */
#include "runtime/base/pi.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>

enum { IN_PLANE_COS, IN_PLANE_SIN, OUT_COS, OUT_SIN, BREATHING };

typedef struct wire {
    double section;      /* m^2 */
    double bend_radial;  /* I, m^4 */
    double bend_up;      /* I', m^4 */
    double torsion;      /* J, m^4 */
    double radial_share; /* of the surface, weighted by (normal . radial)^2 */
    double up_share;
} wire;

static wire round_wire(double r) {
    double bend = SB_PI / 4 * r * r * r * r;
    return (wire){SB_PI * r * r, bend, bend, 2 * bend, 0.5, 0.5};
}

static wire flat_wire(double width, double thick) {
    return (wire){
        .section = width * thick,
        .bend_radial = width * thick * thick * thick / 12,
        .bend_up = thick * width * width * width / 12,
        .torsion = sb_rectangle_torsion(width, thick),
        .radial_share = width / (width + thick),
        .up_share = thick / (width + thick),
    };
}

static bool is_round(const sb_model *model) {
    return model->shape.wire_radius > 0;
}

/* By Pappus, volume and surface are those of the straight wire. */
static void set_body(sb_model *model, const wire *of) {
    const sb_shape *ring = &model->shape;
    double around = SB_TAU * ring->radius, r2 = ring->radius * ring->radius;
    double mass = model->material.density * of->section * around;
    double axial, across; /* moments of inertia over mass */
    if (is_round(model)) {
        double w2 = ring->wire_radius * ring->wire_radius;
        axial = r2 + 0.75 * w2;
        across = 0.5 * r2 + 0.625 * w2;
        model->area_m2 = around * SB_TAU * ring->wire_radius;
    } else {
        axial = r2 + 0.25 * ring->thickness * ring->thickness;
        across = 0.5 * axial + ring->width * ring->width / 12;
        model->area_m2 = around * 2 * (ring->width + ring->thickness);
    }
    model->mass_kg = mass;
    model->inverse_inertia[0] = model->inverse_inertia[2] = 1 / (mass * across);
    model->inverse_inertia[1] = 1 / (mass * axial);
}

static sb_status add(sb_model *model, int kind, int n, double omega,
                     double amplitude2, double mean_square, sb_error *err) {
    static const char *const ways[] = {"in-plane", "in-plane", "out-of-plane",
                                       "out-of-plane"};
    static const char *const turned[] = {"cos", "sin"};
    double hz = omega / SB_TAU;
    sb_mode_shape shape = {.kind = kind, .n = n, .c = {sqrt(amplitude2)}};
    if (kind == BREATHING)
        return sb_model_add(model, hz, mean_square, &shape, err, "breathing");
    return sb_model_add(model, hz, mean_square, &shape, err, "%s %d %s",
                        ways[kind], n, turned[kind % 2]);
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *ring = &model->shape;
    const sb_material *mat = &model->material;
    wire of = is_round(model) ? round_wire(ring->wire_radius)
                              : flat_wire(ring->width, ring->thickness);
    set_body(model, &of);
    double mass = model->mass_kg, r2 = ring->radius * ring->radius;
    double unit = mat->youngs_modulus / (mat->density * of.section * r2 * r2);
    double soft = 2 * (1 + mat->poisson_ratio) * of.bend_up / of.torsion;
    sb_status status =
        add(model, BREATHING, 0, sqrt(mat->youngs_modulus / mat->density / r2),
            1 / mass, of.radial_share / mass, err);
    for (int n = 2; n <= model->limits.max_modes + 1 && !status; n++) {
        double n2 = (double)n * n, top = n2 * (n2 - 1) * (n2 - 1);
        double omega_in = sqrt(unit * of.bend_radial * top / (n2 + 1));
        double omega_out = sqrt(unit * of.bend_up * top / (n2 + soft));
        double share = n2 / (n2 + 1); /* of the energy that is radial */
        for (int turned = 0; turned < 2 && !status; turned++) {
            status = add(model, IN_PLANE_COS + turned, n, omega_in,
                         2 * share / mass, share * of.radial_share / mass, err);
        }
        for (int turned = 0; turned < 2 && !status; turned++) {
            status = add(model, OUT_COS + turned, n, omega_out, 2 / mass,
                         of.up_share / mass, err);
        }
        if (fmin(omega_in, omega_out) > SB_TAU * model->limits.max_hz) break;
    }
    return status;
}

/* From the wire's centre to its surface: outward and up parts, and the
 * surface normal there. On flat wire the point is where the ray at angle v
 * leaves the rectangle. */
static void around_wire(const sb_model *model, double v, double *out,
                        double *up, double *normal_out, double *normal_up) {
    double c = cos(SB_TAU * v), s = sin(SB_TAU * v);
    if (is_round(model)) {
        *out = model->shape.wire_radius * c;
        *up = model->shape.wire_radius * s;
        *normal_out = c;
        *normal_up = s;
        return;
    }
    double half_out = 0.5 * model->shape.thickness;
    double half_up = 0.5 * model->shape.width;
    bool is_side = fabs(c) * half_up >= fabs(s) * half_out;
    double reach = is_side ? half_out / fabs(c) : half_up / fabs(s);
    *out = reach * c;
    *up = reach * s;
    *normal_out = is_side ? copysign(1, c) : 0;
    *normal_up = is_side ? 0 : copysign(1, s);
}

static sb_vec3 position(const sb_model *model, double u, double v) {
    double out, up, normal_out, normal_up;
    around_wire(model, v, &out, &up, &normal_out, &normal_up);
    double reach = model->shape.radius + out;
    return (sb_vec3){reach * cos(SB_TAU * u), up, reach * sin(SB_TAU * u)};
}

static sb_vec3 normal(const sb_model *model, double u, double v) {
    double out, up, normal_out, normal_up;
    around_wire(model, v, &out, &up, &normal_out, &normal_up);
    return (sb_vec3){normal_out * cos(SB_TAU * u), normal_up,
                     normal_out * sin(SB_TAU * u)};
}

static double turns(double y, double x) {
    double part = atan2(y, x) / SB_TAU;
    return part < 0 ? part + 1 : part;
}

static void nearest(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v) {
    *u = turns(point_m.z, point_m.x);
    *v = turns(point_m.y, hypot(point_m.x, point_m.z) - model->shape.radius);
}

static void weights(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *out) {
    (void)v; /* the section moves as one */
    double angle = SB_TAU * u, c = cos(angle), s = sin(angle);
    double radial = direction.x * c + direction.z * s;
    double tangential = direction.z * c - direction.x * s;
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        double cosine = cos(shape->n * angle), sine = sin(shape->n * angle);
        double along = radial; /* breathing */
        switch (shape->kind) {
        case IN_PLANE_COS:
            along = radial * cosine - tangential * sine / shape->n;
            break;
        case IN_PLANE_SIN:
            along = radial * sine + tangential * cosine / shape->n;
            break;
        case OUT_COS:
            along = direction.y * cosine;
            break;
        case OUT_SIN:
            along = direction.y * sine;
            break;
        default:
            break;
        }
        out[k] = shape->c[0] * along;
    }
}

static const sb_model_ops ops = {
    .method = "analytic",
    .peaks_u = 193,
    .peaks_v = 17,
    .build = build,
    .weights = weights,
    .position = position,
    .nearest = nearest,
    .normal = normal,
};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *ring, sb_error *err) {
    bool is_flat = ring->width != 0 || ring->thickness != 0;
    if (ring->wire_radius != 0) {
        if (is_flat) {
            return sb_fail(
                err, SB_BAD_ARGUMENT,
                "ring: give wire_radius, or width and thickness, not both");
        }
        return sb_shape_not_above(ring, "wire_radius", ring->wire_radius,
                                  "its radius", ring->radius, err);
    }
    if (!is_flat) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "ring: wire_radius, or width and thickness, is missing");
    }
    sb_status status = sb_shape_need(ring, "width", err);
    if (!status) status = sb_shape_need(ring, "thickness", err);
    if (!status) {
        status = sb_shape_not_above(ring, "thickness", ring->thickness,
                                    "its radius", ring->radius, err);
    }
    if (!status) {
        status = sb_shape_not_above(ring, "width", ring->width, "its radius",
                                    ring->radius, err);
    }
    return status;
}

/* The lowest modes of thicker wire are 2 % too high in closed form, and others
 * more. */
static bool is_too_thick(const sb_shape *ring) {
    double across =
        fmax(2 * ring->wire_radius, fmax(ring->width, ring->thickness));
    return across > (1 + 1e-9) * 0.2 * ring->radius;
}

/* u goes around the ring and v around the wire, which is shorter. */
static double aspect(const sb_shape *ring) {
    (void)ring;
    return 0.25;
}

static void face_uv(const sb_shape *ring, const sb_vec3 at[3],
                    float uvs[3][2]) {
    for (int c = 0; c < 3; c++) {
        double out = hypot(at[c].x, at[c].z) - ring->radius;
        uvs[c][0] = (float)(atan2(at[c].z, at[c].x) / (2 * SB_PI));
        uvs[c][1] = (float)(atan2(at[c].y, out) / (2 * SB_PI));
    }
    sb_face_uv_unwind(uvs, 2);
}

/* Flat wire is as thick as round wire of the same section. */
static sb_collider collider(const sb_shape *ring) {
    double wire_radius = ring->wire_radius;
    if (!(wire_radius > 0)) {
        wire_radius = sqrt(ring->width * ring->thickness / SB_PI);
    }
    return (sb_collider){.kind = SB_COLLIDER_RING,
                         .radius = ring->radius,
                         .wire_radius = wire_radius,
                         .is_smooth = true};
}

const sb_field sb_ring_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "to the middle of the wire"),
    SB_SHAPE_LENGTH(wire_radius, "round wire; or width and thickness"),
    SB_SHAPE_LENGTH(width, "of flat wire, along y"),
    SB_SHAPE_LENGTH(thickness, "of flat wire, along the radius"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_ring = {
    .fields = sb_ring_fields,
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_ANALYTIC) |
               SB_BIT(SB_METHOD_SOLID) | SB_BIT(SB_METHOD_TET4),
    .method_words = "analytic, solid or tet4; a wire is no sheet",
    .check = check,
    .ops = &ops,
    .is_too_thick = is_too_thick,
    .is_rescalable = true,
    .surface = sb_grid_ring_surface,
    .solid = sb_grid_ring_solid,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .layout = SB_UV_TORUS,
    .aspect = aspect,
    .face_uv = face_uv,
    .collider = collider,
};
