/* A round plate: free, clamped or simply supported at the rim. With
 * w = A J_n(l r) + B I_n(l r), two of these hold at the rim:
 *
 *     w = 0,  w' = 0,  moment = 0,  shear = 0          (A. W. Leissa, 1969)
 *
 * and l is a root of their determinant. omega = l^2 / R^2 sqrt(D / rho h). This
 * is Kirchhoff's theory; where it errs by more than SB_KIRCHHOFF_ERROR, modes
 * are Mindlin's (disk_thick.h), and a disk thicker than a fifth of its diameter
 * is solved as a solid. Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/bessel.h"
#include "runtime/model/closed_forms/polar.h"
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/grid/sheet.h"
#include "runtime/model/shapes/disk_thick.h"
#include "runtime/model/shapes/family.h"

#include <math.h>
#include <string.h>

/* One part of w at the rim: J_n (sign -1, as its Laplacian is -l^2 J) or I_n,
 * scaled (sign +1). */
typedef struct rim_part {
    double value, slope, moment, shear;
} rim_part;

static rim_part part(int n, double l, double nu, double sign,
                     const double f[2]) {
    double n2 = (double)n * n, value = f[0];
    double slope = n * value + sign * l * f[1]; /* l f'(l) */
    return (rim_part){
        .value = value,
        .slope = slope,
        .moment = sign * l * l * value - (1 - nu) * (slope - n2 * value),
        .shear = sign * l * l * slope - (1 - nu) * n2 * (slope - value),
    };
}

static void both_parts(const sb_model *model, int n, double l, rim_part *j,
                       rim_part *i) {
    double f[2], nu = model->material.poisson_ratio;
    sb_bessel_j(n, l, f);
    *j = part(n, l, nu, -1, f);
    sb_bessel_i_scaled(n, l, f);
    *i = part(n, l, nu, 1, f);
}

static double clamped(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    return j.value * i.slope - i.value * j.slope;
}

static double pinned(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    return j.value * i.moment - i.value * j.moment;
}

static double unsupported(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    return j.moment * i.shear - i.moment * j.shear;
}

static double mix_held(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    return -j.value / i.value;
}

/* From moment or shear, whichever has the larger share of I_n. */
static double mix_free(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    bool by_moment = l * fabs(i.moment) > fabs(i.shear);
    return by_moment ? -j.moment / i.moment : -j.shear / i.shear;
}

static sb_status build_thin(sb_model *model, sb_error *err) {
    const sb_shape *disk = &model->shape;
    double radius = disk->radius, h = disk->thickness, r2 = radius * radius;
    bool is_free = disk->support == SB_SUPPORT_FREE;
    bool is_clamped = disk->support == SB_SUPPORT_CLAMPED;
    sb_polar_rim rim = {
        .condition = is_free      ? unsupported
                     : is_clamped ? clamped
                                  : pinned,
        .mix = is_free ? mix_free : mix_held,
        .factor = sb_plate_speed(&model->material, h) / r2,
        .power = 2,
        .is_free = is_free,
        .face_kg_m2 = model->material.density * h,
    };
    model->theory = "Kirchhoff";
    return sb_polar_build(model, &rim, err);
}

/* Modes by one theory, kept while the other is tried. */
typedef struct drafts {
    sb_draft_mode *modes;
    int count, capacity;
    double lowest_hz;
} drafts;

static void swap_drafts(sb_model *model, drafts *with) {
    drafts kept = {model->drafts, model->draft_count, model->draft_capacity,
                   model->lowest_hz};
    model->drafts = with->modes;
    model->draft_count = with->count;
    model->draft_capacity = with->capacity;
    model->lowest_hz = with->lowest_hz;
    *with = kept;
}

/* The largest share by which a mode of the thin theory is above the same mode
 * of the thick one. Both list them by nodal diameters, then circles. */
static double thin_error(const drafts *thin, const sb_model *thick) {
    double most = 0;
    for (int i = 0, j = 0; i < thin->count; i++) {
        const sb_mode *mode = &thin->modes[i].mode;
        while (j < thick->draft_count &&
               strcmp(thick->drafts[j].mode.label, mode->label) != 0)
            j++;
        if (j == thick->draft_count) return INFINITY;
        most = fmax(most, mode->freq_hz / thick->drafts[j].mode.freq_hz - 1);
    }
    return most;
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *disk = &model->shape;
    double radius = disk->radius, h = disk->thickness, r2 = radius * radius;
    double mass = model->material.density * h * SB_PI * r2;
    double across = 12 / (mass * (3 * r2 + h * h));
    model->mass_kg = mass;
    model->area_m2 = SB_TAU * (r2 + radius * h);
    model->inverse_inertia[0] = model->inverse_inertia[2] = across;
    model->inverse_inertia[1] = 2 / (mass * r2);
    if (disk->theory == SB_PLATE_KIRCHHOFF) return build_thin(model, err);
    if (disk->theory == SB_PLATE_MINDLIN) return sb_thick_disk(model, err);
    drafts other = {0};
    sb_status status = build_thin(model, err);
    if (!status) {
        swap_drafts(model, &other);
        status = sb_thick_disk(model, err);
    }
    if (!status && thin_error(&other, model) <= SB_KIRCHHOFF_ERROR) {
        swap_drafts(model, &other);
        model->theory = "Kirchhoff";
    }
    sb_free(other.modes);
    return status;
}

static const sb_model_ops ops = {
    .method = "analytic",
    .build = build,
    .weights = sb_polar_weights,
    .position = sb_polar_position,
    .nearest = sb_polar_nearest,
};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *disk, sb_error *err) {
    return sb_shape_not_above(disk, "thickness", disk->thickness,
                              "its diameter", 2 * disk->radius, err);
}

/* A little more than the bound, for sizes that a script computes. */
static bool is_too_thick(const sb_shape *disk) {
    return disk->theory == SB_PLATE_AUTO &&
           disk->thickness >
               (1 + 1e-9) * SB_PLATE_THICK_MOST * 2 * disk->radius;
}

static sb_sheet sheet(const sb_shape *disk) {
    return (sb_sheet){.x_m = 2 * disk->radius,
                      .z_m = 2 * disk->radius,
                      .radius_m = disk->radius,
                      .thickness_m = disk->thickness};
}

/* A free one near its rim, where its lowest modes move most. */
static sb_vec3 usual(const sb_shape *disk) {
    return sb_usual_on_disk(disk,
                            disk->support == SB_SUPPORT_FREE ? 0.85 : 0.5);
}

static sb_collider collider(const sb_shape *disk) {
    return sb_collider_cylinder(disk->radius, disk->thickness);
}

static const char *const support_names[] = {"free", "clamped", "pinned",
                                            "simply-supported", NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                               SB_SUPPORT_PINNED, SB_SUPPORT_PINNED};

const sb_field sb_disk_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "in the plane of x and z"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "along y"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "how it is held; default free"),
    SB_SHAPE_PLATE_THEORY,
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_disk = {
    .fields = sb_disk_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED) |
                SB_BIT(SB_SUPPORT_PINNED),
    .support_words = "free, clamped or pinned",
    .methods = SB_ALL_BITS,
    .check = check,
    .ops = &ops,
    .is_too_thick = is_too_thick,
    .is_rescalable = true,
    .sheet = sheet,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .layout = SB_UV_ROUND,
    .usual = usual,
    .collider = collider,
};
