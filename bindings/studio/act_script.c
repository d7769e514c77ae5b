/* The scene's files in the page: read, saved, and watched. A page names files
 * by their names in the scene's folder; what is not a Lua file there, after all
 * links, is refused. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/clock.h"
#include "runtime/base/digest.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WATCH_S 0.3
enum { MOST_BYTES = 1 << 20, MOST_WATCHED_BYTES = 64 << 20 };

/* --- files ----------------------------------------------------------------------- */

static bool find_file(studio_call *call, char path[PATH_MAX], const char **name,
                      sb_error *err) {
    const studio *self = call->studio;
    if (!self->host || !*self->path)
        return studio_fail(call, "no_scene", err, "no file is open");
    if (!read_text(call->json, "file", name, err)) return false;
    const char *slash = strrchr(self->path, '/');
    if (!*name) *name = slash ? slash + 1 : self->path;
    size_t length = strlen(*name);
    if (**name == '/' || length < 5 ||
        strcmp(*name + length - 4, ".lua") != 0 ||
        !studio_resolve(self->folder, *name, path) ||
        strcmp(path + strlen(path) - 4, ".lua") != 0) {
        return studio_fail(call, "refused", err,
                           "%.200s is not a Lua file in the scene's folder",
                           *name);
    }
    return true;
}

/* The content, which the caller frees, or NULL. */
static char *read_whole_file(const char *path, size_t *count) {
    char *text = NULL;
    sb_status status = sb_in_file_read(path, MOST_BYTES, &text, count, NULL);
    return status ? NULL : text;
}

/* cJSON passes bytes on; pages need valid text. */
static bool is_utf8(const char *text, size_t count) {
    int length = 1;
    size_t at = 0;
    for (; length > 0 && at < count; at += (size_t)length)
        length = sb_utf8_length(text + at);
    return length > 0 && at == count;
}

bool studio_do_get(studio_call *call, sb_error *err) {
    char path[PATH_MAX], rev[SB_DIGEST_TEXT_SIZE];
    const char *name;
    size_t count;
    if (!find_file(call, path, &name, err)) return false;
    char *text = read_whole_file(path, &count);
    if (!text)
        return studio_fail(call, "failed", err,
                           "%.200s cannot be read, or has more than 1 MB",
                           name);
    if (!is_utf8(text, count)) {
        sb_free(text);
        return studio_fail(call, "failed", err, "%.200s is not text in UTF-8",
                           name);
    }
    text[count] = '\0';
    sb_digest_bytes(text, count, rev);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "script");
    json_text(call->reply, "file", name);
    json_text(call->reply, "text", text);
    json_text(call->reply, "rev", rev);
    sb_free(text);
    return true;
}

/* --- saving ------------------------------------------------------------------------ */

/* Has the file on the disk the content that the page has seen? */
static bool is_fresh(studio_call *call, const char *path, const char *name,
                     sb_error *err) {
    char now[SB_DIGEST_TEXT_SIZE];
    const char *rev;
    bool is_forced = false;
    if (!read_text(call->json, "rev", &rev, err) ||
        !read_bool(call->json, "force", &is_forced, NULL, err)) {
        return false;
    }
    if (is_forced) return true;
    if (sb_digest_file(path, MOST_BYTES, now, err) == SB_OK && rev &&
        strcmp(rev, now) == 0) {
        return true;
    }
    return studio_fail(call, "stale", err,
                       "%.200s has been changed by another program since it "
                       "was read",
                       name);
}

/* Pages are told at the next look, even if another program has put the file
 * back by then: the page that stored it shows what it stored. */
static void note_stored(studio *self, const char *name, const char *rev) {
    for (int i = 0; i < STUDIO_FILES; i++) {
        studio_watched *file = &self->files[i];
        if (strcmp(file->name, name) != 0) continue;
        (void)snprintf(file->rev, sizeof file->rev, "%s", rev);
        file->is_stored = true;
    }
}

static bool store(studio_call *call, const char *path, const char *name,
                  const char *text, sb_error *err) {
    char rev[SB_DIGEST_TEXT_SIZE];
    size_t count = strlen(text);
    if (count > MOST_BYTES)
        return studio_fail(call, "failed", err, "more than 1 MB");
    if (sb_out_file_put(path, text, count, err)) {
        call->code = "failed";
        return false;
    }
    sb_digest_bytes(text, count, rev);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"),
                         "script.saved");
    json_text(call->reply, "file", name);
    json_text(call->reply, "rev", rev);
    note_stored(call->studio, name, rev);
    return true;
}

bool studio_do_put(studio_call *call, sb_error *err) {
    char path[PATH_MAX];
    const char *name, *text;
    if (!find_file(call, path, &name, err) ||
        !read_text(call->json, "text", &text, err)) {
        return false;
    }
    if (!text) return studio_fail(call, "bad_field", err, "text is missing");
    return is_fresh(call, path, name, err) &&
           store(call, path, name, text, err);
}

/* --- one literal --------------------------------------------------------------------- */

