/* runtime/bench/deformable_body.h -- bars, blocks and plates for
 * bench_deformable.c.
 *
 * Thread: control. Memory: the caller destroys what is created.
 */
#ifndef SB_BENCH_DEFORMABLE_BODY_H
#define SB_BENCH_DEFORMABLE_BODY_H

#include "runtime/deform/deform.h"

/* Steel; an undercut bar is of aluminium. y is the thickness. */
typedef struct sb_deformable_body {
    double size_m[3];
    int cells[3]; /* all 0: the default */
    bool is_sheet, is_lossless, is_undercut;
} sb_deformable_body;

/* Struck by an impulse near a corner at the beginning, an undercut bar in the
 * middle of an end, so that it does not twist; up to two ears 1 m above. */
SB_NODISCARD sb_status sb_deformable_create(const sb_deformable_body *body,
                                            int ears, int threads,
                                            sb_deform **out, sb_error *err);

/* Renders it for one ear and finds the lines nearest to `near_hz`, within 3 %;
 * *seconds is the processor time. */
SB_NODISCARD sb_status sb_deformable_play(const sb_deformable_body *body,
                                          double time_s, const double *near_hz,
                                          int count, double *pitches_hz,
                                          double *seconds, sb_error *err);

#endif
