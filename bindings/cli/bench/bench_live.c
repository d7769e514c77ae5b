/* bindings/cli/bench/bench_live.c -- sandbell bench live: the cost of a reload.
 *
 * A scene of 64 bodies and 4,096 ringing modes, in its own file, is saved
 * repeatedly: in real time to measure how soon a change is heard, in scene time
 * to find what thousands of reloads leave behind.
 * Thread: control; the audio callback is called from here. */
#include "bindings/cli/bench/bench_live.h"

#include "bindings/host/host.h"
#include "bindings/sandbox/watchdog.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/scene/conductor.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BODIES = 64,
    MODES = 64,
    SAVES = 20,
    STEP_FRAMES = 480,
    CALIBRATION = 1000 /* blocks */
};

#define RATE_HZ 48000.0

/* The modes decay so slowly that they ring through the whole bench. */
static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local scale = %.6f\n"
    "for i = 1, 64 do\n"
    "  local modes = {}\n"
    "  for k = 1, 64 do\n"
    "    modes[k] = { scale * (50 + 3 * i + 150 * k), 1000, 1 / k }\n"
    "  end\n"
    "  sb.body('body ' .. i, { shape = sb.modes(modes), gain = 0.02 })\n"
    "end\n"
    "function scene.start()\n"
    "  for i = 1, 64 do sb.find('body ' .. i):strike { impulse = 0.01 } end\n"
    "end\n";

typedef struct live_bench {
    char folder[64];
    char path[96];
    sb_host *host;
    int saves;
    long long retuned; /* count of retunings when last checked */
    int64_t saved_ns;  /* time of the last save; 0: already heard */
    double delays_ms[SAVES];
    int64_t next_ns;  /* time of the next save */
    double shares;    /* sum of the blocks' times as shares of the deadline */
    long empty_turns; /* iterations; 0: not measured yet */
} live_bench;

/* --- files ---------------------------------------------------------------- */

/* Save as most editors do: write a new file and rename it over the old one. */
static bool save(const live_bench *bench, double scale) {
    char other[128];
    (void)snprintf(other, sizeof other, "%s~", bench->path);
    FILE *file = fopen(other, "w");
    if (!file) return false;
    (void)fprintf(file, scene_text, scale);
    return fclose(file) == 0 && rename(other, bench->path) == 0;
}

static sb_status open_folder(live_bench *bench, sb_error *err) {
    const char *base = getenv("TMPDIR");
    (void)snprintf(bench->folder, sizeof bench->folder, "%.40s/sandbell-XXXXXX",
                   base && *base ? base : "/tmp");
    if (!mkdtemp(bench->folder)) {
        return sb_fail(err, SB_IO_ERROR, "no place for a temporary scene");
    }
    (void)snprintf(bench->path, sizeof bench->path, "%s/live.lua",
                   bench->folder);
    if (save(bench, 1.0)) return SB_OK;
    return sb_fail(err, SB_IO_ERROR, "%s: cannot be written", bench->path);
}

static void close_folder(const live_bench *bench) {
    (void)unlink(bench->path);
    (void)rmdir(bench->folder);
}

/* --- how soon a save is heard --------------------------------------------- */

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    return sb_host_step(((live_bench *)user)->host, from_s, to_s, err);
}

static void idle(void *user) {
    sb_host_idle(((live_bench *)user)->host);
}

/* Called about once per millisecond: save, wait until the audio thread has
 * begun the glide, save again. */
static bool watch_save(void *user, double now_s) {
    live_bench *bench = user;
    (void)now_s;
    int64_t now_ns = sb_clock_ns();
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(bench->host));
    if (bench->saved_ns) {
        if (stats.retunes > bench->retuned) {
            bench->delays_ms[bench->saves++] =
                (double)(now_ns - bench->saved_ns) * 1e-6;
            bench->saved_ns = 0;
            bench->next_ns = now_ns + 120000000;
        }
    } else if (now_ns >= bench->next_ns) {
        bench->retuned = stats.retunes;
        (void)save(bench, bench->saves % 2 ? 1.0 : 1.01);
        bench->saved_ns = sb_clock_ns();
    }
    return bench->saves == SAVES;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sb_status measure_delay(live_bench *bench, bench_live_result *out,
                               sb_error *err) {
    sb_output_def silent = sb_output_def_default();
    silent.engine = sb_host_engine(bench->host);
    silent.backend = "null";
    sb_output *output;
    sb_status status = sb_output_open(&silent, &output, err);
    if (status) return status;
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = sb_host_engine(bench->host);
    def.step = step;
    def.must_stop = watch_save;
    def.idle = idle;
    def.user = bench;
    bench->next_ns = sb_clock_ns() + 500000000;
    sb_conduct_result result;
    status = sb_conduct_play(&def, output, 30.0, &result, err);
    out->live_missed = atomic_load(&sb_output_deadlines(output)->missed);
    sb_output_close(output);
    if (status) return status;
    if (bench->saves < SAVES) {
        return sb_fail(err, SB_NO_CONVERGENCE,
                       "only %d of %d saves were heard in 30 s", bench->saves,
                       (int)SAVES);
    }
    qsort(bench->delays_ms, SAVES, sizeof bench->delays_ms[0], by_size);
    out->save_to_sound_ms = bench->delays_ms[SAVES / 2];
    out->save_to_sound_worst_ms = bench->delays_ms[SAVES - 1];
    return SB_OK;
}

