/* What spheres, boxes, cylinders and the floor share: points on their faces,
 * texture coordinates, and the bound below which they have no mode. Each has a
 * file of its own. Thread: any. */
#include "runtime/model/shapes/solid.h"

#include "runtime/base/pi.h"
#include "runtime/model/shapes/face_uv.h"
#include "runtime/model/shapes/family.h"

#include <math.h>

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

double sb_solid_turn(double x, double z) {
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

static bool has_uv(const sb_model *model) {
    (void)model;
    return true;
}

static void weights(const sb_model *model, sb_model_point point,
                    sb_vec3 direction, double *out) {
    (void)model, (void)point, (void)direction, (void)out; /* no modes */
}

static const sb_model_part *part(const sb_model *model, sb_model_point point) {
    (void)model, (void)point;
    return NULL;
}

static sb_status build(sb_model *model, sb_error *err) {
    (void)err;
    sb_shape_family_of(&model->shape)->set_mass(model);
    return SB_OK;
}

static const sb_face_ops faces = {.weights = weights,
                                  .position = position,
                                  .normal = normal,
                                  .nearest = nearest,
                                  .at_uv = at_uv,
                                  .has_uv = has_uv,
                                  .uv_of = uv_of,
                                  .face_count = face_count,
                                  .part = part};

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

/* --- for rows ------------------------------------------------------------- */

void sb_solid_set_round(sb_model *model, double volume_m3, double along_axis,
                        double across_axis) {
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

double sb_solid_in_series(double a_hz, double b_hz) {
    return 1 / sqrt(1 / (a_hz * a_hz) + 1 / (b_hz * b_hz));
}

double sb_solid_bending_hz(double length, double gyration, double along_m_s,
                           double shear_m_s) {
    const double euler = 22.3733 / SB_TAU;
    return sb_solid_in_series(euler * gyration / (length * length) * along_m_s,
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
