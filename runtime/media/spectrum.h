/* SPDX-License-Identifier: MIT */
/* runtime/media/spectrum.h -- the amplitude spectrum of a stretch of sound, and
 * a sound as a grid of levels over time and frequency.
 *
 * A stretch of N samples is weighted by a window w and transformed:
 *     X_k = sum_n w_n x_n exp(-2 pi i k n / N),   A_k = 2 |X_k| / sum_n w_n,
 * so that a sine of amplitude A reads A at its frequency with any window; full
 * scale is 0 dB.
 *
 * Symbols: N -> size; k -> bin, k * rate / N in Hz; A -> level, dB.
 * Thread:  any but audio; one thread per sb_spectrum.
 * Memory:  sb_spectrum_destroy frees the plan; results are in the caller's
 *          arrays.
 * Source:  F. J. Harris, On the Use of Windows for Harmonic Analysis with the
 *          DFT, Proc. IEEE 66(1), 1978.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum sb_window {
    SB_WINDOW_BLACKMAN_HARRIS, /* side lobes at -92 dB; a peak is 8 bins wide */
    SB_WINDOW_HANN /* side lobes from -31 dB; a peak is 4 bins wide */
} sb_window;

enum {
    SB_SPECTRUM_MIN_SIZE = 16,
    SB_SPECTRUM_MAX_SIZE = 1 << 23,
    SB_SPECTRUM_FLOOR_DB = -200 /* the level of silence */
};

typedef struct sb_spectrum sb_spectrum;

/* One channel of interleaved samples; zero outside. */
typedef struct sb_stretch {
    const float *samples;
    int64_t frame_count;
    int channel_count;
    int channel; /* 0 .. channel_count - 1 */
} sb_stretch;

/* A plan for windows of `size` samples, even and between the limits above,
 * padded with zeros to `padded_size`, even and >= size. Padding interpolates
 * the spectrum and adds no information. BAD_ARGUMENT, NO_MEMORY. */
SB_NODISCARD sb_status sb_spectrum_create(sb_spectrum **out, int size,
                                          int padded_size, sb_window window,
                                          sb_error *err);

void sb_spectrum_destroy(sb_spectrum *spectrum); /* NULL is allowed */

/* Number of bins, padded_size / 2 + 1. */
int sb_spectrum_bin_count(const sb_spectrum *spectrum);

/* The squared amplitudes A_k^2 of the window that begins at `start`, which may
 * be outside the stretch. Samples that are not finite count as 0. */
void sb_spectrum_power(sb_spectrum *spectrum, const sb_stretch *stretch,
                       int64_t start, float *power);

/* The same in dB. */
void sb_spectrum_levels(sb_spectrum *spectrum, const sb_stretch *stretch,
                        int64_t start, float *levels_db);

/* 10 log10 of a power, not below the floor. */
float sb_power_db(float power);

/* --- levels over time and frequency ----------------------------------------
 * No single window shows both a strike and a partial well: a long one smears
 * the strike in time, a short one the partial in frequency. Three windows of
 * about 170, 85 and 43 ms (at most a quarter of the sound) are averaged in dB,
 * with more weight on the long ones at low and on the short ones at high
 * frequencies. A mean in dB is low where either window is low, so each limits
 * the smearing of the other. The shortest window, which resolves onsets best,
 * bounds the result.
 *
 * Each column is the maximum over windows spaced a quarter of their length, and
 * each row the maximum over its bins and over the channels: no strike is
 * skipped, however much time a column covers. Memory grows with the grid, not
 * with the sound.
 *
 * Source: S. Cheung and J. S. Lim, Combined Multiresolution (Wide-band/
 *         Narrow-band) Spectrogram, IEEE Trans. Signal Processing 40(4), 1992.
 */
typedef struct sb_levels_def {
    const float *samples; /* interleaved */
    int64_t frame_count;
    int channel_count;
    int rate_hz;
    double span_s; /* of all columns together, from the first sample */
    int column_count;
    int row_count;
    double low_hz;  /* at the bottom edge of the last row; > 0 */
    double high_hz; /* at the top edge of row 0 */
    bool is_linear; /* rows equally spaced in Hz instead of octaves */
} sb_levels_def;

/* The height in rows of a frequency: 0 is the top edge of row 0, row_count the
 * bottom edge. */
double sb_levels_row(const sb_levels_def *def, double freq_hz);

/* Fill levels_db[row * column_count + column]; a full-scale sine is 0 dB.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_levels_compute(const sb_levels_def *def,
                                         float *levels_db, sb_error *err);
