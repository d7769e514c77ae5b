/* SPDX-License-Identifier: MIT */
#include "runtime/model/fem/tet10.h"

#include "runtime/model/material.h"

#include <math.h>
#include <string.h>

const int sb_tet_edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

typedef struct point {
    double l[4]; /* volume coordinates */
    double weight;
} point;

enum { POINTS_MOST = 15 };

/* Points of one orbit of the symmetric rules: all permutations of (a, a, a,
 * 1 - 3 a), or of (a, a, b, b) with a + b = 1/2. */
static int corner_orbit(point *points, double a, double weight) {
    for (int i = 0; i < 4; i++) {
        points[i] = (point){{a, a, a, a}, weight};
        points[i].l[i] = 1 - 3 * a;
    }
    return 4;
}

static int edge_orbit(point *points, double a, double weight) {
    for (int e = 0; e < 6; e++) {
        points[e] = (point){{a, a, a, a}, weight};
        points[e].l[sb_tet_edges[e][0]] = 0.5 - a;
        points[e].l[sb_tet_edges[e][1]] = 0.5 - a;
    }
    return 6;
}

/* Degree 2 with 4 points, degree 5 with 15; all inside, all weights positive.
 * Source: Keast, Moderate-degree tetrahedral quadrature formulas, 1986. */
static int make_rule(bool is_straight, point *points) {
    if (is_straight) {
        return corner_orbit(points, (5 - sqrt(5)) / 20, 0.25);
    }
    double root = sqrt(15);
    int count = 1;
    points[0] = (point){{0.25, 0.25, 0.25, 0.25}, 16.0 / 135};
    count += corner_orbit(points + count, (7 - root) / 34,
                          (2665 + 14 * root) / 37800);
    count += corner_orbit(points + count, (7 + root) / 34,
                          (2665 - 14 * root) / 37800);
    count += edge_orbit(points + count, (5 - root) / 20, 10.0 / 189);
    return count;
}

void sb_tet10_values(const double l[4], double n[10]) {
    for (int i = 0; i < 4; i++) {
        n[i] = l[i] * (2 * l[i] - 1);
    }
    for (int e = 0; e < 6; e++) {
        n[4 + e] = 4 * l[sb_tet_edges[e][0]] * l[sb_tet_edges[e][1]];
    }
}

/* d N_a / d L_i, with the four L_i treated as independent. */
static void shape_slopes(const point *at, double d[10][4]) {
    memset(d, 0, sizeof(double) * 10 * 4);
    for (int i = 0; i < 4; i++) {
        d[i][i] = 4 * at->l[i] - 1;
    }
    for (int e = 0; e < 6; e++) {
        int i = sb_tet_edges[e][0], j = sb_tet_edges[e][1];
        d[4 + e][i] = 4 * at->l[j];
        d[4 + e][j] = 4 * at->l[i];
    }
}

/* Spatial gradients of the L_i from the tangents t_i = dx / dL_i. Returns
 * the determinant of the map, 6 times a volume. */
static double invert_map(const sb_vec3 t[4], sb_vec3 grad[4]) {
    sb_vec3 a = sb_vec3_sub(t[1], t[0]), b = sb_vec3_sub(t[2], t[0]);
    sb_vec3 c = sb_vec3_sub(t[3], t[0]);
    grad[1] = sb_vec3_cross(b, c);
    grad[2] = sb_vec3_cross(c, a);
    grad[3] = sb_vec3_cross(a, b);
    double det = sb_vec3_dot(a, grad[1]);
    for (int i = 1; i < 4; i++) {
        grad[i] = sb_vec3_scale(grad[i], 1 / det);
    }
    grad[0] =
        sb_vec3_scale(sb_vec3_add(grad[1], sb_vec3_add(grad[2], grad[3])), -1);
    return det;
}

/* Elements with a smaller determinant, relative to the cube of the longest
 * edge, count as flat. */
static double least_det(const sb_vec3 *nodes) {
    double longest = 0;
    for (int e = 0; e < 6; e++) {
        double length = sb_vec3_length(
            sb_vec3_sub(nodes[sb_tet_edges[e][0]], nodes[sb_tet_edges[e][1]]));
        if (length > longest) longest = length;
    }
    return 1e-9 * longest * longest * longest;
}

static bool is_straight(const sb_vec3 nodes[10]) {
    for (int e = 0; e < 6; e++) {
        sb_vec3 a = nodes[sb_tet_edges[e][0]], b = nodes[sb_tet_edges[e][1]];
        sb_vec3 off =
            sb_vec3_sub(nodes[4 + e], sb_vec3_scale(sb_vec3_add(a, b), 0.5));
        double length = sb_vec3_length(sb_vec3_sub(b, a));
        if (!(sb_vec3_length(off) <= 1e-9 * length)) return false;
    }
    return true;
}

/* Adds the 3 x 3 block l u v' + m (v u' + u . v I); rows are `stride` apart. */
static void add_couple(double *k, int stride, const double u[3],
                       const double v[3], double l, double m) {
    double dot = m * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            k[i * stride + j] += l * u[i] * v[j] + m * u[j] * v[i];
        }
        k[i * stride + i] += dot;
    }
}

