/* The text of a lesson as JSON, and the student's file. Thread: control. */
#include "bindings/studio/lesson.h"

#include "bindings/api/l_lesson.h"
#include "bindings/lesson/formula.h"
#include "bindings/lesson/lesson_doc.h"
#include "bindings/script/script.h"
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
enum { SESSION_MOST = 20000 }; /* messages that are kept of one session */

typedef struct studio_lesson {
    lesson_doc *doc;
    char name[100];        /* 03_where_you_strike */
    char folder[PATH_MAX]; /* of the student's file, or "" */
    cJSON *kept;           /* what is in it, or would be */
    cJSON *session;        /* of these, the messages of this run */
} studio_lesson;

/* --- the text ---------------------------------------------------------------- */

static cJSON *span_json(const lesson_span *span) {
    static const char *const names[] = {"text", "em", "strong", "code", "math"};
    cJSON *json = cJSON_CreateArray();
    char *text = NULL, *copy = sb_alloc((size_t)span->count + 1, 1);
    size_t size;
    if (copy) memcpy(copy, span->text, (size_t)span->count);
    (void)cJSON_AddItemToArray(json, cJSON_CreateString(names[span->kind]));
    FILE *stream =
        span->kind == SPAN_MATH && copy ? open_memstream(&text, &size) : NULL;
    if (stream) {
        formula_mathml(stream, copy, false);
        (void)fclose(stream);
    }
    (void)cJSON_AddItemToArray(json, cJSON_CreateString(text   ? text
                                                        : copy ? copy
                                                               : ""));
    free(text); /* allocated by open_memstream */
    sb_free(copy);
    return json;
}

static cJSON *spans_json(const char *text) {
    cJSON *list = cJSON_CreateArray();
    lesson_span span;
    while (lesson_next_span(&text, &span))
        (void)cJSON_AddItemToArray(list, span_json(&span));
    return list;
}

static cJSON *formula_json(const char *tex) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        formula_mathml(stream, tex, true);
        (void)fclose(stream);
    }
    cJSON *json = cJSON_CreateString(text ? text : tex);
    free(text); /* allocated by open_memstream */
    return json;
}

static cJSON *cells_json(const char *row) {
    cJSON *cells = cJSON_CreateArray();
    while (row) {
        const char *end = strchr(row, '|');
        size_t count = end ? (size_t)(end - row) : strlen(row);
        char cell[600];
        while (count > 0 && *row == ' ') {
            row++;
            count--;
        }
        (void)snprintf(cell, sizeof cell, "%.*s", (int)count, row);
        (void)cJSON_AddItemToArray(cells, spans_json(cell));
        row = end ? end + 1 : NULL;
    }
    return cells;
}

static cJSON *part_json(const lesson_part *part) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "kind", lesson_kind_names[part->kind]);
    json_bool(json, "teacher", part->is_for_teacher);
    if (*part->name) json_text(json, "name", part->name);
    if (part->kind == LESSON_FORMULA) {
        (void)cJSON_AddItemToObject(json, "math", formula_json(part->text));
    } else if (part->kind == LESSON_ROW) {
        json_bool(json, "head", part->is_first);
        (void)cJSON_AddItemToObject(json, "cells", cells_json(part->text));
    } else {
        (void)cJSON_AddItemToObject(json, "spans", spans_json(part->text));
    }
    return json;
}

/* The shipped lesson after or before this one in the order of names. */
static void add_neighbour(studio *self, cJSON *json, bool is_next) {
    char folder[PATH_MAX + 32], best[128] = "", file[200];
    (void)snprintf(folder, sizeof folder, "%s/scripts/lessons", self->library);
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        size_t length = dot ? (size_t)(dot - name) : 0;
        if (length == 0 || length >= sizeof best || strcmp(dot, ".md") != 0 ||
            name[0] < '0' || name[0] > '9') {
            continue;
        }
        char candidate[128];
        (void)snprintf(candidate, sizeof candidate, "%.*s", (int)length, name);
        int order = strcmp(candidate, self->lesson->name);
        int against = *best ? strcmp(candidate, best) : 0;
        bool is_nearer = !*best || (is_next ? against < 0 : against > 0);
        if ((is_next ? order > 0 : order < 0) && is_nearer)
            memcpy(best, candidate, sizeof best);
    }
    if (dir) (void)closedir(dir);
    const char *key = is_next ? "next" : "previous";
    (void)snprintf(file, sizeof file, "scripts/lessons/%s.lua", best);
    if (*best) {
        json_text(json, key, file);
    } else {
        (void)cJSON_AddNullToObject(json, key);
    }
}

