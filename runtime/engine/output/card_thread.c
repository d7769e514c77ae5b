/* SPDX-License-Identifier: MIT */
/* The thread that opens and closes one card, and the control side that waits
 * for it. Thread: control, and its own. */
#include "runtime/engine/output/card_thread.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/output/feed.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct sb_card_thread {
    sb_device_api api;
    sb_device_def def; /* refers to the copies below */
    char backend[SB_DEVICE_BACKEND_SIZE];
    char device[SB_DEVICE_NAME_SIZE];
    sb_feed feed;
    /* Written by the thread before the state is OPEN or FAILED. */
    void *card;
    sb_device_facts facts;
    sb_error reason;
    sb_status status;
    pthread_mutex_t lock; /* protects everything below */
    pthread_cond_t changed;
    sb_card_state state;
    bool is_called_home;
    int owners;
};

static void free_thread(sb_card_thread *thread) {
    (void)pthread_cond_destroy(&thread->changed);
    (void)pthread_mutex_destroy(&thread->lock);
    sb_free(thread);
}

static void let_go(sb_card_thread *thread) {
    (void)pthread_mutex_lock(&thread->lock);
    bool is_last = --thread->owners == 0;
    (void)pthread_mutex_unlock(&thread->lock);
    if (is_last) free_thread(thread);
}

/* If it is the thread's last action, its reference is released under the same
 * lock: once the state CLOSED is visible, the caller's release frees the
 * memory. */
static void set_state(sb_card_thread *thread, sb_card_state state,
                      bool is_over) {
    (void)pthread_mutex_lock(&thread->lock);
    thread->state = state;
    bool is_last = is_over && --thread->owners == 0;
    (void)pthread_cond_broadcast(&thread->changed);
    (void)pthread_mutex_unlock(&thread->lock);
    if (is_last) free_thread(thread);
}

static void wait_for_stop(sb_card_thread *thread) {
    (void)pthread_mutex_lock(&thread->lock);
    while (!thread->is_called_home)
        (void)pthread_cond_wait(&thread->changed, &thread->lock);
    (void)pthread_mutex_unlock(&thread->lock);
}

static void *keep(void *argument) {
    sb_card_thread *thread = argument;
    const sb_device_api *api = &thread->api;
    thread->status = api->open(api->user, &thread->def, &thread->feed,
                               &thread->card, &thread->facts, &thread->reason);
    if (thread->status) {
        set_state(thread, SB_CARD_FAILED, true);
        return NULL;
    }
    set_state(thread, SB_CARD_OPEN, false);
    wait_for_stop(thread);
    api->close(api->user, thread->card);
    set_state(thread, SB_CARD_CLOSED, true);
    return NULL;
}

static const char *copy_or_null(char *copy, size_t size, const char *text) {
    if (!text) return NULL;
    (void)snprintf(copy, size, "%s", text);
    return copy;
}

static sb_status start_thread(sb_card_thread *thread, sb_error *err) {
    pthread_t id;
    int failed = pthread_create(&id, NULL, keep, thread);
    if (failed) {
        return sb_fail(err, SB_NO_MEMORY, "device: no thread: %s",
                       strerror(failed));
    }
    (void)pthread_detach(id);
    return SB_OK;
}

sb_status sb_card_thread_start(const sb_device_api *api,
                               const sb_device_def *def, sb_engine *engine,
                               sb_deadlines *deadlines, sb_card_thread **out,
                               sb_error *err) {
    sb_card_thread *thread = sb_alloc(1, sizeof *thread);
    if (!thread) return sb_no_memory(err, "device");
    thread->api = *api;
    thread->def.backend =
        copy_or_null(thread->backend, sizeof thread->backend, def->backend);
    thread->def.device =
        copy_or_null(thread->device, sizeof thread->device, def->device);
    thread->def.sample_rate_hz = def->sample_rate_hz;
    sb_feed_init(&thread->feed, engine, deadlines);
    thread->owners = 2;
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&thread->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&thread->lock, NULL);
    sb_status status = start_thread(thread, err);
    if (status) {
        free_thread(thread);
    } else {
        *out = thread;
    }
    return status;
}

sb_card_state sb_card_thread_state(sb_card_thread *thread) {
    (void)pthread_mutex_lock(&thread->lock);
    sb_card_state state = thread->state;
    (void)pthread_mutex_unlock(&thread->lock);
    return state;
}

/* Wait until the state is at least this, or the time is over. */
static bool wait_until(sb_card_thread *thread, sb_card_state least,
                       double limit_s) {
    struct timespec until = sb_clock_after(limit_s);
    (void)pthread_mutex_lock(&thread->lock);
    int late = 0;
    while (thread->state < least && limit_s > 0.0 && !late)
        late = pthread_cond_timedwait(&thread->changed, &thread->lock, &until);
    bool is_there = thread->state >= least;
    (void)pthread_mutex_unlock(&thread->lock);
    return is_there;
}

bool sb_card_thread_wait_open(sb_card_thread *thread, double limit_s) {
    return wait_until(thread, SB_CARD_OPEN, limit_s);
}

bool sb_card_thread_is_closed(sb_card_thread *thread, double limit_s) {
    return wait_until(thread, SB_CARD_FAILED, limit_s);
}

sb_feed *sb_card_thread_feed(sb_card_thread *thread) {
    return &thread->feed;
}

const sb_device_facts *sb_card_thread_facts(const sb_card_thread *thread) {
    return &thread->facts;
}

sb_status sb_card_thread_reason(const sb_card_thread *thread, sb_error *err) {
    if (err) *err = thread->reason;
    return thread->status;
}

void sb_card_thread_stop(sb_card_thread *thread) {
    (void)pthread_mutex_lock(&thread->lock);
    thread->is_called_home = true;
    (void)pthread_cond_broadcast(&thread->changed);
    (void)pthread_mutex_unlock(&thread->lock);
}

void sb_card_thread_release(sb_card_thread *thread) {
    if (thread) let_go(thread);
}
