/* SPDX-License-Identifier: MIT */
#include "runtime/deform/team.h"

#include "runtime/base/locale.h"

/* About 30 us: longer than most waits. */
enum { SPINS = 1000 };

typedef struct crew {
    sb_team team;
    sb_team_work work;
    void *context;
    atomic_int next; /* member number */
} crew;

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Sleeps while the round is `is`; the last to arrive wakes whoever sleeps. */
static void sleep_while(sb_team *team, int is) {
    (void)pthread_mutex_lock(&team->lock);
    (void)atomic_fetch_add(&team->sleeping, 1);
    while (atomic_load(&team->round) == is) {
        (void)pthread_cond_wait(&team->woken, &team->lock);
    }
    (void)atomic_fetch_sub(&team->sleeping, 1);
    (void)pthread_mutex_unlock(&team->lock);
}

static void wait_while(sb_team *team, int is) {
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&team->round, memory_order_acquire) != is)
            return;
        relax();
    }
    sleep_while(team, is);
}

static void next_round(sb_team *team, int round) {
    atomic_store(&team->round, round + 1);
    if (atomic_load(&team->sleeping) == 0) return;
    (void)pthread_mutex_lock(&team->lock);
    (void)pthread_cond_broadcast(&team->woken);
    (void)pthread_mutex_unlock(&team->lock);
}

/* Round -1 is before all threads have started. */
static void *join_in(void *argument) {
    crew *shared = argument;
    (void)sb_locale_enter();
    int member = atomic_fetch_add(&shared->next, 1);
    wait_while(&shared->team, -1);
    shared->work(shared->context, &shared->team, member);
    return NULL;
}

void sb_team_run(int threads, sb_team_work work, void *context) {
    crew shared = {
        .team = {.round = -1}, .work = work, .context = context, .next = 1};
    pthread_t started[SB_TEAM_MOST];
    int count = 0;
    (void)pthread_mutex_init(&shared.team.lock, NULL);
    (void)pthread_cond_init(&shared.team.woken, NULL);
    if (threads > SB_TEAM_MOST) threads = SB_TEAM_MOST;
    while (count < threads - 1 &&
           !pthread_create(&started[count], NULL, join_in, &shared)) {
        count++;
    }
    shared.team.count = count + 1;
    next_round(&shared.team, -1);
    work(context, &shared.team, 0);
    for (int i = 0; i < count; i++) {
        (void)pthread_join(started[i], NULL);
    }
    (void)pthread_cond_destroy(&shared.team.woken);
    (void)pthread_mutex_destroy(&shared.team.lock);
}

void sb_team_wait(sb_team *team) {
    if (team->count == 1) return;
    int round = atomic_load_explicit(&team->round, memory_order_relaxed);
    if (atomic_fetch_add(&team->waiting, 1) == team->count - 1) {
        atomic_store_explicit(&team->waiting, 0, memory_order_relaxed);
        next_round(team, round);
    } else {
        wait_while(team, round);
    }
}

void sb_team_share(const sb_team *team, int member, int count, int *first,
                   int *last) {
    *first = (int)((long long)count * member / team->count);
    *last = (int)((long long)count * (member + 1) / team->count);
}
