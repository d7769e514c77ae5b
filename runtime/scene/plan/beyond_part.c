/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/beyond_part.c -- noise for the modes that are too many.
 *
 * Where a model is cut below max_hz (model/sound/beyond.h), bands of noise take
 * over from its last mode to max_hz or 19.8 kHz, by themselves. They are the
 * sixth octaves about 1 kHz, the same for every body, so that a body that
 * changes its pitch keeps its bands. Power and decay of a band follow from the
 * modes that it replaces,
 *
 *     p = integral P df,    s = p / integral (P / sigma) df
 *
 * over the part of the band above the last mode; sigma is the material's. The
 * filters of neighbouring bands overlap: the powers are chosen so that the sums
 * in each band are right.
 *
 * A force counts by how much the missing modes move where it acts
 * (sb_model_beyond_at), or the last modes where the shape does not say.
 *
 * The missing modes also yield to what presses on the body: together they are a
 * resistance, 1 / (8 sqrt(D rho h)) for a plate. SB_YIELD_MODES silent modes,
 * spaced evenly from the last mode to max_hz and half as wide as their distance,
 * have the same mobility (n / 4M) <phi^2> in the mean. They are so many because
 * their damping must not reach beyond max_hz: a hard striker on a thin sheet
 * chatters there, and comes off sooner where that is damped.
 *
 * In strongly damped bodies some of these modes are heard and there is less
 * noise, or none: see below.
 *
 * A number of modes that the script gives is a choice and not a lack: then
 * there are bands only if the script wants them (diffuse = true).
 *
 * Thread: as the plan. Memory: the plan's.
 * Source: Cremer, Heckl and Petersson, Structure-Borne Sound, 2005 (mobility of
 *         dense modes).
 */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <string.h>

/* --- missing modes of strongly damped bodies -----------------------------------
 *
 * A band of noise (dsp/bank/diffuse.h) hears a force through filters that ring on
 * with about 0.7 f per second, and reaches a little into its neighbours. That
 * is right for modes that last longer. Those of woods and plastics, of loss
 * factors of 0.01 and more, do not: noise in their place is 3 to 50 dB too loud
 * once the sound has fallen by some tens of dB, the higher the more.
 *
 * But their resonances are so wide, s / pi, that a few of them fill a band. So
 * where the material damps strongly at max_hz, modes that each stand for their
 * neighbours are heard instead of noise, from the frequency on where
 *
 *     integral pi / (2 s) df  <=  half their number,
 *
 * that is, where one per 2 s / pi is enough for half of them to be dense. Half
 * are spaced like that, half evenly in octaves. Each has the power and mobility
 * of what it stands for, the material's decay, and the shape of a plane wave in
 * a direction of its own, so that places differ as they do with modes. Below
 * that frequency there is noise as elsewhere.
 *
 * Symbols: s sigma_per_s.
 */

/* Up to this loss factor at max_hz noise and modes are equally loud within 2 dB
 * (test_beyond_seam). */
#define HEARD_LOSS 0.01

/* Directions and phases that fill a sphere and a turn evenly: powers of 1 /
 * 1.2207, the golden ratio of three dimensions. */
#define STEP_1 0.8191725133961645
#define STEP_2 0.6710436067037893
#define STEP_3 0.5497004779019703

enum { GRID = 1024 };

/* Whether a body of this loss factor at max_hz, whose other parts are as defined,
 * has them. */
static bool heard_is_needed(const sb_body_def *def, double loss) {
    /* Springs have no weights for them. */
    return loss > HEARD_LOSS && !def->nonlinear.is_on;
}

#define FASTEST_PER_S 2e4
#define SLOWEST_PER_S 1e-3

