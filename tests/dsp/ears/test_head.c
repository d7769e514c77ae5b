/* SPDX-License-Identifier: MIT */
/* A measured head: what closed forms give back, KEMAR's differences between the
 * ears, and a body that goes round without a click. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/media/sofa_file.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define RATE_HZ 48000.0

enum { FRAMES = 65536, STEP = 480 };

static float heard[2 * FRAMES], other[2 * FRAMES];

static double level_db(const sb_head *head, double rate_hz, sb_vec3 toward,
                       int ear, double hz) {
    static float filters[2 * SB_HEAD_TAPS_MAX];
    sb_head_place place = {.now = toward, .share = 1};
    sb_head_find(head, &sb_hear_kernel_portable, &place, filters);
    double complex sum = 0;
    for (int n = 0; n < head->taps; n++)
        sum += (double)filters[ear * head->taps + n] *
               cexp(CMPLX(0, -2 * SB_PI * hz / rate_hz * n));
    return 20 * log10(cabs(sum));
}

/* --- a closed form --------------------------------------------------------*/

enum { POINTS = 400, LONG = 256 };

/* Evenly round the sphere, on a spiral. */
static sb_vec3 point(int i) {
    double z = 1 - (2 * i + 1.0) / POINTS, angle = 2.399963229728653 * i;
    double r = sqrt(1 - z * z);
    return (sb_vec3){r * cos(angle), r * sin(angle), z};
}

/* Ears on the axis of x. The response of each is a click of 1 +- x / 2, 0.2 ms
 * times x earlier or later than 1 ms, of which the head keeps 1 / sqrt(13 / 12):
 * the mean power is 1. */
static double ear_gain(sb_vec3 at, int ear) {
    return 1 + (ear ? 0.5 : -0.5) * at.x;
}

static double ear_delay_s(sb_vec3 at, int ear) {
    return (ear ? -2e-4 : 2e-4) * at.x;
}

