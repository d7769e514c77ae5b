/* bindings/cli/console/terminal_guard.c -- restores the terminal's settings
 * when the program ends.
 *
 * While a line is edited, the terminal passes on single keys and does not echo
 * them. A program that ended in this mode would leave a shell without echo, so
 * every exit calls terminal_restore.
 * Thread: control; also signal handlers. */
#include "bindings/cli/console/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios found;
static volatile sig_atomic_t is_guarded;
static volatile sig_atomic_t was_disturbed;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { DEADLY_COUNT = sizeof deadly / sizeof *deadly };
static struct sigaction before[DEADLY_COUNT];

void terminal_restore(void) {
    if (!is_guarded) return;
    int error = errno;
    is_guarded = 0;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    errno = error;
}

/* Runs once: the signal's default action follows when the handler returns. */
static void on_deadly(int number) {
    terminal_restore();
    for (int i = 0; i < DEADLY_COUNT; i++) {
        if (deadly[i] == number) (void)sigaction(number, &before[i], NULL);
    }
    (void)raise(number);
}

static void on_resize(int number) {
    (void)number;
    was_disturbed = 1;
}

static void on_suspend(int number) {
    (void)number;
    int error = errno;
    struct termios own;
    bool is_ours = is_guarded && tcgetattr(STDIN_FILENO, &own) == 0;
    if (is_ours) (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    (void)kill(getpid(), SIGSTOP);
    /* Continued after Ctrl-Z: set the editing mode again. */
    if (is_ours) (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &own);
    was_disturbed = 1;
    errno = error;
}

static void catch_signal(int number, void (*handler)(int),
                         struct sigaction *old) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, old);
}

void terminal_guard(void) {
    static bool is_ready;
    if (is_guarded || tcgetattr(STDIN_FILENO, &found)) return;
    is_guarded = 1;
    if (is_ready) return;
    is_ready = true;
    (void)atexit(terminal_restore);
    for (int i = 0; i < DEADLY_COUNT; i++)
        catch_signal(deadly[i], on_deadly, &before[i]);
    catch_signal(SIGWINCH, on_resize, NULL);
    catch_signal(SIGTSTP, on_suspend, NULL);
}

bool terminal_was_disturbed(void) {
    bool was = was_disturbed;
    was_disturbed = 0;
    return was;
}
