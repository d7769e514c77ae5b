/* SPDX-License-Identifier: MIT */
/* tests/model/ritz_3d.h -- modes of a box or a cylinder by three-dimensional
 * elasticity.
 *
 * An oracle for plates and bars, without any theory of plates: all three
 * displacements are sums of products of Legendre's polynomials, by Ritz's
 * method, split by symmetry. It converges exponentially for free boxes (the
 * corners of a clamped one are singular: about 0.1 %). The material may have a
 * grain along x: E2, G12, G23 as in runtime/model/material.h, written
 * out here once more.
 *
 * A cylinder is a box whose section across y is a disk: the same polynomials of
 * x and z, integrated over it, up to a total degree. Free and isotropic only.
 */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/eigen/eigen.h"

#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { R3_DEGREES = 40, R3_POINTS = 48 };
enum { R3_ROUND = 16, R3_ROUND_POINTS = 20, R3_ROUND_ANGLES = 40 };

typedef struct r3_box {
    double side[3]; /* x, y, z */
    int degrees[3]; /* polynomials along each */
    bool is_held_low[3], is_held_high[3];
    bool is_round; /* degrees[0] and [2] are equal, up to R3_ROUND */
    double e1, e2, g12, g23, nu, density;
} r3_box;

typedef struct r3_axis {
    double m[R3_DEGREES][R3_DEGREES]; /* X_i X_k, X_i X_k', X_i' X_k' */
    double d[R3_DEGREES][R3_DEGREES];
    double s[R3_DEGREES][R3_DEGREES];
} r3_axis;

/* Products of X_i Z_k, its slope along x and its slope along z, over a disk. */
enum { R3_PLAIN, R3_ALONG_X, R3_ALONG_Z, R3_SLOPES };
typedef double r3_products[R3_ROUND * R3_ROUND][R3_ROUND * R3_ROUND];
typedef struct r3_disk {
    r3_products of[R3_SLOPES][R3_SLOPES];
} r3_disk;

typedef struct r3_term {
    int field, n[3];
} r3_term;

static inline r3_box r3_isotropic(double x, double y, double z, double e,
                                  double density, double nu) {
    double g = 0.5 * e / (1 + nu);
    return (r3_box){.side = {x, y, z},
                    .e1 = e,
                    .e2 = e,
                    .g12 = g,
                    .g23 = g,
                    .nu = nu,
                    .density = density};
}

/* Normalised Legendre polynomials and their slopes, times the factor that
 * holds an end. */
static inline void r3_values(const r3_box *box, int axis, double x, double *v,
                             double *slope) {
    double f = 1, df = 0;
    if (box->is_held_low[axis]) {
        df = 1;
        f = 1 + x;
    }
    if (box->is_held_high[axis]) {
        df = df * (1 - x) - f;
        f *= 1 - x;
    }
    double p0 = 0, p1 = 1, d0 = 0, d1 = 0;
    for (int i = 0; i < box->degrees[axis]; i++) {
        double norm = sqrt(i + 0.5);
        v[i] = norm * f * p1;
        slope[i] = norm * (df * p1 + f * d1);
        double p2 = ((2 * i + 1) * x * p1 - i * p0) / (i + 1);
        double d2 = d0 + (2 * i + 1) * p1;
        p0 = p1;
        p1 = p2;
        d0 = d1;
        d1 = d2;
    }
}

static inline void r3_integrate(const r3_box *box, int axis, r3_axis *out) {
    double nodes[R3_POINTS], weights[R3_POINTS];
    double v[R3_DEGREES], slope[R3_DEGREES], half = 0.5 * box->side[axis];
    sb_gauss_legendre(R3_POINTS, nodes, weights);
    *out = (r3_axis){0};
    for (int q = 0; q < R3_POINTS; q++) {
        r3_values(box, axis, nodes[q], v, slope);
        for (int i = 0; i < box->degrees[axis]; i++) {
            for (int k = 0; k < box->degrees[axis]; k++) {
                out->m[i][k] += weights[q] * half * v[i] * v[k];
                out->d[i][k] += weights[q] * v[i] * slope[k];
                out->s[i][k] += weights[q] / half * slope[i] * slope[k];
            }
        }
    }
}

