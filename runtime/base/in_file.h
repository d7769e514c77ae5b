/* SPDX-License-Identifier: MIT */
/* runtime/base/in_file.h -- opens files that a user or a scene names.
 *
 * Only regular files of a limited size are opened, and opening never waits: a
 * named pipe without a writer would block the caller for ever, and a device
 * such as /dev/zero has no end.
 *
 * Messages begin with the path: "NAME cannot be read: it is not a regular
 * file".
 *
 * Thread: any.
 * Memory: the caller closes the file and frees the bytes.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A larger file is no script. */
enum { SB_SCRIPT_BYTES = 8 << 20 };

/* Open for reading; close with fclose. NOT_FOUND if there is no such file;
 * IO_ERROR if it may not be read; BAD_FORMAT if it is not a regular file or has
 * more than `most_bytes`. */
SB_NODISCARD sb_status sb_in_file_open(const char *path, int64_t most_bytes,
                                       FILE **out, sb_error *err);

/* The whole file, with a terminating zero that `count` (may be NULL) does not
 * include; free with sb_free. */
SB_NODISCARD sb_status sb_in_file_read(const char *path, int64_t most_bytes,
                                       char **out, size_t *count,
                                       sb_error *err);
/* The same; IO_ERROR if the name is a link: in folders of strangers. */
SB_NODISCARD sb_status sb_in_file_read_unlinked(const char *path,
                                                int64_t most_bytes, char **out,
                                                size_t *count, sb_error *err);

/* Put the resolved path of `name`, a file that lies in `folder` after all links,
 * into `out`, which has room for PATH_MAX bytes. False: there is none. */
bool sb_in_file_resolve(const char *folder, const char *name, char *out);
