#include "runtime/model/shape.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MODES_MOST = 4096, ASPECT_MOST = 100, SOLID_ASPECT_MOST = 200 };

static const char *const kind_names[SB_SHAPE_KIND_COUNT] = {
    [SB_SHAPE_RIGID] = "rigid",       [SB_SHAPE_BAR] = "bar",
    [SB_SHAPE_PLATE] = "plate",       [SB_SHAPE_DISK] = "disk",
    [SB_SHAPE_MEMBRANE] = "membrane", [SB_SHAPE_STRING] = "string",
    [SB_SHAPE_RING] = "ring",         [SB_SHAPE_MODES] = "modes",
    [SB_SHAPE_MESH] = "mesh",         [SB_SHAPE_SPHERE] = "sphere",
    [SB_SHAPE_BOX] = "box",           [SB_SHAPE_CYLINDER] = "cylinder",
    [SB_SHAPE_FLOOR] = "floor",
};

static const char *const support_names[SB_SUPPORT_COUNT] = {
    [SB_SUPPORT_FREE] = "free",
    [SB_SUPPORT_CLAMPED] = "clamped",
    [SB_SUPPORT_CLAMPED_FREE] = "clamped-free",
    [SB_SUPPORT_CLAMPED_PINNED] = "clamped-pinned",
    [SB_SUPPORT_PINNED] = "pinned",
};

/* What a kind can be held by, as bits and in words. */
#define HOLDS(support) (1u << (support))
static const struct {
    unsigned bits;
    const char *words;
} supports_of[SB_SHAPE_KIND_COUNT] = {
    [SB_SHAPE_RIGID] = {~0u, ""},
    [SB_SHAPE_BAR] = {~0u, ""},
    [SB_SHAPE_PLATE] = {~HOLDS(SB_SUPPORT_CLAMPED_PINNED),
                        "free, clamped, clamped-free or pinned"},
    [SB_SHAPE_DISK] = {HOLDS(SB_SUPPORT_FREE) | HOLDS(SB_SUPPORT_CLAMPED) |
                           HOLDS(SB_SUPPORT_PINNED),
                       "free, clamped or pinned"},
    /* An edge that holds a membrane has no slope to hold: clamped is pinned. */
    [SB_SHAPE_MEMBRANE] = {HOLDS(SB_SUPPORT_FREE) | HOLDS(SB_SUPPORT_PINNED) |
                               HOLDS(SB_SUPPORT_CLAMPED),
                           "pinned"},
    [SB_SHAPE_STRING] = {HOLDS(SB_SUPPORT_FREE) | HOLDS(SB_SUPPORT_PINNED),
                         "pinned"},
    [SB_SHAPE_RING] = {HOLDS(SB_SUPPORT_FREE), "free"},
    [SB_SHAPE_MODES] = {~0u, ""},
    [SB_SHAPE_MESH] = {HOLDS(SB_SUPPORT_FREE), "left out; use clamp"},
    [SB_SHAPE_SPHERE] = {HOLDS(SB_SUPPORT_FREE), "free"},
    [SB_SHAPE_BOX] = {HOLDS(SB_SUPPORT_FREE), "free"},
    [SB_SHAPE_CYLINDER] = {HOLDS(SB_SUPPORT_FREE), "free"},
    [SB_SHAPE_FLOOR] = {HOLDS(SB_SUPPORT_FREE), "left out"},
};

const char *sb_shape_kind_name(sb_shape_kind kind) {
    return kind < SB_SHAPE_KIND_COUNT ? kind_names[kind] : "unknown";
}

const char *sb_support_name(sb_support support) {
    return support < SB_SUPPORT_COUNT ? support_names[support] : "unknown";
}

int sb_support_from_name(const char *name) {
    static const struct {
        const char *name;
        sb_support support;
    } also[] = {
        {"free-free", SB_SUPPORT_FREE},
        {"clamped-clamped", SB_SUPPORT_CLAMPED},
        {"simply-supported", SB_SUPPORT_PINNED},
        {"hinged", SB_SUPPORT_PINNED},
        {"pinned-pinned", SB_SUPPORT_PINNED},
    };
    for (int i = 0; i < SB_SUPPORT_COUNT; i++) {
        if (strcmp(name, support_names[i]) == 0) return i;
    }
    for (size_t i = 0; i < sizeof also / sizeof also[0]; i++) {
        if (strcmp(name, also[i].name) == 0) return (int)also[i].support;
    }
    return -1;
}

