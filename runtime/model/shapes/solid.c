/* SPDX-License-Identifier: MIT */
/* What spheres, boxes, cylinders and the floor share: points on their faces,
 * texture coordinates, and the bound below which they have no mode; and the
 * rows of all but boxes. Axes of cylinders are y; the floor is the half-space
 * below y = 0, which neither rings nor moves. Thread: any. */
#include "runtime/model/shapes/solid.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <string.h>

enum { ASPECT_MOST = 200 };

/* How far texture coordinates of one face lie from those of the next. */
#define FACE_STEP 2.0

/* Below the true lowest mode of any proportions, and near it: the mode is 1.08
 * to 1.37 times as high for all that were tried. */
#define SAFETY 0.85

double sb_solid_unit_range(double u) {
    return fmin(fmax(u, 0.0), 1.0);
}

static double finite_or_zero(double x) {
    return isfinite(x) ? x : 0.0;
}

/* The angle in the x-z plane, from x towards z, over 2 pi: 0 .. 1. */
static double solid_turn(double x, double z) {
    double turn = atan2(z, x) / SB_TAU;
    return turn < 0 ? turn + 1 : turn;
}

/* --- points --------------------------------------------------------------- */

static const sb_face_form *form_of(const sb_model *model) {
    return sb_shape_family_of(&model->shape)->faces;
}

static int face_count(const sb_model *model) {
    return form_of(model)->face_count;
}

static sb_model_point clamp_point(const sb_model *model, sb_model_point point) {
    if (point.face < 0 || point.face >= face_count(model)) point.face = 0;
    if (form_of(model)->is_unbounded) {
        return (sb_model_point){point.face, finite_or_zero(point.u),
                                finite_or_zero(point.v)};
    }
    return (sb_model_point){point.face, sb_solid_unit_range(point.u),
                            sb_solid_unit_range(point.v)};
}

static sb_vec3 normal(const sb_model *model, sb_model_point point) {
    return form_of(model)->normal(clamp_point(model, point));
}

static sb_vec3 position(const sb_model *model, sb_model_point point) {
    return form_of(model)->position(&model->shape, clamp_point(model, point));
}

static sb_model_point nearest(const sb_model *model, sb_vec3 point_m) {
    sb_vec3 at = {finite_or_zero(point_m.x), finite_or_zero(point_m.y),
                  finite_or_zero(point_m.z)};
    return form_of(model)->nearest(&model->shape, at);
}

static sb_model_point at_uv(const sb_model *model, double u, double v) {
    return clamp_point(model, (sb_model_point){0, u, v});
}

static void uv_of(const sb_model *model, sb_model_point point, double *u,
                  double *v) {
    point = clamp_point(model, point);
    *u = point.u;
    *v = point.v + FACE_STEP * point.face;
}

static sb_status build(sb_model *model, sb_error *err) {
    (void)err;
    sb_shape_family_of(&model->shape)->set_mass(model);
    return SB_OK;
}

static const sb_face_ops faces = {.position = position,
                                  .normal = normal,
                                  .nearest = nearest,
                                  .at_uv = at_uv,
                                  .uv_of = uv_of,
                                  .face_count = face_count};

const sb_model_ops sb_solid_ops = {
    .method = "rigid",
    .faces = &faces,
    .may_be_silent = true,
    .build = build,
};

void sb_solid_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                      float uvs[3][2]) {
    const sb_face_form *form = sb_shape_family_of(shape)->faces;
    sb_vec3 facing = sb_face_normal(at);
    for (int c = 0; c < 3; c++) {
        sb_model_point point = form->on_face(shape, at[c], facing);
        uvs[c][0] = (float)point.u;
        uvs[c][1] = (float)(point.v + FACE_STEP * point.face);
    }
}

/* --- the surface, as air sees it ------------------------------------------- */

enum { CELLS = 8 };

/* A cube's surface of n x n x n cells, moved onto the body. */
static sb_status from_cube(sb_vec3 (*place)(const sb_shape *, sb_vec3),
                           const sb_shape *shape, sb_mesh *out, sb_error *err) {
    static const double sides[3] = {2, 2, 2};
    static const int cells[3] = {CELLS, CELLS, CELLS};
    sb_status status = sb_grid_box_surface(sides, cells, out, err);
    for (int v = 0; !status && v < out->vertex_count; v++)
        out->vertices[v] = place(shape, out->vertices[v]);
    return status;
}

