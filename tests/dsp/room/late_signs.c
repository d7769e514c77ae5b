/* SPDX-License-Identifier: MIT */
/* Finds the signs of runtime/dsp/room/late_signs.def and prints it.
 *
 * The response of an octave is linear in the signs b of its inputs: with r_i that
 * of line i alone, without losses, the energy in a window is b . G b, G being the
 * products r_i r_j summed over the window. Losses multiply all by exp(-rate t). So
 * many signs are tried at little cost: of random ones, those are improved, sign by
 * sign, with which T60, fitted from 5 to 25 and from 5 to 35 dB below the start,
 * at each ear and at both, is nearest to what is wanted, for T60 of 0.6 to 5 s,
 * in the middle of the octave, where it is measured. Few modes may also be
 * louder or softer than many: half a decibel is free, another counts as 2 %.
 */
#include "runtime/dsp/room/late.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/base/voice_types.h"
#include "tests/dsp/room/decay.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE_HZ     48000.0
#define GOOD_ENOUGH 0.035 /* of T60 */

enum {
    LINES = SB_LATE_LINES,
    SOURCES = LINES + 1,
    WINDOW = 4 * SB_BLOCK_FRAMES, /* 10.7 ms */
    WINDOWS = 280,                /* 3 s */
    FRAMES = WINDOWS * WINDOW,    /* fits into 2^18 with room to ring */
    TRIES = 20,
    ROUNDS = 4
};

static const double t60s_s[] = {0.6, 0.8, 1.0, 1.2, 1.4, 1.7,
                                2.0, 2.4, 2.8, 3.4, 4.0, 5.0};
enum { T60S = sizeof t60s_s / sizeof *t60s_s };

static float heard[SOURCES][2 * FRAMES];
static double complex lines[1 << 18];
static double gram[2][WINDOWS][SOURCES][SOURCES];

/* The response without losses, for these signs: of one octave alone, or of all
 * others. */
static void play(int size, int band, bool is_alone, const uint16_t *signs,
                 float *out) {
    sb_late_def def = {.sample_rate_hz = RATE_HZ, .size = size, .signs = signs};
    for (int i = 0; i < SB_LATE_BANDS; i++) {
        def.t60_s[i] = 1e9;
        def.gain[i] = (i == band) == is_alone ? 1.0 : 0.0;
    }
    void *memory = sb_alloc_aligned(sb_late_bytes(&def));
    if (!memory) exit(1);
    sb_late *late = sb_late_init(memory, &def);
    memset(out, 0, 2 * FRAMES * sizeof *out);
    for (int n = 0; n < FRAMES; n += SB_BLOCK_FRAMES) {
        float u[SB_BLOCK_FRAMES] = {n == 0};
        sb_late_run(late, u, out + (size_t)2 * (size_t)n);
    }
    sb_free(memory);
}

/* Both ears through the rounded octave, as one complex signal. */
static void limit(sb_fft *fft, int band, float *x) {
    int size = sb_fft_size(fft);
    memset(lines, 0, sizeof lines);
    for (int n = 0; n < FRAMES; n++)
        lines[n] = CMPLX((double)x[2 * n], (double)x[2 * n + 1]);
    sb_fft_forward(fft, lines);
    for (int k = 0; k < size; k++) {
        double hz = (k <= size / 2 ? k : size - k) * RATE_HZ / size;
        lines[k] *= octave(hz / sb_late_band_hz(band)) / size;
    }
    sb_fft_backward(fft, lines);
    for (int n = 0; n < FRAMES; n++) {
        x[2 * n] = (float)creal(lines[n]);
        x[2 * n + 1] = (float)cimag(lines[n]);
    }
}

/* Energy per window of white noise of the density that is wanted. */
static double wanted_energy(int size, int band) {
    double width = 0, gain = sb_late_gain(size, 1.0);
    for (double r = 0.7; r < 1.5; r += 1e-3)
        width += 1e-3 * octave(r) * octave(r);
    return width * sb_late_band_hz(band) / (0.5 * RATE_HZ) * WINDOW / RATE_HZ /
           (gain * gain);
}

/* The last of the responses is that of the other octaves, as far as it is heard
 * in this one. */
static void find_gram(int size, int band, const uint16_t *signs) {
    sb_fft *fft = sb_fft_create(1 << 18);
    if (!fft) exit(1);
    uint16_t tried[SB_LATE_BANDS] = {0};
    play(size, band, true, tried, heard[LINES]);
    for (int i = 0; i < LINES; i++) {
        tried[band] = (uint16_t)(1u << i);
        play(size, band, true, tried, heard[i]);
        for (int n = 0; n < 2 * FRAMES; n++)
            heard[i][n] = 0.5f * (heard[LINES][n] - heard[i][n]);
        limit(fft, band, heard[i]);
    }
    play(size, band, false, signs, heard[LINES]);
    limit(fft, band, heard[LINES]);
    sb_fft_destroy(fft);
    memset(gram, 0, sizeof gram);
    for (int i = 0; i < SOURCES; i++)
        for (int j = 0; j < SOURCES; j++)
            for (int n = 0; n < FRAMES; n++)
                for (int ear = 0; ear < 2; ear++)
                    gram[ear][n / WINDOW][i][j] +=
                        (double)heard[i][2 * n + ear] *
                        (double)heard[j][2 * n + ear];
}

