/* SPDX-License-Identifier: MIT */
/* tests/model/fill/skin.h -- surfaces whose radiation has a closed form. A
 * skin has vertices, faces and one or more mode shapes; skin_free frees it. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/method.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

#include <check.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct surface {
    int vertex_count, face_count, mode_count;
    float (*vertices)[3];
    int32_t (*faces)[3];
    float *shapes; /* [vertex][mode][3] */
    double *lambdas;
} surface;

static inline void skin_free(surface *skin) {
    free(skin->vertices);
    free(skin->faces);
    free(skin->shapes);
    free(skin->lambdas);
}

static inline void skin_modes(surface *skin, int mode_count) {
    size_t places = (size_t)skin->vertex_count * (size_t)mode_count;
    skin->mode_count = mode_count;
    skin->shapes = calloc(places + 1, sizeof(float[3]));
    skin->lambdas = calloc((size_t)mode_count + 1, sizeof(double));
}

static inline float *skin_shape(const surface *skin, int vertex, int mode) {
    size_t at = (size_t)vertex * (size_t)skin->mode_count + (size_t)mode;
    return skin->shapes + 3 * at;
}

static inline void put_vertex(float *vertex, double x, double y, double z) {
    vertex[0] = (float)x;
    vertex[1] = (float)y;
    vertex[2] = (float)z;
}

static inline void put_faces(int32_t (*faces)[3], int a, int b, int c, int d) {
    const int32_t two[2][3] = {{a, b, c}, {a, c, d}};
    memcpy(faces, two, sizeof two);
}

/* The surface of a cube with n x n cells per side, projected onto a sphere:
 * no poles. */
static inline surface skin_sphere(int n, double radius_m) {
    surface skin = {.vertex_count = 6 * (n + 1) * (n + 1),
                    .face_count = 12 * n * n};
    skin.vertices = calloc((size_t)skin.vertex_count, sizeof(float[3]));
    skin.faces = calloc((size_t)skin.face_count, sizeof(int32_t[3]));
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, first = side * (n + 1) * (n + 1);
        double sign = side % 2 ? -1 : 1;
        for (int i = 0; i <= n; i++) {
            for (int j = 0; j <= n; j++) {
                double p[3];
                p[axis] = sign;
                p[(axis + 1) % 3] = tan(SB_PI / 4 * (2.0 * i / n - 1)) * sign;
                p[(axis + 2) % 3] = tan(SB_PI / 4 * (2.0 * j / n - 1));
                double r =
                    radius_m / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                put_vertex(skin.vertices[first + i * (n + 1) + j], p[0] * r,
                           p[1] * r, p[2] * r);
            }
        }
        for (int c = 0; c < n * n; c++) {
            int a = first + c / n * (n + 1) + c % n;
            put_faces(skin.faces + (side * n * n + c) * 2, a, a + n + 1,
                      a + n + 2, a + 1);
        }
    }
    return skin;
}

/* A rectangle in the plane z = 0, facing z. */
static inline surface skin_plate(int n, double x_m, double y_m) {
    surface skin = {.vertex_count = (n + 1) * (n + 1), .face_count = 2 * n * n};
    skin.vertices = calloc((size_t)skin.vertex_count, sizeof(float[3]));
    skin.faces = calloc((size_t)skin.face_count, sizeof(int32_t[3]));
    for (int i = 0; i < skin.vertex_count; i++) {
        put_vertex(skin.vertices[i], x_m * ((double)(i / (n + 1)) / n - 0.5),
                   y_m * ((double)(i % (n + 1)) / n - 0.5), 0);
    }
    for (int c = 0; c < n * n; c++) {
        int a = c / n * (n + 1) + c % n;
        put_faces(skin.faces + c * 2, a, a + n + 1, a + n + 2, a + 1);
    }
    return skin;
}

/* A solution for this skin with E = 1 and rho = 1; the skin keeps its
 * arrays. */
static inline sb_solution skin_solution(const surface *skin) {
    return (sb_solution){
        .facts = {.poisson_ratio = 0.3,
                  .volume_m3 = 1e-4,
                  .area_m2 = 1e-2,
                  .lambda_bound = INFINITY,
                  .method = SB_METHOD_SOLID,
                  .rigid_count = 6},
        .vertex_count = skin->vertex_count,
        .face_count = skin->face_count,
        .mode_count = skin->mode_count,
        .vertices = (const float(*)[3])skin->vertices,
        .faces = (const int32_t(*)[3])skin->faces,
        .lambdas = skin->lambdas,
        .shapes = skin->shapes,
    };
}

/* Sets the eigenvalue for which a mode of this material has a given
 * frequency. */
static inline void skin_pitch(surface *skin, int mode, double freq_hz,
                              const sb_material *material) {
    skin->lambdas[mode] = sb_solution_lambda(material, freq_hz);
}

/* Smooth random shapes and frequencies, `same` modes per frequency. */
static inline void skin_random_modes(surface *skin, int mode_count, int same,
                                     double low_hz, double high_hz,
                                     const sb_material *material) {
    skin_modes(skin, mode_count);
    sb_random random = sb_random_make(7, 1);
    for (int k = 0; k < mode_count; k++) {
        double part = (k / same * same + 0.5) / mode_count;
        skin_pitch(skin, k, low_hz + (high_hz - low_hz) * part, material);
        double c[6];
        for (int i = 0; i < 6; i++)
            c[i] = sb_random_unit(&random) - 0.5;
        for (int v = 0; v < skin->vertex_count; v++) {
            const float *p = skin->vertices[v];
            double wave =
                sin(40 * (c[0] * p[0] + c[1] * p[1] + c[2] * p[2]) + c[3] * 9);
            float *phi = skin_shape(skin, v, k);
            phi[0] = (float)(c[4] * wave);
            phi[1] = (float)(c[5] * wave + c[0] * p[0]);
            phi[2] = (float)wave;
        }
    }
}