static sb_vec3 onto_ball(const sb_shape *shape, sb_vec3 at) {
    sb_vec3 even = {tan(at.x * SB_PI / 4), tan(at.y * SB_PI / 4),
                    tan(at.z * SB_PI / 4)};
    return sb_vec3_scale(sb_vec3_normalised(even), shape->radius);
}

static sb_vec3 onto_cylinder(const sb_shape *shape, sb_vec3 at) {
    double far = hypot(at.x, at.z), most = fmax(fabs(at.x), fabs(at.z));
    double scale = far > 0 ? most / far * shape->radius : 0;
    return (sb_vec3){at.x * scale, at.y * shape->length / 2, at.z * scale};
}

static sb_status ball_outside(const sb_shape *shape, sb_mesh *out,
                              sb_error *err) {
    return from_cube(onto_ball, shape, out, err);
}

static sb_status cylinder_outside(const sb_shape *shape, sb_mesh *out,
                                  sb_error *err) {
    return from_cube(onto_cylinder, shape, out, err);
}

/* --- for rows ------------------------------------------------------------- */

/* Mass and inertia of a body of revolution about y, from its volume and the
 * squares of its radii of gyration along and across y. */
static void solid_set_round(sb_model *model, double volume_m3,
                            double along_axis, double across_axis) {
    model->mass_kg = model->material.density * volume_m3;
    model->inverse_inertia[1] = 1 / (model->mass_kg * along_axis);
    model->inverse_inertia[0] = 1 / (model->mass_kg * across_axis);
    model->inverse_inertia[2] = model->inverse_inertia[0];
}

/* Rounding hides how easily thinner ones bend: their elements seem to fall
 * apart from a ratio of some 300 on. */
sb_status sb_solid_check_aspect(const sb_shape *shape, double least,
                                double most, sb_error *err) {
    if (most <= ASPECT_MOST * least) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: it must not be more than %d times as long as thin, got "
                   "%g m and %g m; use a plate, disk or bar",
                   sb_shape_kind_name(shape->kind), (int)ASPECT_MOST, most,
                   least);
}

/* f^-2 of springs in series adds up (Dunkerley). */
static double solid_in_series(double a_hz, double b_hz) {
    return 1 / sqrt(1 / (a_hz * a_hz) + 1 / (b_hz * b_hz));
}

double sb_solid_bending_hz(double length, double gyration, double along_m_s,
                           double shear_m_s) {
    const double euler = 22.3733 / SB_TAU;
    return solid_in_series(euler * gyration / (length * length) * along_m_s,
                           0.5 * shear_m_s / length);
}

/* --- the lowest mode ------------------------------------------------------ */

double sb_solid_least_hz(const sb_shape *shape, const sb_material *material) {
    double along = sqrt(material->youngs_modulus / material->density);
    double shear = along / sqrt(2 * (1 + material->poisson_ratio));
    return SAFETY * sb_shape_family_of(shape)->least_hz(shape, along, shear);
}

bool sb_solid_is_silent(const sb_shape *shape, const sb_material *material) {
    if (!sb_shape_is_solid(shape)) return false;
    return !material ||
           sb_solid_least_hz(shape, material) > sb_shape_max_hz(shape);
}

/* --- spheres -------------------------------------------------------------- */

static sb_model_point ball_point_at(sb_vec3 at) {
    double length = sb_vec3_length(at);
    if (!(length > 0)) return (sb_model_point){0, 0, 1};
    double height = fmin(fmax(at.y / length, -1.0), 1.0);
    return (sb_model_point){0, solid_turn(at.x, at.z),
                            0.5 + asin(height) / SB_PI};
}

static sb_vec3 ball_normal(sb_model_point point) {
    double longitude = SB_TAU * point.u, latitude = SB_PI * (point.v - 0.5);
    double across = cos(latitude);
    return (sb_vec3){across * cos(longitude), sin(latitude),
                     across * sin(longitude)};
}

static sb_model_point ball_nearest(const sb_shape *shape, sb_vec3 at) {
    (void)shape;
    return ball_point_at(at);
}

static sb_vec3 ball_position(const sb_shape *shape, sb_model_point point) {
    return sb_vec3_scale(ball_normal(point), shape->radius);
}

static sb_model_point ball_on_face(const sb_shape *shape, sb_vec3 at,
                                   sb_vec3 facing) {
    (void)shape, (void)facing;
    return ball_point_at(at);
}

static const sb_face_form ball_form = {.face_count = 1,
                                       .nearest = ball_nearest,
                                       .position = ball_position,
                                       .normal = ball_normal,
                                       .on_face = ball_on_face};

