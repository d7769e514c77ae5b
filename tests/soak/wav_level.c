/* wav_level FILE: mean and peak of a WAV file of 32-bit floats, in dBFS, and how
 * many of its samples are not finite. Reads block by block, so that a file may
 * have hours. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20 * log10(amplitude) : -200;
}

/* Seeks to the samples; false if there are none. */
static int find_data(FILE *in) {
    char kind[4];
    uint32_t bytes = 0;
    if (fseek(in, 12, SEEK_SET)) return 0;
    while (fread(kind, 1, 4, in) == 4 && fread(&bytes, 4, 1, in) == 1) {
        if (memcmp(kind, "data", 4) == 0) return 1;
        if (fseek(in, (long)bytes + (bytes & 1), SEEK_CUR)) return 0;
    }
    return 0;
}

int main(int argc, char **argv) {
    static float block[1 << 14];
    double sums[2] = {0, 0}, peak = 0;
    long long count = 0, bad = 0;
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in || !find_data(in)) {
        (void)fprintf(stderr, "wav_level: no samples\n");
        return EXIT_FAILURE;
    }
    size_t got = 0;
    while ((got = fread(block, sizeof *block, 1 << 14, in)) > 0) {
        for (size_t i = 0; i < got; i++, count++) {
            bad += !isfinite(block[i]);
            sums[count & 1] += (double)block[i];
            peak = fmax(peak, fabs((double)block[i]));
        }
    }
    (void)fclose(in);
    double mean = fmax(fabs(sums[0]), fabs(sums[1])) / (double)(count / 2 + 1);
    (void)printf("%lld %.1f %.2f %lld\n", count / 2, decibels(mean),
                 decibels(peak), bad);
    return EXIT_SUCCESS;
}
