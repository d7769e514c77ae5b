/* SPDX-License-Identifier: MIT */
/* device_loss [COUNT [SINK_ARGUMENT]]: a real sound device goes and comes back.
 *
 * A scene plays and is recorded while the sink it plays on is taken from the
 * sound server and given back COUNT times (default 5): sometimes before anyone
 * can have noticed, sometimes long after. Each time it must be heard again
 * within 2 s of the sink's return; in the end every frame must have been
 * recorded once, with the samples of a render; and no thread, file or memory
 * may be left over. Prints what it measures. Exits with 77 where no server can
 * be started.
 */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/audio/limiter.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/impact_def.h"
#include "runtime/engine/output/output.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/engine/voice_def.h"
#include "runtime/scene/conductor.h"
#include "tests/engine/output/sound_server.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>

enum { MOST_LOSSES = 1000, SKIPPED = 77 };

#define RATE_HZ  48000.0
#define BACK_S   2.0  /* at most from the sink's return to being heard */
#define WAIT_S   15.0 /* until we give up on it */
#define PLAYED_S 1.2  /* between two losses */
/* Long steps: control is far ahead, so that no command is late on a busy
 * machine and samples can be compared. */
#define STEP_S 0.25

typedef struct score {
    sb_engine *engine;
    sb_voice_id voice;
    int struck;
    float *record; /* or NULL while rendering */
    long frames, capacity;
    long differing; /* from `expected` */
    const float *expected;
} score;

typedef struct play {
    sound_server server;
    const char *sink_argument;
    int count;
    sb_output *output;
    score *score;
    atomic_int gone, back; /* reports so far */
    atomic_llong gone_ns, back_ns;
    atomic_bool is_over;
    const char *failure; /* or NULL */
    double gone_s[MOST_LOSSES], back_s[MOST_LOSSES];
    int files[2], threads[2]; /* after the first return, and the last */
} play;

/* --- the scene -------------------------------------------------------------*/

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    score *s = ((play *)user)->score;
    static const double weights[2] = {1, 1};
    if (from_s == 0.0) {
        sb_bank_mode modes[2] = {{2 * SB_PI * 440, 5, 1},
                                 {2 * SB_PI * 1234, 9, 0.5}};
        sb_path_knot knot = {.ear = {{.full = 0.2f}, {.full = 0.1f}}};
        sb_voice_def def = {.modes = modes, .mode_count = 2, .knot = &knot};
        sb_status status =
            sb_engine_add_voice(s->engine, &def, 0, &s->voice, err);
        if (status) return status;
    }
    for (double at_s; (at_s = 0.01 + 0.0731 * s->struck) < to_s; s->struck++) {
        sb_impact_def def = {.impulse_ns = 0.5,
                             .duration_s = s->struck % 3 ? 1e-3 : 0,
                             .weights = weights};
        sb_status status =
            sb_engine_strike(s->engine, s->voice, at_s * RATE_HZ, &def, err);
        if (status) return status;
    }
    return SB_OK;
}

static sb_status take(void *user, const float *stereo, int frames,
                      sb_error *err) {
    score *s = ((play *)user)->score;
    size_t bytes = (size_t)frames * 2 * sizeof *stereo;
    if (s->expected) {
        s->differing += memcmp(s->expected + 2 * s->frames, stereo, bytes) != 0;
    } else {
        if (s->frames + frames > s->capacity) {
            long larger = 2 * s->capacity + (1 << 20);
            float *moved =
                sb_resize(s->record, (size_t)larger, 2 * sizeof(float));
            if (!moved) return sb_fail(err, SB_NO_MEMORY, "record");
            s->record = moved;
            s->capacity = larger;
        }
        memcpy(s->record + 2 * s->frames, stereo, bytes);
    }
    s->frames += frames;
    return SB_OK;
}

