/* SPDX-License-Identifier: MIT */
/* bindings/api/l_lesson.h -- the buttons and questions of a lesson, for those who
 * run its script: studio, command line.
 *
 * A lesson is a scene that declares actions and questions (l_lesson.c). A
 * question is a function that looks at the running scene and says whether the
 * task is done, so the same strikes and params give the same verdict again.
 *
 * Thread: the one that runs the script, between its callbacks.
 * Memory: texts are copied.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_script sb_script;

enum { LESSON_TEXT_SIZE = 400 };

typedef struct lesson_verdict {
    bool is_right;
    char text[LESSON_TEXT_SIZE]; /* what the question says about it */
} lesson_verdict;

/* Ask a question at the script's present time. `answer` is what the student
 * typed; NULL or "": nothing. NOT_FOUND: no such question; BAD_FORMAT: an error
 * in it. */
SB_NODISCARD sb_status lesson_check(sb_script *script, const char *question,
                                    const char *answer, lesson_verdict *out,
                                    sb_error *err);

/* Run an action now, until it sleeps; it goes on like a coroutine of sb.go.
 * NOT_FOUND, BAD_FORMAT. */
SB_NODISCARD sb_status lesson_press(sb_script *script, const char *action,
                                    sb_error *err);
