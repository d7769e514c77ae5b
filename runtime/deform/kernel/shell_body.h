/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/shell_body.h -- forces of triangles that follow their corners
 * (kernel.h).
 *
 * Included once per instruction set, after kernel_vector.h.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/deform/kernel/kernel_vector.h"

/* Columns of Q = E' R E0, and the trace. */
typedef struct turned {
    vec3 c[3];
    vec trace;
} turned;

typedef struct shell_state {
    vec3 e[3];      /* the axes now */
    vec x2, x3, y3; /* the corners in them */
    turned q[3];
    vec local[SB_SHELL_FORCES];  /* q */
    vec forces[SB_SHELL_FORCES]; /* p */
} shell_state;

INLINE void shell_frame(const vec3 x[3], shell_state *s) {
    vec3 side = sub(x[1], x[0]), other = sub(x[2], x[0]);
    vec one = splat(1);
    s->x2 = vec_sqrt(dot(side, side));
    s->e[0] = scale(one / s->x2, side);
    s->x3 = dot(s->e[0], other);
    vec3 normal = cross(s->e[0], other);
    s->y3 = vec_sqrt(dot(normal, normal));
    s->e[2] = scale(one / s->y3, normal);
    s->e[1] = cross(s->e[2], s->e[0]);
}

/* Columns of the rotation of a unit quaternion. */
INLINE void columns_of(vec4 q, vec3 columns[3]) {
    vec one = splat(1), x = q.x + q.x, y = q.y + q.y, z = q.z + q.z;
    columns[0] =
        (vec3){one - y * q.y - z * q.z, x * q.y + z * q.w, x * q.z - y * q.w};
    columns[1] =
        (vec3){x * q.y - z * q.w, one - x * q.x - z * q.z, y * q.z + x * q.w};
    columns[2] =
        (vec3){x * q.z + y * q.w, y * q.z - x * q.w, one - x * q.x - y * q.y};
}

/* The turn of one corner relative to the triangle. */
INLINE void shell_turn(const sb_element_job *job, const sb_shell_group *own,
                       int lane, int corner, shell_state *s) {
    const int *nodes = &own->nodes[corner][lane];
    vec3 r[3], local[3]; /* columns of R and of E' R */
    turned *q = &s->q[corner];
    columns_of(load_columns(job->quats, nodes, 4), r);
    UNROLL for (int i = 0; i < 3; i++) {
        local[i] =
            (vec3){dot(s->e[0], r[i]), dot(s->e[1], r[i]), dot(s->e[2], r[i])};
    }
    UNROLL for (int i = 0; i < 3; i++) {
        vec3 e0 = {load(&own->axes[3 * i][lane]),
                   load(&own->axes[3 * i + 1][lane]),
                   load(&own->axes[3 * i + 2][lane])};
        q->c[i] = combine(local[0], local[1], local[2], e0);
    }
    vec half = splat(0.5);
    q->trace = q->c[0].x + q->c[1].y + q->c[2].z;
    s->local[6 + 2 * corner] = half * (q->c[1].z - q->c[2].y);
    s->local[7 + 2 * corner] = half * (q->c[2].x - q->c[0].z);
    s->local[3 + corner] = half * (q->c[0].y - q->c[1].x);
}

/* p = K q of six freedoms; `half` is the upper half of K. */
INLINE void shell_multiply(const sb_lanes *half, int lane, const vec q[6],
                           vec p[6]) {
    UNROLL for (int i = 0; i < 6; i++) {
        p[i] = splat(0);
    }
    int at = 0;
    UNROLL for (int i = 0; i < 6; i++) {
        UNROLL for (int k = i; k < 6; k++) {
            vec value = load(&half[at++][lane]);
            p[i] = value * q[k] + p[i];
            if (k != i) p[k] = value * q[i] + p[k];
        }
    }
}

INLINE void shell_relax(vec p[SB_SHELL_FORCES], double *memory, vec rate,
                        vec gain) {
    UNROLL for (int i = 0; i < SB_SHELL_FORCES; i++) {
        vec held = load(memory + i * SB_DEFORM_LANES);
        vec d = p[i] - held;
        store(memory + i * SB_DEFORM_LANES, rate * d + held);
        p[i] = gain * d + p[i];
    }
}

/* Forces on the corners from the local forces and the sum of the moments: the
 * gradient of x2, x3, y3, and of the spin of the axes. */
INLINE void shell_balance(const sb_element_job *job, const sb_shell_group *own,
                          int lane, const shell_state *s, vec3 moments) {
    const vec *p = s->forces;
    vec one = splat(1), by2 = one / s->x2, by3 = one / s->y3;
    vec tilt = moments.x * by3;
    vec3 f1 = {p[0], (p[1] * s->y3 - p[2] * s->x3 - moments.z) * by2,
               (tilt * s->x3 + moments.y) * by2};
    vec3 f2 = {p[1], p[2], -tilt};
    vec3 second = combine(s->e[0], s->e[1], s->e[2], f1);
    vec3 third = combine(s->e[0], s->e[1], s->e[2], f2);
    vec3 both = add(second, third), none = (vec3){0};
    store_rows(job->forces, &own->rows[0][lane], both);
    store_rows(job->forces, &own->rows[1][lane], sub(none, second));
    store_rows(job->forces, &own->rows[2][lane], sub(none, third));
}

