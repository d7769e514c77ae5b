/* SPDX-License-Identifier: MIT */
/* Reads the text of a lesson line by line. Thread: any. */
#include "bindings/lesson/lesson.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 18, MOST_PARTS = 400 };

const char *const lesson_kind_names[LESSON_KINDS] = {
    "title", "heading", "paragraph", "formula", "row",    "picture",
    "press", "turn",    "predict",   "task",    "answer", "list"};

struct lesson_doc {
    char *text;
    lesson_part parts[MOST_PARTS];
    int count;
};

typedef struct doc_reader {
    lesson_doc *doc;
    const char *path;
    int line;
    bool is_for_teacher, in_table;
    char *open; /* the end of a paragraph that goes on, or NULL */
} doc_reader;

static sb_status fail(const doc_reader *self, sb_error *err, const char *what) {
    return sb_fail_in(err, SB_BAD_FORMAT, self->path, self->line, "%s", what);
}

static lesson_part *add(doc_reader *self, lesson_kind kind, char *text) {
    lesson_part *part = &self->doc->parts[self->doc->count++];
    *part = (lesson_part){.kind = kind,
                          .is_for_teacher = self->is_for_teacher,
                          .name = "",
                          .source = "",
                          .text = text};
    self->open = NULL;
    return part;
}

/* **Word** `name`: text */
static sb_status read_box(doc_reader *self, char *line, sb_error *err) {
    static const struct {
        const char *word;
        lesson_kind kind;
    } words[] = {
        {"**Press** `", LESSON_PRESS},     {"**Turn** `", LESSON_TURN},
        {"**Predict** `", LESSON_PREDICT}, {"**Task** `", LESSON_TASK},
        {"**Answer** `", LESSON_ANSWER},   {"**List** `", LESSON_LIST}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(line, words[i].word, length) != 0) continue;
        char *name = line + length;
        char *end = strstr(name, "`: ");
        if (!end) break;
        *end = '\0';
        add(self, words[i].kind, end + 3)->name = name;
        return SB_OK;
    }
    return fail(self, err,
                "a line after > must be **Press** `name`: text, or Turn, "
                "Predict, Task, Answer or List");
}

/* ![text](picture:source) */
static sb_status read_picture(doc_reader *self, char *line, sb_error *err) {
    char *middle = strstr(line, "](picture:");
    char *end = middle ? strchr(middle, ')') : NULL;
    if (!end || end[1])
        return fail(self, err, "a picture must be ![text](picture:kind)");
    *middle = *end = '\0';
    add(self, LESSON_PICTURE, line + 2)->source = middle + strlen("](picture:");
    return SB_OK;
}

static sb_status read_row(doc_reader *self, char *line) {
    size_t length = strlen(line);
    bool is_rule = strspn(line, "|-: ") == length;
    if (length > 1 && line[length - 1] == '|') line[length - 1] = '\0';
    if (!is_rule) {
        bool is_first = !self->in_table;
        add(self, LESSON_ROW, line + 1)->is_first = is_first;
    }
    self->in_table = true;
    return SB_OK;
}

static sb_status read_formula(doc_reader *self, char *line, sb_error *err) {
    size_t length = strlen(line);
    if (length < 5 || strcmp(line + length - 2, "$$") != 0)
        return fail(self, err, "$$ must end on its own line");
    line[length - 2] = '\0';
    (void)add(self, LESSON_FORMULA, line + 2);
    return SB_OK;
}

/* A paragraph goes on over lines: they are joined in place. */
static void read_text(doc_reader *self, char *line) {
    if (!self->open) {
        (void)add(self, LESSON_PARAGRAPH, line);
    } else {
        size_t length = strlen(line);
        *self->open = ' ';
        memmove(self->open + 1, line, length + 1);
        line = self->open + 1;
    }
    self->open = line + strlen(line);
}

static sb_status read_line(doc_reader *self, char *line, sb_error *err) {
    if (self->doc->count >= MOST_PARTS)
        return fail(self, err, "too many parts");
    if (line[0] != '|') self->in_table = false;
    if (!*line) {
        self->open = NULL;
        return SB_OK;
    }
    if (strncmp(line, "# ", 2) == 0) {
        (void)add(self, LESSON_TITLE, line + 2);
    } else if (strncmp(line, "## ", 3) == 0) {
        self->is_for_teacher =
            self->is_for_teacher || strcmp(line + 3, "For the teacher") == 0;
        (void)add(self, LESSON_HEADING, line + 3);
    } else if (strncmp(line, "> ", 2) == 0) {
        return read_box(self, line + 2, err);
    } else if (strncmp(line, "![", 2) == 0) {
        return read_picture(self, line, err);
    } else if (strncmp(line, "$$", 2) == 0) {
        return read_formula(self, line, err);
    } else if (line[0] == '|') {
        return read_row(self, line);
    } else {
        read_text(self, line);
    }
    return SB_OK;
}

sb_status lesson_doc_read(const char *path, lesson_doc **out, sb_error *err) {
    lesson_doc *doc = sb_alloc(1, sizeof *doc);
    if (!doc) return sb_no_memory(err, "lesson");
    sb_status status = sb_in_file_read(path, MOST_BYTES, &doc->text, NULL, err);
    doc_reader self = {.doc = doc, .path = path};
    char *line = doc->text;
    while (!status && line) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        self.line++;
        status = read_line(&self, line, err);
        line = end ? end + 1 : NULL;
    }
    if (!status && (doc->count == 0 || doc->parts[0].kind != LESSON_TITLE))
        status = sb_fail(err, SB_BAD_FORMAT,
                         "%.300s: a lesson begins with its title, # ...", path);
    if (status) {
        lesson_doc_free(doc);
        return status;
    }
    *out = doc;
    return SB_OK;
}

void lesson_doc_free(lesson_doc *doc) {
    if (doc) sb_free(doc->text);
    sb_free(doc);
}

int lesson_doc_count(const lesson_doc *doc) {
    return doc->count;
}

const lesson_part *lesson_doc_at(const lesson_doc *doc, int i) {
    return &doc->parts[i];
}

const char *lesson_doc_title(const lesson_doc *doc) {
    return doc->parts[0].text;
}

bool lesson_next_cell(const char **at, char cell[LESSON_CELL_SIZE]) {
    if (!*at) return false;
    const char *from = *at + strspn(*at, " "), *end = strchr(*at, '|');
    int count = (int)(end ? end - from : (long)strlen(from));
    while (count > 0 && from[count - 1] == ' ')
        count--;
    (void)snprintf(cell, LESSON_CELL_SIZE, "%.*s", count > 0 ? count : 0, from);
    *at = end ? end + 1 : NULL;
    return true;
}

/* --- spans ------------------------------------------------------------------ */

bool lesson_next_span(const char **at, lesson_span *out) {
    static const struct {
        const char *mark;
        lesson_span_kind kind;
    } marks[] = {{"**", SPAN_STRONG},
                 {"*", SPAN_EMPHASIS},
                 {"`", SPAN_CODE},
                 {"$", SPAN_MATH}};
    const char *from = *at;
    if (!*from) return false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i].mark);
        if (strncmp(from, marks[i].mark, length) != 0) continue;
        const char *end = strstr(from + length, marks[i].mark);
        if (!end || end == from + length) continue;
        *out = (lesson_span){marks[i].kind, from + length,
                             (int)(end - from - (long)length)};
        *at = end + length;
        return true;
    }
    const char *end = from + 1;
    while (*end && !strchr("*`$", *end))
        end++;
    *out = (lesson_span){SPAN_TEXT, from, (int)(end - from)};
    *at = end;
    return true;
}
