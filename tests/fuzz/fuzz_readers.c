/* SPDX-License-Identifier: MIT */
/* tests/fuzz/fuzz_readers.c -- the readers under libFuzzer. The environment
 * variable FUZZ_READER names one of the rows of readers.c. */
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fuzz_reader *find_reader(void) {
    const char *wanted = getenv("FUZZ_READER");
    for (const fuzz_reader *r = fuzz_readers; r->name; r++)
        if (wanted && strcmp(r->name, wanted) == 0) return r;
    (void)fprintf(stderr, "set FUZZ_READER to one of:");
    for (const fuzz_reader *r = fuzz_readers; r->name; r++)
        (void)fprintf(stderr, " %s", r->name);
    (void)fprintf(stderr, "\n");
    exit(EXIT_FAILURE);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const fuzz_reader *reader = NULL;
    if (!reader) reader = find_reader();
    fuzz_read(reader, bytes, count);
    return 0;
}
