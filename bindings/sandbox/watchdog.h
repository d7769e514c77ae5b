/* bindings/sandbox/watchdog.h -- someone who looks at the clock while a script runs.
 *
 * A script that runs has a deadline in the processor time of its own thread: a
 * busy machine takes nothing from a script's budget, and a script that waits
 * for nothing cannot hide. One thread for the whole program looks at all
 * deadlines every few milliseconds. When one has passed it sets `is_late`,
 * which the script's count hook and our library functions read, and sends the
 * thread a signal (SIGURG, which does nothing when nobody expects it) whose
 * handler makes the very next instruction call that hook: some instructions,
 * such as comparing two long strings, take milliseconds.
 *
 * Thread: arm, disarm and the handler on the thread that runs the script.
 * Memory: a watch belongs to the caller, and must not move while added.
 */
#ifndef SB_BINDINGS_SANDBOX_WATCHDOG_H
#define SB_BINDINGS_SANDBOX_WATCHDOG_H

#include "runtime/base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct time_watch {
    atomic_bool is_late;
    void (*on_late)(void *user); /* called in the signal's handler */
    void *user;
    /* The rest is the watchdog's, under its lock. */
    bool is_added, is_armed;
    double deadline_s; /* of the thread's processor time */
    clockid_t clock;
    pthread_t thread;
    struct time_watch *next;
} time_watch;

/* The thread starts with the first watch and ends with the last. NO_MEMORY:
 * there is no thread to be had. */
SB_NODISCARD sb_status watchdog_add(time_watch *self);
void watchdog_remove(time_watch *self); /* nothing when not added */

/* From now on this thread has `budget_s`. Arming again starts afresh. */
void watchdog_arm(time_watch *self, double budget_s);
void watchdog_disarm(time_watch *self);

#endif
