/* A flat rectangle: free, clamped at all edges or at one, or simply supported.
 * Its bending modes come from Kirchhoff's theory of thin plates or Mindlin's of
 * thick ones, whichever is needed (plate_ritz.h, rectangle.c); a plate thicker
 * than a fifth of its shorter side is solved as a solid. Motion in its plane is
 * not part of the closed forms: a strike across excites it through Poisson's
 * contraction only. Thread: control, workers. */
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/grid/sheet.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/plate_ritz.h"

#include <math.h>

enum { ASPECT_MOST = 100 };

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *plate, sb_error *err) {
    sb_status status = sb_shape_not_above(plate, "thickness", plate->thickness,
                                          "its width", plate->width, err);
    if (!status) {
        status = sb_shape_not_above(plate, "thickness", plate->thickness,
                                    "its depth", plate->depth, err);
    }
    if (status || plate->support == SB_SUPPORT_PINNED) return status;
    /* Other supports are solved by polynomials, of which a strip would need
     * thousands; and a strip is a bar. */
    double ratio = plate->width / plate->depth;
    if (ratio < 1) ratio = 1 / ratio;
    if (ratio <= ASPECT_MOST) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "plate: width and depth must not differ more than %d to 1 "
                   "unless pinned, got %g to 1; use a bar",
                   (int)ASPECT_MOST, ratio);
}

static const sb_model_ops *choose_ops(const sb_shape *plate) {
    return plate->support == SB_SUPPORT_PINNED ? &sb_pinned_plate_ops
                                               : &sb_ritz_plate_ops;
}

/* A little more than the bound, for sizes that a script computes. */
static bool is_too_thick(const sb_shape *plate) {
    double side = fmin(plate->width, plate->depth);
    return plate->theory == SB_PLATE_AUTO &&
           plate->thickness > (1 + 1e-9) * SB_PLATE_THICK_MOST * side;
}

static sb_sheet sheet(const sb_shape *plate) {
    return (sb_sheet){.x_m = plate->width,
                      .z_m = plate->depth,
                      .thickness_m = plate->thickness,
                      .holds_sides = true};
}

static double aspect(const sb_shape *plate) {
    return plate->depth / plate->width;
}

static sb_vec3 usual(const sb_shape *plate) {
    return sb_usual_on_rectangle(plate->width, plate->thickness, plate->depth);
}

static sb_collider collider(const sb_shape *plate) {
    return sb_collider_box(plate->width, plate->thickness, plate->depth);
}

static const char *const support_names[] = {
    "free", "clamped", "clamped-free", "pinned", "simply-supported", NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                               SB_SUPPORT_CLAMPED_FREE, SB_SUPPORT_PINNED,
                               SB_SUPPORT_PINNED};

const sb_field sb_plate_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(width, "along x"),
    SB_SHAPE_LENGTH_NEEDED(depth, "along z"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "along y"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "how it is held; default free"),
    SB_SHAPE_PLATE_THEORY,
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_plate = {
    .fields = sb_plate_fields,
    .supports = SB_ALL_BITS & ~SB_BIT(SB_SUPPORT_CLAMPED_PINNED),
    .support_words = "free, clamped, clamped-free or pinned",
    .methods = SB_ALL_BITS,
    .check = check,
    .choose_ops = choose_ops,
    .is_too_thick = is_too_thick,
    .is_rescalable = true,
    .sheet = sheet,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .aspect = aspect,
    .usual = usual,
    .collider = collider,
};
