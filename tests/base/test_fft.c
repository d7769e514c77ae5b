/* SPDX-License-Identifier: MIT */
/* The Fourier transform against the sum that defines it: both directions, real
 * and paired signals, and a plan that gets no memory. */
#include "runtime/base/fft.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "tests/suite.h"

enum { MOST = 2048 };

/* Powers of two, odd, prime, three times a power of two, and 1. */
static const int sizes[] = {1,   2,   3,   4,   5,    6,   8,  12,
                            13,  16,  30,  32,  64,   97,  96, 128,
                            360, 512, 625, 768, 1024, 1920};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static double complex x[MOST], got[MOST];

static void fill(int size, unsigned seed) {
    sb_random random = sb_random_make(seed, (uint64_t)size);
    for (int n = 0; n < size; n++) {
        double re = sb_random_unit(&random) - 0.5;
        x[n] = got[n] = CMPLX(re, sb_random_unit(&random) - 0.5);
    }
}

static double complex line_of(int size, int k, double sign) {
    double complex sum = 0;
    for (int n = 0; n < size; n++)
        sum += x[n] * cexp(sign * SB_TAU * I * (k * n % size) / size);
    return sum;
}

START_TEST(both_directions_are_the_sum_at_any_size) {
    int size = sizes[_i];
    sb_fft *fft = sb_fft_create(size);
    ck_assert_ptr_nonnull(fft);
    ck_assert_int_eq(sb_fft_size(fft), size);
    for (int back = 0; back < 2; back++) {
        fill(size, 1);
        if (back)
            sb_fft_backward(fft, got);
        else
            sb_fft_forward(fft, got);
        for (int k = 0; k < size; k++) {
            double complex want = line_of(size, k, back ? 1 : -1);
            ck_assert_msg(cabs(got[k] - want) < 1e-14 * (size + 10),
                          "size %d, line %d: %g%+gi, not %g%+gi", size, k,
                          creal(got[k]), cimag(got[k]), creal(want),
                          cimag(want));
        }
    }
    sb_fft_destroy(fft);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(there_and_back_is_size_times_the_same) {
    int size = sizes[_i];
    sb_fft *fft = sb_fft_create(size);
    fill(size, 2);
    sb_fft_forward(fft, got);
    sb_fft_backward(fft, got);
    for (int n = 0; n < size; n++)
        ck_assert_double_lt(cabs(got[n] / size - x[n]), 1e-14);
    sb_fft_destroy(fft);
}
END_TEST

START_TEST(real_numbers_have_the_lines_of_complex_ones) {
    int size = sizes[_i];
    if (size % 2) return;
    sb_fft *fft = sb_fft_create(size);
    float real[MOST];
    double complex lines[MOST / 2 + 1];
    fill(size, 3);
    for (int n = 0; n < size; n++)
        x[n] = real[n] = (float)creal(x[n]);
    sb_fft_real(fft, real, lines);
    for (int k = 0; k <= size / 2; k++)
        ck_assert_double_lt(cabs(lines[k] - line_of(size, k, -1)),
                            1e-14 * (size + 10));
    sb_fft_destroy(fft);
}
END_TEST

START_TEST(two_real_signals_share_a_transform) {
    enum { SIZE = 96 };
    sb_fft *fft = sb_fft_create(SIZE);
    fill(SIZE, 4);
    sb_fft_forward(fft, got);
    double complex both[SIZE];
    for (int n = 0; n < SIZE; n++)
        both[n] = x[n];
    for (int k = 0; k < SIZE; k++) {
        double complex a, b;
        sb_fft_part(got, SIZE, k, &a, &b);
        for (int n = 0; n < SIZE; n++)
            x[n] = creal(both[n]);
        ck_assert_double_lt(cabs(a - line_of(SIZE, k, -1)), 1e-12);
        for (int n = 0; n < SIZE; n++)
            x[n] = cimag(both[n]);
        ck_assert_double_lt(cabs(b - line_of(SIZE, k, -1)), 1e-12);
    }
    sb_fft_destroy(fft);
}
END_TEST

START_TEST(paired_lines_go_back_to_real_numbers) {
    static const int counts[] = {6, 8, 12, 64, 96, 1024, 1536};
    int count = counts[_i], half = count / 2;
    float real[MOST] = {0};
    double complex lines[MOST / 2 + 1], turn[MOST];
    sb_fft *whole = sb_fft_create(count), *part = sb_fft_create(half);
    fill(count, 5);
    for (int n = 0; n < count; n++)
        real[n] = (float)creal(x[n]);
    sb_fft_real(whole, real, lines);
    sb_fft_turns(turn, count);
    sb_fft_pair_lines(lines, count, turn, count);
    sb_fft_backward(part, lines);
    for (int j = 0; j < half; j++) {
        ck_assert_double_eq_tol(creal(lines[j]) / count, (double)real[2 * j],
                                1e-14);
        ck_assert_double_eq_tol(cimag(lines[j]) / count,
                                (double)real[2 * j + 1], 1e-14);
    }
    sb_fft_destroy(whole);
    sb_fft_destroy(part);
}
END_TEST

START_TEST(a_plan_without_memory_is_no_plan) {
    static const int both[] = {64, 60};
    for (int i = 0; i < 2; i++) {
        sb_fft *fft = NULL;
        int n = 0;
        for (; !fft; n++) {
            sb_memory_fail_after(n);
            fft = sb_fft_create(both[i]);
            sb_memory_fail_after(-1);
            ck_assert_int_lt(n, 20);
            if (!fft) ck_assert_int_eq(sb_memory_live_blocks(), 0);
        }
        ck_assert_int_ge(n, 3);
        sb_fft_destroy(fft);
    }
    sb_fft_destroy(NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fft");
    TCase *all = tcase_create("transform");
    tcase_add_loop_test(all, both_directions_are_the_sum_at_any_size, 0,
                        SIZE_COUNT);
    tcase_add_loop_test(all, there_and_back_is_size_times_the_same, 0,
                        SIZE_COUNT);
    tcase_add_loop_test(all, real_numbers_have_the_lines_of_complex_ones, 0,
                        SIZE_COUNT);
    tcase_add_test(all, two_real_signals_share_a_transform);
    tcase_add_loop_test(all, paired_lines_go_back_to_real_numbers, 0, 7);
    tcase_add_test(all, a_plan_without_memory_is_no_plan);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