/* Decay of missing modes at a frequency, 1/s. */
static double missing_sigma(const sb_planned *planned, double freq_hz) {
    const sb_mode *modes = sb_model_modes(planned->model);
    double last = modes[sb_model_mode_count(planned->model) - 1].sigma_per_s;
    double sigma =
        planned->def.has_material
            ? sb_material_sigma(&planned->def.material, SB_TAU * freq_hz)
            : last;
    return fmin(fmax(sigma, SLOWEST_PER_S), FASTEST_PER_S);
}

/* Frequencies of a grid of equal ratios, the middle of each cell. */
static double grid_hz(double from_hz, double to_hz, double cell) {
    return from_hz * pow(to_hz / from_hz, cell / GRID);
}

static double needed(const sb_planned *planned, double from_hz, double to_hz,
                     int cell) {
    double hz = grid_hz(from_hz, to_hz, cell + 0.5);
    double width = hz * log(to_hz / from_hz) / GRID;
    return SB_PI / 2 * width / missing_sigma(planned, hz);
}

/* The frequency from which on they are heard: `from_hz` or above. */
static double heard_from(const sb_planned *planned, double from_hz,
                         double to_hz) {
    double sum = 0;
    int cell = GRID;
    while (cell > 0) {
        sum += needed(planned, from_hz, to_hz, cell - 1);
        /* Some modes are silent if there is noise. */
        if (sum > (SB_YIELD_MOST - SB_YIELD_MODES) / 2.0 &&
            (cell > 1 || sum > SB_YIELD_MOST / 2.0))
            break;
        cell--;
    }
    return cell > 0 ? grid_hz(from_hz, to_hz, cell) : from_hz;
}

static sb_yield_mode mode_at(const sb_planned *planned, int i, double hz,
                             double width_hz) {
    double up = 2 * fmod(0.5 + i * STEP_1, 1.0) - 1, flat = sqrt(1 - up * up);
    double turn = SB_TAU * fmod(0.5 + i * STEP_2, 1.0);
    double k = sb_model_beyond_wavenumber(planned->model, hz);
    return (sb_yield_mode){
        .freq_hz = hz,
        .sigma_per_s = missing_sigma(planned, hz),
        .weight = width_hz,
        .is_heard = true,
        .wave_per_m = {k * flat * cos(turn), k * up, k * flat * sin(turn)},
        .phase = SB_TAU * fmod(0.5 + i * STEP_3, 1.0),
    };
}

/* Adds them to the silent ones; sets frequency, decay and `weight` as the width
 * of its share in Hz. The caller computes weight and radiation from it. */
static void heard_place(sb_planned *planned, double from_hz, double to_hz) {
    sb_noise_part *noise = planned->noise;
    int silent = noise->yield_count, count = SB_YIELD_MOST - silent;
    double all = 0, sum = 0, low_hz = from_hz, ends[2] = {0};
    for (int cell = 0; cell < GRID; cell++)
        all += needed(planned, from_hz, to_hz, cell);
    /* Where the share of all that has passed is i / count one ends, and where
     * it is half past one lies its middle. */
    int halves = 1;
    for (int cell = 0; cell < GRID; cell++) {
        double part =
            0.5 * needed(planned, from_hz, to_hz, cell) / all + 0.5 / GRID;
        double next = cell == GRID - 1 ? 1 : sum + part;
        while (halves <= 2 * count && halves / (2.0 * count) <= next) {
            double at = cell + (halves / (2.0 * count) - sum) / part;
            ends[halves % 2] = grid_hz(from_hz, to_hz, fmin(at, GRID));
            if (halves % 2 == 0) {
                noise->yields[noise->yield_count] = mode_at(
                    planned, noise->yield_count, ends[1], ends[0] - low_hz);
                noise->yield_count++;
                low_hz = ends[0];
            }
            halves++;
        }
        sum = next;
    }
}

/* --- bands and silent modes --------------------------------------------------- */

/* Sixths of an octave above 1 kHz of the lowest edge, about 20 Hz. */
enum { FIRST_EDGE = -35, PARTS = 4, LAST_MODES = 32, ROUNDS = 2 };

/* A band whose remaining part is narrower than this is left out. */
#define NARROW 1.03

