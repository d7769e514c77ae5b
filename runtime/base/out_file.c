/* Writes a temporary file next to the target and renames it over the target at
 * commit. Control thread. */
#include "runtime/base/out_file.h"

#include "runtime/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name collides only with a file left by a dead process with our process
 * id. */
enum { NAME_TRIES = 1000 };

struct sb_out_file {
    char *path;      /* as the caller gave it */
    char *target;    /* of the rename: `path` with symbolic links resolved */
    char *directory; /* that contains the target */
    char *temporary; /* path; NULL when the file has no name */
    int descriptor;  /* of the temporary; -1 when closed */
};

static atomic_uint name_count = 0;

static sb_status fail_with_errno(const char *path, int code, sb_error *err) {
    sb_status status = SB_IO_ERROR;
    if (code == ENOENT || code == ENOTDIR) status = SB_NOT_FOUND;
    if (code == ENOMEM) status = SB_NO_MEMORY;
    /* A long path is truncated so that the reason still fits. */
    return sb_fail(err, status, "%.300s cannot be written: %s", path,
                   strerror(code));
}

static sb_status fail_no_memory(const char *path, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "%.300s cannot be written: out of memory",
                   path);
}

static void dispose(sb_out_file *file) {
    if (file->descriptor >= 0) (void)close(file->descriptor);
    if (file->temporary) (void)unlink(file->temporary);
    sb_free(file->temporary);
    sb_free(file->directory);
    sb_free(file->target);
    sb_free(file->path);
    sb_free(file);
}

static bool write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t done = write(descriptor, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return false;
        bytes += done;
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
    size_t size = strlen(file->directory) + 64;
    char *name = sb_alloc(size, 1);
    if (!name) return fail_no_memory(file->path, err);
    for (int i = 0; i < NAME_TRIES && file->descriptor < 0; i++) {
        /* Not derived from the target's name, which may have the maximum
         * length. */
        (void)snprintf(name, size, "%s/.sandbell-%ld-%u.tmp", file->directory,
                       (long)getpid(), atomic_fetch_add(&name_count, 1));
        file->descriptor =
            open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->descriptor < 0 && errno != EEXIST) break;
    }
    if (file->descriptor < 0) {
        int code = errno;
        sb_free(name);
        if (code != ENOENT && code != ENOTDIR) {
            return fail_with_errno(file->path, code, err);
        }
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s cannot be written: its directory does not exist",
                       file->path);
    }
    file->temporary = name;
    if (is_old) (void)fchmod(file->descriptor, mode);
    return SB_OK;
}

static sb_status split_target(sb_out_file *file, const char *target,
                              sb_error *err) {
    const char *slash = strrchr(target, '/');
    if (slash && slash[1] == '\0') {
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s cannot be written: it names a directory that "
                       "does not exist",
                       file->path);
    }
    file->target = sb_copy_text(target);
    file->directory = sb_copy_text(slash ? target : ".");
    if (!file->target || !file->directory) {
        return fail_no_memory(file->path, err);
    }
    if (slash == target) file->directory[1] = '\0';
    if (slash > target) file->directory[slash - target] = '\0';
    return SB_OK;
}

static sb_status open_target(sb_out_file *file, sb_error *err) {
    const char *path = file->path;
    if (strcmp(path, "-") == 0) {
        if (isatty(STDOUT_FILENO)) {
            return sb_fail(err, SB_IO_ERROR,
                           "- cannot be written: the standard output is a "
                           "terminal; send it to a file or a pipe");
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

sb_status sb_out_file_create(sb_out_file **out, const char *path,
                             sb_error *err) {
    if (!path || !*path) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a file to write must have a name; this one is empty");
    }
    sb_out_file *file = sb_alloc(1, sizeof *file);
    if (!file) return fail_no_memory(path, err);
    file->descriptor = -1;
    file->path = sb_copy_text(path);
    sb_status status =
        file->path ? open_target(file, err) : fail_no_memory(path, err);
    if (status != SB_OK) {
        dispose(file);
        return status;
    }
    *out = file;
    return SB_OK;
}

int sb_out_file_descriptor(const sb_out_file *file) {
    return file->descriptor;
}

const char *sb_out_file_path(const sb_out_file *file) {
    return file->path;
}

sb_status sb_out_file_write(sb_out_file *file, const void *bytes, size_t count,
                            sb_error *err) {
    if (write_all(file->descriptor, bytes, count)) return SB_OK;
    return fail_with_errno(file->path, errno, err);
}

static bool copy_all(int from, int to) {
    char buffer[65536];
    if (lseek(from, 0, SEEK_SET) != 0) return false;
    for (;;) {
        ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count == 0;
        if (!write_all(to, buffer, (size_t)count)) return false;
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
    if (rename(file->temporary, file->target) != 0) return false;
    sb_free(file->temporary); /* it was renamed: nothing left to unlink */
    file->temporary = NULL;
    /* The file is in place. Some file systems cannot sync a directory, so that
     * a power cut could undo the rename; this is not reported as a failure. */
    int directory = open(file->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
    return true;
}

sb_status sb_out_file_commit(sb_out_file *file, sb_error *err) {
    bool ok = file->temporary ? deliver_rename(file) : deliver_copy(file);
    sb_status status = ok ? SB_OK : fail_with_errno(file->path, errno, err);
    dispose(file);
    return status;
}

void sb_out_file_abort(sb_out_file *file) {
    if (file) dispose(file);
}

sb_status sb_out_file_put(const char *path, const void *bytes, size_t count,
                          sb_error *err) {
    sb_out_file *file;
    sb_status status = sb_out_file_create(&file, path, err);
    if (status) return status;
    status = sb_out_file_write(file, bytes, count, err);
    if (status) {
        sb_out_file_abort(file);
        return status;
    }
    return sb_out_file_commit(file, err);
}
