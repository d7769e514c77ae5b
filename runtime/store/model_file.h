/* SPDX-License-Identifier: MIT */
/* runtime/store/model_file.h -- solved models as files: .modal
 *
 * Little-endian, designed to be mapped into memory and used in place:
 *
 *     0   8 bytes   89 'S' 'B' 'M' 'O' 'D' 0d 0a
 *     8   u32       version, 1
 *     12  u32       number of sections
 *     16  u64       size of the file, bytes
 *     24  u64       checksum (XXH3) of the section table
 *     32  table     per section: u32 kind, u32 zero, u64 offset, u64 bytes,
 *                   u64 checksum
 *
 * Sections begin at multiples of 64 bytes, with zeros between them: properties
 * and counts, vertices, faces, texture coordinates, eigenvalues, shapes; and
 * optionally the finished modes and their shapes, so that the same material
 * need not be finished again. Unknown kinds are skipped. A file that is
 * truncated, has a bit changed or is of a newer version is rejected. No value
 * is trusted: every count, offset and index is validated.
 *
 * Files appear complete or not at all, by renaming, so a mapped file keeps its
 * contents when it is replaced.
 *
 * Thread: control, workers.
 * Memory: the file stays mapped until the last release of its solution.
 */
#pragma once

#include "runtime/base/digest.h"
#include "runtime/base/status.h"
#include "runtime/model/material.h"
#include "runtime/model/sound/finish.h"

typedef struct sb_model_file {
    sb_solution *solution;
    char key[SB_DIGEST_TEXT_SIZE]; /* of the problem (model_cache.h), or "" */
    bool has_material;
    sb_material material; /* that it was solved for */
    bool has_finished;    /* for that material, with these parameters: */
    sb_finish_def finish;
    sb_finished finished;
} sb_model_file;

/* IO_ERROR, NOT_FOUND, or BAD_ARGUMENT for a finished part without material. */
SB_NODISCARD sb_status sb_model_file_write(const char *path,
                                           const sb_model_file *file,
                                           sb_error *err);

/* NOT_FOUND, IO_ERROR, or BAD_FORMAT with a message that begins with the path:
 * not a .modal file, truncated, damaged (with the part), or of a newer
 * version. */
SB_NODISCARD sb_status sb_model_file_read(const char *path, sb_model_file *out,
                                          sb_error *err);

void sb_model_file_free(sb_model_file *file); /* an empty one is allowed */

/* Is `finished` valid for this material and these parameters of finishing? */
bool sb_model_file_is_finished_for(const sb_model_file *file,
                                   const sb_material *material,
                                   const sb_finish_def *def);
