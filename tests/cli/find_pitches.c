/* SPDX-License-Identifier: MIT */
/* find_pitches FILE [CENTS HZ ...]: the partials of a recording.
 *
 * Prints the frequency and level of each partial of the first channel, loudest
 * first. Given frequencies must all be among them, within that many cents;
 * otherwise prints those that are missing and fails.
 */
#include "runtime/media/sound_file.h"
#include "tests/media/peaks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PEAKS = 64, LONGEST_FRAMES = 1 << 19 };

static int louder_first(const void *a, const void *b) {
    double x = ((const sb_peak *)a)->level_db;
    double y = ((const sb_peak *)b)->level_db;
    return (x < y) - (x > y);
}

static int find_peaks(const char *path, sb_peak *peaks, int *count) {
    sb_sound sound;
    sb_error err;
    if (sb_sound_read(&sound, path, &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    sb_stretch stretch = {sound.samples, sound.frame_count, sound.channel_count,
                          0};
    if (stretch.frame_count > LONGEST_FRAMES) {
        stretch.frame_count = LONGEST_FRAMES;
    }
    sb_peaks_def def = sb_peaks_def_default(sound.rate_hz);
    sb_status status =
        sb_spectrum_peaks(&stretch, &def, peaks, MOST_PEAKS, count, &err);
    sb_sound_free(&sound);
    if (!status) return 0;
    (void)fprintf(stderr, "%s: %s\n", path, err.message);
    return 1;
}

static double nearest_cents(const sb_peak *peaks, int count, double freq_hz) {
    double best = INFINITY;
    for (int i = 0; i < count; i++) {
        double cents = 1200.0 * log2(peaks[i].freq_hz / freq_hz);
        if (fabs(cents) < fabs(best)) best = cents;
    }
    return best;
}

int main(int argc, char **argv) {
    sb_peak peaks[MOST_PEAKS];
    int count = 0;
    if (argc < 2 || argc == 3) {
        (void)fprintf(stderr, "usage: find_pitches FILE [CENTS HZ ...]\n");
        return 2;
    }
    if (find_peaks(argv[1], peaks, &count)) return 1;
    qsort(peaks, (size_t)count, sizeof peaks[0], louder_first);
    for (int i = 0; i < count && i < 12; i++)
        (void)printf("%10.2f Hz %7.1f dB\n", peaks[i].freq_hz,
                     peaks[i].level_db);
    int missing = 0;
    for (int i = 3; i < argc; i++) {
        double wanted_hz = strtod(argv[i], NULL);
        double cents = nearest_cents(peaks, count, wanted_hz);
        bool is_there = fabs(cents) <= strtod(argv[2], NULL);
        (void)printf("%s Hz: %s, nearest is off by %.2f cents\n", argv[i],
                     is_there ? "found" : "MISSING", cents);
        missing += !is_there;
    }
    return missing ? 1 : 0;
}
