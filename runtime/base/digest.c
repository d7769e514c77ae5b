/* SPDX-License-Identifier: MIT */
#include "runtime/base/digest.h"

#include "runtime/base/in_file.h"

#include <sha2.h>

static void as_text(const unsigned char digest[SHA256_DIGEST_LENGTH],
                    char *text) {
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        *text++ = hex[digest[i] >> 4];
        *text++ = hex[digest[i] & 15];
    }
    *text = '\0';
}

sb_status sb_digest_file(const char *path, int64_t most_bytes,
                         char text[SB_DIGEST_TEXT_SIZE], sb_error *err) {
    FILE *file;
    sb_status status = sb_in_file_open(path, most_bytes, &file, err);
    if (status) return status;
    SHA2_CTX context;
    SHA256Init(&context);
    unsigned char buffer[16384];
    size_t count;
    /* A file that grows while it is read is read to the limit. */
    while (most_bytes > 0 &&
           (count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        SHA256Update(&context, buffer, count);
        most_bytes -= (int64_t)count;
    }
    int failed = ferror(file);
    (void)fclose(file);
    if (failed) return sb_fail(err, SB_IO_ERROR, "%s: reading failed", path);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, &context);
    as_text(digest, text);
    return SB_OK;
}

void sb_digest_bytes(const void *bytes, unsigned long count,
                     char text[SB_DIGEST_TEXT_SIZE]) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, count);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, &context);
    as_text(digest, text);
}
