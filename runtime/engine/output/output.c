/* SPDX-License-Identifier: MIT */
/* The state machine of the output: playing on a card, leaving it, silence,
 * and trying cards again. Thread: control. */
#include "runtime/engine/output/output.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/card_thread.h"
#include "runtime/engine/output/feed.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Most cards that may hang while opening or closing before no more are tried:
 * each holds a thread. */
enum { MOST_CLOSING = 4 };

/* Callbacks after opening that prove that a card works. Those before, which
 * fill its buffer, also come from cards that will never play. */
enum { WORKING_CALLBACKS = 2 };

typedef enum phase { IDLE, PLAYING, LEAVING, SILENT } phase;

/* Whether a card has called back recently. */
typedef struct pulse {
    long long callbacks; /* as last seen */
    int64_t quiet_ns;    /* since then */
} pulse;

/* A substitute for a sound card: a thread that pulls frames in real time and
 * discards them. */
typedef struct silent_clock {
    sb_engine *engine;
    sb_deadlines *deadlines;
    pthread_t thread;
    bool is_running;
    atomic_bool must_stop;
} silent_clock;

struct sb_output {
    sb_output_def def;
    bool is_null;
    phase now;
    int64_t last_ns;       /* time of the last watch */
    sb_card_thread *card;  /* PLAYING, LEAVING; IDLE: or NULL */
    sb_card_thread *trial; /* SILENT: card on trial, or NULL */
    /* stopped and not yet closed, or NULL */
    sb_card_thread *closing[MOST_CLOSING];
    pulse pulse;      /* of the card, or of the one on trial */
    bool is_stopped;  /* reported by the system */
    int64_t since_ns; /* since when the card plays or is on trial */
    int64_t next_try_ns;
    int failed_tries; /* failed attempts since a card last played for a while */
    bool has_settled; /* the card has played for a while */
    int working_callbacks; /* of the card on trial; -1 until it is open */
    bool is_ready;       /* the card on trial works: it takes over next time */
    bool has_played;     /* some card has */
    silent_clock silent; /* SILENT */
    sb_deadlines deadlines;
    sb_output_counts counts;
    char name[SB_DEVICE_NAME_SIZE]; /* of the last card that played */
};

sb_output_def sb_output_def_default(void) {
    return (sb_output_def){.api = &sb_device_cards,
                           .lost_s = 1.0,
                           .stopped_s = 0.1,
                           .pauses_s = {0.5, 1.0, 2.0, 4.0},
                           .open_s = 5.0,
                           .trial_s = 3.0,
                           .close_s = 2.0,
                           .fade_s = 0.005};
}

static int64_t ns_of(double seconds) {
    return (int64_t)(seconds * 1e9);
}

