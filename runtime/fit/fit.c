/* SPDX-License-Identifier: MIT */
#include "runtime/fit/fit.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/refine_modes.h"
#include "runtime/model/linear/blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A component whose T60 exceeds this many recording lengths is taken for
 * hum. */
#define MOST_T60_LENGTHS 20.0
#define LEAST_T60_S      0.008

/* The noise level is measured over the whole residual and over its beginnings,
 * each a quarter as long as the one before, so that decaying noise is not taken
 * for modes. */
enum { SPAN_COUNT = 4 };
#define LEAST_SPAN_S 0.04

/* A mode must reduce the sum of squares by this multiple of the noise variance,
 * plus a part per recording, since each adds two free parameters. For
 * comparison: the best of the million sine waves that can be fitted to the
 * noise of one recording explains about 30. */
#define LEAST_GAIN          60.0
#define LEAST_GAIN_PER_TAKE 8.0
/* A mode whose decay has a larger relative standard deviation is dropped. */
#define MOST_DOUBT 0.25
/* The noise level of a mode is measured up to this far to both sides. */
#define NEAR_HZ 250.0
/* Each round of dropping is followed by another fit; rounds are limited. */
enum { MOST_DROPS = 12, STEPS_AFTER_DROP = 3 };
/* Modes must explain this part of the power that is not steady noise. Otherwise
 * the recording is decaying noise, such as a rustle or a clap. */
#define LEAST_EXPLAINED 0.2
/* Band rate, span and window of each search; see search.h. */
static const struct {
    double band_rate_hz, span_s;
    int rows;
} looks[] = {{750.0, 1e9, 96}, {750.0, 0.5, 96}, {3000.0, 0.12, 96}};
/* Room for more modes than requested, since some are dropped later. */
enum { SPARE_MODES = 64, MOST_FOUND = 4096 };
/* With many modes a step takes long, so fewer are done. */
enum { STEPS = 12, MANY_MODES = 120, STEPS_OF_MANY = 4 };
enum { LOOK_COUNT = sizeof looks / sizeof looks[0], MOST_ROUNDS = 3 };

typedef struct fitter {
    sb_takes takes;
    sb_fit_def def;
    sb_refine *refine;
    double **rests;                   /* residual of each take */
    sb_density densities[SPAN_COUNT]; /* of the residuals, from the onset on */
    double spans_s[SPAN_COUNT];
    sb_refine_trust *trusts;
    sb_pole *found;
} fitter;

static double decay_of_t60(const fitter *f, double t60_s) {
    return log(1000.0) / (t60_s * f->takes.rate_hz);
}

static double t60_of_decay(const fitter *f, double decay) {
    return log(1000.0) / (decay * f->takes.rate_hz);
}

static double hz_of(const fitter *f, double turn) {
    return turn * f->takes.rate_hz / (2.0 * SB_PI);
}

static double most_t60_s(const fitter *f) {
    return MOST_T60_LENGTHS * sb_takes_length(&f->takes) / f->takes.rate_hz;
}

/* --- residuals ------------------------------------------------------------ */

/* Compute the residual of each take and its noise density. */
static sb_status find_rests(fitter *f, sb_error *err) {
    for (int r = 0; r < f->takes.count; r++)
        sb_refine_residual(f->refine, r, f->rests[r]);
    int span = sb_takes_length(&f->takes);
    for (int i = 0; i < SPAN_COUNT; i++, span /= 4) {
        f->spans_s[i] = (double)span / f->takes.rate_hz;
        sb_density_free(&f->densities[i]);
        if (i > 0 && f->spans_s[i] < LEAST_SPAN_S) continue;
        sb_status status =
            sb_density_make(&f->densities[i], &f->takes,
                            (const double *const *)f->rests, span, err);
        if (status) return status;
    }
    return SB_OK;
}

