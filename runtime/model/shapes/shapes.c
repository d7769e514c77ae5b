/* SPDX-License-Identifier: MIT */
/* The table of shape families, and what can be said of a shape by its row:
 * checks, meshes, pictures. Thread: any. */
#include "runtime/model/shapes/shapes.h"

#include "runtime/model/grid/grid.h"
#include "runtime/model/model_draft.h"

#include <math.h>
#include <string.h>

enum { MODES_MOST = 4096, ELEMENTS_MOST = 500, RESOLUTION_MOST = 2000 };

static const sb_shape_family *const families[SB_SHAPE_KIND_COUNT] = {
#define SHAPE(kind, name, def, argument, fields, help) \
    [SB_SHAPE_##kind] = &sb_shape_##name,
#include "runtime/model/shapes.def"
};

const char *const sb_shape_method_names[] = {
    "analytic", "shell", "solid", "tet4", "springs", "springs-literal", NULL};
const int sb_shape_methods[] = {SB_METHOD_ANALYTIC, SB_METHOD_SHELL,
                                SB_METHOD_SOLID,    SB_METHOD_TET4,
                                SB_METHOD_SPRINGS,  SB_METHOD_SPRINGS_LITERAL};

const char *const sb_radiating_names[] = {"quick", "exact", NULL};
const int sb_radiating_values[] = {SB_RADIATES_QUICK, SB_RADIATES_EXACT};

sb_vec3 sb_usual_on_rectangle(double x_m, double y_m, double z_m) {
    return (sb_vec3){-0.2 * x_m, 0.5 * y_m, -0.13 * z_m}; /* u 0.3, v 0.37 */
}

sb_vec3 sb_usual_on_disk(const sb_shape *shape, double share) {
    return (sb_vec3){share * shape->radius, 0.5 * shape->thickness, 0};
}

const char *const sb_plate_theory_names[] = {"auto", "kirchhoff", "mindlin",
                                             NULL};
const int sb_plate_theories[] = {SB_PLATE_AUTO, SB_PLATE_KIRCHHOFF,
                                 SB_PLATE_MINDLIN};

const sb_shape_family *sb_shape_family_of(const sb_shape *shape) {
    return families[shape->kind < SB_SHAPE_KIND_COUNT ? shape->kind
                                                      : SB_SHAPE_RIGID];
}

/* --- checks ----------------------------------------------------------------
 * The kind opens every message. Comparisons are written so that a NaN fails. */

static const sb_field max_hz = {.name = "max_hz",
                                .offset = offsetof(sb_shape, max_hz),
                                .min = 1,
                                .max = 1e6,
                                .unit = "Hz"};
static const sb_field merge = {.name = "merge",
                               .offset = offsetof(sb_shape, merge),
                               .max = 100,
                               .unit = ""};

static sb_status check_field(const sb_shape *shape, const sb_field *field,
                             sb_error *err) {
    return sb_field_check(field, shape, sb_shape_kind_name(shape->kind), err);
}

/* All numbers that are sizes (m), or all others. */
static sb_status check_numbers(const sb_shape *shape, bool are_sizes,
                               sb_error *err) {
    const sb_field *field = sb_shape_family_of(shape)->fields;
    for (; field && field->name; field++) {
        if (field->kind != SB_FIELD_NUMBER) continue;
        if ((strcmp(field->unit, "m") == 0) != are_sizes) continue;
        if (!field->is_needed && sb_field_value(field, shape) == 0) continue;
        sb_status status = check_field(shape, field, err);
        if (status) return status;
    }
    return SB_OK;
}

sb_status sb_shape_need(const sb_shape *shape, const char *name,
                        sb_error *err) {
    const sb_field *field = sb_shape_family_of(shape)->fields;
    while (strcmp(field->name, name) != 0)
        field++;
    return check_field(shape, field, err);
}

sb_status sb_shape_not_above(const sb_shape *shape, const char *field,
                             double value, const char *other, double most,
                             sb_error *err) {
    if (value <= most) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: %s must not exceed %s (%g m), got %g m",
                   sb_shape_kind_name(shape->kind), field, other, most, value);
}

bool sb_shape_is_too_thick(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    return shape->method == SB_METHOD_AUTO && family->is_too_thick &&
           family->is_too_thick(shape);
}

