/* Third octaves of noise in place of modes that a model does not hold
 * (beyond_part.h). Runs on the thread that owns the plan. */
#include "runtime/scene/plan/beyond_part.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/scene/plan/diffuse_part.h"

#include <math.h>
#include <string.h>

/* The lowest third octave is the one about 20 Hz. */
enum { FIRST_THIRD = -17, PARTS = 6, LAST_MODES = 32, ROUNDS = 2 };

/* A band whose remaining part is narrower than this is left out. */
#define NARROW 1.03

#define FASTEST_PER_S 2e4
#define SLOWEST_PER_S 1e-3

static bool wants(const sb_planned *planned, const sb_beyond *beyond) {
    const sb_diffuse_part *part = &planned->def.diffuse;
    return beyond->is_cut && !part->is_on && !part->is_off &&
           (!beyond->is_chosen || part->is_wanted);
}

static double third_edge(int third) {
    return 1000.0 * exp2((third - 0.5) / 3.0);
}

static void lay_out(double to_hz, sb_diffuse_def *def) {
    while (def->band_count < SB_DIFFUSE_BANDS) {
        double low = third_edge(FIRST_THIRD + def->band_count);
        double high =
            fmin(third_edge(FIRST_THIRD + def->band_count + 1), to_hz);
        if (high < NARROW * low) return;
        def->bands[def->band_count++] = (sb_diffuse_band){low, high, 0.0, 1.0};
    }
}

/* --- the last modes -------------------------------------------------------- */

/* Their third octave, but some modes at least; their power sum g^2 <phi^2> / 2;
 * and what each counts at a place. */
typedef struct last_modes {
    int first, count;
    double low_hz, high_hz, power;
} last_modes;

static last_modes find_last(const sb_planned *planned, double from_hz,
                            const double *mean, sb_diffuse_def *def) {
    const sb_mode *modes = sb_model_modes(planned->model);
    int all = sb_model_mode_count(planned->model);
    last_modes last = {.first = all - 1, .high_hz = from_hz};
    while (last.first > 0 &&
           (modes[last.first - 1].freq_hz > from_hz * exp2(-1.0 / 3.0) ||
            all - last.first < LAST_MODES))
        last.first--;
    last.count = all - last.first;
    last.low_hz =
        last.first > 0
            ? 0.5 * (modes[last.first - 1].freq_hz + modes[last.first].freq_hz)
            : 0.5 * modes[0].freq_hz;
    for (int k = last.first; k < all; k++)
        last.power += 0.5 * modes[k].radiation * modes[k].radiation * mean[k];
    def->place_count =
        last.count < SB_DIFFUSE_PLACES ? last.count : SB_DIFFUSE_PLACES;
    def->first_place = all - def->place_count;
    double sum = 0.0;
    for (int k = def->first_place; k < all; k++)
        sum += modes[k].radiation * modes[k].radiation * mean[k];
    for (int i = 0; i < def->place_count; i++) {
        double g = modes[def->first_place + i].radiation;
        def->place[i] = sum > 0.0 ? (float)(g * g / sum) : 0.0f;
    }
    return last;
}

/* --- what they yield ------------------------------------------------------- */

static void fill_yields(sb_planned *planned, const last_modes *last,
                        const double *mean, double to_hz) {
    double from = last->high_hz,
           ratio = pow(to_hz / from, 1.0 / SB_YIELD_MODES);
    double sum = 0.0; /* <phi^2> per Hz */
    if (planned->def.nonlinear.is_on)
        return; /* springs have no weights there */
    for (int k = last->first; k < last->first + last->count; k++)
        sum += mean[k] / (last->high_hz - last->low_hz);
    for (int i = 0; i < SB_YIELD_MODES; i++) {
        double low = from * pow(ratio, i), high = low * ratio;
        double middle = sqrt(low * high);
        double denser =
            pow(middle / from, sb_model_beyond_growth(planned->model));
        planned->noise->yields[i] = (sb_yield_mode){
            .freq_hz = middle,
            .sigma_per_s = 0.5 * SB_PI * (high - low),
            .weight = sqrt(sum * denser * (high - low)),
        };
    }
    planned->noise->yield_count = SB_YIELD_MODES;
}

/* --- power and decay ------------------------------------------------------- */

static double sigma_at(const sb_planned *planned, double freq_hz) {
    const sb_mode *modes = sb_model_modes(planned->model);
    double last = modes[sb_model_mode_count(planned->model) - 1].sigma_per_s;
    double sigma =
        planned->def.has_material
            ? sb_material_sigma(&planned->def.material, SB_TAU * freq_hz)
            : last;
    return fmin(fmax(sigma, SLOWEST_PER_S), FASTEST_PER_S);
}

/* Integrals over the part of each band above from_hz. */
static void integrate(const sb_planned *planned, double from_hz,
                      const double *density, const double *freqs_hz,
                      sb_diffuse_def *def) {
    for (int b = 0; b < def->band_count; b++) {
        sb_diffuse_band *band = &def->bands[b];
        double low = fmax(band->low_hz, from_hz), sum = 0.0, lasting = 0.0;
        band->sigma_per_s =
            sigma_at(planned, sqrt(band->low_hz * band->high_hz));
        if (!(low < band->high_hz)) continue;
        double step = log(band->high_hz / low) / PARTS;
        for (int i = 0; i < PARTS; i++) {
            double hz = freqs_hz[b * PARTS + i];
            double power = density[b * PARTS + i] * hz * step;
            sum += power;
            lasting += power / sigma_at(planned, hz);
        }
        band->power = sum;
        if (lasting > 0.0) band->sigma_per_s = sum / lasting;
    }
}

