/* SPDX-License-Identifier: MIT */
/* bindings/cli/lesson/lesson_files.h -- the lessons that come with the program,
 * and folders of students.
 *
 * A lesson is two files of one name, NN_name.lua and NN_name.md, in
 * scripts/lessons of the program's data or in a student's folder.
 *
 * Thread: control. Memory: plain values.
 */
#pragma once

#include "runtime/base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct lesson_doc lesson_doc;

enum { LESSONS_MOST = 99, LESSON_NAME_SIZE = 100 };

typedef struct lesson_files {
    int number;
    char name[LESSON_NAME_SIZE];           /* 03_where_you_strike */
    char script[PATH_MAX], text[PATH_MAX]; /* the two files */
    double rate_hz; /* that its script asks for; 0: the default */
} lesson_files;

/* The shipped lesson of that name. NOT_FOUND. */
SB_NODISCARD sb_status lesson_named(const char *name, lesson_files *out,
                                    sb_error *err);

/* What "-- rate: 44100" in the first lines of a script says; 0: nothing. */
double lesson_rate(const char *script);

/* The file as a text, to be freed with sb_free; or NULL. */
char *lesson_read(const char *path, size_t *count);

/* --- lesson_print.c -------------------------------------------------------------- */

/* Draw what a text names: "spectrogram", "spectrogram/ACTION,PARAM=VALUE" or
 * "modes/BODY". False, with a message, if it cannot be drawn. */
bool lesson_draw(const lesson_files *lesson, const char *source,
                 const char *png, char message[200]);

/* A text with emphasis left out and formulas in one line; the caller frees it.
 * NULL: no memory. */
char *lesson_plain_text(const char *text);

/* To standard output; pictures go to the current folder. */
int lesson_print(const lesson_files *lesson, const lesson_doc *doc,
                 bool is_for_teachers);
/* One page of HTML, to a file. Both return an exit code. */
int lesson_handout(const lesson_files *lesson, const lesson_doc *doc,
                   const char *path, bool is_for_students);

/* --- grade.c ------------------------------------------------------------------- */

/* Does the folder hold answers.json? */
bool is_student_folder(const char *folder);
/* Do again what the answers.json of a student's folder says was done, ask the
 * questions again, and print what is right: what the file claims does not count.
 * Returns an exit code: SCRIPT unless all is. */
int grade_folder(const char *folder);
