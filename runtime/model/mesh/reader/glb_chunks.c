#include "runtime/model/mesh/reader/glb_chunks.h"

#include <stdint.h>
#include <string.h>

/* Assimp reads two chunks, text and data; what follows them is ignored. */
enum { HEAD_BYTES = 12, CHUNK_HEAD_BYTES = 8, CHUNKS = 2 };

/* Little-endian, at any address. */
static uint32_t number_at(const char *bytes) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--)
        value = value << 8 | (uint8_t)bytes[i];
    return value;
}

sb_status sb_glb_check_chunks(const char *bytes, size_t size, sb_error *err) {
    if (size < HEAD_BYTES || memcmp(bytes, "glTF", 4) != 0) return SB_OK;
    if (number_at(bytes + 4) != 2) return SB_OK;
    size_t at = HEAD_BYTES;
    for (int n = 1; n <= CHUNKS && size - at >= CHUNK_HEAD_BYTES; n++) {
        uint32_t length = number_at(bytes + at);
        at += CHUNK_HEAD_BYTES;
        if (length > size - at) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "it is cut short or damaged: chunk %d should have "
                           "%u bytes, and the file has %zu more",
                           n, length, size - at);
        }
        at += length;
    }
    return SB_OK;
}
