/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_matrix.h"

#include "runtime/base/pi.h"
#include "runtime/base/stop.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>

/* Where matrices are being summed. W is symmetric: only pairs in which the
 * second face is not before the first are added, and those of a face with
 * itself by half. */
typedef struct sums {
    const sb_bem_mesh *mesh;
    float (*w)[2], (*k)[2];
} sums;

/* Corner values as a complex number each, by corners of both faces. */
typedef struct block {
    double complex w[3][3], k[3][3], k_back[3][3];
} block;

static void add(float at[2], double re, double im) {
    at[0] += (float)re;
    at[1] += (float)im;
}

const sb_bem_kernel *sb_bem_kernel_best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
        return &sb_bem_kernel_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &sb_bem_kernel_avx2;
#endif
    return &sb_bem_kernel_portable;
}

/* K' between unknowns r and c is the derivative at r, so that it is in row r.
 * Columns of K' are rows of K. */
static void add_lane(const sums *to, int one, int other,
                     const sb_bem_blocks *from, int lane) {
    const sb_bem_face *a = &to->mesh->faces[one], *b = &to->mesh->faces[other];
    size_t wide = (size_t)to->mesh->wide;
    for (int i = 0; i < 3; i++) {
        if (a->unknowns[i] < 0) continue;
        size_t row = (size_t)a->unknowns[i];
        for (int j = 0; j < 3; j++) {
            if (b->unknowns[j] < 0) continue;
            size_t at = row * wide + (size_t)b->unknowns[j];
            add(to->w[at], from->w[i][j][0][lane], from->w[i][j][1][lane]);
            if (!to->k) continue;
            add(to->k[at], from->k[i][j][0][lane], from->k[i][j][1][lane]);
            at = (size_t)b->unknowns[j] * wide + row;
            add(to->k[at], from->k_back[i][j][0][lane],
                from->k_back[i][j][1][lane]);
        }
    }
}

/* (e^{-ikr} - 1) / r and its derivative, over 4 pi and over r. Im G decides what
 * is radiated at low frequencies: nothing may cancel. */
static void rest_of_kernel(double k, double r, double complex *g,
                           double complex *slope) {
    double x = k * r, square = x * x, re, im;
    double half = sin(x / 2), sine = sin(x), cosine = 1 - 2 * half * half;
    if (x < 0.5) {
        /* 1 - cos x - x sin x over x^2, sin x - x cos x over x^3 */
        re = -1.0 / 2 +
             square *
                 (1.0 / 8 - square * (1.0 / 144 -
                                      square * (1.0 / 5760 - square / 403200)));
        im = 1.0 / 3 -
             square * (1.0 / 30 -
                       square * (1.0 / 840 -
                                 square * (1.0 / 45360 - square / 3991680)));
        *g =
            -k * (x > 0 ? 2 * half * half / x + I * sine / x : I) / (4 * SB_PI);
        *slope = r > 0 ? k * k * (re + I * x * im) / (4 * SB_PI * r) : 0;
        return;
    }
    *g = -(2 * half * half + I * sine) / (4 * SB_PI * r);
    re = 1 - cosine - x * sine;
    im = sine - x * cosine;
    *slope = (re + I * im) / (4 * SB_PI * r * r * r);
}

/* What the functions of the corners are at the points of sb_bem_faces. */
static double at_point(int corner, int point) {
    return corner == point ? 2.0 / 3 : 1.0 / 6;
}

static sb_vec3 point_of(const sb_bem_face *face, int point) {
    return sb_vec3_plus(face->centre,
                        sb_vec3_sub(face->corners[point], face->centre), 0.5);
}

static void near_block(const sb_bem_face *a, const sb_bem_face *b,
                       const sb_bem_near *near, double k, block *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->w[i][j] = near->g[i][j];
            out->k[i][j] = near->front[i][j];
            out->k_back[i][j] = near->back[i][j];
        }
    }
    for (int s = 0; s < 9; s++) {
        sb_vec3 apart = sb_vec3_sub(point_of(a, s / 3), point_of(b, s % 3));
        double complex g, slope;
        rest_of_kernel(k, sb_vec3_length(apart), &g, &slope);
        double complex front = -slope * sb_vec3_dot(apart, b->normal);
        double complex back = slope * sb_vec3_dot(apart, a->normal);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double weight = at_point(i, s / 3) * at_point(j, s % 3) *
                                a->area * b->area / 9;
                out->w[i][j] += weight * g;
                out->k[i][j] += weight * front;
                out->k_back[i][j] += weight * back;
            }
        }
    }
    double complex sum = 0;
    for (int i = 0; i < 9; i++)
        sum += out->w[i / 3][i % 3];
    double facing = k * k * sb_vec3_dot(a->normal, b->normal);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->w[i][j] = facing * out->w[i][j] -
                           sb_vec3_dot(a->curls[i], b->curls[j]) * sum;
        }
    }
}

static void add_near(const sums *to, int one, const sb_bem_near *near,
                     double wavenumber) {
    const sb_bem_face *a = &to->mesh->faces[one];
    const sb_bem_face *b = &to->mesh->faces[near->other];
    bool is_same = one == near->other;
    double share = is_same ? 0.5 : 1;
    size_t wide = (size_t)to->mesh->wide;
    block own;
    near_block(a, b, near, wavenumber, &own);
    for (int i = 0; i < 3; i++) {
        if (a->unknowns[i] < 0) continue;
        size_t row = (size_t)a->unknowns[i];
        for (int j = 0; j < 3; j++) {
            if (b->unknowns[j] < 0) continue;
            size_t column = (size_t)b->unknowns[j];
            double complex w = share * own.w[i][j], k = own.k[i][j];
            add(to->w[row * wide + column], creal(w), cimag(w));
            if (!to->k || is_same) continue; /* K of a flat face is 0 */
            add(to->k[row * wide + column], creal(k), cimag(k));
            k = own.k_back[i][j];
            add(to->k[column * wide + row], creal(k), cimag(k));
        }
    }
}

static void add_face(const sums *to, int one, double wavenumber) {
    const sb_bem_mesh *mesh = to->mesh;
    const sb_bem_kernel *kernel = sb_bem_kernel_best();
    const sb_bem_near *near = mesh->nears + mesh->near_starts[one];
    const sb_bem_near *end = mesh->nears + mesh->near_starts[one + 1];
    sb_bem_blocks blocks;
    int first = one / SB_BEM_LANES * SB_BEM_LANES;
    for (; first < mesh->face_count; first += SB_BEM_LANES) {
        kernel->pairs(&mesh->lanes, one, first, wavenumber, to->k != NULL,
                      &blocks);
        for (int lane = 0; lane < SB_BEM_LANES; lane++) {
            int other = first + lane;
            if (other < one || other >= mesh->face_count) continue;
            if (near < end && near->other == other) {
                add_near(to, one, near++, wavenumber);
            } else {
                add_lane(to, one, other, &blocks, lane);
            }
        }
    }
}

void sb_bem_matrices(const sb_bem_mesh *mesh, double wavenumber, float (*w)[2],
                     float (*k)[2]) {
    const sums to = {mesh, w, k};
    for (int i = 0; i < mesh->face_count && !sb_stop_is_wanted(); i++)
        add_face(&to, i, wavenumber);
    size_t wide = (size_t)mesh->wide, count = (size_t)mesh->unknown_count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) {
            for (int part = 0; part < 2; part++) {
                float sum = w[i * wide + j][part] + w[j * wide + i][part];
                w[i * wide + j][part] = w[j * wide + i][part] = sum;
            }
        }
    }
}
