/* SPDX-License-Identifier: MIT */
#include "runtime/fit/takes.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The onset is where a recording first reaches this part of its peak. */
#define ONSET_PART 0.1
/* Lower bound of the noise, relative to the loudest sample: without it, the
 * noise of a synthetic recording would be rounding error. */
#define LEAST_NOISE 1e-6
#define LEAST_S     0.1
#define ATTACK_S    0.0015

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sb_density_noise(const sb_density *density, double low_hz,
                        double high_hz) {
    int first = (int)(low_hz / density->bin_hz);
    int last = (int)(high_hz / density->bin_hz);
    if (first < 1) first = 1;
    if (last > density->bin_count - 1) last = density->bin_count - 1;
    int n = last - first;
    if (n < 8) return 1.0;
    /* Neighbouring bins are similar: a thousand suffice for the median. */
    double some[1024];
    int step = n / 1024 + 1, used = 0;
    for (int i = first; i < last && used < 1024; i += step)
        some[used++] = density->power[i];
    qsort(some, (size_t)used, sizeof *some, by_size);
    /* Median of a mean of exponentially distributed powers, relative to their
     * mean. */
    double median = pow(1.0 - 1.0 / (9.0 * density->signal_count), 3.0);
    return some[used / 2] / median;
}

static double window_at(double part) { /* Blackman-Harris */
    double angle = 2.0 * SB_PI * part;
    return 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2.0 * angle) -
           0.01168 * cos(3.0 * angle);
}

/* Two signals per transform, or one when the second has length 0. */
static void add_densities(sb_fft *fft, const double *const x[2],
                          const int lengths[2], double complex *work,
                          double *density) {
    int size = sb_fft_size(fft);
    double sums[2] = {0.0, 0.0};
    memset(work, 0, (size_t)size * sizeof *work);
    for (int i = 0; i < 2; i++) {
        for (int n = 0; n < lengths[i]; n++) {
            double w = window_at((n + 0.5) / lengths[i]);
            ((double *)work)[2 * n + i] = w * x[i][n];
            sums[i] += w * w;
        }
    }
    sb_fft_forward(fft, work);
    for (int k = 0; k <= size / 2; k++) {
        double complex parts[2];
        sb_fft_part(work, size, k, &parts[0], &parts[1]);
        for (int i = 0; i < 2 && lengths[i] > 0; i++) {
            double re = creal(parts[i]), im = cimag(parts[i]);
            density[k] += (re * re + im * im) / sums[i];
        }
    }
}

static int bits_for(int length) {
    int bits = 4;
    while (1 << bits < length)
        bits++;
    return bits;
}

static int shorter(int a, int b) {
    return a < b ? a : b;
}

sb_status sb_density_make(sb_density *out, const sb_takes *takes,
                          const double *const *signals, int span,
                          sb_error *err) {
    int bits = bits_for(shorter(span, sb_takes_length(takes)));
    size_t size = (size_t)1 << bits;
    sb_fft *fft = sb_fft_create(1 << bits);
    double complex *work = sb_alloc(size, sizeof *work);
    double *power = sb_alloc(size / 2 + 1, sizeof *power);
    if (!fft || !work || !power) {
        sb_fft_destroy(fft);
        sb_free(work);
        sb_free(power);
        return sb_no_memory(err, "fit");
    }
    for (int r = 0; r < takes->count; r += 2) {
        bool is_last = r + 1 == takes->count;
        const double *const pair[2] = {signals[r],
                                       signals[is_last ? r : r + 1]};
        int lengths[2] = {shorter(span, takes->items[r].length),
                          is_last ? 0
                                  : shorter(span, takes->items[r + 1].length)};
        add_densities(fft, pair, lengths, work, power);
    }
    for (size_t k = 0; k <= size / 2; k++)
        power[k] /= takes->count;
    sb_fft_destroy(fft);
    sb_free(work);
    *out = (sb_density){.power = power,
                        .bin_count = (int)(size / 2 + 1),
                        .bin_hz = (double)takes->rate_hz / (double)size,
                        .signal_count = takes->count};
    return SB_OK;
}

void sb_density_free(sb_density *density) {
    sb_free(density->power);
    memset(density, 0, sizeof *density);
}

int sb_takes_length(const sb_takes *takes) {
    int longest = 0;
    for (int r = 0; r < takes->count; r++)
        if (takes->items[r].length > longest) longest = takes->items[r].length;
    return longest;
}

