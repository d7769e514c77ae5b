/* Finds how many rings world and sound can sustain in real time: more and more
 * rings from a log, and all of them at rest.
 * Thread: control. */
#include "tests/bench/world/rings_world.h"

#include "runtime/engine/engine.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
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

/* --- from a log ----------------------------------------------------------- */

/* Limit of processor time for the recording, s: a pile of 500 rings is slow. */
#define RECORDING_S 60.0

static sb_status record(const bench_world_def *def, sb_world_log *log,
                        double *seconds, sb_error *err) {
    bench_stage stage = {0};
    bench_rings_def rings = {.rings = def->many};
    sb_status status = bench_rings_open(&stage, &rings, err);
    if (!status) status = sb_scene_record(sb_host_scene(stage.host), log, err);
    if (!status)
        status = bench_stage_play(&stage, def->seconds, RECORDING_S, err);
    *seconds = stage.block_count * BENCH_BLOCK_S;
    bench_stage_close(&stage);
    return status;
}

static sb_status replay(int rings, const sb_world_log *log, double seconds,
                        bench_world_replay *out, sb_error *err) {
    bench_stage stage = {0};
    bench_rings_def def = {.rings = rings, .is_live = true};
    def.rate_hz = sb_world_log_rate_hz(log);
    sb_quality_def quality = sb_quality_default();
    *out = (bench_world_replay){.rings = rings, .seconds = seconds};
    out->budget = quality.budget;
    out->impacts = sb_world_log_impacts(log);
    sb_status status = bench_rings_open(&stage, &def, err);
    if (!status) status = sb_scene_replay(sb_host_scene(stage.host), log, err);
    if (!status) status = bench_stage_quality(&stage, &quality, err);
    if (!status) status = bench_stage_play(&stage, seconds, 0.0, err);
    if (!status) status = bench_stage_load(&stage, 0, &out->load, err);
    if (!status)
        out->unheard = sb_scene_world_info(sb_host_scene(stage.host)).unheard;
    bench_stage_close(&stage);
    return status;
}

/* The table and the floor are the first two bodies; each copy has its own
 * rings. */
enum { FIRST_RING = 3 };

sb_status bench_world_replays(const bench_world_def *def,
                              bench_world_replay out[2], sb_error *err) {
    sb_world_log *log = NULL, *copies = NULL;
    double seconds = 0.0;
    sb_status status = sb_world_log_create(&log, err);
    if (!status) status = record(def, log, &seconds, err);
    if (!status) status = replay(def->many, log, seconds, &out[0], err);
    /* Shift the copies by a few steps, so that no two rings sound as one. */
    if (!status)
        status =
            sb_world_log_copies(log, def->copies, FIRST_RING, 3, &copies, err);
    if (!status)
        status = replay(def->many * def->copies, copies, seconds, &out[1], err);
    sb_world_log_destroy(copies);
    sb_world_log_destroy(log);
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
                               const sb_world_log *log, bench_world_rest *out,
                               sb_error *err) {
    bench_stage stage = {0};
    memset(out, 0, sizeof *out);
    sb_status status = bench_stage_open(&stage, "", false, err);
    if (!status) status = cost_now(&stage, &out->empty_s, err);
    bench_stage_close(&stage);
    if (status) return status;
    bench_rings_def rings = {.rings = def->rings};
    rings.rate_hz = sb_world_log_rate_hz(log);
    status = bench_rings_open(&stage, &rings, err);
    if (!status) status = sb_scene_replay(sb_host_scene(stage.host), log, err);
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