/* Adds those of a place on the unit disk. */
static inline void r3_add_place(const r3_box *box, double x, double z,
                                double weight, r3_disk *out) {
    double vx[R3_DEGREES], dx[R3_DEGREES], vz[R3_DEGREES], dz[R3_DEGREES];
    double at[R3_SLOPES][R3_ROUND * R3_ROUND], half = 0.5 * box->side[0];
    int places[R3_ROUND * R3_ROUND], count = 0;
    r3_values(box, 0, x, vx, dx);
    r3_values(box, 2, z, vz, dz);
    for (int i = 0; i < box->degrees[0]; i++) {
        for (int k = 0; i + k < box->degrees[2]; k++) {
            at[R3_PLAIN][count] = vx[i] * vz[k];
            at[R3_ALONG_X][count] = dx[i] * vz[k] / half;
            at[R3_ALONG_Z][count] = vx[i] * dz[k] / half;
            places[count++] = i * R3_ROUND + k;
        }
    }
    weight *= half * half;
    for (int s = 0; s < R3_SLOPES * R3_SLOPES; s++) {
        const double *a = at[s / R3_SLOPES], *b = at[s % R3_SLOPES];
        for (int p = 0; p < count; p++)
            for (int q = 0; q < count; q++)
                out->of[s / R3_SLOPES][s % R3_SLOPES][places[p]][places[q]] +=
                    weight * a[p] * b[q];
    }
}

static inline void r3_integrate_disk(const r3_box *box, r3_disk *out) {
    double nodes[R3_ROUND_POINTS], weights[R3_ROUND_POINTS];
    ck_assert(box->degrees[0] <= R3_ROUND &&
              box->degrees[0] == box->degrees[2]);
    sb_gauss_legendre(R3_ROUND_POINTS, nodes, weights);
    *out = (r3_disk){0};
    for (int q = 0; q < R3_ROUND_POINTS; q++) {
        double r = 0.5 * (1 + nodes[q]);
        double weight = 0.5 * weights[q] * r * SB_TAU / R3_ROUND_ANGLES;
        for (int i = 0; i < R3_ROUND_ANGLES; i++) {
            double angle = SB_TAU * i / R3_ROUND_ANGLES;
            r3_add_place(box, r * cos(angle), r * sin(angle), weight, out);
        }
    }
}

/* Stiffness of stretch along p by stretch along q, from the compliances. */
static inline double r3_stretch(const r3_box *box, int p, int q) {
    double a = 1 / box->e1, b = -box->nu / box->e1, c = 1 / box->e2;
    double d = -box->nu / box->e2; /* matrix [a b b; b c d; b d c] */
    double det = a * (c * c - d * d) - 2 * b * b * (c - d);
    if (p == 0 && q == 0) return (c * c - d * d) / det;
    if (p == 0 || q == 0) return -b * (c - d) / det;
    return (p == q ? a * c - b * b : b * b - a * d) / det;
}

/* C_pdqe of the energy, d u_p / d x_d by d u_q / d x_e. */
static inline double r3_stiffness(const r3_box *box, int p, int d, int q,
                                  int e) {
    if (p == d && q == e) return r3_stretch(box, p, q);
    bool is_same = (p == q && d == e) || (p == e && d == q);
    if (p == d || q == e || !is_same) return 0;
    return p == 0 || d == 0 ? box->g12 : box->g23;
}

/* All integrals of a body. */
typedef struct r3_sums {
    r3_axis axes[3];
    r3_disk disk;
} r3_sums;

/* The slopes of two terms along d and e, or with -1 their values. */
static inline double r3_product(const r3_box *box, const r3_sums *sums,
                                const r3_term *a, int d, const r3_term *b,
                                int e) {
    double product = 1;
    for (int x = 0; x < 3; x++) {
        int i = a->n[x], k = b->n[x];
        const r3_axis *at = &sums->axes[x];
        if (box->is_round && x != 1) continue;
        if (x == d && x == e) product *= at->s[i][k];
        if (x == d && x != e) product *= at->d[k][i];
        if (x != d && x == e) product *= at->d[i][k];
        if (x != d && x != e) product *= at->m[i][k];
    }
    if (!box->is_round) return product;
    static const int slopes[4] = {R3_PLAIN, R3_ALONG_X, R3_PLAIN, R3_ALONG_Z};
    return product *
           sums->disk
               .of[slopes[d + 1]][slopes[e + 1]][a->n[0] * R3_ROUND + a->n[2]]
                  [b->n[0] * R3_ROUND + b->n[2]];
}

