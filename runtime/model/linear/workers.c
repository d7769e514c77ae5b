/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/workers.h"

#include "runtime/base/clock.h"
#include "runtime/base/locale.h"
#include "runtime/base/stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct crew {
    atomic_int next;
    int part_count;
    sb_work work;
    void *context;
    const atomic_bool *stop; /* of the thread that they work for */
    sb_effort_ns *effort;    /* likewise */
} crew;

static void *take_parts(void *argument) {
    crew *shared = argument;
    for (;;) {
        int part = atomic_fetch_add(&shared->next, 1);
        if (part >= shared->part_count || sb_stop_is_wanted()) return NULL;
        shared->work(shared->context, part);
    }
}

static void *help(void *argument) {
    const crew *shared = argument;
    (void)sb_locale_enter();
    sb_stop_watch(shared->stop);
    (void)take_parts(argument);
    (void)atomic_fetch_add(shared->effort, (int64_t)(1e9 * sb_effort_s()));
    return NULL;
}

int sb_workers_default(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1) return 1;
    return cores > SB_WORKERS_MAX ? SB_WORKERS_MAX : (int)cores;
}

void sb_workers_run(int thread_count, int part_count, sb_work work,
                    void *context) {
    crew shared = {0,       part_count,        work,
                   context, sb_stop_watched(), sb_effort_helped()};
    pthread_t threads[SB_WORKERS_MAX];
    int started = 0;
    if (thread_count > SB_WORKERS_MAX) thread_count = SB_WORKERS_MAX;
    if (thread_count > part_count) thread_count = part_count;
    while (started < thread_count - 1 &&
           !pthread_create(&threads[started], NULL, help, &shared)) {
        started++;
    }
    (void)take_parts(&shared);
    for (int i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}
