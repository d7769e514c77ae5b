/* bindings/cli/bench/bench_world.h -- measurements of `sandbell bench world`.
 *
 * Bronze rings rain on a wooden table (Raghuvanshi & Lin 2006, 5.4). The bench
 * measures the cost of their sound: with and without the optimisations of the
 * paper, with and without the world that moves them, with far too many rings,
 * and with rings at rest.
 *
 * Shares are shares of one core; times are processor times (bench_stage.h).
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_WORLD_H
#define SB_BINDINGS_CLI_BENCH_BENCH_WORLD_H

#include "bindings/cli/bench/bench_stage.h"
#include "runtime/scene/world/world_log.h"

typedef struct bench_world_def {
    int rings;        /* that rain in figure 8 */
    double seconds;   /* of their time */
    int many, copies; /* rings of the log that is replayed, and copies of it */
    double crowd_times; /* modes of the crowd, of those that can be mixed */
    int tries;          /* medians are of so many */
} bench_world_def;

/* --- figure 8 ------------------------------------------------------------- */

enum { WAY_PLAIN, WAY_SAVING, WAY_SCALING, BENCH_WORLD_WAYS };

/* Frames per second: of 10 ms of sound, over the tenth of a second around. */
typedef struct bench_world_point {
    double time_s;
    double fps[BENCH_WORLD_WAYS];
    double modes[BENCH_WORLD_WAYS]; /* mixed */
    double bar[2];                  /* the same of figure 4 */
} bench_world_point;

typedef struct bench_world_way {
    int modes; /* that the scene has */
    bench_load load;
    double fps, fps_least; /* median, and the least of any tenth of a second */
} bench_world_way;

typedef struct bench_world_rings {
    int rings, impacts;
    double seconds, rate_hz; /* of the world */
    bench_world_way ways[BENCH_WORLD_WAYS];
    double budget; /* of the last way, a share of a core */
    /* Shares of real time: all of it, and the busiest quarter of a second. */
    double world, world_most; /* moving */
    double told, told_most;   /* saying what was heard to the engine */
    double audio, audio_most;
    bool is_realtime;
    int realtime; /* rings that are, at most, as far as was tried */
    bool is_more; /* perhaps even more */
} bench_world_rings;

/* One point a block, to be freed; log: of the rings, likewise. */
SB_NODISCARD sb_status bench_world_rings_run(const bench_world_def *def,
                                             bench_world_rings *out,
                                             bench_world_point **points,
                                             int *point_count,
                                             sb_world_log **log, sb_error *err);
SB_NODISCARD sb_status bench_world_realtime(const bench_world_def *def,
                                            bench_world_rings *out,
                                            sb_error *err);

typedef struct bench_rings_def {
    int rings;
    double rate_hz; /* of the world; 0: its own */
    bool keeps_all; /* modes are not merged */
    bool is_live;
} bench_rings_def;

SB_NODISCARD sb_status bench_rings_open(bench_stage *stage,
                                        const bench_rings_def *def,
                                        sb_error *err);

/* --- without the world ---------------------------------------------------- */

typedef struct bench_world_replay {
    int rings, impacts;
    double seconds;
    long long unheard; /* impacts and contacts without room */
    bench_load load;
    double budget;
} bench_world_replay;

/* `many` rings, and as many times more as there are copies. */
SB_NODISCARD sb_status bench_world_replays(const bench_world_def *def,
                                           bench_world_replay out[2],
                                           sb_error *err);

typedef struct bench_world_rest {
    double empty_s, rest_s; /* a block */
    double waited_s;        /* of scene time, until all were silent */
} bench_world_rest;

SB_NODISCARD sb_status bench_world_rest_run(const bench_world_def *def,
                                            const sb_world_log *log,
                                            bench_world_rest *out,
                                            sb_error *err);

/* --- figure 4, and far too much ------------------------------------------- */

typedef struct bench_world_bar {
    int modes;       /* at most */
    double mixed[2]; /* added up over blocks, per block, tau = 0.01 and 2 */
    double saving;   /* 0 .. 1, of modes mixed while the first one rings */
    double peak, differ_db; /* of the sound; of the two, below the first */
} bench_world_bar;

SB_NODISCARD sb_status bench_world_bar_run(bench_world_point *points, int count,
                                           bench_world_bar *out, sb_error *err);

typedef struct bench_world_crowd {
    int bodies;
    long long impacts_dropped; /* there was no time even to turn its state */
    double modes, fitting;     /* that ring; that the budget allows for */
    double budget;
    bench_load load;
    double error_db[10]; /* of the loudest bodies' levels, against all of it */
    double worst_db;
} bench_world_crowd;

SB_NODISCARD sb_status bench_world_crowd_run(const bench_world_def *def,
                                             bench_world_crowd *out,
                                             sb_error *err);

#endif