/* --- checks ----------------------------------------------------------------
 * Each takes the shape whose name opens the sentence. Comparisons are written
 * so that a NaN fails. */

static sb_status in_range(const sb_shape *shape, const char *field,
                          double value, double least, double most,
                          const char *unit, sb_error *err) {
    if (value >= least && value <= most) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT, "%s: %s must be %g to %g%s, got %g",
                   sb_shape_kind_name(shape->kind), field, least, most, unit,
                   value);
}

static sb_status is_length(const sb_shape *shape, const char *field,
                           double value, sb_error *err) {
    return in_range(shape, field, value, 1e-5, 100, " m", err);
}

static sb_status not_above(const sb_shape *shape, const char *field,
                           double value, const char *other, double most,
                           sb_error *err) {
    if (value <= most) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: %s must not exceed %s (%g m), got %g m",
                   sb_shape_kind_name(shape->kind), field, other, most, value);
}

static sb_status check_bar(const sb_shape *shape, sb_error *err) {
    sb_status status = is_length(shape, "length", shape->length, err);
    if (!status) status = is_length(shape, "width", shape->width, err);
    if (!status) status = is_length(shape, "thickness", shape->thickness, err);
    if (!status) {
        status = not_above(shape, "thickness", shape->thickness, "its length",
                           shape->length, err);
    }
    if (!status) {
        status = not_above(shape, "width", shape->width, "its length",
                           shape->length, err);
    }
    if (!status && shape->theory != SB_BAR_TIMOSHENKO &&
        shape->theory != SB_BAR_EULER) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "bar: theory must be timoshenko or euler, got %d",
                         (int)shape->theory);
    }
    return status;
}

static sb_status check_plate(const sb_shape *shape, sb_error *err) {
    sb_status status = is_length(shape, "width", shape->width, err);
    if (!status) status = is_length(shape, "depth", shape->depth, err);
    if (!status) status = is_length(shape, "thickness", shape->thickness, err);
    if (!status) {
        status = not_above(shape, "thickness", shape->thickness, "its width",
                           shape->width, err);
    }
    if (!status) {
        status = not_above(shape, "thickness", shape->thickness, "its depth",
                           shape->depth, err);
    }
    if (status || shape->support == SB_SUPPORT_PINNED) return status;
    /* Other supports are solved by polynomials, which a strip would need by
     * the thousand; and a strip is a bar. */
    double aspect = shape->width / shape->depth;
    if (aspect < 1) aspect = 1 / aspect;
    if (aspect > ASPECT_MOST) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "plate: width and depth must not differ more than %d "
                         "to 1 unless pinned, got %g to 1; use a bar",
                         (int)ASPECT_MOST, aspect);
    }
    return status;
}

static sb_status check_disk(const sb_shape *shape, sb_error *err) {
    sb_status status = is_length(shape, "radius", shape->radius, err);
    if (!status) status = is_length(shape, "thickness", shape->thickness, err);
    if (!status) {
        status = not_above(shape, "thickness", shape->thickness, "its diameter",
                           2 * shape->radius, err);
    }
    return status;
}

static sb_status check_membrane(const sb_shape *shape, sb_error *err) {
    bool is_round = shape->radius != 0;
    if (is_round && (shape->width != 0 || shape->depth != 0)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: give radius, or width and depth, not both");
    }
    sb_status status = SB_OK;
    if (is_round) {
        status = is_length(shape, "radius", shape->radius, err);
    } else if (shape->width == 0 && shape->depth == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "membrane: radius, or width and depth, is missing");
    } else {
        status = is_length(shape, "width", shape->width, err);
        if (!status) status = is_length(shape, "depth", shape->depth, err);
    }
    if (!status) {
        status =
            in_range(shape, "tension", shape->tension, 1e-3, 1e8, " N/m", err);
    }
    if (!status) {
        status = in_range(shape, "surface_density", shape->surface_density,
                          1e-4, 1e4, " kg/m^2", err);
    }
    return status;
}

