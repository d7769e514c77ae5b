#include "runtime/model/mesh/reader/folder.h"

#include "runtime/base/memory.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const off_t largest_bytes = (off_t)1 << 29;

static bool is_inside(const char *mesh_path, const char *path) {
    char mesh[PATH_MAX], folder[PATH_MAX], file[PATH_MAX];
    size_t size = strlen(mesh_path) + 1;
    if (size > sizeof mesh) return false;
    memcpy(mesh, mesh_path, size);
    char *slash = strrchr(mesh, '/');
    if (slash) slash[1] = 0;
    if (!realpath(slash ? mesh : ".", folder) || !realpath(path, file)) {
        return false;
    }
    size_t length = strlen(folder);
    if (length == 1) return true; /* the mesh is in the root directory */
    return !strncmp(file, folder, length) && file[length] == '/';
}

static sb_folder_answer read_all(int descriptor, size_t size, char **bytes) {
    char *block = sb_alloc(size + 1, 1);
    if (!block) return SB_FOLDER_NO_MEMORY;
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(descriptor, block + have, size - have);
        if (got <= 0) break;
        have += (size_t)got;
    }
    if (have < size) {
        sb_free(block);
        return SB_FOLDER_MISSING;
    }
    *bytes = block;
    return SB_FOLDER_OK;
}

sb_folder_answer sb_folder_read(const char *mesh_path, const char *path,
                                char **bytes, size_t *size) {
    if (access(path, R_OK) != 0) return SB_FOLDER_MISSING;
    if (strcmp(mesh_path, path) != 0 && !is_inside(mesh_path, path)) {
        return SB_FOLDER_OUTSIDE;
    }
    /* O_NONBLOCK: opening a named pipe must not wait for its other end. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return SB_FOLDER_MISSING;
    struct stat facts;
    sb_folder_answer answer = SB_FOLDER_OUTSIDE;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        answer = facts.st_size > largest_bytes
                     ? SB_FOLDER_NO_MEMORY
                     : read_all(descriptor, (size_t)facts.st_size, bytes);
    }
    (void)close(descriptor);
    if (answer == SB_FOLDER_OK) *size = (size_t)facts.st_size;
    return answer;
}
