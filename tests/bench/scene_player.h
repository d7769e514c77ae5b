/* SPDX-License-Identifier: MIT */
/* tests/bench/scene_player.h -- plays a scene block by block and measures
 * the cost of each block.
 *
 * Time is the processor time of this thread, so other programs do not count.
 * The wall-clock time of a block is reported as well.
 *
 * Thread: control, which is also the audio thread here. Memory: owned by the
 * stage until it is closed; its script is in a temporary folder until then.
 */
#pragma once

#include "bindings/host/host.h"
#include "runtime/base/quality_def.h"
#include "runtime/base/voice_types.h"
#include "tests/bench/measure.h"

enum { BENCH_STEP_FRAMES = 480 };
#define BENCH_BLOCK_S (SB_BLOCK_FRAMES / BENCH_RATE_HZ)

typedef struct bench_block {
    double audio_s, control_s; /* processor time; control: the world */
    double wall_s;             /* of the audio */
    int wanted, mixed;         /* modes */
    int touching;              /* lasting contacts */
    double dropped_db;
} bench_block;

typedef struct bench_stage {
    char folder[BENCH_PATH];
    sb_host *host;
    int64_t steps; /* control steps taken */
    bool is_live;
    bench_block *blocks;
    int block_count, block_capacity;
    /* Stereo frames from frame `sound_from` on are stored as far as they fit.
     */
    float *sound;
    int64_t sound_from, sound_frames;
} bench_stage;

/* Open a scene from its script text; a live scene has a time budget. */
SB_NODISCARD sb_status bench_stage_open(bench_stage *stage, const char *text,
                                        bool is_live, sb_error *err);
void bench_stage_close(bench_stage *stage); /* a zeroed one is allowed */

SB_NODISCARD sb_status bench_stage_quality(bench_stage *stage,
                                           const sb_quality_def *def,
                                           sb_error *err);
/* Play up to this scene time, or until this processor time has been used (0: no
 * limit). */
SB_NODISCARD sb_status bench_stage_play(bench_stage *stage, double end_s,
                                        double most_s, sb_error *err);

/* Take control steps, counted in *steps, until the horizon is at `frames`. */
SB_NODISCARD sb_status bench_reach(sb_host *host, int64_t *steps,
                                   int64_t frames, sb_error *err);

/* --- of blocks that have been played -------------------------------------- */

typedef struct bench_load {
    int blocks;
    spread share;         /* processor time, of a block's duration */
    int late, late_wall;  /* by processor time, by wall clock */
    double wanted, mixed; /* modes, largest number in any block */
    double touching;      /* lasting contacts, likewise */
    double dropped_share; /* ringing modes that were not mixed */
} bench_load;

/* Load of the blocks from `from` to the last. NO_MEMORY. */
SB_NODISCARD sb_status bench_stage_load(const bench_stage *stage, int from,
                                        bench_load *out, sb_error *err);

/* The largest share of real time that audio or control takes over any `span`
 * consecutive blocks. */
double bench_stage_busiest(const bench_stage *stage, int span, bool of_audio);
