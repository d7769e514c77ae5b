/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/term_guard.h -- keeps the program's handler of SIGTERM
 * while METIS runs.
 *
 * METIS catches SIGTERM for its own errors: METIS_NodeND, which orders a matrix
 * for seconds, sets a handler that jumps to a place stored per thread. On any
 * other thread, such as the one that a signal to the process goes to, there is
 * no such place, and the program crashes. Two calls at the same time restore
 * their handlers in the wrong order, so that METIS's stays.
 *
 * Between begin and end a thread looks 5000 times a second, and once more at the
 * end, whether the handler is the one found before the first of several calls,
 * and sets that one again. A program that changes its handler meanwhile loses
 * the change.
 *
 * Thread: any; several guards may be open at the same time.
 * Memory: the caller's. Without a thread the handler is set at the end only.
 * Source: METIS 5.1, GKlib/error.c, gk_sigtrap.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

typedef struct sb_term_guard {
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_over; /* under the lock */
} sb_term_guard;

void sb_term_guard_begin(sb_term_guard *guard);
void sb_term_guard_end(sb_term_guard *guard);

/* How often the handler has been set again since the program began: for
 * tests. */
int sb_term_guard_set_count(void);
