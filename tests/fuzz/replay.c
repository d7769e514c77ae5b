/* tests/fuzz/replay.c -- fuzz_replay FOLDER...: replays the inputs of the
 * corpus and those that the fuzzer found. */
#include "tests/fuzz/one_input.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 22 };

static int replay_folder(const char *folder) {
    static uint8_t bytes[LARGEST];
    char path[PATH_MAX];
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) return 0;
    for (const struct dirent *e = readdir(entries); e; e = readdir(entries)) {
        if (e->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        size_t size = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        fuzz_one_input(bytes, size);
        count++;
    }
    (void)closedir(entries);
    return count;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        (void)printf("%s: %d files\n", argv[i], count);
        if (count == 0) return EXIT_FAILURE;
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
