/* SPDX-License-Identifier: MIT */
/* tests/faults/fail_calls.c -- loaded before the C library (LD_PRELOAD), it makes
 * one call of the program fail:
 *
 *     FAULT_CALL   write, fsync, rename or open
 *     FAULT_AT     which call of these, from 1
 *     FAULT_ERROR  errno that it gets; 0: the process is killed (SIGKILL)
 *     FAULT_MARK   a file that is made when the call is reached
 *
 * Only files count, those of the system left out: not pipes, not terminals.
 * Calls that the C library makes itself (stdio) do not pass here, so fopen,
 * fwrite and fflush count as the calls that they make. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

/* Is this the call that fails? Sets errno. */
static bool fails(const char *call) {
    const char *wanted = getenv("FAULT_CALL"), *at = getenv("FAULT_AT");
    const char *error = getenv("FAULT_ERROR"), *mark = getenv("FAULT_MARK");
    if (!wanted || !at || strcmp(wanted, call) != 0) return false;
    if (atomic_fetch_add(&calls, 1) + 1 != strtol(at, NULL, 10)) return false;
    if (mark) {
        long made = syscall(SYS_openat, AT_FDCWD, mark,
                            O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (made >= 0) (void)syscall(SYS_close, made);
    }
    errno = error ? (int)strtol(error, NULL, 10) : EIO;
    if (errno == 0) (void)raise(SIGKILL);
    return true;
}

static bool is_file(int descriptor) {
    struct stat facts;
    return descriptor > STDERR_FILENO && fstat(descriptor, &facts) == 0 &&
           S_ISREG(facts.st_mode);
}

static bool is_ours(const char *path) {
    static const char *const systems[] = {"/proc/", "/sys/", "/dev/",
                                          "/etc/",  "/usr/", "/lib"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (strncmp(path, systems[i], strlen(systems[i])) == 0) return false;
    return true;
}

/* The function that ours hides. ISO C has no cast from an object to a
 * function. */
#define HIDDEN(type, name)                      \
    static type hidden = NULL;                  \
    if (!hidden) {                              \
        void *found = dlsym(RTLD_NEXT, name);   \
        memcpy(&hidden, &found, sizeof hidden); \
    }

typedef ssize_t (*write_function)(int, const void *, size_t);
typedef size_t (*fwrite_function)(const void *, size_t, size_t, FILE *);
typedef int (*fsync_function)(int);
typedef int (*fflush_function)(FILE *);
typedef int (*rename_function)(const char *, const char *);
typedef int (*renameat_function)(int, const char *, int, const char *);
typedef int (*open_function)(const char *, int, ...);
typedef int (*openat_function)(int, const char *, int, ...);
typedef FILE *(*fopen_function)(const char *, const char *);

ssize_t write(int descriptor, const void *bytes, size_t count) {
    HIDDEN(write_function, "write")
    if (is_file(descriptor) && fails("write")) return -1;
    return hidden(descriptor, bytes, count);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    HIDDEN(fwrite_function, "fwrite")
    if (is_file(fileno(file)) && fails("write")) return 0;
    return hidden(bytes, size, count, file);
}

int fflush(FILE *file) {
    HIDDEN(fflush_function, "fflush")
    if (file && is_file(fileno(file)) && fails("write")) return EOF;
    return hidden(file);
}

int fsync(int descriptor) {
    HIDDEN(fsync_function, "fsync")
    return fails("fsync") ? -1 : hidden(descriptor);
}

int rename(const char *from, const char *to) {
    HIDDEN(rename_function, "rename")
    return fails("rename") ? -1 : hidden(from, to);
}

int renameat(int source, const char *from, int target, const char *to) {
    HIDDEN(renameat_function, "renameat")
    return fails("rename") ? -1 : hidden(source, from, target, to);
}

int open(const char *path, int flags, ...) {
    HIDDEN(open_function, "open")
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (is_ours(path) && fails("open")) return -1;
    return hidden(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    HIDDEN(openat_function, "openat")
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (is_ours(path) && fails("open")) return -1;
    return hidden(directory, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    HIDDEN(fopen_function, "fopen")
    return is_ours(path) && fails("open") ? NULL : hidden(path, mode);
}
