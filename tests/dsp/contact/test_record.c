/* SPDX-License-Identifier: MIT */
/* The record of a contact's force: what is audible stays as it is, and what
 * lies above half the sample rate does not come back below it. */
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/record.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 16 };
#define RATE_HZ 48000.0

/* Amplitude of a force of 1 N at some frequency, in steps of 1 / parts of a
 * frame, as it is recorded: the largest Fourier component below half the
 * rate. */
static double recorded_n(double freq_hz, int parts, double *seen_hz) {
    static sb_record record;
    static float sound[BLOCKS * SB_BLOCK_FRAMES];
    memset(&record, 0, sizeof record);
    memset(sound, 0, sizeof sound);
    sb_record_init(&record);
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < SB_BLOCK_FRAMES * parts; i++) {
            double frame = (double)i / parts;
            double t = (b * SB_BLOCK_FRAMES + frame + 0.5 / parts) / RATE_HZ;
            sb_record_add(&record, frame, 1.0 / parts,
                          sin(SB_TAU * freq_hz * t) / (RATE_HZ * parts));
        }
        sb_record_take(&record, sound + (size_t)b * SB_BLOCK_FRAMES);
    }
    double most = 0;
    int first = 2 * SB_BLOCK_FRAMES, count = (BLOCKS - 2) * SB_BLOCK_FRAMES;
    for (double hz = 375; hz < 24000; hz += 375) {
        double c = 0, s = 0;
        for (int n = 0; n < count; n++) {
            double x = (double)sound[first + n] * RATE_HZ * 2 / count;
            c += x * cos(SB_TAU * hz * n / RATE_HZ);
            s += x * sin(SB_TAU * hz * n / RATE_HZ);
        }
        if (sqrt(c * c + s * s) <= most) continue;
        most = sqrt(c * c + s * s);
        *seen_hz = hz;
    }
    return most;
}

static const int parts_of[] = {1, 3, 8, 27, 59, 64};

START_TEST(audible_forces_stay_as_they_are) {
    for (double hz = 750; hz < 19000; hz += 2250) {
        double seen_hz = 0;
        double off_db = 20 * log10(recorded_n(hz, parts_of[_i], &seen_hz));
        /* A step of a whole frame has lost sin(x) / x already. */
        double x = SB_PI * hz / RATE_HZ / parts_of[_i];
        off_db -= 20 * log10(sin(x) / x);
        ck_assert_double_eq_tol(seen_hz, hz, 1e-6);
        ck_assert_msg(fabs(off_db) < 0.2, "%.0f Hz, %d parts: %+.2f dB", hz,
                      parts_of[_i], off_db);
    }
}
END_TEST

START_TEST(chatter_above_half_the_rate_is_not_heard_below) {
    double seen_hz = 0;
    if (parts_of[_i] < 8) return; /* such steps cannot hold it */
    for (double hz = 30000; hz < 90000; hz += 4125) {
        double db = 20 * log10(recorded_n(hz, parts_of[_i], &seen_hz));
        ck_assert_msg(db < -60, "%.0f Hz, %d parts: %.1f dB at %.0f Hz", hz,
                      parts_of[_i], db, seen_hz);
    }
}
END_TEST

START_TEST(an_impulse_is_given_once_and_then_it_is_over) {
    static sb_record record;
    memset(&record, 0, sizeof record);
    sb_record_init(&record);
    double sum = 0;
    for (int b = 0; b < 3; b++) {
        float out[SB_BLOCK_FRAMES] = {0};
        if (b == 0) sb_record_add(&record, 127.3, 0.25, 2.5);
        sb_record_take(&record, out);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            sum += (double)out[n];
            ck_assert(b < 2 || out[n] == 0);
        }
        ck_assert_int_eq(record.is_late, b == 0);
    }
    ck_assert_double_eq_tol(sum, 2.5, 1e-3);
}
END_TEST

START_TEST(what_is_outside_the_block_is_cut) {
    static sb_record record;
    float out[SB_BLOCK_FRAMES] = {0};
    memset(&record, 0, sizeof record);
    sb_record_init(&record);
    sb_record_add(&record, -1, 0.5, 1);
    sb_record_add(&record, SB_BLOCK_FRAMES, 0.5, 1);
    ck_assert(!record.is_fresh);
    sb_record_add(&record, SB_BLOCK_FRAMES - 0.5, 1, 1);
    sb_record_take(&record, out);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        ck_assert(isfinite(out[n]));
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("record");
    tcase_add_loop_test(tests, audible_forces_stay_as_they_are, 0, 6);
    tcase_add_loop_test(tests, chatter_above_half_the_rate_is_not_heard_below,
                        0, 6);
    tcase_add_test(tests, an_impulse_is_given_once_and_then_it_is_over);
    tcase_add_test(tests, what_is_outside_the_block_is_cut);
    Suite *suite = suite_create("record");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
