/* SPDX-License-Identifier: MIT */
/* A round plate: free, clamped or simply supported at the rim. With
 * w = A J_n(l r) + B I_n(l r), two of these hold at the rim:
 *
 *     w = 0,  w' = 0,  moment = 0,  shear = 0          (A. W. Leissa, 1969)
 *
 * and l is a root of their determinant. omega = l^2 / R^2 sqrt(D / rho h). This
 * is Kirchhoff's theory; where it errs by more than SB_KIRCHHOFF_ERROR, modes
 * are Mindlin's, and a disk thicker than a fifth of its diameter is solved as a
 * solid. Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/mindlin.h"
#include "runtime/model/closed_forms/polar.h"
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <string.h>

/* --- thick disks ---------------------------------------------------------- */

/* By Mindlin's theory. With R = 1 and t the angle, three waves of the same
 * frequency add up:
 *
 *     w     = (A1 f1 + A2 f2) cos n t             f = J_n or I_n
 *     psi_r = -g1 A1 f1' - g2 A2 f2' + n A3 f3 / r
 *     psi_t = n (g1 A1 f1 + g2 A2 f2) / r - A3 f3'
 *
 * with Laplacians -q f and, m = rho h, J = rho h^3 / 12,
 *
 *     D S q^2 - (m D + J S) omega^2 q + m omega^2 (J omega^2 - S) = 0
 *     g = 1 - m omega^2 / S q,    q3 = (J omega^2 - S) 2 / D (1 - nu)
 *
 * Three conditions hold at the rim: moment, twisting moment and shear force are
 * 0 if it is free; w, psi_r, psi_t if clamped; w, moment, psi_t if pinned.
 * Source: R. D. Mindlin and H. Deresiewicz, J. Appl. Phys. 25 (1954) 1329. */

/* The three waves of a root l, in units of the radius. */
typedef struct waves {
    double omega;
    double q[3]; /* minus the Laplacian */
    double m[3]; /* as of polar.h: negative for J */
    double g[2];
} waves;

/* A disk has no direction for a grain. */
static sb_plate_stiffness stiffness_of(const sb_model *model) {
    sb_material plain = model->material;
    plain.youngs_modulus_across = plain.shear_modulus = 0;
    return sb_plate_stiffness_of(&plain, model->shape.thickness);
}

static waves waves_of(const sb_model *model, double l) {
    sb_plate_stiffness plate = stiffness_of(model);
    double radius = model->shape.radius, r2 = radius * radius;
    double k = l / radius;
    waves out = {.omega = sb_mindlin_omega(&plate, k, 0, NULL)};
    double o2 = out.omega * out.omega, k2 = k * k;
    double shear = plate.rotary * o2 - plate.s1;
    out.q[0] = l * l;
    out.q[1] = plate.mass * o2 * shear / (plate.d11 * plate.s1 * k2) * r2;
    out.q[2] = shear / plate.d66 * r2;
    for (int i = 0; i < 3; i++)
        out.m[i] = copysign(sqrt(fabs(out.q[i])), -out.q[i]);
    for (int i = 0; i < 2; i++)
        out.g[i] = 1 - plate.mass * o2 * r2 / (plate.s1 * out.q[i]);
    return out;
}

/* --- conditions ----------------------------------------------------------- */

enum { W, TURN_R, TURN_T, MOMENT, TWIST, SHEAR, CONDITION_COUNT };

/* What each wave contributes at the rim. */
static void at_rim(const sb_model *model, int n, const waves *of, int i,
                   double out[CONDITION_COUNT]) {
    double f, slope, nu = model->material.poisson_ratio;
    double q = of->q[i], n2 = (double)n * n;
    sb_polar_wave(n, of->m[i], 1, &f, &slope);
    if (i == 2) {
        out[W] = 0;
        out[TURN_R] = n * f;
        out[TURN_T] = -slope;
        out[MOMENT] = (1 - nu) * n * (slope - f);
        out[TWIST] = q * f + 2 * slope - 2 * n2 * f;
        out[SHEAR] = n * f;
        return;
    }
    double g = of->g[i];
    out[W] = f;
    out[TURN_R] = -g * slope;
    out[TURN_T] = n * g * f;
    out[MOMENT] = g * (q * f + (1 - nu) * (slope - n2 * f));
    out[TWIST] = 2 * n * g * (slope - f);
    out[SHEAR] = (1 - g) * slope;
}

/* Rows: the conditions of the support; columns: the waves, each scaled to unit
 * length, by `scale`. An axial mode has two of each: twist decouples. */
static void fill(const sb_model *model, int n, const waves *of, double a[3][3],
                 double scale[3]) {
    static const int free_rim[3] = {MOMENT, SHEAR, TWIST};
    static const int clamped[3] = {W, TURN_R, TURN_T};
    static const int pinned[3] = {W, MOMENT, TURN_T};
    const int *rows = model->shape.support == SB_SUPPORT_FREE      ? free_rim
                      : model->shape.support == SB_SUPPORT_CLAMPED ? clamped
                                                                   : pinned;
    for (int i = 0; i < 3; i++) {
        double out[CONDITION_COUNT], sum = 0;
        at_rim(model, n, of, i, out);
        for (int row = 0; row < 3; row++) {
            a[row][i] = out[rows[row]];
            sum += a[row][i] * a[row][i];
        }
        scale[i] = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int row = 0; row < 3; row++)
            a[row][i] *= scale[i];
    }
}

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double condition(const sb_model *model, int n, double l) {
    waves of = waves_of(model, l);
    double a[3][3], scale[3], both[3];
    fill(model, n, &of, a, scale);
    if (n == 0) return a[0][0] * a[1][1] - a[0][1] * a[1][0];
    cross(a[0], a[1], both);
    return both[0] * a[2][0] + both[1] * a[2][1] + both[2] * a[2][2];
}

