/* bindings/cli/lesson/grade.h -- a student's folder, judged.
 *
 * What the student did is done again on the shipped lesson, without sound, and
 * each question is asked again when the student asked it. What answers.json
 * claims does not count.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_LESSON_GRADE_H
#define SB_BINDINGS_CLI_LESSON_GRADE_H

#include <stdbool.h>

/* Does the folder hold answers.json? */
bool is_student_folder(const char *folder);

/* Print what is right; returns an exit code: SCRIPT unless all is. */
int grade_folder(const char *folder);

#endif
