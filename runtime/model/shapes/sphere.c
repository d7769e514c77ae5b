/* A full ball. Thread: any. */
#include "runtime/base/pi.h"
#include "runtime/model/grid/solids.h"
#include "runtime/model/shapes/face_uv.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>

static sb_model_point point_at(sb_vec3 at) {
    double length = sb_vec3_length(at);
    if (!(length > 0)) return (sb_model_point){0, 0, 1};
    double height = fmin(fmax(at.y / length, -1.0), 1.0);
    return (sb_model_point){0, sb_solid_turn(at.x, at.z),
                            0.5 + asin(height) / SB_PI};
}

static sb_vec3 normal(sb_model_point point) {
    double longitude = SB_TAU * point.u, latitude = SB_PI * (point.v - 0.5);
    double across = cos(latitude);
    return (sb_vec3){across * cos(longitude), sin(latitude),
                     across * sin(longitude)};
}

static sb_model_point nearest(const sb_shape *shape, sb_vec3 at) {
    (void)shape;
    return point_at(at);
}

static sb_vec3 position(const sb_shape *shape, sb_model_point point) {
    return sb_vec3_scale(normal(point), shape->radius);
}

static sb_model_point on_face(const sb_shape *shape, sb_vec3 at,
                              sb_vec3 facing) {
    (void)shape, (void)facing;
    return point_at(at);
}

static const sb_face_form form = {.face_count = 1,
                                  .nearest = nearest,
                                  .position = position,
                                  .normal = normal,
                                  .on_face = on_face};

/* --- the row -------------------------------------------------------------- */

static void set_mass(sb_model *model) {
    double r = model->shape.radius;
    model->area_m2 = 4 * SB_PI * r * r;
    sb_solid_set_round(model, 4 * SB_PI / 3 * r * r * r, 0.4 * r * r,
                       0.4 * r * r);
}

/* The twist of one half against the other, 2.5011 / tau; with Poisson's ratio
 * near 0 or below, the oval mode is a little lower. */
static double least_hz(const sb_shape *shape, double along, double shear) {
    (void)along;
    return 2.5011 / SB_TAU * shear / shape->radius;
}

/* Corners that have no longitude, as the poles, take one between the others. */
static void settle_poles(const sb_vec3 at[3], float uvs[3][2]) {
    for (int c = 0; c < 3; c++) {
        if (hypot(at[c].x, at[c].z) > 1e-9 * fabs(at[c].y)) continue;
        const float *one = uvs[(c + 1) % 3], *other = uvs[(c + 2) % 3];
        uvs[c][0] = one[0] + 0.5f * remainderf(other[0] - one[0], 1.0f);
    }
}

static void face_uv(const sb_shape *shape, const sb_vec3 at[3],
                    float uvs[3][2]) {
    sb_solid_face_uv(shape, at, uvs);
    settle_poles(at, uvs);
    sb_face_uv_unwind(uvs, 1);
}

static sb_collider collider(const sb_shape *shape) {
    return sb_collider_sphere(shape->radius);
}

const sb_field sb_sphere_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "of the full ball"), SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_sphere = {
    .fields = sb_sphere_fields,
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_SOLID) |
               SB_BIT(SB_METHOD_TET4),
    .method_words = "auto, solid or tet4; it is full",
    .ops = &sb_solid_ops,
    .is_computed = true,
    .is_rescalable = true,
    .faces = &form,
    .set_mass = set_mass,
    .least_hz = least_hz,
    .solid = sb_grid_ball,
    .fine_solid = sb_grid_fine_ball,
    .layout = SB_UV_FACES,
    .face_uv = face_uv,
    .collider = collider,
};
