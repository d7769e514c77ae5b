/* SPDX-License-Identifier: MIT */
/* Spectrograms of known sounds: tones, strikes and clicks are drawn at their
 * frequency and time; channels, sizes, marks and errors. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/picture/spectrogram.h"
#include "tests/media/picture_reader.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>

enum { RATE = 48000, FRAMES = 2 * RATE };

static float samples[2 * FRAMES];

static void setup(void) {
    scratch_make();
    memset(samples, 0, sizeof samples);
}

static sb_spectrogram_def mono_def(void) {
    sb_spectrogram_def def = sb_spectrogram_def_default();
    def.samples = samples;
    def.frame_count = FRAMES;
    def.channel_count = 1;
    def.title = "test";
    def.width = 640; /* half as wide, twice as fast */
    return def;
}

static read_picture draw(const sb_spectrogram_def *def) {
    sb_error err = {0};
    sb_status status = sb_spectrogram_write(scratch_path("x.png"), def, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
    return picture_read(scratch_path("x.png"));
}

/* The height in the spectrogram, from its top, of a frequency. */
static double row_of(const sb_spectrogram_def *def, double freq_hz) {
    sb_spectrogram_layout l = sb_spectrogram_layout_of(def);
    double up = def->is_linear
                    ? (freq_hz - l.low_hz) / (l.high_hz - l.low_hz)
                    : log(freq_hz / l.low_hz) / log(l.high_hz / l.low_hz);
    return (1.0 - up) * l.height;
}

/* The middle of the brightest rows of the spectrogram in one column. */
static double brightest_row(const read_picture *picture,
                            const sb_spectrogram_def *def, double time_s) {
    sb_spectrogram_layout l = sb_spectrogram_layout_of(def);
    int x = l.left + (int)(time_s / l.span_s * l.width);
    double most = -1.0;
    double first = 0.0;
    double last = 0.0;
    for (int row = 0; row < l.height; row++) {
        double bright = picture_brightness(picture, x, l.top + row);
        if (bright > most) {
            most = bright;
            first = row;
        }
        if (bright >= most) last = row;
    }
    return (first + last + 1.0) / 2.0;
}

static double brightness_at(const read_picture *picture,
                            const sb_spectrogram_def *def, double time_s,
                            double freq_hz) {
    sb_spectrogram_layout l = sb_spectrogram_layout_of(def);
    return picture_brightness(picture,
                              l.left + (int)(time_s / l.span_s * l.width),
                              l.top + (int)row_of(def, freq_hz));
}

START_TEST(a_sine_is_brightest_in_its_row) {
    static const double freqs_hz[] = {70, 220, 440, 930, 1760, 4400, 12500};
    double freq_hz = freqs_hz[_i % 7];
    for (int n = 0; n < FRAMES; n++)
        samples[n] = (float)(0.5 * sin(SB_TAU * freq_hz * n / RATE));
    sb_spectrogram_def def = mono_def();
    def.is_linear = _i >= 7;
    read_picture picture = draw(&def);
    ck_assert_int_eq(picture.width, 640);
    ck_assert_int_eq(picture.height, 700);
    ck_assert_double_eq_tol(brightest_row(&picture, &def, 1.03),
                            row_of(&def, freq_hz), 2.0);
    free(picture.pixels);
}
END_TEST

START_TEST(a_rising_tone_rises) {
    /* f(t) = 100 * 100^(t / 2 s), from 100 Hz to 10 kHz. */
    double rate = log(100.0) / 2.0;
    for (int n = 0; n < FRAMES; n++) {
        double phase = SB_TAU * 100.0 / rate * (exp(rate * n / RATE) - 1.0);
        samples[n] = (float)(0.3 * sin(phase));
    }
    sb_spectrogram_def def = mono_def();
    read_picture picture = draw(&def);
    for (int i = 2; i < 19; i++) {
        double t = 0.1 * i + 0.03;
        double freq_hz = 100.0 * exp(rate * t);
        ck_assert_double_eq_tol(brightest_row(&picture, &def, t),
                                row_of(&def, freq_hz), 6.0);
    }
    free(picture.pixels);
}
END_TEST

START_TEST(a_strike_begins_where_it_begins_and_not_before) {
    for (int n = RATE; n < FRAMES; n++) {
        double t = (double)(n - RATE) / RATE;
        samples[n] = (float)(0.5 * exp(-4.0 * t) *
                             (sin(SB_TAU * 150 * t) + sin(SB_TAU * 3000 * t)));
    }
    sb_spectrogram_def def = mono_def();
    read_picture picture = draw(&def);
    double dark = brightness_at(&picture, &def, 0.5, 300.0);
    static const double freqs_hz[] = {150.0, 3000.0};
    for (int i = 0; i < 2; i++) {
        ck_assert_double_lt(brightness_at(&picture, &def, 0.97, freqs_hz[i]),
                            dark + 3.0);
        ck_assert_double_gt(brightness_at(&picture, &def, 1.02, freqs_hz[i]),
                            dark + 100.0);
    }
    free(picture.pixels);
}
END_TEST

START_TEST(a_click_in_a_long_sound_is_not_missed) {
    enum { LONG = 60 * RATE };
    float *sound = calloc(LONG, sizeof *sound);
    ck_assert_ptr_nonnull(sound);
    sb_spectrogram_def def = mono_def();
    def.samples = sound;
    def.frame_count = LONG;
    sb_spectrogram_layout l = sb_spectrogram_layout_of(&def);
    /* At the border of two columns, where it is furthest from both centres. */
    int column = l.width / 3;
    sound[(int)((double)LONG * column / l.width)] = 1.0f;
    read_picture picture = draw(&def);
    int x = l.left + column;
    int y = l.top + (int)row_of(&def, 6000.0);
    double bright = fmax(picture_brightness(&picture, x, y),
                         picture_brightness(&picture, x - 1, y));
    ck_assert_double_gt(bright,
                        picture_brightness(&picture, x + 20, y) + 100.0);
    free(picture.pixels);
    free(sound);
}
END_TEST

START_TEST(opposite_channels_do_not_cancel) {
    for (int n = 0; n < FRAMES; n++) {
        float *frame = samples + (ptrdiff_t)2 * n;
        frame[0] = (float)(0.5 * sin(SB_TAU * 700.0 * n / RATE));
        frame[1] = -frame[0];
    }
    sb_spectrogram_def def = mono_def();
    def.channel_count = 2;
    read_picture picture = draw(&def);
    ck_assert_double_eq_tol(brightest_row(&picture, &def, 1.03),
                            row_of(&def, 700.0), 2.0);
    free(picture.pixels);
}
END_TEST

START_TEST(any_length_and_any_samples_can_be_drawn) {
    static const int lengths[] = {1, 2, 100, 479, 481, 5000};
    sb_spectrogram_def def = mono_def();
    def.frame_count = lengths[_i];
    for (int n = 0; n < lengths[_i]; n++)
        samples[n] = n % 3 ? 2.0f : -1e10f;
    samples[0] = _i % 2 ? NAN : INFINITY;
    def.title = _i % 2 ? NULL
                       : "a title that is much longer than the picture "
                         "is wide, with \xc3\xa4 and \n in it, going on "
                         "and on and on and on";
    read_picture picture = draw(&def);
    free(picture.pixels);
}
END_TEST

START_TEST(sizes_and_rates_can_be_chosen) {
    static const int rates_hz[] = {1000, 8000, 22050, 44100, 192000};
    for (int n = 0; n < FRAMES; n++)
        samples[n] = (float)(0.01 * sin(SB_TAU * 0.05 * n));
    sb_spectrogram_def def = mono_def();
    def.rate_hz = rates_hz[_i];
    def.width = _i % 2 ? SB_SPECTROGRAM_MIN_WIDTH : 1900;
    def.height = _i % 2 ? SB_SPECTROGRAM_MIN_HEIGHT : 1000;
    read_picture picture = draw(&def);
    ck_assert_int_eq(picture.width, def.width);
    ck_assert_int_eq(picture.height, def.height);
    ck_assert_double_eq_tol(
        brightest_row(&picture, &def, FRAMES / 2.0 / def.rate_hz),
        row_of(&def, 0.05 * def.rate_hz), 3.0);
    free(picture.pixels);
}
END_TEST

START_TEST(marks_are_drawn_at_their_frequency) {
    static sb_spectrogram_mark marks[600];
    for (int i = 0; i < 600; i++)
        marks[i] = (sb_spectrogram_mark){30.0 * pow(1.02, i), NULL};
    marks[0] = (sb_spectrogram_mark){1234.5, "the first of all marks"};
    marks[1] = (sb_spectrogram_mark){NAN, NULL};
    sb_spectrogram_def def = mono_def();
    def.marks = marks;
    def.mark_count = _i ? 600 : 1;
    read_picture picture = draw(&def);
    sb_spectrogram_layout l = sb_spectrogram_layout_of(&def);
    int y = l.top + (int)lrint(row_of(&def, 1234.5));
    ck_assert_double_gt(picture_brightness(&picture, l.left + l.width + 4, y),
                        120.0);
    if (!_i) {
        ck_assert_double_lt(
            picture_brightness(&picture, l.left + l.width + 4, y + 9), 30.0);
    }
    free(picture.pixels);
}
END_TEST

static void expect_refusal(sb_spectrogram_def def, const char *part) {
    sb_error err = {0};
    ck_assert_int_eq(sb_spectrogram_write(scratch_path("x.png"), &def, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, part), "%s", err.message);
    ck_assert_int_eq(scratch_entries(0), 0);
}

START_TEST(bad_definitions_are_refused) {
    sb_spectrogram_def def = mono_def();
    def.frame_count = 0;
    expect_refusal(def, "frame_count must be 1");
    def = mono_def();
    def.channel_count = 0;
    expect_refusal(def, "channel_count");
    def = mono_def();
    def.rate_hz = 10;
    expect_refusal(def, "rate_hz");
    def = mono_def();
    def.width = 100;
    expect_refusal(def, "width must be 480 to 8192, not 100");
    def = mono_def();
    def.height = 100000;
    expect_refusal(def, "height");
    def = mono_def();
    def.low_hz = NAN;
    expect_refusal(def, "low_hz");
    def = mono_def();
    def.high_hz = 50;
    expect_refusal(def, "high_hz");
    def = mono_def();
    def.low_hz = 15000;
    def.high_hz = 90000;
    expect_refusal(def, "low_hz");
    def = mono_def();
    def.range_db = 0;
    expect_refusal(def, "range_db");
    def = mono_def();
    def.samples = NULL;
    expect_refusal(def, "needs samples");
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    sb_spectrogram_def def = mono_def();
    def.width = SB_SPECTROGRAM_MIN_WIDTH;
    def.height = SB_SPECTROGRAM_MIN_HEIGHT;
    def.frame_count = 2000;
    int is_done = 0;
    for (long n = 0; !is_done; n++) {
        ck_assert_int_lt(n, 200);
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status =
            sb_spectrogram_write(scratch_path("x.png"), &def, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_uint_gt(strlen(err.message), 0);
            ck_assert_int_eq(scratch_entries(0), 0);
        }
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("spectrogram");
    TCase *tcase = tcase_create("spectrogram");
    tcase_add_checked_fixture(tcase, setup, scratch_remove);
    tcase_add_loop_test(tcase, a_sine_is_brightest_in_its_row, 0, 14);
    tcase_add_test(tcase, a_rising_tone_rises);
    tcase_add_test(tcase, a_strike_begins_where_it_begins_and_not_before);
    tcase_add_test(tcase, a_click_in_a_long_sound_is_not_missed);
    tcase_add_test(tcase, opposite_channels_do_not_cancel);
    tcase_add_loop_test(tcase, any_length_and_any_samples_can_be_drawn, 0, 6);
    tcase_add_loop_test(tcase, sizes_and_rates_can_be_chosen, 0, 5);
    tcase_add_loop_test(tcase, marks_are_drawn_at_their_frequency, 0, 2);
    tcase_add_test(tcase, bad_definitions_are_refused);
    tcase_add_test(tcase, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