/* The highest noise level during the audible part of a mode with this decay. */
static double noise_near(const fitter *f, double freq_hz, double t60_s) {
    double reach_hz = fmin(fmax(0.3 * freq_hz, 15.0), NEAR_HZ);
    double noise = 0.01;
    for (int i = 0; i < SPAN_COUNT; i++) {
        const sb_density *density = &f->densities[i];
        if (!density->power || (i > 0 && f->spans_s[i] < 0.5 * t60_s)) break;
        double reach = fmax(reach_hz, 16.0 * density->bin_hz);
        noise = fmax(
            noise, sb_density_noise(density, freq_hz - reach, freq_hz + reach));
    }
    return noise;
}

/* --- dropping ------------------------------------------------------------- */

/* The largest gain of mode k in any recording. */
static double loudness(const fitter *f, int k) {
    double most = 0.0;
    for (int r = 0; r < f->takes.count; r++)
        most = fmax(most, f->takes.items[r].scale *
                              cabs(sb_refine_amplitude(f->refine, r, k)));
    return most;
}

/* A mode with a value below 1 is dropped; the lowest are dropped first. */
static double worth(const fitter *f, int k, double loudest) {
    const sb_pole *pole = &sb_refine_poles(f->refine)[k];
    const sb_refine_trust *trust = &f->trusts[k];
    double freq_hz = hz_of(f, pole->turn);
    double noise = noise_near(f, freq_hz, t60_of_decay(f, pole->decay));
    double least = LEAST_GAIN + LEAST_GAIN_PER_TAKE * f->takes.count;
    double value = trust->gain / (noise * least);
    double doubt = sqrt(noise) * trust->decay_deviation / pole->decay;
    value = fmin(value, MOST_DOUBT / fmax(doubt, 1e-9));
    double part = loudness(f, k) / loudest;
    value = fmin(value, part * pow(10.0, f->def.range_db / 20.0));
    if (freq_hz < f->def.low_hz || freq_hz > f->def.high_hz) value = 0.0;
    if (pole->decay <= 1.02 * decay_of_t60(f, most_t60_s(f))) value = 0.0;
    if (pole->decay >= 0.98 * decay_of_t60(f, LEAST_T60_S)) value = 0.0;
    return value;
}

/* Among overlapping modes that all have a value below 1, perhaps duplicates of
 * one mode, only the weakest is dropped per round. */
static bool has_worse_neighbour(const fitter *f, const double *worths, int k) {
    const sb_pole *poles = sb_refine_poles(f->refine);
    for (int j = 0; j < sb_refine_count(f->refine); j++) {
        double apart = fabs(poles[j].turn - poles[k].turn);
        double width = poles[j].decay + poles[k].decay;
        if (j != k && worths[j] < 1.0 && apart < 4.0 * width &&
            (worths[j] < worths[k] || (worths[j] == worths[k] && j < k))) {
            return true;
        }
    }
    return false;
}

/* Returns the number of modes dropped. */
static int drop_once(fitter *f) {
    int count = sb_refine_count(f->refine), dropped = 0;
    double loudest = 1e-300;
    for (int k = 0; k < count; k++)
        loudest = fmax(loudest, loudness(f, k));
    double *worths = sb_alloc((size_t)count + 1, sizeof *worths);
    if (!worths) return 0;
    for (int k = 0; k < count; k++)
        worths[k] = worth(f, k, loudest);
    for (int k = count - 1; k >= 0; k--) {
        if (worths[k] < 1.0) {
            worths[k] = has_worse_neighbour(f, worths, k) ? 1.0 : -1.0;
        }
    }
    for (int k = count - 1; k >= 0; k--) {
        if (worths[k] < 0.0) {
            sb_refine_remove(f->refine, k);
            dropped++;
        }
    }
    sb_free(worths);
    return dropped;
}

/* Drop the second of the two modes that are closest to each other. */
static void drop_double(fitter *f) {
    const sb_pole *poles = sb_refine_poles(f->refine);
    int count = sb_refine_count(f->refine), which = 0;
    double least = HUGE_VAL;
    for (int k = 1; k < count; k++) {
        for (int j = 0; j < k; j++) {
            double apart = hypot(poles[j].turn - poles[k].turn,
                                 poles[j].decay - poles[k].decay) /
                           (poles[j].decay + poles[k].decay);
            if (apart < least) {
                least = apart;
                which = k;
            }
        }
    }
    sb_refine_remove(f->refine, which);
}

