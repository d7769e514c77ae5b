/* The row of meshes. Their modes come from elements: see solve/discrete.c. */
#include "runtime/model/shapes/family.h"

static bool is_sheet_method(sb_method method) {
    return method == SB_METHOD_SHELL || method == SB_METHOD_SPRINGS ||
           method == SB_METHOD_SPRINGS_LITERAL;
}

static sb_status check(const sb_shape *shape, sb_error *err) {
    if (!shape->mesh) {
        return sb_fail(err, SB_BAD_ARGUMENT, "mesh: no mesh is given");
    }
    if (shape->method == SB_METHOD_ANALYTIC) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: a mesh has no closed form; method must be auto, "
                       "shell, solid, tet4, springs or springs-literal");
    }
    if (shape->thickness == 0 && is_sheet_method(shape->method)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: method = \"%s\" needs a thickness (m)",
                       sb_method_name(shape->method));
    }
    return SB_OK;
}

/* The world finds out whether it is smooth. */
static sb_collider collider(const sb_shape *shape) {
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
    .check = check,
    .is_computed = true,
    .is_rescalable = true,
    .layout = SB_UV_FACES,
    .collider = collider,
};
