/* SPDX-License-Identifier: MIT */
/* Voices heard from directions: what they sound like alone, while the listener
 * goes round them. */
#include "tests/engine/engine_fixture.h"

#include "runtime/base/air.h"
#include "runtime/base/fft.h"
#include "runtime/base/pattern.h"

#include <complex.h>

enum { FRAMES = 48000, STEP = 480 };

/* Silent at 45, 135, 225 and 315 degrees in the plane of x and y:
 * sqrt(15) / 2 (x^2 - y^2) is Y_2,2. */
static const float fork[9][2] = {[8] = {0, 2}};
/* Front and back: y is Y_1,-1. */
static const float sheet[4][2] = {[1] = {0, -3}};

/* Y_8,8, sqrt(17) sqrt(2 15!! / 16!!) cos 8 phi in this plane. */
static const float petals[81][2] = {[80] = {1, 0}};

static float mono[FRAMES], other[FRAMES];

typedef struct course {
    const float (*coefs)[2];
    int order;
    double from_rad, turns_hz;
    int back_frame, stop_frame; /* it turns back, and stops; 0: never */
} course;

static double angle_at(const course *c, double frame) {
    if (c->stop_frame > 0) frame = fmin(frame, c->stop_frame);
    if (c->back_frame > 0 && frame > c->back_frame)
        frame = 2 * c->back_frame - frame;
    return c->from_rad + SB_TAU * c->turns_hz * frame / RATE_HZ;
}

static sb_path_knot knot_at(const course *c, double frame) {
    double a = angle_at(c, frame), w = SB_TAU * c->turns_hz / RATE_HZ;
    if (c->back_frame > 0 && frame > c->back_frame) w = -w;
    sb_path_knot knot = straight;
    knot.time_frames = frame;
    knot.aim = (sb_vec3){cos(a), sin(a), 0};
    knot.aim_rate = (sb_vec3){-w * sin(a), w * cos(a), 0};
    return knot;
}

/* What a mode of 1 kHz sounds like that is struck at frame 100. */
static void hear(const course *c, float *to, int frames, int at_once) {
    sb_engine *engine = engine_new();
    sb_air air = sb_air_default();
    ck_assert_int_eq(sb_engine_open_ears(engine, &air, NULL), SB_OK);
    ck_assert_int_eq(sb_engine_open_bodies(engine, 1, NULL), SB_OK);
    sb_bank_mode mode = {SB_TAU * 1000, 3, 1};
    const sb_pattern pattern = {c->order, 0, c->coefs};
    sb_path_knot knot = knot_at(c, 0);
    sb_voice_def def = {.modes = &mode,
                        .mode_count = 1,
                        .knot = &knot,
                        .patterns = &pattern,
                        .pattern_count = 1};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    strike(engine, id, 100, 1);
    for (int n = 0; c->turns_hz != 0 && n < frames; n += STEP) {
        if (c->stop_frame > 0 && n >= c->stop_frame) break;
        knot = knot_at(c, n + STEP);
        ck_assert_int_eq(sb_engine_set_path(engine, id, n, &knot, NULL), SB_OK);
    }
    ck_assert(sb_engine_flush(engine, frames + 2 * BLOCK));
    for (int n = 0; n < frames; n += at_once) {
        int some = frames - n < at_once ? frames - n : at_once;
        float *at = to + n;
        sb_engine_pull_bodies(engine, &id, &at, 1, NULL, some);
    }
    sb_engine_destroy(engine);
}

/* The phase of the pattern is left out, and its mean square is 1. */
START_TEST(a_still_voice_has_the_gain_of_its_direction) {
    for (int i = 0; i < 16; i++) {
        course c = {fork, 2, SB_TAU * i / 16, 0, 0, 0};
        double gain = sqrt(15.0) / 2 * cos(2 * c.from_rad);
        hear(&c, mono, 2000, 2000);
        for (int n = 100; n < 2000; n++) {
            double right = gain * ring_of(1000, (n - 100) / RATE_HZ);
            ck_assert_double_eq_tol((double)mono[n], right, 3e-6);
        }
    }
}
END_TEST

START_TEST(a_sheet_is_opposite_behind) {
    course front = {sheet, 1, SB_PI / 2, 0, 0, 0},
           back = {sheet, 1, -SB_PI / 2, 0, 0, 0};
    hear(&front, mono, 2000, 2000);
    hear(&back, other, 2000, 2000);
    for (int n = 0; n < 2000; n++)
        ck_assert_double_eq_tol((double)mono[n], -(double)other[n], 1e-6);
    ck_assert_double_eq_tol(fabs((double)mono[100]), sqrt(3.0), 1e-5);
}
END_TEST

/* The amplitude of the loudest line of what is left after the first block, as if
 * the mode did not decay, under a Hann window; without those next to the mode. */
static double loudest_line(float *left) {
    enum { SIZE = 32768, NEAR_HZ = 30 };
    static double complex lines[SIZE / 2 + 1];
    double most = 0;
    for (int n = 0; n < SIZE; n++) {
        double t = (n + BLOCK - 100) / RATE_HZ;
        double window = 1 - cos(SB_TAU * (n + 0.5) / SIZE);
        left[n] = (float)((double)left[n + BLOCK] * exp(3 * t) * window);
    }
    sb_fft *fft = sb_fft_create(SIZE);
    sb_fft_real(fft, left, lines);
    sb_fft_destroy(fft);
    for (int k = 0; k <= SIZE / 2; k++) {
        double hz = k * RATE_HZ / SIZE, size = 2 * cabs(lines[k]) / SIZE;
        if (fabs(hz - 1000) < NEAR_HZ || size < most) continue;
        most = size;
    }
    return most;
}

