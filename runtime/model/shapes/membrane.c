/* SPDX-License-Identifier: MIT */
/* A round membrane: phi = A J_n(l r) cos n t with J_n(l) = 0 at the rim, and
 * omega = (l / R) sqrt(T / sigma). The rectangular one is in rectangle.c. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/polar.h"
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <string.h>

/* The thickness of a skin for collisions: thick enough that nothing falls
 * through, thin enough not to be seen. */
#define SKIN_M 2e-3

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

static const sb_model_ops round_ops = {
    .method = "analytic",
    .build = build,
    .weights = sb_polar_weights,
    .position = sb_polar_position,
    .nearest = sb_polar_nearest,
};

/* --- the air at it --------------------------------------------------------- */

/* Kettles are steep, and flat below: between a hemisphere (2) and a pot. */
#define STEEPNESS 3.0
enum { RINGS = 12, KETTLE_RINGS = 9, CELLS = 20 };

/* Below each vertex of the skin, but for the rim, one of the kettle, at the same
 * share of the way along its wall. */
static void add_kettle(const sb_shape *drum, const sb_flat *flat,
                       sb_mesh *out) {
    int rim = 1 + 3 * KETTLE_RINGS * (KETTLE_RINGS - 1);
    for (int v = 0; v < rim; v++) {
        sb_vec3 at = out->vertices[v];
        double angle = hypot(at.x, at.z) / drum->radius * SB_PI / 2;
        double radius = pow(sin(angle), 2 / STEEPNESS) * drum->radius;
        double depth = pow(cos(angle), 2 / STEEPNESS) * drum->kettle;
        sb_vec3 out_there = sb_vec3_normalised(at);
        out->vertices[out->vertex_count++] =
            (sb_vec3){out_there.x * radius, -depth, out_there.z * radius};
    }
    for (int f = 0; f < flat->face_count; f++) {
        int *face = out->faces[out->face_count++];
        for (int j = 0; j < 3; j++) {
            int v = flat->faces[f][2 - j];
            face[j] = v < rim ? flat->vertex_count + v : v;
        }
    }
}

/* The skin at y = 0, and the kettle: what air moves on. */
static sb_status outside(const sb_shape *drum, sb_mesh *out, sb_error *err) {
    sb_flat flat;
    bool has_kettle = drum->kettle > 0;
    sb_status status =
        drum->radius > 0
            ? sb_flat_disk(drum->radius, has_kettle ? KETTLE_RINGS : RINGS,
                           &flat, err)
            : sb_flat_cells(drum->width, drum->depth, CELLS, CELLS, &flat, err);
    if (status) return status;
    *out = (sb_mesh){
        .vertex_count = flat.vertex_count,
        .face_count = flat.face_count,
        .vertices = sb_alloc(2 * (size_t)flat.vertex_count, sizeof(sb_vec3)),
        .faces = sb_alloc(2 * (size_t)flat.face_count, sizeof(int[3]))};
    if (out->vertices && out->faces) {
        for (int v = 0; v < flat.vertex_count; v++) {
            out->vertices[v] =
                (sb_vec3){flat.vertices[v][0], 0, -flat.vertices[v][1]};
        }
        memcpy(out->faces, flat.faces,
               (size_t)flat.face_count * sizeof *out->faces);
        if (has_kettle) add_kettle(drum, &flat, out);
    } else {
        sb_mesh_free(out);
        status = sb_no_memory(err, "membrane");
    }
    sb_flat_free(&flat);
    return status;
}

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *drum, sb_error *err) {
    bool has_sides = drum->width != 0 || drum->depth != 0;
    if (drum->kettle > 0 && !(drum->radius > 0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: a kettle needs a round skin, with radius");
    if (drum->kettle > 0 && drum->radiation != SB_RADIATES_EXACT)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: a kettle is heard by its air, which needs "
                       "radiation = \"exact\"");
    if (drum->radius != 0) {
        if (!has_sides) return SB_OK;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: give radius, or width and depth, not both");
    }
    if (!has_sides) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: radius, or width and depth, is missing");
    }
    sb_status status = sb_shape_need(drum, "width", err);
    return status ? status : sb_shape_need(drum, "depth", err);
}

static const sb_model_ops *choose_ops(const sb_shape *drum) {
    return drum->radius > 0 ? &round_ops : &sb_rectangular_membrane_ops;
}

static double aspect(const sb_shape *drum) {
    return drum->radius > 0 ? 1 : drum->depth / drum->width;
}

/* Between middle and rim, as drummers do. */
static sb_vec3 usual(const sb_shape *drum) {
    if (drum->radius > 0) return sb_usual_on_disk(drum, 0.5);
    return sb_usual_on_rectangle(drum->width, 0, drum->depth);
}

static sb_collider collider(const sb_shape *drum) {
    if (drum->radius > 0) return sb_collider_cylinder(drum->radius, SKIN_M);
    return sb_collider_box(drum->width, SKIN_M, drum->depth);
}

const sb_field sb_membrane_fields[] = {
    SB_SHAPE_LENGTH(radius, "round; or width and depth"),
    SB_SHAPE_LENGTH(width, "along x"),
    SB_SHAPE_LENGTH(depth, "along z"),
    SB_SHAPE_NUMBER_NEEDED(tension, 1e-3, 1e8, "N/m",
                           "force per metre of its edge"),
    SB_SHAPE_NUMBER_NEEDED(surface_density, 1e-4, 1e4, "kg/m^2",
                           "mass per area"),
    SB_SHAPE_LENGTH(kettle, "depth of the closed bowl below a round one; its "
                            "air counts with radiation = \"exact\""),
    SB_SHAPE_FIELDS_END};

/* An edge that holds a membrane has no slope to hold: clamped is pinned. */
const sb_shape_family sb_shape_membrane = {
    .fields = sb_membrane_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_PINNED) |
                SB_BIT(SB_SUPPORT_CLAMPED),
    .support_words = "pinned",
    .check = check,
    .choose_ops = choose_ops,
    .layout = SB_UV_ROUND,
    .aspect = aspect,
    .usual = usual,
    .collider = collider,
    .outside = outside,
};