static double edge_hz(int band) {
    return 1000.0 * exp2((FIRST_EDGE + band) / 6.0);
}

static void lay_out(double to_hz, sb_diffuse_def *def) {
    while (def->band_count < SB_DIFFUSE_BANDS) {
        double low = edge_hz(def->band_count);
        double high = fmin(edge_hz(def->band_count + 1), to_hz);
        if (high < NARROW * low) return;
        def->bands[def->band_count++] = (sb_diffuse_band){low, high, 0.0, 1.0};
    }
}

/* Bands end below max_hz and SB_BEYOND_MOST_HZ: modes that reach farther need
 * none. */
sb_beyond_report sb_beyond_of(const sb_model *model,
                              const sb_diffuse_part *part, bool is_nonlinear) {
    sb_beyond beyond = sb_model_beyond(model);
    int all = sb_model_mode_count(model);
    sb_diffuse_def def = {.band_count = 0};
    sb_beyond_report report = {.max_hz = beyond.to_hz};
    bool is_left_out = beyond.is_chosen && !part->is_wanted;
    if (all == 0) return report;
    report.from_hz = sb_model_modes(model)[all - 1].freq_hz;
    if (!beyond.is_cut || part->is_on || is_left_out) return report;
    lay_out(fmin(beyond.to_hz, SB_BEYOND_MOST_HZ), &def);
    if (def.band_count > 0)
        report.bands_hz = def.bands[def.band_count - 1].high_hz;
    bool is_room = report.bands_hz > beyond.from_hz;
    report.has_bands = is_room && !part->is_off;
    report.is_off = is_room && part->is_off;
    report.is_rough =
        report.has_bands && is_nonlinear && beyond.loss > HEARD_LOSS;
    report.is_cut = true;
    return report;
}

/* --- the last modes -------------------------------------------------------- */

/* Their third octave, but some modes at least; their power sum g^2 <phi^2> / 2;
 * and what each counts at a place. */
typedef struct last_modes {
    int first, count;
    double low_hz, high_hz, power;
    double per_hz; /* <phi^2> of all of them per Hz */
    bool loses;    /* what they radiate (hearing.h) */
} last_modes;

static last_modes find_last(const sb_planned *planned, double from_hz,
                            const double *mean) {
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
    for (int k = last.first; k < all; k++) {
        last.power += 0.5 * modes[k].radiation * modes[k].radiation * mean[k];
        last.per_hz += mean[k] / (last.high_hz - last.low_hz);
    }
    last.loses = sb_model_loses(planned->model);
    return last;
}

/* What they count at a place. */
static void count_last(const sb_planned *planned, const last_modes *last,
                       const double *mean) {
    const sb_mode *modes = sb_model_modes(planned->model);
    sb_noise_part *noise = planned->noise;
    int all = sb_model_mode_count(planned->model);
    noise->last_count =
        last->count < SB_DIFFUSE_PLACES ? last->count : SB_DIFFUSE_PLACES;
    noise->first_last = all - noise->last_count;
    double sum = 0.0;
    for (int k = noise->first_last; k < all; k++)
        sum += modes[k].radiation * modes[k].radiation * mean[k];
    for (int i = 0; i < noise->last_count; i++) {
        double g = modes[noise->first_last + i].radiation;
        noise->last[i] = sum > 0.0 ? (float)(g * g / sum) : 0.0f;
    }
}

/* A place is as loud as it yields, each band as the silent mode next to its
 * middle; without silent modes as the last ones move. */
