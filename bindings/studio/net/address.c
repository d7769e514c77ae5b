/* Keeps ports and tokens (address.h). */
#include "bindings/studio/net/address.h"

#include "runtime/base/digest.h"
#include "runtime/base/state_path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool find_file(const char *folder, char path[PATH_MAX]) {
    char resolved[PATH_MAX], digest[SB_DIGEST_TEXT_SIZE], name[64];
    if (!realpath(folder, resolved)) return false;
    sb_digest_bytes(resolved, strlen(resolved), digest);
    (void)snprintf(name, sizeof name, "studio-%.32s", digest);
    return sb_state_path(name, path);
}

bool studio_address_read(const char *folder, int *port,
                         char token[STUDIO_TOKEN_SIZE]) {
    char path[PATH_MAX], text[128] = "", read_token[STUDIO_TOKEN_SIZE] = "";
    struct stat info;
    int number = 0;
    if (!find_file(folder, path)) return false;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    bool is_own = fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                  info.st_uid == geteuid() && (info.st_mode & 077) == 0;
    ssize_t count = is_own ? read(file, text, sizeof text - 1) : 0;
    (void)close(file);
    if (count <= 0 || sscanf(text, "%d %64s", &number, read_token) != 2 ||
        number < 1 || number > 65535 ||
        strspn(read_token, "0123456789abcdef") != STUDIO_TOKEN_SIZE - 1) {
        return false;
    }
    *port = number;
    memcpy(token, read_token, STUDIO_TOKEN_SIZE);
    return true;
}

bool studio_address_keep(const char *folder, int port,
                         const char token[STUDIO_TOKEN_SIZE]) {
    char path[PATH_MAX], text[128];
    if (!find_file(folder, path)) return false;
    (void)snprintf(text, sizeof text, "%d %s\n", port, token);
    return sb_state_put(path, text);
}
