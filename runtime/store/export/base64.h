/* runtime/store/export/base64.h -- bytes as text, for data inside JSON (RFC 4648).
 *
 * Thread: any.
 */
#ifndef SB_STORE_EXPORT_BASE64_H
#define SB_STORE_EXPORT_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Up to 3 bytes into 4 characters, padded with '='. */
void sb_base64_group(const unsigned char *bytes, size_t count, char text[4]);

/* All of `text`, which must be a whole number of groups of four, into exactly
 * `count` bytes; false if it is not that. */
bool sb_base64_decode(const char *text, size_t length, void *bytes,
                      size_t count);

#endif
