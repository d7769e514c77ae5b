/* SPDX-License-Identifier: MIT */
/* tests/bench/figures.h -- figures beside the bounds they must keep.
 *
 * A part is one subject (a disk that rolls on its rim, a chain, a heap ...). It
 * builds its scenes, runs them and adds figures to a sheet. A figure is an
 * error, a count or a share, and is right if it is not above its bound. Bounds
 * are those that the world was designed for; they do not depend on the machine,
 * except those of timed figures (shares of a core).
 *
 * The same part gives the same figures, bit for bit, timed ones excepted.
 *
 * Thread: control. Memory: plain values.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct figure {
    char what[80];
    double value, bound;
    const char *unit; /* "%", "mm", "" for counts */
    bool is_ok;       /* value <= bound */
    bool is_timed;    /* depends on the machine */
} figure;

enum { FIGURES_MOST = 32 }; /* per part */

typedef struct figure_sheet {
    figure figures[FIGURES_MOST];
    int count;
} figure_sheet;

/* Adds the figures of a part; is_quick: fewer seeds and shorter runs. NO_MEMORY;
 * BAD_ARGUMENT if the world refuses a solid. */
typedef sb_status figures_measure(bool is_quick, figure_sheet *out,
                                  sb_error *err);

typedef struct figure_part {
    const char *name;  /* "disk"; NULL ends a list */
    const char *title; /* the scene, in words */
    figures_measure *measure;
} figure_part;

/* Adds a figure; `what` as for printf. */
void figures_add(figure_sheet *to, double value, double bound, const char *unit,
                 const char *what, ...) __attribute__((format(printf, 5, 6)));
void figures_add_timed(figure_sheet *to, double value, double bound,
                       const char *unit, const char *what);
