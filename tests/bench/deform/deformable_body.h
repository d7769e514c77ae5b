/* SPDX-License-Identifier: MIT */
/* tests/bench/deform/deformable_body.h -- bars, blocks and plates that
 * bench deformable measures.
 *
 * Thread: control. Memory: the caller destroys what is created.
 */
#pragma once

#include "runtime/deform/deform.h"
#include "tests/bench/figures.h"

extern const figure_part deformable_parts[];

figures_measure deformable_law; /* law_parts.c */

/* Steel; an undercut bar is of aluminium. y is the thickness. */
typedef struct deformable_body {
    double size_m[3];
    int cells[3]; /* all 0: the default */
    bool is_sheet, is_lossless, is_undercut;
} deformable_body;

/* Struck by an impulse near a corner at the beginning, an undercut bar in the
 * middle of an end, so that it does not twist; if it is heard, from 1 m above. */
SB_NODISCARD sb_status deformable_create(const deformable_body *body,
                                         bool is_heard, int threads,
                                         sb_deform **out, sb_error *err);

/* Renders it for one ear and finds the lines nearest to `near_hz`, within 3 %;
 * *seconds is the processor time. */
SB_NODISCARD sb_status deformable_play(const deformable_body *body,
                                       double time_s, const double *near_hz,
                                       int count, double *pitches_hz,
                                       double *seconds, sb_error *err);
