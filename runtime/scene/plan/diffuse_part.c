/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/diffuse_part.c -- modes of a body that are heard as noise.
 *
 * A body with a diffuse part has modes below its crossover and bands of noise
 * above, two per octave (dsp/bank/diffuse.h). Power and decay of a band follow from
 * the modes that it replaces, all of them together and independent of where
 * the body is struck:
 *
 *     p = sum g^2 <phi^2> / 2,    s = sum g^2 <phi^2> / sum (g^2 <phi^2> / s_k)
 *
 * <phi^2> is the mean over the surface. So a strike radiates as much energy, in
 * the mean, as it would by the modes. A band without modes has the power per Hz
 * of the nearest band that has some, and decays by the material's damping.
 *
 * Symbols: p power, s sigma_per_s.
 * Thread:  as the plan. Memory: the plan's.
 */
#include "runtime/scene/plan/planned.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/model.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/scene/plan/noise_part.h"

#include <math.h>
#include <string.h>

/* From 70 Hz up. */
enum { MOST_BANDS = 16 };

#define LN_1000 6.907755278982137

/* Upper limit of hearing, and bands per octave. */
#define HIGHEST_HZ 18000.0
#define BAND_RATIO 1.4142135623730951

/* Shortest and longest decay: a click, and practically endless. */
#define FASTEST_PER_S 2e4
#define SLOWEST_PER_S 1e-3

int sb_planned_mode_count(const sb_planned *planned) {
    int count = sb_model_mode_count(planned->model);
    if (!planned->def.diffuse.is_on || count == 0)
        return count + sb_planned_yield_count(planned) +
               sb_planned_click_count(planned);
    const sb_mode *modes = sb_model_modes(planned->model);
    int kept = 1;
    while (kept < count &&
           modes[kept].freq_hz < planned->def.diffuse.crossover_hz)
        kept++;
    return kept;
}

/* Bands of their own accord; they are the same for the same model. */
static bool has_beyond(const sb_planned *planned) {
    return !planned->def.diffuse.is_on && sb_planned_bands(planned);
}

bool sb_diffuse_part_is_same(const sb_planned *a, const sb_planned *b) {
    const sb_diffuse_part *c = &a->def.diffuse, *d = &b->def.diffuse;
    if (!c->is_on && !d->is_on) return has_beyond(a) == has_beyond(b);
    if (c->is_on != d->is_on || c->crossover_hz != d->crossover_hz ||
        c->level != d->level || c->t60_count != d->t60_count) {
        return false;
    }
    for (int i = 0; i < c->t60_count; i++) {
        if (c->t60[i].freq_hz != d->t60[i].freq_hz ||
            c->t60[i].t60_s != d->t60[i].t60_s) {
            return false;
        }
    }
    return true;
}

bool sb_diffuse_part_is_alike(const sb_planned *a, const sb_planned *b) {
    const sb_diffuse_part *c = &a->def.diffuse, *d = &b->def.diffuse;
    return c->is_on == d->is_on && has_beyond(a) == has_beyond(b) &&
           (!c->is_on || c->crossover_hz == d->crossover_hz) &&
           sb_planned_mode_count(a) == sb_planned_mode_count(b);
}

/* --- sums over modes ----------------------------------------------------- */

/* Sums over the modes in a band. */
typedef struct heap {
    double power;   /* sum a, a = g^2 <phi^2> / 2 */
    double lasting; /* sum a / s */
    double air;     /* sum a times what is lost by radiation, 1/s */
    int count;
} heap;

/* Points spread evenly but not on a grid, which could coincide with the nodes of
 * a mode. Coordinates of a disk are not even, but its area is. */
