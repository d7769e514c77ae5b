/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/panel.h"

#include "runtime/model/linear/workers.h"

#include <string.h>

/* Size of a part: rows fit into the first-level cache, and there are panels for
 * several threads. */
enum { PART_ROWS = 256, PART_PANELS = 4 };

typedef struct job {
    sb_panel_shape shape;
    const sb_panel_kernel *kernel;
    double *const *v;
    const double *in;
    double *out;
} job;

static const sb_panel_kernel *choose(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma")) {
        return &sb_panel_kernel_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return &sb_panel_kernel_avx2;
    }
#endif
    return &sb_panel_kernel_portable;
}

void sb_panel_solve(const sb_supernodes *factor, double *x) {
    const sb_panel_kernel *kernel = choose();
    kernel->forward(factor, x);
    kernel->backward(factor, x);
}

void sb_panel_multiply(const sb_sparse *a, const double *x, double *y) {
    choose()->multiply(a, x, y);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int parts_of(int count, int size) {
    return (count + size - 1) / size;
}

static void project_part(void *context, int part) {
    const job *own = context;
    const sb_panel_shape *shape = &own->shape;
    size_t panel = (size_t)shape->rows * SB_PANEL;
    size_t right = (size_t)shape->right;
    int first = part * PART_PANELS;
    int last = least(first + PART_PANELS, shape->left);
    for (int row = 0; row < shape->rows; row += PART_ROWS) {
        int rows = least(PART_ROWS, shape->rows - row);
        size_t from = (size_t)row * SB_PANEL;
        for (int p = first; p < last; p++) {
            for (size_t q = 0; q < right; q++) {
                own->kernel->project(
                    rows, own->v[p] + from, own->in + q * panel + from,
                    own->out + ((size_t)p * right + q) * SB_PANEL_SQUARE);
            }
        }
    }
}

void sb_panel_project(sb_panel_shape shape, double *const *v, const double *w,
                      double *c) {
    job shared = {shape, choose(), v, w, c};
    memset(c, 0,
           (size_t)shape.left * (size_t)shape.right * SB_PANEL_SQUARE *
               sizeof *c);
    sb_workers_run(shape.threads, parts_of(shape.left, PART_PANELS),
                   project_part, &shared);
}

static void combine_part(void *context, int part) {
    const job *own = context;
    const sb_panel_shape *shape = &own->shape;
    size_t panel = (size_t)shape->rows * SB_PANEL;
    size_t right = (size_t)shape->right;
    int row = part * PART_ROWS;
    int rows = least(PART_ROWS, shape->rows - row);
    size_t from = (size_t)row * SB_PANEL;
    for (int p = 0; p < shape->left; p++) {
        for (size_t q = 0; q < right; q++) {
            own->kernel->combine(rows, own->v[p] + from,
                                 own->in +
                                     ((size_t)p * right + q) * SB_PANEL_SQUARE,
                                 own->out + q * panel + from);
        }
    }
}

void sb_panel_combine(sb_panel_shape shape, double *const *v, const double *c,
                      double *w) {
    job shared = {shape, choose(), v, c, w};
    sb_workers_run(shape.threads, parts_of(shape.rows, PART_ROWS), combine_part,
                   &shared);
}
