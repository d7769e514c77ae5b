/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/watchdog.h -- interrupts scripts that run too long.
 *
 * A running script has a deadline in the processor time of its thread, so a
 * busy machine takes nothing from its budget. One thread for the whole program
 * checks all deadlines every few milliseconds. When one has passed, it sets
 * `is_late`, which the count hook and our library functions read, and sends the
 * thread a signal (SIGURG, which is ignored by default). Signals of others go to
 * the handler that was there before, which is set again after the last watch.
 * Our signal handler makes the next instruction call the hook: a single instruction, such as a
 * comparison of two long strings, can take milliseconds.
 *
 * Thread: arm, disarm and the handler run on the thread that runs the script.
 * Memory: a watch belongs to the caller, and must not move while added.
 */
#pragma once

#include "runtime/base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct time_watch {
    atomic_bool is_late;
    void (*on_late)(void *user); /* called in the signal handler */
    void *user;
    /* The watchdog's own members, protected by its lock. */
    bool is_added, is_armed;
    double deadline_s; /* of the thread's processor time */
    clockid_t clock;
    pthread_t thread;
    struct time_watch *next;
} time_watch;

/* Add a watch. The thread starts with the first watch and ends with the last.
 * NO_MEMORY: the thread could not be created. */
SB_NODISCARD sb_status watchdog_add(time_watch *self);
void watchdog_remove(time_watch *self); /* no effect if not added */

/* Start a budget of `budget_s` for this thread. Arming again restarts it. */
void watchdog_arm(time_watch *self, double budget_s);
void watchdog_disarm(time_watch *self);

/* From any thread: how long ago the deadline was; 0 if there is none or it is
 * yet to come. */
double watchdog_overdue_s(const time_watch *self);

/* Disarm, and return what is left of the budget, for watchdog_arm. */
double watchdog_pause(time_watch *self);