static sb_status measure(fitter *f, int steps, sb_error *err) {
    while (!sb_refine_run(f->refine, steps))
        drop_double(f);
    return find_rests(f, err);
}

/* Refine by up to `steps` steps and drop untrustworthy modes, repeatedly, until
 * none is dropped. */
static sb_status settle(fitter *f, int steps, sb_error *err) {
    for (int round = 0; round < MOST_DROPS; round++) {
        int again = steps < STEPS_AFTER_DROP ? steps : STEPS_AFTER_DROP;
        sb_status status = measure(f, round == 0 ? steps : again, err);
        if (status) return status;
        if (!sb_refine_weigh(f->refine, f->trusts)) {
            drop_double(f);
        } else if (drop_once(f) == 0) {
            return SB_OK;
        }
    }
    sb_status status = measure(f, 0, err);
    (void)sb_refine_weigh(f->refine, f->trusts);
    return status;
}

sb_fit_def sb_fit_def_default(void) {
    return (sb_fit_def){20.0, 20000.0, 60.0, 128};
}

/* --- finding -------------------------------------------------------------- */

static bool is_known(const fitter *f, sb_pole pole) {
    const sb_pole *poles = sb_refine_poles(f->refine);
    for (int k = 0; k < sb_refine_count(f->refine); k++) {
        double apart_hz = fabs(hz_of(f, poles[k].turn - pole.turn));
        double ratio = pole.decay / poles[k].decay;
        if (apart_hz < 0.3 && ratio < 1.5 && ratio > 0.67) return true;
    }
    return false;
}

typedef struct ranked {
    double key;
    int mode;
} ranked;

static int by_key(const void *a, const void *b) {
    double x = ((const ranked *)a)->key, y = ((const ranked *)b)->key;
    return (x > y) - (x < y);
}

/* Add the found poles that are new, or the strongest of them if there is not
 * room for all. */
static void add_found(fitter *f, int count) {
    int room = f->def.max_modes + SPARE_MODES - sb_refine_count(f->refine);
    ranked *ranks = sb_alloc((size_t)count, sizeof *ranks);
    for (int k = 0; ranks && k < count; k++) {
        ranks[k] = (ranked){0.0, k};
        if (count > room) {
            ranks[k].key = -sb_refine_strength(
                &f->takes, (const double *const *)f->rests, f->found[k]);
        }
    }
    if (ranks && count > room)
        qsort(ranks, (size_t)count, sizeof *ranks, by_key);
    for (int k = 0; k < count; k++) {
        sb_pole pole = f->found[ranks ? ranks[k].mode : k];
        if (!is_known(f, pole) && !sb_refine_add(f->refine, pole)) break;
    }
    sb_free(ranks);
}

static sb_status look_once(fitter *f, int look, int *added, sb_error *err) {
    sb_search_def def = {.band_rate_hz = looks[look].band_rate_hz,
                         .span_s = looks[look].span_s,
                         .rows = looks[look].rows,
                         .low_hz = f->def.low_hz,
                         .high_hz = f->def.high_hz,
                         .least_t60_s = LEAST_T60_S,
                         .most_t60_s = most_t60_s(f),
                         .margin = 2.0,
                         .density = &f->densities[0]};
    int count = 0;
    *added = 0;
    sb_status status =
        sb_search_poles(&f->takes, (const double *const *)f->rests, &def,
                        f->found, MOST_FOUND, &count, err);
    if (status || count == 0) return status;
    int before = sb_refine_count(f->refine);
    add_found(f, count);
    if (sb_refine_count(f->refine) == before) return SB_OK;
    status = settle(f, 0, err); /* drop false detections */
    bool are_many = sb_refine_count(f->refine) > MANY_MODES;
    if (!status) status = settle(f, are_many ? STEPS_OF_MANY : STEPS, err);
    *added = sb_refine_count(f->refine) - before;
    return status;
}

