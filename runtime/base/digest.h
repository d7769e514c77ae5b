/* SPDX-License-Identifier: MIT */
/* runtime/base/digest.h -- SHA-256 of files and bytes, to compare renders.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdint.h>

enum { SB_DIGEST_TEXT_SIZE = 65 };

/* Write 64 lower-case hex digits and a terminating zero. Fails as
 * sb_in_file_open does: BAD_FORMAT if it is not a regular file or has more than
 * `most_bytes`. */
SB_NODISCARD sb_status sb_digest_file(const char *path, int64_t most_bytes,
                                      char text[SB_DIGEST_TEXT_SIZE],
                                      sb_error *err);

void sb_digest_bytes(const void *bytes, unsigned long count,
                     char text[SB_DIGEST_TEXT_SIZE]);
