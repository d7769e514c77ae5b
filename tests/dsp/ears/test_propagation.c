/* SPDX-License-Identifier: MIT */
/* From a body to two ears: travel time, Doppler shift, shadow and air
 * against their closed forms, on every instruction set, without clicks. */
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/vector/isa.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATE_HZ 48000.0

enum { FRAMES = 384 * SB_BLOCK_FRAMES, STEP = 480, EARLY = 7200 };

/* What a path is in closed form: the delay and the gain at e, in frames. */
typedef struct motion {
    double (*delay)(double e);
    double (*gain)(double e);
} motion;

static float heard[2 * FRAMES]; /* the latency taken off */
static double want[FRAMES];

static double no_gain_change(double e) {
    (void)e;
    return 0.5;
}

static sb_ears *make_ears(const char *isa) {
    void *memory = sb_alloc_aligned(sb_ears_bytes(RATE_HZ));
    ck_assert_ptr_nonnull(memory);
    ck_assert_ptr_nonnull(sb_isa_choose(isa));
    return sb_ears_init(memory, RATE_HZ);
}

static sb_path_knot knot_at(const motion *m, double e) {
    double d = 0.01;
    sb_path_knot knot = {.time_frames = e};
    for (int ear = 0; ear < 2; ear++) {
        sb_ear_knot *k = &knot.ear[ear];
        k->delay = m->delay(e);
        k->rate = (m->delay(e + d) - m->delay(e - d)) / (2 * d);
        k->full = (float)m->gain(e);
        k->full_rate = (float)((m->gain(e + d) - m->gain(e - d)) / (2 * d));
    }
    return knot;
}

static double sine(double hz, double e) {
    return e < 0 ? 0 : sin(2 * SB_PI * hz * e / RATE_HZ);
}

static void hear_block(sb_ears *ears, sb_path *path, const float *mono,
                       int64_t frame) {
    float stereo[2 * SB_BLOCK_FRAMES] = {0};
    sb_ears_begin(ears, frame);
    if (mono) sb_ears_take(ears, path, mono);
    sb_ears_give(ears, stereo);
    int64_t late = frame - sb_ears_latency(RATE_HZ);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        if (late + n < 0) continue;
        heard[2 * (late + n)] = stereo[2 * n];
        heard[2 * (late + n) + 1] = stereo[2 * n + 1];
    }
}

