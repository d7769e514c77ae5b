/* SPDX-License-Identifier: MIT */
/* The text of a lesson as JSON, and the student's file. Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/api/l_lesson.h"
#include "bindings/lesson/formula.h"
#include "bindings/lesson/lesson.h"
#include "bindings/script/script.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/utf8.h"
#include "runtime/engine/engine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "answers.json"
/* Messages that are kept of one session; bytes of the file. */
enum { SESSION_MOST = 20000, ANSWERS_MOST = 64 << 20 };

typedef struct session_lesson {
    lesson_doc *doc;
    char name[100];        /* 03_where_you_strike */
    char folder[PATH_MAX]; /* of the student's file, or "" */
    cJSON *kept;           /* what is in it, or would be */
    cJSON *session;        /* of these, the messages of this run */
} session_lesson;

/* --- the text ---------------------------------------------------------------- */

static cJSON *formula_json(const char *tex, bool is_block) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        formula_mathml(stream, tex, is_block);
        (void)fclose(stream);
    }
    cJSON *json = cJSON_CreateString(text ? text : tex);
    free(text); /* allocated by open_memstream */
    return json;
}

static cJSON *spans_json(const char *text) {
    static const char *const names[] = {"text", "em", "strong", "code", "math"};
    cJSON *list = cJSON_CreateArray();
    lesson_span span;
    while (lesson_next_span(&text, &span)) {
        cJSON *json = cJSON_CreateArray();
        char *copy = sb_alloc((size_t)span.count + 1, 1);
        if (copy) memcpy(copy, span.text, (size_t)span.count);
        json_add_text(json, names[span.kind]);
        json_push(json, span.kind == SPAN_MATH && copy
                            ? formula_json(copy, false)
                            : cJSON_CreateString(copy ? copy : ""));
        json_push(list, json);
        sb_free(copy);
    }
    return list;
}

static cJSON *cells_json(const char *row) {
    cJSON *cells = cJSON_CreateArray();
    char cell[LESSON_CELL_SIZE];
    while (lesson_next_cell(&row, cell))
        json_push(cells, spans_json(cell));
    return cells;
}

static cJSON *part_json(const lesson_part *part) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "kind", lesson_kind_names[part->kind]);
    json_bool(json, "teacher", part->is_for_teacher);
    if (*part->name) json_text(json, "name", part->name);
    if (part->kind == LESSON_FORMULA) {
        json_add(json, "math", formula_json(part->text, true));
    } else if (part->kind == LESSON_ROW) {
        json_bool(json, "head", part->is_first);
        json_add(json, "cells", cells_json(part->text));
    } else {
        json_add(json, "spans", spans_json(part->text));
    }
    return json;
}

static int is_lesson(const struct dirent *entry) {
    const char *name = entry->d_name, *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".md") == 0 && name[0] >= '0' && name[0] <= '9';
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The shipped lessons before and after this one in the order of names. */
static void add_neighbours(const session *self, cJSON *json) {
    char folder[PATH_MAX + 32], own[128], near[2][300] = {"", ""};
    struct dirent **files = NULL;
    (void)snprintf(own, sizeof own, "%s.md", self->lesson->name);
    (void)snprintf(folder, sizeof folder, "%s/scripts/lessons",
                   self->place.library);
    int count = scandir(folder, &files, is_lesson, by_name);
    for (int i = 0; i < count; i++) {
        const char *name = files[i]->d_name;
        int order = strcmp(name, own);
        if (order < 0 || (order > 0 && !*near[1]))
            (void)snprintf(near[order > 0], sizeof near[0],
                           "scripts/lessons/%.*s.lua", (int)strlen(name) - 3,
                           name);
        free(files[i]); /* allocated by scandir */
    }
    free(files);
    json_text_or_null(json, "previous", *near[0] ? near[0] : NULL);
    json_text_or_null(json, "next", *near[1] ? near[1] : NULL);
}

