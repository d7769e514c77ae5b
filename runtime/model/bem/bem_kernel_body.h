/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_kernel_body.h -- the inner loops themselves.
 *
 * Included once per instruction set, with WIDTH doubles in a SIMD register.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/model/bem/bem_kernel.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#if WIDTH > 2
#include <immintrin.h>
#endif

#define UNROLL _Pragma("GCC unroll 9")

typedef double wide
    __attribute__((vector_size(WIDTH * sizeof(double)), aligned(8), may_alias));
typedef float narrow
    __attribute__((vector_size(WIDTH * sizeof(float)), aligned(4), may_alias));
typedef float narrow_pairs __attribute__((
    vector_size(WIDTH * 2 * sizeof(float)), aligned(4), may_alias));
typedef int64_t whole __attribute__((vector_size(WIDTH * sizeof(double))));

typedef struct complex_wide {
    wide re, im;
} complex_wide;

static inline wide load(const double *from) {
    return *(const wide *)(const void *)from;
}

static inline wide load_floats(const float *from) {
    return __builtin_convertvector(*(const narrow *)(const void *)from, wide);
}

static inline void store(double *to, wide x) {
    *(wide *)(void *)to = x;
}

static inline wide all(double x) {
    return x - (wide){0};
}

static inline wide root(wide x) {
#if WIDTH == 8
    return (wide)_mm512_sqrt_pd((__m512d)x);
#elif WIDTH == 4
    return (wide)_mm256_sqrt_pd((__m256d)x);
#else
    return (wide){sqrt(x[0]), sqrt(x[1])};
#endif
}

/* WIDTH complex floats as parts, and back. */
static inline complex_wide load_pairs(const float (*from)[2]) {
    narrow_pairs a = *(const narrow_pairs *)(const void *)from;
#if WIDTH == 2
    narrow re = __builtin_shufflevector(a, a, 0, 2);
    narrow im = __builtin_shufflevector(a, a, 1, 3);
#elif WIDTH == 4
    narrow re = __builtin_shufflevector(a, a, 0, 2, 4, 6);
    narrow im = __builtin_shufflevector(a, a, 1, 3, 5, 7);
#else
    narrow re = __builtin_shufflevector(a, a, 0, 2, 4, 6, 8, 10, 12, 14);
    narrow im = __builtin_shufflevector(a, a, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
    return (complex_wide){__builtin_convertvector(re, wide),
                          __builtin_convertvector(im, wide)};
}

static inline void store_pairs(float (*to)[2], complex_wide x) {
    narrow re = __builtin_convertvector(x.re, narrow);
    narrow im = __builtin_convertvector(x.im, narrow);
#if WIDTH == 2
    narrow_pairs a = __builtin_shufflevector(re, im, 0, 2, 1, 3);
#elif WIDTH == 4
    narrow_pairs a = __builtin_shufflevector(re, im, 0, 4, 1, 5, 2, 6, 3, 7);
#else
    narrow_pairs a = __builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11,
                                             4, 12, 5, 13, 6, 14, 7, 15);
#endif
    *(narrow_pairs *)(void *)to = a;
}

/* Cosine and sine of |x| < 1e6 to 2e-16 |x| (minimax polynomials of Sun's
 * fdlibm). */
static inline complex_wide cosine_sine(wide x) {
    const double rounder = 6755399441055744.0; /* 1.5 * 2^52 */
    wide shifted = x * (2 / SB_PI) + rounder;
    whole quarter = (whole)shifted;
    wide turns = shifted - rounder;
    wide r = x - turns * 1.57079632673412561417e+00;
    r -= turns * 6.07710050650619224932e-11;
    wide z = r * r;
    wide s = 1.58969099521155010221e-10 * z - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = s * z * r + r;
    wide c = -1.13596475577881948265e-11 * z + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = c * z * z - 0.5 * z + 1;
    whole is_odd = -(quarter & 1);
    whole cosine = ((whole)s & is_odd) | ((whole)c & ~is_odd);
    whole sine = ((whole)c & is_odd) | ((whole)s & ~is_odd);
    cosine ^= ((quarter + 1) & 2) << 62;
    sine ^= (quarter & 2) << 62;
    return (complex_wide){(wide)cosine, (wide)sine};
}

/* The integral over two faces of a function times the linear functions of their
 * corners, from its values at the points, whose weights are `scale`: these
 * functions are 1/6 there, and 1/2 more at the corner's own point. */
