/* SPDX-License-Identifier: MIT */
/* Queues in front of pipes (pipe_out.h). The writers' threads own nothing but
 * the bytes that they write. */
#include "bindings/cli/console/pipe_out.h"

#include "bindings/cli/console/console.h"
#include "bindings/script/script.h"
#include "runtime/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS   50000000 /* so often a wait asks for Ctrl-C */
#define GIVE_UP_S 0.5      /* after Ctrl-C, without a byte read */

enum {
    QUEUE_BYTES = 1 << 18, /* more than a scene may print at once */
    PART_BYTES = 4096,     /* per write; longer lines are taken in parts */
    NOTE_BYTES = 64        /* of the line that counts others */
};

typedef struct pipe_queue {
    int descriptor;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    char bytes[QUEUE_BYTES]; /* a ring */
    size_t first, count;
    long long written;
    bool has_failed;
    bool is_gone;        /* its reader, and that is no failure */
    bool is_in_line;     /* the last byte put is no newline */
    bool is_leaving_out; /* the rest of a line */
    long long left_out;  /* lines, not yet said */
} pipe_queue;

static pipe_queue queues[2]; /* of stdout and stderr; one for both if equal */
static int queue_count;
static bool is_live, outlives_readers;

/* --- the thread that writes ------------------------------------------------- */

static ssize_t write_some(int descriptor, const char *bytes, size_t count) {
    ssize_t done = write(descriptor, bytes, count);
    if (done >= 0 || (errno != EAGAIN && errno != EINTR)) return done;
    /* Whoever shares the pipe may have made it non-blocking. */
    struct pollfd one = {.fd = descriptor, .events = POLLOUT};
    if (errno == EAGAIN) (void)poll(&one, 1, -1);
    return 0;
}

static void *write_queue(void *user) {
    pipe_queue *self = user;
    (void)pthread_setname_np(pthread_self(), "pipe-out");
    (void)pthread_mutex_lock(&self->lock);
    for (;;) {
        while (self->count == 0)
            (void)pthread_cond_wait(&self->changed, &self->lock);
        size_t count = QUEUE_BYTES - self->first; /* to the end of the ring */
        if (count > self->count) count = self->count;
        if (count > PART_BYTES) count = PART_BYTES;
        const char *bytes = self->bytes + self->first;
        (void)pthread_mutex_unlock(&self->lock);
        ssize_t done = write_some(self->descriptor, bytes, count);
        (void)pthread_mutex_lock(&self->lock);
        self->is_gone |= done < 0 && errno == EPIPE && outlives_readers;
        self->has_failed |= done < 0 && !self->is_gone;
        count = done < 0 ? self->count : (size_t)done;
        self->first = (self->first + count) % QUEUE_BYTES;
        self->count -= count;
        self->written += (long long)count;
        (void)pthread_cond_broadcast(&self->changed);
    }
    return NULL;
}

/* --- the queue; its lock is held -------------------------------------------- */

static void wait_a_while(pipe_queue *self) {
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&self->changed, &self->lock, &until);
}

static void put(pipe_queue *self, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        self->bytes[(self->first + self->count + i) % QUEUE_BYTES] = bytes[i];
    self->count += count;
    if (count > 0) self->is_in_line = bytes[count - 1] != '\n';
    (void)pthread_cond_broadcast(&self->changed);
}

/* There is always room for this. */
static void say_left_out(pipe_queue *self) {
    char line[NOTE_BYTES];
    int length =
        snprintf(line, sizeof line, SCRIPT_LINES_MORE "\n", self->left_out);
    if (self->left_out > 0) put(self, line, (size_t)length);
    self->left_out = 0;
}

static bool has_room(pipe_queue *self, size_t count) {
    size_t need = count + (size_t)(2 * NOTE_BYTES);
    while (QUEUE_BYTES - self->count < need && !is_live && !is_interrupted() &&
           !self->has_failed && !self->is_gone)
        wait_a_while(self);
    return QUEUE_BYTES - self->count >= need;
}