static sb_status find_all(fitter *f, sb_error *err) {
    int idle = 0;
    sb_status status = find_rests(f, err);
    for (int i = 0; !status && i < MOST_ROUNDS * LOOK_COUNT; i++) {
        int added;
        status = look_once(f, i % LOOK_COUNT, &added, err);
        idle = added > 0 ? 0 : idle + 1;
        if (idle == LOOK_COUNT || sb_refine_count(f->refine) == 0) {
            if (i + 1 >= LOOK_COUNT) break;
        }
    }
    return status;
}

/* --- onsets --------------------------------------------------------------- */

/* The onset for which silence before it and modes after it explain a recording
 * best. Modes are extrapolated backwards from where they were fitted. */
static int better_onset(const fitter *f, int r) {
    const sb_take *take = &f->takes.items[r];
    int reach = f->takes.rate_hz / 100; /* 10 ms */
    int first = take->onset > reach ? take->onset - reach : 0;
    int last = take->onset + reach / 2;
    int best = take->onset;
    /* Squared error of silence minus that of the modes, summed from `first`. */
    double sum = 0.0, least = HUGE_VAL;
    for (int n = first; n <= last; n++) {
        if (sum < least) {
            least = sum;
            best = n;
        }
        double t = n - sb_take_start(take), model = 0.0;
        for (int k = 0; k < sb_refine_count(f->refine); k++) {
            sb_pole pole = sb_refine_poles(f->refine)[k];
            double complex c = sb_refine_amplitude(f->refine, r, k);
            model += exp(-pole.decay * t) * (creal(c) * cos(pole.turn * t) -
                                             cimag(c) * sin(pole.turn * t));
        }
        double x = take->all[n];
        sum += x * x - (x - model) * (x - model);
    }
    return best;
}

static sb_status place_onsets(fitter *f, sb_error *err) {
    for (int round = 0; round < 3; round++) {
        bool has_moved = false;
        for (int r = 0; r < f->takes.count; r++) {
            sb_take *take = &f->takes.items[r];
            int onset = better_onset(f, r);
            has_moved = has_moved || onset != take->onset;
            take->onset = onset;
        }
        if (!has_moved) break;
        sb_takes_set_lengths(&f->takes);
        sb_refine_forget(f->refine);
        sb_status status = settle(f, 4, err);
        if (status) return status;
    }
    return SB_OK;
}

/* --- all of it ------------------------------------------------------------ */

static sb_status prepare(fitter *f, const sb_recording *recordings, int count,
                         int rate_hz, sb_error *err) {
    sb_status status =
        sb_takes_make(&f->takes, recordings, count, rate_hz, err);
    if (status) return status;
    f->def.high_hz = fmin(f->def.high_hz, 0.46 * rate_hz);
    int capacity = f->def.max_modes + SPARE_MODES;
    f->trusts = sb_alloc((size_t)capacity, sizeof *f->trusts);
    f->found = sb_alloc(MOST_FOUND, sizeof *f->found);
    f->rests = sb_alloc((size_t)count, sizeof *f->rests);
    bool ok = f->trusts && f->found && f->rests;
    for (int r = 0; ok && r < count; r++) {
        f->rests[r] =
            sb_alloc((size_t)f->takes.items[r].all_count, sizeof(double));
        ok = f->rests[r] != NULL;
    }
    if (!ok) return sb_no_memory(err, "fit");
    return sb_refine_create(&f->refine, &f->takes, capacity,
                            decay_of_t60(f, most_t60_s(f)),
                            decay_of_t60(f, LEAST_T60_S), err);
}

static void release(fitter *f) {
    sb_refine_destroy(f->refine);
    for (int r = 0; f->rests && r < f->takes.count; r++)
        sb_free(f->rests[r]);
    sb_free(f->rests);
    for (int i = 0; i < SPAN_COUNT; i++)
        sb_density_free(&f->densities[i]);
    sb_free(f->trusts);
    sb_free(f->found);
    sb_takes_free(&f->takes);
}

