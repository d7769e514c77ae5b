/* SPDX-License-Identifier: MIT */
/* bindings/cli/prompt/history_file.h -- keeps the lines typed at the prompt.
 *
 * The file is ${XDG_STATE_HOME:-~/.local/state}/sandbell/history. Two prompts
 * at the same time lose nothing: each appends its own lines at the end. Without
 * a home folder there is no history and no error.
 *
 * Thread: control.
 */
#pragma once

typedef struct history_file history_file;

/* Open the history and call `each` for every stored line, oldest first. May
 * return NULL. */
history_file *history_file_open(void (*each)(void *user, const char *line),
                                void *user);

void history_file_add(history_file *self, const char *line);

/* Write the file atomically. Both functions allow NULL. */
void history_file_close(history_file *self);
