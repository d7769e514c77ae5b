/* The rim conditions and modes of a thick disk (disk_thick.h). Thread: control,
 * workers. */
#include "runtime/model/shapes/disk_thick.h"

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/polar.h"

#include <math.h>

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

sb_status sb_thick_disk(sb_model *model, sb_error *err) {
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