__attribute__((format(printf, 2, 3))) static void say(const sb_output *output,
                                                      const char *format, ...) {
    if (!output->def.report) return;
    char line[SB_DEVICE_NAME_SIZE + 400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    output->def.report(output->def.user, line);
}

/* --- the silent clock -----------------------------------------------------*/

/* Largest delay that is caught up: a suspended laptop must not play the whole
 * night when it wakes. */
#define PATIENCE_S 0.25

static void sleep_ns(int64_t ns) {
    struct timespec span = {ns / 1000000000, ns % 1000000000};
    (void)nanosleep(&span, NULL);
}

/* All commands of the coming block, or all that fit, have been sent, and the
 * recorder has room for it. */
static bool may_go_on(const sb_engine *engine) {
    int64_t end = sb_engine_clock(engine) + SB_BLOCK_FRAMES;
    bool is_complete =
        sb_engine_horizon(engine) >= end || sb_engine_is_full(engine);
    return is_complete && sb_engine_tap_room(engine) >= SB_BLOCK_FRAMES;
}

static void *run_silent(void *argument) {
    silent_clock *clock = argument;
    double rate = sb_engine_sample_rate(clock->engine);
    int64_t block_ns = (int64_t)(SB_BLOCK_FRAMES / rate * 1e9);
    int64_t due_ns = sb_clock_ns() + block_ns;
    float frames[SB_BLOCK_FRAMES * 2];
    while (!atomic_load_explicit(&clock->must_stop, memory_order_relaxed)) {
        int64_t now_ns = sb_clock_ns();
        if (now_ns < due_ns) {
            sleep_ns(due_ns - now_ns);
            continue;
        }
        if (!may_go_on(clock->engine)) {
            sleep_ns(block_ns / 8);
            continue;
        }
        int64_t from_ns = sb_clock_ns();
        sb_engine_pull(clock->engine, frames, SB_BLOCK_FRAMES);
        sb_engine_report_duration(clock->engine, sb_clock_ns() - from_ns);
        sb_deadline_record(clock->deadlines, from_ns, SB_BLOCK_FRAMES, rate);
        due_ns += block_ns;
        if (now_ns - due_ns > (int64_t)(PATIENCE_S * 1e9)) due_ns = now_ns;
    }
    return NULL;
}

static sb_status silent_clock_start(silent_clock *clock, sb_engine *engine,
                                    sb_deadlines *deadlines, sb_error *err) {
    clock->engine = engine;
    clock->deadlines = deadlines;
    atomic_store(&clock->must_stop, false);
    int failed = pthread_create(&clock->thread, NULL, run_silent, clock);
    if (failed) {
        return sb_fail(err, SB_NO_MEMORY, "silent clock: no thread: %s",
                       strerror(failed));
    }
    clock->is_running = true;
    return SB_OK;
}

static void silent_clock_stop(silent_clock *clock) {
    if (!clock->is_running) return;
    atomic_store(&clock->must_stop, true);
    (void)pthread_join(clock->thread, NULL);
    clock->is_running = false;
}

/* --- cards come and go ----------------------------------------------------*/

static sb_status send_out(sb_output *output, sb_card_thread **out,
                          sb_error *err) {
    const sb_output_def *def = &output->def;
    double rate_hz = sb_engine_sample_rate(def->engine);
    sb_device_def device = {def->backend, def->device, rate_hz};
    return sb_card_thread_start(def->api, &device, def->engine,
                                &output->deadlines, out, err);
}

static int count_closing(const sb_output *output) {
    int count = 0;
    for (int i = 0; i < MOST_CLOSING; i++)
        count += output->closing[i] != NULL;
    return count;
}

/* Its feed must be shut and empty. */
static void begin_closing(sb_output *output, sb_card_thread *thread) {
    sb_card_thread_stop(thread);
    for (int i = 0; i < MOST_CLOSING; i++) {
        if (output->closing[i]) continue;
        output->closing[i] = thread;
        return;
    }
    sb_card_thread_release(thread);
}

/* Release all that are closed, or close within `limit_s`. */
static void release_closed(sb_output *output, double limit_s) {
    int64_t until_ns = sb_clock_ns() + ns_of(limit_s);
    for (int i = 0; i < MOST_CLOSING; i++) {
        sb_card_thread *thread = output->closing[i];
        if (!thread) continue;
        double left_s = (double)(until_ns - sb_clock_ns()) * 1e-9;
        if (!sb_card_thread_is_closed(thread, left_s)) continue;
        sb_card_thread_release(thread);
        output->closing[i] = NULL;
    }
}

/* --- supervision ----------------------------------------------------------*/

static void pulse_begin(pulse *p, sb_card_thread *thread) {
    *p = (pulse){sb_feed_callbacks(sb_card_thread_feed(thread)), 0};
}

/* Count the callbacks since the last time. The caller limits `passed_ns`: a
 * pause of the control thread must not count as a pause of the card. */
static long long pulse_update(pulse *p, sb_card_thread *thread,
                              int64_t passed_ns) {
    long long callbacks = sb_feed_callbacks(sb_card_thread_feed(thread));
    long long fresh = callbacks - p->callbacks;
    p->quiet_ns = fresh ? 0 : p->quiet_ns + passed_ns;
    p->callbacks = callbacks;
    return fresh;
}

/* --- PLAYING --------------------------------------------------------------*/

static void begin_playing(sb_output *output, sb_card_thread *thread,
                          double fade_s) {
    output->card = thread;
    output->now = PLAYING;
    output->since_ns = output->last_ns;
    output->is_stopped = output->has_settled = false;
    output->has_played = true;
    (void)snprintf(output->name, sizeof output->name, "%s",
                   sb_card_thread_facts(thread)->name);
    pulse_begin(&output->pulse, thread);
    (void)sb_feed_take_notices(sb_card_thread_feed(thread)); /* old notices */
    double fade = fade_s * sb_engine_sample_rate(output->def.engine);
    sb_feed_open(sb_card_thread_feed(thread), (int)fade);
}

static void try_later(sb_output *output) {
    int last = SB_OUTPUT_PAUSES - 1;
    int i = output->failed_tries++;
    if (i > last) i = last;
    output->next_try_ns = output->last_ns + ns_of(output->def.pauses_s[i]);
}

static void begin_leaving(sb_output *output) {
    sb_feed_shut(sb_card_thread_feed(output->card));
    output->now = LEAVING;
    output->counts.losses++;
    /* A card that fails right after opening is not tried again at once. */
    if (output->has_settled) {
        output->next_try_ns = output->last_ns;
    } else {
        try_later(output);
    }
    say(output, "the sound device '%s' is gone; going on with a silent clock",
        output->name);
}

static void watch_card(sb_output *output, int64_t passed_ns) {
    const sb_output_def *def = &output->def;
    unsigned notices = sb_feed_take_notices(sb_card_thread_feed(output->card));
    if (notices & SB_NOTICE_REROUTED) {
        say(output, "the sound of '%s' has been sent to another device",
            output->name);
    }
    if (notices & SB_NOTICE_STOPPED) output->is_stopped = true;
    if (pulse_update(&output->pulse, output->card, passed_ns) > 0) {
        if (output->last_ns - output->since_ns > ns_of(def->lost_s)) {
            output->has_settled = true;
            output->failed_tries = 0;
        }
        /* The notice came too early, or the pause is over. */
        if (!(notices & SB_NOTICE_STOPPED)) output->is_stopped = false;
    }
    double patience_s = output->is_stopped ? def->stopped_s : def->lost_s;
    if (output->pulse.quiet_ns > ns_of(patience_s)) begin_leaving(output);
}

/* --- LEAVING --------------------------------------------------------------*/

static sb_status begin_silence(sb_output *output, sb_error *err) {
    sb_status status = silent_clock_start(&output->silent, output->def.engine,
                                          &output->deadlines, err);
    if (!status) output->now = SILENT;
    return status;
}

/* The last callback may take long; no other card pulls until it is out. */
static void watch_leaving(sb_output *output) {
    if (output->card) {
        if (!sb_feed_is_empty(sb_card_thread_feed(output->card))) return;
        begin_closing(output, output->card);
        output->card = NULL;
    }
    /* Without a thread for the clock, time stops until there is one. */
    (void)begin_silence(output, NULL);
}

/* --- SILENT ---------------------------------------------------------------*/

static void give_up_trying(sb_output *output) {
    /* Its feed has never been open. */
    begin_closing(output, output->trial);
    output->trial = NULL;
    try_later(output);
}

static void begin_trying(sb_output *output) {
    if (output->last_ns < output->next_try_ns) return;
    if (count_closing(output) == MOST_CLOSING) return;
    output->is_ready = false;
    output->working_callbacks = -1;
    output->since_ns = output->last_ns;
    if (send_out(output, &output->trial, NULL)) try_later(output);
}

static void take_over(sb_output *output) {
    sb_card_thread *thread = output->trial;
    bool is_again = output->has_played;
    output->trial = NULL;
    silent_clock_stop(&output->silent);
    begin_playing(output, thread, output->def.fade_s);
    output->counts.returns++;
    say(output, "playing on '%s' %s", output->name, is_again ? "again" : "now");
}

/* It is open and gets silence: check whether it requests more. */
static void watch_trial_card(sb_output *output, int64_t passed_ns) {
    if (output->working_callbacks < 0) {
        pulse_begin(&output->pulse, output->trial);
        output->working_callbacks = 0;
    } else if (pulse_update(&output->pulse, output->trial, passed_ns) > 0) {
        output->working_callbacks++;
    }
    output->is_ready = output->working_callbacks >= WORKING_CALLBACKS;
    if (output->pulse.quiet_ns > ns_of(output->def.trial_s))
        give_up_trying(output);
}

static void watch_tried(sb_output *output, int64_t passed_ns) {
    int64_t spent_ns = output->last_ns - output->since_ns;
    switch (sb_card_thread_state(output->trial)) {
    case SB_CARD_OPENING:
        if (spent_ns > ns_of(output->def.open_s)) give_up_trying(output);
        break;
    case SB_CARD_FAILED:
    case SB_CARD_CLOSED:
        give_up_trying(output);
        break;
    case SB_CARD_OPEN:
        if (output->is_ready) {
            take_over(output);
        } else {
            watch_trial_card(output, passed_ns);
        }
        break;
    }
}

/* --- life -----------------------------------------------------------------*/

/* The first card: only here does control wait for it. */
static sb_status open_first(sb_output *output, sb_error *err) {
    sb_status status = send_out(output, &output->card, err);
    if (status) return status;
    if (!sb_card_thread_wait_open(output->card, output->def.open_s)) {
        status = sb_fail(err, SB_NO_DEVICE,
                         "the sound system did not answer within %g s",
                         output->def.open_s);
    } else if (sb_card_thread_state(output->card) == SB_CARD_FAILED) {
        status = sb_card_thread_reason(output->card, err);
    }
    if (!status) return SB_OK;
    begin_closing(output, output->card);
    output->card = NULL;
    try_later(output);
    return status;
}

sb_status sb_output_open(const sb_output_def *def, sb_output **out,
                         sb_error *err) {
    sb_output *output = sb_alloc(1, sizeof *output);
    if (!output) return sb_no_memory(err, "output");
    output->def = *def;
    output->is_null = def->backend && strcmp(def->backend, "null") == 0;
    output->last_ns = sb_clock_ns();
    sb_error reason = {0};
    sb_status status = output->is_null ? SB_OK : open_first(output, &reason);
    if (status == SB_NO_DEVICE && !def->needs_device) {
        say(output, "%s; going on with a silent clock", reason.message);
        status = SB_OK;
    }
    if (status) {
        if (err) *err = reason;
        sb_output_close(output);
    } else {
        *out = output;
    }
    return status;
}

sb_status sb_output_start(sb_output *output, sb_error *err) {
    if (!output->card) return begin_silence(output, err);
    begin_playing(output, output->card, 0.0);
    return SB_OK;
}

void sb_output_watch(sb_output *output, int64_t now_ns) {
    int64_t passed_ns = now_ns - output->last_ns;
    int64_t most_ns = ns_of(output->def.lost_s) / 4;
    if (passed_ns > most_ns) passed_ns = most_ns;
    output->last_ns = now_ns;
    release_closed(output, 0.0);
    switch (output->now) {
    case IDLE:
        break;
    case PLAYING:
        watch_card(output, passed_ns);
        break;
    case LEAVING:
        watch_leaving(output);
        break;
    case SILENT:
        if (output->is_null) break;
        if (output->trial) {
            watch_tried(output, passed_ns);
        } else {
            begin_trying(output);
        }
        break;
    }
}

static void dismiss(sb_output *output, sb_card_thread **thread) {
    if (!*thread) return;
    sb_feed *feed = sb_card_thread_feed(*thread);
    sb_feed_shut(feed);
    /* A callback inside is rendering and will return. */
    while (!sb_feed_is_empty(feed)) {
        struct timespec span = {0, 100000};
        (void)nanosleep(&span, NULL);
    }
    begin_closing(output, *thread);
    *thread = NULL;
}

void sb_output_stop(sb_output *output) {
    if (output->now == SILENT) silent_clock_stop(&output->silent);
    dismiss(output, &output->card);
    dismiss(output, &output->trial);
    output->now = IDLE;
}

void sb_output_close(sb_output *output) {
    if (!output) return;
    sb_output_stop(output);
    release_closed(output, output->def.close_s);
    for (int i = 0; i < MOST_CLOSING; i++)
        sb_card_thread_release(output->closing[i]);
    sb_free(output);
}

/* --- what plays -----------------------------------------------------------*/

const char *sb_output_name(const sb_output *output) {
    return output->card ? sb_card_thread_facts(output->card)->name
                        : "silent clock";
}

const char *sb_output_backend(const sb_output *output) {
    return output->card ? sb_card_thread_facts(output->card)->backend : "null";
}

int sb_output_period_frames(const sb_output *output) {
    const sb_card_thread *coming = output->is_ready ? output->trial : NULL;
    const sb_card_thread *thread = output->card ? output->card : coming;
    int frames = thread ? sb_card_thread_facts(thread)->period_frames : 0;
    return frames > SB_BLOCK_FRAMES ? frames : SB_BLOCK_FRAMES;
}

sb_output_counts sb_output_read_counts(const sb_output *output) {
    sb_output_counts counts = output->counts;
    counts.left_behind = count_closing(output);
    return counts;
}

const sb_deadlines *sb_output_deadlines(const sb_output *output) {
    return &output->deadlines;
}
