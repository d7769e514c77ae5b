/* SPDX-License-Identifier: MIT */
/* runtime/deform/team.h -- threads that take short steps together.
 *
 * A member waits at the barrier by spinning for some microseconds and sleeps
 * after that, so that a busy machine is not slowed further.
 *
 * Thread: the one that calls sb_team_run is member 0. Memory: none is kept.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

enum { SB_TEAM_MOST = 16 };

typedef struct sb_team {
    int count; /* members that run */
    atomic_int waiting;
    atomic_int round;
    atomic_int sleeping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
} sb_team;

typedef void (*sb_team_work)(void *context, sb_team *team, int member);

/* Runs `work` on up to `threads` members at the same time and returns when all
 * are done; with fewer if no more threads can be started. */
void sb_team_run(int threads, sb_team_work work, void *context);

/* Returns when all members have called it. */
void sb_team_wait(sb_team *team);

/* The part of `count` things that is a member's: [first, last). */
void sb_team_share(const sb_team *team, int member, int count, int *first,
                   int *last);
