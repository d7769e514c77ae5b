/* Finds files that outlive a run (state_path.h). */
#include "runtime/base/state_path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
