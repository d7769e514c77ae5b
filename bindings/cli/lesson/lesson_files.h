/* bindings/cli/lesson/lesson_files.h -- the lessons that come with the program,
 * and folders of students.
 *
 * A lesson is two files of one name, NN_name.lua and NN_name.md, in
 * scripts/lessons of the program's data or in a student's folder.
 *
 * Thread: control. Memory: plain values.
 */
#ifndef SB_BINDINGS_CLI_LESSON_LESSON_FILES_H
#define SB_BINDINGS_CLI_LESSON_LESSON_FILES_H

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

/* All shipped lessons in their order; returns their number. NOT_FOUND: the
 * program's data are not there. */
SB_NODISCARD sb_status lessons_list(lesson_files list[LESSONS_MOST], int *count,
                                    sb_error *err);
/* The lesson of that number, or the one in a folder. */
SB_NODISCARD sb_status lesson_find(const char *word, lesson_files *out,
                                   sb_error *err);
/* The shipped lesson of that name. NOT_FOUND. */
SB_NODISCARD sb_status lesson_named(const char *name, lesson_files *out,
                                    sb_error *err);

/* What "-- rate: 44100" in the first lines of a script says; 0: nothing. */
double lesson_rate(const char *script);

/* Copy it into a new folder, with an empty answers.json. */
SB_NODISCARD sb_status lesson_copy(const lesson_files *lesson,
                                   const char *folder, sb_error *err);
/* The file as a text, to be freed with sb_free; or NULL. */
char *lesson_read(const char *path, size_t *count);

/* --- pictures.c -------------------------------------------------------------- */

/* Draw what a text names: "spectrogram", "spectrogram/ACTION,PARAM=VALUE" or
 * "modes/BODY". False, with a message, if it cannot be drawn. */
bool lesson_draw(const lesson_files *lesson, const char *source,
                 const char *png, char message[200]);

/* --- as text, and as a page (lesson_print.c, handout.c) ----------------------- */

/* A text with emphasis left out and formulas in one line; the caller frees it.
 * NULL: no memory. */
char *lesson_plain_text(const char *text);

/* To standard output; pictures go to the current folder. */
int lesson_print(const lesson_files *lesson, const lesson_doc *doc,
                 bool is_for_teachers);
int lesson_handout(const lesson_files *lesson, const lesson_doc *doc,
                   const char *path, bool is_for_students);

#endif