static void ball_set_mass(sb_model *model) {
    double r = model->shape.radius;
    model->area_m2 = 4 * SB_PI * r * r;
    solid_set_round(model, 4 * SB_PI / 3 * r * r * r, 0.4 * r * r, 0.4 * r * r);
}

/* The twist of one half against the other, 2.5011 / tau; with Poisson's ratio
 * near 0 or below, the oval mode is a little lower. */
static double ball_least_hz(const sb_shape *shape, double along, double shear) {
    (void)along;
    return 2.5011 / SB_TAU * shear / shape->radius;
}

/* Corners that have no longitude, as the poles, take one between the others. */
static void ball_settle_poles(const sb_vec3 at[3], float uvs[3][2]) {
    for (int c = 0; c < 3; c++) {
        if (hypot(at[c].x, at[c].z) > 1e-9 * fabs(at[c].y)) continue;
        const float *one = uvs[(c + 1) % 3], *other = uvs[(c + 2) % 3];
        uvs[c][0] = one[0] + 0.5f * remainderf(other[0] - one[0], 1.0f);
    }
}

static void ball_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                         float uvs[3][2]) {
    sb_solid_face_uv(shape, at, uvs);
    ball_settle_poles(at, uvs);
    sb_face_uv_unwind(uvs, 1);
}

static sb_collider ball_collider(const sb_shape *shape) {
    return sb_collider_sphere(shape->radius);
}

const sb_field sb_sphere_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "of the full ball"), SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_sphere = {
    .fields = sb_sphere_fields,
    SB_SOLID_COLUMNS,
    .faces = &ball_form,
    .set_mass = ball_set_mass,
    .least_hz = ball_least_hz,
    .solid = sb_grid_ball,
    .outside = ball_outside,
    .face_uv = ball_face_uv,
    .collider = ball_collider,
};

/* --- cylinders ------------------------------------------------------------ */

enum { TOP, BOTTOM, SIDE, FACES };

static sb_model_point cylinder_point_on(const sb_shape *shape, sb_vec3 at,
                                        int face) {
    double far = hypot(at.x, at.z), radius = shape->radius;
    if (face == SIDE) {
        return (sb_model_point){
            SIDE, solid_turn(at.x, at.z),
            sb_solid_unit_range(0.5 + at.y / shape->length)};
    }
    double scale = far > radius ? radius / far : 1;
    return (sb_model_point){face, 0.5 + 0.5 * scale * at.x / radius,
                            0.5 + 0.5 * scale * at.z / radius};
}

static sb_model_point cylinder_nearest(const sb_shape *shape, sb_vec3 at) {
    double out = hypot(at.x, at.z) - shape->radius;
    double up = fabs(at.y) - 0.5 * shape->length;
    int face = out > up ? SIDE : at.y < 0 ? BOTTOM : TOP;
    return cylinder_point_on(shape, at, face);
}

static sb_vec3 cylinder_normal(sb_model_point point) {
    if (point.face != SIDE) return (sb_vec3){0, point.face == TOP ? 1 : -1, 0};
    double angle = SB_TAU * point.u;
    return (sb_vec3){cos(angle), 0, sin(angle)};
}

static sb_vec3 cylinder_position(const sb_shape *shape, sb_model_point point) {
    double half = 0.5 * shape->length, radius = shape->radius;
    if (point.face == SIDE) {
        sb_vec3 at = sb_vec3_scale(cylinder_normal(point), radius);
        at.y = (2 * point.v - 1) * half;
        return at;
    }
    double x = 2 * point.u - 1, z = 2 * point.v - 1;
    double scale = radius / fmax(1.0, hypot(x, z));
    return (sb_vec3){x * scale, point.face == TOP ? half : -half, z * scale};
}

static int cylinder_face_towards(sb_vec3 facing) {
    if (fabs(facing.y) < 0.7 * sb_vec3_length(facing)) return SIDE;
    return facing.y > 0 ? TOP : BOTTOM;
}

static sb_model_point cylinder_on_face(const sb_shape *shape, sb_vec3 at,
                                       sb_vec3 facing) {
    return cylinder_point_on(shape, at, cylinder_face_towards(facing));
}

static const sb_face_form cylinder_form = {.face_count = FACES,
                                           .nearest = cylinder_nearest,
                                           .position = cylinder_position,
                                           .normal = cylinder_normal,
                                           .on_face = cylinder_on_face};

static sb_status cylinder_check(const sb_shape *shape, sb_error *err) {
    double across = 2 * shape->radius, along = shape->length;
    return sb_solid_check_aspect(shape, fmin(across, along),
                                 fmax(across, along), err);
}