static void fill_places(const sb_planned *planned, sb_diffuse_def *def) {
    const sb_noise_part *noise = planned->noise;
    def->first_place = noise->first_last;
    def->place_count = noise->last_count;
    memcpy(def->place, noise->last, sizeof def->place);
    if (noise->yield_count == 0) return;
    def->is_toned = true;
    def->first_place = sb_model_mode_count(planned->model);
    def->place_count = noise->yield_count;
    for (int i = 0; i < noise->yield_count; i++) {
        double weight = noise->yields[i].weight;
        def->place[i] =
            weight > 0.0 ? (float)(1.0 / (noise->yield_count * weight * weight))
                         : 0.0f;
    }
    for (int b = 0; b < def->band_count; b++) {
        double middle = sqrt(def->bands[b].low_hz * def->bands[b].high_hz);
        int i = 0;
        while (i < noise->yield_count - 1 && noise->yields[i].freq_hz < middle)
            i++;
        def->place_of[b] = (unsigned char)i;
    }
}

/* --- what they yield ------------------------------------------------------- */

/* <phi^2> per Hz at a frequency. */
static double per_hz_at(const sb_planned *planned, const last_modes *last,
                        double freq_hz) {
    double density = last->count / (last->high_hz - last->low_hz);
    return last->per_hz * sb_model_beyond_denser(planned->model, last->high_hz,
                                                 density, freq_hz);
}

/* The weight of one that stands for `step` Hz. */
static double yield_weight(const sb_planned *planned, const last_modes *last,
                           double freq_hz, double step) {
    return sqrt(per_hz_at(planned, last, freq_hz) * step);
}

/* Decay with what they radiate: P = n <g^2> <phi^2> / 2. */
static double heard_sigma(const sb_planned *planned, const last_modes *last,
                          double freq_hz, double power) {
    double square = per_hz_at(planned, last, freq_hz);
    double air = last->loses && square > 0
                     ? sb_radiation_loss(sqrt(2 * power / square))
                     : 0;
    return fmin(missing_sigma(planned, freq_hz) + air, FASTEST_PER_S);
}

/* Weight and radiation of those that are heard. */
static void weigh_heard(sb_planned *planned, const last_modes *last) {
    sb_noise_part *noise = planned->noise;
    double freqs_hz[SB_YIELD_MOST], powers[SB_YIELD_MOST];
    for (int i = 0; i < noise->yield_count; i++)
        freqs_hz[i] = noise->yields[i].freq_hz;
    sb_model_beyond_powers(planned->model, last->low_hz, last->high_hz,
                           last->power, freqs_hz, noise->yield_count, powers);
    for (int i = 0; i < noise->yield_count; i++) {
        sb_yield_mode *yield = &noise->yields[i];
        double step = yield->weight;
        if (!yield->is_heard) continue;
        yield->weight = yield_weight(planned, last, yield->freq_hz, step);
        yield->sigma_per_s =
            heard_sigma(planned, last, yield->freq_hz, powers[i]);
        if (yield->weight > 0.0)
            yield->radiation = sqrt(2.0 * powers[i] * step) / yield->weight;
    }
}

/* Silent ones up to heard_hz, and from there ones that are heard. */
static void fill_yields(sb_planned *planned, const last_modes *last,
                        double heard_hz, double to_hz) {
    double from = last->high_hz, step = (heard_hz - from) / SB_YIELD_MODES;
    sb_noise_part *noise = planned->noise;
    if (planned->def.nonlinear.is_on)
        return; /* springs have no weights there */
    for (int i = 0; heard_hz > from && i < SB_YIELD_MODES; i++) {
        double middle = from + (i + 0.5) * step;
        noise->yields[noise->yield_count++] = (sb_yield_mode){
            .freq_hz = middle,
            .sigma_per_s = 0.5 * SB_PI * step,
            .weight = yield_weight(planned, last, middle, step),
        };
    }
    if (!(heard_hz < to_hz)) return;
    heard_place(planned, heard_hz, to_hz);
    weigh_heard(planned, last);
}

/* --- power and decay ------------------------------------------------------- */