cJSON *studio_describe_lesson(studio *self) {
    cJSON *json = cJSON_CreateObject();
    const studio_lesson *lesson = self->lesson;
    if (!lesson || !self->host) {
        (void)cJSON_AddNullToObject(json, "lesson");
        return json;
    }
    cJSON *out = cJSON_AddObjectToObject(json, "lesson");
    json_text(out, "name", lesson->name);
    json_text(out, "title", lesson_doc_title(lesson->doc));
    add_neighbour(self, out, false);
    add_neighbour(self, out, true);
    char answers[PATH_MAX + 32] = "";
    if (*lesson->folder)
        (void)snprintf(answers, sizeof answers, "%s/%s", lesson->folder,
                       FILE_NAME);
    json_text(out, "kept", answers);
    cJSON *parts = cJSON_AddArrayToObject(out, "parts");
    for (int i = 0; i < lesson_doc_count(lesson->doc); i++)
        (void)cJSON_AddItemToArray(parts,
                                   part_json(lesson_doc_at(lesson->doc, i)));
    static const char *const lists[] = {"answers", "predictions"};
    for (int i = 0; i < 2; i++) {
        const cJSON *list =
            cJSON_GetObjectItemCaseSensitive(lesson->kept, lists[i]);
        (void)cJSON_AddItemToObject(out, lists[i],
                                    list ? cJSON_Duplicate(list, true)
                                         : cJSON_CreateObject());
    }
    return json;
}

/* --- the student's file -------------------------------------------------------- */

