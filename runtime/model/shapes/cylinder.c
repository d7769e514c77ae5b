/* A full cylinder; its axis is y. Thread: any. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/grid/solids.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/face_uv.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>
#include <string.h>

enum { TOP, BOTTOM, SIDE, FACES };

static sb_model_point point_on(const sb_shape *shape, sb_vec3 at, int face) {
    double far = hypot(at.x, at.z), radius = shape->radius;
    if (face == SIDE) {
        return (sb_model_point){
            SIDE, sb_solid_turn(at.x, at.z),
            sb_solid_unit_range(0.5 + at.y / shape->length)};
    }
    double scale = far > radius ? radius / far : 1;
    return (sb_model_point){face, 0.5 + 0.5 * scale * at.x / radius,
                            0.5 + 0.5 * scale * at.z / radius};
}

static sb_model_point nearest(const sb_shape *shape, sb_vec3 at) {
    double out = hypot(at.x, at.z) - shape->radius;
    double up = fabs(at.y) - 0.5 * shape->length;
    int face = out > up ? SIDE : at.y < 0 ? BOTTOM : TOP;
    return point_on(shape, at, face);
}

static sb_vec3 normal(sb_model_point point) {
    if (point.face != SIDE) return (sb_vec3){0, point.face == TOP ? 1 : -1, 0};
    double angle = SB_TAU * point.u;
    return (sb_vec3){cos(angle), 0, sin(angle)};
}

static sb_vec3 position(const sb_shape *shape, sb_model_point point) {
    double half = 0.5 * shape->length, radius = shape->radius;
    if (point.face == SIDE) {
        sb_vec3 at = sb_vec3_scale(normal(point), radius);
        at.y = (2 * point.v - 1) * half;
        return at;
    }
    double x = 2 * point.u - 1, z = 2 * point.v - 1;
    double scale = radius / fmax(1.0, hypot(x, z));
    return (sb_vec3){x * scale, point.face == TOP ? half : -half, z * scale};
}

static int face_towards(sb_vec3 facing) {
    if (fabs(facing.y) < 0.7 * sb_vec3_length(facing)) return SIDE;
    return facing.y > 0 ? TOP : BOTTOM;
}

static sb_model_point on_face(const sb_shape *shape, sb_vec3 at,
                              sb_vec3 facing) {
    return point_on(shape, at, face_towards(facing));
}

static const sb_face_form form = {.face_count = FACES,
                                  .nearest = nearest,
                                  .position = position,
                                  .normal = normal,
                                  .on_face = on_face};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *shape, sb_error *err) {
    double across = 2 * shape->radius, along = shape->length;
    return sb_solid_check_aspect(shape, fmin(across, along),
                                 fmax(across, along), err);
}

static void set_mass(sb_model *model) {
    double r = model->shape.radius, length = model->shape.length;
    model->area_m2 = SB_TAU * r * (r + length);
    sb_solid_set_round(model, SB_PI * r * r * length, r * r / 2,
                       (3 * r * r + length * length) / 12);
}

/* Besides bending and twisting: its section becomes oval, which is as slow when
 * it is flat as when it is long. */
static double least_hz(const sb_shape *shape, double along, double shear) {
    double r = shape->radius, length = shape->length;
    double twist = 0.5 * shear / length;
    double bend = sb_solid_bending_hz(length, 0.5 * r, along, shear);
    double flat =
        sb_solid_in_series(5.0 / SB_TAU / sqrt(12.0) * length / (r * r) * along,
                           2.0 / SB_TAU * shear / r);
    double oval = 2.0 / SB_TAU * shear / r;
    return fmin(fmin(twist, bend), fmin(flat, oval));
}

static void face_uv(const sb_shape *shape, const sb_vec3 at[3],
                    float uvs[3][2]) {
    sb_solid_face_uv(shape, at, uvs);
    sb_face_uv_unwind(uvs, 1);
}

/* The middle of its side. */
static sb_vec3 usual(const sb_shape *cylinder) {
    return (sb_vec3){cylinder->radius, 0, 0};
}

static sb_collider collider(const sb_shape *shape) {
    return sb_collider_cylinder(shape->radius, shape->length);
}

/* A prism of 32 sides, as in Raghuvanshi & Lin's figure 6. */
static sb_status collider_mesh(const sb_shape *shape, sb_mesh *out,
                               sb_error *err) {
    enum { SIDES = 32 };
    *out = (sb_mesh){.vertex_count = 2 * SIDES + 2, .face_count = 4 * SIDES};
    out->vertices = sb_alloc((size_t)out->vertex_count, sizeof *out->vertices);
    out->faces = sb_alloc((size_t)out->face_count, sizeof *out->faces);
    if (!out->vertices || !out->faces) {
        sb_mesh_free(out);
        return sb_fail(err, SB_NO_MEMORY, "cylinder: out of memory");
    }
    for (int end = 0; end < 2; end++) {
        double y = (end - 0.5) * shape->length;
        out->vertices[2 * SIDES + end] = (sb_vec3){0, y, 0};
        for (int i = 0; i < SIDES; i++) {
            double angle = SB_TAU * (i + 0.5) / SIDES;
            out->vertices[end * SIDES + i] = (sb_vec3){
                shape->radius * cos(angle), y, shape->radius * sin(angle)};
        }
    }
    for (int i = 0; i < SIDES; i++) {
        int j = (i + 1) % SIDES, top = SIDES;
        const int faces[4][3] = {{i, top + i, j},
                                 {j, top + i, top + j},
                                 {2 * SIDES, i, j},
                                 {2 * SIDES + 1, top + j, top + i}};
        memcpy(out->faces[4 * i], faces, sizeof faces);
    }
    return SB_OK;
}

const sb_field sb_cylinder_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "in the plane of x and z"),
    SB_SHAPE_LENGTH_NEEDED(length, "along its axis, y"), SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_cylinder = {
    .fields = sb_cylinder_fields,
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_SOLID) |
               SB_BIT(SB_METHOD_TET4),
    .method_words = "auto, solid or tet4; it is full",
    .check = check,
    .ops = &sb_solid_ops,
    .is_computed = true,
    .is_rescalable = true,
    .faces = &form,
    .set_mass = set_mass,
    .least_hz = least_hz,
    .solid = sb_grid_cylinder,
    .fine_solid = sb_grid_fine_cylinder,
    .layout = SB_UV_FACES,
    .face_uv = face_uv,
    .usual = usual,
    .collider = collider,
    .collider_mesh = collider_mesh,
};
