/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/panel_kernel_body.h -- the inner loops themselves.
 *
 * Included once per instruction set, with WIDTH doubles in a SIMD register and
 * GROUP columns of the factor at a time: GROUP rows of 8 fill half of the
 * registers.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/model/linear/panel.h"

enum { PIECES = SB_PANEL / WIDTH };

typedef double piece
    __attribute__((vector_size(WIDTH * sizeof(double)), aligned(8), may_alias));

typedef struct row {
    piece of[PIECES];
} row;

static inline row load(const double *from) {
    row x;
    for (int i = 0; i < PIECES; i++) {
        x.of[i] = *(const piece *)(const void *)(from + i * WIDTH);
    }
    return x;
}

static inline void store(double *to, row x) {
    for (int i = 0; i < PIECES; i++) {
        *(piece *)(void *)(to + i * WIDTH) = x.of[i];
    }
}

static inline row add_times(row x, double factor, row y) {
    for (int i = 0; i < PIECES; i++) {
        x.of[i] += factor * y.of[i];
    }
    return x;
}

static inline row take_times(row x, double factor, row y) {
    for (int i = 0; i < PIECES; i++) {
        x.of[i] -= factor * y.of[i];
    }
    return x;
}

static inline row times(row x, double factor) {
    for (int i = 0; i < PIECES; i++) {
        x.of[i] *= factor;
    }
    return x;
}

/* `count` columns of a supernode, `l` at the first one's diagonal, `height`
 * from there down, `wide` apart. `count` is a constant where this is used. */
static inline __attribute__((always_inline)) void
forward_columns(int count, const double *l, int height, int wide,
                const int *rows, double *x) {
    row done[GROUP];
    for (int j = 0; j < count; j++) {
        done[j] = load(x + (size_t)rows[j] * SB_PANEL);
    }
    for (int j = 0; j < count; j++) {
        const double *own = l + (size_t)j * (size_t)wide;
        done[j] = times(done[j], 1 / own[j]);
        for (int i = j + 1; i < count; i++) {
            done[i] = take_times(done[i], own[i], done[j]);
        }
        store(x + (size_t)rows[j] * SB_PANEL, done[j]);
    }
    for (int i = count; i < height; i++) {
        double *to = x + (size_t)rows[i] * SB_PANEL;
        row sum = load(to);
        for (int j = 0; j < count; j++) {
            sum = take_times(sum, l[(size_t)j * (size_t)wide + (size_t)i],
                             done[j]);
        }
        store(to, sum);
    }
}

static inline __attribute__((always_inline)) void
backward_columns(int count, const double *l, int height, int wide,
                 const int *rows, double *x) {
    row sums[GROUP];
    for (int j = 0; j < count; j++) {
        sums[j] = load(x + (size_t)rows[j] * SB_PANEL);
    }
    for (int i = count; i < height; i++) {
        row known = load(x + (size_t)rows[i] * SB_PANEL);
        for (int j = 0; j < count; j++) {
            sums[j] = take_times(
                sums[j], l[(size_t)j * (size_t)wide + (size_t)i], known);
        }
    }
    for (int j = count - 1; j >= 0; j--) {
        const double *own = l + (size_t)j * (size_t)wide;
        for (int i = j + 1; i < count; i++) {
            sums[j] = take_times(sums[j], own[i], sums[i]);
        }
        sums[j] = times(sums[j], 1 / own[j]);
        store(x + (size_t)rows[j] * SB_PANEL, sums[j]);
    }
}

static void forward(const sb_supernodes *factor, double *x) {
    for (int s = 0; s < factor->count; s++) {
        const int *rows = factor->rows + factor->starts[s];
        int height = factor->starts[s + 1] - factor->starts[s];
        int count = factor->columns[s + 1] - factor->columns[s], j = 0;
        const double *l = factor->l + factor->values[s];
        size_t next = (size_t)height + 1; /* along the diagonal */
        for (; j + GROUP <= count; j += GROUP) {
            forward_columns(GROUP, l + (size_t)j * next, height - j, height,
                            rows + j, x);
        }
        for (; j < count; j++) {
            forward_columns(1, l + (size_t)j * next, height - j, height,
                            rows + j, x);
        }
    }
}

static void backward(const sb_supernodes *factor, double *x) {
    for (int s = factor->count - 1; s >= 0; s--) {
        const int *rows = factor->rows + factor->starts[s];
        int height = factor->starts[s + 1] - factor->starts[s];
        int count = factor->columns[s + 1] - factor->columns[s];
        const double *l = factor->l + factor->values[s];
        size_t next = (size_t)height + 1;
        int whole = count - count % GROUP;
        for (int j = count - 1; j >= whole; j--) {
            backward_columns(1, l + (size_t)j * next, height - j, height,
                             rows + j, x);
        }
        for (int j = whole - GROUP; j >= 0; j -= GROUP) {
            backward_columns(GROUP, l + (size_t)j * next, height - j, height,
                             rows + j, x);
        }
    }
}

static void project(int rows, const double *v, const double *w, double *c) {
    for (int first = 0; first < SB_PANEL; first += GROUP) {
        row sums[GROUP];
        for (int j = 0; j < GROUP; j++) {
            sums[j] = load(c + (first + j) * SB_PANEL);
        }
        for (int i = 0; i < rows; i++) {
            row right = load(w + (size_t)i * SB_PANEL);
            const double *left = v + (size_t)i * SB_PANEL + first;
            for (int j = 0; j < GROUP; j++) {
                sums[j] = add_times(sums[j], left[j], right);
            }
        }
        for (int j = 0; j < GROUP; j++) {
            store(c + (first + j) * SB_PANEL, sums[j]);
        }
    }
}

/* Even and odd entries are summed separately: two independent chains. */
static void multiply(const sb_sparse *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) {
        row even = {0}, odd = {0};
        int p = a->starts[i], end = a->starts[i + 1];
        for (; p + 1 < end; p += 2) {
            even = add_times(even, a->values[p],
                             load(x + (size_t)a->rows[p] * SB_PANEL));
            odd = add_times(odd, a->values[p + 1],
                            load(x + (size_t)a->rows[p + 1] * SB_PANEL));
        }
        if (p < end) {
            even = add_times(even, a->values[p],
                             load(x + (size_t)a->rows[p] * SB_PANEL));
        }
        store(y + (size_t)i * SB_PANEL, add_times(even, 1, odd));
    }
}

static void combine(int rows, const double *v, const double *c, double *w) {
    for (int first = 0; first < SB_PANEL; first += GROUP) {
        row factors[GROUP];
        for (int j = 0; j < GROUP; j++) {
            factors[j] = load(c + (first + j) * SB_PANEL);
        }
        for (int i = 0; i < rows; i++) {
            row sum = load(w + (size_t)i * SB_PANEL);
            const double *left = v + (size_t)i * SB_PANEL + first;
            for (int j = 0; j < GROUP; j++) {
                sum = add_times(sum, left[j], factors[j]);
            }
            store(w + (size_t)i * SB_PANEL, sum);
        }
    }
}

#define SB_PANEL_KERNEL \
    { forward, backward, multiply, project, combine }
