/* SPDX-License-Identifier: MIT */
/* bench live: the cost of a reload.
 *
 * A scene of 64 bodies and 4,096 ringing modes, in its own file, is saved
 * repeatedly: in real time to measure how soon a change is heard, in scene time
 * to find what thousands of reloads leave behind.
 * Thread: control; the audio callback is called from here. */
#include "bindings/script/script.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"
#include "tests/bench/live/reload_click.h"
#include "tests/bench/live/save_delay.h"
#include "tests/bench/scene_player.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { CALIBRATION = 1000 /* blocks */, USAGES = 5 };

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
    char folder[BENCH_PATH], path[BENCH_PATH + 16];
    sb_host *host;
    int64_t steps;
    double shares;    /* sum of the blocks' times as shares of the deadline */
    long empty_turns; /* iterations; 0: not measured yet */
    double blocks;
    double late[2], worst[2]; /* of blocks, and of an equally long empty loop */
    double worst_work;        /* the same in processor time */
    double usage[2][USAGES];  /* after a tenth of the reloads, after all */
} live_bench;

static bool save(const live_bench *bench, double scale) {
    char text[sizeof scene_text + 32];
    int length = snprintf(text, sizeof text, scene_text, scale);
    return file_save(bench->path, text, (size_t)length);
}

