/* SPDX-License-Identifier: MIT */
/* tests/media/peaks.h -- the partials of a sound, for tests of pitches.
 *
 * Between the bins of a spectrum, the top of a partial is that of a parabola
 * through the three largest levels in dB, which for these windows is very
 * nearly the shape of the peak. sb_spectrum_peaks gives them by rising
 * frequency; if there are more than `capacity`, the loudest. BAD_ARGUMENT for
 * a stretch shorter than 16 frames or longer than 2^23 with its padding, or a
 * field out of range.
 *
 * Source: J. O. Smith, Spectral Audio Signal Processing, 2011, "Quadratic
 *         Interpolation of Spectral Peaks".
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <stdlib.h>

typedef struct sb_peak {
    double freq_hz;
    double level_db; /* of the amplitude; a full-scale sine is 0 */
} sb_peak;

typedef struct sb_peaks_def {
    int rate_hz;       /* of the samples */
    sb_window window;  /* Blackman-Harris */
    double range_db;   /* ignore what is this much below the largest; 60 */
    double low_hz;     /* ignore what is below; 20 */
    double high_hz;    /* ignore what is above; 1e9, that is, Nyquist */
    int padding_count; /* transform length over stretch length, 1 .. 16; 4 */
} sb_peaks_def;

static inline sb_peaks_def sb_peaks_def_default(int rate_hz) {
    return (sb_peaks_def){.rate_hz = rate_hz,
                          .window = SB_WINDOW_BLACKMAN_HARRIS,
                          .range_db = 60.0,
                          .low_hz = 20.0,
                          .high_hz = 1e9,
                          .padding_count = 4};
}

/* The top of the parabola through the levels of bin k and its neighbours. */
static inline sb_peak refine(const float *levels_db, int k, double bin_hz) {
    double left = (double)levels_db[k - 1];
    double top = (double)levels_db[k];
    double right = (double)levels_db[k + 1];
    double bend = left - 2.0 * top + right;
    double offset = bend < 0.0 ? 0.5 * (left - right) / bend : 0.0;
    return (sb_peak){.freq_hz = (k + offset) * bin_hz,
                     .level_db = top - 0.25 * (left - right) * offset};
}

static inline int by_level(const void *a, const void *b) {
    const sb_peak *p = a;
    const sb_peak *q = b;
    if (p->level_db != q->level_db) return p->level_db < q->level_db ? 1 : -1;
    return (p->freq_hz > q->freq_hz) - (p->freq_hz < q->freq_hz);
}

static inline int by_frequency(const void *a, const void *b) {
    const sb_peak *p = a;
    const sb_peak *q = b;
    return (p->freq_hz > q->freq_hz) - (p->freq_hz < q->freq_hz);
}

/* All peaks of the spectrum, into `found`, which holds one for every second
 * bin: two neighbours cannot both be peaks. */
static inline int peaks_above(const float *levels_db, int bin_count,
                              const sb_peaks_def *def, double bin_hz,
                              sb_peak *found) {
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

static inline int power_of_two_from(int64_t least) {
    int size = 1;
    while (size < least && size < SB_SPECTRUM_MAX_SIZE)
        size *= 2;
    return size;
}

static inline sb_status check_peaks(const sb_stretch *stretch,
                                    const sb_peaks_def *def, sb_error *err) {
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

static inline sb_status sb_spectrum_peaks(const sb_stretch *stretch,
                                          const sb_peaks_def *def,
                                          sb_peak *peaks, int capacity,
                                          int *count_out, sb_error *err) {
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
        int count = peaks_above(levels_db, bin_count, def, bin_hz, found);
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
