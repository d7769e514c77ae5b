/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/node_body.h -- nodes take a step (kernel.h).
 *
 * Included once per instruction set, after kernel_vector.h.
 *
 * A quaternion q turns by h = dt w / 2 to (1 + h) q, which is then scaled by
 * (3 - |q|^2) / 2: one step of Newton's towards length 1, enough for the small
 * angles of one step.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/deform/kernel/kernel_vector.h"

enum { ROW_PARTS = 4 / WIDTH };

typedef struct row {
    vec of[ROW_PARTS];
} row;

INLINE row load_row(const double *from) {
    row r;
    UNROLL for (int k = 0; k < ROW_PARTS; k++) {
        r.of[k] = load(from + k * WIDTH);
    }
    return r;
}

INLINE void store_row(double *to, row r) {
    UNROLL for (int k = 0; k < ROW_PARTS; k++) {
        store(to + k * WIDTH, r.of[k]);
    }
}

/* s a + b */
INLINE row along_row(double s, row a, row b) {
    UNROLL for (int k = 0; k < ROW_PARTS; k++) {
        b.of[k] = splat(s) * a.of[k] + b.of[k];
    }
    return b;
}

/* Even and odd rows are summed separately: two independent chains. */
INLINE row sum_rows(const double *rows, int first, int last) {
    row even = {0}, odd = {0};
    int i = first;
    for (; i + 1 < last; i += 2) {
        even = along_row(1, load_row(rows + 4 * (size_t)i), even);
        odd = along_row(1, load_row(rows + 4 * (size_t)i + 4), odd);
    }
    if (i < last) even = along_row(1, load_row(rows + 4 * (size_t)i), even);
    return along_row(1, odd, even);
}

static void nodes(const sb_node_job *job, int first, int last) {
    const row gravity = load_row(job->gravity);
    double dt = job->step_s;
    for (int i = first; i < last; i++) {
        row f = sum_rows(job->forces, job->row_start[i], job->row_start[i + 1]);
        if (job->push) f = along_row(1, load_row(job->push + 4 * (size_t)i), f);
        double by = job->inverse_mass[i];
        row v = load_row(job->velocities + 4 * (size_t)i);
        v = along_row(dt * by, f, v);
        v = along_row(by > 0 ? dt : 0, gravity, v);
        store_row(job->velocities + 4 * (size_t)i, v);
        row x = load_row(job->positions + 4 * (size_t)i);
        store_row(job->positions + 4 * (size_t)i, along_row(dt, v, x));
    }
}

INLINE vec4 turn_quats(vec4 q, vec3 h) {
    vec4 r = {q.x + h.x * q.w + h.y * q.z - h.z * q.y,
              q.y - h.x * q.z + h.y * q.w + h.z * q.x,
              q.z + h.x * q.y - h.y * q.x + h.z * q.w,
              q.w - h.x * q.x - h.y * q.y - h.z * q.z};
    vec length = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
    vec by = splat(1.5) - splat(0.5) * length;
    return (vec4){by * r.x, by * r.y, by * r.z, by * r.w};
}

static void turns(const sb_turn_job *job, int first, int last) {
    static const int rows[4] = {0, 1, 2, 3};
    double dt = job->step_s;
    for (int i = first; i < last; i++) {
        row m =
            sum_rows(job->moments, job->row_start[i], job->row_start[i + 1]);
        if (job->push) m = along_row(1, load_row(job->push + 4 * (size_t)i), m);
        row w = load_row(job->spins + 4 * (size_t)i);
        w = along_row(dt * job->inverse_inertia[i], m, w);
        store_row(job->spins + 4 * (size_t)i, w);
    }
    vec half = splat(0.5 * dt);
    for (int i = first; i < last; i += WIDTH) {
        vec3 h = load_rows(job->spins + 4 * (size_t)i, rows, 4);
        vec4 q = load_columns(job->quats + 4 * (size_t)i, rows, 4);
        q = turn_quats(q, scale(half, h));
        store_columns(job->quats + 4 * (size_t)i, 4, q);
    }
}

static void windows(double *sums, const double *positions,
                    const double weights[4], int count) {
    for (int i = 0; i < count; i++) {
        row x = load_row(positions + 4 * (size_t)i);
        UNROLL for (int k = 0; k < 4; k++) {
            double *to = sums + 16 * (size_t)i + 4 * k;
            store_row(to, along_row(weights[k], x, load_row(to)));
        }
    }
}
