/* SPDX-License-Identifier: MIT */
/* Checks hosts, origins and tokens, and keeps ports and tokens. Thread: any. */
#include "bindings/studio/net/net_guard.h"

#include "runtime/base/digest.h"
#include "runtime/base/self_path.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

bool studio_token_make(char token[STUDIO_TOKEN_SIZE]) {
    unsigned char bytes[(STUDIO_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool is_token(const char *token, const char *given, size_t length) {
    if (strlen(token) != STUDIO_TOKEN_SIZE - 1) return false;
    unsigned different = length != STUDIO_TOKEN_SIZE - 1;
    for (size_t i = 0; i + 1 < STUDIO_TOKEN_SIZE; i++) {
        unsigned char other = i < length ? (unsigned char)given[i] : 0;
        different |= (unsigned)((unsigned char)token[i] ^ other);
    }
    return different == 0;
}

bool studio_token_is(const char *token, const char *given) {
    return given && is_token(token, given, strlen(given));
}

bool studio_host_is_loopback(const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    if (!host) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) != 0) continue;
        const char *port = host + length;
        if (!*port) return true;
        size_t digits = strspn(port + 1, "0123456789");
        return *port == ':' && digits > 0 && digits < 6 && !port[1 + digits];
    }
    return false;
}

bool studio_origin_is_own(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    if (!origin || !*origin) return true;
    return host && strncasecmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool studio_bearer_is(const char *token, const char *authorization) {
    static const char word[] = "Bearer ";
    if (!authorization ||
        strncasecmp(authorization, word, sizeof word - 1) != 0) {
        return false;
    }
    return studio_token_is(token, authorization + sizeof word - 1);
}

bool studio_protocols_are(const char *token, const char *protocols) {
    static const char name[] = "sandbell.v1", mark[] = "token.";
    bool has_name = false, has_token = false;
    while (protocols && *protocols) {
        protocols += strspn(protocols, " \t,");
        size_t length = strcspn(protocols, " \t,");
        if (length == sizeof name - 1 &&
            strncmp(protocols, name, length) == 0) {
            has_name = true;
        } else if (length > sizeof mark - 1 &&
                   strncmp(protocols, mark, sizeof mark - 1) == 0) {
            has_token |= is_token(token, protocols + sizeof mark - 1,
                                  length - (sizeof mark - 1));
        }
        protocols += length;
    }
    return has_name && has_token;
}

/* --- the address that pages of a folder know ----------------------------------- */

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
