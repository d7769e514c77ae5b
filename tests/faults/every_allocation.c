/* SPDX-License-Identifier: MIT */
/* every_allocation [STEP]: allocation number n fails, for every STEP-th n, while
 * three scenes are opened, solved, played, loaded again after an edit and played
 * on; once with all later allocations, once alone.
 *
 * Every run ends well or with a sentence that speaks of memory, loses no block,
 * and renders finite samples. */
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 480, STEPS = 3, ENOUGH = 1 << 30 };

typedef struct trial {
    const char *name, *text;
    const char *old, *new; /* the edit */
} trial;

/* Modules, params, timers, coroutines, bodies that come and go. */
static const char played[] =
    "local sb = require 'sandbell'\n"
    "local p = sb.param('p', { max = 2 })\n"
    "local bell = sb.body('bell', { shape = sb.modes { { 440, 0.2 } } })\n"
    "local bar = sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.1, width = 0.02, thickness = 0.01 } })\n"
    "sb.body('gong', { shape = sb.modes { { 300, 1 } }, nonlinear = {} })\n"
    "sb.surface('rough', { kind = 'cobbles', seed = 3 })\n"
    "state.list = { 1, { 2, 'three' } }\n"
    "function scene.start()\n"
    "  bell:strike { impulse = 0.001 }\n"
    "  bar:contact { kind = 'roll', force = 1, speed = 0.1 }\n"
    "  sb.go(function()\n"
    "    sb.sleep(0.005)\n"
    "    local late = sb.body('late', { shape = sb.modes { { 500, 1 } } })\n"
    "    late:strike { speed = 1 }\n"
    "    late:remove()\n"
    "  end)\n"
    "  sb.every(0.004, function() bar:gain(0.5) end)\n"
    "end\n"
    "function scene.update() sb.listener { gain = 0.5 } sb.stats() end\n"
    "function scene.reload() bell:strike { impulse = 0.001 } end\n";

/* Elements: a shell, a solid, and what is solved again after the edit. */
static const char solved[] =
    "local sb = require 'sandbell'\n"
    "local plate = sb.body('plate', { material = 'steel', shape = sb.plate {\n"
    "  width = 0.3, depth = 0.2, thickness = 0.004, method = 'shell',\n"
    "  elements = 3, max_hz = 3000 } })\n"
    "local box = sb.body('box', { material = 'oak', shape = sb.plate {\n"
    "  width = 0.1, depth = 0.08, thickness = 0.03, method = 'solid',\n"
    "  elements = 2 } })\n"
    "function scene.start() plate:strike { impulse = 0.1 } end\n"
    "function scene.reload() box:strike { impulse = 0.1 } end\n";

/* A world: what falls, hangs, slides and is hit. */
static const char moved[] =
    "local sb = require 'sandbell'\n"
    "sb.world { rate = 500, occlusion = true }\n"
    "sb.body('floor', { shape = sb.floor {}, material = 'stone' })\n"
    "local box = sb.bar { length = 0.08, width = 0.04, thickness = 0.02 }\n"
    "for i = 1, 3 do sb.body('box ' .. i, { shape = box, material = 'oak',\n"
    "  motion = 'free', position = { 0.01 * i, 0.02 * i - 0.0095, 0 } }) end\n"
    "local ball = sb.body('ball', { shape = sb.rigid { radius = 0.02 },\n"
    "  material = 'steel', motion = 'free', position = { 0.5, 0.021, 0 },\n"
    "  velocity = { 1, -1, 0 } })\n"
    "function scene.contact(c) state[#state + 1] = c.impulse end\n"
    "function scene.update() sb.raycast({ 0, 1, 0 }, { 0, -1, 0 }, 2) end\n";

static const trial trials[] = {
    {"played", played, "0.02", "0.03"},
    {"solved", solved, "0.004", "0.005"},
    {"moved", moved, "0.08", "0.09"},
};

static int faults = 0;
static bool has_told; /* a report spoke of memory */

static void on_report(void *user, const char *message) {
    (void)user;
    has_told |= strstr(message, "memory") != NULL;
}

static void save(const char *path, const trial *t, bool is_edited) {
    FILE *out = fopen(path, "w");
    if (!out) exit(2);
    const char *at = is_edited ? strstr(t->text, t->old) : NULL;
    if (at) {
        (void)fprintf(out, "%.*s%s%s", (int)(at - t->text), t->text, t->new,
                      at + strlen(t->old));
    } else {
        (void)fputs(t->text, out);
    }
    (void)fclose(out);
}

static sb_status play(sb_host *host, int from, sb_error *err) {
    static float stereo[2 * FRAMES];
    for (int i = from; i < from + STEPS; i++) {
        sb_status status = sb_host_step(host, i * 0.01, (i + 1) * 0.01, err);
        if (status) return status;
        (void)sb_engine_flush(sb_host_engine(host), (int64_t)(i + 1) * FRAMES);
        sb_engine_pull(sb_host_engine(host), stereo, FRAMES);
        for (int k = 0; k < 2 * FRAMES; k++)
            if (!isfinite(stereo[k])) faults += printf("a sample is NaN\n");
    }
    return SB_OK;
}

/* A failed reload leaves the old version, which plays on. */
static sb_status run(const char *path, const trial *t, sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.report = on_report;
    sb_host *host = NULL;
    sb_status status = sb_host_open(path, &def, &host, err);
    if (status) return status;
    sb_commit_counts counts;
    status = play(host, 0, err);
    save(path, t, true);
    sb_status reload = SB_OK;
    if (!status) reload = sb_host_reload_now(host, false, 0.03, &counts, err);
    if (!status && reload) {
        sb_error later;
        status = play(host, STEPS, &later);
        if (!status) status = reload;
    } else if (!status) {
        status = play(host, STEPS, err);
    }
    sb_host_close(host);
    return status;
}

static void try_one(const char *path, const trial *t, long n, bool is_alone) {
    sb_error err = {.message = ""};
    save(path, t, false);
    has_told = false;
    long before = sb_memory_live_blocks();
    if (is_alone)
        sb_memory_fail_only(n);
    else
        sb_memory_fail_after(n);
    sb_status status = run(path, t, &err);
    sb_memory_fail_after(-1);
    long lost = sb_memory_live_blocks() - before;
    if (lost)
        faults +=
            printf("%s, allocation %ld%s: %ld blocks are lost (%s)\n", t->name,
                   n, is_alone ? " alone" : "", lost, err.message);
    if (status && !has_told && !strstr(err.message, "memory"))
        faults += printf("%s, allocation %ld%s: '%s'\n", t->name, n,
                         is_alone ? " alone" : "", err.message);
}

static long allocations_of(const char *path, const trial *t) {
    sb_error err = {.message = ""};
    save(path, t, false);
    sb_memory_fail_after(ENOUGH);
    if (run(path, t, &err)) faults += printf("%s: %s\n", t->name, err.message);
    long left = sb_memory_fail_left();
    sb_memory_fail_after(-1);
    return ENOUGH - left;
}

int main(int argc, char **argv) {
    long step = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    char path[] = "/tmp/sandbell-memory-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || step < 1) return 2;
    (void)close(file);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        long count = allocations_of(path, &trials[i]);
        for (long n = 0; n < count; n += step) {
            try_one(path, &trials[i], n, false);
            try_one(path, &trials[i], n + step / 2, true);
        }
        (void)printf("%s: %ld allocations, every %ld failed\n", trials[i].name,
                     count, step);
        (void)fflush(stdout);
    }
    (void)unlink(path);
    return faults ? 1 : 0;
}
