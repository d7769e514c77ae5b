/* SPDX-License-Identifier: MIT */
/* bindings/lesson/lesson.h -- the text of a lesson, NN_name.md, in parts.
 *
 * A small subset of Markdown: a title, headings, paragraphs, tables, pictures,
 * formulas between $ or, on a line alone, between $$; and in a quote a button
 * or a question:
 *
 *     > **Press** `strike_end`: Strike the end.      an action of the scene
 *     > **Turn** `alpha`: loss per second            a param
 *     > **Predict** `louder`: What will happen?      a text field
 *     > **Task** `node`: Find the node.              a question
 *     > **Answer** `ratio`: How many times?          one with a text field
 *     > **List** `bar`: The modes of the bar         their names and numbers
 *
 * What follows the heading "For the teacher" is for the teacher.
 *
 * Thread: any. Memory: the document owns its texts.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef enum lesson_kind {
    LESSON_TITLE,
    LESSON_HEADING,
    LESSON_PARAGRAPH,
    LESSON_FORMULA,
    LESSON_ROW, /* of a table; the cells are separated by '|' */
    LESSON_PICTURE,
    LESSON_PRESS,
    LESSON_TURN,
    LESSON_PREDICT,
    LESSON_TASK,
    LESSON_ANSWER,
    LESSON_LIST, /* modes of a body, by name; on a page only */
    LESSON_KINDS
} lesson_kind;

extern const char *const lesson_kind_names[LESSON_KINDS]; /* "title", ... */

typedef struct lesson_part {
    lesson_kind kind;
    bool is_for_teacher;
    bool is_first;      /* of a table: the row of its heads */
    const char *name;   /* of an action, param or question; or "" */
    const char *source; /* of a picture: "spectrogram/walk"; or "" */
    const char *text;
} lesson_part;

typedef struct lesson_doc lesson_doc;

/* NOT_FOUND: no such file; BAD_FORMAT: names the line. */
SB_NODISCARD sb_status lesson_doc_read(const char *path, lesson_doc **out,
                                       sb_error *err);
void lesson_doc_free(lesson_doc *doc); /* NULL is allowed */
int lesson_doc_count(const lesson_doc *doc);
const lesson_part *lesson_doc_at(const lesson_doc *doc, int i);
const char *lesson_doc_title(const lesson_doc *doc);

/* The next cell of a row from *at on, without the blanks around it; *at moves
 * behind it, and is NULL at the end. False: there is none. */
enum { LESSON_CELL_SIZE = 600 };
bool lesson_next_cell(const char **at, char cell[LESSON_CELL_SIZE]);

/* --- text with emphasis, code and formulas inside ------------------------- */

typedef enum lesson_span_kind {
    SPAN_TEXT,
    SPAN_EMPHASIS,
    SPAN_STRONG,
    SPAN_CODE,
    SPAN_MATH
} lesson_span_kind;

typedef struct lesson_span {
    lesson_span_kind kind;
    const char *text;
    int count; /* bytes */
} lesson_span;

/* The next span from *at on, which moves behind it; false at the end. */
bool lesson_next_span(const char **at, lesson_span *out);
