/* bindings/cli/prompt/history_file.h -- what was typed, kept for the next time, in
 * ${XDG_STATE_HOME:-~/.local/state}/sandbell/history.
 *
 * Two prompts at once lose nothing: each adds its own lines to what is there in
 * the end. No home, no history, and no complaint.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_HISTORY_FILE_H
#define SB_BINDINGS_CLI_PROMPT_HISTORY_FILE_H

typedef struct history_file history_file;

/* Tell `each` of every line that is kept, oldest first. May be NULL. */
history_file *history_file_open(void (*each)(void *user, const char *line),
                                void *user);

void history_file_add(history_file *self, const char *line);

/* Write, whole or not at all. Both allow NULL. */
void history_file_close(history_file *self);

#endif
