/* SPDX-License-Identifier: MIT */
/* find_lines FILE FROM TO [HZ ...]: lines in a part of a recording.
 *
 * Takes the first channel from FROM to TO seconds. For each HZ, prints the
 * frequency and the level of the highest peak within 6 % of it, in dB below the
 * loudest of the whole part and in dBFS. Without HZ, prints the centroid of the
 * power from 20 Hz to 20 kHz, in Hz. With "thirds" instead, prints the middle of
 * each third of an octave from 100 Hz to 16 kHz and its power in dB; with "above"
 * and HZ, how much of all power is above HZ, in per cent.
 */
#include "runtime/media/sound_file.h"
#include "tests/media/peaks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PEAKS = 4096 };

/* Power by bins of rate / *size; NULL: no memory. */
static float *power_of(const sb_stretch *stretch, int *size, int *count,
                       sb_error *err) {
    sb_spectrum *spectrum = NULL;
    *size = (int)(stretch->frame_count & ~(int64_t)1);
    if (sb_spectrum_create(&spectrum, *size, *size, SB_WINDOW_HANN, err))
        return NULL;
    *count = sb_spectrum_bin_count(spectrum);
    float *power = sb_alloc((size_t)*count, sizeof *power);
    if (power) sb_spectrum_power(spectrum, stretch, 0, power);
    sb_spectrum_destroy(spectrum);
    return power;
}

static double centroid(const sb_stretch *stretch, int rate_hz, sb_error *err) {
    int size, count;
    float *power = power_of(stretch, &size, &count, err);
    double sum = 0.0, mean = 0.0;
    for (int k = 0; power && k < count; k++) {
        double freq_hz = (double)k * rate_hz / size;
        if (freq_hz < 20.0 || freq_hz > 20000.0) continue;
        sum += (double)power[k];
        mean += freq_hz * (double)power[k];
    }
    sb_free(power);
    return sum > 0.0 ? mean / sum : 0.0;
}

static void show_thirds(const sb_stretch *stretch, int rate_hz, sb_error *err) {
    int size, count;
    float *power = power_of(stretch, &size, &count, err);
    for (int third = -10; power && third <= 12; third++) {
        double middle_hz = 1000.0 * pow(2.0, third / 3.0), sum = 1e-30;
        for (int k = 0; k < count; k++) {
            double off = 6.0 * log2((double)k * rate_hz / size / middle_hz);
            if (off >= -1.0 && off < 1.0) sum += (double)power[k];
        }
        (void)printf("%.0f %.2f\n", middle_hz, 10.0 * log10(sum));
    }
    sb_free(power);
}

static void show_above(const sb_stretch *stretch, int rate_hz, double from_hz,
                       sb_error *err) {
    int size, count;
    float *power = power_of(stretch, &size, &count, err);
    double all = 1e-30, above = 0.0;
    for (int k = 0; power && k < count; k++) {
        double freq_hz = (double)k * rate_hz / size;
        all += (double)power[k];
        above += freq_hz > from_hz ? (double)power[k] : 0.0;
    }
    (void)printf("%.4f\n", 100.0 * above / all);
    sb_free(power);
}

static void show_nearest(const sb_peak *peaks, int count, double freq_hz) {
    sb_peak best = {0.0, -200.0};
    double loudest = -200.0;
    for (int i = 0; i < count; i++) {
        loudest = fmax(loudest, peaks[i].level_db);
        if (fabs(peaks[i].freq_hz / freq_hz - 1.0) <= 0.06 &&
            peaks[i].level_db > best.level_db)
            best = peaks[i];
    }
    (void)printf("%.4f %.2f %.2f\n", best.freq_hz, best.level_db - loudest,
                 best.level_db);
}

static int show(const sb_sound *sound, int argc, char **argv) {
    static sb_peak peaks[MOST_PEAKS];
    int64_t from = llround(strtod(argv[2], NULL) * sound->rate_hz);
    int64_t to = llround(strtod(argv[3], NULL) * sound->rate_hz);
    if (from < 0 || to > sound->frame_count || to - from < 16) {
        (void)fprintf(stderr, "%s is too short\n", argv[1]);
        return 1;
    }
    sb_stretch stretch = {sound->samples + from * sound->channel_count,
                          to - from, sound->channel_count, 0};
    sb_error err = {0};
    if (argc == 4) {
        (void)printf("%.1f\n", centroid(&stretch, sound->rate_hz, &err));
        return err.status ? 1 : 0;
    }
    if (strcmp(argv[4], "thirds") == 0) {
        show_thirds(&stretch, sound->rate_hz, &err);
        return err.status ? 1 : 0;
    }
    if (strcmp(argv[4], "above") == 0 && argc == 6) {
        show_above(&stretch, sound->rate_hz, strtod(argv[5], NULL), &err);
        return err.status ? 1 : 0;
    }
    sb_peaks_def def = sb_peaks_def_default(sound->rate_hz);
    def.range_db = 150.0;
    int count = 0;
    if (sb_spectrum_peaks(&stretch, &def, peaks, MOST_PEAKS, &count, &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (int i = 4; i < argc; i++)
        show_nearest(peaks, count, strtod(argv[i], NULL));
    return 0;
}

int main(int argc, char **argv) {
    sb_sound sound;
    sb_error err;
    if (argc < 4) {
        (void)fprintf(stderr, "usage: find_lines FILE FROM TO [HZ ...]\n");
        return 2;
    }
    if (sb_sound_read(&sound, argv[1], &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int code = show(&sound, argc, argv);
    sb_sound_free(&sound);
    return code;
}
