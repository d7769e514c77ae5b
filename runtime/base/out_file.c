/* SPDX-License-Identifier: MIT */
/* Writes a temporary file next to the target and renames it over the target at
 * commit. Control thread. */
#include "runtime/base/out_file.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name collides only with a file left by a dead process with our process
 * id. */
enum { NAME_TRIES = 1000, POLL_MS = 100 };

/* After a stop, for a reader who is slow, s. */
#define GIVE_UP_S 0.5

struct sb_out_file {
    char *path;         /* as the caller gave it */
    char *name;         /* of the target in its directory */
    int directory;      /* that contains the target; -1: none */
    char temporary[64]; /* its name there; "" when the file has no name */
    int descriptor;     /* of the temporary; -1 when closed */
};

static atomic_uint name_count = 0;

static sb_status fail_with_errno(const char *path, int code, sb_error *err) {
    sb_status status = SB_IO_ERROR;
    if (code == ENOENT || code == ENOTDIR) status = SB_NOT_FOUND;
    if (code == ENOMEM) status = SB_NO_MEMORY;
    if (code == EINTR) status = SB_INTERRUPTED;
    /* A long path is truncated so that the reason still fits. */
    return sb_fail(err, status, "%.300s cannot be written: %s", path,
                   strerror(code));
}

static void dispose(sb_out_file *file) {
    if (file->descriptor >= 0) (void)close(file->descriptor);
    if (*file->temporary) (void)unlinkat(file->directory, file->temporary, 0);
    if (file->directory >= 0) (void)close(file->directory);
    sb_free_all(file->name, file->path, file);
}

