/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_rings.h -- the matrices of a wall of revolution.
 *
 * Private to runtime/model/bem. Elements of the profile are straight, with two
 * points of quadrature. Near ones have their static part by four points, and
 * inside by points that gather where the kernel is steep.
 *
 * Thread: control, workers. Memory: owns its arrays.
 */
#pragma once

#include "runtime/model/bem/bem_kernel.h"
#include "runtime/model/bem/bem_turned.h"

#include <complex.h>

typedef struct sb_bem_element {
    int nodes[2];
    double ends[2][2]; /* r, y */
    double length, tangent[2], normal[2];
} sb_bem_element;

/* Of one number of waves, by rows; that of each element with those after it,
 * with itself by half. */
typedef struct sb_bem_static {
    double *curl, *mass;  /* W = k^2 mass - curl */
    double *front, *back; /* K', of the row's element, of the column's */
} sb_bem_static;

typedef struct sb_bem_rings_mesh {
    int node_count, element_count, waves_count;
    bool is_sheet;
    bool *is_edge; /* [node] free: nothing there */
    bool *is_tip;  /* [node] on the axis */
    sb_bem_element *elements;
    int *waves; /* [waves_count] */
    sb_bem_static *statics;
    double *static_block;
    double widest_m, extent_m, radius_m; /* a of bem.h */
} sb_bem_rings_mesh;

/* `waves` are different numbers. */
SB_NODISCARD sb_status sb_bem_rings_make(const sb_bem_profile *profile,
                                         const int *waves, int waves_count,
                                         sb_bem_rings_mesh *mesh,
                                         sb_error *err);
void sb_bem_rings_free(sb_bem_rings_mesh *mesh);

/* A point of an element, at 0 .. 1 of it; its weight is that of an area, over
 * the angle round the axis. */
typedef struct sb_bem_spot {
    const sb_bem_element *element;
    double share, r, y, weight;
} sb_bem_spot;

/* One of two, 0 or 1. */
sb_bem_spot sb_bem_spot_of(const sb_bem_element *element, int which);

/* What curls and velocities of corners i and j have of G_n, C and S. */
typedef struct sb_bem_terms {
    double curl[4][3], mass[4][2];
} sb_bem_terms;

void sb_bem_rings_terms(const sb_bem_spot *x, const sb_bem_spot *y, int waves,
                        sb_bem_terms *out);

/* Room for a system: by rows, [node][node]; front and back of closed walls. */
typedef struct sb_bem_rings_bench {
    double complex *w, *front, *back;
    sb_bem_angles angles; /* as many as are needed at most */
    double *angle_block;
} sb_bem_rings_bench;

SB_NODISCARD bool sb_bem_rings_bench_make(const sb_bem_rings_mesh *mesh,
                                          int angles,
                                          sb_bem_rings_bench *bench);
void sb_bem_rings_bench_free(sb_bem_rings_bench *bench);

/* W + i eta (K' - M / 2), by rows, of statics[index]: into bench->w. */
void sb_bem_rings_system(const sb_bem_rings_mesh *mesh, int index,
                         double wavenumber, double eta,
                         sb_bem_rings_bench *bench);
/* Angles that a wave number needs. */
int sb_bem_rings_angles(const sb_bem_rings_mesh *mesh, int waves,
                        double wavenumber);

/* Q_{m-1/2}(1 + off), m = 0 .. most. */
void sb_bem_toroidal(double off, int most, double *q);
