#include "runtime/media/spectrum.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct sb_spectrum {
    int size;
    int padded_size;
    double gain;     /* power of a bin to squared amplitude */
    float *weights;  /* size */
    float *weighted; /* padded_size; zero beyond size */
    double complex *bins;
    sb_fft *fft;
};

/* The periodic form, whose sum is exactly size * a0. */
static double window_weight(sb_window window, int n, int size) {
    double x = SB_TAU * n / size;
    if (window == SB_WINDOW_HANN) return 0.5 - 0.5 * cos(x);
    return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2.0 * x) -
           0.01168 * cos(3.0 * x);
}

static bool prepare(sb_spectrum *spectrum, sb_window window) {
    size_t bin_count = (size_t)sb_spectrum_bin_count(spectrum);
    spectrum->weights = sb_alloc((size_t)spectrum->size, sizeof(float));
    spectrum->weighted = sb_alloc((size_t)spectrum->padded_size, sizeof(float));
    spectrum->bins = sb_alloc(bin_count, sizeof *spectrum->bins);
    spectrum->fft = sb_fft_create(spectrum->padded_size);
    if (!spectrum->weights || !spectrum->weighted || !spectrum->bins ||
        !spectrum->fft) {
        return false;
    }
    double sum = 0.0;
    for (int n = 0; n < spectrum->size; n++) {
        double weight = window_weight(window, n, spectrum->size);
        spectrum->weights[n] = (float)weight;
        sum += weight;
    }
    spectrum->gain = 4.0 / (sum * sum);
    return true;
}

sb_status sb_spectrum_create(sb_spectrum **out, int size, int padded_size,
                             sb_window window, sb_error *err) {
    if (size < SB_SPECTRUM_MIN_SIZE || size > padded_size || size % 2 ||
        padded_size > SB_SPECTRUM_MAX_SIZE || padded_size % 2) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a spectrum takes an even number of samples from %d to "
                       "%d, not %d padded to %d",
                       SB_SPECTRUM_MIN_SIZE, SB_SPECTRUM_MAX_SIZE, size,
                       padded_size);
    }
    sb_spectrum *spectrum = sb_alloc(1, sizeof *spectrum);
    if (spectrum) {
        spectrum->size = size;
        spectrum->padded_size = padded_size;
    }
    if (!spectrum || !prepare(spectrum, window)) {
        sb_spectrum_destroy(spectrum);
        return sb_fail(err, SB_NO_MEMORY,
                       "no memory for a spectrum of %d samples", padded_size);
    }
    *out = spectrum;
    return SB_OK;
}

void sb_spectrum_destroy(sb_spectrum *spectrum) {
    if (!spectrum) return;
    sb_free(spectrum->weights);
    sb_free(spectrum->weighted);
    sb_free(spectrum->bins);
    sb_fft_destroy(spectrum->fft);
    sb_free(spectrum);
}

int sb_spectrum_bin_count(const sb_spectrum *spectrum) {
    return spectrum->padded_size / 2 + 1;
}

static void load_window(sb_spectrum *spectrum, const sb_stretch *stretch,
                        int64_t start) {
    float *weighted = spectrum->weighted;
    int64_t size = spectrum->size;
    int64_t first = start < 0 ? -start : 0;
    int64_t end = stretch->frame_count - start;
    if (end > size) end = size;
    memset(weighted, 0, (size_t)size * sizeof *weighted);
    if (first >= end) return;
    const float *sample = stretch->samples +
                          (start + first) * stretch->channel_count +
                          stretch->channel;
    for (int64_t n = first; n < end; n++) {
        if (isfinite(*sample)) weighted[n] = *sample * spectrum->weights[n];
        sample += stretch->channel_count;
    }
}

void sb_spectrum_power(sb_spectrum *spectrum, const sb_stretch *stretch,
                       int64_t start, float *power) {
    load_window(spectrum, stretch, start);
    sb_fft_real(spectrum->fft, spectrum->weighted, spectrum->bins);
    int last = spectrum->padded_size / 2;
    for (int k = 0; k <= last; k++) {
        double re = creal(spectrum->bins[k]), im = cimag(spectrum->bins[k]);
        power[k] = (float)(spectrum->gain * (re * re + im * im));
    }
    /* These two have no mirror image that would hold the other half. */
    power[0] *= 0.25f;
    power[last] *= 0.25f;
}

float sb_power_db(float power) {
    return power > 1e-20f ? 10.0f * log10f(power) : (float)SB_SPECTRUM_FLOOR_DB;
}

void sb_spectrum_levels(sb_spectrum *spectrum, const sb_stretch *stretch,
                        int64_t start, float *levels_db) {
    sb_spectrum_power(spectrum, stretch, start, levels_db);
    for (int k = 0; k < sb_spectrum_bin_count(spectrum); k++) {
        levels_db[k] = sb_power_db(levels_db[k]);
    }
}

/* --- peaks ----------------------------------------------------------------- */