static void hear(void *user, const char *message) {
    play *p = user;
    bool is_back = strncmp(message, "playing on", 10) == 0;
    bool is_gone = strstr(message, " is gone") != NULL;
    int64_t now_ns = sb_clock_ns();
    if (is_gone) atomic_store(&p->gone_ns, now_ns);
    if (is_back) atomic_store(&p->back_ns, now_ns);
    if (is_gone) atomic_fetch_add(&p->gone, 1);
    if (is_back) atomic_fetch_add(&p->back, 1);
    if (!is_gone && !is_back) (void)printf("  %s\n", message);
}

static bool must_stop(void *user, double now_s) {
    (void)now_s;
    return atomic_load(&((play *)user)->is_over);
}

/* --- who takes the sink away -----------------------------------------------*/

static void sleep_s(double seconds) {
    (void)usleep((useconds_t)(seconds * 1e6));
}

static bool comes_to(atomic_int *counter, int value) {
    int64_t until_ns = sb_clock_ns() + (int64_t)(WAIT_S * 1e9);
    while (atomic_load(counter) < value) {
        if (sb_clock_ns() > until_ns) return false;
        sleep_s(0.001);
    }
    return true;
}

static int entries(const char *folder) {
    int count = 0;
    DIR *open_folder = opendir(folder);
    while (open_folder && readdir(open_folder))
        count++;
    if (open_folder) (void)closedir(open_folder);
    return count;
}

static void count_what_is_held(play *p, int place) {
    sleep_s(0.5); /* for the thread of the lost card to end */
    p->files[place] = entries("/proc/self/fd");
    p->threads[place] = entries("/proc/self/task");
}

static const char *lose_once(play *p, int i) {
    sleep_s(PLAYED_S + 0.01 * (i % 7));
    int64_t lost_ns = sb_clock_ns();
    if (!server_remove_sink(&p->server)) return "the sink could not be removed";
    if (i % 3 == 0) {
        sleep_s(0.05); /* too short to be noticed */
    } else {
        if (!comes_to(&p->gone, i + 1)) return "the loss was not noticed";
        sleep_s(0.3 * (i % 5));
    }
    if (!server_add_sink(&p->server, p->sink_argument))
        return "the sink could not be loaded";
    int64_t there_ns = sb_clock_ns();
    if (!comes_to(&p->gone, i + 1)) return "the loss was not noticed";
    if (!comes_to(&p->back, i + 1)) return "it did not come back";
    p->gone_s[i] = (double)(atomic_load(&p->gone_ns) - lost_ns) * 1e-9;
    p->back_s[i] = (double)(atomic_load(&p->back_ns) - there_ns) * 1e-9;
    return NULL;
}

static void *lose(void *argument) {
    play *p = argument;
    for (int i = 0; i < p->count && !p->failure; i++) {
        p->failure = lose_once(p, i);
        if (i == 0) count_what_is_held(p, 0);
        if (p->count > 20 && (i + 1) % 20 == 0) {
            (void)printf("  %d\n", i + 1);
            (void)fflush(stdout);
        }
    }
    count_what_is_held(p, 1);
    atomic_store(&p->is_over, true);
    return NULL;
}

/* --- the run and its figures -----------------------------------------------*/

static sb_conductor_def conductor_of(play *p) {
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = p->score->engine;
    def.step = step;
    def.sink = take;
    def.must_stop = must_stop;
    def.user = p;
    def.step_s = STEP_S;
    return def;
}

static sb_status perform(play *p, sb_conduct_result *result, sb_error *err) {
    sb_output_def def = sb_output_def_default();
    def.engine = p->score->engine;
    def.backend = "pulseaudio";
    def.needs_device = true;
    def.report = hear;
    def.user = p;
    sb_status status = sb_output_open(&def, &p->output, err);
    if (status) return status;
    pthread_t loser;
    if (pthread_create(&loser, NULL, lose, p))
        return sb_fail(err, SB_NO_MEMORY, "no thread");
    sb_conductor_def conductor = conductor_of(p);
    status = sb_conduct_play(&conductor, p->output, 0, result, err);
    (void)pthread_join(loser, NULL);
    return status;
}

