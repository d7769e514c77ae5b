/* SPDX-License-Identifier: MIT */
/* A glide of ringing modes: energy goes on, and nothing clicks. */
#include "runtime/base/pi.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/impact_def.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/engine/voice_def.h"
#include "runtime/media/spectrum.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

/* 20 ms in whole blocks make the glide. */
enum { WINDOW = 16384, LATENCY = 128, GLIDE_AT = 8192, GLIDE_FRAMES = 1024 };

#define RATE_HZ 48000.0
#define GLIDE_S 0.02
#define SIGMA   3.0

static float stereo[2 * WINDOW];
static float ours[WINDOW], ideal[WINDOW];

static sb_bank_mode mode_of(double hz) {
    return (sb_bank_mode){SB_TAU * hz, SIGMA, 1.0};
}

/* One mode at -6 dBFS that glides by 10 % in stiffness. */
static void play(double hz, double to_hz) {
    sb_engine *engine;
    sb_engine_def def = sb_engine_def_default();
    ck_assert_int_eq(sb_engine_create(&def, &engine, NULL), SB_OK);
    sb_bank_mode from = mode_of(hz), to = mode_of(to_hz);
    sb_path_knot knot = {.ear = {{.full = 1.0f}, {.full = 1.0f}}};
    sb_voice_def voice = {.modes = &from, .mode_count = 1, .knot = &knot};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &voice, 0, &id, NULL), SB_OK);
    double weight = 1.0;
    sb_impact_def strike = {.impulse_ns = 0.5, .weights = &weight};
    ck_assert_int_eq(sb_engine_strike(engine, id, 0, &strike, NULL), SB_OK);
    sb_retune *retune;
    ck_assert_int_eq(
        sb_engine_prepare_retune(engine, &from, &to, 1, GLIDE_S, &retune, NULL),
        SB_OK);
    ck_assert_int_eq(sb_engine_reserve(engine, 1, NULL), SB_OK);
    sb_engine_retune(engine, id, GLIDE_AT, retune);
    ck_assert(sb_engine_flush(engine, WINDOW + 1024));
    sb_engine_pull(engine, stereo, LATENCY);
    sb_engine_pull(engine, stereo, WINDOW);
    for (int n = 0; n < WINDOW; n++)
        ours[n] = stereo[2 * n];
    sb_engine_destroy(engine);
}

static double ease(double t) {
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

/* Progress of the pitch, 0 .. 1, in the middle of the step from n to n + 1. */
static double smooth_way(int n) {
    return ease((n + 0.5 - GLIDE_AT) / GLIDE_FRAMES);
}

/* The same in straight lines from block to block. */
static double straight_way(int n) {
    int first = n / SB_BLOCK_FRAMES * SB_BLOCK_FRAMES;
    double from = ease((double)(first - GLIDE_AT) / GLIDE_FRAMES);
    double to =
        ease((double)(first + SB_BLOCK_FRAMES - GLIDE_AT) / GLIDE_FRAMES);
    return from + (to - from) * (n + 0.5 - first) / SB_BLOCK_FRAMES;
}

/* A glide in double, the frequency moving with every sample: q' of a mode whose
 * (w q, q') turns by the angle of the moment. */
static void play_ideal(double hz, double to_hz, double (*progress)(int n)) {
    /* Struck from rest, q is 0: with damping that is not quite angle 0. */
    double angle = asin(SIGMA / (SB_TAU * hz)), level = 0.5 / cos(angle);
    for (int n = 0; n < WINDOW; n++) {
        ideal[n] = (float)(level * cos(angle));
        angle += SB_TAU * (hz + (to_hz - hz) * progress(n)) / RATE_HZ;
        level *= exp(-SIGMA / RATE_HZ);
    }
}

/* All that lies more than an octave beside the mode, as the level it has while
 * the glide lasts, dBFS: a click is broad, a glide is not. */
static double splatter(const float *sound, double hz) {
    static float power[WINDOW / 2 + 1];
    sb_spectrum *spectrum;
    ck_assert_int_eq(sb_spectrum_create(&spectrum, WINDOW, WINDOW,
                                        SB_WINDOW_BLACKMAN_HARRIS, NULL),
                     SB_OK);
    sb_stretch stretch = {sound, WINDOW, 1, 0};
    sb_spectrum_power(spectrum, &stretch, 0, power);
    sb_spectrum_destroy(spectrum);
    double sum = 0.0;
    for (int k = 0; k < WINDOW / 2; k++) {
        double at = k * RATE_HZ / WINDOW;
        if (at > hz * 2.0 || at < hz * 0.5) sum += (double)power[k];
    }
    return 10.0 * log10(sum * WINDOW / (GLIDE_S * RATE_HZ) + 1e-30);
}

static const double pitches[] = {110, 440, 1000, 3000, 9000};

START_TEST(a_glide_adds_no_click_to_the_ideal_one) {
    double hz = pitches[_i], to_hz = hz * sqrt(1.1);
    play(hz, to_hz);
    play_ideal(hz, to_hz, smooth_way);
    double got = splatter(ours, hz), best = splatter(ideal, hz);
    (void)printf("%5.0f Hz: %.1f dBFS beside the glide, ideal %.1f\n", hz, got,
                 best);
    ck_assert_msg(got < -60.0, "%.0f Hz: %.1f dBFS beside the glide", hz, got);
    for (int n = 0; n < WINDOW; n++)
        ideal[n] = ours[n] - ideal[n];
    double added = splatter(ideal, hz);
    ck_assert_msg(added < -60.0, "%.0f Hz: adds %.1f dBFS", hz, added);
}
END_TEST

START_TEST(pitch_moves_with_every_sample) {
    double hz = pitches[_i], to_hz = hz * sqrt(1.1), worst = 0.0;
    play(hz, to_hz);
    play_ideal(hz, to_hz, straight_way);
    for (int n = 0; n < WINDOW; n++)
        worst = fmax(worst, fabs((double)ours[n] - (double)ideal[n]));
    ck_assert_msg(worst < 1e-3, "%.0f Hz: %.2g from the ideal", hz, worst);
}
END_TEST

START_TEST(the_level_goes_on_through_the_glide) {
    double hz = pitches[_i];
    play(hz, hz * sqrt(1.1));
    double before = 0.0, after = 0.0;
    for (int n = 0; n < 2048; n++) {
        before = fmax(before, fabs((double)ours[GLIDE_AT - 2048 + n]));
        after = fmax(after, fabs((double)ours[GLIDE_AT + n]));
    }
    ck_assert_double_le(after, before * 1.001);
    ck_assert_double_ge(after, before * 0.8);
}
END_TEST

int main(void) {
    TCase *glide = tcase_create("glide");
    tcase_add_loop_test(glide, a_glide_adds_no_click_to_the_ideal_one, 0, 5);
    tcase_add_loop_test(glide, pitch_moves_with_every_sample, 0, 5);
    tcase_add_loop_test(glide, the_level_goes_on_through_the_glide, 0, 5);
    Suite *suite = suite_create("retune");
    suite_add_tcase(suite, glide);
    return run_suite(suite);
}
