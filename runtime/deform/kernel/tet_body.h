/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/tet_body.h -- forces of quadratic tetrahedra (kernel.h).
 *
 * Included once per instruction set, after kernel_vector.h.
 *
 * The tangent dx/dL_i at point q is (4 a - 1) x_i + 4 a (sum of the three
 * middles beside corner i) + c x_iq, where x_iq is the middle of edge iq and
 * x_qq corner q itself. The first two parts are the same at all points.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/deform/kernel/kernel_vector.h"

/* The four points have volume coordinates a, a, a, b in turn. */
#define POINT_A 0.13819660112501051518 /* (5 - sqrt 5) / 20 */
#define POINT_C 1.78885438199983175713 /* 4 (b - a) = 4 / sqrt 5 */

/* Node at the middle of edge ij, or corner i itself. */
static const int edge_node[4][4] = {
    {0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}};

typedef struct tet_sums {
    vec energy, least;
} tet_sums;

/* S and its memory at one point; on return S has the damping. */
INLINE void relax(vec s[SB_TET_STRESSES], double *memory, vec rate, vec gain) {
    UNROLL for (int i = 0; i < SB_TET_STRESSES; i++) {
        vec held = load(memory + i * SB_DEFORM_LANES);
        vec d = s[i] - held;
        store(memory + i * SB_DEFORM_LANES, rate * d + held);
        s[i] = gain * d + s[i];
    }
}

/* Replaces the tangents j[1 .. 3] by the forces on them; j[0] is their sum. */
INLINE void tet_point(vec3 j[4], const double *metric, double *memory,
                      const sb_element_job *job, tet_sums *sums) {
    vec t[7], s[SB_TET_STRESSES];
    UNROLL for (int i = 0; i < 7; i++) {
        t[i] = load(metric + i * SB_DEFORM_LANES);
    }
    vec3 f0 = scale(t[0], j[1]), f1 = along(t[1], j[1], scale(t[2], j[2]));
    vec3 f2 = along(t[3], j[1], along(t[4], j[2], scale(t[5], j[3])));
    vec half = splat(0.5), m = t[6] * splat(job->shear_twice);
    vec xx = half * dot(f0, f0) - half, yy = half * dot(f1, f1) - half;
    vec zz = half * dot(f2, f2) - half, trace = xx + yy + zz;
    vec p = t[6] * splat(job->lame) * trace, shear = half * m;
    vec xy = dot(f0, f1), yz = dot(f1, f2), zx = dot(f2, f0); /* twice */
    s[0] = m * xx + p;
    s[1] = m * yy + p;
    s[2] = m * zz + p;
    s[3] = shear * xy;
    s[4] = shear * yz;
    s[5] = shear * zx;
    if (sums) {
        sums->energy += half * (s[0] * xx + s[1] * yy + s[2] * zz + s[3] * xy +
                                s[4] * yz + s[5] * zx);
        sums->least = vec_least(sums->least, dot(f0, cross(f1, f2)));
    }
    if (memory) relax(s, memory, splat(job->rate), splat(job->gain));
    vec3 p0 = along(s[0], f0, along(s[3], f1, scale(s[5], f2)));
    vec3 p1 = along(s[3], f0, along(s[1], f1, scale(s[4], f2)));
    vec3 p2 = along(s[5], f0, along(s[4], f1, scale(s[2], f2)));
    j[1] = along(t[0], p0, along(t[1], p1, scale(t[3], p2)));
    j[2] = along(t[2], p1, scale(t[4], p2));
    j[3] = scale(t[5], p2);
    j[0] = add(j[1], add(j[2], j[3]));
}