cJSON *session_describe_lesson(session *self) {
    cJSON *json = cJSON_CreateObject();
    const session_lesson *lesson = self->lesson;
    if (!lesson || !self->host) {
        (void)cJSON_AddNullToObject(json, "lesson");
        return json;
    }
    cJSON *out = cJSON_AddObjectToObject(json, "lesson");
    json_text(out, "name", lesson->name);
    json_text(out, "title", lesson_doc_title(lesson->doc));
    add_neighbours(self, out);
    char answers[PATH_MAX + 32] = "";
    if (*lesson->folder)
        (void)snprintf(answers, sizeof answers, "%s/%s", lesson->folder,
                       FILE_NAME);
    json_text(out, "kept", answers);
    cJSON *parts = cJSON_AddArrayToObject(out, "parts");
    for (int i = 0; i < lesson_doc_count(lesson->doc); i++)
        json_push(parts, part_json(lesson_doc_at(lesson->doc, i)));
    static const char *const lists[] = {"answers", "predictions"};
    for (int i = 0; i < 2; i++) {
        const cJSON *list = json_field(lesson->kept, lists[i]);
        json_add(out, lists[i],
                 list ? cJSON_Duplicate(list, true) : cJSON_CreateObject());
    }
    return json;
}

/* --- the student's file -------------------------------------------------------- */

static cJSON *read_json(const char *path) {
    char *text;
    if (sb_in_file_read(path, ANSWERS_MOST, &text, NULL, NULL)) return NULL;
    cJSON *json = cJSON_Parse(text);
    sb_free(text);
    return json;
}

static cJSON *need(cJSON *json, const char *name, bool is_list) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(json, name);
    if (found && (is_list ? cJSON_IsArray(found) : cJSON_IsObject(found)))
        return found;
    cJSON_DeleteItemFromObjectCaseSensitive(json, name);
    return is_list ? cJSON_AddArrayToObject(json, name)
                   : cJSON_AddObjectToObject(json, name);
}

static void open_answers(session *self, session_lesson *lesson) {
    char path[PATH_MAX + 32];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/" FILE_NAME, self->place.folder);
    if (lstat(path, &info) != 0) return;
    bool is_link = S_ISLNK(info.st_mode);
    cJSON *kept = is_link ? NULL : read_json(path);
    if (!cJSON_IsObject(kept)) {
        session_report(
            self, is_link ? FILE_NAME " is a link; it is left as it is, and "
                                      "answers are not kept"
                          : FILE_NAME " is not JSON; it is left as it is, and "
                                      "answers are not kept");
        cJSON_Delete(kept);
        return;
    }
    cJSON_Delete(lesson->kept);
    lesson->kept = kept;
    memcpy(lesson->folder, self->place.folder, sizeof lesson->folder);
    cJSON *sessions = need(lesson->kept, "sessions", true);
    cJSON *run = cJSON_CreateObject();
    json_push(sessions, run);
    json_number(run, "rate", sb_engine_sample_rate(sb_host_engine(self->host)));
    json_number(run, "seed", (double)sb_host_definition(self->host)->seed);
    lesson->session = cJSON_AddArrayToObject(run, "messages");
}

static sb_status save(session *self, sb_error *err) {
    const session_lesson *lesson = self->lesson;
    if (!lesson || !*lesson->folder) return SB_OK;
    char *text = cJSON_Print(lesson->kept);
    sb_utf8_mend(text);
    if (!text) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    sb_status status =
        sb_out_file_put_in(lesson->folder, FILE_NAME, text, strlen(text), err);
    cJSON_free(text);
    return status;
}

void session_lesson_note(session *self, const cJSON *line) {
    if (!self->lesson || !self->lesson->session) return;
    int count = cJSON_GetArraySize(self->lesson->session);
    if (count >= SESSION_MOST) return;
    json_push(self->lesson->session, cJSON_Duplicate(line, true));
    if (count + 1 == SESSION_MOST)
        session_tell(self,
                     "this lesson has been worked on for so long that nothing "
                     "more is kept for grading; open it again to go on");
    const cJSON *message = json_field(line, "message");
    const char *type = cJSON_GetStringValue(json_field(message, "type"));
    sb_error err;
    bool is_check = type && strcmp(type, "lesson.check") == 0;
    if (is_check && save(self, &err)) session_report(self, err.message);
}

/* --- beginning and end ------------------------------------------------------- */

void session_lesson_begin(session *self) {
    char path[PATH_MAX];
    size_t length = strlen(self->place.path);
    session_lesson_end(self);
    if (length < 5 || length >= sizeof path ||
        strcmp(self->place.path + length - 4, ".lua") != 0) {
        return;
    }
    (void)snprintf(path, sizeof path, "%.*s.md", (int)length - 4,
                   self->place.path);
    if (access(path, R_OK) != 0) return;
    session_lesson *lesson = sb_alloc(1, sizeof *lesson);
    sb_error err;
    if (!lesson) return;
    if (lesson_doc_read(path, &lesson->doc, &err)) {
        session_report(self, err.message);
        sb_free(lesson);
        return;
    }
    const char *name = session_file_name(self->place.path);
    (void)snprintf(lesson->name, sizeof lesson->name, "%.*s",
                   (int)strlen(name) - 4, name);
    self->lesson = lesson;
    self->is_touched = false;
    lesson->kept = cJSON_CreateObject();
    if (self->def.send) open_answers(self, lesson);
}