static inline void to_corners(wide at[3][3], wide scale, double *out) {
    wide rows[3], columns[3];
    UNROLL for (int i = 0; i < 3; i++) {
        rows[i] = (at[i][0] + at[i][1] + at[i][2]) * (1.0 / 12);
        columns[i] = (at[0][i] + at[1][i] + at[2][i]) * (1.0 / 12);
    }
    wide sum = (rows[0] + rows[1] + rows[2]) * (1.0 / 3);
    UNROLL for (int i = 0; i < 3; i++) {
        UNROLL for (int j = 0; j < 3; j++) {
            wide value = sum + rows[i] + columns[j] + at[i][j] * 0.25;
            store(out + (size_t)(i * 3 + j) * 2 * SB_BEM_LANES, value * scale);
        }
    }
}

static void finish_w(const sb_bem_faces *faces, int one, int other,
                     double wavenumber, double *w) {
    wide sums[2] = {0};
    UNROLL for (int i = 0; i < 9; i++) {
        sums[0] += load(w + (size_t)(2 * i) * SB_BEM_LANES);
        sums[1] += load(w + (size_t)(2 * i + 1) * SB_BEM_LANES);
    }
    wide facing = {0};
    for (int a = 0; a < 3; a++)
        facing += faces->normals[a][one] * load(faces->normals[a] + other);
    facing *= wavenumber * wavenumber;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            wide curls = {0};
            for (int a = 0; a < 3; a++) {
                curls +=
                    faces->curls[i][a][one] * load(faces->curls[j][a] + other);
            }
            double *at = w + (size_t)(i * 3 + j) * 2 * SB_BEM_LANES;
            store(at, facing * load(at) - curls * sums[0]);
            at += SB_BEM_LANES;
            store(at, facing * load(at) - curls * sums[1]);
        }
    }
}

static inline __attribute__((always_inline)) void
pairs_of(const sb_bem_faces *faces, int one, int other, double wavenumber,
         bool has_k, double *w, double *k, double *k_back) {
    wide g[2][3][3], front[2][3][3], back[2][3][3];
    for (int s = 0; s < 3; s++) {
        for (int u = 0; u < 3; u++) {
            wide d[3], square = all(1e-300), along = {0}, along_back = {0};
            for (int a = 0; a < 3; a++) {
                d[a] = faces->points[s][a][one] -
                       load(faces->points[u][a] + other);
                square += d[a] * d[a];
                along += d[a] * load(faces->normals[a] + other);
                along_back += d[a] * faces->normals[a][one];
            }
            wide r = root(square), per_r = 1 / r;
            complex_wide e = cosine_sine(wavenumber * r);
            e.re *= per_r;
            e.im *= -per_r;
            g[0][s][u] = e.re;
            g[1][s][u] = e.im;
            if (!has_k) continue;
            /* dG/dr / r = -(1 + ikr) G / r^2 */
            wide per_square = -per_r * per_r, x = wavenumber * r;
            wide re = (e.re - x * e.im) * per_square;
            wide im = (e.im + x * e.re) * per_square;
            front[0][s][u] = -re * along;
            front[1][s][u] = -im * along;
            back[0][s][u] = re * along_back;
            back[1][s][u] = im * along_back;
        }
    }
    wide scale =
        load(faces->areas + other) * (faces->areas[one] / (9 * 4 * SB_PI));
    for (int part = 0; part < 2; part++) {
        to_corners(g[part], scale, w + (size_t)part * SB_BEM_LANES);
        if (!has_k) continue;
        to_corners(front[part], scale, k + (size_t)part * SB_BEM_LANES);
        to_corners(back[part], scale, k_back + (size_t)part * SB_BEM_LANES);
    }
    finish_w(faces, one, other, wavenumber, w);
}

static void pairs(const sb_bem_faces *faces, int one, int first,
                  double wavenumber, bool has_k, sb_bem_blocks *out) {
    for (int lane = 0; lane < SB_BEM_LANES; lane += WIDTH) {
        double *w = &out->w[0][0][0][lane];
        double *k = &out->k[0][0][0][lane];
        double *k_back = &out->k_back[0][0][0][lane];
        if (has_k) {
            pairs_of(faces, one, first + lane, wavenumber, true, w, k, k_back);
        } else {
            pairs_of(faces, one, first + lane, wavenumber, false, w, k, k_back);
        }
    }
}