static inline double r3_energy(const r3_box *box, const r3_sums *sums,
                               const r3_term *a, const r3_term *b) {
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        for (int e = 0; e < 3; e++) {
            double c = r3_stiffness(box, a->field, d, b->field, e);
            if (c != 0) sum += c * r3_product(box, sums, a, d, b, e);
        }
    }
    return sum;
}

/* The parity of w = u_y is `odd` along each axis; of an axis held at one end
 * only, there is no symmetry and odd must be 0. */
static inline int r3_list(const r3_box *box, const int odd[3], r3_term *terms) {
    int count = 0;
    for (int field = 0; field < 3; field++) {
        for (int i = 0; i < box->degrees[0]; i++)
            for (int j = 0; j < box->degrees[1]; j++)
                for (int k = 0; k < box->degrees[2]; k++) {
                    r3_term term = {field, {i, j, k}};
                    bool is_in = !box->is_round || i + k < box->degrees[0];
                    for (int x = 0; x < 3; x++) {
                        int flips =
                            (field == 0 && x != 2) || (field == 2 && x != 0);
                        bool has_symmetry =
                            box->is_held_low[x] == box->is_held_high[x];
                        int parity = field == 1 ? odd[x] : odd[x] ^ flips;
                        if (has_symmetry && term.n[x] % 2 != parity)
                            is_in = false;
                    }
                    if (is_in) terms[count++] = term;
                }
    }
    return count;
}

static int r3_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Frequencies (Hz) of one class, ascending, rigid motions left out; at most
 * `most`. Returns their number. */
static inline int r3_class(const r3_box *box, const int odd[3], double *hz,
                           int most) {
    static r3_sums sums;
    static r3_term terms[4096];
    for (int x = 0; x < 3; x++)
        r3_integrate(box, x, &sums.axes[x]);
    if (box->is_round) r3_integrate_disk(box, &sums.disk);
    int n = r3_list(box, odd, terms);
    ck_assert_int_gt(n, 0);
    if (n <= 0) return 0; /* for analyzers, which do not know Check */
    size_t wide = (size_t)n;
    double *k = calloc(wide * wide, sizeof *k);
    double *m = calloc(wide * wide, sizeof *m);
    double *values = calloc(wide, sizeof *values);
    double *vectors = calloc(wide * wide, sizeof *vectors);
    ck_assert(k && m && values && vectors);
    for (size_t i = 0; i < wide; i++) {
        for (size_t j = 0; j < wide; j++) {
            const r3_term *a = &terms[i], *b = &terms[j];
            k[i * wide + j] = r3_energy(box, &sums, a, b);
            double mass = a->field == b->field ? box->density : 0;
            m[i * wide + j] = mass * r3_product(box, &sums, a, -1, b, -1);
        }
    }
    ck_assert_int_eq(sb_eigen_symmetric(n, k, m, (sb_eigen_range){0, n}, values,
                                        vectors, NULL),
                     SB_OK);
    int count = 0;
    double least = 1e-9 * values[n / 8];
    for (int i = 0; i < n && count < most; i++) {
        if (values[i] > least) hz[count++] = sqrt(values[i]) / (2 * SB_PI);
    }
    free(k);
    free(m);
    free(values);
    free(vectors);
    return count;
}

/* The lowest modes that bend a plate (w even in y), or, with odd_y = 1, those
 * in its plane; of all classes of symmetry. */
static inline int r3_modes(const r3_box *box, int odd_y, double *hz, int most) {
    double *all = calloc(4 * (size_t)most, sizeof *all);
    ck_assert(all);
    int count = 0;
    for (int class = 0; class < 4; class ++) {
        const int odd[3] = {class & 1, odd_y, class >> 1};
        bool skips = false;
        for (int x = 0; x < 3; x++)
            skips |= odd[x] && box->is_held_low[x] != box->is_held_high[x];
        if (!skips) count += r3_class(box, odd, all + count, most);
    }
    qsort(all, (size_t)count, sizeof *all, r3_ascending);
    if (count > most) count = most;
    for (int i = 0; i < count; i++)
        hz[i] = all[i];
    free(all);
    return count;
}
