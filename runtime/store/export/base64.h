/* runtime/store/export/base64.h -- base64 (RFC 4648), for data inside JSON.
 *
 * Thread: any.
 */
#ifndef SB_STORE_EXPORT_BASE64_H
#define SB_STORE_EXPORT_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Encode up to 3 bytes as 4 characters, padded with '='. */
void sb_base64_group(const unsigned char *bytes, size_t count, char text[4]);

/* Decode `text` into exactly `count` bytes; false if it is not valid, does not
 * consist of whole groups of four, or has another size. */
bool sb_base64_decode(const char *text, size_t length, void *bytes,
                      size_t count);

#endif