static inline complex_wide times(complex_wide a, complex_wide b) {
    return (complex_wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void turn(int count, const float *distances, double wavenumber,
                 float (*a)[2]) {
    for (int i = 0; i < count; i += WIDTH) {
        complex_wide e = cosine_sine(wavenumber * load_floats(distances + i));
        store_pairs(a + i, times(load_pairs((const float(*)[2])a + i), e));
    }
}

static void mix(int count, const float *distances, const sb_bem_mix *mix,
                int first, float (*out)[2]) {
    for (int i = 0; i < count; i += WIDTH) {
        complex_wide sum = {0};
        for (int n = 0; n < SB_BEM_NODES; n++) {
            if (mix->weights[n] == 0) continue;
            complex_wide w = load_pairs(mix->w[n] + first + i);
            if (mix->k[n]) {
                complex_wide k = load_pairs(mix->k[n] + first + i);
                w.re -= mix->eta * k.im;
                w.im += mix->eta * k.re;
            }
            sum.re += mix->weights[n] * w.re;
            sum.im += mix->weights[n] * w.im;
        }
        complex_wide e =
            cosine_sine(-mix->wavenumber * load_floats(distances + first + i));
        store_pairs(out + i, times(sum, e));
    }
}

static double total(wide x) {
    double sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += x[i];
    return sum;
}

static void far(const sb_bem_sources *sources, const double direction[3],
                double wavenumber, double out[2][2]) {
    /* What is even and what is odd in the direction. */
    wide even[2] = {0}, odd[2] = {0};
    double *const *d = sources->densities;
    for (int i = 0; i < sources->count; i += WIDTH) {
        wide depth = {0}, dipole[2] = {0};
        for (int a = 0; a < 3; a++) {
            depth += direction[a] * load(sources->points[a] + i);
            dipole[0] += direction[a] * load(d[2 + 2 * a] + i);
            dipole[1] += direction[a] * load(d[3 + 2 * a] + i);
        }
        complex_wide e = cosine_sine(wavenumber * depth);
        wide re = load(d[0] + i), im = load(d[1] + i);
        /* (m + d) (c + i s): m c + i d s does not change with the sign of both
         * the direction and the depth, d c + i m s does. */
        even[0] += re * e.re - dipole[1] * e.im;
        even[1] += im * e.re + dipole[0] * e.im;
        odd[0] += dipole[0] * e.re - im * e.im;
        odd[1] += dipole[1] * e.re + re * e.im;
    }
    for (int part = 0; part < 2; part++) {
        double same = total(even[part]), other = total(odd[part]);
        out[0][part] = same + other;
        out[1][part] = same - other;
    }
}

/* (1 - (1 + ix) e^{-ix}) / x^3, where x is small by its series. */
static inline complex_wide steepness(wide x, complex_wide e) {
    wide square = x * x, per_cube = 1 / (square * x + 1e-300);
    complex_wide exact = {(1 - e.re - x * e.im) * per_cube,
                          (x * e.re - e.im) * -per_cube};
    complex_wide near = {(-0.5 + square * (0.125 - square * (1.0 / 144))) / x,
                         (1.0 / 3) -
                             square * (1.0 / 30 - square * (1.0 / 840))};
    whole is_small = (whole)(square < 0.01);
    return (complex_wide){
        (wide)(((whole)near.re & is_small) | ((whole)exact.re & ~is_small)),
        (wide)(((whole)near.im & is_small) | ((whole)exact.im & ~is_small))};
}

static void rings(const sb_bem_angles *angles, sb_bem_rings rings,
                  double wavenumber, double sums[SB_BEM_ANGLE_SUMS][2],
                  double slopes[SB_BEM_ANGLE_SUMS][2]) {
    complex_wide g[SB_BEM_ANGLE_SUMS] = {0}, d[SB_BEM_ANGLE_SUMS] = {0};
    double cube = wavenumber * wavenumber * wavenumber;
    for (int i = 0; i < angles->count; i += WIDTH) {
        wide r =
            root(rings.square + rings.across * load(angles->bends + i) + 1e-30);
        wide x = wavenumber * r, per_r = 1 / r;
        complex_wide e = cosine_sine(x);
        complex_wide steep = slopes ? steepness(x, e) : (complex_wide){0};
        UNROLL for (int n = 0; n < SB_BEM_ANGLE_SUMS; n++) {
            wide weight = load(angles->weights[n] + i);
            g[n].re += weight * per_r * (e.re - 1);
            g[n].im -= weight * per_r * e.im;
            if (!slopes) continue;
            d[n].re += weight * steep.re;
            d[n].im += weight * steep.im;
        }
    }
    for (int n = 0; n < SB_BEM_ANGLE_SUMS; n++) {
        sums[n][0] = total(g[n].re);
        sums[n][1] = total(g[n].im);
        if (!slopes) continue;
        slopes[n][0] = cube * total(d[n].re);
        slopes[n][1] = cube * total(d[n].im);
    }
}

#define SB_BEM_KERNEL \
    { pairs, turn, mix, far, rings }
