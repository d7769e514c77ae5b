/* SPDX-License-Identifier: MIT */
/* runtime/base/vec3.h -- points (in metres) and directions in space.
 *
 * Right-handed axes; y is up.
 *
 * Thread: any, audio included.
 */
#pragma once

#include <math.h>

typedef struct sb_vec3 {
    double x, y, z;
} sb_vec3;

static inline sb_vec3 sb_vec3_add(sb_vec3 a, sb_vec3 b) {
    return (sb_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sb_vec3 sb_vec3_sub(sb_vec3 a, sb_vec3 b) {
    return (sb_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sb_vec3 sb_vec3_scale(sb_vec3 a, double s) {
    return (sb_vec3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline sb_vec3 sb_vec3_plus(sb_vec3 a, sb_vec3 b, double s) {
    return (sb_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double sb_vec3_dot(sb_vec3 a, sb_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sb_vec3 sb_vec3_cross(sb_vec3 a, sb_vec3 b) {
    return (sb_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                     a.x * b.y - a.y * b.x};
}

/* (b - a) x (c - a): across the triangle, and twice its area long. */
static inline sb_vec3 sb_vec3_span(sb_vec3 a, sb_vec3 b, sb_vec3 c) {
    return sb_vec3_cross(sb_vec3_sub(b, a), sb_vec3_sub(c, a));
}

static inline double sb_vec3_length(sb_vec3 a) {
    return sqrt(sb_vec3_dot(a, a));
}

/* The zero vector stays zero. */
static inline sb_vec3 sb_vec3_normalised(sb_vec3 a) {
    double length = sb_vec3_length(a);
    return length > 0.0 ? sb_vec3_scale(a, 1.0 / length) : a;
}
