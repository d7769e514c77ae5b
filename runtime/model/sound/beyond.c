/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/beyond.h"

#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"

#include <complex.h>
#include <math.h>

/* --- short waves ---------------------------------------------------------- */

enum { WAVES = 40, DIRECTIONS = 160, PLACE_WAVES = 32 };

/* Half the width of a third octave of bending waves, and the phase beyond which
 * an edge is not felt. */
#define SPREAD 0.058
#define FAR    25

/* Steps of two sequences that fill the unit square evenly: powers of 1 /
 * 1.3247, the golden ratio of two dimensions. */
#define STEP_U 0.7548776662466927
#define STEP_V 0.5698402909980532
#define GOLDEN 0.6180339887498949

/* X about the middle: cos or sin(k xi) + B (e^{-g s} +- e^{-g s'}), s and s'
 * the distances from both ends. */
typedef struct axis_wave {
    double length, k, decay, near; /* near: B */
    bool is_odd;
    double mean_square;
} axis_wave;

/* tan of the phase with which a wave begins at an edge, cos(k s + phase). */
static double edge_phase(const sb_wave_sheet *sheet, double along,
                         double across) {
    double nu = sheet->poisson_ratio;
    double g2 = along * along + 2 * across * across, g = sqrt(g2);
    double a2 = along * along, c2 = across * across;
    if (sheet->support == SB_SUPPORT_PINNED || sheet->is_closed)
        return SB_PI / 2;
    if (sheet->support == SB_SUPPORT_CLAMPED) return atan2(g, along);
    return atan2(g * (g2 - (2 - nu) * c2) * (a2 + nu * c2),
                 (g2 - nu * c2) * along * (a2 + (2 - nu) * c2));
}

/* B over the value of the wave at the edge. */
static double near_share(const sb_wave_sheet *sheet, double along,
                         double across) {
    double nu = sheet->poisson_ratio;
    double a2 = along * along, c2 = across * across;
    if (sheet->support == SB_SUPPORT_PINNED || sheet->is_closed) return 0;
    if (sheet->support == SB_SUPPORT_CLAMPED) return -1;
    return (a2 + nu * c2) / (a2 + 2 * c2 - nu * c2);
}

/* The mode nearest to wave number `along`: k L / 2 = m pi / 2 - phase, even
 * or odd as m is. */
static axis_wave fit_wave(const sb_wave_sheet *sheet, int axis, double along,
                          double across) {
    double length = sheet->sides_m[axis], k = along;
    double phase = edge_phase(sheet, along, across);
    double m = fmax(round((k * length / 2 + phase) / (SB_PI / 2)), 1);
    k = fmax((m * SB_PI / 2 - phase) * 2 / length, 0.1 / length);
    axis_wave wave = {.length = length, .k = k};
    wave.is_odd = fmod(m, 2) != 0;
    wave.decay = sqrt(k * k + 2 * across * across);
    double half = k * length / 2;
    double edge = wave.is_odd ? sin(half) : cos(half);
    double slope = wave.is_odd ? -cos(half) : sin(half);
    double b = wave.near = edge * near_share(sheet, k, across);
    double g = wave.decay, sign = wave.is_odd ? -1 : 1;
    wave.mean_square =
        0.5 + sign * sin(2 * half) / (4 * half) +
        (b * b / g + 4 * b * (g * edge + k * slope) / (g * g + k * k)) / length;
    return wave;
}

static double sinc(double x) {
    return fabs(x) < 1e-6 ? 1 : sin(x) / x;
}

/* |Int X e^{i u xi} d xi|^2 */
static double transform(const axis_wave *w, double u) {
    double h = w->length / 2, g = w->decay;
    double less = h * sinc((w->k - u) * h), more = h * sinc((w->k + u) * h);
    double c = cos(u * h), s = sin(u * h);
    double near = w->is_odd ? g * s - u * c : g * c + u * s;
    double sum = w->is_odd ? less - more : less + more;
    sum += 2 * w->near * near / (g * g + u * u);
    return sum * sum;
}

