/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/sparse.h -- sparse symmetric matrices.
 *
 * Compressed columns, the lower triangle only (row >= column), rows ascending.
 * A builder sums elements in any order. Contributions to one entry are added in
 * the order they came, so that the same elements give the same bits.
 *
 * Thread: control, workers. Memory: sb_sparse_free frees the arrays.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_sparse {
    int n;
    int *starts; /* n + 1; entries of column j: starts[j] .. starts[j+1] */
    int *rows;
    double *values;
} sb_sparse;

typedef struct sb_sparse_builder sb_sparse_builder;

SB_NODISCARD sb_status sb_sparse_begin(sb_sparse_builder **out, int n,
                                       sb_error *err);
/* Adds the dense symmetric matrix `block` (count x count, both triangles) at
 * these rows and columns. A negative index is a fixed degree of freedom: its
 * row and column are left out. */
SB_NODISCARD sb_status sb_sparse_add(sb_sparse_builder *builder,
                                     const int *indices, int count,
                                     const double *block, sb_error *err);
/* Frees the builder, also on failure. */
SB_NODISCARD sb_status sb_sparse_end(sb_sparse_builder *builder, sb_sparse *out,
                                     sb_error *err);
void sb_sparse_abandon(sb_sparse_builder *builder); /* NULL is allowed */
void sb_sparse_free(sb_sparse *matrix);

/* y = A x */
void sb_sparse_multiply(const sb_sparse *a, const double *x, double *y);
void sb_sparse_diagonal(const sb_sparse *a, double *diagonal);
/* True when all values off the diagonal are 0. */
bool sb_sparse_is_diagonal(const sb_sparse *a);

/* A + factor B. Its pattern is the union of both, whatever the values. */
SB_NODISCARD sb_status sb_sparse_sum(const sb_sparse *a, const sb_sparse *b,
                                     double factor, sb_sparse *out,
                                     sb_error *err);
/* Row and column i of `out` are order[i] of `a`. */
SB_NODISCARD sb_status sb_sparse_permute(const sb_sparse *a, const int *order,
                                         sb_sparse *out, sb_error *err);
/* Both triangles, without entries that are 0; column i is also row i. Breaks
 * the rule "lower triangle only": for sb_panel_multiply alone. */
SB_NODISCARD sb_status sb_sparse_unfold(const sb_sparse *a, sb_sparse *out,
                                        sb_error *err);
