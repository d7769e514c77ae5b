/* SPDX-License-Identifier: MIT */
/* tests/fuzz/replay.c -- fuzz_replay FOLDER...: replays the inputs of the corpus
 * and those that the fuzzer found. The ending of a file's name selects its
 * readers. */
#include "tests/fuzz/readers.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 22, MOST_READERS = 32 };

static int counts[MOST_READERS];

static int replay_file(const char *path, const char *name) {
    static uint8_t bytes[LARGEST];
    const char *dot = strrchr(name, '.');
    char ending[NAME_MAX + 2];
    FILE *file = dot ? fopen(path, "rb") : NULL;
    if (!file) return 0;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    (void)snprintf(ending, sizeof ending, "%s.", dot);
    int done = 0;
    for (int i = 0; fuzz_readers[i].name; i++) {
        if (!strstr(fuzz_readers[i].endings, ending)) continue;
        fuzz_read(&fuzz_readers[i], bytes, size);
        counts[i]++;
        done++;
    }
    return done;
}

static int replay_folder(const char *folder) {
    char path[PATH_MAX];
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) return 0;
    for (const struct dirent *e = readdir(entries); e; e = readdir(entries)) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        count += replay_file(path, e->d_name) > 0;
    }
    (void)closedir(entries);
    return count;
}

/* Fails when a folder has no input, or a reader none. */
int main(int argc, char **argv) {
    int code = argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        (void)printf("%s: %d files\n", argv[i], count);
        if (count == 0) code = EXIT_FAILURE;
    }
    for (int i = 0; fuzz_readers[i].name; i++) {
        (void)printf("%s: %d inputs\n", fuzz_readers[i].name, counts[i]);
        if (counts[i] == 0) code = EXIT_FAILURE;
    }
    return code;
}