static cJSON *read_json(const char *path) {
    letter *mail = studio_read_letter(path);
    cJSON *json =
        mail ? cJSON_ParseWithLength((const char *)mail->bytes, mail->count)
             : NULL;
    letter_drop(mail);
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

static void open_answers(studio *self, studio_lesson *lesson) {
    char path[PATH_MAX + 32];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/" FILE_NAME, self->folder);
    if (lstat(path, &info) != 0) return;
    bool is_link = S_ISLNK(info.st_mode);
    cJSON *kept = is_link ? NULL : read_json(path);
    if (!cJSON_IsObject(kept)) {
        if (self->def.report)
            self->def.report(self->def.user,
                             is_link ? FILE_NAME " is a link; it is left as it "
                                                 "is, and answers are not kept"
                                     : FILE_NAME
                                 " is not JSON; it is left as it is, and "
                                 "answers are not kept");
        cJSON_Delete(kept);
        return;
    }
    cJSON_Delete(lesson->kept);
    lesson->kept = kept;
    memcpy(lesson->folder, self->folder, sizeof lesson->folder);
    cJSON *sessions = need(lesson->kept, "sessions", true);
    cJSON *session = cJSON_CreateObject();
    (void)cJSON_AddItemToArray(sessions, session);
    json_number(session, "rate",
                sb_engine_sample_rate(sb_host_engine(self->host)));
    json_number(session, "seed", (double)sb_host_definition(self->host)->seed);
    lesson->session = cJSON_AddArrayToObject(session, "messages");
}

static bool save(studio *self, sb_error *err) {
    const studio_lesson *lesson = self->lesson;
    if (!lesson || !*lesson->folder) return true;
    char *text = cJSON_Print(lesson->kept);
    sb_utf8_mend(text);
    if (!text) {
        (void)sb_fail(err, SB_NO_MEMORY, "out of memory");
        return false;
    }
    sb_status status =
        sb_out_file_put_in(lesson->folder, FILE_NAME, text, strlen(text), err);
    cJSON_free(text);
    return status == SB_OK;
}

void studio_lesson_note(studio *self, const cJSON *line) {
    if (!self->lesson || !self->lesson->session) return;
    int count = cJSON_GetArraySize(self->lesson->session);
    if (count >= SESSION_MOST) return;
    (void)cJSON_AddItemToArray(self->lesson->session,
                               cJSON_Duplicate(line, true));
    if (count + 1 == SESSION_MOST)
        studio_tell(self,
                    "this lesson has been worked on for so long that nothing "
                    "more is kept for grading; open it again to go on",
                    true);
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(line, "message");
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(message, "type");
    sb_error err;
    bool is_check =
        cJSON_IsString(type) && strcmp(type->valuestring, "lesson.check") == 0;
    if (is_check && !save(self, &err) && self->def.report)
        self->def.report(self->def.user, err.message);
}

/* --- beginning and end ------------------------------------------------------- */

void studio_lesson_begin(studio *self) {
    char path[PATH_MAX];
    size_t length = strlen(self->path);
    studio_lesson_end(self);
    if (length < 5 || length >= sizeof path ||
        strcmp(self->path + length - 4, ".lua") != 0) {
        return;
    }
    (void)snprintf(path, sizeof path, "%.*s.md", (int)length - 4, self->path);
    if (access(path, R_OK) != 0) return;
    studio_lesson *lesson = sb_alloc(1, sizeof *lesson);
    sb_error err;
    if (!lesson) return;
    if (lesson_doc_read(path, &lesson->doc, &err)) {
        if (self->def.report) self->def.report(self->def.user, err.message);
        sb_free(lesson);
        return;
    }
    const char *slash = strrchr(self->path, '/');
    const char *name = slash ? slash + 1 : self->path;
    (void)snprintf(lesson->name, sizeof lesson->name, "%.*s",
                   (int)strlen(name) - 4, name);
    self->lesson = lesson;
    self->is_touched = false;
    lesson->kept = cJSON_CreateObject();
    if (self->net) open_answers(self, lesson);
}

void studio_lesson_end(studio *self) {
    studio_lesson *lesson = self->lesson;
    if (!lesson) return;
    sb_error err;
    bool has_done = lesson->session && cJSON_GetArraySize(lesson->session) > 0;
    if (has_done && !save(self, &err) && self->def.report)
        self->def.report(self->def.user, err.message);
    self->lesson = NULL;
    lesson_doc_free(lesson->doc);
    cJSON_Delete(lesson->kept);
    sb_free(lesson);
}

/* --- messages -------------------------------------------------------------------- */

static bool read_name(studio_call *call, const char **name, sb_error *err) {
    if (!call->studio->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (!read_text(call->json, "name", name, err)) return false;
    if (!*name || strlen(*name) >= SB_NAME_SIZE)
        return studio_fail(call, "bad_field", err, "name is missing");
    return true;
}

bool studio_do_press(studio_call *call, sb_error *err) {
    const char *name;
    if (!read_name(call, &name, err)) return false;
    sb_script *script = sb_host_script(call->studio->host);
    script_set_now(script, call->time_s);
    if (lesson_press(script, name, err) == SB_OK) return true;
    call->code = "failed";
    return false;
}

/* Keep `item` under `name` in one of the lists of the student's file. */
static void keep(studio *self, const char *list, const char *name,
                 cJSON *item) {
    if (!self->lesson) {
        cJSON_Delete(item);
        return;
    }
    cJSON *all = need(self->lesson->kept, list, false);
    cJSON_DeleteItemFromObjectCaseSensitive(all, name);
    (void)cJSON_AddItemToObject(all, name, item);
}

bool studio_do_predict(studio_call *call, sb_error *err) {
    const char *name, *text;
    if (!read_name(call, &name, err) ||
        !read_text(call->json, "text", &text, err)) {
        return false;
    }
    keep(call->studio, "predictions", name,
         cJSON_CreateString(text ? text : ""));
    if (save(call->studio, err)) return true;
    call->code = "failed";
    return false;
}

/* A scene that nobody has touched answers nothing, whatever it does itself. */
static sb_status judge(const studio_call *call, const char *name,
                       const char *answer, lesson_verdict *verdict,
                       sb_error *err) {
    sb_script *script = sb_host_script(call->studio->host);
    script_set_now(script, call->time_s);
    sb_status status = lesson_check(script, name, answer, verdict, err);
    bool has_answer = answer && *answer;
    if (status || call->studio->is_touched || has_answer) return status;
    if (verdict->is_right)
        (void)snprintf(verdict->text, sizeof verdict->text,
                       "You have not done anything yet.");
    verdict->is_right = false;
    return SB_OK;
}

/* Returns the number of tries. Done is done, whatever is tried later. */
static double keep_answer(studio *self, const char *name,
                          const lesson_verdict *verdict, const char *answer) {
    const cJSON *kept = cJSON_GetObjectItemCaseSensitive(
        self->lesson ? self->lesson->kept : NULL, "answers");
    kept = cJSON_GetObjectItemCaseSensitive(kept, name);
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(kept, "tries");
    double tries = cJSON_IsNumber(before) ? before->valuedouble : 0.0;
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(kept, "right")))
        return tries;
    cJSON *item = cJSON_CreateObject();
    json_bool(item, "right", verdict->is_right);
    json_text(item, "text", verdict->text);
    if (answer) json_text(item, "answer", answer);
    json_number(item, "tries", tries + 1.0);
    keep(self, "answers", name, item); /* it is saved when it is noted */
    return tries + 1.0;
}

bool studio_do_check(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *name, *answer;
    lesson_verdict verdict;
    if (!read_name(call, &name, err) ||
        !read_text(call->json, "answer", &answer, err)) {
        return false;
    }
    if (judge(call, name, answer, &verdict, err)) {
        call->code = "failed";
        return false;
    }
    if (self->def.verdict)
        self->def.verdict(self->def.user, name, verdict.is_right, verdict.text);
    cJSON *reply = call->reply;
    cJSON_SetValuestring(cJSON_GetObjectItem(reply, "type"), "lesson.verdict");
    json_text(reply, "name", name);
    json_bool(reply, "right", verdict.is_right);
    json_text(reply, "text", verdict.text);
    json_number(reply, "tries", keep_answer(self, name, &verdict, answer));
    return true;
}
