/* runtime/bench/motion/bench_motion.h -- how right the world moves: scenes with known
 * outcomes, each figure beside the bound it must keep.
 *
 * A part is one subject (a disk that rolls on its rim, a chain, a heap ...). It
 * builds its scenes, runs them and adds figures to a sheet. A figure is an
 * error, a count or a share, and is right if it is not above its bound. Bounds
 * are those that the world was designed for; they do not depend on the machine,
 * except those of timed figures (shares of a core).
 *
 * The same part gives the same figures, bit for bit, timed ones excepted.
 *
 * Thread: control; all parts take minutes, with is_quick some ten seconds.
 * Memory: plain values.
 */
#ifndef SB_BENCH_MOTION_BENCH_MOTION_H
#define SB_BENCH_MOTION_BENCH_MOTION_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_bench_figure {
    char what[80];
    double value, bound;
    const char *unit; /* "%", "mm", "" for counts */
    bool is_ok;       /* value <= bound */
    bool is_timed;    /* depends on the machine */
} sb_bench_figure;

enum { SB_BENCH_FIGURES = 32 }; /* most per part */

typedef struct sb_bench_motion_sheet {
    sb_bench_figure figures[SB_BENCH_FIGURES];
    int count;
} sb_bench_motion_sheet;

typedef struct sb_bench_motion_def {
    bool is_quick; /* fewer seeds and shorter runs */
} sb_bench_motion_def;

typedef sb_status sb_bench_motion_measure(const sb_bench_motion_def *def,
                                          sb_bench_motion_sheet *out,
                                          sb_error *err);

typedef struct sb_bench_motion_part {
    const char *name;  /* "disk" */
    const char *title; /* the scene, in words */
    sb_bench_motion_measure *measure;
} sb_bench_motion_part;

/* All parts, in the order of the table. */
const sb_bench_motion_part *sb_bench_motion_parts(int *count);

/* Empties the sheet and measures one part. NO_MEMORY; BAD_ARGUMENT if the
 * world refuses a solid. */
SB_NODISCARD sb_status sb_bench_motion_run(const sb_bench_motion_part *part,
                                           const sb_bench_motion_def *def,
                                           sb_bench_motion_sheet *out,
                                           sb_error *err);

#endif
