/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/panel.h -- operations on eight vectors side by side.
 *
 * A panel holds 8 vectors row by row: entry i of vector j is panel[8 i + j]. A
 * row fills one, two or four SIMD registers, so each number of a sparse factor
 * is loaded once for 8 vectors. A block is a sequence of panels.
 *
 * Work is divided by size alone (workers.h): results have the same bits on any
 * number of threads, though not on processors with other vector widths.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#pragma once

#include "runtime/model/linear/sparse.h"

#include <stddef.h>

enum { SB_PANEL = 8, SB_PANEL_SQUARE = 64 };

/* A triangular factor in supernodes: groups of neighbouring columns that share
 * their rows, each stored as a full matrix by columns. */
typedef struct sb_supernodes {
    int count;
    int *columns; /* [count + 1]: first column of each */
    int *starts;  /* [count + 1]: of its rows in `rows` */
    int *values;  /* [count]: where its matrix begins in `l` */
    int *rows;
    double *l; /* NULL: a pattern alone */
} sb_supernodes;

/* x = L^-T L^-1 x, one panel. */
void sb_panel_solve(const sb_supernodes *factor, double *x);
/* y = A x, one panel; A symmetric and unfolded (sb_sparse_unfold). */
void sb_panel_multiply(const sb_sparse *a, const double *x, double *y);

typedef struct sb_panel_shape {
    int rows;
    int left;  /* panels of V */
    int right; /* panels of W */
    int threads;
} sb_panel_shape;

/* c = V' W, the panels of V wherever they are. The square of panels p and q
 * begins at SB_PANEL_SQUARE (p right + q) and is stored by rows. */
void sb_panel_project(sb_panel_shape shape, double *const *v, const double *w,
                      double *c);
/* W = W + V c */
void sb_panel_combine(sb_panel_shape shape, double *const *v, const double *c,
                      double *w);

/* Index in c of the product of vector i of V and vector j of W. */
static inline size_t sb_panel_at(int right, int i, int j) {
    size_t square =
        (size_t)(i / SB_PANEL) * (size_t)right + (size_t)(j / SB_PANEL);
    return square * SB_PANEL_SQUARE +
           (size_t)(i % SB_PANEL * SB_PANEL + j % SB_PANEL);
}

/* The inner loops, compiled for several instruction sets (panel_kernel_body.h);
 * panel.c chooses one at run time. */
typedef struct sb_panel_kernel {
    void (*forward)(const sb_supernodes *factor, double *x);
    void (*backward)(const sb_supernodes *factor, double *x);
    void (*multiply)(const sb_sparse *a, const double *x, double *y);
    /* c = c + V' W and W = W + V c, one panel each. */
    void (*project)(int rows, const double *v, const double *w, double *c);
    void (*combine)(int rows, const double *v, const double *c, double *w);
} sb_panel_kernel;

extern const sb_panel_kernel sb_panel_kernel_portable;
extern const sb_panel_kernel sb_panel_kernel_avx2;
extern const sb_panel_kernel sb_panel_kernel_avx512;