/* A solid is quick if it is free, holds a quarter of a cubic shear wave at the highest
 * frequency, and has modes below it at all: the lowest lies near 0.4 c / side. */
static bool is_quick_solid(const sb_shape *shape, const sb_material *material) {
    bool is_disk = shape->kind == SB_SHAPE_DISK;
    double x = is_disk ? 2 * shape->radius : shape->width;
    double z = is_disk ? 2 * shape->radius : shape->depth;
    double speed = sqrt(0.5 * material->youngs_modulus /
                        ((1 + material->poisson_ratio) * material->density));
    double wave = speed / sb_shape_max_hz(shape);
    return shape->support == SB_SUPPORT_FREE &&
           x * z * shape->thickness < 0.25 * wave * wave * wave &&
           fmax(x, z) > 0.4 * wave;
}

bool sb_shape_needs_form(const sb_shape *shape, const sb_material *material,
                         sb_shape *out) {
    bool is_plate =
        shape->kind == SB_SHAPE_PLATE || shape->kind == SB_SHAPE_DISK;
    if (!material || !is_plate || !sb_shape_is_too_thick(shape)) return false;
    if (!sb_material_is_orthotropic(material) &&
        is_quick_solid(shape, material))
        return false;
    *out = *shape;
    out->theory = SB_PLATE_MINDLIN;
    return true;
}

bool sb_shape_is_computed(const sb_shape *shape) {
    return sb_shape_family_of(shape)->is_computed ||
           sb_shape_is_too_thick(shape) ||
           (shape->method != SB_METHOD_AUTO &&
            shape->method != SB_METHOD_ANALYTIC);
}

static sb_status check_computed(const sb_shape *shape, sb_error *err) {
    const char *kind = sb_shape_kind_name(shape->kind);
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (shape->method >= SB_METHOD_COUNT ||
        !(family->methods & SB_BIT(shape->method))) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: method must be %s", kind,
                       family->method_words
                           ? family->method_words
                           : "analytic, the only one there is for it");
    }
    if (shape->elements < 0 || shape->elements > ELEMENTS_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: elements must be 1 to %d, got %d", kind,
                       (int)ELEMENTS_MOST, shape->elements);
    }
    if (shape->max_hz != 0) {
        sb_status status = check_field(shape, &max_hz, err);
        if (status) return status;
    }
    if (shape->max_modes < 0 || shape->max_modes > MODES_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: modes must be 1 to %d, got %d", kind,
                       (int)MODES_MOST, shape->max_modes);
    }
    return SB_OK;
}

static sb_status check_support(const sb_shape *shape, sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (shape->support >= SB_SUPPORT_COUNT) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: unknown support %d",
                       sb_shape_kind_name(shape->kind), (int)shape->support);
    }
    unsigned supports =
        family->supports ? family->supports : SB_BIT(SB_SUPPORT_FREE);
    if (supports & SB_BIT(shape->support)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT, "%s: support must be %s, got %s",
                   sb_shape_kind_name(shape->kind),
                   family->support_words ? family->support_words : "free",
                   sb_support_name(shape->support));
}

sb_status sb_shape_check(const sb_shape *shape, sb_error *err) {
    if (shape->kind >= SB_SHAPE_KIND_COUNT) {
        return sb_fail(err, SB_BAD_ARGUMENT, "shape: unknown kind %d",
                       (int)shape->kind);
    }
    const sb_shape_family *family = sb_shape_family_of(shape);
    sb_status status = check_support(shape, err);
    if (!status && sb_shape_is_computed(shape)) {
        status = check_computed(shape, err);
    }
    if (!status) status = check_field(shape, &merge, err);
    if (!status) status = check_numbers(shape, true, err);
    if (!status && family->check) status = family->check(shape, err);
    if (!status) status = check_numbers(shape, false, err);
    return status;
}

/* --- columns of a shape's row --------------------------------------------- */

bool sb_shape_needs_material(const sb_shape *shape) {
    return !sb_shape_family_of(shape)->material_is_optional;
}

bool sb_shape_is_solid(const sb_shape *shape) {
    return sb_shape_family_of(shape)->least_hz != NULL;
}

bool sb_shape_is_round(const sb_shape *shape) {
    return sb_shape_family_of(shape)->layout == SB_UV_ROUND &&
           shape->radius > 0;
}

