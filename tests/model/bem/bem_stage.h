/* SPDX-License-Identifier: MIT */
/* tests/model/bem/bem_stage.h -- surfaces of radius 1 whose radiation has a
 * closed form, modes on them, and that form. One surface at a time. */
#pragma once

#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <string.h>

#define RHO_C (SB_AIR_DENSITY * SB_AIR_SPEED)

enum { MOST = 600, MODES = 100 };

/* A surface of radius 1, and modes on it. */
typedef struct stage {
    int vertex_count, face_count, mode_count;
    float vertices[MOST][3];
    int32_t faces[2 * MOST][3];
    float shapes[MODES][MOST][3];
    double freqs_hz[MODES];
    bool is_sheet;
} stage;

static stage on;

static inline void face(int a, int b, int c) {
    assert(on.face_count < 2 * MOST);
    memcpy(on.faces[on.face_count++], (int32_t[3]){a, b, c},
           sizeof on.faces[0]);
}

static inline int vertex(double x, double y, double z) {
    for (int i = 0; i < on.vertex_count; i++) {
        const float *p = on.vertices[i];
        if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) < 1e-5) return i;
    }
    assert(on.vertex_count < MOST);
    float *p = on.vertices[on.vertex_count];
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return on.vertex_count++;
}

static inline sb_vec3 corner(int f, int j) {
    const float *p = on.vertices[on.faces[f][j]];
    return (sb_vec3){p[0], p[1], p[2]};
}

static inline sb_vec3 area_of(int f) {
    sb_vec3 a = corner(f, 0);
    return sb_vec3_scale(sb_vec3_cross(sb_vec3_sub(corner(f, 1), a),
                                       sb_vec3_sub(corner(f, 2), a)),
                         0.5);
}

static inline void stretch(double x, double y, double z) {
    for (int i = 0; i < on.vertex_count; i++) {
        on.vertices[i][0] *= (float)x;
        on.vertices[i][1] *= (float)y;
        on.vertices[i][2] *= (float)z;
    }
}

/* A cube of n x n cells per side, projected; its volume is the sphere's. */
static inline void make_sphere(int n) {
    on = (stage){0};
    for (int side = 0; side < 6; side++) {
        for (int cell = 0; cell < n * n; cell++) {
            int at[4];
            for (int k = 0; k < 4; k++) {
                int i = cell / n + (k == 1 || k == 2), j = cell % n + (k > 1);
                double a = tan((2.0 * i / n - 1) * SB_PI / 4);
                double b = tan((2.0 * j / n - 1) * SB_PI / 4), p[3];
                double sign = side % 2 ? 1 : -1;
                double length = sqrt(1 + a * a + b * b);
                p[side / 2] = sign / length;
                p[(side / 2 + 1) % 3] = (sign > 0 ? a : b) / length;
                p[(side / 2 + 2) % 3] = (sign > 0 ? b : a) / length;
                at[k] = vertex(p[0], p[1], p[2]);
            }
            face(at[0], at[1], at[2]);
            face(at[0], at[2], at[3]);
        }
    }
    double volume = 0;
    for (int f = 0; f < on.face_count; f++)
        volume += sb_vec3_dot(area_of(f), corner(f, 0)) / 3;
    double scale = cbrt(4 * SB_PI / 3 / volume);
    stretch(scale, scale, scale);
}

/* Rings of 6, 12, ... vertices; its area is the disk's. */
static inline void make_disk(int rings) {
    on = (stage){.is_sheet = true};
    (void)vertex(0, 0, 0);
    for (int i = 1; i <= rings; i++) {
        for (int j = 0; j < 6 * i; j++) {
            double angle = SB_TAU * j / (6 * i), r = 1.0 * i / rings;
            (void)vertex(r * cos(angle), r * sin(angle), 0);
        }
    }
    for (int i = 1; i <= rings; i++) {
        int in = 1 + 3 * (i - 1) * (i - 2), out = 1 + 3 * i * (i - 1);
        if (i == 1) in = 0;
        int wrap = i == 1 ? 1 : 6 * (i - 1);
        for (int j = 0; j < 6 * i; j++) {
            int side = j / i, step = j % i;
            int a = in + (side * (i - 1) + step) % wrap;
            int next = out + (j + 1) % (6 * i);
            face(a, out + j, next);
            if (step < i - 1)
                face(a, next, in + (side * (i - 1) + step + 1) % wrap);
        }
    }
    double area = 0;
    for (int f = 0; f < on.face_count; f++)
        area += area_of(f).z;
    stretch(sqrt(SB_PI / area), sqrt(SB_PI / area), 1);
}