static sb_model_point sample_point(const sb_planned *planned, int i) {
    const sb_model *model = planned->model;
    const sb_shape *shape = &planned->def.shape;
    /* Powers of 1 / 1.3247: the golden ratio in two dimensions. */
    double u = fmod(0.5 + i * 0.7548776662466927, 1.0);
    double v = fmod(0.5 + i * 0.5698402909980532, 1.0);
    if (shape->kind != SB_SHAPE_DISK) return sb_model_point_at(model, u, v);
    double r = shape->radius * sqrt(u);
    return sb_model_nearest(model, (sb_vec3){r * cos(SB_TAU * v),
                                             0.5 * shape->thickness,
                                             r * sin(SB_TAU * v)});
}

/* <phi^2> of every mode; false when out of memory. Without surface coordinates
 * all modes count as those of a point mass. */
bool sb_planned_mean_squares(const sb_planned *planned, double *mean) {
    enum { PLACES = 48 };
    const sb_model *model = planned->model;
    int count = sb_model_mode_count(model);
    double *weights = sb_alloc((size_t)count, sizeof *weights);
    if (!weights) return false;
    bool has_uv = sb_model_has_uv(model);
    for (int k = 0; k < count; k++)
        mean[k] = has_uv ? 0.0 : 1.0 / sb_model_mass_kg(model);
    for (int i = 0; has_uv && i < PLACES; i++) {
        sb_model_weights(model, sample_point(planned, i), NULL, weights);
        for (int k = 0; k < count; k++)
            mean[k] += weights[k] * weights[k] / PLACES;
    }
    sb_free(weights);
    return true;
}

static void add_mode(heap *to, const sb_mode *mode, double mean) {
    double a = 0.5 * mode->radiation * mode->radiation * mean;
    to->power += a;
    to->lasting += a / fmax(mode->sigma_per_s, SLOWEST_PER_S);
    to->air += a * sb_radiation_loss(mode->radiation);
    to->count++;
}

static int band_of(const sb_diffuse_def *def, double freq_hz) {
    for (int b = 0; b < def->band_count; b++) {
        if (freq_hz >= def->bands[b].low_hz && freq_hz < def->bands[b].high_hz)
            return b;
    }
    return -1;
}

static double own_sigma(const sb_planned *planned, double freq_hz,
                        const heap *near) {
    const sb_material *material = &planned->def.material;
    double omega = SB_TAU * freq_hz;
    double air = sb_model_loses(planned->model) && near->power > 0.0
                     ? near->air / near->power
                     : 0.0;
    if (planned->def.has_material && material->alpha + material->beta > 0.0)
        return 0.5 * (material->alpha + material->beta * omega * omega) + air;
    return near->lasting > 0.0 ? near->power / near->lasting : 1.0;
}

static double asked_sigma(const sb_diffuse_part *part, double freq_hz) {
    int last = part->t60_count - 1, i = 0;
    while (i < last && part->t60[i + 1].freq_hz < freq_hz)
        i++;
    double t60_s = part->t60[i].t60_s;
    if (i < last && freq_hz > part->t60[i].freq_hz) {
        double share = log(freq_hz / part->t60[i].freq_hz) /
                       log(part->t60[i + 1].freq_hz / part->t60[i].freq_hz);
        t60_s *= pow(part->t60[i + 1].t60_s / t60_s, share);
    }
    return LN_1000 / t60_s;
}

/* --- the bands ----------------------------------------------------------- */

uint32_t sb_planned_noise_seed(const char *name) {
    uint32_t seed = 0;
    for (const char *c = name; *c; c++)
        seed = seed * 31u + (unsigned char)*c;
    return seed;
}

static void lay_out(const sb_planned *planned, sb_diffuse_def *def) {
    double low = planned->def.diffuse.crossover_hz;
    memset(def, 0, sizeof *def);
    def->seed = sb_planned_noise_seed(planned->name);
    while (def->band_count < MOST_BANDS && low < HIGHEST_HZ) {
        def->bands[def->band_count++] =
            (sb_diffuse_band){low, low * BAND_RATIO, 0.0, 1.0};
        low *= BAND_RATIO;
    }
}