/* --- directions ----------------------------------------------------------- */

/* A component of r, 0 .. 1, from a number 0 .. 1, and the density with which it
 * is chosen: half of them evenly, half near the lobe at `lobe`, which is
 * `width` wide. */
static double choose(double number, double lobe, double width,
                     double *density) {
    double low = atan(-lobe / width), high = atan((1 - lobe) / width);
    double at = number < 0.5
                    ? 2 * number
                    : lobe + width * tan(low + (2 * number - 1) * (high - low));
    at = fmin(fmax(at, 0), 1);
    double off = (at - lobe) / width;
    *density = 0.5 + 0.5 / ((high - low) * width * (1 + off * off));
    return at;
}

/* Integral of |Int_X Int_Z|^2 (n.r)^2 over a quarter of the half-space, d Omega
 * = dr_x dr_z / n.r. */
static double over_directions(const axis_wave waves[2], double k, int seed) {
    double lobe[2], width[2], sum = 0;
    for (int i = 0; i < 2; i++) {
        lobe[i] = fmin(waves[i].k / k, 1.5);
        width[i] = fmin(2 / (k * waves[i].length), 1);
    }
    for (int n = 0; n < DIRECTIONS; n++) {
        double at[2], density[2];
        double u = fmod(0.5 + (n + 1) * STEP_U + seed * GOLDEN, 1.0);
        double v = fmod(0.5 + (n + 1) * STEP_V + seed * STEP_V, 1.0);
        at[0] = choose(u, lobe[0], width[0], &density[0]);
        at[1] = choose(v, lobe[1], width[1], &density[1]);
        double facing2 = 1 - at[0] * at[0] - at[1] * at[1];
        if (!(facing2 > 0)) continue;
        sum += sqrt(facing2) * transform(&waves[0], k * at[0]) *
               transform(&waves[1], k * at[1]) / (density[0] * density[1]);
    }
    return sum / DIRECTIONS;
}

double sb_short_waves_power(const sb_wave_sheet *sheet, double wavenumber,
                            double freq_hz) {
    double k = SB_TAU * freq_hz / SB_AIR_SPEED, sum = 0;
    /* As body_radius in patches.c gives for a rectangle. */
    double radius = 0.49 * fmin(sheet->sides_m[0], sheet->sides_m[1]) / 2;
    double complex z = sb_radiation_impedance(wavenumber * radius, k * radius);
    double complex both =
        sheet->is_closed ? 1 + z : 2 * z + I * k * sheet->thickness_m;
    for (int i = 0; i < WAVES; i++) {
        /* Evenly in the quarter of directions of the sheet. */
        double angle = (i + 0.5) * SB_PI / (2 * WAVES);
        double kx = wavenumber * cos(angle), kz = wavenumber * sin(angle);
        axis_wave waves[2] = {fit_wave(sheet, 0, kx, kz),
                              fit_wave(sheet, 1, kz, kx)};
        sum += over_directions(waves, k, i) /
               (waves[0].mean_square * waves[1].mean_square);
    }
    double scale = SB_AIR_DENSITY * SB_AIR_SPEED * k / (4 * SB_PI) * cabs(both);
    /* Four quarters, two half-spaces, over 4 pi. */
    return scale * scale * 2 / SB_PI * sum / WAVES / sheet->mass_kg;
}

/* --- at a place ----------------------------------------------------------- */

/* X^2 over its mean at a distance from an edge. Wavenumbers differ by SPREAD, so
 * that far from the edge there are nodes at all places. */
static double near_edge(const sb_wave_sheet *sheet, double along, double across,
                        double edge_m) {
    if (!(edge_m * along < FAR)) return 1;
    double phase = edge_phase(sheet, along, across), at = along * edge_m;
    double near = cos(phase) * near_share(sheet, along, across) *
                  exp(-edge_m * sqrt(along * along + 2 * across * across));
    return 1 + cos(2 * (at + phase)) * sinc(2 * SPREAD * at) +
           4 * near * cos(at + phase) + 2 * near * near;
}

