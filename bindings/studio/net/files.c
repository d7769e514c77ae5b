/* SPDX-License-Identifier: MIT */
/* Finds and reads served files. Thread: any. */
#include "bindings/studio/net/net_internal.h"

#include "runtime/base/in_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool add_root(studio_files *files, const char *prefix,
                     const char *folder) {
    files->roots[files->count].prefix = prefix;
    if (!realpath(folder, files->roots[files->count].folder)) return false;
    files->count++;
    return true;
}

sb_status studio_files_find(studio_files *files, const char *library,
                            sb_error *err) {
    char folder[PATH_MAX];
    *files = (studio_files){0};
    (void)snprintf(folder, sizeof folder, "%s/bindings/studio/page", library);
    if (!add_root(files, "/page/", folder))
        return sb_fail(err, SB_NOT_FOUND,
                       "%.300s: the page of the studio is missing there; "
                       "install it with the program",
                       folder);
    if (!add_root(files, "/lib/three/", "/usr/share/javascript/three"))
        return sb_fail(err, SB_NOT_FOUND,
                       "/usr/share/javascript/three is missing; on Debian: "
                       "apt-get install libjs-three");
    if (!add_root(files, "/lib/codemirror/",
                  "/usr/share/javascript/codemirror"))
        return sb_fail(err, SB_NOT_FOUND,
                       "/usr/share/javascript/codemirror is missing; on "
                       "Debian: apt-get install libjs-codemirror");
    /* Formulas of lessons; without it the browser draws them as it can. */
    files->has_font =
        add_root(files, "/lib/font/", "/usr/share/fonts/truetype/dejavu") &&
        access("/usr/share/fonts/truetype/dejavu/"
               "DejaVuMathTeXGyre.ttf",
               R_OK) == 0;
    /* An installation may come without the pictures of the gallery. */
    (void)snprintf(folder, sizeof folder, "%s/scripts/pictures", library);
    (void)add_root(files, "/pictures/", folder);
    return SB_OK;
}

static const char *type_of(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".ttf", "font/ttf"},
        {".md", "text/markdown; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0) return types[i][1];
    return "application/octet-stream";
}

static letter *read_all(int descriptor, size_t size) {
    letter *content = letter_make(size, true);
    size_t used = 0;
    while (content && used < size) {
        ssize_t got = read(descriptor, content->bytes + used, size - used);
        if (got <= 0) break;
        used += (size_t)got;
    }
    if (content && used < size) {
        letter_drop(content);
        return NULL;
    }
    return content;
}

static bool read_file(const char *path, const char *known, net_reply *out) {
    struct stat info;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return false;
    bool is_read = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
                   info.st_size < (64 << 20);
    if (is_read) {
        (void)snprintf(out->etag, sizeof out->etag, "\"%llx-%llx-%lx\"",
                       (unsigned long long)info.st_size,
                       (unsigned long long)info.st_mtim.tv_sec,
                       (unsigned long)info.st_mtim.tv_nsec);
        out->type = type_of(path);
        out->status = 304;
        if (strcmp(known, out->etag) != 0) {
            out->status = 200;
            out->body = read_all(descriptor, (size_t)info.st_size);
            is_read = out->body != NULL;
        }
    }
    (void)close(descriptor);
    return is_read;
}

bool studio_file_read(const studio_files *files, const char *address,
                      const char *known, net_reply *out) {
    char path[PATH_MAX];
    if (strcmp(address, "/") == 0) address = "/page/index.html";
    for (int i = 0; i < files->count; i++) {
        const char *prefix = files->roots[i].prefix;
        size_t length = strlen(prefix);
        if (strncmp(address, prefix, length) != 0) continue;
        return sb_in_file_resolve(files->roots[i].folder, address + length,
                                  path) &&
               read_file(path, known, out);
    }
    return false;
}
