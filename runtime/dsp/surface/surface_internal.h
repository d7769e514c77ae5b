/* runtime/dsp/surface/surface_internal.h -- the steps of making a surface.
 *
 * surface_make.c checks a definition and fills a table with heights,
 * surface_shape.c knows the kinds, surface_levels.c turns the table into
 * levels with the help of surface_fourier.c, surface_roll.c rolls a ball over it.
 *
 * Thread: control.
 */
#ifndef SB_DSP_SURFACE_SURFACE_INTERNAL_H
#define SB_DSP_SURFACE_SURFACE_INTERNAL_H

#include "runtime/dsp/surface/surface.h"

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
 * power of two, `work` has as much room; `turn` holds e^(2 pi i j / turns),
 * j < turns, and `turns` is a multiple of count. */
void sb_surface_fourier(double complex *x, double complex *work, int count,
                        double sign, const double complex *turn, int turns);

/* The lines 0 .. count / 2 of `count` heights, the sums over j of
 * h_j e^(-2 pi i j k / count); the others are their conjugates. `lines` and
 * `work` have count / 2 + 1 places, `turns` is a multiple of count. */
void sb_surface_lines(const float *heights_m, int count, double complex *lines,
                      double complex *work, const double complex *turn,
                      int turns);

/* And back: the lines 0 .. count / 2 of heights become count / 2 numbers whose
 * transform, with sign 1, has the heights as real and imaginary parts in turn.
 * `count` may be a multiple of four that is no power of two, or 6. */
void sb_surface_pair_lines(double complex *lines, int count,
                           const double complex *turn, int turns);

/* turn[j] = e^(2 pi i j / turns). */
void sb_surface_turns(double complex *turn, int turns);

#endif
