/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/kernel_vector.h -- WIDTH doubles per vector, each of another
 * element; nodes are read and written as rows of four numbers.
 *
 * Included once per instruction set, with WIDTH 2 or 4. Multiply and add may be
 * fused.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/deform/kernel/kernel.h"

#include <math.h>

typedef double vec __attribute__((vector_size(WIDTH * sizeof(double))));
typedef double vec_at
    __attribute__((vector_size(WIDTH * sizeof(double)), aligned(8), may_alias));
typedef long long vec_mask
    __attribute__((vector_size(WIDTH * sizeof(long long))));

typedef struct vec3 {
    vec x, y, z;
} vec3;

typedef struct vec4 {
    vec x, y, z, w;
} vec4;

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

INLINE vec load(const double *from) {
    return *(const vec_at *)(const void *)from;
}

INLINE void store(double *to, vec value) {
    *(vec_at *)(void *)to = value;
}

INLINE vec splat(double x) {
#if WIDTH == 4
    return (vec){x, x, x, x};
#else
    return (vec){x, x};
#endif
}

INLINE vec vec_sqrt(vec a) {
    vec root;
    for (int i = 0; i < WIDTH; i++) {
        root[i] = sqrt(a[i]);
    }
    return root;
}

INLINE vec vec_least(vec a, vec b) {
    vec_mask is_less = a < b;
    return (vec)(((vec_mask)a & is_less) | ((vec_mask)b & ~is_less));
}

#if WIDTH == 4
#define LOW(a, b)     __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define HIGH(a, b)    __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define FIRSTS(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define SECONDS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

/* The rows `at[0 .. 3]`, `stride` numbers apart, turned into columns. */
INLINE vec4 load_columns(const double *rows, const int *at, size_t stride) {
    vec a = load(rows + stride * (size_t)at[0]);
    vec b = load(rows + stride * (size_t)at[1]);
    vec c = load(rows + stride * (size_t)at[2]);
    vec d = load(rows + stride * (size_t)at[3]);
    vec xz0 = LOW(a, b), yw0 = HIGH(a, b), xz1 = LOW(c, d), yw1 = HIGH(c, d);
    return (vec4){FIRSTS(xz0, xz1), FIRSTS(yw0, yw1), SECONDS(xz0, xz1),
                  SECONDS(yw0, yw1)};
}

INLINE void store_columns(double *to, size_t stride, vec4 v) {
    vec xy0 = LOW(v.x, v.y), xy1 = HIGH(v.x, v.y);
    vec zw0 = LOW(v.z, v.w), zw1 = HIGH(v.z, v.w);
    store(to, FIRSTS(xy0, zw0));
    store(to + stride, FIRSTS(xy1, zw1));
    store(to + 2 * stride, SECONDS(xy0, zw0));
    store(to + 3 * stride, SECONDS(xy1, zw1));
}

INLINE void store_columns_at(double *to, const int *rows, vec4 v) {
    vec xy0 = LOW(v.x, v.y), xy1 = HIGH(v.x, v.y);
    vec zw0 = LOW(v.z, v.w), zw1 = HIGH(v.z, v.w);
    store(to + 4 * (size_t)rows[0], FIRSTS(xy0, zw0));
    store(to + 4 * (size_t)rows[1], FIRSTS(xy1, zw1));
    store(to + 4 * (size_t)rows[2], SECONDS(xy0, zw0));
    store(to + 4 * (size_t)rows[3], SECONDS(xy1, zw1));
}

INLINE double least_lane(vec a) {
    return fmin(fmin(a[0], a[1]), fmin(a[2], a[3]));
}

INLINE double sum_lanes(vec a) {
    return (a[0] + a[1]) + (a[2] + a[3]);
}
#else
INLINE vec4 load_columns(const double *rows, const int *at, size_t stride) {
    const double *a = rows + stride * (size_t)at[0];
    const double *b = rows + stride * (size_t)at[1];
    return (vec4){{a[0], b[0]}, {a[1], b[1]}, {a[2], b[2]}, {a[3], b[3]}};
}

INLINE void store_columns(double *to, size_t stride, vec4 v) {
    for (size_t i = 0; i < 2; i++) {
        store(to + stride * i, (vec){v.x[i], v.y[i]});
        store(to + stride * i + 2, (vec){v.z[i], v.w[i]});
    }
}

INLINE void store_columns_at(double *to, const int *rows, vec4 v) {
    for (int i = 0; i < 2; i++) {
        store(to + 4 * (size_t)rows[i], (vec){v.x[i], v.y[i]});
        store(to + 4 * (size_t)rows[i] + 2, (vec){v.z[i], v.w[i]});
    }
}

INLINE double least_lane(vec a) {
    return fmin(a[0], a[1]);
}

INLINE double sum_lanes(vec a) {
    return a[0] + a[1];
}
#endif

INLINE vec3 load_rows(const double *rows, const int *at, size_t stride) {
    vec4 v = load_columns(rows, at, stride);
    return (vec3){v.x, v.y, v.z};
}

/* The rows of WIDTH elements go to `to[rows[lane]]`. */
INLINE void store_rows(double *to, const int *rows, vec3 v) {
    store_columns_at(to, rows, (vec4){v.x, v.y, v.z, splat(0)});
}

INLINE vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE vec3 sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINE vec3 scale(vec s, vec3 a) {
    return (vec3){s * a.x, s * a.y, s * a.z};
}

/* s a + b */
INLINE vec3 along(vec s, vec3 a, vec3 b) {
    return (vec3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}

INLINE vec dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                  a.x * b.y - a.y * b.x};
}

/* r a.x + s a.y + t a.z: the matrix of columns r, s, t times a. */
INLINE vec3 combine(vec3 r, vec3 s, vec3 t, vec3 a) {
    return along(a.x, r, along(a.y, s, scale(a.z, t)));
}
