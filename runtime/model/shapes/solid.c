#include "runtime/model/shapes/solid.h"

#include "runtime/base/pi.h"
#include "runtime/model/family.h"
#include "runtime/model/solve/solved.h"

#include <math.h>

enum { TOP, BOTTOM, SIDE, BOX_FACES = 6, CYLINDER_FACES = 3 };

/* How far texture coordinates of one face lie from those of the next. */
#define FACE_STEP 2.0

bool sb_solid_is(const sb_shape *shape) {
    return shape->kind == SB_SHAPE_SPHERE || shape->kind == SB_SHAPE_BOX ||
           shape->kind == SB_SHAPE_CYLINDER;
}

static double unit_range(double u) {
    return fmin(fmax(u, 0.0), 1.0); /* a NaN becomes 0 */
}

static double finite_or_zero(double x) {
    return isfinite(x) ? x : 0.0;
}

/* 0 .. 1 in the x-z plane, from x towards z. */
static double turn_of(double x, double z) {
    double turn = atan2(z, x) / SB_TAU;
    return turn < 0 ? turn + 1 : turn;
}

/* --- boxes -----------------------------------------------------------------
 * Face 2 k and 2 k + 1 lie across axis `box_axes[k]`; u and v go along the two
 * others. */

static const struct {
    int across, u, v;
} box_axes[3] = {{1, 0, 2}, {0, 2, 1}, {2, 0, 1}};

static void half_sides(const sb_shape *shape, double half[3]) {
    half[0] = 0.5 * shape->width;
    half[1] = 0.5 * shape->height;
    half[2] = 0.5 * shape->depth;
}

static sb_model_point box_point(const sb_shape *shape, sb_vec3 at, int face) {
    const double p[3] = {at.x, at.y, at.z};
    double half[3];
    half_sides(shape, half);
    int u = box_axes[face / 2].u, v = box_axes[face / 2].v;
    return (sb_model_point){face, unit_range(0.5 + 0.5 * p[u] / half[u]),
                            unit_range(0.5 + 0.5 * p[v] / half[v])};
}

static int box_face(int pair, double side) {
    return 2 * pair + (side < 0 ? 1 : 0);
}

/* The face that the point is farthest out of, or least deep under. */
static sb_model_point box_nearest(const sb_shape *shape, sb_vec3 at) {
    const double p[3] = {at.x, at.y, at.z};
    double half[3], most = -INFINITY;
    int face = TOP;
    half_sides(shape, half);
    for (int pair = 0; pair < 3; pair++) {
        int axis = box_axes[pair].across;
        double out = fabs(p[axis]) - half[axis];
        if (out > most) most = out, face = box_face(pair, p[axis]);
    }
    return box_point(shape, at, face);
}

static sb_vec3 box_normal(int face) {
    double p[3] = {0, 0, 0};
    p[box_axes[face / 2].across] = face % 2 ? -1 : 1;
    return (sb_vec3){p[0], p[1], p[2]};
}

static sb_vec3 box_position(const sb_shape *shape, sb_model_point point) {
    double half[3], p[3];
    half_sides(shape, half);
    int pair = point.face / 2;
    int across = box_axes[pair].across;
    p[across] = point.face % 2 ? -half[across] : half[across];
    p[box_axes[pair].u] = (2 * point.u - 1) * half[box_axes[pair].u];
    p[box_axes[pair].v] = (2 * point.v - 1) * half[box_axes[pair].v];
    return (sb_vec3){p[0], p[1], p[2]};
}

static int box_facing(sb_vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    int best = 0;
    for (int pair = 1; pair < 3; pair++) {
        if (fabs(n[box_axes[pair].across]) > fabs(n[box_axes[best].across]))
            best = pair;
    }
    return box_face(best, n[box_axes[best].across]);
}

/* --- cylinders ------------------------------------------------------------- */

static sb_model_point cylinder_point(const sb_shape *shape, sb_vec3 at,
                                     int face) {
    double far = hypot(at.x, at.z), radius = shape->radius;
    if (face == SIDE) {
        return (sb_model_point){SIDE, turn_of(at.x, at.z),
                                unit_range(0.5 + at.y / shape->length)};
    }
    double scale = far > radius ? radius / far : 1;
    return (sb_model_point){face, 0.5 + 0.5 * scale * at.x / radius,
                            0.5 + 0.5 * scale * at.z / radius};
}

