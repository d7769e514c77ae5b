/* SPDX-License-Identifier: MIT */
/* tests/dsp/room/decay.h -- T60 and energy of an octave of an impulse response.
 *
 * The octave is cut out of the whole spectrum, its energy is summed from the end
 * (Schroeder), and a line fitted from 5 to 25 dB below the start.
 */
#pragma once

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <check.h>
#include <math.h>

/* 1 in the middle half octave, 0 outside the octave; the edges are rounded,
 * because steep ones ring longer than a short T60. */
static inline double octave(double ratio) {
    double off = ratio > 0 ? fabs(log2(ratio)) : 1.0;
    if (off >= 0.5) return 0.0;
    return off <= 0.25 ? 1.0 : 0.5 - 0.5 * cos(4 * SB_PI * (0.5 - off));
}

/* Add the energy of octave `centre_hz` from each frame on. */
static inline void add_decay(const float *x, int stride, int frames,
                             double rate_hz, double centre_hz, double *sum) {
    int size = 1;
    while (size < 2 * frames)
        size *= 2;
    double complex *lines = sb_alloc((size_t)size, sizeof *lines);
    sb_fft *fft = sb_fft_create(size);
    ck_assert(lines && fft);
    for (int n = 0; n < frames; n++)
        lines[n] = (double)x[stride * n];
    sb_fft_forward(fft, lines);
    for (int k = 0; k < size; k++) {
        double hz = (k <= size / 2 ? k : size - k) * rate_hz / size;
        lines[k] *= octave(hz / centre_hz) / size;
    }
    sb_fft_backward(fft, lines);
    double left = 0;
    for (int n = frames - 1; n >= 0; n--)
        sum[n] += left += creal(lines[n]) * creal(lines[n]);
    sb_fft_destroy(fft);
    sb_free(lines);
}

/* From the frame `from` on. */
static inline double t60_of(const double *left, int from, int frames,
                            double rate_hz) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
    for (int n = from; n < frames; n++) {
        double db = 10 * log10(left[n] / left[from] + 1e-30);
        if (db > -5) continue;
        if (db < -25) break;
        double t = (n - from) / rate_hz;
        sx += t, sy += db, sxx += t * t, sxy += t * db, count++;
    }
    return -60.0 * (count * sxx - sx * sx) / (count * sxy - sx * sy);
}