/* One line, or a part of one. */
static void take_part(pipe_queue *self, const char *bytes, size_t count) {
    bool is_end = bytes[count - 1] == '\n';
    if (!self->is_leaving_out && has_room(self, count)) {
        if (!self->is_in_line) say_left_out(self);
        put(self, bytes, count);
        return;
    }
    if (self->is_in_line) put(self, "\n", 1);
    self->is_leaving_out = !is_end;
    self->left_out += is_end;
}

/* --- between stdio and the queue --------------------------------------------- */

static ssize_t take(void *cookie, const char *bytes, size_t count) {
    pipe_queue *self = cookie;
    (void)pthread_mutex_lock(&self->lock);
    for (size_t done = 0;
         done < count && !self->has_failed && !self->is_gone;) {
        size_t left = count - done;
        const char *newline = memchr(bytes + done, '\n', left);
        size_t part = newline ? (size_t)(newline - bytes) + 1 - done : left;
        if (part > PART_BYTES) part = PART_BYTES;
        take_part(self, bytes + done, part);
        done += part;
    }
    bool has_failed = self->has_failed;
    (void)pthread_mutex_unlock(&self->lock);
    if (has_failed) errno = EPIPE;
    return has_failed ? 0 : (ssize_t)count;
}

static bool start(pipe_queue *self, int descriptor) {
    pthread_condattr_t clock;
    pthread_t thread;
    self->descriptor = descriptor;
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&self->changed, &clock);
    (void)pthread_condattr_destroy(&clock);
    return pthread_create(&thread, NULL, write_queue, self) == 0 &&
           pthread_detach(thread) == 0;
}

/* The stream that fills the queue of this one; or NULL, to be left as it is. */
static FILE *open_stream(int descriptor, struct stat info[2]) {
    int i = descriptor - STDOUT_FILENO;
    if (fstat(descriptor, &info[i]) ||
        !(S_ISFIFO(info[i].st_mode) || S_ISSOCK(info[i].st_mode))) {
        return NULL;
    }
    bool is_same = i == 1 && queue_count == 1 &&
                   info[0].st_dev == info[1].st_dev &&
                   info[0].st_ino == info[1].st_ino;
    if (!is_same && !start(&queues[queue_count], descriptor)) return NULL;
    if (!is_same) queue_count++;
    return fopencookie(&queues[queue_count - 1], "w",
                       (cookie_io_functions_t){.write = take});
}

void pipe_out_open(void) {
    struct stat info[2] = {0};
    if (queue_count > 0) return;
    (void)fflush(stdout);
    FILE *out = open_stream(STDOUT_FILENO, info);
    FILE *err = open_stream(STDERR_FILENO, info);
    if (err) (void)setvbuf(err, NULL, _IOLBF, BUFSIZ);
    if (out) stdout = out;
    if (err) stderr = err;
}

void pipe_out_outlive_readers(void) {
    outlives_readers = true;
    (void)signal(SIGPIPE, SIG_IGN);
}

void pipe_out_go_live(void) {
    is_live = true;
    pipe_out_outlive_readers();
}

bool pipe_out_drain(void) {
    bool is_written = !fflush(stdout) && !ferror(stdout);
    (void)fflush(stderr);
    for (int i = 0; i < queue_count; i++) {
        pipe_queue *self = &queues[i];
        (void)pthread_mutex_lock(&self->lock);
        say_left_out(self);
        long long seen = self->written;
        double moved_s = sb_clock_s();
        while (self->count > 0 &&
               !(is_interrupted() && sb_clock_s() - moved_s > GIVE_UP_S)) {
            wait_a_while(self);
            if (self->written != seen) moved_s = sb_clock_s();
            seen = self->written;
        }
        if (self->descriptor == STDOUT_FILENO && self->has_failed)
            is_written = false;
        (void)pthread_mutex_unlock(&self->lock);
    }
    return is_written;
}