static inline void make_cylinder(int round, int along, double length) {
    on = (stage){0};
    double scale = sqrt(SB_TAU / round / sin(SB_TAU / round));
    for (int i = 0; i <= along; i++) {
        for (int j = 0; j < round; j++) {
            double angle = SB_TAU * (j + 0.5 * (i % 2)) / round;
            (void)vertex(scale * cos(angle), scale * sin(angle),
                         length * (1.0 * i / along - 0.5));
        }
    }
    int low = vertex(0, 0, -length / 2), high = vertex(0, 0, length / 2);
    for (int i = 0; i < along; i++) {
        for (int j = 0; j < round; j++) {
            int a = i * round + j, b = i * round + (j + 1) % round;
            int c = a + round, d = b + round;
            face(a, b, i % 2 ? d : c);
            face(i % 2 ? a : b, d, c);
        }
    }
    for (int j = 0; j < round; j++) {
        int top = along * round;
        face(low, (j + 1) % round, j);
        face(high, top + j, top + (j + 1) % round);
    }
}

static inline double legendre(int n, double x) {
    const double values[] = {1, x, (3 * x * x - 1) / 2,
                             (5 * x * x * x - 3 * x) / 2};
    return values[n];
}

/* The shape of the next mode, at this ka. */
static inline float (*add_mode(double ka))[3] {
    assert(on.mode_count < MODES);
    on.freqs_hz[on.mode_count] = ka * SB_AIR_SPEED / SB_TAU;
    return on.shapes[on.mode_count++];
}

static inline void add_radial(double ka, int order) {
    float(*shape)[3] = add_mode(ka);
    for (int i = 0; i < on.vertex_count; i++) {
        sb_vec3 p = {on.vertices[i][0], on.vertices[i][1], on.vertices[i][2]};
        sb_vec3 n = sb_vec3_normalised(p);
        n = sb_vec3_scale(n, legendre(order, n.z));
        shape[i][0] = (float)n.x;
        shape[i][1] = (float)n.y;
        shape[i][2] = (float)n.z;
    }
}

/* `curve` 0: as a whole; else 1 - curve r^2. */
static inline void add_lifted(double ka, double curve) {
    float(*shape)[3] = add_mode(ka);
    for (int i = 0; i < on.vertex_count; i++) {
        const float *p = on.vertices[i];
        shape[i][2] = (float)(1 - curve * (p[0] * p[0] + p[1] * p[1]));
    }
}

/* Radial motion by cos (waves angle) on a cylinder's wall; its caps rest. */
static inline void add_waves(double ka, int waves) {
    float(*shape)[3] = add_mode(ka);
    for (int v = 0; v < on.vertex_count - 2; v++) {
        double angle = atan2(on.vertices[v][1], on.vertices[v][0]);
        shape[v][0] = (float)(cos(angle) * cos(waves * angle));
        shape[v][1] = (float)(sin(angle) * cos(waves * angle));
    }
}

/* The integral of v_n^2, over both sides of a sheet. */
static inline double square_of(int mode) {
    double sum = 0;
    for (int f = 0; f < on.face_count; f++) {
        sb_vec3 area = area_of(f), n = sb_vec3_normalised(area);
        double v[3];
        for (int j = 0; j < 3; j++) {
            const float *u = on.shapes[mode][on.faces[f][j]];
            v[j] = u[0] * n.x + u[1] * n.y + u[2] * n.z;
        }
        sum += sb_vec3_length(area) / 6 *
               (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[0] * v[1] +
                v[1] * v[2] + v[2] * v[0]);
    }
    return on.is_sheet ? 2 * sum : sum;
}

static inline sb_bem_def def_of(void) {
    static float shapes[MODES * MOST][3];
    for (int k = 0; k < on.mode_count; k++)
        memcpy(shapes[k * on.vertex_count], on.shapes[k],
               (size_t)on.vertex_count * sizeof shapes[0]);
    return (sb_bem_def){.surface = {on.vertex_count, on.face_count,
                                    (const float(*)[3])on.vertices,
                                    (const int32_t(*)[3])on.faces, on.is_sheet},
                        .mode_count = on.mode_count,
                        .freqs_hz = on.freqs_hz,
                        .shapes = (const float(*)[3])shapes};
}

static inline double efficiency(const sb_bem_result *result, int mode) {
    return 4 * SB_PI * sb_pattern_power(&result->patterns[mode]) /
           (RHO_C * RHO_C * square_of(mode));
}

static inline double db(double a, double b) {
    return 10 * log10(a / b);
}

/* 1 / (x^2 |h_n'|^2) */
static inline double sphere_efficiency(int n, double x) {
    double complex h[6] = {I * cexp(-I * x) / x,
                           -cexp(-I * x) * (1 - I / x) / x};
    for (int k = 1; k < 5; k++)
        h[k + 1] = (2 * k + 1) / x * h[k] - h[k - 1];
    double complex slope = n ? h[n - 1] - (n + 1) / x * h[n] : -h[1];
    return 1 / (x * x * creal(slope * conj(slope)));
}

/* 2 / (pi x |H_n'|^2) */
static inline double cylinder_efficiency(int n, double x) {
    double complex slope = 0.5 * (jn(n - 1, x) - jn(n + 1, x)) -
                           0.5 * I * (yn(n - 1, x) - yn(n + 1, x));
    return 2 / (SB_PI * x * creal(slope * conj(slope)));
}
