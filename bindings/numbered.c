#include "bindings/numbered.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a pattern: before, %0<width>d, after. */
typedef struct parts {
    size_t before; /* bytes */
    int width;     /* 0: no leading zeros */
    const char *after;
} parts;

static bool take_apart(const char *pattern, parts *out) {
    const char *at = strchr(pattern, '%');
    if (!at || strchr(at, '/')) return false;
    out->before = (size_t)(at - pattern);
    out->width = 0;
    at++;
    if (*at == '0' && at[1] >= '1' && at[1] <= '9') {
        out->width = at[1] - '0';
        at += 2;
    }
    out->after = at + 1;
    return *at == 'd' && !strchr(out->after, '%');
}

bool numbered_is_pattern(const char *pattern) {
    parts p;
    return take_apart(pattern, &p);
}

void numbered_name(const char *pattern, int number, char *out, size_t size) {
    parts p;
    out[0] = '\0';
    if (!take_apart(pattern, &p)) return;
    (void)snprintf(out, size, "%.*s%0*d%s", (int)p.before, pattern, p.width,
                   number, p.after);
}

/* The number in a file name that matches the pattern's last part, or -1. */
static int number_in(const char *name, const char *before, size_t length,
                     const char *after) {
    size_t tail = strlen(after), all = strlen(name);
    if (all <= length + tail || all - length - tail > 9) return -1;
    if (strncmp(name, before, length) != 0) return -1;
    if (strcmp(name + all - tail, after) != 0) return -1;
    for (size_t i = length; i < all - tail; i++) {
        if (!isdigit((unsigned char)name[i])) return -1;
    }
    return atoi(name + length);
}

int numbered_beyond(const char *pattern, const char *sibling, int missing) {
    parts p;
    char folder[PATH_MAX];
    if (!take_apart(pattern, &p)) return -1;
    const char *before = pattern;
    for (size_t i = 0; i < p.before; i++) {
        if (pattern[i] == '/') before = pattern + i + 1;
    }
    size_t length = p.before - (size_t)(before - pattern);
    (void)snprintf(folder, sizeof folder, "%s", sibling);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    DIR *entries = opendir(slash ? folder : ".");
    if (!entries) return -1;
    int lowest = -1;
    for (const struct dirent *e = readdir(entries); e; e = readdir(entries)) {
        int number = number_in(e->d_name, before, length, p.after);
        if (number > missing && (lowest < 0 || number < lowest))
            lowest = number;
    }
    (void)closedir(entries);
    return lowest;
}