static void cylinder_set_mass(sb_model *model) {
    double r = model->shape.radius, length = model->shape.length;
    model->area_m2 = SB_TAU * r * (r + length);
    solid_set_round(model, SB_PI * r * r * length, r * r / 2,
                    (3 * r * r + length * length) / 12);
}

/* Besides bending and twisting: its section becomes oval, which is as slow when
 * it is flat as when it is long. */
static double cylinder_least_hz(const sb_shape *shape, double along,
                                double shear) {
    double r = shape->radius, length = shape->length;
    double twist = 0.5 * shear / length;
    double bend = sb_solid_bending_hz(length, 0.5 * r, along, shear);
    double flat =
        solid_in_series(5.0 / SB_TAU / sqrt(12.0) * length / (r * r) * along,
                        2.0 / SB_TAU * shear / r);
    double oval = 2.0 / SB_TAU * shear / r;
    return fmin(fmin(twist, bend), fmin(flat, oval));
}

static void cylinder_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                             float uvs[3][2]) {
    sb_solid_face_uv(shape, at, uvs);
    sb_face_uv_unwind(uvs, 1);
}

/* The middle of its side. */
static sb_vec3 cylinder_usual(const sb_shape *cylinder) {
    return (sb_vec3){cylinder->radius, 0, 0};
}

static sb_collider cylinder_collider(const sb_shape *shape) {
    return sb_collider_cylinder(shape->radius, shape->length);
}

/* A prism of 32 sides, as in Raghuvanshi & Lin's figure 6. */
static sb_status cylinder_collider_mesh(const sb_shape *shape, sb_mesh *out,
                                        sb_error *err) {
    enum { SIDES = 32 };
    *out = (sb_mesh){.vertex_count = 2 * SIDES + 2, .face_count = 4 * SIDES};
    out->vertices = sb_alloc((size_t)out->vertex_count, sizeof *out->vertices);
    out->faces = sb_alloc((size_t)out->face_count, sizeof *out->faces);
    if (!out->vertices || !out->faces) {
        sb_mesh_free(out);
        return sb_no_memory(err, "cylinder");
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
        const int four[4][3] = {{i, top + i, j},
                                {j, top + i, top + j},
                                {2 * SIDES, i, j},
                                {2 * SIDES + 1, top + j, top + i}};
        memcpy(out->faces[4 * i], four, sizeof four);
    }
    return SB_OK;
}

const sb_field sb_cylinder_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "in the plane of x and z"),
    SB_SHAPE_LENGTH_NEEDED(length, "along its axis, y"), SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_cylinder = {
    .fields = sb_cylinder_fields,
    SB_SOLID_COLUMNS,
    .check = cylinder_check,
    .faces = &cylinder_form,
    .set_mass = cylinder_set_mass,
    .least_hz = cylinder_least_hz,
    .solid = sb_grid_cylinder,
    .outside = cylinder_outside,
    .face_uv = cylinder_face_uv,
    .usual = cylinder_usual,
    .collider = cylinder_collider,
    .collider_mesh = cylinder_collider_mesh,
};

/* --- the floor ------------------------------------------------------------ */

static sb_model_point floor_nearest(const sb_shape *shape, sb_vec3 at) {
    (void)shape;
    return (sb_model_point){0, at.x, at.z};
}

static sb_vec3 floor_position(const sb_shape *shape, sb_model_point point) {
    (void)shape;
    return (sb_vec3){point.u, 0, point.v};
}

static sb_vec3 floor_normal(sb_model_point point) {
    (void)point;
    return (sb_vec3){0, 1, 0};
}

static const sb_face_form floor_form = {.face_count = 1,
                                        .is_unbounded = true,
                                        .nearest = floor_nearest,
                                        .position = floor_position,
                                        .normal = floor_normal};

/* Its mass is never used, since it is held. */
static void floor_set_mass(sb_model *model) {
    model->mass_kg = 1;
    model->is_held = true;
}

static sb_collider floor_collider(const sb_shape *shape) {
    (void)shape;
    return (sb_collider){.kind = SB_COLLIDER_FLOOR};
}

const sb_field sb_floor_fields[] = {SB_SHAPE_FIELDS_STOP};

const sb_shape_family sb_shape_floor = {
    .fields = sb_floor_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE),
    .support_words = "left out",
    .material_is_optional = true,
    .ops = &sb_solid_ops,
    .faces = &floor_form,
    .set_mass = floor_set_mass,
    .layout = SB_UV_FACES,
    .collider = floor_collider,
};
