/* SPDX-License-Identifier: MIT */
#include "tests/bench/measure.h"

#include "runtime/model/linear/blas.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

spread spread_of(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (spread){values[0], values[count / 2],
                    values[(int)(0.99 * (count - 1))], values[count - 1]};
}

/* Reads a line such as "VmHWM:   12345 kB" from /proc/self/status. */
static size_t status_bytes(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    size_t kilobytes = 0;
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) != 0) continue;
        (void)sscanf(line + strlen(name), ": %zu", &kilobytes);
        break;
    }
    if (file) (void)fclose(file);
    return kilobytes * 1024;
}

size_t peak_begin(void) {
    (void)malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        (void)fputs("5", file); /* resets the peak to the current use */
        (void)fclose(file);
    }
    return status_bytes("VmRSS");
}

size_t peak_end(size_t before) {
    size_t peak = status_bytes("VmHWM");
    return peak > before ? peak - before : 0;
}

sb_status folder_make(char folder[BENCH_PATH], sb_error *err) {
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, BENCH_PATH, "%.480s/sandbell-XXXXXX",
                   base && *base ? base : "/tmp");
    if (mkdtemp(folder)) return SB_OK;
    folder[0] = '\0';
    return sb_fail(err, SB_IO_ERROR, "no place for temporary files");
}

void folder_empty(const char *folder) {
    DIR *directory = opendir(folder);
    const struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory))) {
        char path[1024];
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        (void)snprintf(path, sizeof path, "%.700s/%.300s", folder, name);
        if (unlink(path)) folder_remove(path);
    }
    if (directory) (void)closedir(directory);
}

void folder_remove(const char *folder) {
    if (!folder[0]) return;
    folder_empty(folder);
    (void)rmdir(folder);
}

bool file_save(const char *path, const void *bytes, size_t count) {
    char other[1024];
    (void)snprintf(other, sizeof other, "%.1000s~", path);
    FILE *file = fopen(other, "wb");
    if (!file) return false;
    bool is_whole = fwrite(bytes, 1, count, file) == count;
    return fclose(file) == 0 && is_whole && rename(other, path) == 0;
}

void choose_blas(char **argv) {
    const char *core = sb_blas_better_core();
    if (!core || getenv("OPENBLAS_CORETYPE") ||
        setenv("OPENBLAS_CORETYPE", core, 0))
        return;
    (void)execv("/proc/self/exe", argv);
}
