/* Splits text files into lines, words and numbers. Runs in the reader
 * process. */
#include "runtime/model/mesh/reader/text.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/reader/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

sb_status sb_text_open(sb_text *text, const char *mesh_path, const char *path,
                       sb_error *err) {
    char *bytes = NULL;
    size_t size = 0;
    switch (sb_folder_read(mesh_path, path, &bytes, &size)) {
    case SB_FOLDER_OK:
        *text = (sb_text){bytes, bytes, bytes + size, "", 0, ""};
        if (strcmp(path, mesh_path) != 0) {
            (void)snprintf(text->where, sizeof text->where, " of %.80s",
                           name_of(path));
        }
        return SB_OK;
    case SB_FOLDER_NO_MEMORY:
        return sb_fail(err, SB_NO_MEMORY, "%.80s is too large to be read",
                       name_of(path));
    case SB_FOLDER_OUTSIDE:
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.80s is a link out of the mesh's folder",
                       name_of(path));
    case SB_FOLDER_MISSING:
    default:
        return sb_fail(err, SB_NOT_FOUND,
                       "it needs %.80s beside it, which cannot be read",
                       name_of(path));
    }
}

void sb_text_close(sb_text *text) {
    sb_free(text->bytes);
    *text = (sb_text){0};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static void skip_spaces(sb_text *text) {
    while (is_space(*text->at)) {
        text->at++;
    }
}

bool sb_text_line(sb_text *text) {
    while (text->next < text->end) {
        char *start = text->bytes + (text->next - text->bytes);
        char *stop = memchr(start, '\n', (size_t)(text->end - start));
        if (!stop) stop = text->bytes + (text->end - text->bytes);
        text->next = stop < text->end ? stop + 1 : stop;
        *stop = 0; /* the byte after the file is writable and zero */
        char *comment = strchr(start, '#');
        if (comment) *comment = 0;
        text->at = start;
        text->line++;
        skip_spaces(text);
        if (*text->at) return true;
    }
    text->at = "";
    return false;
}

/* A number ends where a word does. */
static bool take(sb_text *text, const char *stop) {
    if (stop == text->at || (*stop && !is_space(*stop))) return false;
    text->at = stop;
    skip_spaces(text);
    return true;
}

bool sb_text_int(sb_text *text, long long *value) {
    char *stop = NULL;
    long long number = strtoll(text->at, &stop, 10);
    if (!take(text, stop)) return false;
    *value = number;
    return true;
}

bool sb_text_double(sb_text *text, double *value) {
    char *stop = NULL;
    double number = strtod(text->at, &stop);
    if (!take(text, stop)) return false;
    *value = number;
    return true;
}

bool sb_text_is(const sb_text *text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(text->at, word, length) != 0) return false;
    const char *rest = text->at + length;
    while (is_space(*rest)) {
        rest++;
    }
    return !*rest;
}

sb_status sb_text_fail(const sb_text *text, sb_error *err, const char *what) {
    if (!*text->at) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "line %d%s: %s, and the %s ends here", text->line,
                       text->where, what,
                       text->next < text->end ? "line" : "file");
    }
    return sb_fail(err, SB_BAD_FORMAT, "line %d%s: %s, not \"%.40s\"",
                   text->line, text->where, what, text->at);
}
