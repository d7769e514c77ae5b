#include "runtime/bench/peak_memory.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

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

size_t sb_bench_peak_begin(void) {
    (void)malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        (void)fputs("5", file); /* resets the peak to the current use */
        (void)fclose(file);
    }
    return status_bytes("VmRSS");
}

size_t sb_bench_peak_end(size_t before) {
    size_t peak = status_bytes("VmHWM");
    return peak > before ? peak - before : 0;
}