sb_peaks_def sb_peaks_def_default(int rate_hz) {
    return (sb_peaks_def){.rate_hz = rate_hz,
                          .window = SB_WINDOW_BLACKMAN_HARRIS,
                          .range_db = 60.0,
                          .low_hz = 20.0,
                          .high_hz = 1e9,
                          .padding_count = 4};
}

/* The top of the parabola through the levels of bin k and its neighbours. */
static sb_peak refine(const float *levels_db, int k, double bin_hz) {
    double left = (double)levels_db[k - 1];
    double top = (double)levels_db[k];
    double right = (double)levels_db[k + 1];
    double bend = left - 2.0 * top + right;
    double offset = bend < 0.0 ? 0.5 * (left - right) / bend : 0.0;
    return (sb_peak){.freq_hz = (k + offset) * bin_hz,
                     .level_db = top - 0.25 * (left - right) * offset};
}

static int by_level(const void *a, const void *b) {
    const sb_peak *p = a;
    const sb_peak *q = b;
    if (p->level_db != q->level_db) return p->level_db < q->level_db ? 1 : -1;
    return (p->freq_hz > q->freq_hz) - (p->freq_hz < q->freq_hz);
}

static int by_frequency(const void *a, const void *b) {
    const sb_peak *p = a;
    const sb_peak *q = b;
    return (p->freq_hz > q->freq_hz) - (p->freq_hz < q->freq_hz);
}

/* All peaks of the spectrum, into `found`, which holds one for every second
 * bin: two neighbours cannot both be peaks. */
static int find_peaks(const float *levels_db, int bin_count,
                      const sb_peaks_def *def, double bin_hz, sb_peak *found) {
    int count = 0;
    double largest = SB_SPECTRUM_FLOOR_DB;
    for (int k = 1; k < bin_count - 1; k++) {
        double freq_hz = k * bin_hz;
        if (freq_hz < def->low_hz || freq_hz > def->high_hz) continue;
        if (levels_db[k] <= levels_db[k - 1]) continue;
        if (levels_db[k] < levels_db[k + 1]) continue;
        found[count] = refine(levels_db, k, bin_hz);
        largest = fmax(largest, found[count].level_db);
        count++;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (found[i].level_db < largest - def->range_db) continue;
        if (found[i].level_db <= SB_SPECTRUM_FLOOR_DB) continue;
        found[kept++] = found[i];
    }
    return kept;
}

static int power_of_two_from(int64_t least) {
    int size = 1;
    while (size < least && size < SB_SPECTRUM_MAX_SIZE)
        size *= 2;
    return size;
}

static sb_status check_peaks(const sb_stretch *stretch, const sb_peaks_def *def,
                             sb_error *err) {
    if (def->rate_hz < 1 || !(def->range_db > 0.0) || def->padding_count < 1 ||
        def->padding_count > 16) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "peaks need rate_hz > 0, range_db > 0 and "
                       "padding_count from 1 to 16");
    }
    int64_t longest = SB_SPECTRUM_MAX_SIZE / def->padding_count;
    if (stretch->frame_count < SB_SPECTRUM_MIN_SIZE ||
        stretch->frame_count > longest) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "peaks are found in %d to %lld frames, not in %lld",
                       SB_SPECTRUM_MIN_SIZE, (long long)longest,
                       (long long)stretch->frame_count);
    }
    return SB_OK;
}

sb_status sb_spectrum_peaks(const sb_stretch *stretch, const sb_peaks_def *def,
                            sb_peak *peaks, int capacity, int *count_out,
                            sb_error *err) {
    sb_status status = check_peaks(stretch, def, err);
    if (status != SB_OK) return status;
    int size = (int)(stretch->frame_count & ~(int64_t)1);
    int padded_size = power_of_two_from((int64_t)size * def->padding_count);
    sb_spectrum *spectrum = NULL;
    status = sb_spectrum_create(&spectrum, size, padded_size, def->window, err);
    if (!spectrum) return status;
    int bin_count = sb_spectrum_bin_count(spectrum);
    float *levels_db = sb_alloc((size_t)bin_count, sizeof *levels_db);
    sb_peak *found = sb_alloc((size_t)bin_count / 2 + 1, sizeof *found);
    if (levels_db && found) {
        sb_spectrum_levels(spectrum, stretch, 0, levels_db);
        double bin_hz = (double)def->rate_hz / padded_size;
        int count = find_peaks(levels_db, bin_count, def, bin_hz, found);
        qsort(found, (size_t)count, sizeof *found, by_level);
        if (count > capacity) count = capacity;
        qsort(found, (size_t)count, sizeof *found, by_frequency);
        for (int i = 0; i < count; i++)
            peaks[i] = found[i];
        *count_out = count;
    } else {
        status = sb_fail(err, SB_NO_MEMORY, "no memory for %d bins", bin_count);
    }
    sb_free(found);
    sb_free(levels_db);
    sb_spectrum_destroy(spectrum);
    return status;
}
