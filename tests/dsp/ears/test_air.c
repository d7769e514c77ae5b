/* SPDX-License-Identifier: MIT */
/* Absorption of the air: the values of the standard, and filters that reproduce
 * them. */
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/air_filter.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <math.h>

START_TEST(the_loss_is_that_of_the_standard) {
    static const double hz[] = {125, 250, 500, 1000, 2000, 4000, 8000, 16000};
    static const double db_km[] = {0.440, 1.310,  2.728,   4.665,
                                   9.887, 29.666, 105.291, 364.541};
    sb_air air = sb_air_default();
    for (int i = 0; i < 8; i++)
        ck_assert_double_eq_tol(1000 * sb_air_loss_db_m(&air, hz[i]), db_km[i],
                                0.0005);
    air.humidity = 10;
    ck_assert_double_eq_tol(1000 * sb_air_loss_db_m(&air, 1000), 14.085,
                            0.0005);
    ck_assert_double_eq_tol(1000 * sb_air_loss_db_m(&air, 4000), 109.831,
                            0.0005);
}
END_TEST

START_TEST(sound_goes_faster_in_warm_air) {
    sb_air air = sb_air_default();
    ck_assert_double_eq_tol(sb_air_speed(&air), 343.215, 0.0005);
    air.temperature_c = 0;
    ck_assert_double_eq_tol(sb_air_speed(&air), 331.30, 0.0005);
    air.temperature_c = 25;
    ck_assert_double_eq_tol(sb_air_speed(&air), 346.129, 0.0005);
}
END_TEST

static double response_db(const float *coefs, int half, double cycles) {
    double sum = (double)coefs[0];
    for (int k = 1; k <= half; k++)
        sum += 2 * (double)coefs[k] * cos(2 * SB_PI * k * cycles);
    return 20 * log10(fabs(sum));
}

static void expect_filters(const sb_air *air, double rate_hz, double tol_db) {
    sb_air_table *table = sb_air_table_make(air, rate_hz);
    ck_assert_ptr_nonnull(table);
    float coefs[SB_AIR_HALF_MAX + 1];
    for (double r = 0.1; r <= 200; r *= 1.15) {
        sb_air_look(table, r, coefs);
        for (double hz = 125; hz <= 16000; hz *= 1.18) {
            double loss_db = sb_air_loss_db_m(air, hz) * r;
            double got_db = response_db(coefs, table->half, hz / rate_hz);
            ck_assert_msg(fabs(got_db + loss_db) < tol_db,
                          "%g Hz at %g m, %g Hz rate: %g dB, not %g", hz, r,
                          rate_hz, got_db, -loss_db);
        }
    }
    sb_free(table);
}

START_TEST(the_filters_take_as_much_at_every_rate) {
    sb_air air = sb_air_default();
    expect_filters(&air, 44100, 0.25);
    expect_filters(&air, 48000, 0.25);
    expect_filters(&air, 96000, 0.25);
    expect_filters(&air, 192000, 0.25);
}
END_TEST

START_TEST(the_filters_take_as_much_in_other_air) {
    sb_air air = sb_air_default();
    air.temperature_c = 5;
    air.humidity = 80;
    expect_filters(&air, 48000, 0.5);
    /* In dry air the loss rises steeply where a short filter cannot follow. */
    air = sb_air_default();
    air.humidity = 10;
    expect_filters(&air, 48000, 0.8);
}
END_TEST

START_TEST(far_away_is_finite) {
    sb_air air = sb_air_default();
    sb_air_table *table = sb_air_table_make(&air, 48000);
    ck_assert_ptr_nonnull(table);
    float coefs[SB_AIR_HALF_MAX + 1];
    for (double r = 500; r < 1e9; r *= 3) {
        sb_air_look(table, r, coefs);
        for (double hz = 0; hz <= 24000; hz += 500)
            ck_assert_double_le(response_db(coefs, table->half, hz / 48000),
                                0.1);
    }
    sb_free(table);
}
END_TEST

START_TEST(clear_air_takes_nothing) {
    sb_air air = sb_air_default();
    air.absorbs = false;
    sb_air_table *table = sb_air_table_make(&air, 48000);
    ck_assert_ptr_nonnull(table);
    ck_assert(table->is_clear);
    float coefs[SB_AIR_HALF_MAX + 1];
    sb_air_look(table, 77, coefs);
    ck_assert_double_eq_tol((double)coefs[0], 1, 1e-6);
    for (int k = 1; k <= table->half; k++)
        ck_assert(coefs[k] == 0);
    sb_free(table);
}
END_TEST

START_TEST(no_memory_is_told) {
    sb_air air = sb_air_default();
    long before = sb_memory_live_blocks();
    for (long n = 0; n < 2; n++) {
        sb_memory_fail_after(n);
        ck_assert_ptr_null(sb_air_table_make(&air, 48000));
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("air");
    TCase *tcase = tcase_create("air");
    tcase_add_test(tcase, the_loss_is_that_of_the_standard);
    tcase_add_test(tcase, sound_goes_faster_in_warm_air);
    tcase_add_test(tcase, the_filters_take_as_much_at_every_rate);
    tcase_add_test(tcase, the_filters_take_as_much_in_other_air);
    tcase_add_test(tcase, far_away_is_finite);
    tcase_add_test(tcase, clear_air_takes_nothing);
    tcase_add_test(tcase, no_memory_is_told);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
