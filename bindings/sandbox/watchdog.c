/* SPDX-License-Identifier: MIT */
#include "bindings/sandbox/watchdog.h"

#include "runtime/base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

/* A tenth of the shortest budget. */
enum { TICK_NS = 5000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static time_watch *first; /* list of all added watches */
static bool is_asleep;    /* the thread waits for a watch to be armed */
static uintptr_t shift;   /* the thread ends when this changes */
static pthread_t dog;     /* runs while there is a watch */
static struct sigaction old_action;

/* The watch of this thread, for the signal handler. */
static _Thread_local time_watch *volatile running;

/* A signal that is not ours goes to the handler that was there before us. That
 * one may be above and below us, and call us again. */
static void pass_on(int number, siginfo_t *info, void *context) {
    static _Thread_local volatile bool is_passing;
    if (is_passing) return;
    is_passing = true;
    if (old_action.sa_flags & SA_SIGINFO)
        old_action.sa_sigaction(number, info, context);
    else if (old_action.sa_handler != SIG_DFL &&
             old_action.sa_handler != SIG_IGN)
        old_action.sa_handler(number);
    is_passing = false;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    int kept = errno;
    time_watch *self = running;
    if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &lock)
        pass_on(number, info, context);
    else if (self && atomic_load(&self->is_late))
        self->on_late(self->user);
    errno = kept;
}

/* Check every armed watch; false if there is none. A late one gets its signal
 * repeatedly, because one signal may arrive between two coroutines. */
static bool look(void) {
    bool is_any = false;
    for (time_watch *self = first; self; self = self->next) {
        if (!self->is_armed) continue;
        is_any = true;
        if (sb_clock_read_s(self->clock) < self->deadline_s) continue;
        atomic_store(&self->is_late, true);
        (void)pthread_sigqueue(self->thread, SIGURG,
                               (union sigval){.sival_ptr = &lock});
    }
    return is_any;
}

static void *watch_all(void *argument) {
    uintptr_t own = (uintptr_t)argument;
    (void)pthread_mutex_lock(&lock);
    while (shift == own) {
        if (look()) {
            (void)pthread_mutex_unlock(&lock);
            (void)nanosleep(&(struct timespec){0, TICK_NS}, NULL);
            (void)pthread_mutex_lock(&lock);
        } else {
            is_asleep = true;
            (void)pthread_cond_wait(&work, &lock);
            is_asleep = false;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return NULL;
}

/* Start the thread with all signals blocked: others handle them. */
static bool start(void) {
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    shift++; /* a thread that is still ending must not continue */
    bool is_well = pthread_create(&dog, NULL, watch_all, (void *)shift) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_well) return false;
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_RESTART | SA_ONSTACK |
                                           SA_SIGINFO}; /* Go needs a stack */
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGURG, NULL, &old_action); /* before it is called */
    (void)sigaction(SIGURG, &action, NULL);
    return true;
}

/* A handler that was set above ours stays. */
static void restore_action(void) {
    struct sigaction now;
    if (!sigaction(SIGURG, NULL, &now) && now.sa_sigaction == on_signal)
        (void)sigaction(SIGURG, &old_action, NULL);
}

sb_status watchdog_add(time_watch *self) {
    (void)pthread_mutex_lock(&lock);
    bool is_well = first || start();
    if (is_well) {
        self->next = first;
        first = self;
        self->is_added = true;
    }
    (void)pthread_mutex_unlock(&lock);
    return is_well ? SB_OK : SB_NO_MEMORY;
}

void watchdog_remove(time_watch *self) {
    if (!self->is_added) return;
    (void)pthread_mutex_lock(&lock);
    time_watch **at = &first;
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    self->is_added = false;
    bool is_last = !first;
    pthread_t ended = dog;
    if (is_last) {
        shift++;
        (void)pthread_cond_broadcast(&work);
        restore_action();
    }
    (void)pthread_mutex_unlock(&lock);
    if (is_last) (void)pthread_join(ended, NULL);
}

void watchdog_arm(time_watch *self, double budget_s) {
    clockid_t clock;
    pthread_t thread = pthread_self();
    if (pthread_getcpuclockid(thread, &clock)) clock = CLOCK_MONOTONIC;
    (void)pthread_mutex_lock(&lock);
    self->thread = thread;
    self->clock = clock;
    self->deadline_s = sb_clock_read_s(clock) + budget_s;
    self->is_armed = true;
    atomic_store(&self->is_late, false);
    if (is_asleep) (void)pthread_cond_broadcast(&work);
    (void)pthread_mutex_unlock(&lock);
    running = self;
}

void watchdog_disarm(time_watch *self) {
    running = NULL;
    (void)pthread_mutex_lock(&lock);
    self->is_armed = false;
    (void)pthread_mutex_unlock(&lock);
}

double watchdog_overdue_s(const time_watch *self) {
    (void)pthread_mutex_lock(&lock);
    double late_s = 0.0;
    if (self->is_armed)
        late_s = sb_clock_read_s(self->clock) - self->deadline_s;
    (void)pthread_mutex_unlock(&lock);
    return late_s > 0.0 ? late_s : 0.0;
}

double watchdog_pause(time_watch *self) {
    watchdog_disarm(self);
    return self->deadline_s - sb_clock_read_s(self->clock);
}
