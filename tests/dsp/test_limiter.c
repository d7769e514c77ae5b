/* SPDX-License-Identifier: MIT */
/* The brick wall: nothing above the ceiling, nothing touched below it, and a
 * gain that does not click. */
#include "runtime/engine/audio/limiter.h"

#include "runtime/base/random.h"
#include "tests/suite.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LATENCY = 128, FRAMES = 20000 };

static const float ceiling = 0.989f;
static float in[FRAMES][2], out[FRAMES][2];

static void limit_in_parts(sb_limiter *limiter, uint64_t seed) {
    sb_random random = sb_random_make(seed, 1);
    memcpy(out, in, sizeof out);
    int done = 0;
    while (done < FRAMES) {
        int part = seed ? 1 + (int)(sb_random_unit(&random) * 300) : FRAMES;
        if (part > FRAMES - done) part = FRAMES - done;
        sb_limiter_process(limiter, out[done], part);
        done += part;
    }
}

static void limit(void) {
    sb_limiter limiter;
    sb_limiter_init(&limiter, 48000, ceiling);
    limit_in_parts(&limiter, 0);
}

static void silence(void) {
    memset(in, 0, sizeof in);
}

static void noise(double level, uint64_t seed) {
    sb_random random = sb_random_make(seed, 2);
    for (int n = 0; n < FRAMES; n++)
        for (int ear = 0; ear < 2; ear++)
            in[n][ear] = (float)(level * (2 * sb_random_unit(&random) - 1));
}

/* Bursts of every length and level, from nothing to absurd. */
static void bursts(uint64_t seed) {
    sb_random random = sb_random_make(seed, 3);
    noise(1, seed);
    int n = 0;
    while (n < FRAMES) {
        int length = 1 + (int)(400 * pow(sb_random_unit(&random), 3));
        float level = (float)pow(10, 8 * sb_random_unit(&random) - 4);
        bool is_step = sb_random_unit(&random) < 0.3;
        for (; length > 0 && n < FRAMES; length--, n++)
            for (int ear = 0; ear < 2; ear++)
                in[n][ear] = is_step ? level : level * in[n][ear];
    }
}

static float loudest_out(void) {
    float peak = 0;
    bool is_finite = true;
    for (int n = 0; n < FRAMES; n++)
        for (int ear = 0; ear < 2; ear++) {
            is_finite = is_finite && isfinite(out[n][ear]);
            peak = fmaxf(peak, fabsf(out[n][ear]));
        }
    ck_assert(is_finite);
    return peak;
}

START_TEST(bursts_never_pass_the_ceiling) {
    bursts((uint64_t)_i + 1);
    limit();
    ck_assert_float_le(loudest_out(), ceiling);
}
END_TEST

START_TEST(steps_and_spikes_never_pass_the_ceiling) {
    const float levels[] = {0.99f, 1, 1.0000001f, 2, 1e3f, 1e20f, FLT_MAX};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        silence();
        in[10][0] = levels[i]; /* one sample */
        for (int n = 1000; n < 3000; n++)
            in[n][1] = -levels[i]; /* a step */
        for (int n = 5000; n < 9000; n += 129)
            in[n][0] = levels[i]; /* spikes just out of each other's reach */
        limit();
        float peak = loudest_out();
        ck_assert_float_le(peak, ceiling);
        ck_assert_float_ge(peak, 0.999f * ceiling);
    }
}
END_TEST

/* Without the clamp behind it, the gain alone would do. */
START_TEST(the_gain_is_down_when_the_peak_comes) {
    bursts(99);
    limit();
    for (int n = LATENCY; n < FRAMES; n++) {
        float *x = in[n - LATENCY];
        bool left_leads = fabsf(x[0]) > fabsf(x[1]);
        double louder = fabs((double)x[!left_leads]);
        double softer = fabs((double)x[left_leads]);
        if (louder < 1e-3 || softer < 1e-9) continue;
        /* The softer ear is never clamped, so it shows the gain itself. */
        double gain = fabs((double)out[n][left_leads]) / softer;
        if (!(gain * louder <= (double)ceiling * (1 + 1e-6)))
            ck_abort_msg("frame %d: gain %g on a peak of %g", n, gain, louder);
    }
}
END_TEST

START_TEST(samples_that_are_no_numbers_count_as_silence) {
    const float odd[] = {NAN, INFINITY, -INFINITY, -NAN};
    noise(0.9, 4);
    for (int n = 0; n < FRAMES; n += 100)
        in[n][n / 100 % 2] = odd[n / 100 % 4];
    limit();
    ck_assert_float_le(loudest_out(), 0.9f);
    for (int n = LATENCY; n < FRAMES; n++)
        for (int ear = 0; ear < 2; ear++) {
            float x = in[n - LATENCY][ear];
            if (out[n][ear] != (isfinite(x) ? x : 0))
                ck_abort_msg("frame %d: %g of %g", n, (double)out[n][ear],
                             (double)x);
        }
}
END_TEST