/* A sine along the motion, given by knots 10 ms apart. */
static void play(sb_ears *ears, const motion *m, double hz) {
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_knot first = knot_at(m, 0);
    sb_path_begin(path, &first);
    memset(heard, 0, sizeof heard);
    int told = 0;
    for (int frame = 0; frame < FRAMES; frame += SB_BLOCK_FRAMES) {
        for (; told < frame + SB_BLOCK_FRAMES; told += STEP) {
            sb_path_knot to = knot_at(m, told + STEP);
            sb_path_add(path, told, &to);
        }
        float mono[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            mono[n] = (float)sine(hz, frame + n);
        hear_block(ears, path, mono, frame);
    }
    sb_free(path);
}

/* e + delay(e) = m */
static double retarded(const motion *m, double frame) {
    double e = frame - m->delay(frame);
    for (int i = 0; i < 200; i++) {
        double next = frame - m->delay(e);
        if (fabs(next - e) < 1e-12) break;
        e = next;
    }
    return e;
}

/* The same in closed form, through a high-pass at 5 Hz. */
static void expect_closed_form(const motion *m, double hz) {
    double keep = exp(-2 * SB_PI * 5 / RATE_HZ), in = 0, out = 0;
    for (int n = 0; n < FRAMES; n++) {
        double e = retarded(m, n);
        double x = m->gain(e) * sine(hz, e);
        out = 0.5 * (1 + keep) * (x - in) + keep * out;
        in = x;
        want[n] = out;
    }
}

/* Relative to full scale, without the onset. */
static double worst_error_db(void) {
    double sum = 0;
    int count = 0;
    for (int n = EARLY; n < FRAMES - 256; n++, count++) {
        double wrong = (double)heard[2 * n] - want[n];
        sum += wrong * wrong;
    }
    return 10 * log10(2 * sum / count);
}

static void expect_clean(const motion *m, double hz, double db) {
    sb_ears *ears = make_ears(NULL);
    play(ears, m, hz);
    expect_closed_form(m, hz);
    double error_db = worst_error_db();
    ck_assert_msg(error_db < db, "%g Hz: %g dB of artefacts", hz, error_db);
    sb_free(ears);
}

static double one_metre(double e) {
    (void)e;
    return RATE_HZ / 343.0;
}
static double coming(double e) {
    return 5200 - 0.1 * e;
}
static double going(double e) {
    return 100.25 + 0.1 * e;
}
/* 30 m/s past an ear 5 m away, closest at half the time. */
static double away_m(double e) {
    double x = 30 * (e - 24000) / RATE_HZ;
    return sqrt(25 + x * x);
}
static double passing(double e) {
    return away_m(e) / 343.2 * RATE_HZ;
}
static double passing_gain(double e) {
    return 1 / away_m(e);
}

static const double tones_hz[] = {100, 440, 1000, 3000, 6500, 12000};
enum { TONES = 6 };

START_TEST(a_body_at_rest_is_heard_after_its_travel_time) {
    motion m = {one_metre, no_gain_change};
    for (int i = 0; i < TONES; i++)
        expect_clean(&m, tones_hz[i], -98);
}
END_TEST

START_TEST(a_body_that_comes_is_a_higher_sine_and_nothing_else) {
    motion m = {coming, no_gain_change};
    for (int i = 0; i < TONES; i++)
        expect_clean(&m, tones_hz[i], -95);
}
END_TEST

START_TEST(a_body_that_goes_is_a_lower_sine_and_nothing_else) {
    motion m = {going, no_gain_change};
    for (int i = 0; i < TONES; i++)
        expect_clean(&m, tones_hz[i], -95);
}
END_TEST

START_TEST(a_fly_by_is_its_closed_form) {
    motion m = {passing, passing_gain};
    for (int i = 0; i < TONES; i++)
        expect_clean(&m, tones_hz[i], -95);
}
END_TEST

START_TEST(every_instruction_set_hears_the_same) {
    static float other[2 * FRAMES];
    motion m = {passing, passing_gain};
    sb_ears *ears = make_ears("portable");
    play(ears, &m, 3000);
    memcpy(other, heard, sizeof other);
    sb_free(ears);
    ears = make_ears(NULL);
    play(ears, &m, 3000);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert_float_eq_tol(heard[n], other[n], 2e-6f);
    sb_free(ears);
}
END_TEST

/* --- level, shadow, air ----------------------------------------------------*/

static sb_path_knot still_knot(double delay, float full, float dull) {
    sb_path_knot knot = {0};
    for (int ear = 0; ear < 2; ear++) {
        knot.ear[ear].delay = delay;
        knot.ear[ear].full = full;
        knot.ear[ear].dull = dull;
    }
    return knot;
}

/* Amplitude and phase at the left ear of a sine that goes on and on. */
static void measure(const sb_path_knot *knot, const sb_air_table *air,
                    double hz, double *amplitude, double *phase) {
    sb_ears *ears = make_ears(NULL);
    ears->air = air;
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_begin(path, knot);
    for (int frame = 0; frame < FRAMES; frame += SB_BLOCK_FRAMES) {
        float mono[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            mono[n] = (float)sine(hz, frame + n);
        hear_block(ears, path, mono, frame);
    }
    double c = 0, s = 0;
    int first = 24000, count = 19200; /* whole periods of 100 Hz and its like */
    for (int n = first; n < first + count; n++) {
        c += (double)heard[2 * n] * cos(2 * SB_PI * hz * n / RATE_HZ);
        s += (double)heard[2 * n] * sin(2 * SB_PI * hz * n / RATE_HZ);
    }
    *amplitude = 2 * hypot(c, s) / count;
    *phase = atan2(c, s);
    sb_free(path);
    sb_free(ears);
}

START_TEST(the_shadow_takes_highs_and_leaves_time) {
    sb_path_knot free = still_knot(200.5, 1, 0);
    sb_path_knot dark = still_knot(200.5, 0.25f, 0.75f);
    double before = 1.1;
    for (double hz = 100; hz <= 12000; hz *= 2) {
        double a, b, pa, pb;
        measure(&free, NULL, hz, &a, &pa);
        measure(&dark, NULL, hz, &b, &pb);
        /* A microsecond at the highest of them. */
        ck_assert_double_eq_tol(pa, pb, 2 * SB_PI * hz * 1e-7 + 1e-5);
        ck_assert_double_lt(b / a, before);
        before = b / a;
        double x = hz / SB_SHADOW_HZ;
        double sphere = 0.25 + 0.75 / sqrt(1 + x * x);
        ck_assert_msg(fabs(20 * log10(b / a / sphere)) < 0.7,
                      "%g Hz: %g, a sphere has %g", hz, b / a, sphere);
    }
}
END_TEST

START_TEST(the_air_takes_its_part_and_leaves_time) {
    sb_air air = sb_air_default();
    sb_air_table *table = sb_air_table_make(&air, RATE_HZ);
    sb_path_knot near = still_knot(100, 1, 0), far = near;
    far.distance_m = 100;
    for (double hz = 200; hz <= 16000; hz *= 3) {
        double a, b, pa, pb;
        measure(&near, NULL, hz, &a, &pa);
        measure(&far, table, hz, &b, &pb);
        ck_assert_double_eq_tol(20 * log10(a / b),
                                100 * sb_air_loss_db_m(&air, hz), 0.2);
        ck_assert_double_eq_tol(pa, pb, 1e-4);
    }
    sb_free(table);
}
END_TEST

/* --- odd things ------------------------------------------------------------*/

/* A tone of 200 Hz, or a constant, from a place that jumps at half the time. */
static void play_jump(const sb_path_knot *first, const sb_path_knot *then,
                      double hz) {
    sb_ears *ears = make_ears(NULL);
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_begin(path, first);
    for (int frame = 0; frame < FRAMES; frame += SB_BLOCK_FRAMES) {
        if (frame == FRAMES / 2) sb_path_add(path, frame + 31.7, then);
        float mono[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            mono[n] = (float)cos(2 * SB_PI * hz * (frame + n) / RATE_HZ);
        hear_block(ears, path, mono, frame);
    }
    sb_free(path);
    sb_free(ears);
}

START_TEST(a_jump_does_not_click) {
    sb_path_knot here = still_knot(140.2, 0.5f, 0);
    sb_path_knot there = still_knot(3000.9, 0.3f, 0.1f);
    there.is_jump = true;
    play_jump(&here, &there, 200);
    /* A third difference shows a click; that of the tone itself is small. */
    double w = 2 * SB_PI * 200 / RATE_HZ, most = 0.5 * w * w * w * 1.5;
    for (int n = 2000; n < FRAMES - 256; n++) {
        double third = (double)heard[2 * n] - 3 * (double)heard[2 * n - 2] +
                       3 * (double)heard[2 * n - 4] - (double)heard[2 * n - 6];
        ck_assert_msg(fabs(third) < most, "%g at %d", third, n);
    }
}
END_TEST

START_TEST(what_does_not_change_is_not_heard) {
    sb_path_knot here = still_knot(10, 0.5f, 0.25f);
    play_jump(&here, &here, 0);
    ck_assert_float_gt(heard[2 * 100], 0.4f);
    for (int n = 24000; n < FRAMES - 256; n++)
        ck_assert_float_lt(fabsf(heard[2 * n]), 1e-6f);
}
END_TEST

START_TEST(the_rings_are_empty_when_all_has_arrived) {
    sb_ears *ears = make_ears(NULL);
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_knot far = still_knot(30000, 0.5f, 0.5f);
    sb_path_begin(path, &far);
    float mono[SB_BLOCK_FRAMES];
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        mono[n] = (float)(n % 7) - 3;
    memset(heard, 0, sizeof heard);
    ck_assert_int_eq(sb_ears_travelling(ears), 0);
    for (int frame = 0; frame < FRAMES; frame += SB_BLOCK_FRAMES) {
        hear_block(ears, path, frame == 0 ? mono : NULL, frame);
        if (frame < 30000) ck_assert_int_gt(sb_ears_travelling(ears), 0);
    }
    ck_assert_int_eq(sb_ears_travelling(ears), 0);
    for (int n = 0; n < 30000 - 128; n++)
        ck_assert(heard[2 * n] == 0);
    for (uint32_t i = 0; i <= ears->mask; i++)
        ck_assert(ears->full[0][i] == 0 && ears->dull[1][i] == 0);
    sb_free(path);
    sb_free(ears);
}
END_TEST

static double absurd(double e) {
    return 1e5 * sin(e / 700) + 1e7 * (e > 20000);
}

START_TEST(faster_than_sound_and_farther_than_all_is_still_finite) {
    motion m = {absurd, no_gain_change};
    sb_ears *ears = make_ears(NULL);
    play(ears, &m, 1000);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert_float_lt(fabsf(heard[n]), 20);
    sb_free(ears);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("propagation");
    TCase *tcase = tcase_create("propagation");
    tcase_add_test(tcase, a_body_at_rest_is_heard_after_its_travel_time);
    tcase_add_test(tcase, a_body_that_comes_is_a_higher_sine_and_nothing_else);
    tcase_add_test(tcase, a_body_that_goes_is_a_lower_sine_and_nothing_else);
    tcase_add_test(tcase, a_fly_by_is_its_closed_form);
    tcase_add_test(tcase, every_instruction_set_hears_the_same);
    tcase_add_test(tcase, the_shadow_takes_highs_and_leaves_time);
    tcase_add_test(tcase, the_air_takes_its_part_and_leaves_time);
    tcase_add_test(tcase, a_jump_does_not_click);
    tcase_add_test(tcase, what_does_not_change_is_not_heard);
    tcase_add_test(tcase, the_rings_are_empty_when_all_has_arrived);
    tcase_add_test(tcase,
                   faster_than_sound_and_farther_than_all_is_still_finite);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
