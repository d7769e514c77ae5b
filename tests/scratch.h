/* SPDX-License-Identifier: MIT */
/* tests/scratch.h -- an empty directory for a test to write in.
 *
 * Use as fixtures: tcase_add_checked_fixture(tcase, scratch_make,
 * scratch_remove). Names are relative to nothing: scratch_path makes them.
 */
#pragma once

#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_directory[64];

static inline void scratch_make(void) {
    strcpy(scratch_directory, "/tmp/sandbell-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch_directory));
}

/* One of four buffers in turn: enough for the arguments of one call. */
static inline const char *scratch_path(const char *name) {
    static char paths[4][400];
    static int next;
    char *path = paths[next++ & 3];
    (void)snprintf(path, sizeof paths[0], "%s/%s", scratch_directory, name);
    return path;
}

/* Counts the entries, and removes them if told to. */
static inline int scratch_entries(int and_remove) {
    DIR *directory = opendir(scratch_directory);
    ck_assert_ptr_nonnull(directory);
    int count = 0;
    struct dirent *entry = NULL;
    while ((entry = readdir(directory))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) {
            continue;
        }
        count++;
        if (and_remove) (void)remove(scratch_path(entry->d_name));
    }
    (void)closedir(directory);
    return count;
}

static inline void scratch_remove(void) {
    (void)scratch_entries(1);
    (void)rmdir(scratch_directory);
}

static struct rlimit scratch_rlimit;
static int scratch_limit_result;

/* No file can grow beyond `bytes`, as on a full disk, until scratch_unlimit.
 * Make no assertion in between: Check writes each one to a file. */
static inline void scratch_limit(rlim_t bytes) {
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &scratch_rlimit), 0);
    struct rlimit tight = scratch_rlimit;
    tight.rlim_cur = bytes;
    scratch_limit_result = setrlimit(RLIMIT_FSIZE, &tight);
}

static inline void scratch_unlimit(void) {
    int result = setrlimit(RLIMIT_FSIZE, &scratch_rlimit);
    ck_assert_int_eq(scratch_limit_result, 0);
    ck_assert_int_eq(result, 0);
}

static inline void scratch_put(const char *name, const char *text) {
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), file), strlen(text));
    ck_assert_int_eq(fclose(file), 0);
}

/* Up to `size` bytes of a file; the number read, or -1 if there is none. */
static inline long scratch_get(const char *path, void *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    size_t count = fread(bytes, 1, size, file);
    (void)fclose(file);
    return (long)count;
}

static inline void scratch_expect(const char *name, const char *text) {
    char bytes[256] = {0};
    ck_assert_int_ge(scratch_get(scratch_path(name), bytes, 255), 0);
    ck_assert_str_eq(bytes, text);
}

static inline void scratch_expect_equal(const char *name, const char *other) {
    static char a[1 << 20], b[1 << 20];
    long a_count = scratch_get(scratch_path(name), a, sizeof a);
    long b_count = scratch_get(scratch_path(other), b, sizeof b);
    ck_assert_int_gt(a_count, 0);
    ck_assert_int_lt(a_count, sizeof a);
    ck_assert_int_eq(a_count, b_count);
    ck_assert_mem_eq(a, b, (size_t)a_count);
}
