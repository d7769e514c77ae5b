/* SPDX-License-Identifier: MIT */
/* Finds how many rings world and sound can sustain in real time, what many cost,
 * and all of them at rest.
 * Thread: control. */
#include "tests/bench/world/rings_world.h"

#include "runtime/engine/engine.h"
#include "runtime/scene/world/scene_world.h"

#include <string.h>

enum { QUARTER = 94 /* blocks, a quarter of a second */ };

/* --- how many in real time ------------------------------------------------ */

/* True if both threads keep up in every quarter of a second: the control thread
 * moves the world and passes on its events, the audio thread stays within its
 * budget. */
static sb_status try_once(int rings, double seconds, bool *is_realtime,
                          sb_error *err) {
    bench_stage stage = {0};
    /* Fixed rate: a world of few rings would choose finer steps and take as
     * much time. */
    bench_rings_def def = {.rings = rings, .rate_hz = 240.0, .is_live = true};
    sb_status status = bench_rings_open(&stage, &def, err);
    if (!status) status = bench_stage_play(&stage, seconds, 2 * seconds, err);
    bool is_whole = (stage.block_count + 1) * BENCH_BLOCK_S >= seconds;
    *is_realtime = !status && is_whole &&
                   bench_stage_busiest(&stage, QUARTER, false) < 1.0 &&
                   bench_stage_busiest(&stage, QUARTER, true) < 1.0;
    bench_stage_close(&stage);
    return status;
}

/* Other programs can only make a run slower: one success is enough. */
static sb_status try_rings(int rings, const bench_world_def *def,
                           bool *is_realtime, sb_error *err) {
    sb_status status = SB_OK;
    *is_realtime = false;
    for (int i = 0; i < def->tries && !*is_realtime && !status; i++)
        status = try_once(rings, def->seconds, is_realtime, err);
    return status;
}

sb_status bench_world_realtime(const bench_world_def *def,
                               bench_world_rings *out, sb_error *err) {
    enum { HALVINGS = 3 };
    int good = 0, bad = 0;
    sb_status status = SB_OK;
    bool is_realtime;
    for (int n = def->rings; !status && bad == 0 && n <= 8 * def->rings;
         n *= 2) {
        status = try_rings(n, def, &is_realtime, err);
        *(is_realtime ? &good : &bad) = n;
    }
    out->is_realtime = good > 0;
    out->is_more = bad == 0;
    for (int i = 0; i < HALVINGS && !status && bad - good > 1; i++) {
        int n = (good + bad) / 2;
        status = try_rings(n, def, &is_realtime, err);
        *(is_realtime ? &good : &bad) = n;
    }
    out->realtime = good;
    return status;
}

/* --- many ----------------------------------------------------------------- */

/* Limit of processor time, s: a pile of 500 rings is slow. */
#define MANY_S 60.0

sb_status bench_world_many_run(const bench_world_def *def,
                               bench_world_many *out, sb_error *err) {
    bench_stage stage = {0};
    bench_rings_def rings = {.rings = def->many, .is_live = true};
    sb_quality_def quality = sb_quality_default();
    *out = (bench_world_many){.rings = def->many, .budget = quality.budget};
    sb_status status = bench_rings_open(&stage, &rings, err);
    if (!status) status = bench_stage_quality(&stage, &quality, err);
    if (!status) status = bench_stage_play(&stage, def->seconds, MANY_S, err);
    if (!status) status = bench_stage_load(&stage, 0, &out->load, err);
    if (!status) {
        const sb_scene *scene = sb_host_scene(stage.host);
        out->seconds = stage.block_count * BENCH_BLOCK_S;
        out->unheard = sb_scene_world_info(scene).unheard;
        out->events = (double)sb_scene_event_count(scene);
    }
    bench_stage_close(&stage);
    return status;
}

/* --- at rest -------------------------------------------------------------- */

/* Median cost of the next blocks. */
static sb_status cost_now(bench_stage *stage, double *out, sb_error *err) {
    enum { BLOCKS = 400 };
    int from = stage->block_count;
    double now_s = from * BENCH_BLOCK_S;
    bench_load load;
    sb_status status =
        bench_stage_play(stage, now_s + BLOCKS * BENCH_BLOCK_S, 0.0, err);
    if (!status) status = bench_stage_load(stage, from, &load, err);
    if (!status) *out = load.share.p50 * BENCH_BLOCK_S;
    return status;
}

sb_status bench_world_rest_run(const bench_world_def *def,
                               bench_world_rest *out, sb_error *err) {
    bench_stage stage = {0};
    memset(out, 0, sizeof *out);
    sb_status status = bench_stage_open(&stage, "", false, err);
    if (!status) status = cost_now(&stage, &out->empty_s, err);
    bench_stage_close(&stage);
    if (status) return status;
    bench_rings_def rings = {.rings = def->rings};
    status = bench_rings_open(&stage, &rings, err);
    double until_s = def->seconds;
    while (!status && until_s < 60.0) {
        status = bench_stage_play(&stage, until_s, 0.0, err);
        out->waited_s = until_s++;
        if (sb_engine_read_stats(sb_host_engine(stage.host)).sounding == 0)
            break;
    }
    if (!status) status = cost_now(&stage, &out->rest_s, err);
    bench_stage_close(&stage);
    return status;
}
