/* SPDX-License-Identifier: MIT */
#include "runtime/media/spectrum.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
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
        return sb_no_memory_for(err, "a spectrum of %d samples", padded_size);
    }
    *out = spectrum;
    return SB_OK;
}

void sb_spectrum_destroy(sb_spectrum *spectrum) {
    if (!spectrum) return;
    sb_free_all(spectrum->weights, spectrum->weighted, spectrum->bins);
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

/* --- levels over time and frequency --------------------------------------- */

enum { WINDOW_COUNT = 3, MIN_WINDOW = 256 };

/* Length of the longest window; at 48 kHz it has 8192 samples. */
static const double longest_s = 0.171;

/* The frequencies at which only one window is used, longest first; between them
 * two are blended. */
static const double alone_hz[WINDOW_COUNT] = {250.0, 1000.0, 4000.0};

/* The most that a long window may exceed the shortest. Before a strike and
 * after an abrupt end the shortest window is already silent; what the long ones
 * still show is smearing. The dips of beating partials are shallower than
 * this. */
static const float margin_db = 12.0f;

/* The bins of one window that a row of the picture covers. */
typedef struct row_bins {
    float centre; /* bin at which to interpolate */
    int first;    /* whole bins inside the row; none if last < first */
    int last;
} row_bins;

typedef struct window_part {
    int size;
    int bin_count;
    sb_spectrum *spectrum;
    float *power;   /* of one transform */
    float *loudest; /* maximum over a column's transforms, then in dB */
    row_bins *rows;
} window_part;

static double freq_hz_at(const sb_levels_def *def, double row) {
    double up = 1.0 - row / def->row_count;
    if (def->is_linear) return def->low_hz + up * (def->high_hz - def->low_hz);
    return def->low_hz * pow(def->high_hz / def->low_hz, up);
}

double sb_levels_row(const sb_levels_def *def, double freq_hz) {
    double up =
        def->is_linear
            ? (freq_hz - def->low_hz) / (def->high_hz - def->low_hz)
            : log(freq_hz / def->low_hz) / log(def->high_hz / def->low_hz);
    return (1.0 - up) * def->row_count;
}

static int longest_window(const sb_levels_def *def) {
    double limit = fmin(longest_s, def->span_s / 4.0) * def->rate_hz * 1.01;
    int size = MIN_WINDOW << (WINDOW_COUNT - 1);
    while (size * 2.0 <= limit)
        size *= 2;
    return size;
}

static void place_rows(window_part *part, const sb_levels_def *def) {
    double bins_per_hz = (double)part->size / def->rate_hz;
    for (int row = 0; row < def->row_count; row++) {
        double top = freq_hz_at(def, row) * bins_per_hz;
        double middle = freq_hz_at(def, row + 0.5) * bins_per_hz;
        double bottom = freq_hz_at(def, row + 1.0) * bins_per_hz;
        double end = part->bin_count - 1;
        part->rows[row] = (row_bins){
            .centre = (float)fmin(middle, end),
            .first = (int)ceil(fmin(bottom, end)),
            .last = (int)floor(fmin(top, end)),
        };
    }
}

static sb_status make_part(window_part *part, const sb_levels_def *def,
                           int size, sb_error *err) {
    part->size = size;
    sb_status status = sb_spectrum_create(&part->spectrum, size, size,
                                          SB_WINDOW_BLACKMAN_HARRIS, err);
    if (status != SB_OK) return status;
    part->bin_count = sb_spectrum_bin_count(part->spectrum);
    size_t bin_count = (size_t)part->bin_count;
    part->power = sb_alloc(bin_count, sizeof(float));
    part->loudest = sb_alloc(bin_count, sizeof(float));
    part->rows = sb_alloc((size_t)def->row_count, sizeof *part->rows);
    if (!part->power || !part->loudest || !part->rows) {
        return sb_no_memory_for(err, "a spectrogram");
    }
    place_rows(part, def);
    return SB_OK;
}

static void free_part(window_part *part) {
    sb_spectrum_destroy(part->spectrum);
    sb_free_all(part->power, part->loudest, part->rows);
}

static void add_transform(window_part *part, const sb_levels_def *def,
                          int64_t start) {
    for (int channel = 0; channel < def->channel_count; channel++) {
        sb_stretch stretch = {def->samples, def->frame_count,
                              def->channel_count, channel};
        sb_spectrum_power(part->spectrum, &stretch, start, part->power);
        for (int k = 0; k < part->bin_count; k++) {
            float power = part->power[k];
            if (power > part->loudest[k]) part->loudest[k] = power;
        }
    }
}

static void analyse_column(window_part *part, const sb_levels_def *def,
                           int column) {
    double step = def->span_s * def->rate_hz / def->column_count;
    int count = (int)ceil(step / (part->size / 4.0));
    if (count < 1) count = 1;
    memset(part->loudest, 0, (size_t)part->bin_count * sizeof(float));
    for (int i = 0; i < count; i++) {
        double centre = step * (column + (i + 0.5) / count);
        int64_t start = (int64_t)floor(centre) - part->size / 2;
        if (start >= def->frame_count || start + part->size <= 0) continue;
        add_transform(part, def, start);
    }
    for (int k = 0; k < part->bin_count; k++) {
        part->loudest[k] = sb_power_db(part->loudest[k]);
    }
}

static float row_level(const window_part *part, int row) {
    row_bins bins = part->rows[row];
    int below = (int)bins.centre;
    if (below > part->bin_count - 2) below = part->bin_count - 2;
    float share = bins.centre - (float)below;
    float level = part->loudest[below] * (1.0f - share) +
                  part->loudest[below + 1] * share;
    for (int k = bins.first; k <= bins.last; k++) {
        level = fmaxf(level, part->loudest[k]);
    }
    return level;
}

/* The fractional index of the best window for a frequency; 0 is the longest. */
static double best_window(double freq_hz) {
    if (freq_hz <= alone_hz[0]) return 0.0;
    for (int i = 0; i < WINDOW_COUNT - 1; i++) {
        if (freq_hz < alone_hz[i + 1]) {
            return i + log(freq_hz / alone_hz[i]) /
                           log(alone_hz[i + 1] / alone_hz[i]);
        }
    }
    return WINDOW_COUNT - 1;
}

static float blend_level(const window_part parts[WINDOW_COUNT], int row,
                         double freq_hz) {
    double best = best_window(freq_hz);
    int i = best < WINDOW_COUNT - 2 ? (int)best : WINDOW_COUNT - 2;
    float share = (float)(best - i);
    float level = row_level(&parts[i], row) * (1.0f - share) +
                  row_level(&parts[i + 1], row) * share;
    return fminf(level, row_level(&parts[WINDOW_COUNT - 1], row) + margin_db);
}

static void compute(window_part parts[WINDOW_COUNT], const sb_levels_def *def,
                    float *levels_db) {
    for (int column = 0; column < def->column_count; column++) {
        for (int i = 0; i < WINDOW_COUNT; i++) {
            analyse_column(&parts[i], def, column);
        }
        for (int row = 0; row < def->row_count; row++) {
            double freq_hz = freq_hz_at(def, row + 0.5);
            levels_db[(ptrdiff_t)row * def->column_count + column] =
                blend_level(parts, row, freq_hz);
        }
    }
}

sb_status sb_levels_compute(const sb_levels_def *def, float *levels_db,
                            sb_error *err) {
    window_part parts[WINDOW_COUNT] = {0};
    int size = longest_window(def);
    sb_status status = SB_OK;
    for (int i = 0; i < WINDOW_COUNT && status == SB_OK; i++) {
        status = make_part(&parts[i], def, size >> i, err);
    }
    if (status == SB_OK) compute(parts, def, levels_db);
    for (int i = 0; i < WINDOW_COUNT; i++)
        free_part(&parts[i]);
    return status;
}
