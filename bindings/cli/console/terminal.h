/* bindings/cli/console/terminal.h -- the terminal: colours, progress bar,
 * cleanup.
 *
 * On a terminal, progress is a bar on standard error that is redrawn in place;
 * elsewhere it is a line per 10 %. Colours are used only on a terminal, and not
 * if NO_COLOR is set.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_CONSOLE_TERMINAL_H
#define SB_BINDINGS_CLI_CONSOLE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_has_colour(void);

/* True if a line on standard error can be redrawn in place. */
bool terminal_is_live(void);

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

#endif
