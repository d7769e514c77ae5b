/* SPDX-License-Identifier: MIT */
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
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct line_editor line_editor;

typedef struct line_editor_def {
    /* Text before the line, such as "> ". */
    const char *(*prompt)(void *user);
    /* TAB: text to insert after `line`, which ends at the cursor, into
     * `insert`; what to list into *list (one text, lines end with \n), or NULL.
     * The list is valid until the next call. May be NULL. */
    void (*complete)(void *user, const char *line, char *insert, size_t size,
                     const char **list);
    void *user;
} line_editor_def;

/* True if standard input and error are a terminal and the program is in its
 * foreground. */
bool line_editor_is_possible(void);

SB_NODISCARD sb_status line_editor_open(const line_editor_def *def,
                                        line_editor **out, sb_error *err);
void line_editor_close(line_editor *editor); /* NULL is allowed */

typedef enum editor_event {
    EDITOR_NOTHING,
    EDITOR_LINE, /* read it with line_editor_line; the editor is hidden */
    EDITOR_END   /* Ctrl-D on an empty line, or the terminal is gone */
} editor_event;

/* Handle the pressed keys, up to the end of a line. */
editor_event line_editor_poll(line_editor *editor);
const char *line_editor_line(const line_editor *editor);

/* The text typed so far; valid until the next call. */
const char *line_editor_typed(line_editor *editor);
void line_editor_clear(line_editor *editor); /* discard it */

/* Time of the last key, ns of the monotonic clock. */
long long line_editor_last_key_ns(const line_editor *editor);

/* Set the line above the edited one; redrawn if it differs, "" for none. At
 * most one row; enclose text without width, such as colour codes, in \001. */
void line_editor_set_banner(line_editor *editor, const char *text);

/* Remove line and banner from the screen, so that others may write; show them
 * again. */
void line_editor_hide(line_editor *editor);
void line_editor_show(line_editor *editor);

/* Add a line to the history of the arrow keys. */
void line_editor_remember(line_editor *editor, const char *line);

int line_editor_columns(const line_editor *editor);
bool line_editor_is_utf8(const line_editor *editor);
