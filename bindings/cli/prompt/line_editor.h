/* bindings/cli/prompt/line_editor.h -- edits a line at the terminal, without
 * blocking.
 *
 * Wraps libedit, which would wait for keys: it gets a key only when all bytes
 * of the key have arrived. A second line above the edited one, the banner, can
 * change at any time.
 *
 * Thread: control. The settings of the terminal are restored by close, and also
 * when a signal ends the program: see terminal.h.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_LINE_EDITOR_H
#define SB_BINDINGS_CLI_PROMPT_LINE_EDITOR_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct line_editor line_editor;

typedef struct line_editor_def {
    /* Before the line: "> ". */
    const char *(*prompt)(void *user);
    /* TAB: text to insert after `line`, which ends at the cursor, into
     * `insert`; what to list into *list (one text, lines end with \n), or NULL.
     * The list is valid until the next call. May be NULL. */
    void (*complete)(void *user, const char *line, char *insert, size_t size,
                     const char **list);
    void *user;
} line_editor_def;

/* Is there a person at the keyboard: standard input and error are a terminal
 * that we are in the foreground of. */
bool line_editor_is_possible(void);

SB_NODISCARD sb_status line_editor_open(const line_editor_def *def,
                                        line_editor **out, sb_error *err);
void line_editor_close(line_editor *editor); /* NULL is allowed */

typedef enum editor_event {
    EDITOR_NOTHING,
    EDITOR_LINE, /* line_editor_line has it; the editor is hidden */
    EDITOR_END   /* Ctrl-D on an empty line, or the terminal is gone */
} editor_event;

/* Take the keys that have been pressed, up to the end of a line. */
editor_event line_editor_poll(line_editor *editor);
const char *line_editor_line(const line_editor *editor);

/* What is being typed, as text; valid until the next call. */
const char *line_editor_typed(line_editor *editor);
void line_editor_clear(line_editor *editor); /* forget it */

/* Nanoseconds of a steady clock when the last key came. */
long long line_editor_last_key_ns(const line_editor *editor);

/* The line above, drawn again where it differs; "" for none. At most one row;
 * \001 before and after what takes no room, such as colours. */
void line_editor_set_banner(line_editor *editor, const char *text);

/* Take everything off the screen, so that others may write; put it back. */
void line_editor_hide(line_editor *editor);
void line_editor_show(line_editor *editor);

/* For the arrow keys. */
void line_editor_remember(line_editor *editor, const char *line);

int line_editor_columns(const line_editor *editor);
bool line_editor_is_utf8(const line_editor *editor);

#endif
