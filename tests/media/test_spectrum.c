/* SPDX-License-Identifier: MIT */
/* Spectra of known sounds: amplitudes in every window, peaks within a
 * thousandth of a hertz, silence, channels and errors. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "tests/media/peaks.h"
#include "tests/suite.h"

#include <check.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000 };

static float samples[2 * RATE];

static sb_stretch one_second(void) {
    return (sb_stretch){samples, RATE, 1, 0};
}

static void add_sine(double freq_hz, double amplitude, double phase) {
    for (int n = 0; n < RATE; n++) {
        samples[n] +=
            (float)(amplitude * sin(SB_TAU * freq_hz * n / RATE + phase));
    }
}

static void setup(void) {
    memset(samples, 0, sizeof samples);
}

static int peaks_of(const sb_peaks_def *def, sb_peak *peaks, int capacity) {
    sb_stretch stretch = one_second();
    sb_error err = {0};
    int count = -1;
    sb_status status =
        sb_spectrum_peaks(&stretch, def, peaks, capacity, &count, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return count;
}

START_TEST(a_sine_reads_its_amplitude_in_every_window) {
    sb_window window = _i ? SB_WINDOW_HANN : SB_WINDOW_BLACKMAN_HARRIS;
    add_sine(3000.0, 0.5, 1.0); /* bin 128 of 2048 */
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(sb_spectrum_create(&spectrum, 2048, 2048, window, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_spectrum_bin_count(spectrum), 1025);
    float levels[1025];
    sb_stretch stretch = one_second();
    sb_spectrum_levels(spectrum, &stretch, 1000, levels);
    ck_assert_float_eq_tol(levels[128], -6.0206f, 0.001f);
    ck_assert_float_lt(levels[140], _i ? -55.0f : -95.0f);
    sb_spectrum_levels(spectrum, &stretch, -2048, levels); /* before it all */
    ck_assert_float_eq(levels[128], (float)SB_SPECTRUM_FLOOR_DB);
    sb_spectrum_levels(spectrum, &stretch, RATE, levels); /* after it all */
    ck_assert_float_eq(levels[128], (float)SB_SPECTRUM_FLOOR_DB);
    sb_spectrum_destroy(spectrum);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_constant_and_nyquist_read_their_amplitude) {
    for (int n = 0; n < RATE; n++)
        samples[n] = 0.25f + (n % 2 ? -0.5f : 0.5f);
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(sb_spectrum_create(&spectrum, 1024, 1024,
                                        SB_WINDOW_BLACKMAN_HARRIS, NULL),
                     SB_OK);
    float power[513];
    sb_stretch stretch = one_second();
    sb_spectrum_power(spectrum, &stretch, 0, power);
    ck_assert_float_eq_tol(power[0], 0.0625f, 1e-5f);
    ck_assert_float_eq_tol(power[512], 0.25f, 1e-5f);
    sb_spectrum_destroy(spectrum);
}
END_TEST

START_TEST(broken_samples_count_as_silence) {
    samples[100] = NAN;
    samples[200] = INFINITY;
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, 512, 512, SB_WINDOW_HANN, NULL), SB_OK);
    float levels[257];
    sb_stretch stretch = one_second();
    sb_spectrum_levels(spectrum, &stretch, 0, levels);
    for (int k = 0; k < 257; k++)
        ck_assert_float_eq(levels[k], (float)SB_SPECTRUM_FLOOR_DB);
    sb_spectrum_destroy(spectrum);
}
END_TEST

START_TEST(a_sine_is_found_within_a_thousandth_of_a_hertz) {
    static const double freqs_hz[] = {55.123,  440.0,    440.5,   1234.567,
                                      7919.25, 15000.77, 19999.99};
    add_sine(freqs_hz[_i], 0.3, 0.7 * _i);
    sb_peaks_def def = sb_peaks_def_default(RATE);
    sb_peak peak;
    ck_assert_int_eq(peaks_of(&def, &peak, 1), 1);
    ck_assert_double_eq_tol(peak.freq_hz, freqs_hz[_i], 0.001);
    ck_assert_double_eq_tol(peak.level_db, 20 * log10(0.3), 0.01);
}
END_TEST