/* Integrals over the part of each band from from_hz to to_hz. */
static void integrate(const sb_planned *planned, const last_modes *last,
                      double from_hz, double to_hz, const double *density,
                      const double *freqs_hz, sb_diffuse_def *def) {
    for (int b = 0; b < def->band_count; b++) {
        sb_diffuse_band *band = &def->bands[b];
        double low = fmax(band->low_hz, from_hz), sum = 0.0, lasting = 0.0;
        double high = fmin(band->high_hz, to_hz);
        band->sigma_per_s =
            missing_sigma(planned, sqrt(band->low_hz * band->high_hz));
        if (!(low < high)) continue;
        double step = log(high / low) / PARTS;
        for (int i = 0; i < PARTS; i++) {
            double hz = freqs_hz[b * PARTS + i];
            double power = density[b * PARTS + i] * hz * step;
            sum += power;
            lasting +=
                power / heard_sigma(planned, last, hz, density[b * PARTS + i]);
        }
        band->power = sum;
        if (lasting > 0.0) band->sigma_per_s = sum / lasting;
    }
}

static void list_points(double from_hz, double to_hz, const sb_diffuse_def *def,
                        double *freqs_hz) {
    for (int b = 0; b < def->band_count; b++) {
        const sb_diffuse_band *band = &def->bands[b];
        double low = fmin(fmax(band->low_hz, from_hz), band->high_hz);
        double high = fmax(fmin(band->high_hz, to_hz), low);
        for (int i = 0; i < PARTS; i++)
            freqs_hz[b * PARTS + i] = low * pow(high / low, (i + 0.5) / PARTS);
    }
}

/* --- overlap --------------------------------------------------------------- */

/* Share of the noise of one band that lies `away` bands higher: an
 * integral over the octaves about its middle (dsp/bank/diffuse.c). */
static double overlap(int away) {
    enum { STEPS = 60, REACH = 8 };
    double width = exp2(1.0 / 12.0) - exp2(-1.0 / 12.0), part = 0.0, all = 0.0;
    for (int band = -REACH; band <= REACH; band++) {
        for (int j = 0; j < STEPS; j++) {
            double w = exp2((band - 0.5 + (j + 0.5) / STEPS) / 6.0);
            double x = (w - 1.0 / w) / width;
            double pass = w / (1.0 + pow(x * x, SB_DIFFUSE_STEEP));
            all += pass;
            if (band == away) part += pass;
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
    if (!sb_planned_beyond(planned).has_bands) return SB_OK;
    lay_out(fmin(beyond.to_hz, SB_BEYOND_MOST_HZ), &def);
    int count = def.band_count * PARTS;
    double *work = sb_alloc(2 * (size_t)count, sizeof *work);
    double *mean =
        sb_alloc((size_t)sb_model_mode_count(planned->model), sizeof *mean);
    bool is_well = work && mean && !sb_planned_make_noise(planned, err) &&
                   sb_planned_mean_squares(planned, mean);
    if (is_well) {
        last_modes last = find_last(planned, beyond.from_hz, mean);
        count_last(planned, &last, mean);
        double heard_hz = beyond.to_hz;
        if (heard_is_needed(&planned->def, beyond.loss))
            heard_hz = heard_from(planned, beyond.from_hz, beyond.to_hz);
        list_points(beyond.from_hz, heard_hz, &def, work);
        sb_model_beyond_powers(planned->model, last.low_hz, last.high_hz,
                               last.power, work, count, work + count);
        integrate(planned, &last, beyond.from_hz, heard_hz, work + count, work,
                  &def);
        separate(&def);
        fill_yields(planned, &last, heard_hz, beyond.to_hz);
        fill_places(planned, &def);
        planned->noise->bands = def;
    }
    sb_free(work);
    sb_free(mean);
    return is_well ? SB_OK : sb_no_memory(err, "body '%s'", planned->name);
}

sb_beyond_report sb_planned_beyond(const sb_planned *planned) {
    sb_beyond_report report = sb_beyond_of(
        planned->model, &planned->def.diffuse, planned->def.nonlinear.is_on);
    report.is_cut = report.is_cut && sb_planned_rings(planned);
    return report;
}
