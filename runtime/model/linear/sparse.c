/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/sparse.h"

#include "runtime/base/memory.h"

#include <limits.h>
#include <string.h>

typedef struct entry {
    int row, column;
    double value;
} entry;

struct sb_sparse_builder {
    int n;
    int count, capacity;
    entry *entries; /* in the order of adding */
};

sb_status sb_sparse_begin(sb_sparse_builder **out, int n, sb_error *err) {
    if (n < 0 || n == INT_MAX) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a matrix of size %d", n);
    }
    sb_sparse_builder *builder = sb_alloc(1, sizeof *builder);
    if (!builder) return sb_no_memory(err, "matrix of size %d", n);
    builder->n = n;
    *out = builder;
    return SB_OK;
}

sb_status sb_sparse_add(sb_sparse_builder *builder, const int *indices,
                        int count, const double *block, sb_error *err) {
    for (int i = 0; i < count; i++) {
        if (indices[i] >= builder->n) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "matrix of size %d: there is no row %d", builder->n,
                           indices[i]);
        }
    }
    /* Below 2^29, growing by doubling stays within an int. */
    if ((long long)builder->count + (long long)count * count > INT_MAX / 4) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "matrix of size %d: too many entries", builder->n);
    }
    if (!sb_grow((void **)&builder->entries, &builder->capacity,
                 builder->count + count * count, sizeof(entry))) {
        return sb_no_memory(err, "matrix of size %d", builder->n);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            if (indices[j] < 0 || indices[i] < indices[j]) continue;
            builder->entries[builder->count++] =
                (entry){indices[i], indices[j], block[i * count + j]};
        }
    }
    return SB_OK;
}

/* A stable counting sort by row or by column. */
static void sort_by(const entry *in, entry *out, int count, int *bins, int n,
                    int by_column) {
    memset(bins, 0, ((size_t)n + 1) * sizeof *bins);
    for (int i = 0; i < count; i++) {
        bins[(by_column ? in[i].column : in[i].row) + 1]++;
    }
    for (int i = 0; i < n; i++) {
        bins[i + 1] += bins[i];
    }
    for (int i = 0; i < count; i++) {
        out[bins[by_column ? in[i].column : in[i].row]++] = in[i];
    }
}

static int count_distinct(const entry *entries, int count) {
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        distinct += i == 0 || entries[i].row != entries[i - 1].row ||
                    entries[i].column != entries[i - 1].column;
    }
    return distinct;
}

static sb_status make_arrays(sb_sparse *out, int n, int count, sb_error *err) {
    sb_sparse made = {n, sb_alloc((size_t)n + 1, sizeof(int)),
                      sb_alloc((size_t)count, sizeof(int)),
                      sb_alloc((size_t)count, sizeof(double))};
    if (!made.starts || !made.rows || !made.values) {
        sb_sparse_free(&made);
        return sb_no_memory(err, "matrix of size %d", n);
    }
    *out = made;
    return SB_OK;
}

static void sum_up(const entry *entries, int count, sb_sparse *out) {
    int last = -1;
    for (int i = 0; i < count; i++) {
        if (i > 0 && entries[i].row == entries[i - 1].row &&
            entries[i].column == entries[i - 1].column) {
            out->values[last] += entries[i].value;
            continue;
        }
        last++;
        out->rows[last] = entries[i].row;
        out->values[last] = entries[i].value;
        out->starts[entries[i].column + 1]++;
    }
    for (int j = 0; j < out->n; j++) {
        out->starts[j + 1] += out->starts[j];
    }
}

/* Sums the entries, which are sorted in place. */
static sb_status compress(entry *entries, int count, int n, sb_sparse *out,
                          sb_error *err) {
    entry *sorted = sb_alloc((size_t)count, sizeof *sorted);
    int *bins = sb_alloc((size_t)n + 1, sizeof *bins);
    sb_status status =
        sorted && bins ? SB_OK : sb_no_memory(err, "matrix of size %d", n);
    if (!status) {
        sort_by(entries, sorted, count, bins, n, 0);
        sort_by(sorted, entries, count, bins, n, 1);
        status = make_arrays(out, n, count_distinct(entries, count), err);
    }
    if (!status) sum_up(entries, count, out);
    sb_free(bins);
    sb_free(sorted);
    return status;
}

sb_status sb_sparse_end(sb_sparse_builder *builder, sb_sparse *out,
                        sb_error *err) {
    sb_status status =
        compress(builder->entries, builder->count, builder->n, out, err);
    sb_sparse_abandon(builder);
    return status;
}

void sb_sparse_abandon(sb_sparse_builder *builder) {
    if (!builder) return;
    sb_free(builder->entries);
    sb_free(builder);
}