/* Render the same scene beside what was recorded; blocks that differ. */
static sb_status compare(play *p, const score *recorded, long *differing,
                         sb_error *err) {
    score again = {.expected = recorded->record};
    sb_engine_def def = sb_engine_def_default();
    sb_status status = sb_engine_create(&def, &again.engine, err);
    if (status) return status;
    p->score = &again;
    atomic_store(&p->is_over, false);
    sb_conductor_def conductor = conductor_of(p);
    sb_span span = {.duration_s = (double)recorded->frames / RATE_HZ};
    sb_conduct_result result;
    status = sb_conduct_render(&conductor, &span, &result, err);
    *differing = again.differing + (again.frames != recorded->frames);
    sb_engine_destroy(again.engine);
    p->score = (score *)recorded;
    return status;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double print_spread(const char *what, double *seconds, int count) {
    qsort(seconds, (size_t)count, sizeof *seconds, by_size);
    (void)printf("%-34s median %.3f s, 95 %% %.3f s, worst %.3f s\n", what,
                 seconds[count / 2], seconds[(count * 95 - 1) / 100],
                 seconds[count - 1]);
    return seconds[count - 1];
}

/* True if all is as promised. */
static bool judge(play *p, long differing) {
    sb_engine_stats stats = sb_engine_read_stats(p->score->engine);
    sb_output_counts counts = sb_output_read_counts(p->output);
    (void)print_spread("loss to silent clock", p->gone_s, p->count);
    double worst_s =
        print_spread("sink's return to being heard", p->back_s, p->count);
    (void)printf(
        "%lld losses, %lld returns, %lld late commands, %lld missed "
        "deadlines\n%ld frames, %ld differing from a render\n"
        "files %d, then %d; threads %d, then %d\n",
        counts.losses, counts.returns, stats.late,
        (long long)atomic_load(&sb_output_deadlines(p->output)->missed),
        p->score->frames, differing, p->files[0], p->files[1], p->threads[0],
        p->threads[1]);
    bool is_whole = p->score->frames == sb_engine_clock(p->score->engine) -
                                            SB_LIMITER_LATENCY &&
                    stats.tap_dropped == 0;
    if (!is_whole) (void)printf("frames are missing from the recording\n");
    /* A machine that delays control by more than its lead is not a failure; it
     * shows as late commands. */
    bool is_equal = differing == 0 || stats.late > 0;
    /* How soon is for the bench, of many losses; a test only sees that it comes
     * back at all. */
    bool is_soon = worst_s <= BACK_S || p->count < 20;
    return is_whole && is_equal && is_soon && counts.losses == p->count &&
           counts.returns == p->count && p->files[0] == p->files[1] &&
           p->threads[0] == p->threads[1];
}

static bool run(play *p) {
    score recorded = {0};
    p->score = &recorded;
    sb_error err = {0};
    sb_engine_def def = sb_engine_def_default();
    sb_conduct_result result;
    long differing = 0;
    sb_status status = sb_engine_create(&def, &recorded.engine, &err);
    if (!status) status = perform(p, &result, &err);
    if (!status) status = compare(p, &recorded, &differing, &err);
    if (status) (void)printf("failed: %s\n", err.message);
    if (p->failure) (void)printf("failed: %s\n", p->failure);
    bool is_good = !status && !p->failure && judge(p, differing);
    sb_output_close(p->output);
    sb_engine_destroy(recorded.engine);
    sb_free(recorded.record);
    if (sb_memory_live_blocks() != 0) {
        (void)printf("%ld blocks of memory are left\n",
                     (long)sb_memory_live_blocks());
        is_good = false;
    }
    return is_good; // NOLINT: p->output, which used `recorded`, is closed
}

int main(int argc, char **argv) {
    static play p;
    p.count = argc > 1 ? atoi(argv[1]) : 5;
    if (p.count < 1 || p.count > MOST_LOSSES) return EXIT_FAILURE;
    p.sink_argument = argc > 2 ? argv[2] : "norewinds=1";
    const char *reason = server_start(&p.server);
    if (!reason && !server_add_sink(&p.server, p.sink_argument))
        reason = "the server has no null sink";
    int code = SKIPPED;
    if (reason) {
        (void)printf("skipped: %s\n", reason);
    } else {
        code = run(&p) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    server_stop(&p.server);
    return code;
}
