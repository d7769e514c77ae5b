/* SPDX-License-Identifier: MIT */
/* The recording of a spectrum: whatever its rate, level and beginning, the same
 * sound gives the same curve, and another sound does not. */
#include "bindings/cli/render/spectra.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "tests/media/picture_reader.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>

enum { RATE = 48000, FRAMES = 48000 };

/* A struck sound that begins at `start_s` with its loudest sample. */
static double sound_at(double t, double start_s, double freq_hz) {
    if (t < start_s) return 0;
    double u = t - start_s;
    return 0.3 * (cos(SB_TAU * freq_hz * u) * exp(-9 * u) +
                  0.4 * cos(SB_TAU * 2.7 * freq_hz * u) * exp(-12 * u));
}

static picture_samples rendered(void) {
    picture_samples samples = {0};
    float stereo[2];
    for (int n = 0; n < FRAMES; n++) {
        stereo[0] = stereo[1] = (float)sound_at((double)n / RATE, 0.1, 500);
        ck_assert_int_eq(picture_samples_add(&samples, stereo, 1, NULL), SB_OK);
    }
    return samples;
}

static void record(const char *name, int rate_hz, double gain, double start_s,
                   double freq_hz) {
    sb_sound_def def = {rate_hz, 1, SB_SOUND_FLOAT32};
    sb_sound_writer *writer;
    ck_assert_int_eq(
        sb_sound_writer_open(&writer, scratch_path(name), &def, NULL), SB_OK);
    for (int n = 0; n < rate_hz; n++) {
        float sample =
            (float)(gain * sound_at((double)n / rate_hz, start_s, freq_hz));
        ck_assert_int_eq(sb_sound_writer_write(writer, &sample, 1, NULL),
                         SB_OK);
    }
    ck_assert_int_eq(sb_sound_writer_close(writer, NULL), SB_OK);
}

/* Pixels below the legend that have the colour of the render's curve. */
static int count_blue(const char *name) {
    read_picture p = picture_read(scratch_path(name));
    int count = 0;
    for (int y = 80; y < p.height; y++) {
        for (int x = 0; x < p.width; x++) {
            const unsigned char *at =
                p.pixels + ((ptrdiff_t)y * p.width + x) * 3;
            count += at[2] > 180 && at[0] < 140;
        }
    }
    free(p.pixels);
    return count;
}

static sb_status draw(const char *png, const char *over, const char *at,
                      sb_error *err) {
    spectrum_options options = SPECTRUM_OPTIONS_DEFAULT;
    char paths[2][400];
    (void)snprintf(paths[0], sizeof paths[0], "%s", scratch_path(png));
    (void)snprintf(paths[1], sizeof paths[1], "%s", scratch_path(over));
    options.path = paths[0];
    options.over = paths[1];
    options.at = at;
    spectrum_of spectrum = {0};
    picture_samples samples = rendered();
    sb_status status = spectrum_open(&spectrum, &options, err);
    if (!status)
        status = spectrum_write(&spectrum, "x/scene.lua", &samples, RATE, err);
    spectrum_free(&spectrum);
    picture_samples_free(&samples);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
    return status;
}

START_TEST(the_same_sound_covers_the_curve_at_any_rate_and_level) {
    record("other.wav", RATE, 1, 0.1, 800);
    ck_assert_int_eq(draw("other.png", "other.wav", NULL, NULL), SB_OK);
    int apart = count_blue("other.png");
    ck_assert_int_gt(apart, 300);
    const int rates[] = {48000, 44100, 22050, 96000};
    for (int i = 0; i < 4; i++) {
        record("same.wav", rates[i], 0.03, 0.3, 500);
        ck_assert_int_eq(draw("same.png", "same.wav", NULL, NULL), SB_OK);
        ck_assert_int_lt(count_blue("same.png"), apart / 10);
        ck_assert_int_eq(draw("same.png", "same.wav", "0.25", NULL), SB_OK);
        ck_assert_int_lt(count_blue("same.png"), apart / 10);
    }
}
END_TEST

START_TEST(a_recording_without_sound_there_gets_a_sentence) {
    sb_error err;
    record("silent.wav", RATE, 0, 0.1, 500);
    ck_assert_int_eq(draw("a.png", "silent.wav", NULL, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "is silent from 0.00 s on"));
    record("late.wav", RATE, 1, 0.9, 500);
    ck_assert_int_eq(draw("a.png", "late.wav", "0.3", &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "it is over after 1.00 s"));
    ck_assert_int_eq(access(scratch_path("a.png"), F_OK), -1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("spectrum_of");
    TCase *tests = tcase_create("spectrum_of");
    tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
    tcase_add_test(tests,
                   the_same_sound_covers_the_curve_at_any_rate_and_level);
    tcase_add_test(tests, a_recording_without_sound_there_gets_a_sentence);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
