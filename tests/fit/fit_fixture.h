/* SPDX-License-Identifier: MIT */
/* tests/fit/fit_fixture.h -- recordings of things whose modes are known. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/fit/fit.h"

#include <math.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SLOW 1
#else
#define IS_SLOW 0
#endif

enum { TAKES_MOST = 5, MODES_MOST = 24 };

typedef struct made_mode {
    double freq_hz, t60_s;
    double gains[TAKES_MOST], phases_rad[TAKES_MOST];
} made_mode;

typedef struct made {
    made_mode modes[MODES_MOST];
    int mode_count, take_count;
    int rate_hz;
    double length_s, noise_db; /* below the signal's power */
    double before_s[TAKES_MOST];
    sb_recording recordings[TAKES_MOST];
} made;

static inline double gauss(sb_random *random) {
    double u = sb_random_unit(random) + 1e-300;
    return sqrt(-2.0 * log(u)) * cos(2.0 * SB_PI * sb_random_unit(random));
}

static inline double between(sb_random *random, double low, double high) {
    return low + (high - low) * sb_random_unit(random);
}

/* Levels down to -25 dB, every fourth mode 6 Hz above the one before. */
static inline void made_choose(made *it, sb_random *random) {
    for (int k = 0; k < it->mode_count; k++) {
        made_mode *mode = &it->modes[k];
        mode->freq_hz = 50.0 * pow(240.0, sb_random_unit(random));
        if (k % 4 == 1) mode->freq_hz = it->modes[k - 1].freq_hz + 6.0;
        for (int j = 0; k % 4 != 1 && j < k; j++) {
            if (fabs(it->modes[j].freq_hz - mode->freq_hz) < 12.0) {
                mode->freq_hz = 50.0 * pow(240.0, sb_random_unit(random));
                j = -1;
            }
        }
        mode->t60_s = 0.1 * pow(30.0, sb_random_unit(random));
        double level = pow(10.0, -between(random, 0.0, 25.0) / 20.0);
        for (int r = 0; r < it->take_count; r++) {
            mode->gains[r] =
                level * pow(10.0, -between(random, 0.0, 10.0) / 20.0);
            mode->phases_rad[r] = between(random, -SB_PI, SB_PI);
        }
    }
    for (int r = 0; r < it->take_count; r++)
        it->before_s[r] = between(random, 0.0, 0.2);
}

static inline void made_play(made *it, sb_random *random) {
    for (int r = 0; r < it->take_count; r++) {
        int before = (int)(it->before_s[r] * it->rate_hz);
        int length = (int)(it->length_s * it->rate_hz);
        int count = before + length;
        double *x = calloc((size_t)count, sizeof *x), power = 0.0;
        float *samples = malloc((size_t)count * sizeof *samples);
        for (int k = 0; k < it->mode_count; k++) {
            const made_mode *mode = &it->modes[k];
            double decay = log(1000.0) / (mode->t60_s * it->rate_hz);
            double turn = 2.0 * SB_PI * mode->freq_hz / it->rate_hz;
            for (int n = 0; n < length; n++)
                x[before + n] += mode->gains[r] * exp(-decay * n) *
                                 cos(turn * n + mode->phases_rad[r]);
        }
        for (int n = 0; n < count; n++)
            power += x[n] * x[n] / length;
        double noise = sqrt(power) * pow(10.0, -it->noise_db / 20.0);
        for (int n = 0; n < count; n++)
            samples[n] = (float)(0.1 * (x[n] + noise * gauss(random)));
        free(x);
        it->recordings[r] = (sb_recording){samples, count};
    }
}

static inline void made_free(made *it) {
    for (int r = 0; r < it->take_count; r++)
        free((void *)(uintptr_t)it->recordings[r].samples);
}
