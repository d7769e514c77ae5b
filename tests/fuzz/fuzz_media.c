/* tests/fuzz/fuzz_media.c -- for libFuzzer, with clang:
 *
 *     cmake -S . -B fuzz -DSANDBELL_FUZZ=ON -DCMAKE_C_COMPILER=clang
 *     cmake --build fuzz --target fuzz_media
 *     mkdir -p found && fuzz/fuzz_media -max_total_time=600 -timeout=10 \
 *         found tests/fuzz/corpus tests/images/bad
 */
#include "tests/fuzz/one_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    fuzz_one_input(bytes, count);
    return 0;
}