START_TEST(below_the_ceiling_every_bit_passes_128_frames_later) {
    ck_assert_int_eq(SB_LIMITER_LATENCY, LATENCY);
    noise(0.989, 5);
    for (int n = 0; n < FRAMES; n++) { /* subnormals, signed zeros, the edge */
        if (n % 50 == 0) in[n][0] = (float)(n - FRAMES / 2) * FLT_TRUE_MIN;
        if (n % 50 == 1) in[n][1] = -0.0f;
        if (n % 50 == 2) in[n][0] = n % 100 ? ceiling : -ceiling;
    }
    limit();
    static const float zeros[LATENCY][2];
    ck_assert_mem_eq(out, zeros, sizeof zeros);
    ck_assert_mem_eq(out[LATENCY], in, sizeof(float) * 2 * (FRAMES - LATENCY));
}
END_TEST

START_TEST(it_lets_go_completely_after_a_peak) {
    noise(0.5, 6);
    in[0][0] = 1e6f;
    sb_limiter limiter;
    sb_limiter_init(&limiter, 8000, ceiling);
    limit_in_parts(&limiter, 0);
    /* 20 dB ahead of 80 ms: e^-14 is below a millionth after 1.12 s. */
    int from = LATENCY + 2 * LATENCY + (int)(14 * 0.08 * 8000);
    ck_assert_mem_eq(out[from], in[from - LATENCY],
                     sizeof out[0] * (size_t)(FRAMES - from));
}
END_TEST

/* Steady input shows the gain at every frame. */
static void steady_with_peak(float peak) {
    for (int n = 0; n < FRAMES; n++)
        in[n][0] = in[n][1] = 0.5f;
    in[5000][0] = peak;
    limit();
}

START_TEST(the_gain_moves_smoothly) {
    /* Down over 128 frames, so by at most 1/128 of the way in one; up no
     * faster than the release. */
    const float peaks[] = {1, 2, 10, 1e4f};
    for (int i = 0; i < 4; i++) {
        steady_with_peak(peaks[i]);
        double low = (double)ceiling / (double)peaks[i], last = 1;
        double down = (1 - low) / 128 + 1e-6, up = 1 / (0.08 * 48000) + 1e-6;
        for (int n = LATENCY; n < FRAMES; n++) {
            if (n == 5000 + LATENCY) continue;
            double gain = (double)out[n][1] / 0.5;
            if (!(gain >= last - down && gain <= last + up))
                ck_abort_msg("frame %d: gain from %g to %g", n, last, gain);
            last = gain;
        }
    }
}
END_TEST

START_TEST(the_gain_begins_to_fall_128_frames_before_the_peak) {
    steady_with_peak(10);
    for (int n = LATENCY; n < 5000; n++)
        ck_assert(out[n][1] == 0.5f);
    ck_assert(out[5000][1] < 0.5f);
    double at_peak = (double)out[5000 + LATENCY][1] / 0.5;
    ck_assert_double_eq_tol(at_peak, (double)ceiling / 10, 1e-6);
}
END_TEST

START_TEST(both_ears_share_one_gain) {
    noise(0.5, 7);
    for (int n = 3000; n < 4000; n++)
        in[n][0] = 5; /* left alone is too loud */
    limit();
    bool was_reduced = false;
    for (int n = LATENCY; n < FRAMES; n++) {
        float *x = in[n - LATENCY];
        if (fabsf(x[0]) < 0.01f || fabsf(x[1]) < 0.01f) continue;
        double left = (double)out[n][0] / (double)x[0];
        double right = (double)out[n][1] / (double)x[1];
        if (!(fabs(left - right) <= 1e-5))
            ck_abort_msg("frame %d: gains %g and %g", n, left, right);
        was_reduced = was_reduced || right < 0.3;
    }
    ck_assert(was_reduced);
}
END_TEST

START_TEST(the_call_size_does_not_matter) {
    static float whole[FRAMES][2];
    bursts(8);
    limit();
    memcpy(whole, out, sizeof whole);
    for (uint64_t seed = 1; seed < 5; seed++) {
        sb_limiter limiter;
        sb_limiter_init(&limiter, 48000, ceiling);
        limit_in_parts(&limiter, seed);
        ck_assert_mem_eq(out, whole, sizeof whole);
    }
}
END_TEST

START_TEST(it_tells_the_smallest_gain_once) {
    sb_limiter limiter;
    sb_limiter_init(&limiter, 48000, ceiling);
    silence();
    in[100][0] = 9.89f;
    limit_in_parts(&limiter, 0);
    ck_assert_double_eq_tol(sb_limiter_take_lowest(&limiter), 0.1, 1e-6);
    ck_assert_double_eq(sb_limiter_take_lowest(&limiter), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("limiter");
    TCase *tcase = tcase_create("limiter");
    tcase_add_loop_test(tcase, bursts_never_pass_the_ceiling, 0, 20);
    tcase_add_test(tcase, steps_and_spikes_never_pass_the_ceiling);
    tcase_add_test(tcase, the_gain_is_down_when_the_peak_comes);
    tcase_add_test(tcase, samples_that_are_no_numbers_count_as_silence);
    tcase_add_test(tcase, below_the_ceiling_every_bit_passes_128_frames_later);
    tcase_add_test(tcase, it_lets_go_completely_after_a_peak);
    tcase_add_test(tcase, the_gain_moves_smoothly);
    tcase_add_test(tcase, the_gain_begins_to_fall_128_frames_before_the_peak);
    tcase_add_test(tcase, both_ears_share_one_gain);
    tcase_add_test(tcase, the_call_size_does_not_matter);
    tcase_add_test(tcase, it_tells_the_smallest_gain_once);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