bool sb_write_all(int descriptor, const void *bytes, size_t count) {
    for (const char *at = bytes; count > 0;) {
        ssize_t done = write(descriptor, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

/* For targets that cannot be replaced by a rename. */
static sb_status open_nameless(sb_out_file *file, sb_error *err) {
    const char *directory = getenv("TMPDIR");
    if (!directory || !*directory) directory = "/tmp";
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s/sandbell-XXXXXX", directory);
    if (length < 0 || length >= (int)sizeof name) {
        return fail_with_errno(file->path, ENAMETOOLONG, err);
    }
    file->descriptor = mkostemp(name, O_CLOEXEC);
    if (file->descriptor < 0) {
        return sb_fail(err, SB_IO_ERROR,
                       "%.300s cannot be written: no temporary file in %.80s",
                       file->path, directory);
    }
    (void)unlink(name);
    return SB_OK;
}

/* `mode` as for open(2): that of an existing file, or 0666 less the umask,
 * which mkstemp would ignore. */
static sb_status open_neighbour(sb_out_file *file, mode_t mode, bool is_old,
                                sb_error *err) {
    char name[sizeof file->temporary];
    for (int i = 0; i < NAME_TRIES && file->descriptor < 0; i++) {
        /* Not derived from the target's name, which may have the maximum
         * length. */
        (void)snprintf(name, sizeof name, ".sandbell-%ld-%u.tmp",
                       (long)getpid(), atomic_fetch_add(&name_count, 1));
        file->descriptor =
            openat(file->directory, name,
                   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file->descriptor < 0 && errno != EEXIST) break;
    }
    if (file->descriptor < 0) return fail_with_errno(file->path, errno, err);
    memcpy(file->temporary, name, sizeof name);
    if (is_old) (void)fchmod(file->descriptor, mode);
    return SB_OK;
}

/* The directory of `target` and its name there. */
static sb_status split_target(sb_out_file *file, const char *target,
                              sb_error *err) {
    const char *slash = strrchr(target, '/');
    if (slash && slash[1] == '\0') {
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s cannot be written: it names a directory that "
                       "does not exist",
                       file->path);
    }
    char *directory = sb_copy_text(slash ? target : ".");
    file->name = sb_copy_text(slash ? slash + 1 : target);
    if (!directory || !file->name) {
        sb_free(directory);
        return sb_no_memory(err, "%.300s cannot be written", file->path);
    }
    if (slash) directory[slash == target ? 1 : slash - target] = '\0';
    file->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int code = errno;
    sb_free(directory);
    if (file->directory >= 0) return SB_OK;
    if (code != ENOENT && code != ENOTDIR)
        return fail_with_errno(file->path, code, err);
    return sb_fail(err, SB_NOT_FOUND,
                   "%.300s cannot be written: its directory does not exist",
                   file->path);
}

static sb_status open_target(sb_out_file *file, sb_error *err) {
    const char *path = file->path;
    if (strcmp(path, "-") == 0) {
        int flags = fcntl(STDOUT_FILENO, F_GETFL);
        bool is_closed = flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
        if (is_closed || isatty(STDOUT_FILENO)) {
            return sb_fail(err, SB_IO_ERROR,
                           "- cannot be written: the standard output is %s; "
                           "send it to a file or a pipe",
                           is_closed ? "closed" : "a terminal");
        }
        return open_nameless(file, err);
    }
    struct stat info;
    bool is_old = stat(path, &info) == 0;
    if (!is_old && errno != ENOENT) return fail_with_errno(path, errno, err);
    if (is_old && S_ISDIR(info.st_mode)) {
        return sb_fail(err, SB_IO_ERROR,
                       "%.300s cannot be written: it is a directory", path);
    }
    if (is_old && access(path, W_OK) != 0) {
        return fail_with_errno(path, errno, err);
    }
    if (is_old && !S_ISREG(info.st_mode)) return open_nameless(file, err);
    if (!is_old && lstat(path, &info) == 0) {
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s cannot be written: it is a link to a file that "
                       "does not exist",
                       path);
    }
    char resolved[PATH_MAX];
    if (is_old && !realpath(path, resolved)) {
        return fail_with_errno(path, errno, err);
    }
    sb_status status = split_target(file, is_old ? resolved : path, err);
    if (status != SB_OK) return status;
    mode_t mode = is_old ? info.st_mode & 0777 : 0666;
    return open_neighbour(file, mode, is_old, err);
}

/* Walk down to the directory that holds `name`, which keeps the last part. No
 * part may be a link: one that comes in later does not move what is open. */
static sb_status open_below(sb_out_file *file, const char *folder,
                            const char *name, sb_error *err) {
    file->directory =
        open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    for (;;) {
        size_t length = strcspn(name, "/");
        char part[NAME_MAX + 1];
        if (file->directory < 0) return fail_with_errno(file->path, errno, err);
        if (length > NAME_MAX || (length < 3 && strspn(name, ".") == length))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%.300s cannot be written: it is not a name in its "
                           "folder",
                           file->path);
        (void)snprintf(part, sizeof part, "%.*s", (int)length, name);
        if (!name[length]) {
            file->name = sb_copy_text(part);
            return file->name ? SB_OK
                              : sb_no_memory(err, "%.300s cannot be written",
                                             file->path);
        }
        int next = openat(file->directory, part,
                          O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int code = errno;
        (void)close(file->directory);
        file->directory = next;
        errno = code;
        name += length + 1;
    }
}

static sb_status open_target_in(sb_out_file *file, const char *folder,
                                const char *name, sb_error *err) {
    struct stat info;
    sb_status status = open_below(file, folder, name, err);
    if (status) return status;
    bool is_old =
        fstatat(file->directory, file->name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_old && !S_ISREG(info.st_mode))
        return sb_fail(err, SB_IO_ERROR, "%.300s cannot be written: it is %s",
                       file->path,
                       S_ISLNK(info.st_mode) ? "a link" : "not a regular file");
    if (is_old && faccessat(file->directory, file->name, W_OK, 0) != 0)
        return fail_with_errno(file->path, errno, err);
    return open_neighbour(file, is_old ? info.st_mode & 0777 : 0666, is_old,
                          err);
}

/* `folder` may be NULL. */
static sb_status create(sb_out_file **out, const char *folder, const char *path,
                        sb_error *err) {
    if (!path || !*path) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a file to write must have a name; this one is empty");
    }
    sb_out_file *file = sb_alloc(1, sizeof *file);
    if (!file) return sb_no_memory(err, "%.300s cannot be written", path);
    file->descriptor = file->directory = -1;
    file->path = sb_copy_text(path);
    sb_status status = !file->path
                           ? sb_no_memory(err, "%.300s cannot be written", path)
                       : folder ? open_target_in(file, folder, path, err)
                                : open_target(file, err);
    if (status != SB_OK) {
        dispose(file);
        return status;
    }
    *out = file;
    return SB_OK;
}

