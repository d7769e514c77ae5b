/* SPDX-License-Identifier: MIT */
/* find_whirr FILE < PHASES: does a sound follow a pitch that glides?
 *
 * PHASES has lines "seconds turns" of a pitch, the turns since the first line.
 * The sound between the first and the last is read at even steps of the turns,
 * so that a pitch which follows them is constant and its harmonics are lines.
 * Prints the multiple, from 0.8 to 1.25, of that pitch whose first 8 harmonics
 * stand out most over what is half-way between them, and by how many dB.
 */
#include "runtime/base/fft.h"
#include "runtime/base/pi.h"
#include "runtime/media/sound_file.h"

#include <math.h>
#include <stdio.h>

enum { LINES_MOST = 4096, POINTS = 1 << 16, HARMONICS = 8, NEAR = 2 };

typedef struct glide {
    double time_s[LINES_MOST], turns[LINES_MOST];
    int count;
} glide;

static void read_glide(glide *g) {
    while (g->count < LINES_MOST &&
           scanf("%lf %lf", &g->time_s[g->count], &g->turns[g->count]) == 2)
        g->count++;
}

static double sample_at(const sb_sound *sound, double time_s) {
    double at = time_s * sound->rate_hz;
    int64_t i = (int64_t)floor(at);
    if (i < 0 || i + 1 >= sound->frame_count) return 0.0;
    const float *x = sound->samples + i * sound->channel_count;
    double part = at - (double)i;
    return (1.0 - part) * (double)x[0] + part * (double)x[sound->channel_count];
}

static void warp(const sb_sound *sound, const glide *g, float *out) {
    double all = g->turns[g->count - 1];
    for (int i = 0, k = 0; i < POINTS; i++) {
        double turn = all * i / POINTS;
        while (k < g->count - 2 && g->turns[k + 1] < turn)
            k++;
        double part = (turn - g->turns[k]) / (g->turns[k + 1] - g->turns[k]);
        double time = g->time_s[k] + part * (g->time_s[k + 1] - g->time_s[k]);
        double window = 0.5 - 0.5 * cos(SB_TAU * i / POINTS);
        out[i] = (float)(window * sample_at(sound, time));
    }
}

static double power_near(const double complex *lines, double at) {
    double sum = 1e-30;
    for (int i = -NEAR; i <= NEAR; i++) {
        int k = (int)lround(at) + i;
        if (k > 0 && k < POINTS / 2) sum += creal(lines[k] * conj(lines[k]));
    }
    return sum;
}

static double contrast_db(const double complex *lines, double turns) {
    double sum = 0.0;
    for (int k = 1; k <= HARMONICS; k++) {
        double off = 0.5 * (power_near(lines, (k - 0.5) * turns) +
                            power_near(lines, (k + 0.5) * turns));
        sum += 10.0 * log10(power_near(lines, k * turns) / off);
    }
    return sum / HARMONICS;
}

int main(int argc, char **argv) {
    static glide g;
    static float warped[POINTS];
    static double complex lines[POINTS / 2 + 1];
    sb_sound sound;
    sb_error err;
    read_glide(&g);
    if (argc != 2 || g.count < 3) {
        (void)fprintf(stderr, "usage: find_whirr FILE < PHASES\n");
        return 2;
    }
    if (sb_sound_read(&sound, argv[1], &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    sb_fft *fft = sb_fft_create(POINTS);
    if (!fft) return 1;
    warp(&sound, &g, warped);
    sb_fft_real(fft, warped, lines);
    double best = 0.0, best_db = -INFINITY;
    for (double scale = 0.8; scale <= 1.25; scale += 0.001) {
        double db = contrast_db(lines, scale * g.turns[g.count - 1]);
        if (db > best_db) best = scale, best_db = db;
    }
    (void)printf("%.3f %.1f\n", best, best_db);
    sb_fft_destroy(fft);
    sb_sound_free(&sound);
    return 0;
}
