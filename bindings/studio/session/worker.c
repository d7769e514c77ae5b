/* SPDX-License-Identifier: MIT */
/* Runs jobs on threads, and hands back what they have made. */
#include "bindings/studio/session/session_internal.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"

enum { MOST_JOBS = 4096 };

typedef struct job {
    worker_job *run;
    void *data;
    struct job *next;
} job;

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t came;
    job *first, **last;
    int count;
    atomic_bool must_stop; /* the job under way ends, too (stop.h) */
};

static void *work(void *user) {
    worker *self = user;
    (void)pthread_setname_np(pthread_self(), "studio-work");
    sb_stop_watch(&self->must_stop);
    (void)pthread_mutex_lock(&self->lock);
    while (!self->must_stop) {
        job *next = self->first;
        if (!next) {
            (void)pthread_cond_wait(&self->came, &self->lock);
            continue;
        }
        self->first = next->next;
        if (!self->first) self->last = &self->first;
        self->count--;
        (void)pthread_mutex_unlock(&self->lock);
        next->run(next->data, false);
        sb_free(next);
        (void)pthread_mutex_lock(&self->lock);
    }
    (void)pthread_mutex_unlock(&self->lock);
    return NULL;
}

sb_status worker_open(worker **out, sb_error *err) {
    worker *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "studio");
    self->last = &self->first;
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->came, NULL);
    if (pthread_create(&self->thread, NULL, work, self)) {
        (void)pthread_mutex_destroy(&self->lock);
        (void)pthread_cond_destroy(&self->came);
        sb_free(self);
        return sb_fail(err, SB_NO_MEMORY, "studio: no thread for its work");
    }
    *out = self;
    return SB_OK;
}

void worker_close(worker *self) {
    if (!self) return;
    (void)pthread_mutex_lock(&self->lock);
    self->must_stop = true;
    (void)pthread_cond_signal(&self->came);
    (void)pthread_mutex_unlock(&self->lock);
    (void)pthread_join(self->thread, NULL);
    while (self->first) {
        job *next = self->first;
        self->first = next->next;
        next->run(next->data, true);
        sb_free(next);
    }
    (void)pthread_mutex_destroy(&self->lock);
    (void)pthread_cond_destroy(&self->came);
    sb_free(self);
}

bool worker_post(worker *self, worker_job *run, void *data) {
    job *item = sb_alloc(1, sizeof *item);
    if (!item) return false;
    *item = (job){run, data, NULL};
    (void)pthread_mutex_lock(&self->lock);
    bool is_room = self->count < MOST_JOBS;
    if (is_room) {
        *self->last = item;
        self->last = &item->next;
        self->count++;
        (void)pthread_cond_signal(&self->came);
    }
    (void)pthread_mutex_unlock(&self->lock);
    if (!is_room) sb_free(item);
    return is_room;
}

bool session_work(session *self, worker_job *run, void *data) {
    return worker_post(self->workers.worker, run, data);
}

/* --- what they have made ------------------------------------------------------- */

typedef struct session_done {
    session_taker *take;
    void *data;
    struct session_done *next;
} session_done;

void session_finish(session *self, session_taker *take, void *data) {
    session_done *done = sb_alloc(1, sizeof *done);
    if (!done) return; /* the memory of `data` is lost with all the rest */
    *done = (session_done){take, data, NULL};
    (void)pthread_mutex_lock(&self->workers.lock);
    session_done **last = &self->workers.done;
    while (*last)
        last = &(*last)->next;
    *last = done;
    (void)pthread_mutex_unlock(&self->workers.lock);
}

void session_take_finished(session *self, double time_s) {
    (void)pthread_mutex_lock(&self->workers.lock);
    session_done *done = self->workers.done;
    self->workers.done = NULL;
    (void)pthread_mutex_unlock(&self->workers.lock);
    while (done) {
        session_done *next = done->next;
        done->take(self, done->data, time_s);
        sb_free(done);
        done = next;
    }
}