/* Elements `lane` .. of one group. */
INLINE void tet_lanes(const sb_element_job *job, int group, int lane,
                      int is_straight, double *memory, tet_sums *sums) {
    const sb_tet_metric *metrics =
        job->metrics + (size_t)group * (is_straight ? 1 : SB_TET_POINTS);
    const sb_tet_group *own = &job->tets[group];
    const vec a4 = splat(4 * POINT_A), a41 = splat(4 * POINT_A - 1);
    const vec c = splat(POINT_C);
    vec3 x[10], base[4], pull[10], whole[4];
    UNROLL for (int i = 0; i < 10; i++) {
        x[i] = load_rows(job->positions, &own->nodes[i][lane], 4);
        pull[i] = (vec3){0};
    }
    UNROLL for (int i = 0; i < 4; i++) {
        vec3 beside = (vec3){0};
        UNROLL for (int k = 0; k < 4; k++) {
            if (k != i) beside = add(beside, x[edge_node[i][k]]);
        }
        base[i] = along(a41, x[i], scale(a4, beside));
        whole[i] = (vec3){0};
    }
    UNROLL for (int i = 1; i < 4; i++) {
        base[i] = sub(base[i], base[0]);
    }
    UNROLL for (int q = 0; q < SB_TET_POINTS; q++) {
        vec3 j[4];
        UNROLL for (int i = 1; i < 4; i++) {
            vec3 apart = sub(x[edge_node[i][q]], x[edge_node[0][q]]);
            j[i] = along(c, apart, base[i]);
        }
        tet_point(j, &metrics[is_straight ? 0 : q].of[0][lane],
                  memory ? memory + q * SB_TET_STRESSES * SB_DEFORM_LANES
                         : NULL,
                  job, sums);
        pull[edge_node[0][q]] = sub(pull[edge_node[0][q]], j[0]);
        UNROLL for (int i = 1; i < 4; i++) {
            int node = edge_node[i][q];
            whole[i] = add(whole[i], j[i]);
            pull[node] = add(pull[node], j[i]);
        }
    }
    whole[0] = sub(sub((vec3){0}, whole[1]), add(whole[2], whole[3]));
    UNROLL for (int i = 0; i < 4; i++) {
        UNROLL for (int k = i; k < 4; k++) {
            int node = edge_node[i][k];
            vec3 f = k == i ? scale(a41, whole[i])
                            : scale(a4, add(whole[i], whole[k]));
            /* The force is minus the gradient. */
            store_rows(job->forces, &own->rows[node][lane],
                       sub((vec3){0}, along(c, pull[node], f)));
        }
    }
}

INLINE void tet_groups(const sb_element_job *job, int first, int last,
                       int is_straight, int has_memory, int has_sums) {
    for (int group = first; group < last; group++) {
        tet_sums sums = {splat(0), splat(INFINITY)};
        double *memory = job->memory + (size_t)group * SB_TET_POINTS *
                                           SB_TET_STRESSES * SB_DEFORM_LANES;
        for (int lane = 0; lane < SB_DEFORM_LANES; lane += WIDTH) {
            tet_lanes(job, group, lane, is_straight,
                      has_memory ? memory + lane : NULL,
                      has_sums ? &sums : NULL);
        }
        if (!has_sums) continue;
        job->energy_j[group] = sum_lanes(sums.energy);
        job->least[group] = least_lane(sums.least);
    }
}

static void tets(const sb_element_job *job, int first, int last) {
    int has_memory = job->gain > 0, has_sums = job->energy_j != NULL;
    switch (4 * has_sums + 2 * has_memory + (job->is_straight != 0)) {
    case 0:
        tet_groups(job, first, last, 0, 0, 0);
        break;
    case 1:
        tet_groups(job, first, last, 1, 0, 0);
        break;
    case 2:
        tet_groups(job, first, last, 0, 1, 0);
        break;
    case 3:
        tet_groups(job, first, last, 1, 1, 0);
        break;
    default: /* rare: one code for all */
        if (has_memory)
            tet_groups(job, first, last, job->is_straight, 1, 1);
        else
            tet_groups(job, first, last, job->is_straight, 0, 1);
        break;
    }
}
