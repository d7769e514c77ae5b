/* SPDX-License-Identifier: MIT */
/* runtime/base/random.h -- repeatable random numbers, one stream per user.
 *
 * PCG32: a 64-bit linear congruential state whose output is permuted to 32
 * bits. Streams with different ids are independent, so that adding a random
 * user to a scene does not change the numbers of the others.
 *
 * Thread: any, audio included; one thread per stream.
 * Source: M. E. O'Neill, PCG: A Family of Simple Fast Space-Efficient
 *         Statistically Good Algorithms for Random Number Generation, 2014.
 */
#pragma once

#include <stdint.h>

typedef struct sb_random {
    uint64_t state;
    uint64_t increment; /* odd; different for each stream */
} sb_random;

static inline uint32_t sb_random_u32(sb_random *random) {
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + random->increment;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

static inline sb_random sb_random_make(uint64_t seed, uint64_t stream) {
    sb_random random = {0, (stream << 1) | 1};
    (void)sb_random_u32(&random);
    random.state += seed;
    (void)sb_random_u32(&random);
    return random;
}

/* Uniform in [0, 1), all 53 bits used. */
static inline double sb_random_unit(sb_random *random) {
    uint64_t high = sb_random_u32(random) >> 5;
    uint64_t low = sb_random_u32(random) >> 6;
    return (double)((high << 26) | low) * (1.0 / 9007199254740992.0);
}
