/* bindings/cli/console/signals.c -- Ctrl-C and the signals that end the
 * program. Thread: the handler runs on any thread; all else on control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/stop.h"

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t was_interrupted;
static volatile sig_atomic_t interrupts_are_kept;
static volatile sig_atomic_t must_end; /* SIGTERM and others: never kept */
static atomic_bool any_signal;         /* lock-free, so a handler may set it */
static atomic_bool ends_work;          /* likewise; unless it is kept */

/* The second signal ends the program at once, in case it hangs. */
static void on_signal(int number) {
    if (was_interrupted || must_end) {
        terminal_restore();
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    atomic_store(&any_signal, true);
    if (number != SIGINT || !interrupts_are_kept)
        atomic_store(&ends_work, true);
    if (number == SIGINT) {
        was_interrupted = 1;
    } else {
        must_end = 1;
    }
}

void catch_interrupts(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal}, before;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* What is ignored stays ignored: nohup and shells set it. */
        bool is_ignored = !sigaction(numbers[i], NULL, &before) &&
                          before.sa_handler == SIG_IGN;
        if (!is_ignored) (void)sigaction(numbers[i], &action, NULL);
    }
    sb_stop_watch(&ends_work);
    pipe_out_open(); /* a write to a pipe would not be interrupted */
}

void keep_interrupts(bool are_kept) {
    interrupts_are_kept = are_kept;
}

bool take_interrupt(void) {
    bool was = was_interrupted != 0;
    was_interrupted = 0;
    atomic_store(&any_signal, must_end != 0);
    atomic_store(&ends_work, must_end != 0);
    return was;
}

bool is_interrupted(void) {
    return must_end || (was_interrupted && !interrupts_are_kept);
}

const atomic_bool *interrupt_flag(void) {
    return &any_signal;
}

bool must_stop_now(void *user) {
    (void)user;
    return is_interrupted();
}
