/* runtime/dsp/surface_inside.h -- the steps of making a surface.
 *
 * surface_make.c checks a definition and fills a table with heights,
 * surface_shape.c knows the kinds, surface_levels.c turns the table into levels,
 * surface_roll.c rolls a ball over it.
 *
 * Thread: control.
 */
#ifndef SB_DSP_SURFACE_INSIDE_H
#define SB_DSP_SURFACE_INSIDE_H

#include "runtime/dsp/surface.h"

#include <complex.h>

/* Heights on their way to a surface. */
typedef struct sb_surface_table {
    int points, rows; /* points: a power of two, >= 16 */
    double spacing_m, row_spacing_m;
    double length_m;
    bool is_clamped;
    sb_gravel gravel;
    float *heights_m; /* rows * points */
} sb_surface_table;

/* How many points a definition that has been checked needs, for one row, and
 * how long they are together. */
int sb_surface_points(const sb_surface_def *def, double *period_m);

/* Fill `table`, whose sizes are set. NO_MEMORY or OK. */
sb_status sb_surface_shape(const sb_surface_def *def, sb_surface_table *table,
                           sb_error *err);

/* A surface with all levels of the table, which stays the caller's. */
sb_status sb_surface_build(const sb_surface_table *table, sb_surface **out,
                           sb_error *err);

/* x <- sum over k of x_k e^(sign 2 pi i j k / count), not scaled. `count` is a
 * power of two; `turn` holds e^(2 pi i j / turns), j < turns, and `turns` is a
 * multiple of count. */
void sb_surface_fourier(double complex *x, int count, double sign,
                        const double complex *turn, int turns);

/* turn[j] = e^(2 pi i j / turns). */
void sb_surface_turns(double complex *turn, int turns);

#endif
