/* SPDX-License-Identifier: MIT */
/* tests/fuzz/bytes.h -- the bytes of an input as choices and numbers.
 *
 * A fuzz target reads its input through these; when the bytes are used up, all
 * that follows is zero, so that every input is a valid one.
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline unsigned take_byte(fuzz_bytes *b) {
    return b->at < b->end ? *b->at++ : 0;
}

static inline int take_below(fuzz_bytes *b, int count) {
    return (int)((take_byte(b) * 256u + take_byte(b)) % (unsigned)count);
}

/* Between two bounds, each decade as often as the others. */
static inline double take_log(fuzz_bytes *b, double least, double most) {
    double part = take_below(b, 65536) / 65535.0;
    return least * pow(most / least, part);
}

/* Any sign, sometimes zero. */
static inline double take_signed(fuzz_bytes *b, double least, double most) {
    unsigned kind = take_byte(b);
    if (kind % 4 == 0) return 0.0;
    double value = take_log(b, least, most);
    return kind & 128 ? -value : value;
}
