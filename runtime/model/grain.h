/* SPDX-License-Identifier: MIT */
/* runtime/model/grain.h -- how finely a body is cut into elements.
 *
 * First a grid is chosen: with a number of elements along the longest side, or
 * the default of the shape. Then each direction gets `finer` times as many
 * cells. So grids of several fineness have the same proportions, and their
 * modes converge steadily. A grid to compare with has `coarser` times fewer
 * cells in each direction: counted after rounding, since two grids with as many
 * layers show nothing of the error across them.
 *
 * Thread: any.
 */
#pragma once

#include <math.h>

typedef struct sb_grain {
    int elements;   /* along the longest side; 0: the default */
    double finer;   /* 1: that grid */
    int least;      /* cells across a thin direction of that grid; 0: 1 */
    double coarser; /* 0: 1 */
} sb_grain;

/* With one quadratic element across, shear is a fifth too stiff; with two, by
 * one in a hundred. */
enum { SB_GRAIN_ACROSS = 2 };

/* So many cells, made coarser, at least `least`. */
static inline int sb_grain_fewer(sb_grain grain, int count, int least) {
    if (!(grain.coarser > 1)) return count;
    return (int)fmax(least, fmin(count - 1, round(count / grain.coarser)));
}

/* `count` cells made finer, at least `least`. */
static inline int sb_grain_count(sb_grain grain, double count, int least) {
    double finer = fmin(fmax(least, round(count * grain.finer)), 1e6);
    return sb_grain_fewer(grain, (int)finer, least);
}
