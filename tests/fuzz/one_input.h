/* tests/fuzz/one_input.h -- every loader of pictures and recordings, given any
 * bytes at all. */
#ifndef SB_TESTS_FUZZ_ONE_INPUT_H
#define SB_TESTS_FUZZ_ONE_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Aborts when a loader breaks its word: a value that is NaN, a failure
 * without a sentence, a block of memory left behind. */
void fuzz_one_input(const uint8_t *bytes, size_t count);

#endif