/* --- one mode ------------------------------------------------------------- */

/* A1, A2, A3 that fulfil the conditions best: normal to two of the rows. */
static void amplitudes(double a[3][3], int n, double out[3]) {
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double best = -1;
    if (n == 0) { /* the row that says more */
        const double *row =
            hypot(a[0][0], a[0][1]) > hypot(a[1][0], a[1][1]) ? a[0] : a[1];
        out[0] = row[1];
        out[1] = -row[0];
        out[2] = 0;
        return;
    }
    for (int i = 0; i < 3; i++) {
        double normal[3];
        cross(a[pairs[i][0]], a[pairs[i][1]], normal);
        double size = normal[0] * normal[0] + normal[1] * normal[1] +
                      normal[2] * normal[2];
        if (size <= best) continue;
        best = size;
        for (int k = 0; k < 3; k++)
            out[k] = normal[k];
    }
}

static void thick(const sb_model *model, int n, double l, sb_polar_mode *out) {
    waves of = waves_of(model, l);
    double a[3][3], scale[3], size[3] = {1, 0, 0};
    fill(model, n, &of, a, scale);
    amplitudes(a, n, size);
    double first = size[0] * scale[0];
    *out = (sb_polar_mode){
        .omega = of.omega,
        .mix = size[1] * scale[1] / first,
        .second = of.m[1],
        .twist = size[2] * scale[2] / first,
        .third = of.m[2],
        .turn_1 = of.g[0],
        .turn_2 = of.g[1],
    };
}

static double turns(const sb_polar_mode *mode, int n, double l, double r) {
    double f[3], slope[3];
    sb_polar_wave(n, -l, r, &f[0], &slope[0]);
    sb_polar_wave(n, mode->second, r, &f[1], &slope[1]);
    sb_polar_wave(n, mode->third, r, &f[2], &slope[2]);
    double along = -mode->turn_1 * slope[0] -
                   mode->turn_2 * mode->mix * slope[1] +
                   n * mode->twist * f[2] / r;
    double around =
        n * (mode->turn_1 * f[0] + mode->turn_2 * mode->mix * f[1]) / r -
        mode->twist * slope[2];
    return along * along + around * around;
}

/* Add all modes of a disk whose mass properties are set. */
static sb_status thick_disk(sb_model *model, sb_error *err) {
    sb_plate_stiffness plate = stiffness_of(model);
    double radius = model->shape.radius, h = model->shape.thickness;
    double along, across;
    sb_mindlin_wave_numbers(&plate, SB_TAU * model->limits.max_hz, &along,
                            &across);
    double cut_off = sb_mindlin_cut_off(&plate);
    sb_polar_rim rim = {
        .condition = condition,
        .thick = thick,
        .turns = turns,
        .turn_share = h * h / (12 * radius * radius),
        .most = along * radius,
        .is_free = model->shape.support == SB_SUPPORT_FREE,
        .face_kg_m2 = plate.mass,
    };
    sb_mindlin_wave_numbers(&plate, cut_off, &along, &across);
    rim.crowded = along * radius;
    model->theory = "Mindlin";
    return sb_polar_build(model, &rim, err);
}

/* --- disks ---------------------------------------------------------------- */

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

/* Zero at a root: of the two parts together, two of these vanish. */
static double thin_condition(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    if (model->shape.support == SB_SUPPORT_FREE)
        return j.moment * i.shear - i.moment * j.shear;
    return model->shape.support == SB_SUPPORT_CLAMPED
               ? j.value * i.slope - i.value * j.slope
               : j.value * i.moment - i.value * j.moment;
}

/* At a free rim from moment or shear, whichever has the larger share of I_n. */
static double thin_mix(const sb_model *model, int n, double l) {
    rim_part j, i;
    both_parts(model, n, l, &j, &i);
    if (model->shape.support != SB_SUPPORT_FREE) return -j.value / i.value;
    bool by_moment = l * fabs(i.moment) > fabs(i.shear);
    return by_moment ? -j.moment / i.moment : -j.shear / i.shear;
}

static sb_status build_thin(sb_model *model, sb_error *err) {
    const sb_shape *disk = &model->shape;
    double radius = disk->radius, h = disk->thickness, r2 = radius * radius;
    sb_polar_rim rim = {
        .condition = thin_condition,
        .mix = thin_mix,
        .factor = sb_plate_speed(&model->material, h) / r2,
        .power = 2,
        .is_free = disk->support == SB_SUPPORT_FREE,
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
    if (disk->theory == SB_PLATE_MINDLIN) return thick_disk(model, err);
    drafts other = {0};
    sb_status status = build_thin(model, err);
    if (!status) {
        swap_drafts(model, &other);
        status = thick_disk(model, err);
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
