#include "runtime/base/self_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sb_self_path(const char *relative, char *out, size_t size) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (!slash) return false;
    *slash = 0;
    int wrote = snprintf(out, size, "%s/%s", self, relative);
    return wrote > 0 && (size_t)wrote < size;
}
