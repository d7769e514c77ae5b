/* runtime/dsp/surface/surface_internal.h -- the steps of making a surface.
 *
 * surface_make.c checks a definition and fills a table with heights,
 * surface_shape.c knows the kinds, surface_levels.c turns the table into levels
 * with runtime/base/fft.h, surface_roll.c rolls a ball over it.
 *
 * Thread: control.
 */
#ifndef SB_DSP_SURFACE_SURFACE_INTERNAL_H
#define SB_DSP_SURFACE_SURFACE_INTERNAL_H

#include "runtime/dsp/surface/surface.h"

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

#endif
