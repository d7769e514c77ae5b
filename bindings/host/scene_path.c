#include "bindings/host/scene_path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

sb_status scene_path_check(const char *path, char folder[PATH_MAX],
                           sb_error *err) {
    struct stat info;
    (void)snprintf(folder, PATH_MAX, ".");
    if (!path) return SB_OK;
    if (!*path) return sb_fail(err, SB_NOT_FOUND, "the scene has no name");
    if (stat(path, &info)) {
        return sb_fail(err, SB_NOT_FOUND, "%.300s: there is no such file",
                       path);
    }
    if (S_ISDIR(info.st_mode)) {
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s: is a folder; name the scene in it, as in "
                       "scene.lua",
                       path);
    }
    if (!S_ISREG(info.st_mode)) {
        return sb_fail(err, SB_NOT_FOUND, "%.300s: is not a file", path);
    }
    const char *slash = strrchr(path, '/');
    if (slash) {
        int length = slash == path ? 1 : (int)(slash - path);
        (void)snprintf(folder, PATH_MAX, "%.*s", length, path);
    }
    return SB_OK;
}
