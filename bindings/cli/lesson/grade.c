/* SPDX-License-Identifier: MIT */
/* Does again what a student did, and asks again. Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/lesson/lesson.h"
#include "bindings/studio/session/session.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUESTIONS_MOST = 32, ANSWERS_MOST = 64 << 20 };

typedef struct graded {
    char name[64];
    char task[80]; /* how its text begins */
    bool is_claimed, is_right;
    int tries; /* until it was right */
    char text[400];
} graded;

typedef struct grading {
    const char *folder;
    lesson_files lesson; /* as shipped */
    graded questions[QUESTIONS_MOST];
    int count;
} grading;

bool is_student_folder(const char *folder) {
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%.4000s/answers.json", folder);
    return access(path, F_OK) == 0;
}

static void take_verdict(void *user, const char *question, bool is_right,
                         const char *text) {
    grading *self = user;
    for (int i = 0; i < self->count; i++) {
        graded *q = &self->questions[i];
        if (strcmp(q->name, question) != 0 || q->is_right) continue;
        q->tries++;
        q->is_right = is_right;
        (void)snprintf(q->text, sizeof q->text, "%s", text);
    }
}

/* --- the folder ------------------------------------------------------------------- */

static bool is_same_file(const char *a, const char *b) {
    size_t first = 0, second = 0;
    char *one = lesson_read(a, &first), *two = lesson_read(b, &second);
    bool is_same =
        one && two && first == second && memcmp(one, two, first) == 0;
    sb_free(one);
    sb_free(two);
    return is_same;
}

/* The beginning of a text, up to a whole word. */
static void shorten(const char *text, char *out, size_t size) {
    char *plain = lesson_plain_text(text);
    (void)snprintf(out, size, "%s", plain ? plain : "");
    if (plain && strlen(plain) >= size) {
        out[size - 5] = '\0';
        char *blank = strrchr(out, ' ');
        if (blank) memcpy(blank, " ...", 5);
    }
    free(plain); /* allocated by open_memstream */
}

static sb_status begin(grading *self, const cJSON *json, sb_error *err) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(json, "lesson");
    const cJSON *answers = cJSON_GetObjectItemCaseSensitive(json, "answers");
    char path[PATH_MAX + 128];
    lesson_doc *doc;
    if (!cJSON_IsString(name))
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s/answers.json names no lesson", self->folder);
    sb_status status = lesson_named(name->valuestring, &self->lesson, err);
    if (!status) status = lesson_doc_read(self->lesson.text, &doc, err);
    if (status) return status;
    for (int i = 0; i < lesson_doc_count(doc); i++) {
        const lesson_part *part = lesson_doc_at(doc, i);
        bool is_question =
            part->kind == LESSON_TASK || part->kind == LESSON_ANSWER;
        if (!is_question || self->count >= QUESTIONS_MOST) continue;
        graded *q = &self->questions[self->count++];
        const cJSON *claim =
            cJSON_GetObjectItemCaseSensitive(answers, part->name);
        (void)snprintf(q->name, sizeof q->name, "%s", part->name);
        shorten(part->text, q->task, sizeof q->task);
        q->is_claimed =
            cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(claim, "right"));
    }
    lesson_doc_free(doc);
    (void)snprintf(path, sizeof path, "%.4000s/%s.lua", self->folder,
                   self->lesson.name);
    if (!is_same_file(path, self->lesson.script))
        (void)fprintf(stderr,
                      "sandbell check: %s was changed; the lesson as shipped "
                      "is the judge\n",
                      path);
    return SB_OK;
}

static void print(const grading *self) {
    int right = 0;
    for (int i = 0; i < self->count; i++)
        right += self->questions[i].is_right;
    (void)printf("%s: %s, %d of %d right\n", self->folder, self->lesson.name,
                 right, self->count);
    for (int i = 0; i < self->count; i++) {
        const graded *q = &self->questions[i];
        const char *word = q->is_right    ? "right"
                           : q->tries > 0 ? "not yet"
                                          : "not tried";
        const char *why = "";
        char tries[32] = "";
        if (q->is_claimed && !q->is_right) {
            why = "answers.json says right, but doing it again does not "
                  "confirm it";
        } else if (q->tries > 0 && !q->is_right) {
            why = q->text;
        }
        if (q->tries > 0)
            (void)snprintf(tries, sizeof tries, ", %d %s",
                           COUNTED(q->tries, "try", "tries"));
        (void)printf("  %d. %s\n     %s%s%s%s\n", i + 1, q->task, word, tries,
                     *why ? ": " : "", why);
    }
}

int grade_folder(const char *folder) {
    grading *self = sb_alloc(1, sizeof *self);
    char path[PATH_MAX + 32];
    sb_error err = {0};
    if (!self) return EXIT_ASSET;
    self->folder = folder;
    (void)snprintf(path, sizeof path, "%.4000s/answers.json", folder);
    size_t count = 0;
    char *text = NULL;
    sb_status status = sb_in_file_read(path, ANSWERS_MOST, &text, &count, &err);
    cJSON *json = status ? NULL : cJSON_ParseWithLength(text, count);
    sb_free(text);
    if (!status)
        status = cJSON_IsObject(json)
                     ? begin(self, json, &err)
                     : sb_fail(&err, SB_BAD_FORMAT, "%.300s is not JSON", path);
    session_grading again = {.scene = self->lesson.script,
                             .must_stop = must_stop_now,
                             .verdict = take_verdict,
                             .user = self};
    cJSON_ArrayForEach(again.work,
                       cJSON_GetObjectItemCaseSensitive(json, "sessions")) {
        if (!status) status = session_grade(&again, &err);
    }
    cJSON_Delete(json);
    int code = EXIT_OK;
    if (status) {
        (void)fail_with(&err);
        code = is_interrupted() ? EXIT_INTERRUPTED : EXIT_ASSET;
    } else {
        print(self);
        for (int i = 0; i < self->count; i++)
            if (!self->questions[i].is_right) code = EXIT_SCRIPT;
    }
    sb_free(self);
    return code;
}