sb_status sb_out_file_create(sb_out_file **out, const char *path,
                             sb_error *err) {
    return create(out, NULL, path, err);
}

sb_status sb_out_file_create_in(sb_out_file **out, const char *folder,
                                const char *name, sb_error *err) {
    return create(out, folder, name, err);
}

int sb_out_file_descriptor(const sb_out_file *file) {
    return file->descriptor;
}

const char *sb_out_file_path(const sb_out_file *file) {
    return file->path;
}

sb_status sb_out_file_write(sb_out_file *file, const void *bytes, size_t count,
                            sb_error *err) {
    if (sb_write_all(file->descriptor, bytes, count)) return SB_OK;
    return fail_with_errno(file->path, errno, err);
}

/* As write_all. A pipe whose reader does not read is waited for until that is
 * no longer wanted: a write that waits could not be stopped. */
static bool write_to_reader(int descriptor, const char *bytes, size_t count) {
    double moved_s = sb_clock_s();
    while (count > 0) {
        struct pollfd one = {.fd = descriptor, .events = POLLOUT};
        if (poll(&one, 1, POLL_MS) <= 0) {
            errno = EINTR;
            if (sb_stop_is_wanted() && sb_clock_s() - moved_s > GIVE_UP_S)
                return false;
            continue;
        }
        /* So many bytes a pipe that is ready takes at once. */
        size_t part = count < PIPE_BUF ? count : PIPE_BUF;
        if (!sb_write_all(descriptor, bytes, part)) return false;
        bytes += part;
        count -= part;
        moved_s = sb_clock_s();
    }
    return true;
}

static bool copy_all(int from, int to) {
    char buffer[65536];
    if (lseek(from, 0, SEEK_SET) != 0) return false;
    for (;;) {
        ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count == 0;
        if (!write_to_reader(to, buffer, (size_t)count)) return false;
    }
}

static bool deliver_copy(sb_out_file *file) {
    if (strcmp(file->path, "-") == 0) {
        return copy_all(file->descriptor, STDOUT_FILENO);
    }
    int to = open(file->path, O_WRONLY | O_CLOEXEC);
    if (to < 0) return false;
    bool ok = copy_all(file->descriptor, to);
    int code = errno;
    if (close(to) != 0 && ok) return false;
    errno = code;
    return ok;
}

static bool deliver_rename(sb_out_file *file) {
    if (fsync(file->descriptor) != 0 && errno != EINVAL) return false;
    int closed = close(file->descriptor);
    file->descriptor = -1;
    if (closed != 0) return false;
    if (renameat(file->directory, file->temporary, file->directory,
                 file->name) != 0) {
        return false;
    }
    file->temporary[0] = '\0'; /* it was renamed: nothing left to unlink */
    /* The file is in place. Some file systems cannot sync a directory, so that
     * a power cut could undo the rename; this is not reported as a failure. */
    int directory =
        openat(file->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
    return true;
}

sb_status sb_out_file_commit(sb_out_file *file, sb_error *err) {
    bool ok = *file->temporary ? deliver_rename(file) : deliver_copy(file);
    sb_status status = ok ? SB_OK : fail_with_errno(file->path, errno, err);
    dispose(file);
    return status;
}

void sb_out_file_abort(sb_out_file *file) {
    if (file) dispose(file);
}

static sb_status put(const char *folder, const char *path, const void *bytes,
                     size_t count, sb_error *err) {
    sb_out_file *file;
    sb_status status = create(&file, folder, path, err);
    if (status) return status;
    status = sb_out_file_write(file, bytes, count, err);
    if (status) {
        sb_out_file_abort(file);
        return status;
    }
    return sb_out_file_commit(file, err);
}

sb_status sb_out_file_put(const char *path, const void *bytes, size_t count,
                          sb_error *err) {
    return put(NULL, path, bytes, count, err);
}

sb_status sb_out_file_put_in(const char *folder, const char *name,
                             const void *bytes, size_t count, sb_error *err) {
    return put(folder, name, bytes, count, err);
}
