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

bool terminal_has_colour(void);

/* Can a line be drawn again on standard error? */
bool terminal_is_live(void);

/* `fraction` 0 .. 1, or negative when the end is not known; `note` says how far
 * it is in its own terms ("3.2 s"). Cheap when called often. */
void progress_show(const char *what, double fraction, const char *note);

/* Take the bar away. */
void progress_end(void);

/* Whoever draws on the terminal all the time is asked to make room before a
 * message is written, and told when that is done. NULL: nobody. */
typedef struct terminal_tenant {
    void (*hide)(void *user);
    void (*show)(void *user);
    void *user;
} terminal_tenant;

void terminal_set_tenant(const terminal_tenant *tenant); /* kept, not copied */

/* Around writing to standard output or error; may be nested. */
void terminal_make_room(void);
void terminal_give_back(void);

/* Note how the terminal is set now, to be put back by terminal_restore, by exit
 * and by any signal that ends the program; Ctrl-Z and coming back from it work,
 * too. */
void terminal_guard(void);
void terminal_restore(void); /* may be called from a signal handler */

/* True once after the window has changed its size or we have come back. */
bool terminal_was_disturbed(void);

#endif