static sb_model_point cylinder_nearest(const sb_shape *shape, sb_vec3 at) {
    double out = hypot(at.x, at.z) - shape->radius;
    double up = fabs(at.y) - 0.5 * shape->length;
    int face = out > up ? SIDE : at.y < 0 ? BOTTOM : TOP;
    return cylinder_point(shape, at, face);
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

static int cylinder_facing(sb_vec3 normal) {
    if (fabs(normal.y) < 0.7 * sb_vec3_length(normal)) return SIDE;
    return normal.y > 0 ? TOP : BOTTOM;
}

/* --- spheres --------------------------------------------------------------- */

static sb_model_point sphere_point(sb_vec3 at) {
    double length = sb_vec3_length(at);
    if (!(length > 0)) return (sb_model_point){0, 0, 1};
    double height = fmin(fmax(at.y / length, -1.0), 1.0);
    return (sb_model_point){0, turn_of(at.x, at.z), 0.5 + asin(height) / SB_PI};
}

static sb_vec3 sphere_normal(sb_model_point point) {
    double longitude = SB_TAU * point.u, latitude = SB_PI * (point.v - 0.5);
    double across = cos(latitude);
    return (sb_vec3){across * cos(longitude), sin(latitude),
                     across * sin(longitude)};
}

/* --- any of them ------------------------------------------------------------ */

static int face_count(const sb_model *model) {
    if (model->shape.kind == SB_SHAPE_BOX) return BOX_FACES;
    return model->shape.kind == SB_SHAPE_CYLINDER ? CYLINDER_FACES : 1;
}

static sb_model_point clamp_point(const sb_model *model, sb_model_point point) {
    if (point.face < 0 || point.face >= face_count(model)) point.face = 0;
    if (model->shape.kind == SB_SHAPE_FLOOR) {
        return (sb_model_point){0, finite_or_zero(point.u),
                                finite_or_zero(point.v)};
    }
    return (sb_model_point){point.face, unit_range(point.u),
                            unit_range(point.v)};
}

static sb_vec3 normal(const sb_model *model, sb_model_point point) {
    point = clamp_point(model, point);
    if (model->shape.kind == SB_SHAPE_BOX) return box_normal(point.face);
    if (model->shape.kind == SB_SHAPE_CYLINDER) return cylinder_normal(point);
    if (model->shape.kind == SB_SHAPE_SPHERE) return sphere_normal(point);
    return (sb_vec3){0, 1, 0};
}

static sb_vec3 position(const sb_model *model, sb_model_point point) {
    const sb_shape *shape = &model->shape;
    point = clamp_point(model, point);
    if (shape->kind == SB_SHAPE_BOX) return box_position(shape, point);
    if (shape->kind == SB_SHAPE_CYLINDER)
        return cylinder_position(shape, point);
    if (shape->kind == SB_SHAPE_SPHERE)
        return sb_vec3_scale(sphere_normal(point), shape->radius);
    return (sb_vec3){point.u, 0, point.v};
}

static sb_model_point nearest(const sb_model *model, sb_vec3 point_m) {
    const sb_shape *shape = &model->shape;
    sb_vec3 at = {finite_or_zero(point_m.x), finite_or_zero(point_m.y),
                  finite_or_zero(point_m.z)};
    if (shape->kind == SB_SHAPE_BOX) return box_nearest(shape, at);
    if (shape->kind == SB_SHAPE_CYLINDER) return cylinder_nearest(shape, at);
    if (shape->kind == SB_SHAPE_SPHERE) return sphere_point(at);
    return (sb_model_point){0, at.x, at.z};
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

static bool has_uv(const sb_model *model) {
    (void)model;
    return true;
}

static void weights(const sb_model *model, sb_model_point point,
                    sb_vec3 direction, double *out) {
    (void)model, (void)point, (void)direction, (void)out; /* of no modes */
}

static const sb_model_part *part(const sb_model *model, sb_model_point point) {
    (void)model, (void)point;
    return NULL;
}

void sb_solid_uv(const sb_shape *shape, sb_vec3 at, sb_vec3 facing,
                 double uv[2]) {
    sb_model_point point = sphere_point(at);
    if (shape->kind == SB_SHAPE_BOX) {
        point = box_point(shape, at, box_facing(facing));
    } else if (shape->kind == SB_SHAPE_CYLINDER) {
        point = cylinder_point(shape, at, cylinder_facing(facing));
    }
    uv[0] = point.u;
    uv[1] = point.v + FACE_STEP * point.face;
}

/* --- mass and inertia -------------------------------------------------------- */

static void set_round(sb_model *model, double volume, double along_axis,
                      double across_axis) {
    model->mass_kg = model->material.density * volume;
    model->inverse_inertia[1] = 1 / (model->mass_kg * along_axis);
    model->inverse_inertia[0] = 1 / (model->mass_kg * across_axis);
    model->inverse_inertia[2] = model->inverse_inertia[0];
}

void sb_model_set_solid(sb_model *model) {
    const sb_shape *shape = &model->shape;
    double r = shape->radius, length = shape->length;
    if (shape->kind == SB_SHAPE_BOX) {
        sb_model_set_box(model, shape->width, shape->height, shape->depth);
    } else if (shape->kind == SB_SHAPE_CYLINDER) {
        model->area_m2 = SB_TAU * r * (r + length);
        set_round(model, SB_PI * r * r * length, r * r / 2,
                  (3 * r * r + length * length) / 12);
    } else if (shape->kind == SB_SHAPE_SPHERE) {
        model->area_m2 = 4 * SB_PI * r * r;
        set_round(model, 4 * SB_PI / 3 * r * r * r, 0.4 * r * r, 0.4 * r * r);
    }
}

static sb_status build(sb_model *model, sb_error *err) {
    (void)err;
    sb_model_set_solid(model);
    if (model->shape.kind == SB_SHAPE_FLOOR) {
        model->mass_kg = 1; /* asked by none that minds that it is held */
        model->is_held = true;
    }
    return SB_OK;
}

static const sb_mesh_family places = {.weights = weights,
                                      .position = position,
                                      .normal = normal,
                                      .nearest = nearest,
                                      .at_uv = at_uv,
                                      .has_uv = has_uv,
                                      .uv_of = uv_of,
                                      .face_count = face_count,
                                      .part = part};

const sb_family sb_family_solid = {
    .method = "rigid",
    .mesh = &places,
    .build = build,
};

/* --- pitch ---------------------------------------------------------------------- */

/* What is below the true lowest mode of any proportions, and near it: the mode
 * is 1.08 to 1.37 times as high for all that were tried. */
#define SAFETY 0.85

/* f^-2 of things that yield one after the other adds up (Dunkerley). */
static double in_series(double a, double b) {
    return 1 / sqrt(1 / (a * a) + 1 / (b * b));
}

/* Free bending of a beam whose section has this radius of gyration: Euler's
 * pitch, and that of a beam which only shears. */
static double bending_hz(double length, double gyration, double along_m_s,
                         double shear_m_s) {
    const double euler = 22.3733 / SB_TAU;
    return in_series(euler * gyration / (length * length) * along_m_s,
                     0.5 * shear_m_s / length);
}

static double box_hz(const sb_shape *shape, double along, double shear) {
    double a = fmax(shape->width, fmax(shape->height, shape->depth));
    double c = fmin(shape->width, fmin(shape->height, shape->depth));
    double b = shape->width * shape->height * shape->depth / (a * c);
    double polar = b * c * (b * b + c * c) / 12;
    double twist = 0.5 * shear / a * sqrt(sb_rectangle_torsion(b, c) / polar);
    double bend = bending_hz(a, c / sqrt(12.0), along, shear);
    return fmin(fmin(twist, bend), 0.5 * shear / a);
}

/* Besides bending and twisting: its section becomes oval, which is as slow when
 * it is flat as when it is long. */
static double cylinder_hz(const sb_shape *shape, double along, double shear) {
    double r = shape->radius, length = shape->length;
    double twist = 0.5 * shear / length;
    double bend = bending_hz(length, 0.5 * r, along, shear);
    double flat =
        in_series(5.0 / SB_TAU / sqrt(12.0) * length / (r * r) * along,
                  2.0 / SB_TAU * shear / r);
    double oval = 2.0 / SB_TAU * shear / r;
    return fmin(fmin(twist, bend), fmin(flat, oval));
}

double sb_solid_least_hz(const sb_shape *shape, const sb_material *material) {
    double along = sqrt(material->youngs_modulus / material->density);
    double shear = along / sqrt(2 * (1 + material->poisson_ratio));
    if (shape->kind == SB_SHAPE_BOX)
        return SAFETY * box_hz(shape, along, shear);
    if (shape->kind == SB_SHAPE_CYLINDER)
        return SAFETY * cylinder_hz(shape, along, shear);
    /* The twist of one half against the other, 2.5011 / tau; with Poisson's
     * ratio near 0 or below, the oval is a little lower. */
    return SAFETY * 2.5011 / SB_TAU * shear / shape->radius;
}

bool sb_solid_is_silent(const sb_shape *shape, const sb_material *material) {
    if (!sb_solid_is(shape)) return false;
    return !material || sb_solid_least_hz(shape, material) >
                            sb_solved_finish_def(shape).max_hz;
}
