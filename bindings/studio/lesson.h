/* bindings/studio/lesson.h -- the lesson of the running scene: its text for
 * pages, and the student's work.
 *
 * A scene is a lesson if a text of the same name, NN_name.md, lies beside it. If
 * answers.json lies there as well, the folder is a student's, made by
 * `sandbell lesson N --copy`: then what pages do is kept in that file, with
 * predictions and verdicts, so that it can be done and judged again. The file is
 * written whole after each of them.
 *
 * Thread: control. Memory: the studio's.
 */
#ifndef SB_BINDINGS_STUDIO_LESSON_H
#define SB_BINDINGS_STUDIO_LESSON_H

#include "bindings/studio/studio_internal.h"

/* A scene was attached, or is detached. */
void studio_lesson_begin(studio *self);
void studio_lesson_end(studio *self);

/* {"lesson": null}, or the text in parts (protocol.md). The caller deletes it.
 */
cJSON *studio_describe_lesson(studio *self);

/* Keep a message that was carried out, if this is a student's folder. */
void studio_lesson_note(studio *self, const cJSON *line);

studio_action studio_do_press, studio_do_predict, studio_do_check;

#endif
