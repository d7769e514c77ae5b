/* SPDX-License-Identifier: MIT */
/* The late field: T60 and energy of each octave, from its impulse response. */
#include "runtime/dsp/room/late.h"

#include "runtime/base/voice_types.h"
#include "tests/dsp/room/decay.h"
#include "tests/suite.h"

#include <string.h>

#define RATE_HZ 48000.0

enum {
    MOST = 1280 * SB_BLOCK_FRAMES,
    OCTAVES = 7,
    FULL_AT = 4800 /* all lines are in use */
};

static float heard[2 * MOST];

static sb_late_def plain(double t60_s) {
    sb_late_def def = {.sample_rate_hz = RATE_HZ, .size = 4};
    for (int i = 0; i < SB_LATE_BANDS; i++)
        def.t60_s[i] = t60_s;
    return def;
}

/* An impulse, with the gains for an energy of 1 per second. Returns the longest
 * delay. */
static int play(sb_late_def *def, int frames) {
    for (int i = 0; i < SB_LATE_BANDS; i++)
        def->gain[i] = sb_late_gain(def->size, 1.0);
    float *memory = sb_alloc_aligned(sb_late_bytes(def));
    ck_assert_ptr_nonnull(memory);
    sb_late *late = sb_late_init(memory, def);
    memset(heard, 0, sizeof heard);
    for (int n = 0; n < frames; n += SB_BLOCK_FRAMES) {
        float u[SB_BLOCK_FRAMES] = {n == 0};
        sb_late_run(late, u, &heard[2 * n]);
    }
    int longest = sb_late_longest(late);
    sb_free(memory);
    return longest;
}

/* Energy per second of white noise of energy 1 in a rounded octave. */
static double energy_in(double hz) {
    double width = 0; /* of its centre */
    for (double r = 0.7; r < 1.5; r += 1e-3)
        width += 1e-3 * octave(r) * octave(r);
    return width * hz / (0.5 * RATE_HZ);
}

/* Each ear alone, from one impulse, and the energy of both. */
static void expect_t60_and_energy(sb_late_def def) {
    double longest_s = 0;
    for (int i = 0; i < SB_LATE_BANDS; i++)
        longest_s = fmax(longest_s, def.t60_s[i]);
    int frames = (int)fmin(0.7 * longest_s * RATE_HZ, MOST);
    play(&def, frames);
    for (int i = 0; i < OCTAVES; i++) {
        double hz = sb_late_band_hz(i), both = 0;
        double rate = 6.0 * log(10.0) / def.t60_s[i], since = FULL_AT / RATE_HZ;
        for (int ear = 0; ear < 2; ear++) {
            double *left = sb_alloc((size_t)frames, sizeof *left);
            add_decay(heard + ear, 2, frames, RATE_HZ, hz, left);
            double t60_s = t60_of(left, 0, frames, RATE_HZ);
            both += 0.5 * left[FULL_AT];
            sb_free(left);
            double limit = 0.05;
            ck_assert_msg(fabs(t60_s / def.t60_s[i] - 1) < limit,
                          "size %d, ear %d, %g Hz: T60 is %g s, wanted %g s",
                          def.size, ear, hz, t60_s, def.t60_s[i]);
        }
        double wanted = energy_in(hz) / rate * exp(-rate * since);
        double off_db = 10 * log10(both / wanted);
        ck_assert_msg(i == 0 || fabs(off_db) < 3.0, "%g Hz: energy %+.2f dB",
                      hz, off_db);
    }
}

START_TEST(one_t60_holds_in_every_octave) {
    static const double wanted_s[] = {1.0, 1.4, 2.0, 4.0};
    sb_late_def def = plain(wanted_s[_i % 4]);
    def.size = 1 + _i / 4;
    expect_t60_and_energy(def);
}
END_TEST

/* A hall, a room with carpet, and a step of a half in the middle. */
static const double halls[][SB_LATE_BANDS] = {
    {2.4, 2.2, 2.1, 2.0, 1.8, 1.4, 0.9, 0.5},
    {0.9, 0.8, 0.6, 0.5, 0.45, 0.4, 0.38, 0.35},
    {1.0, 1.0, 1.0, 1.5, 1.5, 1.0, 1.0, 1.0},
};

START_TEST(each_octave_has_its_t60) {
    sb_late_def def = plain(1.0);
    memcpy(def.t60_s, halls[_i], sizeof def.t60_s);
    expect_t60_and_energy(def);
}
END_TEST

/* Over any time as long as the longest line. */
START_TEST(energy_never_grows) {
    sb_late_def def = plain(20.0);
    int span = play(&def, MOST);
    double before = INFINITY;
    for (int from = 0; from + span <= MOST; from += 8 * span) {
        double sum = 0;
        for (int n = 2 * from; n < 2 * (from + 8 * span) && n < 2 * MOST; n++)
            sum += (double)heard[n] * (double)heard[n];
        if (from + 8 * span > MOST) break;
        ck_assert_msg(from < 8 * span || sum < 1.1 * before,
                      "energy %g after %g", sum, before);
        before = sum;
    }
}
END_TEST

START_TEST(both_ears_are_independent) {
    sb_late_def def = plain(2.0);
    play(&def, MOST);
    double ll = 0, rr = 0, lr = 0;
    for (int n = 0; n < MOST; n++) {
        double l = (double)heard[2 * n], r = (double)heard[2 * n + 1];
        ll += l * l, rr += r * r, lr += l * r;
    }
    ck_assert_msg(fabs(lr) < 0.05 * sqrt(ll * rr), "correlation %g",
                  lr / sqrt(ll * rr));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("late");
    TCase *tests = tcase_create("late");
    tcase_add_loop_test(tests, one_t60_holds_in_every_octave, 0,
                        4 * SB_LATE_SIZES);
    tcase_add_loop_test(tests, each_octave_has_its_t60, 0, 3);
    tcase_add_test(tests, energy_never_grows);
    tcase_add_test(tests, both_ears_are_independent);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
