/* The scene's files in the page: read, saved, and watched. A page names files
 * by their names in the scene's folder; what is not a Lua file there, after all
 * links, is refused. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/clock.h"
#include "runtime/base/digest.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    const char *folder = call->studio->folder;
    if (sb_out_file_put_in(folder, path + strlen(folder) + 1, text, count,
                           err)) {
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

/* The text of a lesson goes along with its scene. */
static void copy_text(const studio *self, const char *copy) {
    char from[PATH_MAX], to[256], path[PATH_MAX];
    char *text = NULL;
    size_t count;
    (void)snprintf(from, sizeof from, "%.*s.md", (int)strlen(self->path) - 4,
                   self->path);
    (void)snprintf(to, sizeof to, "%.*s.md", (int)strlen(copy) - 4, copy);
    (void)snprintf(path, sizeof path, "%.3800s/%s", self->copies, to);
    if (access(path, F_OK) == 0 ||
        sb_in_file_read(from, MOST_BYTES, &text, &count, NULL)) {
        return;
    }
    sb_status status = sb_out_file_put_in(self->copies, to, text, count, NULL);
    (void)status;
    sb_free(text);
}

/* What comes with the program stays as it is: the text becomes a new file of the
 * user, which is opened in its place. */
static bool store_copy(studio_call *call, const char *name, const char *text,
                       sb_error *err) {
    studio *self = call->studio;
    const char *slash = strrchr(self->path, '/');
    const char *own = slash ? slash + 1 : self->path;
    char path[PATH_MAX], copy[256], rev[SB_DIGEST_TEXT_SIZE];
    int length = (int)strlen(own) - 4, number = 1;
    if (strcmp(name, own) != 0 || length < 1 || length > 200)
        return studio_fail(call, "refused", err,
                           "%.200s belongs to the program: copy the scene "
                           "first",
                           name);
    do {
        if (number == 1) {
            (void)snprintf(copy, sizeof copy, "%s", own);
        } else {
            (void)snprintf(copy, sizeof copy, "%.*s_%d.lua", length, own,
                           number);
        }
        (void)snprintf(path, sizeof path, "%.3800s/%s", self->copies, copy);
    } while (access(path, F_OK) == 0 && ++number < 1000);
    if (number == 1000)
        return studio_fail(call, "failed", err, "%s has too many copies of %s",
                           self->copies, own);
    if (sb_out_file_put_in(self->copies, copy, text, strlen(text), err)) {
        call->code = "failed";
        return false;
    }
    copy_text(self, copy);
    sb_digest_bytes(text, strlen(text), rev);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"),
                         "script.saved");
    json_text(call->reply, "file", name);
    json_text(call->reply, "rev", rev);
    json_text(call->reply, "copy", path);
    (void)snprintf(self->wanted, sizeof self->wanted, "%s", path);
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
    if (!is_fresh(call, path, name, err)) return false;
    if (call->studio->is_shipped) return store_copy(call, name, text, err);
    return store(call, path, name, text, err);
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

/* Its file may go and come back, with the same content: then nothing is loaded,
 * and what was said of it is no longer true. */
static void look_for_scene(studio *self) {
    bool is_gone = access(self->path, F_OK) != 0;
    char line[PATH_MAX + 80];
    if (is_gone == self->is_gone) return;
    self->is_gone = is_gone;
    if (is_gone) {
        (void)snprintf(line, sizeof line,
                       "%s is gone; a save brings it back, or another program",
                       self->path);
        studio_tell_broken(self, line);
    } else {
        sb_host_request_reload(self->host, false);
    }
}

void studio_watch_files(studio *self) {
    double now_s = sb_clock_s();
    const sb_script *script = sb_host_script(self->host);
    int at = 0;
    if (!*self->path || now_s - self->files_s < WATCH_S) return;
    self->files_s = now_s;
    look_for_scene(self);
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
