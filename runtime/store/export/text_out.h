/* SPDX-License-Identifier: MIT */
/* runtime/store/export/text_out.h -- a text file that appears complete or not
 * at all.
 *
 * Begin, print as often as needed, end. After the first failure further calls
 * do nothing and sb_text_end returns it, so that only its result need be
 * checked.
 *
 * Thread: control, workers; one thread per text.
 * Memory: the caller's; sb_text_end releases all resources.
 */
#pragma once

#include "runtime/base/out_file.h"
#include "runtime/base/status.h"

typedef struct sb_text_out {
    sb_out_file *file;
    sb_status status;
    sb_error *err;
    size_t used, flushed; /* bytes in the buffer, bytes before it */
    char buffer[16384];
} sb_text_out;

SB_NODISCARD sb_status sb_text_begin(sb_text_out *text, const char *path,
                                     sb_error *err);
void sb_text_print(sb_text_out *text, const char *format, ...)
    SB_PRINTF(2, 3); /* up to 1000 characters at a time */
void sb_text_bytes(sb_text_out *text, const char *bytes, size_t count);
/* Print `string` as a JSON string, with quotes and escapes. */
void sb_text_quoted(sb_text_out *text, const char *string);
void sb_text_flush(sb_text_out *text); /* empty the buffer into the file */
SB_NODISCARD sb_status sb_text_end(sb_text_out *text);
