/* runtime/base/digest.h -- the SHA-256 of a file, to compare renders by.
 *
 * Thread: control.
 */
#ifndef SB_BASE_DIGEST_H
#define SB_BASE_DIGEST_H

#include "runtime/base/status.h"

enum { SB_DIGEST_TEXT_SIZE = 65 };

/* 64 lower-case hex digits and a zero. NOT_FOUND or IO_ERROR. */
SB_NODISCARD sb_status sb_digest_file(const char *path,
                                      char text[SB_DIGEST_TEXT_SIZE],
                                      sb_error *err);

void sb_digest_bytes(const void *bytes, unsigned long count,
                     char text[SB_DIGEST_TEXT_SIZE]);

#endif
