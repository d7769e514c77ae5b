/* runtime/base/digest.h -- SHA-256 of files and bytes, to compare renders.
 *
 * Thread: control.
 */
#ifndef SB_BASE_DIGEST_H
#define SB_BASE_DIGEST_H

#include "runtime/base/status.h"

enum { SB_DIGEST_TEXT_SIZE = 65 };

/* Write 64 lower-case hex digits and a terminating zero. NOT_FOUND or
 * IO_ERROR. */
SB_NODISCARD sb_status sb_digest_file(const char *path,
                                      char text[SB_DIGEST_TEXT_SIZE],
                                      sb_error *err);

void sb_digest_bytes(const void *bytes, unsigned long count,
                     char text[SB_DIGEST_TEXT_SIZE]);

#endif
