/* SPDX-License-Identifier: MIT */
/* Figure 8: the same rain of rings plain, with modes merged and truncated, and
 * with quality scaling as well. The world is deterministic, and the rings have a
 * restitution of their own: it moves them alike for each variant.
 * Thread: control. */
#include "tests/bench/world/rings_world.h"

#include "runtime/base/memory.h"
#include "runtime/model/model.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TRIES = 9, SPAN = 38 /* blocks, a tenth of a second */ };

/* As scripts/rings.lua, without the ring that rolls away. */
static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local rings, rate, merge = %d, %.0f, %s\n"
    "sb.listener { position = { 0, 0.7, 1.2 }, facing = { 0, -0.5, -1 },\n"
    "  gain = 0.5 }\n"
    "if rate > 0 then sb.world { rate = rate } end\n"
    "sb.body('table', { material = 'wood', shape = sb.mesh(\n"
    "  'models/table_600.obj', { max_hz = 6000, merge = merge }),\n"
    "  collider = { kind = 'box', width = 1.2, height = 0.04, depth = 0.7 }\n"
    "})\n"
    "sb.body('floor', { shape = sb.floor {}, material = 'wood',\n"
    "  position = { 0, -0.75, 0 } })\n"
    "local shape = sb.mesh('models/ring_200.obj', { merge = merge })\n"
    "local collider = { kind = 'ring', radius = 0.05, wire_radius = 0.004 }\n"
    "local function some(low, high)\n"
    "  return low + (high - low) * math.random()\n"
    "end\n"
    "for i = 0, rings - 1 do\n"
    "  local column, row, layer = i %% 6, i // 6 %% 3, i // 18\n"
    "  sb.body('ring ' .. i + 1, { shape = shape, material = 'bronze',\n"
    "    motion = 'free', collider = collider, restitution = 0.4,\n"
    "    position = { 0.13 * (column - 2.5),\n"
    "      0.5 + 0.13 * layer + some(0, 0.02), 0.13 * (row - 1) },\n"
    "    rotation = { some(-1, 1), some(-1, 1), some(-1, 1), some(0, 3) },\n"
    "    spin = { some(-6, 6), some(-6, 6), some(-6, 6) } })\n"
    "end\n";

sb_status bench_rings_open(bench_stage *stage, const bench_rings_def *def,
                           sb_error *err) {
    char text[sizeof scene_text + 64];
    (void)snprintf(text, sizeof text, scene_text, def->rings, def->rate_hz,
                   def->keeps_all ? "false" : "true");
    return bench_stage_open(stage, text, def->is_live, err);
}

/* --- each way ------------------------------------------------------------- */

static double mean_share(const bench_stage *stage, bool of_audio) {
    double sum = 0.0;
    for (int i = 0; i < stage->block_count; i++)
        sum += of_audio ? stage->blocks[i].audio_s : stage->blocks[i].control_s;
    return sum / (stage->block_count * BENCH_BLOCK_S);
}

enum { QUARTER = 94 /* blocks, a quarter of a second */ };

typedef struct way_run {
    const bench_world_def *def;
    bench_rings_def rings;
    sb_quality_def quality;
    bench_world_rings *out;
    int way;
} way_run;

static sb_status play_way(const way_run *run, bench_stage *stage,
                          sb_error *err) {
    sb_status status = bench_rings_open(stage, &run->rings, err);
    if (!status) status = bench_stage_quality(stage, &run->quality, err);
    if (!status) status = bench_stage_play(stage, run->def->seconds, 0.0, err);
    return status;
}

/* Store in the first stage the median over all stages, block by block. */
static void take_medians(bench_stage *stages, int count) {
    for (int i = 0; i < stages[0].block_count; i++) {
        double audio[MOST_TRIES], control[MOST_TRIES];
        for (int k = 0; k < count; k++) {
            audio[k] = stages[k].blocks[i].audio_s;
            control[k] = stages[k].blocks[i].control_s;
        }
        stages[0].blocks[i].audio_s = spread_of(audio, count).p50;
        stages[0].blocks[i].control_s = spread_of(control, count).p50;
    }
}