void sb_sparse_free(sb_sparse *matrix) {
    sb_free_all(matrix->starts, matrix->rows, matrix->values);
    *matrix = (sb_sparse){0};
}

void sb_sparse_multiply(const sb_sparse *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) {
        y[i] = 0;
    }
    for (int j = 0; j < a->n; j++) {
        double below = 0; /* what column j, read as a row, adds to y[j] */
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            int i = a->rows[p];
            y[i] += a->values[p] * x[j];
            if (i != j) below += a->values[p] * x[i];
        }
        y[j] += below;
    }
}

void sb_sparse_diagonal(const sb_sparse *a, double *diagonal) {
    for (int j = 0; j < a->n; j++) {
        int p = a->starts[j];
        int is_there = p < a->starts[j + 1] && a->rows[p] == j;
        diagonal[j] = is_there ? a->values[p] : 0;
    }
}

bool sb_sparse_is_diagonal(const sb_sparse *a) {
    for (int j = 0; j < a->n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            if (a->rows[p] != j && a->values[p] != 0) return false;
        }
    }
    return true;
}

/* Walks a column of both in step; rows and values may be NULL to count. */
static int merge_column(const sb_sparse *a, const sb_sparse *b, double factor,
                        int j, int *rows, double *values) {
    int p = a->starts[j], q = b->starts[j], count = 0;
    while (p < a->starts[j + 1] || q < b->starts[j + 1]) {
        int a_row = p < a->starts[j + 1] ? a->rows[p] : INT_MAX;
        int b_row = q < b->starts[j + 1] ? b->rows[q] : INT_MAX;
        int row = a_row < b_row ? a_row : b_row;
        double value = 0;
        if (a_row == row) value += a->values[p++];
        if (b_row == row) value += factor * b->values[q++];
        if (rows) {
            rows[count] = row;
            values[count] = value;
        }
        count++;
    }
    return count;
}

sb_status sb_sparse_sum(const sb_sparse *a, const sb_sparse *b, double factor,
                        sb_sparse *out, sb_error *err) {
    int count = 0;
    for (int j = 0; j < a->n; j++) {
        count += merge_column(a, b, factor, j, NULL, NULL);
    }
    sb_status status = make_arrays(out, a->n, count, err);
    for (int j = 0; !status && j < a->n; j++) {
        int start = out->starts[j];
        out->starts[j + 1] =
            start + merge_column(a, b, factor, j, out->rows + start,
                                 out->values + start);
    }
    return status;
}

sb_status sb_sparse_permute(const sb_sparse *a, const int *order,
                            sb_sparse *out, sb_error *err) {
    int n = a->n, count = a->starts[n];
    int *place = sb_alloc((size_t)n, sizeof *place);
    entry *entries = sb_alloc((size_t)count, sizeof *entries);
    sb_status status =
        place && entries ? SB_OK : sb_no_memory(err, "matrix of size %d", n);
    for (int i = 0; !status && i < n; i++)
        place[order[i]] = i;
    for (int j = 0; !status && j < n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            int r = place[a->rows[p]], c = place[j];
            entries[p] = (entry){r > c ? r : c, r > c ? c : r, a->values[p]};
        }
    }
    if (!status) status = compress(entries, count, n, out, err);
    sb_free(place);
    sb_free(entries);
    return status;
}

/* Rows of the lower triangle come first in each column, in order; those of the
 * upper one, which is read by rows, before them. */
sb_status sb_sparse_unfold(const sb_sparse *a, sb_sparse *out, sb_error *err) {
    int n = a->n, count = 0;
    int *next = sb_alloc((size_t)n + 1, sizeof *next);
    if (!next) return sb_no_memory(err, "matrix of size %d", n);
    for (int j = 0; j < n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            if (a->values[p] == 0) continue;
            next[j]++;
            if (a->rows[p] != j) next[a->rows[p]]++;
        }
    }
    for (int j = 0; j < n; j++) {
        int own = next[j];
        next[j] = count;
        count += own;
    }
    sb_status status = make_arrays(out, n, count, err);
    if (!status) {
        memcpy(out->starts, next, (size_t)n * sizeof *next);
        out->starts[n] = count;
        for (int j = 0; j < n; j++) {
            for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
                int i = a->rows[p];
                if (a->values[p] == 0) continue;
                out->rows[next[j]] = i;
                out->values[next[j]++] = a->values[p];
                if (i == j) continue;
                out->rows[next[i]] = j;
                out->values[next[i]++] = a->values[p];
            }
        }
    }
    sb_free(next);
    return status;
}
