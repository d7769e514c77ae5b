/* SPDX-License-Identifier: MIT */
#include "runtime/fit/fit.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <string.h>

#define COMPARED_S 0.5
/* Bands this far below the loudest are masked by it and not compared. */
#define BAND_RANGE_DB 50.0

void sb_fit_play(const sb_fit *fit, int r, int rate_hz, float *out, int count) {
    int onset = (int)lround(fit->onsets_s[r] * rate_hz);
    memset(out, 0, (size_t)count * sizeof *out);
    for (int k = 0; k < fit->mode_count; k++) {
        size_t at = (size_t)k * (size_t)fit->take_count + (size_t)r;
        double decay = log(1000.0) / (fit->modes[k].t60_s * rate_hz);
        double turn = 2.0 * SB_PI * fit->modes[k].freq_hz / rate_hz;
        double size = exp(-decay);
        double re = size * cos(turn), im = size * sin(turn);
        double a = fit->gains[at] * cos(fit->phases_rad[at]);
        double b = fit->gains[at] * sin(fit->phases_rad[at]);
        for (int n = onset; n < count; n++) {
            out[n] += (float)a;
            double next = a * re - b * im;
            b = a * im + b * re;
            a = next;
        }
    }
}

/* Power in each third of an octave, from 25 Hz up. */
enum { BAND_COUNT = 30 };

static sb_status find_bands(const float *x, int count, int onset, int rate_hz,
                            double bands[BAND_COUNT], sb_error *err) {
    int size = (int)(COMPARED_S * rate_hz) & ~1;
    if (size > count - onset) size = (count - onset) & ~1;
    sb_spectrum *spectrum;
    sb_status status =
        sb_spectrum_create(&spectrum, size, size, SB_WINDOW_HANN, err);
    if (status) return status;
    int bins = sb_spectrum_bin_count(spectrum);
    float *power = sb_alloc((size_t)bins, sizeof *power);
    if (!power) {
        sb_spectrum_destroy(spectrum);
        return sb_no_memory(err, "fit");
    }
    /* Half of the window lies before the onset, so that its middle, where its
     * weight is largest, is at the impact. */
    sb_stretch stretch = {x, count, 1, 0};
    memset(bands, 0, BAND_COUNT * sizeof *bands);
    for (int half = 0; half < 2; half++) {
        sb_spectrum_power(spectrum, &stretch,
                          onset - size / 2 + half * size / 2, power);
        for (int k = 1; k < bins; k++) {
            double freq_hz = (double)k * rate_hz / size;
            int band = (int)floor(3.0 * log2(freq_hz / 25.0));
            if (band >= 0 && band < BAND_COUNT) bands[band] += (double)power[k];
        }
    }
    sb_free(power);
    sb_spectrum_destroy(spectrum);
    return SB_OK;
}

/* Samples in which the remaining energy falls from -1 to -21 dB. The energy of
 * noise with variance `noise` is subtracted. */
static double time_of_fall(const float *x, int count, int onset, double noise) {
    double total = 0.0, left = 0.0;
    int last = count - 1, first = onset;
    for (int n = onset; n < count; n++)
        total += (double)x[n] * (double)x[n] - noise;
    left = total;
    for (int n = onset; n < count; n++) {
        if (left > total * 0.794) first = n;
        left -= (double)x[n] * (double)x[n] - noise;
        if (left < total * 0.00794) {
            last = n;
            break;
        }
    }
    return last - first;
}

sb_status sb_fit_compare(sb_likeness *out, const sb_fit *fit, int r,
                         int rate_hz, const float *recording,
                         const float *played, int count, sb_error *err) {
    int onset = (int)lround(fit->onsets_s[r] * rate_hz);
    double heard[BAND_COUNT], made[BAND_COUNT];
    sb_status status = find_bands(recording, count, onset, rate_hz, heard, err);
    if (!status) status = find_bands(played, count, onset, rate_hz, made, err);
    if (status) return status;
    double most = 0.0, sum = 0.0, weights = 0.0, apart = 0.0, whole = 0.0;
    for (int i = 0; i < BAND_COUNT; i++)
        most = fmax(most, heard[i]);
    double least = most * pow(10.0, -BAND_RANGE_DB / 10.0);
    for (int i = 0; i < BAND_COUNT; i++) {
        if (heard[i] < least) continue;
        double db = 10.0 * log10((made[i] + 1e-3 * least) / heard[i]);
        sum += heard[i] * db * db;
        weights += heard[i];
    }
    for (int n = onset; n < count; n++) {
        double x = (double)recording[n], d = x - (double)played[n];
        apart += d * d;
        whole += x * x;
    }
    double noise = fit->noise[r] * fit->noise[r];
    double fall = time_of_fall(recording, count, onset, noise);
    double fall_of_fit = time_of_fall(played, count, onset, 0.0);
    out->spectral_db = weights > 0.0 ? sqrt(sum / weights) : 0.0;
    out->decay_percent = fall > 0.0 ? 100.0 * (fall_of_fit / fall - 1.0) : 0.0;
    out->left_db = 10.0 * log10((apart + 1e-30) / (whole + 1e-30));
    return SB_OK;
}
