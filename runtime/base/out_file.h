/* SPDX-License-Identifier: MIT */
/* runtime/base/out_file.h -- a file that appears complete or not at all.
 *
 * Bytes are written to a temporary file in the same directory. A commit flushes
 * it to the disk and renames it atomically to the requested name; an abort, or
 * a failure at any point, removes it. Other processes see the old file or the
 * new one, never a part of one.
 *
 * Targets that a rename cannot replace (a device, a pipe, and "-", the standard
 * output) are written to a nameless temporary file and copied at commit, so
 * that formats which rewrite their header at the end can be written there too.
 *
 * Thread: control; one thread per file.
 * Memory: commit and abort free the object, whatever they return.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_out_file sb_out_file;

/* Begin a file. Symbolic links are followed. NOT_FOUND when the directory is
 * missing; IO_ERROR when `path` is a directory, is not writable or is a
 * terminal. */
SB_NODISCARD sb_status sb_out_file_create(sb_out_file **out, const char *path,
                                          sb_error *err);

/* Begin the file `name` in `folder` and nowhere else, for folders whose content
 * is a stranger's. `name` is relative; none of its parts, nor `folder` itself,
 * may be a link, also not one that is put there before the commit: the
 * directory is held open, and a rename replaces a link instead of following it.
 * IO_ERROR, BAD_ARGUMENT or NOT_FOUND when that is not so. */
SB_NODISCARD sb_status sb_out_file_create_in(sb_out_file **out,
                                             const char *folder,
                                             const char *name, sb_error *err);

/* Readable, writable and seekable. The caller must not close it. */
int sb_out_file_descriptor(const sb_out_file *file);

/* The requested path, for messages. */
const char *sb_out_file_path(const sb_out_file *file);

/* Append bytes at the descriptor's position; IO_ERROR when the disk is full. */
SB_NODISCARD sb_status sb_out_file_write(sb_out_file *file, const void *bytes,
                                         size_t count, sb_error *err);

/* All bytes, to any descriptor; else errno says why. */
bool sb_write_all(int descriptor, const void *bytes, size_t count);

/* Move the file into place. On failure the old file, if any, is untouched; only
 * a pipe or device may have received part of the data. */
SB_NODISCARD sb_status sb_out_file_commit(sb_out_file *file, sb_error *err);

void sb_out_file_abort(sb_out_file *file); /* NULL is allowed */

/* A file of these bytes: all of the above in one call. */
SB_NODISCARD sb_status sb_out_file_put(const char *path, const void *bytes,
                                       size_t count, sb_error *err);
SB_NODISCARD sb_status sb_out_file_put_in(const char *folder, const char *name,
                                          const void *bytes, size_t count,
                                          sb_error *err);
