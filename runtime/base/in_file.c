/* SPDX-License-Identifier: MIT */
#include "runtime/base/in_file.h"

#include "runtime/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sb_status fail(const char *path, int code, sb_error *err) {
    bool is_missing = code == ENOENT || code == ENOTDIR;
    sb_status status =
        sb_fail(err, is_missing ? SB_NOT_FOUND : SB_IO_ERROR,
                "%.255s cannot be read: %s", path, strerror(code));
    sb_error_set_place(err, path, 0);
    return status;
}

static sb_status check(const char *path, const struct stat *info,
                       int64_t most_bytes, sb_error *err) {
    sb_status status = SB_OK;
    if (!S_ISREG(info->st_mode))
        status =
            sb_fail(err, SB_BAD_FORMAT,
                    "%.255s cannot be read: it is not a regular file", path);
    else if (info->st_size > most_bytes)
        status = sb_fail(err, SB_BAD_FORMAT,
                         "%.255s cannot be read: it is larger than %.3g MB",
                         path, (double)most_bytes / (1 << 20));
    if (status) sb_error_set_place(err, path, 0);
    return status;
}

/* A descriptor, or -1. */
static int open_checked(const char *path, int flags, int64_t most_bytes,
                        struct stat *info, sb_status *status, sb_error *err) {
    /* O_NONBLOCK: opening a pipe does not wait for its other end. It has no
     * effect on the reading of regular files. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
    if (descriptor < 0) {
        *status = fail(path, errno, err);
        return -1;
    }
    *status = fstat(descriptor, info) ? fail(path, errno, err)
                                      : check(path, info, most_bytes, err);
    if (!*status) return descriptor;
    (void)close(descriptor);
    return -1;
}

sb_status sb_in_file_open(const char *path, int64_t most_bytes, FILE **out,
                          sb_error *err) {
    struct stat info;
    sb_status status;
    int descriptor = open_checked(path, 0, most_bytes, &info, &status, err);
    if (status) return status;
    FILE *file = fdopen(descriptor, "rb");
    if (!file) {
        (void)close(descriptor);
        return sb_fail_in(err, SB_NO_MEMORY, path, 0, "out of memory");
    }
    *out = file;
    return SB_OK;
}

/* Up to `size` bytes; -1 on failure. */
static ssize_t read_all(int descriptor, char *bytes, size_t size) {
    size_t count = 0;
    while (count < size) {
        ssize_t got = read(descriptor, bytes + count, size - count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break; /* it has become shorter */
        count += (size_t)got;
    }
    return (ssize_t)count;
}

static sb_status read_file(const char *path, int flags, int64_t most_bytes,
                           char **out, size_t *count, sb_error *err) {
    struct stat info;
    sb_status status;
    int descriptor = open_checked(path, flags, most_bytes, &info, &status, err);
    if (status) return status;
    size_t size = (size_t)info.st_size;
    char *bytes = sb_alloc(size + 1, 1);
    ssize_t got = bytes ? read_all(descriptor, bytes, size) : -1;
    int code = errno;
    (void)close(descriptor);
    if (got < 0) {
        if (!bytes) code = ENOMEM;
        sb_free(bytes);
        return code == ENOMEM
                   ? sb_fail_in(err, SB_NO_MEMORY, path, 0, "out of memory")
                   : fail(path, code, err);
    }
    bytes[got] = '\0';
    *out = bytes;
    if (count) *count = (size_t)got;
    return SB_OK;
}

sb_status sb_in_file_read(const char *path, int64_t most_bytes, char **out,
                          size_t *count, sb_error *err) {
    return read_file(path, 0, most_bytes, out, count, err);
}

sb_status sb_in_file_read_unlinked(const char *path, int64_t most_bytes,
                                   char **out, size_t *count, sb_error *err) {
    return read_file(path, O_NOFOLLOW, most_bytes, out, count, err);
}

bool sb_in_file_resolve(const char *folder, const char *name, char *out) {
    char joined[PATH_MAX], home[PATH_MAX];
    struct stat info;
    int length = snprintf(joined, sizeof joined, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_MAX || !realpath(joined, out) ||
        !realpath(folder, home)) {
        return false;
    }
    size_t count = strlen(home);
    return strncmp(out, home, count) == 0 && out[count] == '/' &&
           stat(out, &info) == 0 && S_ISREG(info.st_mode);
}