void sb_takes_set_lengths(sb_takes *takes) {
    int least = 0, most = 0;
    for (int r = 0; r < takes->count; r++) {
        sb_take *take = &takes->items[r];
        take->length = take->all_count - sb_take_start(take);
        if (r == 0 || take->length < least) least = take->length;
        if (take->length > most) most = take->length;
    }
    if (least < most * 4 / 5) return;
    for (int r = 0; r < takes->count; r++)
        takes->items[r].length = least;
}

static double peak_of(const double *x, int count) {
    double peak = 0.0;
    for (int n = 0; n < count; n++)
        peak = fmax(peak, fabs(x[n]));
    return peak;
}

static sb_status read_take(sb_take *take, const sb_recording *from,
                           sb_error *err) {
    take->all = sb_alloc((size_t)from->count, sizeof *take->all);
    if (!take->all) return sb_no_memory(err, "fit");
    take->all_count = from->count;
    take->scale = 1.0;
    /* The offset is the mean of the end: a ringing part has a mean of its
     * own. */
    int tail = from->count / 4 + 1;
    double mean = 0.0;
    for (int n = from->count - tail; n < from->count; n++)
        mean += isfinite(from->samples[n]) ? (double)from->samples[n] : 0.0;
    mean /= tail;
    for (int n = 0; n < from->count; n++)
        take->all[n] =
            isfinite(from->samples[n]) ? (double)from->samples[n] - mean : 0.0;
    double peak = peak_of(take->all, take->all_count);
    while (peak > 0.0 && fabs(take->all[take->onset]) < ONSET_PART * peak)
        take->onset++;
    return SB_OK;
}

/* If a recording rings to its end, its noise is measured from the spectrum of
 * the whole, in which partials occupy few bins. */
static sb_status scale_take(sb_takes *takes, int r, sb_error *err) {
    sb_takes one = {.count = 1, .rate_hz = takes->rate_hz};
    one.items[0] = takes->items[r];
    sb_take *take = &takes->items[r];
    const double *x = sb_take_samples(take);
    sb_density density;
    sb_status status =
        sb_density_make(&density, &one, &x, one.items[0].length, err);
    if (status) return status;
    double noise = sb_density_noise(&density, 20.0, 0.45 * takes->rate_hz);
    sb_density_free(&density);
    double least = LEAST_NOISE * peak_of(take->all, take->all_count);
    double deviation = fmax(sqrt(noise), least);
    if (!(deviation > 0.0)) return SB_OK; /* silence */
    for (int n = 0; n < take->all_count; n++)
        take->all[n] /= deviation;
    take->scale = deviation;
    return SB_OK;
}

static sb_status too_short(int r, int count, int rate_hz, sb_error *err) {
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "recording %d has only %.3f s from its onset on; a fit "
                   "needs at least %g s",
                   r + 1, (double)count / rate_hz, LEAST_S);
}

static sb_status make_all(sb_takes *takes, const sb_recording *recordings,
                          sb_error *err) {
    double peak = 0.0;
    for (int r = 0; r < takes->count; r++) {
        sb_take *take = &takes->items[r];
        if (recordings[r].count < LEAST_S * takes->rate_hz) {
            return too_short(r, recordings[r].count, takes->rate_hz, err);
        }
        sb_status status = read_take(take, &recordings[r], err);
        if (status) return status;
        peak = fmax(peak, peak_of(take->all, take->all_count));
        take->skip = (int)lround(ATTACK_S * takes->rate_hz);
        if (take->all_count - take->onset < LEAST_S * takes->rate_hz) {
            return too_short(r, take->all_count - take->onset, takes->rate_hz,
                             err);
        }
    }
    if (!(peak > 0.0)) {
        return sb_fail(err, SB_NO_MODES, "no modes found: %s",
                       takes->count == 1 ? "the recording is silent"
                                         : "all recordings are silent");
    }
    sb_takes_set_lengths(takes);
    for (int r = 0; r < takes->count; r++) {
        sb_status status = scale_take(takes, r, err);
        if (status) return status;
    }
    return SB_OK;
}

sb_status sb_takes_make(sb_takes *out, const sb_recording *recordings,
                        int count, int rate_hz, sb_error *err) {
    memset(out, 0, sizeof *out);
    out->count = count;
    out->rate_hz = rate_hz;
    sb_status status = make_all(out, recordings, err);
    if (status) sb_takes_free(out);
    return status;
}

void sb_takes_free(sb_takes *takes) {
    for (int r = 0; r < takes->count; r++)
        sb_free(takes->items[r].all);
    memset(takes, 0, sizeof *takes);
}
