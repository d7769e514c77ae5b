#include "runtime/engine/output/keeper.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct sb_keeper {
    sb_device_api api;
    sb_device_def def; /* of the copies below */
    char backend[SB_DEVICE_BACKEND_SIZE];
    char device[SB_DEVICE_NAME_SIZE];
    sb_feed feed;
    /* Written by the keeper before it says OPEN or FAILED. */
    void *card;
    sb_device_facts facts;
    sb_error reason;
    sb_status status;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    sb_keeper_state state;
    bool is_called_home;
    int owners;
};

static void keeper_free(sb_keeper *keeper) {
    (void)pthread_cond_destroy(&keeper->changed);
    (void)pthread_mutex_destroy(&keeper->lock);
    sb_free(keeper);
}

static void let_go(sb_keeper *keeper) {
    (void)pthread_mutex_lock(&keeper->lock);
    bool is_last = --keeper->owners == 0;
    (void)pthread_mutex_unlock(&keeper->lock);
    if (is_last) keeper_free(keeper);
}

static void say_open(sb_keeper *keeper) {
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->state = SB_KEEPER_OPEN;
    (void)pthread_cond_broadcast(&keeper->changed);
    (void)pthread_mutex_unlock(&keeper->lock);
}

/* The keeper's last word. It lets go in the same breath, so that whoever sees
 * it home and forgets it knows that its memory is free. */
static void go_home(sb_keeper *keeper, sb_keeper_state state) {
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->state = state;
    bool is_last = --keeper->owners == 0;
    (void)pthread_cond_broadcast(&keeper->changed);
    (void)pthread_mutex_unlock(&keeper->lock);
    if (is_last) keeper_free(keeper);
}

static void wait_for_the_call(sb_keeper *keeper) {
    (void)pthread_mutex_lock(&keeper->lock);
    while (!keeper->is_called_home)
        (void)pthread_cond_wait(&keeper->changed, &keeper->lock);
    (void)pthread_mutex_unlock(&keeper->lock);
}

static void *keep(void *argument) {
    sb_keeper *keeper = argument;
    const sb_device_api *api = &keeper->api;
    keeper->status = api->open(api->user, &keeper->def, &keeper->feed,
                               &keeper->card, &keeper->facts, &keeper->reason);
    if (keeper->status) {
        go_home(keeper, SB_KEEPER_FAILED);
        return NULL;
    }
    say_open(keeper);
    wait_for_the_call(keeper);
    api->close(api->user, keeper->card);
    go_home(keeper, SB_KEEPER_HOME);
    return NULL;
}

static const char *copy_or_null(char *copy, size_t size, const char *text) {
    if (!text) return NULL;
    (void)snprintf(copy, size, "%s", text);
    return copy;
}

static sb_status start_thread(sb_keeper *keeper, sb_error *err) {
    pthread_t thread;
    int failed = pthread_create(&thread, NULL, keep, keeper);
    if (failed) {
        return sb_fail(err, SB_NO_MEMORY, "device: no thread: %s",
                       strerror(failed));
    }
    (void)pthread_detach(thread);
    return SB_OK;
}

sb_status sb_keeper_send_out(const sb_device_api *api, const sb_device_def *def,
                             sb_engine *engine, sb_deadlines *deadlines,
                             sb_keeper **out, sb_error *err) {
    sb_keeper *keeper = sb_alloc(1, sizeof *keeper);
    if (!keeper) return sb_fail(err, SB_NO_MEMORY, "device: out of memory");
    keeper->api = *api;
    keeper->def.backend =
        copy_or_null(keeper->backend, sizeof keeper->backend, def->backend);
    keeper->def.device =
        copy_or_null(keeper->device, sizeof keeper->device, def->device);
    keeper->def.sample_rate_hz = def->sample_rate_hz;
    sb_feed_init(&keeper->feed, engine, deadlines);
    keeper->owners = 2;
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&keeper->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&keeper->lock, NULL);
    sb_status status = start_thread(keeper, err);
    if (status) {
        keeper_free(keeper);
    } else {
        *out = keeper;
    }
    return status;
}

sb_keeper_state sb_keeper_state_of(sb_keeper *keeper) {
    (void)pthread_mutex_lock(&keeper->lock);
    sb_keeper_state state = keeper->state;
    (void)pthread_mutex_unlock(&keeper->lock);
    return state;
}

/* Until the state is at least this, or the time is over. */
static bool wait_until(sb_keeper *keeper, sb_keeper_state least,
                       double limit_s) {
    struct timespec until = sb_clock_after(limit_s);
    (void)pthread_mutex_lock(&keeper->lock);
    int late = 0;
    while (keeper->state < least && limit_s > 0.0 && !late)
        late = pthread_cond_timedwait(&keeper->changed, &keeper->lock, &until);
    bool is_there = keeper->state >= least;
    (void)pthread_mutex_unlock(&keeper->lock);
    return is_there;
}

bool sb_keeper_wait_open(sb_keeper *keeper, double limit_s) {
    return wait_until(keeper, SB_KEEPER_OPEN, limit_s);
}

bool sb_keeper_is_home(sb_keeper *keeper, double limit_s) {
    return wait_until(keeper, SB_KEEPER_FAILED, limit_s);
}

sb_feed *sb_keeper_feed(sb_keeper *keeper) {
    return &keeper->feed;
}

const sb_device_facts *sb_keeper_facts(const sb_keeper *keeper) {
    return &keeper->facts;
}

sb_status sb_keeper_reason(const sb_keeper *keeper, sb_error *err) {
    if (err) *err = keeper->reason;
    return keeper->status;
}

void sb_keeper_send_home(sb_keeper *keeper) {
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->is_called_home = true;
    (void)pthread_cond_broadcast(&keeper->changed);
    (void)pthread_mutex_unlock(&keeper->lock);
}

void sb_keeper_forget(sb_keeper *keeper) {
    if (keeper) let_go(keeper);
}
