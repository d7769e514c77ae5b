/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/kernel_body.h -- all inner loops of one instruction set; the
 * including file defines WIDTH.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/deform/kernel/node_body.h"
#include "runtime/deform/kernel/shell_body.h"
#include "runtime/deform/kernel/tet_body.h"

/* Four windows at a time: eight sums that do not wait for each other. */
static void filter(const sb_filter_job *job) {
    enum { AT_ONCE = 4 };
    for (int first = 0; first < job->count; first += AT_ONCE) {
        const double *from = job->history + 4 * (size_t)(first * job->hop);
        row value[AT_ONCE] = {0}, second[AT_ONCE] = {0};
        for (int i = 0; i < job->taps; i++) {
            double a = job->taps_value[i], b = job->taps_second[i];
            UNROLL for (int k = 0; k < AT_ONCE; k++) {
                row x = load_row(from + 4 * (size_t)(i + k * job->hop));
                value[k] = along_row(a, x, value[k]);
                second[k] = along_row(b, x, second[k]);
            }
        }
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
            size_t to = (size_t)(first + k) * job->stride;
            store_row(job->value + to, value[k]);
            store_row(job->second + to, second[k]);
        }
    }
}

static void add_taps(double *to, const double *low, const double *high,
                     double a, double b) {
    UNROLL for (int k = 0; k < 16; k += WIDTH) {
        vec sum = splat(a) * load(low + k) + load(to + k);
        store(to + k, splat(b) * load(high + k) + sum);
    }
}

static void mix(double *to, int rows, const double *matrix, int columns,
                const double *from, double by) {
    enum { PARTS = 16 / WIDTH };
    for (int r = 0; r < rows; r++, to += 16, matrix += columns) {
        vec sum[PARTS] = {0};
        for (int c = 0; c < columns; c++) {
            const double *x = from + 16 * (size_t)c;
            UNROLL for (int k = 0; k < PARTS; k++) {
                sum[k] = splat(matrix[c]) * load(x + k * WIDTH) + sum[k];
            }
        }
        UNROLL for (int k = 0; k < PARTS; k++) {
            double *at = to + k * WIDTH;
            store(at, splat(by) * sum[k] + load(at));
        }
    }
}

#define SB_DEFORM_KERNEL(name) \
    { name, tets, shells, bends, nodes, turns, windows, filter, add_taps, mix }
