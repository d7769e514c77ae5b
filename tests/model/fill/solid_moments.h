/* SPDX-License-Identifier: MIT */
/* tests/model/fill/solid_moments.h -- volume, centre and second moments of
 * bodies: from a surface by the divergence theorem, from quadratic tetrahedra
 * by quadrature. */
#pragma once

#include "runtime/model/fill/fill.h"
#include "tests/model/fill/boundaries.h"
#include "tests/suite.h"

/* Volume, centre, and the six second moments about the centre, of a body. */
typedef struct moments {
    double volume;
    double centre[3];
    double second[6]; /* xx yy zz xy yz zx */
} moments;

static inline void about_centre(moments *m) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                    {0, 1}, {1, 2}, {2, 0}};
    for (int i = 0; i < 3; i++) {
        m->centre[i] /= m->volume;
    }
    for (int k = 0; k < 6; k++) {
        m->second[k] -=
            m->volume * m->centre[pairs[k][0]] * m->centre[pairs[k][1]];
    }
}

static inline void gather(moments *m, sb_vec3 p, double weight) {
    m->volume += weight;
    m->centre[0] += weight * p.x;
    m->centre[1] += weight * p.y;
    m->centre[2] += weight * p.z;
    m->second[0] += weight * p.x * p.x;
    m->second[1] += weight * p.y * p.y;
    m->second[2] += weight * p.z * p.z;
    m->second[3] += weight * p.x * p.y;
    m->second[4] += weight * p.y * p.z;
    m->second[5] += weight * p.z * p.x;
}

/* Tetrahedra from the origin to each face; the five-point rule is exact for
 * quadratics over each. */
static inline moments moments_of_surface(const sb_mesh *mesh) {
    moments m = {0};
    for (int i = 0; i < mesh->face_count; i++) {
        sb_vec3 p[4] = {{0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            p[k + 1] = mesh->vertices[mesh->faces[i][k]];
        }
        double volume = sb_vec3_dot(p[1], sb_vec3_cross(p[2], p[3])) / 6;
        sb_vec3 sum = sb_vec3_add(p[1], sb_vec3_add(p[2], p[3]));
        gather(&m, sb_vec3_scale(sum, 0.25), 0.8 * volume);
        for (int k = 0; k < 4; k++) {
            gather(&m, p[k], 0.05 * volume);
        }
    }
    about_centre(&m);
    return m;
}

static const int EDGES[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

/* The position of l0 .. l3 in a quadratic tetrahedron, and the Jacobian
 * there. */
static inline sb_vec3 map_point(const sb_solid_mesh *solid, int tet,
                                const double l[4], double *jacobian) {
    static const double d[4][3] = {
        {-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sb_vec3 p = {0, 0, 0}, j[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 10; k++) {
        int a = k < 4 ? k : EDGES[k - 4][0], b = k < 4 ? k : EDGES[k - 4][1];
        sb_vec3 node = solid->nodes[solid->tets[tet][k]];
        double n = k < 4 ? l[a] * (2 * l[a] - 1) : 4 * l[a] * l[b];
        p = sb_vec3_add(p, sb_vec3_scale(node, n));
        for (int i = 0; i < 3; i++) {
            double slope = k < 4 ? (4 * l[a] - 1) * d[a][i]
                                 : 4 * (l[a] * d[b][i] + l[b] * d[a][i]);
            j[i] = sb_vec3_add(j[i], sb_vec3_scale(node, slope));
        }
    }
    *jacobian = sb_vec3_dot(j[2], sb_vec3_cross(j[0], j[1]));
    return p;
}

/* Gauss-Legendre in a collapsed cube: 4^3 points, exact to degree 7 but for
 * the collapse. The Jacobian must be positive at each of them. */
static inline moments moments_of_solid(const sb_solid_mesh *solid) {
    static const double x[4] = {.0694318442029737, .3300094782075719,
                                .6699905217924281, .9305681557970263};
    static const double w[4] = {.1739274225687269, .3260725774312731,
                                .3260725774312731, .1739274225687269};
    moments m = {0};
    double least = INFINITY;
    for (int i = 0; i < 64 * solid->tet_count; i++) {
        int a = i & 3, b = i >> 2 & 3, c = i >> 4 & 3;
        double u = x[a], v = x[b] * (1 - u), t = x[c] * (1 - u - v);
        double weight = w[a] * w[b] * w[c] * (1 - u) * (1 - u - v);
        double jacobian = 0;
        double l[4] = {1 - u - v - t, u, v, t};
        sb_vec3 p = map_point(solid, i / 64, l, &jacobian);
        least = fmin(least, jacobian);
        gather(&m, p, weight * jacobian);
    }
    ck_assert_double_gt(least, 0);
    about_centre(&m);
    return m;
}

static inline double least_angle(const sb_solid_mesh *solid, int tet) {
    double least = 180;
    for (int e = 0; e < 6; e++) {
        int i = EDGES[e][0], j = EDGES[e][1], k = 0;
        while (k == i || k == j) {
            k++;
        }
        int l = 6 - i - j - k;
        const int *t = solid->tets[tet];
        sb_vec3 o = solid->nodes[t[i]];
        sb_vec3 axis = sb_vec3_normalised(sb_vec3_sub(solid->nodes[t[j]], o));
        sb_vec3 a = sb_vec3_cross(axis, sb_vec3_sub(solid->nodes[t[k]], o));
        sb_vec3 b = sb_vec3_cross(axis, sb_vec3_sub(solid->nodes[t[l]], o));
        double angle =
            atan2(sb_vec3_length(sb_vec3_cross(a, b)), sb_vec3_dot(a, b));
        least = fmin(least, angle * 180 / SB_PI);
    }
    return least;
}