static void put_mode(const fitter *f, int from, int to, sb_fit *out) {
    sb_pole pole = sb_refine_poles(f->refine)[from];
    sb_fit_mode *mode = &out->modes[to];
    mode->freq_hz = hz_of(f, pole.turn);
    mode->t60_s = t60_of_decay(f, pole.decay);
    double noise = sqrt(noise_near(f, mode->freq_hz, mode->t60_s));
    mode->freq_deviation_hz = noise * hz_of(f, f->trusts[from].turn_deviation);
    mode->t60_deviation_s =
        noise * mode->t60_s * f->trusts[from].decay_deviation / pole.decay;
    for (int r = 0; r < out->take_count; r++) {
        double complex c = sb_refine_amplitude(f->refine, r, from);
        size_t at = (size_t)to * (size_t)out->take_count + (size_t)r;
        /* Extrapolate back to the onset. */
        const sb_take *take = &f->takes.items[r];
        c *= cexp((pole.decay - I * pole.turn) * take->skip);
        out->gains[at] = cabs(c) * take->scale;
        out->phases_rad[at] = carg(c);
    }
}

/* The part of the power beyond steady noise that the modes explain. The end of
 * each residual is taken for steady noise. */
static double explained(const fitter *f) {
    double all = 0.0, noise = 0.0;
    for (int r = 0; r < f->takes.count; r++) {
        const sb_take *take = &f->takes.items[r];
        const double *x = sb_take_samples(take);
        int tail = take->length / 4 + 1;
        double sum = 0.0;
        for (int n = take->length - tail; n < take->length; n++)
            sum += f->rests[r][n] * f->rests[r][n];
        noise += sum * take->length / tail;
        for (int n = 0; n < take->length; n++)
            all += x[n] * x[n];
    }
    return (all - sb_refine_rest(f->refine)) / fmax(all - noise, 1e-300);
}

static sb_status finish(fitter *f, sb_fit *out, sb_error *err) {
    int count = sb_refine_count(f->refine);
    if (count == 0 || explained(f) < LEAST_EXPLAINED) {
        return sb_fail(err, SB_NO_MODES,
                       "no modes found: the recordings contain only noise");
    }
    size_t takes = (size_t)f->takes.count;
    ranked *ranks = sb_alloc((size_t)count, sizeof *ranks);
    out->modes = sb_alloc((size_t)count, sizeof *out->modes);
    out->gains = sb_alloc((size_t)count * takes, sizeof *out->gains);
    out->phases_rad = sb_alloc((size_t)count * takes, sizeof(double));
    out->take_count = f->takes.count;
    if (!ranks || !out->modes || !out->gains || !out->phases_rad) {
        sb_free(ranks);
        sb_fit_free(out);
        return sb_no_memory(err, "fit");
    }
    for (int k = 0; k < count; k++)
        ranks[k] = (ranked){-loudness(f, k), k};
    qsort(ranks, (size_t)count, sizeof *ranks, by_key);
    if (count > f->def.max_modes) count = f->def.max_modes;
    for (int k = 0; k < count; k++)
        ranks[k].key = sb_refine_poles(f->refine)[ranks[k].mode].turn;
    qsort(ranks, (size_t)count, sizeof *ranks, by_key);
    for (int k = 0; k < count; k++)
        put_mode(f, ranks[k].mode, k, out);
    sb_free(ranks);
    out->mode_count = count;
    for (int r = 0; r < f->takes.count; r++) {
        const sb_take *take = &f->takes.items[r];
        out->onsets_s[r] = (double)take->onset / f->takes.rate_hz;
        out->noise[r] = take->scale;
    }
    return SB_OK;
}

sb_status sb_fit_modes(sb_fit *out, const sb_recording *recordings, int count,
                       int rate_hz, const sb_fit_def *def, sb_error *err) {
    fitter f = {.def = *def};
    memset(out, 0, sizeof *out);
    sb_status status = prepare(&f, recordings, count, rate_hz, err);
    if (!status) status = sb_blas_enter(err);
    bool has_entered = !status;
    if (!status) status = find_all(&f, err);
    if (!status) status = place_onsets(&f, err);
    if (!status) status = settle(&f, STEPS, err);
    if (!status) status = finish(&f, out, err);
    if (has_entered) sb_blas_leave();
    release(&f);
    return status;
}

void sb_fit_free(sb_fit *fit) {
    sb_free_all(fit->modes, fit->gains, fit->phases_rad);
    memset(fit, 0, sizeof *fit);
}
