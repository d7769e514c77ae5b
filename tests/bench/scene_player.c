/* SPDX-License-Identifier: MIT */
#include "tests/bench/scene_player.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- opening -------------------------------------------------------------- */

sb_status bench_stage_open(bench_stage *stage, const char *text, bool is_live,
                           sb_error *err) {
    char path[BENCH_PATH + 16];
    memset(stage, 0, sizeof *stage);
    stage->is_live = is_live;
    sb_status status = folder_make(stage->folder, err);
    if (status) return status;
    (void)snprintf(path, sizeof path, "%s/scene.lua", stage->folder);
    if (!file_save(path, text, strlen(text)))
        return sb_fail(err, SB_IO_ERROR, "%s: cannot be written", path);
    sb_host_def def = sb_host_def_default();
    def.is_live = is_live;
    return sb_host_open(path, &def, &stage->host, err);
}

void bench_stage_close(bench_stage *stage) {
    sb_host_close(stage->host);
    sb_free(stage->blocks);
    folder_remove(stage->folder);
    memset(stage, 0, sizeof *stage);
}

sb_status bench_stage_quality(bench_stage *stage, const sb_quality_def *def,
                              sb_error *err) {
    sb_engine *engine = sb_host_engine(stage->host);
    return sb_engine_set_quality(engine, (double)sb_engine_clock(engine), def,
                                 err);
}

/* --- playing -------------------------------------------------------------- */

sb_status bench_reach(sb_host *host, int64_t *steps, int64_t frames,
                      sb_error *err) {
    sb_engine *engine = sb_host_engine(host);
    while (sb_engine_horizon(engine) < frames) {
        if (sb_engine_horizon(engine) >= *steps * BENCH_STEP_FRAMES) {
            double from = (double)(*steps * BENCH_STEP_FRAMES);
            sb_status status =
                sb_host_step(host, from / BENCH_RATE_HZ,
                             (from + BENCH_STEP_FRAMES) / BENCH_RATE_HZ, err);
            if (status) return status;
            ++*steps;
        }
        if (!sb_engine_flush(engine, *steps * BENCH_STEP_FRAMES)) break;
    }
    return SB_OK;
}

static void keep_sound(const bench_stage *stage, int64_t at,
                       const float *stereo) {
    int64_t to = at - stage->sound_from;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        if (to + n < 0 || to + n >= stage->sound_frames) continue;
        memcpy(stage->sound + 2 * (to + n), stereo + (ptrdiff_t)2 * n,
               2 * sizeof *stereo);
    }
}

static void pull(bench_stage *stage, bench_block *block) {
    float stereo[2 * SB_BLOCK_FRAMES];
    sb_engine *engine = sb_host_engine(stage->host);
    int64_t at = sb_engine_clock(engine);
    int64_t from_ns = sb_clock_ns();
    double from_s = sb_clock_thread_s();
    sb_engine_pull(engine, stereo, SB_BLOCK_FRAMES);
    block->audio_s = sb_clock_thread_s() - from_s;
    block->wall_s = (double)(sb_clock_ns() - from_ns) * 1e-9;
    if (stage->is_live)
        sb_engine_report_duration(engine, llround(block->audio_s * 1e9));
    if (stage->sound) keep_sound(stage, at, stereo);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    block->wanted = stats.modes_wanted;
    block->mixed = stats.modes_mixed;
    block->touching = stats.touching;
    block->dropped_db = stats.dropped_db;
}

sb_status bench_stage_play(bench_stage *stage, double end_s, double most_s,
                           sb_error *err) {
    sb_engine *engine = sb_host_engine(stage->host);
    double begin_s = sb_clock_thread_s();
    while ((double)sb_engine_clock(engine) < end_s * BENCH_RATE_HZ) {
        if (!sb_grow((void **)&stage->blocks, &stage->block_capacity,
                     stage->block_count + 1, sizeof *stage->blocks))
            return sb_fail(err, SB_NO_MEMORY, "out of memory for a figure");
        bench_block *block = &stage->blocks[stage->block_count++];
        double from_s = sb_clock_thread_s();
        sb_status status =
            bench_reach(stage->host, &stage->steps,
                        sb_engine_clock(engine) + SB_BLOCK_FRAMES, err);
        block->control_s = sb_clock_thread_s() - from_s;
        if (status) return status;
        pull(stage, block);
        if (most_s > 0.0 && sb_clock_thread_s() - begin_s > most_s) break;
    }
    return SB_OK;
}

/* --- figures -------------------------------------------------------------- */

sb_status bench_stage_load(const bench_stage *stage, int from, bench_load *out,
                           sb_error *err) {
    int count = stage->block_count - from;
    double rang = 0.0, dropped = 0.0;
    *out = (bench_load){.blocks = count};
    if (count <= 0) return SB_OK;
    double *shares = sb_alloc((size_t)count, sizeof *shares);
    if (!shares)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a figure");
    for (int i = 0; i < count; i++) {
        const bench_block *block = &stage->blocks[from + i];
        shares[i] = block->audio_s / BENCH_BLOCK_S;
        out->late += shares[i] > 1.0;
        out->late_wall += block->wall_s > BENCH_BLOCK_S;
        out->wanted = fmax(out->wanted, block->wanted);
        out->mixed = fmax(out->mixed, block->mixed);
        out->touching = fmax(out->touching, block->touching);
        rang += block->wanted;
        dropped += block->wanted - block->mixed;
    }
    out->share = spread_of(shares, count);
    out->dropped_share = rang > 0.0 ? dropped / rang : 0.0;
    sb_free(shares);
    return SB_OK;
}

double bench_stage_busiest(const bench_stage *stage, int span, bool of_audio) {
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < stage->block_count; i++) {
        const bench_block *block = &stage->blocks[i];
        sum += of_audio ? block->audio_s : block->control_s;
        if (i >= span) {
            const bench_block *gone = &stage->blocks[i - span];
            sum -= of_audio ? gone->audio_s : gone->control_s;
        }
        most = fmax(most, sum);
    }
    return most / (span * BENCH_BLOCK_S);
}