/* Frames per second, averaged over the blocks around i. */
static double fps_at(const bench_stage *stage, int i) {
    int from = i - SPAN / 2, to = i + SPAN / 2;
    if (from < 0) from = 0;
    if (to > stage->block_count) to = stage->block_count;
    double sum = 0.0;
    for (int k = from; k < to; k++)
        sum += stage->blocks[k].audio_s;
    return (to - from) * BENCH_BLOCK_S / (0.01 * fmax(sum, 1e-12));
}

static sb_status look(const way_run *run, const bench_stage *stage,
                      bench_world_point *points, sb_error *err) {
    bench_world_way *way = &run->out->ways[run->way];
    double *fps = sb_alloc((size_t)stage->block_count, sizeof *fps);
    if (!fps) return sb_fail(err, SB_NO_MEMORY, "out of memory for a figure");
    way->fps_least = INFINITY;
    for (int i = 0; i < stage->block_count; i++) {
        fps[i] = points[i].fps[run->way] = fps_at(stage, i);
        points[i].time_s = i * BENCH_BLOCK_S;
        points[i].modes[run->way] = stage->blocks[i].mixed;
        way->fps_least = fmin(way->fps_least, fps[i]);
    }
    way->fps = spread_of(fps, stage->block_count).p50;
    sb_free(fps);
    const sb_scene *scene = sb_host_scene(stage->host);
    for (int i = 0; i < sb_scene_body_count(scene); i++)
        way->modes += sb_model_mode_count(
            sb_scene_body_model(scene, sb_scene_body_at(scene, i)));
    if (run->way == WAY_SAVING) {
        run->out->world = mean_share(stage, false);
        run->out->world_most = bench_stage_busiest(stage, QUARTER, false);
        run->out->rate_hz = sb_scene_world_info(scene).rate_hz;
        run->out->events = (double)sb_scene_event_count(scene);
        run->out->audio = mean_share(stage, true);
        run->out->audio_most = bench_stage_busiest(stage, QUARTER, true);
    }
    return bench_stage_load(stage, 0, &way->load, err);
}

static sb_status measure_way(const way_run *run, bench_world_point *points,
                             sb_error *err) {
    bench_stage stages[MOST_TRIES] = {0};
    int tries = run->def->tries < MOST_TRIES ? run->def->tries : MOST_TRIES;
    sb_status status = SB_OK;
    for (int i = 0; i < tries && !status; i++)
        status = play_way(run, &stages[i], err);
    if (!status) {
        take_medians(stages, tries);
        status = look(run, &stages[0], points, err);
    }
    for (int i = 0; i < tries; i++)
        bench_stage_close(&stages[i]);
    return status;
}

static sb_status measure_ways(const bench_world_def *def,
                              bench_world_rings *out, bench_world_point *points,
                              sb_error *err) {
    way_run run = {.def = def, .out = out};
    run.quality = sb_quality_default();
    run.quality.budget = 0.0;
    run.quality.tau = 0.0;
    run.rings = (bench_rings_def){.rings = def->rings, .keeps_all = true};
    run.way = WAY_PLAIN;
    sb_status status = measure_way(&run, points, err);
    run.way = WAY_SAVING;
    run.rings.keeps_all = false;
    run.quality.tau = 2.0;
    if (!status) status = measure_way(&run, points, err);
    run.way = WAY_SCALING;
    run.rings.is_live = true;
    /* The scene would fit completely, so set half of its peak load as the
     * budget. */
    out->budget = run.quality.budget = 0.5 * out->audio_most;
    if (!status) status = measure_way(&run, points, err);
    return status;
}

sb_status bench_world_rings_run(const bench_world_def *def,
                                bench_world_rings *out,
                                bench_world_point **points, int *point_count,
                                sb_error *err) {
    *out = (bench_world_rings){.rings = def->rings, .seconds = def->seconds};
    *points = NULL;
    int count = (int)ceil(def->seconds / BENCH_BLOCK_S - 1e-9);
    *points = sb_alloc((size_t)count + 1, sizeof **points);
    *point_count = count;
    if (!*points)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a figure");
    return measure_ways(def, out, *points, err);
}