INLINE void shell_moments(const sb_element_job *job, const sb_shell_group *own,
                          int lane, const shell_state *s) {
    vec3 sum = (vec3){0};
    vec half = splat(0.5);
    UNROLL for (int i = 0; i < 3; i++) {
        const turned *q = &s->q[i];
        vec3 m = {half * s->forces[6 + 2 * i], half * s->forces[7 + 2 * i],
                  half * s->forces[3 + i]};
        vec3 back = {dot(q->c[0], m), dot(q->c[1], m), dot(q->c[2], m)};
        vec3 moment = sub(scale(q->trace, m), back);
        sum = add(sum, moment);
        store_rows(job->moments, &own->rows[i][lane],
                   sub((vec3){0}, combine(s->e[0], s->e[1], s->e[2], moment)));
    }
    shell_balance(job, own, lane, s, sum);
}

/* Elements `lane` .. of one group. */
INLINE void shell_lanes(const sb_element_job *job, int group, int lane,
                        double *memory, vec *energy, vec *least) {
    const sb_shell_group *own = &job->shells[group];
    shell_state s;
    vec3 x[3];
    UNROLL for (int i = 0; i < 3; i++) {
        x[i] = load_rows(job->positions, &own->nodes[i][lane], 4);
    }
    shell_frame(x, &s);
    vec x2 = load(&own->corner[0][lane]), y3 = load(&own->corner[2][lane]);
    s.local[0] = s.x2 - x2;
    s.local[1] = s.x3 - load(&own->corner[1][lane]);
    s.local[2] = s.y3 - y3;
    UNROLL for (int i = 0; i < 3; i++) {
        shell_turn(job, own, lane, i, &s);
    }
    shell_multiply(own->membrane, lane, s.local, s.forces);
    shell_multiply(own->bending, lane, s.local + 6, s.forces + 6);
    if (energy) {
        vec sum = splat(0), ratio = s.x2 * s.y3 / (x2 * y3);
        UNROLL for (int i = 0; i < SB_SHELL_FORCES; i++) {
            sum = s.forces[i] * s.local[i] + sum;
        }
        *energy += splat(0.5) * sum;
        UNROLL for (int i = 0; i < 3; i++) {
            ratio = vec_least(ratio, splat(0.5) * (s.q[i].trace - splat(1)));
        }
        *least = vec_least(*least, ratio);
    }
    if (memory)
        shell_relax(s.forces, memory, splat(job->rate), splat(job->gain));
    shell_moments(job, own, lane, &s);
}

INLINE void shell_group(const sb_element_job *job, int group, int has_memory,
                        int has_sums) {
    vec energy = splat(0), least = splat(INFINITY);
    double *memory =
        job->memory + (size_t)group * SB_SHELL_FORCES * SB_DEFORM_LANES;
    for (int lane = 0; lane < SB_DEFORM_LANES; lane += WIDTH) {
        shell_lanes(job, group, lane, has_memory ? memory + lane : NULL,
                    has_sums ? &energy : NULL, &least);
    }
    if (!has_sums) return;
    job->energy_j[group] = sum_lanes(energy);
    job->least[group] = least_lane(least);
}

static void shells(const sb_element_job *job, int first, int last) {
    if (job->energy_j && job->gain > 0) {
        for (int i = first; i < last; i++)
            shell_group(job, i, 1, 1);
    } else if (job->energy_j) {
        for (int i = first; i < last; i++)
            shell_group(job, i, 0, 1);
    } else if (job->gain > 0) {
        for (int i = first; i < last; i++)
            shell_group(job, i, 1, 0);
    } else {
        for (int i = first; i < last; i++)
            shell_group(job, i, 0, 0);
    }
}

/* How a field turns the corners against the plane of the triangle. */
INLINE void bend_turns(const sb_element_job *job, const sb_shell_group *own,
                       int lane, const shell_state *s, vec q[6]) {
    vec w[3];
    UNROLL for (int i = 0; i < 3; i++) {
        vec3 turn = load_rows(job->turns, &own->nodes[i][lane], 4);
        w[i] = dot(s->e[2], load_rows(job->moves, &own->nodes[i][lane], 4));
        q[2 * i] = dot(s->e[0], turn);
        q[2 * i + 1] = dot(s->e[1], turn);
    }
    vec along = (w[1] - w[0]) / s->x2;
    vec across = (w[2] - w[0] - along * s->x3) / s->y3;
    UNROLL for (int i = 0; i < 3; i++) {
        q[2 * i] -= across;
        q[2 * i + 1] += along;
    }
}

INLINE void bend_lanes(const sb_element_job *job, const sb_shell_group *own,
                       int lane) {
    shell_state s;
    vec3 x[3], sum = (vec3){0};
    vec q[6], p[6], by = load(&own->slowest[lane]);
    UNROLL for (int i = 0; i < 3; i++) {
        x[i] = load_rows(job->positions, &own->nodes[i][lane], 4);
    }
    shell_frame(x, &s);
    bend_turns(job, own, lane, &s, q);
    shell_multiply(own->bending, lane, q, p);
    UNROLL for (int i = 0; i < 3; i++) {
        vec3 moment = {by * p[2 * i], by * p[2 * i + 1], splat(0)};
        s.forces[i] = splat(0);
        sum = add(sum, moment);
        store_rows(job->moments, &own->rows[i][lane],
                   sub((vec3){0}, combine(s.e[0], s.e[1], s.e[2], moment)));
    }
    shell_balance(job, own, lane, &s, sum);
}

static void bends(const sb_element_job *job, int first, int last) {
    for (int i = first; i < last; i++) {
        for (int lane = 0; lane < SB_DEFORM_LANES; lane += WIDTH) {
            bend_lanes(job, &job->shells[i], lane);
        }
    }
}
