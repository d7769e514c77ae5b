/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/term_guard.h"

#include <signal.h>
#include <time.h>

/* Looking takes about 2 us. */
enum { WAIT_NS = 200000 };

static struct {
    pthread_mutex_t lock;
    int count;     /* guards open */
    int set_count; /* times the handler was set again */
    struct sigaction action;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void set_again(void) {
    struct sigaction now;
    (void)pthread_mutex_lock(&kept.lock);
    if (!sigaction(SIGTERM, NULL, &now) &&
        now.sa_handler != kept.action.sa_handler) {
        (void)sigaction(SIGTERM, &kept.action, NULL);
        kept.set_count++;
    }
    (void)pthread_mutex_unlock(&kept.lock);
}

static void wait_a_little(sb_term_guard *guard) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&guard->ended, &guard->lock, &until);
}

static void *watch(void *argument) {
    sb_term_guard *guard = argument;
    (void)pthread_mutex_lock(&guard->lock);
    while (!guard->is_over) {
        wait_a_little(guard);
        set_again();
    }
    (void)pthread_mutex_unlock(&guard->lock);
    return NULL;
}

/* The thread takes no signals of the program's. */
static bool start(sb_term_guard *guard) {
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&guard->thread, NULL, watch, guard);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

void sb_term_guard_begin(sb_term_guard *guard) {
    *guard = (sb_term_guard){0};
    (void)pthread_mutex_lock(&kept.lock);
    if (kept.count++ == 0) (void)sigaction(SIGTERM, NULL, &kept.action);
    (void)pthread_mutex_unlock(&kept.lock);
    (void)pthread_mutex_init(&guard->lock, NULL);
    (void)pthread_cond_init(&guard->ended, NULL);
    guard->has_thread = start(guard);
}

void sb_term_guard_end(sb_term_guard *guard) {
    (void)pthread_mutex_lock(&guard->lock);
    guard->is_over = true;
    (void)pthread_cond_signal(&guard->ended);
    (void)pthread_mutex_unlock(&guard->lock);
    if (guard->has_thread) (void)pthread_join(guard->thread, NULL);
    (void)pthread_cond_destroy(&guard->ended);
    (void)pthread_mutex_destroy(&guard->lock);
    set_again();
    (void)pthread_mutex_lock(&kept.lock);
    kept.count--;
    (void)pthread_mutex_unlock(&kept.lock);
}

int sb_term_guard_set_count(void) {
    (void)pthread_mutex_lock(&kept.lock);
    int count = kept.set_count;
    (void)pthread_mutex_unlock(&kept.lock);
    return count;
}