/* Lines of a ramp that were not smooth would be 375 Hz or 3 kHz apart. In the
 * block in which it is struck, a mode has its gain at the end. */
START_TEST(turning_leaves_no_lines_but_those_of_the_pattern) {
    const struct {
        course course;
        double peak, order, near;
    } rows[] = {
        {{fork, 2, 0.3, 1, 0, 0}, sqrt(15.0) / 2, 2, 1e-3},
        {{sheet, 1, 0.3, 3, 0, 0}, -sqrt(3.0), 1, 1e-3},
        {{petals, 8, 0.3, 1, 0, 0}, sqrt(17 * 2 * 6435 / 32768.), 8, 2e-3}};
    for (int i = 0; i < 3; i++) {
        const course *c = &rows[i].course;
        double scale = rows[i].peak;
        hear(c, mono, FRAMES, 700);
        for (int n = 0; n < FRAMES; n++) {
            double a = angle_at(c, n);
            double gain = i == 1 ? sin(a) : cos(rows[i].order * a);
            double right = scale * gain * ring_of(1000, (n - 100) / RATE_HZ);
            mono[n] = n < BLOCK ? 0 : mono[n] - (float)right;
            ck_assert_double_lt(fabs((double)mono[n]), rows[i].near);
        }
        double db = 20 * log10(loudest_line(mono) / fabs(scale));
        if (db >= -90) ck_abort_msg("course %d: a line of %.1f dB", i, db);
    }
}
END_TEST

/* Turning steadily it is aimed further ahead than its path is known. When it
 * turns back, and when it stops, it is heard so a block or two later. */
START_TEST(what_ends_to_turn_steadily_is_followed) {
    course c = {fork, 2, 0, 1, 0, 0};
    double scale = sqrt(15.0) / 2, slope = 2 * SB_TAU * c.turns_hz / RATE_HZ;
    /* Steps begin at all places within a block. */
    for (int i = 0; i < 8; i++) {
        c.from_rad = 0.7 * i;
        c.back_frame = (20 + i) * STEP;
        c.stop_frame = (50 + i) * STEP;
        hear(&c, mono, FRAMES, 700);
        for (int n = BLOCK; n < FRAMES; n++) {
            double t = (n - 100) / RATE_HZ, gain = cos(2 * angle_at(&c, n));
            ck_assert_double_eq_tol((double)mono[n],
                                    scale * gain * ring_of(1000, t),
                                    2.5 * BLOCK * slope * scale * exp(-3 * t));
        }
    }
}
END_TEST

START_TEST(the_samples_do_not_depend_on_the_frames_per_call) {
    const int frames[] = {1, 64, 333, 4096};
    course c = {fork, 2, 0.3, 5, 6 * STEP, 10 * STEP};
    hear(&c, mono, 6000, 6000);
    for (int i = 0; i < 4; i++) {
        hear(&c, other, 6000, frames[i]);
        ck_assert_mem_eq(mono, other, 6000 * sizeof *mono);
    }
}
END_TEST

/* From one pattern to another in 20 ms, without a step. */
START_TEST(new_patterns_are_reached_smoothly) {
    sb_engine *engine = engine_new();
    sb_air air = sb_air_default();
    ck_assert_int_eq(sb_engine_open_ears(engine, &air, NULL), SB_OK);
    ck_assert_int_eq(sb_engine_open_bodies(engine, 1, NULL), SB_OK);
    sb_bank_mode mode = {SB_TAU * 1000, 3, 1};
    course c = {fork, 2, 0, 0, 0, 0};
    sb_path_knot knot = knot_at(&c, 0);
    sb_voice_def def = {.modes = &mode, .mode_count = 1, .knot = &knot};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    strike(engine, id, 0, 1);
    sb_retune *to;
    const sb_pattern pattern = {2, 0, fork};
    ck_assert_int_eq(
        sb_engine_prepare_retune(engine, &mode, &mode, 1, 0.02, &to, NULL),
        SB_OK);
    ck_assert_int_eq(sb_engine_set_patterns(to, &pattern, 1, NULL), SB_OK);
    ck_assert_int_eq(sb_engine_reserve(engine, 1, NULL), SB_OK);
    sb_engine_retune(engine, id, 1280, to);
    ck_assert(sb_engine_flush(engine, 6000));
    float *at = mono;
    sb_engine_pull_bodies(engine, &id, &at, 1, NULL, 4000);
    double before = 1, full = sqrt(15.0) / 2;
    for (int n = 0; n < 4000; n++) {
        double ring = ring_of(1000, n / RATE_HZ);
        if (fabs(ring) < 0.3) continue;
        double gain = (double)mono[n] / ring;
        if (n < 1280) ck_assert_double_eq_tol(gain, 1, 1e-4);
        if (n > 1280 + 1100) ck_assert_double_eq_tol(gain, full, 1e-4);
        ck_assert_double_lt(fabs(gain - before), 0.05);
        before = gain;
    }
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("directions");
    TCase *tcase = tcase_create("directions");
    tcase_add_test(tcase, a_still_voice_has_the_gain_of_its_direction);
    tcase_add_test(tcase, a_sheet_is_opposite_behind);
    tcase_add_test(tcase, turning_leaves_no_lines_but_those_of_the_pattern);
    tcase_add_test(tcase, what_ends_to_turn_steadily_is_followed);
    tcase_add_test(tcase, the_samples_do_not_depend_on_the_frames_per_call);
    tcase_add_test(tcase, new_patterns_are_reached_smoothly);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
