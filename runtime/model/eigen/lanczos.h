/* SPDX-License-Identifier: MIT */
/* runtime/model/eigen/lanczos.h -- block Lanczos on a shift-inverted problem.
 *
 *     C V_j = V_(j-1) B_(j-1)' + V_j A_j + V_(j+1) B_j
 *
 * Each step adds a block of vectors, orthogonal to all before it. The blocks A
 * and B form a small banded matrix T = V' C V. Its highest eigenvalues converge
 * to those of C long before V spans the whole space; |B_m s|, with s the last
 * entries of T's eigenvector, bounds the error. Almost all work is products of
 * tall matrices.
 *
 * Vectors can be locked first: the iteration then stays orthogonal to them.
 *
 * Symbols: V basis, A_j diagonal and B_j lower blocks of T, t eigenvalues.
 * Thread: as pencil.h. Memory: destroy frees it; the pencil is borrowed.
 * Source: R. Grimes, J. Lewis, H. Simon, A Shifted Block Lanczos Algorithm for
 *         Solving Sparse Symmetric Generalized Eigenproblems, 1994.
 */
#pragma once

#include "runtime/base/random.h"
#include "runtime/base/status.h"
#include "runtime/model/eigen/pencil.h"

/* For lanczos.c (steps) and lanczos_ritz.c (eigenpairs of T). */
typedef struct sb_lanczos {
    sb_pencil *pencil;
    int dim;
    int panels, size; /* of a block; size is in vectors */
    int locked;       /* vectors in the panels before the first block */
    int steps;        /* done: A_0 .. A_(steps-1), B_0 .. B_(steps-1) */
    int panel_count, panel_capacity;
    double **v; /* the basis: panels, allocated one by one */
    double *w;  /* the current block */
    int a_capacity, b_capacity, c_capacity;
    double *a;       /* A_j, by columns */
    double *b;       /* B_j, upper triangles by columns */
    double *c;       /* products of the whole basis with a block */
    double *spare;   /* a block */
    double *weighed; /* a block times M */
    double largest;  /* estimate of C's largest eigenvalue */
    sb_random random;
} sb_lanczos;

/* Eigenpairs of T from the highest t down. */
typedef struct sb_lanczos_pairs {
    int size;  /* of T */
    int count; /* of the pairs */
    double *values;
    double *errors;  /* |C y - t y| */
    double *vectors; /* [count][size] */
} sb_lanczos_pairs;

/* Blocks of up to SB_PENCIL_PANELS panels. */
SB_NODISCARD sb_status sb_lanczos_create(sb_lanczos **out, sb_pencil *pencil,
                                         int panels, sb_error *err);
void sb_lanczos_destroy(sb_lanczos *lanczos); /* NULL is allowed */

/* Only before the first step. `y` is an eigenvector of length 1. */
SB_NODISCARD sb_status sb_lanczos_lock(sb_lanczos *lanczos, const double *y,
                                       sb_error *err);
SB_NODISCARD sb_status sb_lanczos_step(sb_lanczos *lanczos, sb_error *err);
int sb_lanczos_size(const sb_lanczos *lanczos); /* of T */
/* False when the next step would leave no room for a block after it. */
bool sb_lanczos_has_room(const sb_lanczos *lanczos);

/* Estimates |C y - t y| / t of the `rank`-th highest pair of T, far cheaper
 * than all pairs; 1 when T has fewer. */
SB_NODISCARD sb_status sb_lanczos_error(const sb_lanczos *lanczos, int rank,
                                        double *out, sb_error *err);
/* The `count` highest eigenpairs of T, or as many as it has. */
SB_NODISCARD sb_status sb_lanczos_ritz(const sb_lanczos *lanczos, int count,
                                       sb_lanczos_pairs *out, sb_error *err);
void sb_lanczos_pairs_free(sb_lanczos_pairs *ritz);
/* Vectors y of the pairs from `first` on, one block of them in panels; those
 * after the last pair are 0. NULL before the first step; valid until the next
 * call. */
const double *sb_lanczos_vectors(sb_lanczos *lanczos,
                                 const sb_lanczos_pairs *ritz, int first);
