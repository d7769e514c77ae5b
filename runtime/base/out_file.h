/* runtime/base/out_file.h -- a file that appears whole or not at all.
 *
 * Bytes go to a temporary neighbour of the file. A commit flushes it to the
 * disk and renames it over the name asked for, in one step of the file system;
 * an abort, or a failure at any point, removes it. Whoever looks sees the old
 * file or the new one, never half of one.
 *
 * What cannot be renamed over (a device, a pipe, and "-", the standard output)
 * is collected in a nameless file and copied at the commit, so that a format
 * which goes back to mend its header can be written there too.
 *
 * Thread: control; one file, one thread.
 * Memory: the object is gone after commit or abort, whatever they return.
 */
#ifndef SB_BASE_OUT_FILE_H
#define SB_BASE_OUT_FILE_H

#include "runtime/base/status.h"

#include <stddef.h>

typedef struct sb_out_file sb_out_file;

/* Begin a file. A link is followed. NOT_FOUND when the directory is missing;
 * IO_ERROR when `path` is a directory, may not be written or is a terminal. */
SB_NODISCARD sb_status sb_out_file_create(sb_out_file **out, const char *path,
                                          sb_error *err);

/* Readable, writable and seekable. Not to be closed by the caller. */
int sb_out_file_descriptor(const sb_out_file *file);

/* The name asked for, for messages. */
const char *sb_out_file_path(const sb_out_file *file);

/* Append bytes at the descriptor's position; IO_ERROR when the disk is full. */
SB_NODISCARD sb_status sb_out_file_write(sb_out_file *file, const void *bytes,
                                         size_t count, sb_error *err);

/* Put the file in its place. On failure the old file, if any, is untouched;
 * only a pipe or device may have received a part. */
SB_NODISCARD sb_status sb_out_file_commit(sb_out_file *file, sb_error *err);

void sb_out_file_abort(sb_out_file *file); /* NULL is allowed */

#endif
