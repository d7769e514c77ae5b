/* Drops modes of a fit that cannot be trusted: explained by noise, too
 * uncertain, too quiet, or duplicates. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/fit/fit_internal.h"

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

/* --- residuals ------------------------------------------------------------ */

sb_status sb_fitter_find_rests(sb_fitter *f, sb_error *err) {
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

double sb_fitter_noise(const sb_fitter *f, double freq_hz, double t60_s) {
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

double sb_fitter_loudness(const sb_fitter *f, int k) {
    double most = 0.0;
    for (int r = 0; r < f->takes.count; r++)
        most = fmax(most, f->takes.items[r].scale *
                              cabs(sb_refine_amplitude(f->refine, r, k)));
    return most;
}

/* A mode with a value below 1 is dropped; the lowest are dropped first. */
static double worth(const sb_fitter *f, int k, double loudest) {
    const sb_pole *pole = &sb_refine_poles(f->refine)[k];
    const sb_refine_trust *trust = &f->trusts[k];
    double freq_hz = hz_of(f, pole->turn);
    double noise = sb_fitter_noise(f, freq_hz, t60_of_decay(f, pole->decay));
    double least = LEAST_GAIN + LEAST_GAIN_PER_TAKE * f->takes.count;
    double value = trust->gain / (noise * least);
    double doubt = sqrt(noise) * trust->decay_deviation / pole->decay;
    value = fmin(value, MOST_DOUBT / fmax(doubt, 1e-9));
    double part = sb_fitter_loudness(f, k) / loudest;
    value = fmin(value, part * pow(10.0, f->def.range_db / 20.0));
    if (freq_hz < f->def.low_hz || freq_hz > f->def.high_hz) value = 0.0;
    if (pole->decay <= 1.02 * decay_of_t60(f, most_t60_s(f))) value = 0.0;
    if (pole->decay >= 0.98 * decay_of_t60(f, LEAST_T60_S)) value = 0.0;
    return value;
}

/* Among overlapping modes that all have a value below 1, perhaps duplicates of
 * one mode, only the weakest is dropped per round. */
static bool has_worse_neighbour(const sb_fitter *f, const double *worths,
                                int k) {
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
static int drop_once(sb_fitter *f) {
    int count = sb_refine_count(f->refine), dropped = 0;
    double loudest = 1e-300;
    for (int k = 0; k < count; k++)
        loudest = fmax(loudest, sb_fitter_loudness(f, k));
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
static void drop_double(sb_fitter *f) {
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

static sb_status measure(sb_fitter *f, int steps, sb_error *err) {
    while (!sb_refine_run(f->refine, steps))
        drop_double(f);
    return sb_fitter_find_rests(f, err);
}

sb_status sb_fitter_settle(sb_fitter *f, int steps, sb_error *err) {
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