/* A product at each angle is right at held edges. Modes at a free corner are no
 * products: halfway, on a log scale, to waves that do not depend on each other
 * is right to 1 dB, while products are 2 dB too low. */
static double short_waves_at(const sb_wave_sheet *sheet, double wavenumber,
                             const double edges_m[2]) {
    double sum = 0, along[2] = {0, 0};
    for (int i = 0; i < PLACE_WAVES; i++) {
        double angle = (i + 0.5) * SB_PI / (2 * PLACE_WAVES);
        double kx = wavenumber * cos(angle), kz = wavenumber * sin(angle);
        double x = near_edge(sheet, kx, kz, edges_m[0]);
        double z = near_edge(sheet, kz, kx, edges_m[1]);
        sum += x * z / PLACE_WAVES;
        along[0] += x / PLACE_WAVES;
        along[1] += z / PLACE_WAVES;
    }
    sum = fmax(sum, 0);
    if (sheet->support == SB_SUPPORT_PINNED ||
        sheet->support == SB_SUPPORT_CLAMPED)
        return sum;
    return sqrt(sum * fmax(along[0] * along[1], 0));
}

double sb_bending_wavenumber(const sb_material *material, double thickness_m,
                             double freq_hz) {
    double nu = material->poisson_ratio, e = material->youngs_modulus;
    /* With a grain: the mean over directions, nearly. */
    if (material->youngs_modulus_across > 0)
        e = sqrt(e * material->youngs_modulus_across);
    double speed =
        thickness_m * sqrt(e / (12 * (1 - nu * nu) * material->density));
    return sqrt(SB_TAU * freq_hz / speed);
}

/* --- over frequency ------------------------------------------------------- */

enum { POINTS_PER_OCTAVE = 12 };

static double hz_of(const sb_wave_law *law, int i) {
    return law->first_hz * exp2((double)i / POINTS_PER_OCTAVE);
}

void sb_wave_law_init(sb_wave_law *law, const sb_wave_sheet *sheet,
                      const sb_material *material, double first_hz,
                      double last_hz, double step) {
    *law = (sb_wave_law){.first_hz = first_hz, .step = step, .offset_hz = 1};
    do {
        double hz = hz_of(law, law->count);
        double k = sb_bending_wavenumber(material, sheet->thickness_m, hz);
        law->power[law->count] = sb_short_waves_power(sheet, k, hz);
        if (step > 0)
            law->stepped[law->count] =
                sb_short_waves_power(sheet, k, hz * step);
        law->count++;
    } while (law->count < SB_WAVE_POINTS &&
             hz_of(law, law->count - 1) < last_hz && !sb_stop_is_wanted());
}

static double interpolate(const sb_wave_law *law, const double *power,
                          double freq_hz) {
    double at = POINTS_PER_OCTAVE * log2(freq_hz / law->first_hz);
    at = fmin(fmax(at, 0), law->count - 1);
    int low = (int)fmin(floor(at), law->count - 2);
    if (low < 0) return power[0];
    double part = at - low;
    return power[low] * pow(power[low + 1] / power[low], part);
}

double sb_wave_law_power(const sb_wave_law *law, double freq_hz) {
    double db = law->offset_db * fmin(law->offset_hz / freq_hz, 1);
    if (law->coincidence_hz > law->offset_hz) {
        db = law->offset_db * sqrt(fmax(1 - freq_hz / law->coincidence_hz, 0) /
                                   (1 - law->offset_hz / law->coincidence_hz));
    }
    return interpolate(law, law->power, freq_hz) * pow(10, db / 10);
}

double sb_wave_law_slope(const sb_wave_law *law, double freq_hz) {
    return 0.5 *
           log(interpolate(law, law->stepped, freq_hz) /
               interpolate(law, law->power, freq_hz)) /
           log(law->step);
}

