/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/surface_internal.h -- the steps of creating a surface.
 *
 * surface_make.c checks a definition, allocates, and turns the table into levels
 * with the transforms of runtime/base/fft.h; surface_shape.c computes the heights
 * of each kind, and rolls a ball over them.
 *
 * Thread: control. Memory: tables are the caller's.
 */
#pragma once

#include "runtime/dsp/surface/surface.h"

/* Heights from which a surface is built. */
typedef struct sb_surface_table {
    int points, rows; /* points: a power of two, >= 16 */
    double spacing_m, row_spacing_m;
    double length_m;
    bool is_clamped;
    sb_gravel gravel;
    sb_surface_grain grain;
    float *heights_m; /* rows * points */
    double patch_m;   /* half-width of the mean that is read; 0: the heights */
} sb_surface_table;

/* The number of points per row that a checked definition needs, and the
 * period. */
int sb_surface_points(const sb_surface_def *def, double *period_m);

/* Fill `table`, whose sizes are set. NO_MEMORY or OK. */
sb_status sb_surface_shape(const sb_surface_def *def, sb_surface_table *table,
                           sb_error *err);

/* Build a surface with all levels from the table, which remains the
 * caller's. */
sb_status sb_surface_build(const sb_surface_table *table, sb_surface **out,
                           sb_error *err);
