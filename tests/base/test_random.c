/* SPDX-License-Identifier: MIT */
/* Random numbers: equal to the published generator, repeatable, uniform, and
 * independent between seeds, streams and neighbours. */
#include "runtime/base/random.h"

#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>

START_TEST(it_is_the_published_generator) {
    /* The first round of O'Neill's pcg32-demo, seed 42, stream 54. */
    const uint32_t published[] = {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u,
                                  0x83d2f293u, 0xbfa4784bu, 0xcbed606eu};
    sb_random random = sb_random_make(42, 54);
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(sb_random_u32(&random), published[i]);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_numbers) {
    sb_random a = sb_random_make(7, 3), b = sb_random_make(7, 3);
    for (int i = 0; i < 1000; i++)
        ck_assert(sb_random_unit(&a) == sb_random_unit(&b));
}
END_TEST

static double correlation(sb_random a, sb_random b) {
    enum { COUNT = 20000 };
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += (sb_random_unit(&a) - 0.5) * (sb_random_unit(&b) - 0.5);
    return 12 * sum / COUNT;
}

START_TEST(seeds_and_streams_know_nothing_of_each_other) {
    /* 5 standard deviations of the correlation of 20000 pairs. */
    double bound = 5 / sqrt(20000.0);
    for (uint64_t i = 1; i < 20; i++) {
        sb_random here = sb_random_make(1, 1);
        double of_seeds = correlation(here, sb_random_make(1 + i, 1));
        double of_streams = correlation(here, sb_random_make(1, 1 + i));
        ck_assert_msg(fabs(of_seeds) < bound, "seed %d: %g", (int)i, of_seeds);
        ck_assert_msg(fabs(of_streams) < bound, "stream %d: %g", (int)i,
                      of_streams);
    }
}
END_TEST

/* Mean `cells - 1`, standard deviation sqrt(2 (cells - 1)). */
static double chi_square(const int *counts, int cells, int total) {
    double expected = (double)total / cells, sum = 0;
    for (int i = 0; i < cells; i++) {
        double off = counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

static void expect_even(const int *counts, int cells, int total) {
    double off = chi_square(counts, cells, total) - (cells - 1);
    double deviation = sqrt(2.0 * (cells - 1));
    /* Too even is as suspect as too uneven. */
    ck_assert_msg(fabs(off) < 5 * deviation, "chi square off by %g deviations",
                  off / deviation);
}

enum { CELLS = 256, DRAWS = 1 << 19 };

START_TEST(units_are_uniform) {
    for (uint64_t stream = 0; stream < 4; stream++) {
        sb_random random = sb_random_make(2024, stream);
        int counts[CELLS] = {0}, outside = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = sb_random_unit(&random);
            bool is_inside = x >= 0 && x < 1;
            outside += !is_inside;
            counts[is_inside ? (int)(x * CELLS) : 0]++;
        }
        ck_assert_int_eq(outside, 0);
        expect_even(counts, CELLS, DRAWS);
    }
}
END_TEST

START_TEST(neighbours_in_the_stream_are_independent) {
    sb_random random = sb_random_make(5, 9);
    int counts[CELLS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        int first = (int)(sb_random_unit(&random) * 16);
        counts[16 * first + (int)(sb_random_unit(&random) * 16)]++;
    }
    expect_even(counts, CELLS, DRAWS);
}
END_TEST

START_TEST(the_lowest_bits_are_as_good_as_the_highest) {
    sb_random random = sb_random_make(11, 2);
    int words[CELLS] = {0}, units[CELLS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        words[sb_random_u32(&random) & (CELLS - 1)]++;
        /* Bits 2^-46 .. 2^-53 of the unit. */
        double x = ldexp(sb_random_unit(&random), 45);
        units[(int)((x - floor(x)) * CELLS)]++;
    }
    expect_even(words, CELLS, DRAWS);
    expect_even(units, CELLS, DRAWS);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("random");
    tcase_add_test(tcase, it_is_the_published_generator);
    tcase_add_test(tcase, the_same_seed_gives_the_same_numbers);
    tcase_add_test(tcase, seeds_and_streams_know_nothing_of_each_other);
    tcase_add_test(tcase, units_are_uniform);
    tcase_add_test(tcase, neighbours_in_the_stream_are_independent);
    tcase_add_test(tcase, the_lowest_bits_are_as_good_as_the_highest);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