START_TEST(a_head_of_clicks_gives_their_gains_and_delays) {
    static const double rates_hz[] = {44100, 48000, 96000};
    static float responses[POINTS * 2 * LONG], delays[2 * POINTS];
    static sb_vec3 toward[POINTS];
    double rate_hz = rates_hz[_i];
    for (int i = 0; i < 2 * POINTS; i++) {
        toward[i / 2] = point(i / 2);
        responses[i * LONG + 20] = (float)ear_gain(point(i / 2), i % 2);
        delays[i] =
            (float)(44100 * (1e-3 + ear_delay_s(point(i / 2), i % 2)) - 20);
    }
    sb_head_data data = {POINTS, LONG, 44100, toward, responses, delays};
    sb_head_delays found;
    sb_head *head = sb_head_make(&data, rate_hz, &found);
    for (int i = 0; i < 40; i++) {
        sb_vec3 at = point(10 * i + 3);
        for (int ear = 0; ear < 2; ear++) {
            double gain_db = 20 * log10(ear_gain(at, ear) / sqrt(13.0 / 12));
            ck_assert_double_eq_tol(level_db(head, rate_hz, at, ear, 4000),
                                    gain_db, 0.05);
            ck_assert_double_eq_tol(sb_head_delay_s(&found, ear, at),
                                    ear_delay_s(at, ear), 1e-7);
        }
    }
    sb_free(head);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- KEMAR ----------------------------------------------------------------*/

static sb_vec3 round_head(double degrees) {
    double angle = degrees * SB_PI / 180;
    return (sb_vec3){sin(angle), 0, cos(angle)};
}

static sb_head *open_kemar(sb_head_delays *delays, sb_sofa *sofa) {
    sb_error err;
    sb_status status = sb_sofa_read(sofa, sb_sofa_kemar(), &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    sb_head_data data = {sofa->count,  sofa->frames,    sofa->rate_hz,
                         sofa->toward, sofa->responses, sofa->delays};
    return sb_head_make(&data, RATE_HZ, delays);
}

static sb_head *kemar(sb_head_delays *delays) {
    sb_sofa sofa;
    sb_head *head = open_kemar(delays, &sofa);
    sb_sofa_free(&sofa);
    return head;
}

/* Woodworth's sphere of 87.5 mm: (a / c) (angle + sin angle). */
START_TEST(the_nearer_ear_hears_first) {
    sb_head_delays delays;
    sb_free(kemar(&delays));
    for (int degrees = 15; degrees <= 90; degrees += 15) {
        sb_vec3 at = round_head(degrees), mirrored = round_head(-degrees);
        double angle = degrees * SB_PI / 180;
        double sphere_s = 0.0875 / 343.2 * (angle + sin(angle));
        double left = sb_head_delay_s(&delays, 0, at);
        double right = sb_head_delay_s(&delays, 1, at);
        ck_assert_msg(fabs(left - right - sphere_s) < 0.13 * sphere_s,
                      "%d degrees: %g us, a sphere has %g us", degrees,
                      1e6 * (left - right), 1e6 * sphere_s);
        /* MIT measured one side, and gives its mirror image as the other. */
        ck_assert_double_eq_tol(sb_head_delay_s(&delays, 0, mirrored), right,
                                2e-6);
    }
    sb_vec3 side = round_head(90);
    double most_s =
        sb_head_delay_s(&delays, 0, side) - sb_head_delay_s(&delays, 1, side);
    ck_assert_double_eq_tol(most_s, 0.65e-3, 0.02e-3);
}
END_TEST

START_TEST(the_nearer_ear_hears_more_of_high_frequencies) {
    sb_head_delays delays;
    sb_head *head = kemar(&delays);
    static const struct {
        double hz, least_db, most_db;
    } rows[] = {{300, 0, 5}, {1000, 4, 14}, {4000, 8, 22}, {8000, 15, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double db = level_db(head, RATE_HZ, round_head(90), 1, rows[i].hz) -
                    level_db(head, RATE_HZ, round_head(90), 0, rows[i].hz);
        ck_assert_msg(db > rows[i].least_db && db < rows[i].most_db,
                      "%g Hz: %g dB between the ears", rows[i].hz, db);
    }
    sb_free(head);
}
END_TEST

/* What all directions share is taken out: compared about the mean. */
START_TEST(every_direction_has_the_level_that_was_measured) {
    static const double hz[] = {500, 1000, 2000, 4000, 8000, 12000};
    static const double most_db[] = {0.8, 0.8, 1.0, 1.6, 2.5, 3.2};
    sb_head_delays delays;
    sb_sofa sofa;
    sb_head *head = open_kemar(&delays, &sofa);
    double sum = 0, squares = 0;
    for (int i = 0; i < 2 * sofa.count; i++) {
        const float *response = sofa.responses + (ptrdiff_t)i * sofa.frames;
        double complex was = 0;
        for (int n = 0; n < sofa.frames; n++)
            was += (double)response[n] *
                   cexp(CMPLX(0, -2 * SB_PI * hz[_i] / sofa.rate_hz * n));
        double off_db =
            level_db(head, RATE_HZ, sofa.toward[i / 2], i % 2, hz[_i]) -
            20 * log10(cabs(was));
        sum += off_db;
        squares += off_db * off_db;
    }
    double mean = sum / (2 * sofa.count);
    double rms_db = sqrt(squares / (2 * sofa.count) - mean * mean);
    ck_assert_msg(rms_db < most_db[_i], "%g Hz: %g dB rms", hz[_i], rms_db);
    sb_sofa_free(&sofa);
    sb_free(head);
}
END_TEST

/* --- motion ---------------------------------------------------------------*/

static sb_path_knot knot_at(double frame, double turns_per_s) {
    double w = 2 * SB_PI * turns_per_s / RATE_HZ, angle = w * frame;
    sb_path_knot knot = {.time_frames = frame};
    for (int ear = 0; ear < 2; ear++)
        knot.ear[ear] = (sb_ear_knot){.delay = 50.3, .full = 0.5f};
    knot.toward = (sb_vec3){sin(angle), 0.2, cos(angle)};
    knot.toward_rate = (sb_vec3){w * cos(angle), 0, -w * sin(angle)};
    return knot;
}

static void hear_block(sb_ears *ears, sb_path *path, double hz, int frame,
                       float *out) {
    float mono[SB_BLOCK_FRAMES];
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        mono[n] = (float)sin(2 * SB_PI * hz * (frame + n) / RATE_HZ);
    sb_ears_begin(ears, frame);
    sb_ears_take(ears, path, mono);
    memset(out, 0, 2 * SB_BLOCK_FRAMES * sizeof *out);
    sb_ears_give(ears, out);
}

/* A sine that goes round the head. */
static void go_round(const sb_head *head, const char *isa, double hz,
                     double turns_per_s, bool is_seen, float *out) {
    ck_assert_ptr_nonnull(sb_isa_choose(isa));
    sb_ears *ears =
        sb_ears_init(sb_alloc_aligned(sb_ears_bytes(RATE_HZ)), RATE_HZ);
    ears->head = head;
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_knot knot = knot_at(0, turns_per_s);
    if (!is_seen) knot.toward = knot.toward_rate = (sb_vec3){0, 0, 0};
    sb_path_begin(path, &knot);
    int told = 0;
    for (int frame = 0; frame < FRAMES; frame += SB_BLOCK_FRAMES) {
        for (; told < frame + SB_BLOCK_FRAMES && is_seen; told += STEP) {
            knot = knot_at(told + STEP, turns_per_s);
            sb_path_add(path, told, &knot);
        }
        hear_block(ears, path, hz, frame, out + (ptrdiff_t)2 * frame);
    }
    sb_free(path);
    sb_free(ears);
}

/* A window whose lines are below -120 dB beyond 8 Hz. */
static void find_lines(const float *stereo, double *lines_db) {
    enum { SIZE = FRAMES / 2, FROM = FRAMES / 2 };
    static double complex x[SIZE];
    static const double a[] = {0.27105140069342, -0.43329793923448,
                               0.21812299954311, -0.06592544638803,
                               0.01081174209837, -0.00077658482522,
                               0.00001388721735};
    for (int n = 0; n < SIZE; n++) {
        double window = 0;
        for (int k = 0; k < 7; k++)
            window += a[k] * cos(2 * SB_PI * k * n / SIZE);
        x[n] = window * (double)stereo[2 * (FROM + n)];
    }
    sb_fft *fft = sb_fft_create(SIZE);
    sb_fft_forward(fft, x);
    sb_fft_destroy(fft);
    double top = 0;
    for (int k = 0; k < SIZE / 2; k++)
        top = fmax(top, cabs(x[k]));
    for (int k = 0; k < SIZE / 2; k++)
        lines_db[k] = 20 * log10(cabs(x[k]) / top + 1e-12);
}

/* At 1.5 turns per second. The pattern has lines up to SB_HEAD_ORDER times as
 * far off, which the window widens; nothing else is above -90 dB. */
START_TEST(a_body_goes_round_the_head_without_a_click) {
    static const double tones_hz[] = {300, 1000, 3000, 8000};
    static double lines_db[FRAMES / 4];
    sb_head_delays delays;
    sb_head *head = kemar(&delays);
    go_round(head, NULL, tones_hz[_i], 1.5, true, heard);
    find_lines(heard, lines_db);
    double step_hz = RATE_HZ / (FRAMES / 2), widest = 1.5 * SB_HEAD_ORDER + 14;
    double pattern_db = -200;
    for (int k = 0; k < FRAMES / 4; k++) {
        double off_hz = fabs(k * step_hz - tones_hz[_i]);
        if (off_hz > 14 && off_hz < widest)
            pattern_db = fmax(pattern_db, lines_db[k]);
        ck_assert_msg(off_hz < widest || lines_db[k] < -90,
                      "%g Hz: a line of %g dB at %g Hz", tones_hz[_i],
                      lines_db[k], k * step_hz);
    }
    ck_assert_double_gt(pattern_db, -80); /* it is filtered */
    sb_free(head);
}
END_TEST

START_TEST(a_body_that_no_head_sees_is_heard_as_without_one) {
    sb_head_delays delays;
    sb_head *head = kemar(&delays);
    go_round(NULL, NULL, 1000, 2, false, heard);
    go_round(head, NULL, 1000, 2, false, other);
    ck_assert_mem_eq(heard, other, sizeof heard);
    go_round(NULL, NULL, 1000, 2, true, other);
    ck_assert_mem_eq(heard, other, sizeof heard);
    sb_free(head);
}
END_TEST

START_TEST(every_instruction_set_hears_the_same) {
    sb_head_delays delays;
    sb_head *head = kemar(&delays);
    go_round(head, "portable", 3000, 2, true, other);
    go_round(head, NULL, 3000, 2, true, heard);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert_float_eq_tol(heard[n], other[n], 4e-6f);
    sb_free(head);
}
END_TEST

/* A third difference shows three times the height of a step; that of the tone
 * itself is 1e-5. */
static void expect_smooth(void) {
    const double most = 1.5e-4;
    for (int n = 1000; n < 40000; n++) {
        double third = (double)heard[2 * n] - 3 * (double)heard[2 * n - 2] +
                       3 * (double)heard[2 * n - 4] - (double)heard[2 * n - 6];
        ck_assert_msg(fabs(third) < most, "%g at %d", third, n);
    }
}

/* From the right to the left, then into the open, then behind. */
START_TEST(jumps_fade) {
    sb_head_delays delays;
    sb_head *head = kemar(&delays);
    sb_ears *ears =
        sb_ears_init(sb_alloc_aligned(sb_ears_bytes(RATE_HZ)), RATE_HZ);
    ears->head = head;
    sb_path *path = sb_alloc_aligned(sizeof *path + 64);
    sb_path_knot knot = knot_at(12000, 1);
    sb_path_begin(path, &knot);
    static const sb_vec3 places[] = {{-1, 0, 0}, {0, 0, 0}, {0, 0, -1}};
    for (int frame = 0; frame < 40960; frame += SB_BLOCK_FRAMES) {
        if (frame > 0 && frame % 10240 == 0) {
            knot = knot_at(0, 0);
            knot.toward = places[frame / 10240 - 1];
            knot.is_jump = true;
            sb_path_add(path, frame + 31.7, &knot);
        }
        hear_block(ears, path, 200, frame, heard + (ptrdiff_t)2 * frame);
    }
    expect_smooth();
    sb_free(path);
    sb_free(ears);
    sb_free(head);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("head");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, a_head_of_clicks_gives_their_gains_and_delays, 0,
                        3);
    tcase_add_test(tc, the_nearer_ear_hears_first);
    tcase_add_test(tc, the_nearer_ear_hears_more_of_high_frequencies);
    tcase_add_loop_test(tc, every_direction_has_the_level_that_was_measured, 0,
                        6);
    tcase_add_loop_test(tc, a_body_goes_round_the_head_without_a_click, 0, 4);
    tcase_add_test(tc, a_body_that_no_head_sees_is_heard_as_without_one);
    tcase_add_test(tc, every_instruction_set_hears_the_same);
    tcase_add_test(tc, jumps_fade);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