/* T60 of energies per window, from -5 to `to_db`, relative to what is wanted. */
static double misfit(const double *energy, double t60_s, double to_db) {
    double left[WINDOWS + 1] = {0};
    double step_s = WINDOW / RATE_HZ, rate = 6 * log(10) / t60_s;
    /* What comes after the last window, if it goes on like the mean. */
    double mean = 0;
    for (int w = WINDOWS / 2; w < WINDOWS; w++)
        mean += energy[w] / (WINDOWS - WINDOWS / 2);
    left[WINDOWS] =
        mean * exp(-rate * step_s * WINDOWS) / (1 - exp(-rate * step_s));
    for (int w = WINDOWS - 1; w >= 0; w--)
        left[w] = left[w + 1] + energy[w] * exp(-rate * step_s * w);
    double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
    for (int w = 0; w < WINDOWS; w++) {
        double db = 10 * log10(left[w] / left[0]);
        if (db > -5) continue;
        if (db < to_db) break;
        double t = w * step_s;
        sx += t, sy += db, sxx += t * t, sxy += t * db, count++;
    }
    double found = -60 * (count * sxx - sx * sx) / (count * sxy - sx * sy);
    return fabs(found / t60_s - 1);
}

/* Of what comes after 0.1 s, at both ears. */
static double loudness_db(const double *energy, double t60_s, double wanted) {
    double step_s = WINDOW / RATE_HZ, rate = 6 * log(10) / t60_s;
    double sum = 0, all = 0;
    for (int w = (int)(0.1 / step_s); w < WINDOWS; w++) {
        sum += 0.5 * energy[w] * exp(-rate * step_s * w);
        all += wanted * exp(-rate * step_s * w);
    }
    return 10 * log10(sum / all);
}

static double worst_of(uint16_t signs, double wanted) {
    static double energy[3][WINDOWS];
    double worst = 0;
    for (int w = 0; w < WINDOWS; w++) {
        for (int ear = 0; ear < 2; ear++) {
            double both = 0;
            for (int i = 0; i < SOURCES; i++) {
                double row = 0;
                for (int j = 0; j < SOURCES; j++)
                    row += (unsigned)signs >> j & 1u ? -gram[ear][w][i][j]
                                                     : gram[ear][w][i][j];
                both += (unsigned)signs >> i & 1u ? -row : row;
            }
            energy[ear][w] = both;
        }
        energy[2][w] = energy[0][w] + energy[1][w];
    }
    for (int t = 0; t < T60S; t++) {
        double off_db = fabs(loudness_db(energy[2], t60s_s[t], wanted));
        worst = fmax(worst, 0.02 * (off_db - 0.5));
        for (int e = 0; e < 3; e++) {
            worst = fmax(worst, misfit(energy[e], t60s_s[t], -25));
            worst = fmax(worst, misfit(energy[e], t60s_s[t], -35));
        }
    }
    return worst;
}

static uint16_t improve(uint16_t signs, double wanted, double *worst) {
    *worst = worst_of(signs, wanted);
    for (int i = 0, since = 0; since < LINES; i = (i + 1) % LINES, since++) {
        uint16_t other = (uint16_t)(signs ^ 1u << i);
        double found = worst_of(other, wanted);
        if (found >= *worst) continue;
        *worst = found;
        signs = other;
        since = 0;
    }
    return signs;
}

/* In rounds, because each octave hears its neighbours: those that are good enough
 * stay, so that the others see the same neighbours again. */
static void choose(int size, int tries, sb_random *random, uint16_t *signs) {
    for (int i = 0; i < SB_LATE_BANDS; i++)
        signs[i] = (uint16_t)sb_random_u32(random);
    for (int step = 0; step < ROUNDS * SB_LATE_BANDS; step++) {
        int band = step % SB_LATE_BANDS;
        double wanted = wanted_energy(size, band), worst;
        find_gram(size, band, signs);
        double least = worst_of(signs[band], wanted);
        for (int i = 0; i < tries && least > GOOD_ENOUGH; i++) {
            uint16_t found =
                improve((uint16_t)sb_random_u32(random), wanted, &worst);
            if (worst < least) signs[band] = found;
            least = fmin(worst, least);
        }
        (void)fprintf(stderr, "%d %d: %.1f %%\n", size, band, 100 * least);
    }
}

int main(int argc, char **argv) {
    int tries = argc > 1 ? atoi(argv[1]) : TRIES;
    for (int size = 1; size <= SB_LATE_SIZES; size++) {
        sb_random random = sb_random_make(1, (uint64_t)size);
        uint16_t signs[SB_LATE_BANDS];
        choose(size, tries, &random, signs);
        for (int i = 0; i < SB_LATE_BANDS; i++)
            printf("%s0x%04x%s", i ? ", " : "{", (unsigned)signs[i],
                   i + 1 < SB_LATE_BANDS ? "" : "},\n");
        (void)fflush(stdout);
    }
    return 0;
}