static sb_status check_string(const sb_shape *shape, sb_error *err) {
    sb_status status = is_length(shape, "length", shape->length, err);
    if (!status) status = is_length(shape, "diameter", shape->diameter, err);
    if (!status) {
        status = not_above(shape, "diameter", shape->diameter, "its length",
                           shape->length, err);
    }
    if (!status) {
        status =
            in_range(shape, "tension", shape->tension, 1e-3, 1e8, " N", err);
    }
    return status;
}

static sb_status check_ring(const sb_shape *shape, sb_error *err) {
    bool is_round = shape->wire_radius != 0;
    if (is_round && (shape->width != 0 || shape->thickness != 0)) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "ring: give wire_radius, or width and thickness, not both");
    }
    sb_status status = is_length(shape, "radius", shape->radius, err);
    if (status) return status;
    if (is_round) {
        status = is_length(shape, "wire_radius", shape->wire_radius, err);
        if (status) return status;
        return not_above(shape, "wire_radius", shape->wire_radius, "its radius",
                         shape->radius, err);
    }
    if (shape->width == 0 && shape->thickness == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "ring: wire_radius, or width and thickness, is missing");
    }
    status = is_length(shape, "width", shape->width, err);
    if (!status) status = is_length(shape, "thickness", shape->thickness, err);
    if (!status) {
        status = not_above(shape, "thickness", shape->thickness, "its radius",
                           shape->radius, err);
    }
    if (!status) {
        status = not_above(shape, "width", shape->width, "its radius",
                           shape->radius, err);
    }
    return status;
}

static sb_status check_modes(const sb_shape *shape, sb_error *err) {
    if (!shape->modes || shape->mode_count < 1 ||
        shape->mode_count > MODES_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "modes: 1 to %d modes are needed, got %d",
                       (int)MODES_MOST, shape->mode_count);
    }
    for (int k = 0; k < shape->mode_count; k++) {
        const sb_hand_mode *mode = &shape->modes[k];
        const char *field = NULL;
        double least = 1, most = 1e5, value = mode->freq_hz;
        if (!(value >= least && value <= most)) {
            field = "freq_hz";
        } else if (!(mode->t60_s >= 1e-4 && mode->t60_s <= 1e4)) {
            field = "t60_s", value = mode->t60_s, least = 1e-4, most = 1e4;
        } else if (!(mode->gain >= -1e3 && mode->gain <= 1e3)) {
            field = "gain", value = mode->gain, least = -1e3, most = 1e3;
        }
        if (field) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "modes: mode %d: %s must be %g to %g, got %g", k + 1,
                           field, least, most, value);
        }
    }
    return SB_OK;
}

static sb_status check_rigid(const sb_shape *shape, sb_error *err) {
    if (shape->radius == 0) return SB_OK;
    return is_length(shape, "radius", shape->radius, err);
}

static sb_status check_sphere(const sb_shape *shape, sb_error *err) {
    return is_length(shape, "radius", shape->radius, err);
}

/* Rounding hides how easily thinner ones bend: their elements seem to fall
 * apart from some 300 on. */
static sb_status check_aspect(const sb_shape *shape, double least, double most,
                              sb_error *err) {
    if (most <= SOLID_ASPECT_MOST * least) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: it must not be more than %d times as long as thin, got "
                   "%g m and %g m; use a plate, disk or bar",
                   sb_shape_kind_name(shape->kind), (int)SOLID_ASPECT_MOST,
                   most, least);
}

static sb_status check_box(const sb_shape *shape, sb_error *err) {
    double x = shape->width, y = shape->height, z = shape->depth;
    sb_status status = is_length(shape, "width", x, err);
    if (!status) status = is_length(shape, "height", y, err);
    if (!status) status = is_length(shape, "depth", z, err);
    if (status) return status;
    return check_aspect(shape, fmin(x, fmin(y, z)), fmax(x, fmax(y, z)), err);
}

static sb_status check_cylinder(const sb_shape *shape, sb_error *err) {
    double across = 2 * shape->radius, along = shape->length;
    sb_status status = is_length(shape, "radius", shape->radius, err);
    if (!status) status = is_length(shape, "length", along, err);
    if (status) return status;
    return check_aspect(shape, fmin(across, along), fmax(across, along), err);
}

static sb_status check_floor(const sb_shape *shape, sb_error *err) {
    (void)shape, (void)err;
    return SB_OK;
}

