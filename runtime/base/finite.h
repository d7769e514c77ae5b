/* runtime/base/finite.h -- check all numbers of an array: finite, in range.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_BASE_FINITE_H
#define SB_BASE_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero times a value is zero unless the value is infinite or NaN. Sixteen
 * independent sums avoid the latency of a single one: files of 50 MB are
 * checked this way. */
static inline bool sb_are_finite(const float *values, size_t count) {
    enum { SUMS = 16 };
    float sums[SUMS] = {0}, sum = 0;
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
        for (size_t k = 0; k < SUMS; k++)
            sums[k] += values[i + k] * 0.0F;
    }
    for (; i < count; i++)
        sum += values[i] * 0.0F;
    for (size_t k = 0; k < SUMS; k++)
        sum += sums[k];
    return sum == 0;
}

/* Whether no value lies farther from zero than `most`, or is NaN. */
static inline bool sb_are_within(const float *values, size_t count,
                                 float most) {
    int beyond = 0;
    for (size_t i = 0; i < count; i++)
        beyond |= !(fabsf(values[i]) <= most);
    return !beyond;
}

#endif
