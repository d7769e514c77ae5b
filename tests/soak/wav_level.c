/* SPDX-License-Identifier: MIT */
/* wav_level FILE: frames, mean and peak of a WAV file of 32-bit floats, in dBFS,
 * and how many of its samples are not finite.
 * wav_level FILE OTHER: the largest difference of two of them, in dB of the
 * first one's peak.
 * Reads block by block, so that a file may have hours. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 14 };

static double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20 * log10(amplitude) : -200;
}

/* At the samples; NULL if there are none. */
static FILE *open_wav(const char *path) {
    char kind[4];
    uint32_t bytes = 0;
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 12, SEEK_SET)) return NULL;
    while (fread(kind, 1, 4, in) == 4 && fread(&bytes, 4, 1, in) == 1) {
        if (memcmp(kind, "data", 4) == 0) return in;
        if (fseek(in, (long)bytes + (bytes & 1), SEEK_CUR)) return NULL;
    }
    return NULL;
}

static int show(FILE *in) {
    static float block[BLOCK];
    double sums[2] = {0, 0}, peak = 0;
    long long count = 0, bad = 0;
    size_t got = 0;
    while ((got = fread(block, sizeof *block, BLOCK, in)) > 0) {
        for (size_t i = 0; i < got; i++, count++) {
            bad += !isfinite(block[i]);
            sums[count & 1] += (double)block[i];
            peak = fmax(peak, fabs((double)block[i]));
        }
    }
    double mean = fmax(fabs(sums[0]), fabs(sums[1])) / (double)(count / 2 + 1);
    (void)printf("%lld %.1f %.2f %lld\n", count / 2, decibels(mean),
                 decibels(peak), bad);
    return EXIT_SUCCESS;
}

static int compare(FILE *a, FILE *b) {
    static float x[BLOCK], y[BLOCK];
    double peak = 0, off = 0;
    size_t got = 0, other = 0;
    do {
        got = fread(x, sizeof *x, BLOCK, a);
        other = fread(y, sizeof *y, BLOCK, b);
        for (size_t i = 0; i < got && i < other; i++) {
            peak = fmax(peak, fabs((double)x[i]));
            off = fmax(off, fabs((double)x[i] - (double)y[i]));
        }
        if (got != other) off = INFINITY; /* of another length */
    } while (got > 0 && got == other);
    (void)printf("%.1f\n", decibels(peak > 0 ? off / peak : INFINITY));
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    FILE *a = argc > 1 ? open_wav(argv[1]) : NULL;
    FILE *b = argc > 2 ? open_wav(argv[2]) : NULL;
    if (!a || (argc > 2 && !b)) {
        (void)fprintf(stderr, "wav_level: no samples\n");
        return EXIT_FAILURE;
    }
    return b ? compare(a, b) : show(a);
}