static bool is_full(const sb_shape *shape) {
    return shape->kind == SB_SHAPE_SPHERE || shape->kind == SB_SHAPE_BOX ||
           shape->kind == SB_SHAPE_CYLINDER;
}

bool sb_shape_is_computed(const sb_shape *shape) {
    return shape->kind == SB_SHAPE_MESH || is_full(shape) ||
           (shape->method != SB_METHOD_AUTO &&
            shape->method != SB_METHOD_ANALYTIC);
}

static bool is_sheet_method(sb_method method) {
    return method == SB_METHOD_SHELL || method == SB_METHOD_SPRINGS ||
           method == SB_METHOD_SPRINGS_LITERAL;
}

static sb_status check_mesh(const sb_shape *shape, sb_error *err) {
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
    if (shape->thickness == 0) return SB_OK;
    return in_range(shape, "thickness", shape->thickness, 1e-6, 10, " m", err);
}

static sb_status check_computed(const sb_shape *shape, sb_error *err) {
    const char *kind = sb_shape_kind_name(shape->kind);
    bool has_grid =
        shape->kind == SB_SHAPE_BAR || shape->kind == SB_SHAPE_PLATE ||
        shape->kind == SB_SHAPE_DISK || shape->kind == SB_SHAPE_RING ||
        shape->kind == SB_SHAPE_MESH || is_full(shape);
    if (shape->method >= SB_METHOD_COUNT || !has_grid) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: method must be analytic, the only one there is "
                       "for it",
                       kind);
    }
    if (shape->kind == SB_SHAPE_RING && is_sheet_method(shape->method)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "ring: method must be analytic, solid or tet4; a wire "
                       "is no sheet");
    }
    if (is_full(shape) && shape->method != SB_METHOD_AUTO &&
        shape->method != SB_METHOD_SOLID && shape->method != SB_METHOD_TET4) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: method must be auto, solid or tet4; it is full",
                       kind);
    }
    if (shape->elements < 0 || shape->elements > 500) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: elements must be 1 to 500, got %d", kind,
                       shape->elements);
    }
    if (shape->max_hz != 0) {
        sb_status status =
            in_range(shape, "max_hz", shape->max_hz, 1, 1e6, " Hz", err);
        if (status) return status;
    }
    if (shape->max_modes < 0 || shape->max_modes > MODES_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: modes must be 1 to %d, got %d", kind,
                       (int)MODES_MOST, shape->max_modes);
    }
    return SB_OK;
}

sb_status sb_shape_check(const sb_shape *shape, sb_error *err) {
    static sb_status (*const check_of[SB_SHAPE_KIND_COUNT])(const sb_shape *,
                                                            sb_error *) = {
        [SB_SHAPE_RIGID] = check_rigid,
        [SB_SHAPE_BAR] = check_bar,
        [SB_SHAPE_PLATE] = check_plate,
        [SB_SHAPE_DISK] = check_disk,
        [SB_SHAPE_MEMBRANE] = check_membrane,
        [SB_SHAPE_STRING] = check_string,
        [SB_SHAPE_RING] = check_ring,
        [SB_SHAPE_MODES] = check_modes,
        [SB_SHAPE_MESH] = check_mesh,
        [SB_SHAPE_SPHERE] = check_sphere,
        [SB_SHAPE_BOX] = check_box,
        [SB_SHAPE_CYLINDER] = check_cylinder,
        [SB_SHAPE_FLOOR] = check_floor,
    };
    if (shape->kind >= SB_SHAPE_KIND_COUNT) {
        return sb_fail(err, SB_BAD_ARGUMENT, "shape: unknown kind %d",
                       (int)shape->kind);
    }
    if (shape->support >= SB_SUPPORT_COUNT) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: unknown support %d",
                       sb_shape_kind_name(shape->kind), (int)shape->support);
    }
    if (!(supports_of[shape->kind].bits & HOLDS(shape->support))) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: support must be %s, got %s",
                       sb_shape_kind_name(shape->kind),
                       supports_of[shape->kind].words,
                       sb_support_name(shape->support));
    }
    if (sb_shape_is_computed(shape)) {
        sb_status status = check_computed(shape, err);
        if (status) return status;
    }
    return check_of[shape->kind](shape, err);
}