START_TEST(partials_of_unlike_loudness_are_all_found_in_order) {
    static const double freqs_hz[] = {2350.1, 220.25, 5001.7, 606.3};
    static const double levels_db[] = {-50.0, -6.0, -60.0, -20.0};
    for (int i = 0; i < 4; i++)
        add_sine(freqs_hz[i], pow(10.0, levels_db[i] / 20.0), i);
    sb_peaks_def def = sb_peaks_def_default(RATE);
    sb_peak peaks[8];
    ck_assert_int_eq(peaks_of(&def, peaks, 8), 4);
    static const int order[] = {1, 3, 0, 2};
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(peaks[i].freq_hz, freqs_hz[order[i]], 0.005);
        ck_assert_double_eq_tol(peaks[i].level_db, levels_db[order[i]], 0.02);
    }
    ck_assert_int_eq(peaks_of(&def, peaks, 2), 2); /* the loudest two */
    ck_assert_double_eq_tol(peaks[1].freq_hz, 606.3, 0.005);
    def.low_hz = 300.0;
    def.high_hz = 3000.0;
    ck_assert_int_eq(peaks_of(&def, peaks, 8), 2);
    ck_assert_double_eq_tol(peaks[0].freq_hz, 606.3, 0.005);
}
END_TEST

START_TEST(decay_and_noise_do_not_move_a_peak) {
    sb_random random = sb_random_make(7, 1);
    for (int n = 0; n < RATE; n++) {
        double t = (double)n / RATE;
        samples[n] = (float)(exp(-3.0 * t) * sin(SB_TAU * 523.25 * t) +
                             1e-3 * (sb_random_unit(&random) - 0.5));
    }
    sb_peaks_def def = sb_peaks_def_default(RATE);
    sb_peak peak;
    ck_assert_int_eq(peaks_of(&def, &peak, 1), 1);
    ck_assert_double_eq_tol(peak.freq_hz, 523.25, 0.01);
}
END_TEST

START_TEST(silence_has_no_peaks) {
    sb_peaks_def def = sb_peaks_def_default(RATE);
    sb_peak peak;
    ck_assert_int_eq(peaks_of(&def, &peak, 1), 0);
}
END_TEST

START_TEST(a_channel_is_read_by_itself) {
    for (int n = 0; n < RATE; n++) {
        float *frame = samples + (ptrdiff_t)2 * n;
        frame[0] = (float)sin(SB_TAU * 1000.0 * n / RATE);
        frame[1] = (float)sin(SB_TAU * 2000.0 * n / RATE);
    }
    sb_stretch stretch = {samples, RATE, 2, 1};
    sb_peaks_def def = sb_peaks_def_default(RATE);
    sb_peak peaks[4];
    int count = 0;
    ck_assert_int_eq(sb_spectrum_peaks(&stretch, &def, peaks, 4, &count, NULL),
                     SB_OK);
    ck_assert_int_eq(count, 1);
    ck_assert_double_eq_tol(peaks[0].freq_hz, 2000.0, 0.001);
}
END_TEST

START_TEST(bad_arguments_are_refused) {
    sb_spectrum *spectrum = NULL;
    sb_error err = {0};
    static const int sizes[][2] = {
        {8, 8}, {101, 102}, {64, 32}, {64, 101}, {64, 1 << 24}};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(sb_spectrum_create(&spectrum, sizes[i][0], sizes[i][1],
                                            SB_WINDOW_HANN, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_null(spectrum);
    }
    sb_stretch stretch = {samples, 15, 1, 0};
    sb_peaks_def def = sb_peaks_def_default(RATE);
    int count = -1;
    ck_assert_int_eq(sb_spectrum_peaks(&stretch, &def, NULL, 0, &count, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, "not in 15"), "%s", err.message);
    stretch.frame_count = RATE;
    def.padding_count = 0;
    ck_assert_int_eq(sb_spectrum_peaks(&stretch, &def, NULL, 0, &count, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_int_eq(count, -1);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    add_sine(440.0, 1.0, 0.0);
    int is_done = 0;
    for (long n = 0; !is_done; n++) {
        ck_assert_int_lt(n, 40);
        sb_stretch stretch = one_second();
        sb_peaks_def def = sb_peaks_def_default(RATE);
        sb_peak peak;
        sb_error err = {0};
        int count = -1;
        sb_memory_fail_after(n);
        sb_status status =
            sb_spectrum_peaks(&stretch, &def, &peak, 1, &count, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_int_eq(count, -1);
        }
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("spectrum");
    TCase *tcase = tcase_create("spectrum");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, a_sine_reads_its_amplitude_in_every_window, 0,
                        2);
    tcase_add_test(tcase, a_constant_and_nyquist_read_their_amplitude);
    tcase_add_test(tcase, broken_samples_count_as_silence);
    tcase_add_loop_test(tcase, a_sine_is_found_within_a_thousandth_of_a_hertz,
                        0, 7);
    tcase_add_test(tcase, partials_of_unlike_loudness_are_all_found_in_order);
    tcase_add_test(tcase, decay_and_noise_do_not_move_a_peak);
    tcase_add_test(tcase, silence_has_no_peaks);
    tcase_add_test(tcase, a_channel_is_read_by_itself);
    tcase_add_test(tcase, bad_arguments_are_refused);
    tcase_add_test(tcase, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