double sb_shape_aspect(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    return family->aspect ? family->aspect(shape) : 1;
}

const sb_model_ops *sb_shape_ops(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (family->choose_ops) return family->choose_ops(shape);
    /* A mesh has none and does not get here: it is always computed. */
    return family->ops ? family->ops : sb_shape_rigid.ops;
}

/* --- meshes --------------------------------------------------------------- */

static sb_status check_mesh(const sb_shape *shape, bool has_mesh,
                            const char *what, int resolution, sb_error *err) {
    if (!has_mesh) {
        return sb_fail(err, SB_BAD_ARGUMENT, "grid: a %s has no %s mesh",
                       sb_shape_kind_name(shape->kind), what);
    }
    int least = sb_shape_is_solid(shape) ? 0 : 1;
    if (resolution < least || resolution > RESOLUTION_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "grid: resolution must be %d .. %d, got %d", least,
                       (int)RESOLUTION_MOST, resolution);
    }
    return sb_shape_check(shape, err);
}

sb_status sb_shape_surface(const sb_shape *shape, int resolution, sb_mesh *out,
                           sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    sb_status status = check_mesh(shape, family->sheet || family->surface,
                                  "surface", resolution, err);
    if (status) return status;
    if (family->surface) return family->surface(shape, resolution, out, err);
    sb_sheet sheet = family->sheet(shape);
    return sb_sheet_surface(&sheet, resolution, out, err);
}

static sb_status solid_of(const sb_shape *shape, int resolution, sb_grain grain,
                          sb_solid_mesh *out, sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    sb_status status = check_mesh(shape, family->sheet || family->solid,
                                  "solid", resolution, err);
    if (status) return status;
    if (grain.elements == 0) grain.elements = family->solid_elements;
    if (family->solid) return family->solid(shape, grain, out, err);
    sb_sheet sheet = family->sheet(shape);
    return sb_sheet_solid(&sheet, shape->support, grain, out, err);
}

sb_status sb_shape_solid(const sb_shape *shape, int resolution,
                         sb_solid_mesh *out, sb_error *err) {
    return solid_of(shape, resolution, (sb_grain){resolution, 1, 1, 1}, out,
                    err);
}

sb_status sb_shape_fine_solid(const sb_shape *shape, sb_grain grain,
                              sb_solid_mesh *out, sb_error *err) {
    return solid_of(shape, 1, grain, out, err);
}

sb_status sb_shape_holds(const sb_shape *shape, const sb_vec3 *nodes, int count,
                         sb_hold *holds) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    sb_status status =
        check_mesh(shape, family->sheet || family->hold, "sheet", 1, NULL);
    if (status) return status;
    if (family->hold) {
        for (int i = 0; i < count; i++)
            holds[i] = family->hold(shape, nodes[i]);
        return SB_OK;
    }
    sb_sheet sheet = family->sheet(shape);
    for (int i = 0; i < count; i++)
        holds[i] = sb_sheet_hold(&sheet, shape->support, nodes[i]);
    return SB_OK;
}

/* --- texture coordinates -------------------------------------------------- */

sb_vec3 sb_face_normal(const sb_vec3 at[3]) {
    return sb_vec3_span(at[0], at[1], at[2]);
}

void sb_face_uv_sheet(const sb_sheet *sheet, const sb_vec3 at[3],
                      float uvs[3][2]) {
    sb_vec3 normal = sb_face_normal(at);
    bool is_top = normal.y > 0.9 * sb_vec3_length(normal);
    for (int c = 0; c < 3; c++) {
        uvs[c][0] = (float)(at[c].x / sheet->x_m + 0.5);
        uvs[c][1] = (float)(at[c].z / sheet->z_m + 0.5);
        if (!is_top) uvs[c][1] += 2.0f;
    }
}

void sb_face_uv_unwind(float uvs[3][2], int axis_count) {
    for (int i = 0; i < axis_count; i++) {
        for (int c = 1; c < 3; c++) {
            uvs[c][i] = uvs[0][i] + remainderf(uvs[c][i] - uvs[0][i], 1.0f);
        }
        float middle = (uvs[0][i] + uvs[1][i] + uvs[2][i]) / 3.0f;
        for (int c = 0; c < 3; c++)
            uvs[c][i] -= floorf(middle);
    }
}
