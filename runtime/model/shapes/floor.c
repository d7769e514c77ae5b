/* The floor: the half-space below y = 0, which neither rings nor moves. */
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/solid.h"

static sb_model_point nearest(const sb_shape *shape, sb_vec3 at) {
    (void)shape;
    return (sb_model_point){0, at.x, at.z};
}

static sb_vec3 position(const sb_shape *shape, sb_model_point point) {
    (void)shape;
    return (sb_vec3){point.u, 0, point.v};
}

static sb_vec3 normal(sb_model_point point) {
    (void)point;
    return (sb_vec3){0, 1, 0};
}

static const sb_face_form form = {.face_count = 1,
                                  .is_unbounded = true,
                                  .nearest = nearest,
                                  .position = position,
                                  .normal = normal};

/* --- the row -------------------------------------------------------------- */

/* Its mass is never used, since it is held. */
static void set_mass(sb_model *model) {
    model->mass_kg = 1;
    model->is_held = true;
}

static sb_collider collider(const sb_shape *shape) {
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
    .faces = &form,
    .set_mass = set_mass,
    .layout = SB_UV_FACES,
    .collider = collider,
};
