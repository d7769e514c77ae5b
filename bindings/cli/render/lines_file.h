/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/lines_file.h -- frequencies predicted for a spectrum,
 * read from a file.
 *
 * Text: a frequency in Hz per line, and a label after a space or comma; '#'
 * begins a comment. CSV: a header with a column freq_hz (and label or mode), as
 * modes --export writes. JSON: numbers, objects with freq_hz, or what modes
 * --json, modes --export and fit --json write.
 *
 * Thread: control. Memory: lines_free frees the lines.
 */
#pragma once

#include "runtime/base/status.h"

enum { LINE_LABEL_SIZE = 48 };

typedef struct spectral_line {
    double freq_hz;
    char label[LINE_LABEL_SIZE]; /* the frequency if the file has none */
} spectral_line;

typedef struct lines_file {
    spectral_line *lines; /* in ascending order */
    int count, capacity;
} lines_file;

/* NOT_FOUND, IO_ERROR, NO_MEMORY; BAD_FORMAT names the line of the file. */
SB_NODISCARD sb_status lines_read(lines_file *out, const char *path,
                                  sb_error *err);
void lines_free(lines_file *lines); /* leaves it empty */
