/* SPDX-License-Identifier: MIT */
/* Partitioned convolution against the sum that defines it. */
#include "runtime/dsp/room/convolve.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/base/voice_types.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 64 * SB_BLOCK_FRAMES, MOST = 6000 };

static float response[2 * MOST], x[FRAMES], heard[2 * FRAMES];

static void fill(float *to, int count, uint64_t stream) {
    sb_random random = sb_random_make(1, stream);
    for (int n = 0; n < count; n++)
        to[n] = (float)(sb_random_unit(&random) - 0.5);
}

static void convolve(int length) {
    void *memory = sb_alloc_aligned(sb_convolver_bytes(length));
    ck_assert_ptr_nonnull(memory);
    sb_convolver *c = sb_convolver_init(memory, response, length);
    memset(heard, 0, sizeof heard);
    for (int n = 0; n < FRAMES; n += SB_BLOCK_FRAMES)
        sb_convolver_run(c, &x[n], &heard[2 * n]);
    sb_free(memory);
}

/* Of one frame up to two long partitions beyond the short ones. */
static const int lengths[] = {1, 128, 129, 2048, 2049, 3072, 3073, MOST};

START_TEST(it_is_the_sum_that_defines_it) {
    int length = lengths[_i];
    fill(response, 2 * length, 1);
    fill(x, FRAMES, 2);
    convolve(length);
    double worst = 0, most = 0;
    for (int n = 0; n < FRAMES; n += 7) {
        for (int ear = 0; ear < 2; ear++) {
            double sum = 0;
            for (int k = 0; k < length && k <= n; k++)
                sum += (double)response[2 * k + ear] * (double)x[n - k];
            worst = fmax(worst, fabs((double)heard[2 * n + ear] - sum));
            most = fmax(most, fabs(sum));
        }
    }
    ck_assert_msg(worst < 3e-6 * most, "off by %g of %g", worst, most);
}
END_TEST

START_TEST(an_impulse_gives_the_response) {
    fill(response, 2 * MOST, 3);
    memset(x, 0, sizeof x);
    x[1000] = 1;
    convolve(MOST);
    for (int n = 0; n < 2 * MOST; n++)
        ck_assert_double_eq_tol((double)heard[2000 + n], (double)response[n],
                                1e-6);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("convolve");
    TCase *tests = tcase_create("convolve");
    tcase_add_loop_test(tests, it_is_the_sum_that_defines_it, 0, 8);
    tcase_add_test(tests, an_impulse_gives_the_response);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
