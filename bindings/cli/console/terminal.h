/* SPDX-License-Identifier: MIT */
/* bindings/cli/console/terminal.h -- the terminal: colours, progress, cleanup.
 *
 * On a terminal, progress is a bar on standard error that is redrawn in place;
 * elsewhere it is a line per 10 %. While bodies are solved it is one bar, from
 * the mesh to the last mode, for each size of elements, or a line per stage;
 * work that takes less than 0.3 s is not reported. Colours are used only on a
 * terminal, and not if NO_COLOR is set.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_host sb_host;
typedef struct sb_host_def sb_host_def;

bool terminal_has_colour(void);

/* `fraction` is 0 .. 1, or negative if unknown; `note` is the progress in its
 * own unit ("3.2 s"). Cheap when called often. */
void progress_show(const char *what, double fraction, const char *note);

/* Remove the bar. */
void progress_end(void);

/* Callbacks of a module that draws on the terminal continuously, such as the
 * line editor: `hide` before a message is written, `show` after it. */
typedef struct terminal_tenant {
    void (*hide)(void *user);
    void (*show)(void *user);
    void *user;
} terminal_tenant;

void terminal_set_tenant(
    const terminal_tenant *tenant); /* the pointer is kept; NULL: none */

/* Call around writing to standard output or error; may be nested. */
void terminal_make_room(void);
void terminal_give_back(void);

/* Write text that a script may have made. Control characters other than newline
 * and tab, which terminals obey, and bytes that are not UTF-8 are written as
 * \x1b. */
void terminal_put(FILE *to, const char *text);

/* Save the terminal's settings. They are restored by terminal_restore, by exit
 * and by any signal that ends the program. Ctrl-Z and continuing are handled
 * too. */
void terminal_guard(void);
void terminal_restore(void); /* may be called from a signal handler */

/* True once after the window size has changed or the program was continued. */
bool terminal_was_disturbed(void);

/* For sb_host_def.progress. Stages are those of model_maker.h. */
void solving_show(void *user, const char *body, const char *stage, int done,
                  int expected);

/* For sb_maker.progress: the context is the body's name; stops at Ctrl-C. */
bool solving_goes_on(void *name, const char *stage, int done, int expected);

/* True if the last body was read from the cache. The call clears the flag. */
bool solving_was_cached(void);

/* Remove the bar; the next solve starts a new one. */
void solving_end(void);

/* sb_host_open, then remove the bar. */
SB_NODISCARD sb_status open_host(const char *path, const sb_host_def *def,
                                 sb_host **out, sb_error *err);