static void list_points(double from_hz, const sb_diffuse_def *def,
                        double *freqs_hz) {
    for (int b = 0; b < def->band_count; b++) {
        const sb_diffuse_band *band = &def->bands[b];
        double low = fmin(fmax(band->low_hz, from_hz), band->high_hz);
        for (int i = 0; i < PARTS; i++)
            freqs_hz[b * PARTS + i] =
                low * pow(band->high_hz / low, (i + 0.5) / PARTS);
    }
}

/* --- overlap --------------------------------------------------------------- */

/* Share of the noise of one third octave that lies `away` bands higher: an
 * integral over the octaves about its middle (dsp/diffuse.c). */
static double overlap(int away) {
    enum { STEPS = 60, REACH = 8 };
    double edge = sqrt(exp2(1.0 / SB_DIFFUSE_STEEP) - 1.0), part = 0.0,
           all = 0.0;
    double k = (exp2(1.0 / 6.0) - exp2(-1.0 / 6.0)) / edge;
    for (int third = -REACH; third <= REACH; third++) {
        for (int j = 0; j < STEPS; j++) {
            double w = exp2((third - 0.5 + (j + 0.5) / STEPS) / 3.0);
            double x = (w - 1.0 / w) / k;
            double pass = w / pow(1.0 + x * x, SB_DIFFUSE_STEEP);
            all += pass;
            if (third == away) part += pass;
        }
    }
    return part / all;
}

/* Richardson and Lucy: powers whose sums with their overlaps are the wanted
 * ones, never negative. */
static void separate(sb_diffuse_def *def) {
    enum { REACH = 4 };
    double share[2 * REACH + 1], wanted[SB_DIFFUSE_BANDS];
    for (int away = -REACH; away <= REACH; away++)
        share[away + REACH] = overlap(away);
    for (int b = 0; b < def->band_count; b++)
        wanted[b] = def->bands[b].power;
    for (int round = 0; round < ROUNDS; round++) {
        double sum[SB_DIFFUSE_BANDS] = {0};
        for (int b = 0; b < def->band_count; b++) {
            for (int away = -REACH; away <= REACH; away++) {
                int to = b + away;
                if (to >= 0 && to < def->band_count)
                    sum[to] += share[away + REACH] * def->bands[b].power;
            }
        }
        for (int b = 0; b < def->band_count; b++) {
            if (sum[b] > 0.0) def->bands[b].power *= wanted[b] / sum[b];
        }
    }
}

/* --- all of it ------------------------------------------------------------- */

sb_status sb_planned_fill_beyond(sb_planned *planned, sb_error *err) {
    if (planned->def.diffuse.is_on) return SB_OK;
    sb_diffuse_def def = {.seed = sb_planned_noise_seed(planned->name),
                          .is_steep = true};
    sb_beyond beyond = sb_model_beyond(planned->model);
    sb_planned_drop_noise(planned);
    if (!wants(planned, &beyond)) return SB_OK;
    lay_out(fmin(beyond.to_hz, SB_BEYOND_MOST_HZ), &def);
    int count = def.band_count * PARTS;
    if (count == 0 || def.bands[def.band_count - 1].high_hz <= beyond.from_hz)
        return SB_OK;
    double *work = sb_alloc(2 * (size_t)count, sizeof *work);
    double *mean =
        sb_alloc((size_t)sb_model_mode_count(planned->model), sizeof *mean);
    bool is_well = work && mean && !sb_planned_make_noise(planned, err) &&
                   sb_planned_mean_squares(planned->model, mean);
    if (is_well) {
        last_modes last = find_last(planned, beyond.from_hz, mean, &def);
        list_points(beyond.from_hz, &def, work);
        sb_model_beyond_powers(planned->model, last.low_hz, last.high_hz,
                               last.power, work, count, work + count);
        integrate(planned, beyond.from_hz, work + count, work, &def);
        separate(&def);
        planned->noise->bands = def;
        fill_yields(planned, &last, mean,
                    def.bands[def.band_count - 1].high_hz);
    }
    sb_free(work);
    sb_free(mean);
    return is_well ? SB_OK
                   : sb_fail(err, SB_NO_MEMORY, "body '%s': out of memory",
                             planned->name);
}

sb_beyond_report sb_planned_beyond(const sb_planned *planned) {
    sb_beyond beyond = sb_model_beyond(planned->model);
    const sb_diffuse_def *bands = sb_planned_bands(planned);
    bool has_bands = !planned->def.diffuse.is_on && bands;
    sb_beyond_report report = {
        .is_cut = beyond.is_cut && (!beyond.is_chosen || has_bands) &&
                  !planned->def.diffuse.is_on && sb_planned_rings(planned),
        .has_bands = has_bands,
        .max_hz = beyond.to_hz,
    };
    int count = sb_model_mode_count(planned->model);
    if (count > 0)
        report.from_hz = sb_model_modes(planned->model)[count - 1].freq_hz;
    if (has_bands)
        report.bands_hz = bands->bands[bands->band_count - 1].high_hz;
    return report;
}
