/* SPDX-License-Identifier: MIT */
/* tests/bench/world/rings_world.h -- measurements of bench world.
 *
 * Bronze rings rain on a wooden table (Raghuvanshi & Lin 2006, 5.4). The bench
 * measures the cost of their sound: with and without the optimisations of the
 * paper, with and without the world that moves them, with far too many rings,
 * and with rings at rest.
 *
 * Shares are shares of one core; times are processor times (scene_player.h).
 *
 * Thread: control.
 */
#pragma once

#include "tests/bench/scene_player.h"

typedef struct bench_world_def {
    int rings;          /* rings in figure 8 */
    double seconds;     /* duration of their rain */
    int many;           /* far more rings */
    double crowd_times; /* modes, relative to those that can be mixed */
    int tries;          /* runs per median */
} bench_world_def;

/* --- figure 8 ------------------------------------------------------------- */

enum { WAY_PLAIN, WAY_SAVING, WAY_SCALING, BENCH_WORLD_WAYS };

/* Frames (10 ms of sound) per second of processor time, averaged over a tenth
 * of a second. */
typedef struct bench_world_point {
    double time_s;
    double fps[BENCH_WORLD_WAYS];
    double modes[BENCH_WORLD_WAYS]; /* mixed */
    double bar[2];                  /* the same for figure 4 */
} bench_world_point;

typedef struct bench_world_way {
    int modes; /* of the scene */
    bench_load load;
    double fps, fps_least; /* median, and the least of any tenth of a second */
} bench_world_way;

typedef struct bench_world_rings {
    int rings;
    double seconds, rate_hz; /* of the world */
    double events;           /* impacts, and changes of contacts */
    bench_world_way ways[BENCH_WORLD_WAYS];
    double budget; /* budget of the last variant, as a share of a core */
    /* Shares of real time: on average, and in the busiest quarter of a second.
     */
    double world, world_most; /* moving the bodies and telling of it */
    double audio, audio_most;
    bool is_realtime;
    int realtime; /* most rings in real time that were tried */
    bool is_more; /* more may be possible */
} bench_world_rings;

/* One point per block; the caller frees them. */
SB_NODISCARD sb_status bench_world_rings_run(const bench_world_def *def,
                                             bench_world_rings *out,
                                             bench_world_point **points,
                                             int *point_count, sb_error *err);
SB_NODISCARD sb_status bench_world_realtime(const bench_world_def *def,
                                            bench_world_rings *out,
                                            sb_error *err);

typedef struct bench_rings_def {
    int rings;
    double rate_hz; /* world steps per second; 0: chosen by the scene */
    bool keeps_all; /* modes are not merged */
    bool is_live;
} bench_rings_def;

SB_NODISCARD sb_status bench_rings_open(bench_stage *stage,
                                        const bench_rings_def *def,
                                        sb_error *err);

/* --- many, and at rest ---------------------------------------------------- */

typedef struct bench_world_many {
    int rings;
    double seconds, events; /* impacts, and changes of contacts */
    long long
        unheard; /* impacts and contacts dropped because lists were full */
    bench_load load;
    double budget;
} bench_world_many;

SB_NODISCARD sb_status bench_world_many_run(const bench_world_def *def,
                                            bench_world_many *out,
                                            sb_error *err);

typedef struct bench_world_rest {
    double empty_s, rest_s; /* processor time per block */
    double waited_s;        /* scene time until all were silent */
} bench_world_rest;

SB_NODISCARD sb_status bench_world_rest_run(const bench_world_def *def,
                                            bench_world_rest *out,
                                            sb_error *err);

/* --- figure 4, and far too much ------------------------------------------- */

typedef struct bench_world_bar {
    int modes;       /* largest number */
    double mixed[2]; /* mean per block, tau = 0.01 and 2 */
    double saving; /* 0 .. 1, share of modes saved while the first one rings */
    double peak, differ_db; /* peak; difference, dB below the first */
} bench_world_bar;

SB_NODISCARD sb_status bench_world_bar_run(bench_world_point *points, int count,
                                           bench_world_bar *out, sb_error *err);

typedef struct bench_world_crowd {
    int bodies;
    long long impacts_dropped; /* not even their state could be advanced */
    double modes, fitting;     /* ringing modes; modes within the budget */
    double budget;
    bench_load load;
    double
        error_db[10]; /* level error of the loudest bodies against a full mix */
    double worst_db;
} bench_world_crowd;

SB_NODISCARD sb_status bench_world_crowd_run(const bench_world_def *def,
                                             bench_world_crowd *out,
                                             sb_error *err);

/* Write figure 8 to `path` and figure 4 beside it: out.png, out_bar.png. Points
 * above the axis are clamped to it. Errors of graph.h. */
SB_NODISCARD sb_status bench_world_plot(const char *path,
                                        bench_world_point *points, int count,
                                        const bench_world_rings *of,
                                        sb_error *err);
