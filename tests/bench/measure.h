/* SPDX-License-Identifier: MIT */
/* tests/bench/measure.h -- times, memory and temporary files of a measurement.
 *
 * Thread: control; memory figures are those of the whole process.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define BENCH_RATE_HZ 48000.0

enum { BENCH_PATH = 512 };

/* Sorts; the values at these places. */
typedef struct spread {
    double best, p50, p99, worst; /* least, median, ..., largest */
} spread;
spread spread_of(double *values, int count);

/* Reset the peak; returns the bytes in use now. */
size_t peak_begin(void);
/* The peak since then, in bytes beyond `before`; 0 where the system does not
 * report it. */
size_t peak_end(size_t before);

/* A folder of this bench; folder_remove removes it and all files in it and in
 * folders below, folder_empty only these. */
SB_NODISCARD sb_status folder_make(char folder[BENCH_PATH], sb_error *err);
void folder_empty(const char *folder);
void folder_remove(const char *folder);
/* Save as most editors do: write a new file and rename it over the old one. */
bool file_save(const char *path, const void *bytes, size_t count);

/* The environment in which OpenBLAS is as fast as in the program: sets it and
 * starts this program again, if needed. */
void choose_blas(char **argv);