/* For all nodes, b >= a, times a volume. */
static void add_stiffness(const sb_vec3 *g, int count, const double lame[2],
                          double volume, double *k) {
    double l = lame[0] * volume, m = lame[1] * volume;
    int n = 3 * count;
    for (int a = 0; a < count; a++) {
        const double u[3] = {g[a].x, g[a].y, g[a].z};
        for (int b = a; b < count; b++) {
            const double v[3] = {g[b].x, g[b].y, g[b].z};
            add_couple(&k[3 * a * n + 3 * b], n, u, v, l, m);
        }
    }
}

static void mirror(double *matrix, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            matrix[i * n + j] = matrix[j * n + i];
        }
    }
}

static void lame_constants(const sb_material *material, double lame[2]) {
    double e = material->youngs_modulus, nu = material->poisson_ratio;
    lame[0] = e * nu / ((1 + nu) * (1 - 2 * nu));
    lame[1] = e / (2 * (1 + nu));
}

/* Integrals of N_a N_b over a straight element, times 420 / volume. */
static double straight_mass(int a, int b) {
    if (a < 4 && b < 4) return a == b ? 6 : 1;
    const int *e = sb_tet_edges[b - 4]; /* b >= a is a mid-edge node */
    if (a < 4) return e[0] == a || e[1] == a ? -4 : -6;
    const int *f = sb_tet_edges[a - 4];
    int shared =
        (e[0] == f[0]) + (e[0] == f[1]) + (e[1] == f[0]) + (e[1] == f[1]);
    return shared == 2 ? 32 : shared == 1 ? 16 : 8;
}

/* Adds one integration point; false where the determinant is not positive. */
static bool add_point(const sb_vec3 nodes[10], const point *at,
                      const double lame[2], double density, double least,
                      bool has_mass, sb_tet_matrices *out) {
    double d[10][4], n[10];
    sb_vec3 t[4] = {0}, grad[4], g[10] = {0};
    shape_slopes(at, d);
    for (int a = 0; a < 10; a++) {
        for (int i = 0; i < 4; i++) {
            t[i] = sb_vec3_add(t[i], sb_vec3_scale(nodes[a], d[a][i]));
        }
    }
    double det = invert_map(t, grad), volume = at->weight * det / 6;
    if (!(det > least)) return false;
    for (int a = 0; a < 10; a++) {
        for (int i = 0; i < 4; i++) {
            g[a] = sb_vec3_add(g[a], sb_vec3_scale(grad[i], d[a][i]));
        }
    }
    add_stiffness(g, 10, lame, volume, out->k);
    out->volume_m3 += volume;
    if (!has_mass) return true;
    sb_tet10_values(at->l, n);
    for (int a = 0; a < 10; a++) {
        for (int b = a; b < 10; b++) {
            out->m[10 * a + b] += density * volume * n[a] * n[b];
        }
    }
    return true;
}

bool sb_tet10(const sb_vec3 world[10], const sb_material *material,
              sb_tet_matrices *out) {
    point rule[POINTS_MOST];
    double lame[2], least = least_det(world);
    bool straight = is_straight(world);
    int count = make_rule(straight, rule);
    sb_vec3 nodes[10]; /* relative to the first corner: no digits lost to the
                    * position */
    for (int a = 0; a < 10; a++) {
        nodes[a] = sb_vec3_sub(world[a], world[0]);
    }
    lame_constants(material, lame);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++) {
        if (!add_point(nodes, &rule[i], lame, material->density, least,
                       !straight, out)) {
            return false;
        }
    }
    for (int a = 0; a < 10 && straight; a++) {
        for (int b = a; b < 10; b++) {
            out->m[10 * a + b] =
                material->density * out->volume_m3 / 420 * straight_mass(a, b);
        }
    }
    mirror(out->k, 30);
    mirror(out->m, 10);
    return true;
}

bool sb_tet10_four(const sb_vec3 world[10], const sb_material *material,
                   sb_tet_matrices *out) {
    if (!sb_tet10(world, material, out)) return false;
    if (is_straight(world)) return true;
    point rule[POINTS_MOST];
    double lame[2], least = least_det(world);
    sb_tet_matrices four = {0};
    sb_vec3 nodes[10];
    for (int a = 0; a < 10; a++) {
        nodes[a] = sb_vec3_sub(world[a], world[0]);
    }
    lame_constants(material, lame);
    int count = make_rule(true, rule);
    for (int i = 0; i < count; i++) {
        if (!add_point(nodes, &rule[i], lame, 0, least, false, &four))
            return false;
    }
    mirror(four.k, 30);
    memcpy(out->k, four.k, sizeof four.k);
    return true;
}

bool sb_tet4(const sb_vec3 nodes[4], const sb_material *material,
             sb_tet_matrices *out) {
    double lame[2];
    sb_vec3 grad[4];
    memset(out, 0, sizeof *out);
    double det = invert_map(nodes, grad), volume = det / 6;
    if (!(det > least_det(nodes))) return false;
    lame_constants(material, lame);
    out->volume_m3 = volume;
    add_stiffness(grad, 4, lame, volume, out->k);
    for (int a = 0; a < 4; a++) {
        for (int b = a; b < 4; b++) {
            out->m[4 * a + b] = material->density * volume / (a == b ? 10 : 20);
        }
    }
    mirror(out->k, 12);
    mirror(out->m, 4);
    return true;
}

void sb_lump_tet10(const sb_tet_matrices *element, double mass_kg,
                   double out[10]) {
    double diagonal = 0;
    for (int n = 0; n < 10; n++) {
        diagonal += element->m[11 * n];
    }
    for (int n = 0; n < 10; n++) {
        out[n] = mass_kg * element->m[11 * n] / diagonal;
    }
}
