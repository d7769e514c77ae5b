/* SPDX-License-Identifier: MIT */
#include "runtime/base/self_path.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *variable;
    const char *from_bin, *from_lib; /* in an installation */
} files[SB_SELF_FILE_COUNT] = {
    [SB_SELF_LIBRARY] = {"SANDBELL_LIBRARY", SANDBELL_DATA_FROM_BIN,
                         SANDBELL_DATA_FROM_LIB},
    [SB_SELF_MESH_READER] = {"SANDBELL_MESH_READER",
                             SANDBELL_LIBEXEC_FROM_BIN "/sandbell-mesh-reader",
                             SANDBELL_LIBEXEC_FROM_LIB "/sandbell-mesh-reader"},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char set[SB_SELF_FILE_COUNT][PATH_MAX]; /* protected by it */

sb_status sb_self_set(sb_self_file which, const char *path, sb_error *err) {
    if (!path) path = "";
    size_t size = strlen(path) + 1;
    if (size > sizeof set[which])
        return sb_fail(err, SB_BAD_ARGUMENT, "a path of %zu bytes is too long",
                       size - 1);
    (void)pthread_mutex_lock(&lock);
    memcpy(set[which], path, size);
    (void)pthread_mutex_unlock(&lock);
    return SB_OK;
}

static bool copy(const char *path, char *out, size_t size) {
    return (size_t)snprintf(out, size, "%s", path) < size;
}

/* `relative` as seen from the folder of `file`. */
static bool beside(const char *file, const char *relative, char *out,
                   size_t size) {
    const char *slash = strrchr(file, '/');
    if (!slash) return false;
    int wrote =
        snprintf(out, size, "%.*s/%s", (int)(slash - file), file, relative);
    return wrote > 0 && (size_t)wrote < size;
}

static bool find_program(char file[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", file, PATH_MAX - 1);
    file[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* The file that this code is mapped from. dladdr would give the name by which
 * it was loaded, which may be relative to a folder that was current then. */
static bool find_own(char file[PATH_MAX]) {
    char line[PATH_MAX + 100];
    bool is_found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return false;
    while (!is_found && fgets(line, sizeof line, maps)) {
        uintptr_t from, to, here = (uintptr_t)files;
        const char *path = strchr(line, '/');
        if (!path || sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2)
            continue;
        is_found = from <= here && here < to;
        if (is_found)
            (void)snprintf(file, PATH_MAX, "%.*s", (int)strcspn(path, "\n"),
                           path);
    }
    (void)fclose(maps);
    return is_found;
}

static bool find_beside(sb_self_file which, char *out, size_t size) {
    char own[PATH_MAX], program[PATH_MAX];
    const char *from_bin = files[which].from_bin;
    if (find_own(own)) {
        if (beside(own, files[which].from_lib, out, size) && !access(out, F_OK))
            return true;
        if (beside(own, from_bin, out, size) && !access(out, F_OK)) return true;
    }
    return find_program(program) && beside(program, from_bin, out, size);
}

bool sb_self_find(sb_self_file which, char *out, size_t size) {
    const char *wish = getenv(files[which].variable);
    (void)pthread_mutex_lock(&lock);
    bool is_set = *set[which], is_well = is_set && copy(set[which], out, size);
    (void)pthread_mutex_unlock(&lock);
    if (is_set) return is_well;
    if (wish && *wish) return copy(wish, out, size);
    return find_beside(which, out, size);
}

bool sb_self_path(const char *relative, char *out, size_t size) {
    char program[PATH_MAX];
    return find_program(program) && beside(program, relative, out, size);
}

/* --- what outlives a run --------------------------------------------------*/

bool sb_state_path(const char *name, char path[PATH_MAX]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;
    if (state && *state == '/') {
        length = snprintf(path, PATH_MAX, "%s/sandbell/%s", state, name);
    } else if (home && *home == '/') {
        length =
            snprintf(path, PATH_MAX, "%s/.local/state/sandbell/%s", home, name);
    } else {
        return false;
    }
    if (length < 0 || length >= PATH_MAX) return false;
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        /* It may already exist; open reports other errors. */
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    return true;
}

bool sb_state_put(const char *path, const char *text) {
    /* One that others might have opened is not written to. */
    (void)unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    ssize_t length = (ssize_t)strlen(text);
    bool is_put = write(file, text, (size_t)length) == length;
    return close(file) == 0 && is_put;
}
