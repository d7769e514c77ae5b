/* SPDX-License-Identifier: MIT */
/* Which scene runs, how its time goes, the console, and the scene's files: read,
 * saved, and watched. A hand names files by their names in the scene's folder;
 * what is not a Lua file there, after all links, is refused. Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/clock.h"
#include "runtime/base/digest.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/utf8.h"
#include "runtime/engine/engine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WATCH_S 0.3
enum { MOST_BYTES = 1 << 20, MOST_WATCHED_BYTES = 64 << 20 };

/* --- where it is ---------------------------------------------------------------- */

const char *session_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_lua(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

const char *session_save_folder(const session *self) {
    return self->place.is_shipped ? self->place.copies : self->place.folder;
}

static void find_folder(session_place *place) {
    char path[PATH_MAX], scripts[PATH_MAX], shipped[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s", place->path);
    char *slash = strrchr(path, '/');
    if (slash) {
        slash[slash == path] = '\0';
    } else {
        (void)snprintf(path, sizeof path, ".");
    }
    if (!realpath(path, place->folder)) place->folder[0] = '\0';
    (void)snprintf(scripts, sizeof scripts, "%.4000s/scripts", place->library);
    size_t length = realpath(scripts, shipped) ? strlen(shipped) : 0;
    place->is_shipped =
        length > 0 && strncmp(place->folder, shipped, length) == 0 &&
        (place->folder[length] == '/' || place->folder[length] == '\0');
}

void session_find_place(session *self, const char *path, bool is_gallery) {
    session_place *place = &self->place;
    (void)snprintf(place->path, sizeof place->path, "%s", path ? path : "");
    place->folder[0] = '\0';
    place->is_shipped = place->is_gone = false;
    place->is_gallery = is_gallery;
    memset(self->files.watched, 0, sizeof self->files.watched);
    if (path) find_folder(place);
}

bool session_own_file(const session *self, const char *path,
                      char resolved[PATH_MAX]) {
    size_t length = strlen(self->place.folder);
    return is_lua(path) && realpath(path, resolved) &&
           strncmp(resolved, self->place.folder, length) == 0 &&
           resolved[length] == '/' && strlen(resolved + length + 1) < 200;
}

/* --- which scene, and its time --------------------------------------------------- */

bool session_do_open(session_call *call, sb_error *err) {
    session_place *place = &call->session->place;
    const char *file;
    char folder[PATH_MAX], path[PATH_MAX];
    if (!read_text(call->json, "file", &file, err)) return false;
    if (!file) {
        place->wants_gallery = true;
        place->wanted[0] = '\0';
        return true;
    }
    (void)snprintf(folder, sizeof folder, "%.4000s/scripts", place->library);
    /* One of the gallery, and nothing else: hands name no other files. */
    const char *name = strncmp(file, "scripts/", 8) == 0 ? file + 8 : "";
    bool is_lesson = strncmp(name, "lessons/", 8) == 0;
    if (!*name || strchr(is_lesson ? name + 8 : name, '/') ||
        !sb_in_file_resolve(folder, name, path) || !is_lua(path)) {
        return session_fail(call, "refused", err,
                            "file must be one of the gallery");
    }
    (void)snprintf(place->wanted, sizeof place->wanted, "%s", path);
    return true;
}

bool session_do_watch(session_call *call, sb_error *err) {
    long long number = 0;
    if (!read_whole(call->json, "body", 0, UINT32_MAX, &number, err))
        return false;
    call->hand->watch = (uint32_t)number;
    return true;
}

bool session_do_trace(session_call *call, sb_error *err) {
    bool is_on = true;
    if (!read_bool(call->json, "on", &is_on, NULL, err)) return false;
    call->session->trace.is_wanted = is_on;
    return true;
}

bool session_do_eval(session_call *call, sb_error *err) {
    const char *text;
    char *result = NULL;
    bool is_incomplete = false;
    sb_error reason = {0};
    if (!read_text(call->json, "text", &text, err)) return false;
    if (!text) return session_fail(call, "bad_field", err, "text is missing");
    char *line = NULL;
    if (*text == '=') { /* like the prompt */
        size_t size = strlen(text) + 16;
        line = sb_alloc(size, 1);
        if (line) (void)snprintf(line, size, "return %s", text + 1);
    }
    script_set_now(sb_host_script(call->session->host), call->time_s);
    sb_status status = sb_host_evaluate(call->session->host, line ? line : text,
                                        &result, &is_incomplete, &reason);
    session_reply_as(call, "eval.result");
    json_bool(call->reply, "ok", !status);
    json_text(call->reply, "text",
              status ? reason.message : (result ? result : ""));
    json_bool(call->reply, "incomplete", status && is_incomplete);
    sb_free(result);
    sb_free(line);
    return true;
}

bool session_do_transport(session_call *call, sb_error *err) {
    session *self = call->session;
    const char *action;
    if (!read_text(call->json, "action", &action, err)) return false;
    sb_engine *engine = sb_host_engine(self->host);
    if (!action) action = "";
    bool is_reset = strcmp(action, "reset") == 0;
    if (is_reset || strcmp(action, "reload") == 0) {
        self->clock.is_resetting = is_reset;
        sb_host_request_reload(self->host, is_reset);
        if (is_reset) self->is_touched = false;
        return true;
    }
    int64_t until = sb_engine_clock(engine);
    if (strcmp(action, "play") == 0) {
        until = INT64_MAX;
    } else if (strcmp(action, "step") == 0) {
        until += (int64_t)(0.01 * sb_engine_sample_rate(engine));
    } else if (strcmp(action, "pause") != 0) {
        return session_fail(call, "bad_field", err,
                            "action must be play, pause, step, reload or "
                            "reset");
    }
    sb_engine_hold(engine, until);
    self->clock.is_paused = until != INT64_MAX;
    cJSON *json = session_message("transport");
    json_bool(json, "paused", self->clock.is_paused);
    json_number(json, "time", self->clock.now_s);
    session_say_all(self, json);
    return true;
}

/* --- files ----------------------------------------------------------------------- */

/* What hands are told of a file: its name, and the digest of its content. */
static void add_file(cJSON *json, const char *name, const char *rev) {
    json_text(json, "file", name);
    json_text(json, "rev", rev);
}

static bool find_file(session_call *call, char path[PATH_MAX],
                      const char **name, sb_error *err) {
    const session_place *place = &call->session->place;
    if (!call->session->host || !*place->path)
        return session_fail(call, "no_scene", err, "no file is open");
    if (!read_text(call->json, "file", name, err)) return false;
    if (!*name) *name = session_file_name(place->path);
    if (**name == '/' || strlen(*name) < 5 || !is_lua(*name) ||
        !sb_in_file_resolve(place->folder, *name, path) || !is_lua(path)) {
        return session_fail(call, "refused", err,
                            "%.200s is not a Lua file in the scene's folder",
                            *name);
    }
    return true;
}

/* cJSON passes bytes on; hands need valid text. */
static bool is_utf8(const char *text, size_t count) {
    int length = 1;
    size_t at = 0;
    for (; length > 0 && at < count; at += (size_t)length)
        length = sb_utf8_length(text + at);
    return length > 0 && at == count;
}

bool session_do_get(session_call *call, sb_error *err) {
    char path[PATH_MAX], rev[SB_DIGEST_TEXT_SIZE], *text;
    const char *name;
    size_t count;
    if (!find_file(call, path, &name, err)) return false;
    if (sb_in_file_read(path, MOST_BYTES, &text, &count, NULL))
        return session_fail(call, "failed", err,
                            "%.200s cannot be read, or has more than 1 MB",
                            name);
    bool is_text = is_utf8(text, count);
    if (is_text) {
        sb_digest_bytes(text, count, rev);
        session_reply_as(call, "script");
        add_file(call->reply, name, rev);
        json_text(call->reply, "text", text);
    }
    sb_free(text);
    return is_text || session_fail(call, "failed", err,
                                   "%.200s is not text in UTF-8", name);
}

/* --- saving ------------------------------------------------------------------------ */

/* Has the file on the disk the content that the hand has seen? */
static bool is_fresh(session_call *call, const char *path, const char *name,
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
    return session_fail(call, "stale", err,
                        "%.200s has been changed by another program since it "
                        "was read",
                        name);
}

/* Write the text to a file of this folder, and reply. */
static bool store(session_call *call, const char *folder, const char *file,
                  const char *name, const char *text, sb_error *err) {
    char rev[SB_DIGEST_TEXT_SIZE];
    size_t count = strlen(text);
    if (!session_call_done(call,
                           sb_out_file_put_in(folder, file, text, count, err)))
        return false;
    sb_digest_bytes(text, count, rev);
    session_reply_as(call, "script.saved");
    add_file(call->reply, name, rev);
    /* Hands are told at the next look, even if another program has put the file
     * back by then: the one that stored it shows what it stored. */
    for (int i = 0; i < SESSION_FILES; i++) {
        session_watched *watched = &call->session->files.watched[i];
        if (call->session->place.is_shipped || strcmp(watched->name, name) != 0)
            continue;
        (void)snprintf(watched->rev, sizeof watched->rev, "%s", rev);
        watched->is_stored = true;
    }
    return true;
}

/* The text of a lesson goes along with its scene. */
static void copy_text(const session_place *place, const char *copy) {
    char from[PATH_MAX], to[256], path[PATH_MAX];
    char *text = NULL;
    size_t count;
    (void)snprintf(from, sizeof from, "%.*s.md", (int)strlen(place->path) - 4,
                   place->path);
    (void)snprintf(to, sizeof to, "%.*s.md", (int)strlen(copy) - 4, copy);
    (void)snprintf(path, sizeof path, "%.3800s/%s", place->copies, to);
    if (access(path, F_OK) == 0 ||
        sb_in_file_read(from, MOST_BYTES, &text, &count, NULL)) {
        return;
    }
    sb_status status = sb_out_file_put_in(place->copies, to, text, count, NULL);
    (void)status;
    sb_free(text);
}

/* What comes with the program stays as it is: the text becomes a new file of the
 * user, which is opened in its place. */
static bool store_copy(session_call *call, const char *name, const char *text,
                       sb_error *err) {
    session_place *place = &call->session->place;
    const char *own = session_file_name(place->path);
    char path[PATH_MAX], copy[256];
    int length = (int)strlen(own) - 4, number = 1;
    if (strcmp(name, own) != 0 || length < 1 || length > 200)
        return session_fail(call, "refused", err,
                            "%.200s belongs to the program: copy the scene "
                            "first",
                            name);
    (void)snprintf(copy, sizeof copy, "%s", own);
    for (;;) {
        (void)snprintf(path, sizeof path, "%.3800s/%s", place->copies, copy);
        if (access(path, F_OK) != 0) break;
        if (++number == 1000)
            return session_fail(call, "failed", err,
                                "%s has too many copies of %s", place->copies,
                                own);
        (void)snprintf(copy, sizeof copy, "%.*s_%d.lua", length, own, number);
    }
    if (!store(call, place->copies, copy, name, text, err)) return false;
    copy_text(place, copy);
    json_text(call->reply, "copy", path);
    (void)snprintf(place->wanted, sizeof place->wanted, "%s", path);
    return true;
}

bool session_do_put(session_call *call, sb_error *err) {
    const session_place *place = &call->session->place;
    char path[PATH_MAX];
    const char *name, *text;
    if (!find_file(call, path, &name, err) ||
        !read_text(call->json, "text", &text, err)) {
        return false;
    }
    if (!text) return session_fail(call, "bad_field", err, "text is missing");
    if (!is_fresh(call, path, name, err)) return false;
    if (place->is_shipped) return store_copy(call, name, text, err);
    if (strlen(text) > MOST_BYTES)
        return session_fail(call, "failed", err, "more than 1 MB");
    return store(call, place->folder, path + strlen(place->folder) + 1, name,
                 text, err);
}

/* --- other editors -------------------------------------------------------------------- */

/* Look at one of the scene's files, by its name in the folder. */
static void look_at(session *self, session_watched *file, const char *path,
                    const char *name) {
    char rev[SB_DIGEST_TEXT_SIZE];
    struct stat info;
    if (strcmp(file->name, name) != 0) {
        *file = (session_watched){0};
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
    if (!is_new || is_first) return;
    cJSON *json = session_message("script.changed");
    add_file(json, name, rev);
    session_say_all(self, json);
}

/* Its file may go and come back, with the same content: then nothing is loaded,
 * and what was said of it is no longer true. */
static void look_for_scene(session *self) {
    bool is_gone = access(self->place.path, F_OK) != 0;
    sb_error err;
    if (is_gone == self->place.is_gone) return;
    self->place.is_gone = is_gone;
    if (is_gone) {
        (void)sb_fail(&err, SB_NOT_FOUND,
                      "%s is gone; a save brings it back, or another program",
                      self->place.path);
        session_tell_broken(self, &err);
    } else {
        sb_host_request_reload(self->host, false);
    }
}

void session_watch_files(session *self) {
    double now_s = sb_clock_s();
    const sb_script *script = sb_host_script(self->host);
    int at = 0;
    if (!*self->place.path || now_s - self->files.looked_s < WATCH_S) return;
    self->files.looked_s = now_s;
    look_for_scene(self);
    for (int i = 0; i < script_file_count(script) && at < SESSION_FILES; i++) {
        char path[PATH_MAX];
        if (!session_own_file(self, script_file(script, i), path)) continue;
        look_at(self, &self->files.watched[at++], path,
                path + strlen(self->place.folder) + 1);
    }
}