/* A number, or a string without escapes. */
static bool is_literal(const char *text) {
    size_t length = strlen(text);
    char *end;
    if (length == 0 || length > 100) return false;
    if (text[0] == '"')
        return length >= 2 && text[length - 1] == '"' &&
               strcspn(text + 1, "\"\\\n\r") == length - 2;
    if (!isdigit((unsigned char)text[0]) && text[0] != '-' && text[0] != '.')
        return false;
    (void)strtod(text, &end);
    return *end == '\0' &&
           strspn(text, "0123456789.eE+-xXabcdefABCDEF") == length;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The only place of `from` between `line` and `end` as a word of its own. */
static const char *find_literal(const char *line, const char *end,
                                const char *from) {
    size_t length = strlen(from);
    const char *found = NULL;
    for (const char *p = line; p + length <= end; p++) {
        if (strncmp(p, from, length) != 0 ||
            (p > line && is_word(p[-1]) && is_word(*p)) ||
            (p + length < end && is_word(p[length]) &&
             is_word(p[length - 1]))) {
            continue;
        }
        if (found) return NULL;
        found = p;
    }
    return found;
}

static const char *find_line(const char *text, long long number) {
    while (number > 1 && text) {
        text = strchr(text, '\n');
        if (text) text++;
        number--;
    }
    return text;
}

static bool replace(studio_call *call, const char *path, const char *name,
                    char *text, sb_error *err) {
    const char *from, *to;
    long long number = 0;
    if (!read_text(call->json, "from", &from, err) ||
        !read_text(call->json, "to", &to, err) ||
        !read_whole(call->json, "line", 1, 1e6, &number, err)) {
        return false;
    }
    if (!from || !to || !is_literal(from) || !is_literal(to))
        return studio_fail(call, "bad_field", err,
                           "from and to must be numbers, or strings in quotes "
                           "without escapes");
    const char *line = find_line(text, number ? number : 1);
    const char *end = line ? line + strcspn(line, "\n") : NULL;
    const char *at = line ? find_literal(line, end, from) : NULL;
    if (!at)
        return studio_fail(call, "failed", err,
                           "%.200s:%lld: %s must be there exactly once", name,
                           number, from);
    size_t size = strlen(text) + strlen(to) + 1;
    char *changed = sb_alloc(size, 1);
    if (!changed) return studio_fail(call, "failed", err, "out of memory");
    (void)snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to,
                   at + strlen(from));
    bool is_stored = store(call, path, name, changed, err);
    sb_free(changed);
    return is_stored;
}

bool studio_do_write(studio_call *call, sb_error *err) {
    char path[PATH_MAX];
    const char *name;
    size_t count;
    if (!find_file(call, path, &name, err) ||
        !is_fresh(call, path, name, err)) {
        return false;
    }
    char *text = read_whole_file(path, &count);
    if (!text)
        return studio_fail(call, "failed", err, "%.200s cannot be read", name);
    text[count] = '\0';
    bool is_done = replace(call, path, name, text, err);
    sb_free(text);
    return is_done;
}

/* --- other editors -------------------------------------------------------------------- */

static void tell_changed(studio *self, const char *name, const char *rev) {
    cJSON *json = studio_message("script.changed");
    json_text(json, "file", name);
    json_text(json, "rev", rev);
    studio_send_all(self, MAIL_MUST, 0, json);
}

/* Look at one of the scene's files, by its name in the folder. */
static void look_at(studio *self, studio_watched *file, const char *path,
                    const char *name) {
    char rev[SB_DIGEST_TEXT_SIZE];
    struct stat info;
    if (strcmp(file->name, name) != 0) {
        *file = (studio_watched){0};
        (void)snprintf(file->name, sizeof file->name, "%s", name);
    }
    if (stat(path, &info)) return;
    double changed =
        (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
    if (changed == file->changed) return;
    file->changed = changed;
    if (sb_digest_file(path, MOST_WATCHED_BYTES, rev, NULL)) return;
    bool is_first = !*file->rev;
    bool is_new = strcmp(rev, file->rev) != 0 || file->is_stored;
    file->is_stored = false;
    memcpy(file->rev, rev, sizeof rev);
    if (is_new && !is_first) tell_changed(self, name, rev);
}

void studio_watch_files(studio *self) {
    double now_s = sb_clock_s();
    const sb_script *script = sb_host_script(self->host);
    int at = 0;
    if (!*self->path || now_s - self->files_s < WATCH_S) return;
    self->files_s = now_s;
    for (int i = 0; i < script_file_count(script) && at < STUDIO_FILES; i++) {
        char path[PATH_MAX];
        if (!studio_own_file(self, script_file(script, i), path)) continue;
        look_at(self, &self->files[at++], path,
                path + strlen(self->folder) + 1);
    }
}

bool studio_own_file(const studio *self, const char *path,
                     char resolved[PATH_MAX]) {
    size_t length = strlen(self->folder);
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".lua") == 0 && realpath(path, resolved) &&
           strncmp(resolved, self->folder, length) == 0 &&
           resolved[length] == '/' && strlen(resolved + length + 1) < 200;
}