static void save_turn_of(void *bench, int turn) {
    (void)save(bench, turn % 2 ? 1.0 : 1.01);
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

static void note_usage(const live_bench *bench, double out[USAGES]) {
    out[0] = (double)resident_kb();
    out[1] = entries_in("/proc/self/fd");
    out[2] = entries_in("/proc/self/task");
    out[3] = (double)script_bytes(sb_host_script(bench->host));
    out[4] = (double)sb_memory_live_blocks();
}

/* Run a loop as long as a block, without memory access, locks or system calls:
 * its delays are caused by the machine. */
static double empty_share(long turns) {
    int64_t from_ns = sb_clock_ns();
    volatile double x = 1.0;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 1e-6;
    double took_s = (double)(sb_clock_ns() - from_ns) * 1e-9;
    return took_s * BENCH_RATE_HZ / SB_BLOCK_FRAMES;
}

/* Number of loop iterations that take as long as an average block so far. */
static long turns_like(double block_share) {
    enum { PROBE = 100000 };
    double share = empty_share(PROBE);
    for (int i = 0; i < 20; i++)
        share = fmin(share, empty_share(PROBE));
    return (long)(PROBE * block_share / share);
}

/* A block, or the empty loop beside it. */
static void count_late(live_bench *bench, int which, double share) {
    bench->late[which] += share > 1.0;
    bench->worst[which] = fmax(bench->worst[which], share);
}

/* Play a tenth of a second of scene time and compare every block with its
 * deadline. */
static sb_status play_tenth(live_bench *bench, sb_error *err) {
    sb_engine *engine = sb_host_engine(bench->host);
    int64_t end = sb_engine_clock(engine) + (int64_t)(BENCH_RATE_HZ / 10.0);
    while (sb_engine_clock(engine) < end) {
        float stereo[2 * SB_BLOCK_FRAMES];
        sb_status status =
            bench_reach(bench->host, &bench->steps,
                        sb_engine_clock(engine) + SB_BLOCK_FRAMES, err);
        if (status) return status;
        int64_t from_ns = sb_clock_ns();
        double from_work_s = sb_clock_thread_s();
        sb_engine_pull(engine, stereo, SB_BLOCK_FRAMES);
        double work_s = sb_clock_thread_s() - from_work_s;
        double took_s = (double)(sb_clock_ns() - from_ns) * 1e-9;
        bench->worst_work = fmax(bench->worst_work, work_s / BENCH_BLOCK_S);
        bench->shares += took_s / BENCH_BLOCK_S;
        bench->blocks++;
        count_late(bench, 0, took_s / BENCH_BLOCK_S);
        if (bench->blocks == CALIBRATION)
            bench->empty_turns = turns_like(bench->shares / CALIBRATION);
        if (bench->empty_turns > 0)
            count_late(bench, 1, empty_share(bench->empty_turns));
    }
    return SB_OK;
}

static sb_status many_reloads(live_bench *bench, int count, double *reload_s,
                              sb_error *err) {
    double spent_s = 0.0;
    sb_host_def def = sb_host_def_default();
    sb_status status = sb_host_open(bench->path, &def, &bench->host, err);
    for (int i = 0; i < count && !status; i++) {
        sb_commit_counts counts;
        double now_s =
            (double)(bench->steps * BENCH_STEP_FRAMES) / BENCH_RATE_HZ;
        if (!save(bench, i % 2 ? 1.0 : 1.01)) {
            return sb_fail(err, SB_IO_ERROR, "%s: cannot be written",
                           bench->path);
        }
        int64_t from_ns = sb_clock_ns();
        status = sb_host_reload_now(bench->host, false, now_s, &counts, err);
        spent_s += (double)(sb_clock_ns() - from_ns) * 1e-9;
        if (!status) status = play_tenth(bench, err);
        if (i + 1 == count / 10) note_usage(bench, bench->usage[0]);
    }
    if (!status) note_usage(bench, bench->usage[1]);
    *reload_s = spent_s / count;
    return status;
}

/* --- all of it ------------------------------------------------------------ */

static void report_blocks(const live_bench *bench, report *to) {
    report_value(to, "blocks", "blocks", "%8.0f", 1, bench->blocks);
    report_value(to, "blocks_late", "later than their deadline", "%8.0f", 1,
                 bench->late[0]);
    report_value(to, "worst_block", "  worst, of it", "%8.0f %%", 100,
                 bench->worst[0]);
    report_value(to, "empty_late", "of an empty loop beside them", "%8.0f", 1,
                 bench->late[1]);
    report_value(to, "worst_empty", "  worst", "%8.0f %%", 100,
                 bench->worst[1]);
    report_value(to, "worst_work", "most work in a block, of its deadline",
                 "%8.0f %%", 100, bench->worst_work);
}

static void report_usage(const live_bench *bench, report *to) {
    static const report_column columns[] = {
        {"resident_kb", "resident kB", "%12.0f", 0},
        {"descriptors", "descriptors", "%12.0f", 0},
        {"threads", "threads", "%8.0f", 0},
        {"lua_bytes", "Lua bytes", "%10.0f", 0},
        {"live_blocks", "heap blocks", "%12.0f", 0},
        {NULL, NULL, NULL, 0}};
    report_say(to, "\n");
    report_table(to, "", NULL, "reloads", 14, columns);
    (void)report_row(to, "after_a_tenth", "after a tenth", bench->usage[0]);
    (void)report_row(to, "after_all", "after all", bench->usage[1]);
    report_end(to);
}

static sb_status run(live_bench *bench, int reloads, report *to,
                     sb_error *err) {
    spread ms;
    double reload_s = 0.0;
    (void)snprintf(bench->path, sizeof bench->path, "%s/live.lua",
                   bench->folder);
    (void)save(bench, 1.0); /* else: opening fails */
    sb_status status =
        save_delay_measure(bench->path, save_turn_of, bench, &ms, err);
    if (status) return status;
    report_say(to, "a scene of 64 bodies and 4096 ringing modes\n\n");
    report_put(to, "bodies", 64);
    report_put(to, "modes", 4096);
    report_value(to, "save_to_sound_ms", "saved to heard, before the device",
                 "%8.1f ms", 1, ms.p50);
    report_value(to, "save_to_sound_worst_ms", "  worst", "%8.1f ms", 1,
                 ms.worst);
    status = report_clicks(bench->folder, to, err);
    if (!status) status = many_reloads(bench, reloads, &reload_s, err);
    if (status) return status;
    report_value(to, "reloads", "reloads at 10 a second of scene time", "%8.0f",
                 1, reloads);
    report_value(to, "reload_ms", "one reload: load, compare, commit",
                 "%8.2f ms", 1, 1e3 * reload_s);
    report_blocks(bench, to);
    report_usage(bench, to);
    return SB_OK;
}

sb_status bench_live(const bench_options *options, report *to, sb_error *err) {
    live_bench bench = {.host = NULL};
    sb_status status = folder_make(bench.folder, err);
    if (status) return status;
    status = run(&bench, (int)options->reloads, to, err);
    sb_host_close(bench.host);
    folder_remove(bench.folder);
    return status;
}