void session_lesson_end(session *self) {
    session_lesson *lesson = self->lesson;
    if (!lesson) return;
    sb_error err;
    bool has_done = lesson->session && cJSON_GetArraySize(lesson->session) > 0;
    if (has_done && save(self, &err)) session_report(self, err.message);
    self->lesson = NULL;
    lesson_doc_free(lesson->doc);
    cJSON_Delete(lesson->kept);
    sb_free(lesson);
}

/* --- messages -------------------------------------------------------------------- */

static bool read_name(session_call *call, const char **name, sb_error *err) {
    if (!read_text(call->json, "name", name, err)) return false;
    if (!*name || strlen(*name) >= SB_NAME_SIZE)
        return session_fail(call, "bad_field", err, "name is missing");
    return true;
}

bool session_do_press(session_call *call, sb_error *err) {
    const char *name;
    if (!read_name(call, &name, err)) return false;
    sb_script *script = sb_host_script(call->session->host);
    script_set_now(script, call->time_s);
    return session_call_done(call, lesson_press(script, name, err));
}

/* Keep `item` under `name` in one of the lists of the student's file. */
static void keep(session *self, const char *list, const char *name,
                 cJSON *item) {
    if (!self->lesson) {
        cJSON_Delete(item);
        return;
    }
    cJSON *all = need(self->lesson->kept, list, false);
    cJSON_DeleteItemFromObjectCaseSensitive(all, name);
    json_add(all, name, item);
}

bool session_do_predict(session_call *call, sb_error *err) {
    const char *name, *text;
    if (!read_name(call, &name, err) ||
        !read_text(call->json, "text", &text, err)) {
        return false;
    }
    keep(call->session, "predictions", name,
         cJSON_CreateString(text ? text : ""));
    return session_call_done(call, save(call->session, err));
}

/* A scene that nobody has touched answers nothing, whatever it does itself. */
static sb_status judge(const session_call *call, const char *name,
                       const char *answer, lesson_verdict *verdict,
                       sb_error *err) {
    sb_script *script = sb_host_script(call->session->host);
    script_set_now(script, call->time_s);
    sb_status status = lesson_check(script, name, answer, verdict, err);
    bool has_answer = answer && *answer;
    if (status || call->session->is_touched || has_answer) return status;
    if (verdict->is_right)
        (void)snprintf(verdict->text, sizeof verdict->text,
                       "You have not done anything yet.");
    verdict->is_right = false;
    return SB_OK;
}

/* Returns the number of tries. Done is done, whatever is tried later. */
static double keep_answer(session *self, const char *name,
                          const lesson_verdict *verdict, const char *answer) {
    const cJSON *kept =
        json_field(self->lesson ? self->lesson->kept : NULL, "answers");
    kept = json_field(kept, name);
    const cJSON *before = json_field(kept, "tries");
    double tries = cJSON_IsNumber(before) ? before->valuedouble : 0.0;
    if (cJSON_IsTrue(json_field(kept, "right"))) return tries;
    cJSON *item = cJSON_CreateObject();
    json_bool(item, "right", verdict->is_right);
    json_text(item, "text", verdict->text);
    if (answer) json_text(item, "answer", answer);
    json_number(item, "tries", tries + 1.0);
    keep(self, "answers", name, item); /* it is saved when it is noted */
    return tries + 1.0;
}

bool session_do_check(session_call *call, sb_error *err) {
    session *self = call->session;
    const char *name, *answer;
    lesson_verdict verdict;
    if (!read_name(call, &name, err) ||
        !read_text(call->json, "answer", &answer, err)) {
        return false;
    }
    if (!session_call_done(call, judge(call, name, answer, &verdict, err)))
        return false;
    if (self->def.verdict)
        self->def.verdict(self->def.user, name, verdict.is_right, verdict.text);
    cJSON *reply = call->reply;
    session_reply_as(call, "lesson.verdict");
    json_text(reply, "name", name);
    json_bool(reply, "right", verdict.is_right);
    json_text(reply, "text", verdict.text);
    json_number(reply, "tries", keep_answer(self, name, &verdict, answer));
    return true;
}
