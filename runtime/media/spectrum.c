/* Windows a stretch of sound, transforms it and scales the bins to amplitudes.
 * Any thread but audio. */
#include "runtime/media/spectrum.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct sb_spectrum {
    int size;
    int padded_size;
    double gain;     /* factor from the power of a bin to a squared amplitude */
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
    /* These two bins have no mirror image with the other half of the
     * amplitude. */
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