/* --- missing modes -------------------------------------------------------- */

enum { PARTS = 12 };

static double last_spacing(const sb_model *model) {
    int count = model->mode_count, from = count - 1 - (count - 1) / 4;
    if (count < 2) return model->modes[0].freq_hz;
    if (from > count - 2) from = count - 2;
    return (model->modes[count - 1].freq_hz - model->modes[from].freq_hz) /
           (count - 1 - from);
}

static bool is_cut(const sb_model *model) {
    const sb_finish_report *report = sb_model_finish_report(model);
    return report ? report->is_incomplete : model->is_cut;
}

sb_beyond sb_model_beyond(const sb_model *model) {
    sb_beyond beyond = {.to_hz = sb_shape_max_hz(&model->shape)};
    if (model->mode_count == 0) return beyond;
    double omega = SB_TAU * beyond.to_hz;
    beyond.loss = 2 * sb_material_sigma(&model->material, omega) / omega;
    double last_hz = model->modes[model->mode_count - 1].freq_hz;
    beyond.from_hz = last_hz + 0.5 * last_spacing(model);
    beyond.is_chosen = model->shape.max_modes > 0;
    beyond.is_cut = is_cut(model) && beyond.from_hz < beyond.to_hz;
    return beyond;
}

/* --- power ---------------------------------------------------------------- */

/* A sheet, shell or the like, of bending waves; area_m2 of one side. */
static bool find_sheet(const sb_model *model, sb_wave_sheet *out) {
    if (sb_model_wave_sheet(model, out)) return true;
    const sb_solution *solution = sb_model_solution(model);
    if (sb_shape_family_of(&model->shape)->turned && model->area_m2 > 0) {
        double side = sqrt(model->area_m2 / 2);
        *out = (sb_wave_sheet){
            .sides_m = {side, side},
            .thickness_m =
                model->mass_kg / (model->material.density * side * side),
            .mass_kg = model->mass_kg,
            .poisson_ratio = model->material.poisson_ratio,
        };
        return true;
    }
    if (!solution || !(solution->facts.thickness_m > 0)) return false;
    double size = model->base ? model->base_size : 1;
    double area = solution->facts.area_m2 * size * size;
    if (solution->facts.is_sheet) area /= 2;
    *out = (sb_wave_sheet){
        .sides_m = {sqrt(area), sqrt(area)},
        .thickness_m = solution->facts.thickness_m * size,
        .mass_kg = model->mass_kg,
        .poisson_ratio = model->material.poisson_ratio,
        .support = model->is_held ? SB_SUPPORT_CLAMPED : SB_SUPPORT_FREE,
        .is_closed = !solution->facts.is_sheet,
    };
    return true;
}

/* The exponent with which n follows frequency. */
static double growth(const sb_model *model) {
    sb_shape_kind kind = model->shape.kind;
    sb_wave_sheet unused;
    if (kind == SB_SHAPE_STRING || find_sheet(model, &unused)) return 0;
    if (kind == SB_SHAPE_MEMBRANE) return 1;
    return kind == SB_SHAPE_BAR || kind == SB_SHAPE_RING ? -0.5 : 2;
}

/* Weyl's n of a sheet, 1/Hz: the same at all frequencies. */
static double weyl(const sb_model *model, const sb_wave_sheet *sheet) {
    double hz = 1000;
    double k = sb_bending_wavenumber(&model->material, sheet->thickness_m, hz);
    return sheet->sides_m[0] * sheet->sides_m[1] * k * k / (4 * SB_PI * hz);
}

double sb_model_beyond_denser(const sb_model *model, double from_hz,
                              double density, double freq_hz) {
    sb_wave_sheet sheet;
    double share = sqrt(from_hz / freq_hz);
    if (!sb_model_wave_sheet(model, &sheet) || !(density > 0))
        return pow(freq_hz / from_hz, growth(model));
    return share + (1 - share) * weyl(model, &sheet) / density;
}

