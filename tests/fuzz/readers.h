/* SPDX-License-Identifier: MIT */
/* tests/fuzz/readers.h -- every reader of files and messages, given any bytes at
 * all: a row of a table each. */
#pragma once

#include "runtime/model/mesh/reader/input.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_reader {
    const char *name;
    const char *endings; /* of the files that are replayed: ".png.jpg." */
    void (*read)(const uint8_t *bytes, size_t count);
} fuzz_reader;

/* Ends with a row without a name. */
extern const fuzz_reader fuzz_readers[];

/* Aborts when a reader breaks its word: a value that is NaN, a failure without
 * a sentence, a block of memory left behind. */
void fuzz_read(const fuzz_reader *reader, const uint8_t *bytes, size_t count);

/* The same for a function that reads mesh files; true if there was a mesh. */
bool fuzz_read_mesh(const char *ending,
                    sb_status (*read)(const char *path, sb_soup *soup,
                                      sb_error *err),
                    const uint8_t *bytes, size_t count);
