/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/reader/assimp_files.h -- files that assimp would read
 * wrongly.
 *
 * A GLB file (glTF 2.0, section 4.4) is a head of 12 bytes, then chunks: length
 * and type of four bytes each, then that many bytes. Assimp allocates and
 * clears what the first length says before it looks how long the file is: 33
 * bytes can cost 1.6 GB and many seconds. The total length in the head is not
 * checked: assimp does not use it.
 *
 * Of an OBJ file, assimp counts the numbers of a line by their first
 * characters, and takes only a sign or a digit. Exporters write .1 and -.1,
 * too. All words of v, vt and vn lines that C reads as a number, and assimp
 * does not, are rewritten; all other bytes stay.
 *
 * Thread: the reader's only one. Memory: bytes are the caller's, sb_free.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Files of other versions and without the mark "glTF" pass: assimp refuses
 * them with a message. */
SB_NODISCARD sb_status sb_glb_check_chunks(const char *bytes, size_t size,
                                           sb_error *err);

/* `*bytes` is followed by one zero, which `*size` does not include, and may be
 * replaced by another block. False if out of memory: nothing has changed. */
bool sb_obj_rewrite_numbers(char **bytes, size_t *size);
