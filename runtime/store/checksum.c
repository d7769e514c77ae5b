#include "runtime/store/checksum.h"

#include <xxhash.h>

uint64_t sb_checksum(const void *bytes, size_t count) {
    return XXH3_64bits(bytes, count);
}