double sb_model_beyond_wavenumber(const sb_model *model, double freq_hz) {
    sb_wave_sheet sheet;
    const sb_material *material = &model->material;
    if (find_sheet(model, &sheet))
        return sb_bending_wavenumber(material, sheet.thickness_m, freq_hz);
    double shear = material->youngs_modulus / (2 + 2 * material->poisson_ratio);
    return SB_TAU * freq_hz / sqrt(shear / material->density);
}

/* P of other shapes, in any unit. */
static double plain_power(const sb_model *model, double freq_hz) {
    double radius = sqrt(model->area_m2 / (4 * SB_PI));
    double ka = SB_TAU * freq_hz / SB_AIR_SPEED * radius;
    double sphere = ka * ka / (1 + ka * ka);
    return sphere * pow(freq_hz, growth(model));
}

typedef struct law {
    const sb_model *model;
    bool is_sheet;
    sb_wave_law waves;
    double share; /* n / (2 M) of a sheet; else 1 */
} law;

static double power_at(const law *self, double freq_hz) {
    double p = self->is_sheet ? sb_wave_law_power(&self->waves, freq_hz)
                              : plain_power(self->model, freq_hz);
    return p * self->share;
}

void sb_model_beyond_powers(const sb_model *model, double low_hz,
                            double high_hz, double power,
                            const double *freqs_hz, int count, double *powers) {
    law self = {.model = model, .share = 1};
    sb_wave_sheet sheet;
    double top = high_hz, expected = 0;
    for (int i = 0; i < count; i++)
        top = fmax(top, freqs_hz[i]);
    self.is_sheet = find_sheet(model, &sheet);
    if (self.is_sheet) {
        self.share = weyl(model, &sheet) / (2 * model->mass_kg);
        sb_wave_law_init(&self.waves, &sheet, &model->material, low_hz, top, 0);
    }
    for (int i = 0; i < PARTS; i++) {
        double hz = low_hz * pow(high_hz / low_hz, (i + 0.5) / PARTS);
        expected += power_at(&self, hz) * hz;
    }
    expected *= log(high_hz / low_hz) / PARTS;
    double ratio = expected > 0 ? power / expected : 0;
    if (self.is_sheet && ratio > 0) {
        int exact;
        double wave = sb_model_beyond_wavenumber(model, high_hz);
        double air = SB_TAU * high_hz / SB_AIR_SPEED;
        self.waves.offset_db = 10 * log10(ratio);
        self.waves.offset_hz = high_hz;
        if (sb_model_radiating(model, &exact) == SB_RADIATES_EXACT)
            self.waves.coincidence_hz = high_hz * pow(wave / air, 2);
        ratio = 1;
    }
    for (int i = 0; i < count; i++)
        powers[i] = ratio * power_at(&self, freqs_hz[i]);
}

/* --- places --------------------------------------------------------------- */

bool sb_model_beyond_at(const sb_model *model, sb_model_point point,
                        const double *freqs_hz, int count, double *factors) {
    sb_wave_sheet sheet;
    const sb_shape *shape = &model->shape;
    if (shape->support == SB_SUPPORT_CLAMPED_FREE ||
        !sb_model_wave_sheet(model, &sheet))
        return false;
    sb_vec3 at = sb_model_position(model, point);
    double edges_m[2] = {0.5 * shape->width - fabs(at.x),
                         0.5 * shape->depth - fabs(at.z)};
    if (shape->radius > 0) {
        edges_m[0] = shape->radius - sqrt(at.x * at.x + at.z * at.z);
        edges_m[1] = INFINITY;
    }
    for (int i = 0; i < 2; i++)
        edges_m[i] = fmax(edges_m[i], 0);
    for (int i = 0; i < count; i++) {
        double k = sb_bending_wavenumber(&model->material, sheet.thickness_m,
                                         freqs_hz[i]);
        factors[i] = short_waves_at(&sheet, k, edges_m);
    }
    return true;
}