/* The nearest band with modes; else all modes of the body, spread evenly from 0
 * Hz over `width_hz`. */
static const heap *nearest(const sb_diffuse_def *def, const heap *heaps, int b,
                           const heap *all, double *width_hz) {
    for (int away = 0; away < def->band_count; away++) {
        for (int side = -1; side <= 1; side += 2) {
            int at = b + side * away;
            if (at < 0 || at >= def->band_count || heaps[at].count == 0)
                continue;
            *width_hz = def->bands[at].high_hz - def->bands[at].low_hz;
            return &heaps[at];
        }
    }
    return all;
}

static void fill(const sb_planned *planned, const heap *heaps, const heap *all,
                 sb_diffuse_def *def) {
    const sb_diffuse_part *part = &planned->def.diffuse;
    const sb_model *model = planned->model;
    int count = sb_model_mode_count(model);
    for (int b = 0; b < def->band_count; b++) {
        sb_diffuse_band *band = &def->bands[b];
        double middle = sqrt(band->low_hz * band->high_hz);
        double width_hz =
            count > 0 ? sb_model_modes(model)[count - 1].freq_hz : 1.0;
        const heap *from = nearest(def, heaps, b, all, &width_hz);
        double sigma = heaps[b].count > 0 ? from->power / from->lasting
                                          : own_sigma(planned, middle, from);
        if (part->t60_count > 0) sigma = asked_sigma(part, middle);
        band->power = part->level * part->level * from->power *
                      (band->high_hz - band->low_hz) / width_hz;
        /* Modes that do not radiate leave 0 / 0. */
        if (!(sigma > SLOWEST_PER_S)) sigma = SLOWEST_PER_S;
        band->sigma_per_s = fmin(sigma, FASTEST_PER_S);
    }
}

sb_status sb_planned_fill_bands(sb_planned *planned, sb_error *err) {
    if (!planned->def.diffuse.is_on) return SB_OK;
    sb_status status = sb_planned_make_noise(planned, err);
    if (status) return status;
    sb_diffuse_def *bands = &planned->noise->bands;
    heap heaps[SB_DIFFUSE_BANDS] = {{0}}, all = {0};
    const sb_mode *modes = sb_model_modes(planned->model);
    int count = sb_model_mode_count(planned->model);
    double *mean = sb_alloc((size_t)count, sizeof *mean);
    bool is_well = mean && sb_planned_mean_squares(planned, mean);
    lay_out(planned, bands);
    for (int k = 0; is_well && k < count; k++) {
        int b = band_of(bands, modes[k].freq_hz);
        add_mode(&all, &modes[k], mean[k]);
        if (b >= 0) add_mode(&heaps[b], &modes[k], mean[k]);
    }
    sb_free(mean);
    if (!is_well) return sb_no_memory(err, "body '%s'", planned->name);
    fill(planned, heaps, &all, bands);
    return SB_OK;
}

void sb_planned_touched_bands(const sb_planned *planned,
                              const double *added_per_s, sb_diffuse_def *out) {
    double sum[SB_DIFFUSE_BANDS] = {0}, last = 0.0, all = 0.0;
    int in_band[SB_DIFFUSE_BANDS] = {0};
    int count = sb_model_mode_count(planned->model);
    *out = planned->noise->bands;
    for (int k = 0; k < count; k++) {
        int b = band_of(out, sb_model_modes(planned->model)[k].freq_hz);
        all += added_per_s[k] / count;
        if (b < 0) continue;
        sum[b] += added_per_s[k];
        in_band[b]++;
    }
    /* A band without modes is damped like the one below; the first like all
     * modes together. */
    last = all;
    for (int b = 0; b < out->band_count; b++) {
        if (in_band[b] > 0) last = sum[b] / in_band[b];
        out->bands[b].sigma_per_s =
            fmin(out->bands[b].sigma_per_s + last, FASTEST_PER_S);
    }
}
