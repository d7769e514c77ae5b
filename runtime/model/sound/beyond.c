/* Finds whether a model is cut, and the power of what is missing (beyond.h).
 * Thread: control, workers. */
#include "runtime/model/sound/beyond.h"

#include "runtime/base/pi.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/short_waves.h"

#include <math.h>

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
        self.waves.offset_db = 10 * log10(ratio);
        self.waves.offset_hz = high_hz;
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
        factors[i] = sb_short_waves_at(&sheet, k, edges_m);
    }
    return true;
}