/* --- what thousands of reloads leave behind ------------------------------- */

static long resident_kb(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    (void)fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int entries_in(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    if (!folder) return 0;
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

static bench_live_usage usage_now(const live_bench *bench) {
    return (bench_live_usage){
        .resident_kb = resident_kb(),
        .descriptors = entries_in("/proc/self/fd"),
        .threads = entries_in("/proc/self/task"),
        .lua_bytes = (long)script_bytes(sb_host_script(bench->host)),
        .live_blocks = sb_memory_live_blocks(),
    };
}

/* Run a loop as long as a block, without memory access, locks or system calls:
 * its delays are caused by the machine. */
static double empty_share(long turns) {
    int64_t from_ns = sb_clock_ns();
    volatile double x = 1.0;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 1e-6;
    double took_s = (double)(sb_clock_ns() - from_ns) * 1e-9;
    return took_s * RATE_HZ / SB_BLOCK_FRAMES;
}

/* Number of loop iterations that take as long as an average block so far. */
static long turns_like(double block_share) {
    enum { PROBE = 100000 };
    double share = empty_share(PROBE);
    for (int i = 0; i < 20; i++)
        share = fmin(share, empty_share(PROBE));
    return (long)(PROBE * block_share / share);
}

/* Play a tenth of a second of scene time and compare every block with its
 * deadline. */
static sb_status play_tenth(live_bench *bench, int64_t *step_index,
                            bench_live_result *out, sb_error *err) {
    sb_engine *engine = sb_host_engine(bench->host);
    int64_t end = sb_engine_clock(engine) + (int64_t)(RATE_HZ / 10.0);
    while (sb_engine_clock(engine) < end) {
        float stereo[2 * SB_BLOCK_FRAMES];
        while (sb_engine_horizon(engine) <
               sb_engine_clock(engine) + SB_BLOCK_FRAMES) {
            double from_s = (double)(*step_index * STEP_FRAMES) / RATE_HZ;
            double to_s = (double)((*step_index + 1) * STEP_FRAMES) / RATE_HZ;
            sb_status status = sb_host_step(bench->host, from_s, to_s, err);
            if (status) return status;
            ++*step_index;
            (void)sb_engine_flush(engine, *step_index * STEP_FRAMES);
        }
        int64_t from_ns = sb_clock_ns();
        double from_work_s = sb_clock_thread_s();
        sb_engine_pull(engine, stereo, SB_BLOCK_FRAMES);
        double work_s = sb_clock_thread_s() - from_work_s;
        double took_s = (double)(sb_clock_ns() - from_ns) * 1e-9;
        double share = took_s * RATE_HZ / SB_BLOCK_FRAMES;
        out->blocks++;
        out->blocks_late += share > 1.0;
        out->worst_work =
            fmax(out->worst_work, work_s * RATE_HZ / SB_BLOCK_FRAMES);
        out->worst_block = fmax(out->worst_block, share);
        bench->shares += share;
        if (out->blocks == CALIBRATION)
            bench->empty_turns = turns_like(bench->shares / CALIBRATION);
        if (bench->empty_turns == 0) continue;
        double empty = empty_share(bench->empty_turns);
        out->empty_late += empty > 1.0;
        out->worst_empty = fmax(out->worst_empty, empty);
    }
    return SB_OK;
}

static sb_status many_reloads(live_bench *bench, int count,
                              bench_live_result *out, sb_error *err) {
    int64_t step_index =
        sb_engine_horizon(sb_host_engine(bench->host)) / STEP_FRAMES;
    int early = count / 10 > 0 ? count / 10 : 1;
    double spent_s = 0.0;
    for (int i = 0; i < count; i++) {
        sb_commit_counts counts;
        double now_s = (double)(step_index * STEP_FRAMES) / RATE_HZ;
        if (!save(bench, i % 2 ? 1.0 : 1.01)) {
            return sb_fail(err, SB_IO_ERROR, "%s: cannot be written",
                           bench->path);
        }
        int64_t from_ns = sb_clock_ns();
        sb_status status =
            sb_host_reload_now(bench->host, false, now_s, &counts, err);
        spent_s += (double)(sb_clock_ns() - from_ns) * 1e-9;
        if (!status) status = play_tenth(bench, &step_index, out, err);
        if (status) return status;
        if (i + 1 == early) out->early = usage_now(bench);
    }
    out->late = usage_now(bench);
    out->reloads = count;
    out->reload_ms = spent_s * 1e3 / count;
    return SB_OK;
}

/* --- all of it ------------------------------------------------------------ */

static sb_status open_host(live_bench *bench, bool watches, sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.watches = watches;
    return sb_host_open(bench->path, &def, &bench->host, err);
}

sb_status bench_live(int reloads, bench_live_result *out, sb_error *err) {
    live_bench bench = {.saves = 0};
    memset(out, 0, sizeof *out);
    out->bodies = BODIES;
    out->modes = BODIES * MODES;
    sb_status status = open_folder(&bench, err);
    if (status) return status;
    status = open_host(&bench, true, err);
    if (!status) status = measure_delay(&bench, out, err);
    sb_host_close(bench.host);
    bench.host = NULL;
    if (!status) status = bench_click(bench.folder, &out->click, err);
    if (!status) status = open_host(&bench, false, err);
    if (!status) status = many_reloads(&bench, reloads, out, err);
    sb_host_close(bench.host);
    close_folder(&bench);
    return status;
}
