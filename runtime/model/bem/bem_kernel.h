/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_kernel.h -- the inner loops of boundary elements.
 *
 * Matrices are complex floats, (real, imaginary). Arrays over faces and over
 * points are padded to a multiple of SB_BEM_LANES with items of no weight.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include <stdbool.h>

enum {
    SB_BEM_LANES = 8,
    SB_BEM_NODES = 4, /* wave numbers that are interpolated between */
    SB_BEM_DENSITIES = 8,
    SB_BEM_ANGLE_SUMS = 3
};

/* Flat triangles: three points of quadrature each, which have the third of its
 * area, and lie at 2/3, 1/6, 1/6 of its corners. */
typedef struct sb_bem_faces {
    double *points[3][3]; /* [point][axis][face] */
    double *normals[3];
    double *curls[3][3]; /* [corner][axis]: n x grad of its linear function */
    double *areas;
} sb_bem_faces;

/* Of one face and SB_BEM_LANES others, for each corner i of the one and j of the
 * other: W_ij, K_ij and the K_ji of the other against the one. */
typedef struct sb_bem_blocks {
    double w[3][3][2][SB_BEM_LANES];
    double k[3][3][2][SB_BEM_LANES];
    double k_back[3][3][2][SB_BEM_LANES];
} sb_bem_blocks;

typedef struct sb_bem_mix {
    double wavenumber, eta;
    double weights[SB_BEM_NODES];
    const float (*w[SB_BEM_NODES])[2];
    const float (*k[SB_BEM_NODES])[2]; /* NULL: eta is 0 */
} sb_bem_mix;

/* Sources at points, 1/4 pi included: of monopoles, then of dipoles by axis,
 * real and imaginary part in turn. */
typedef struct sb_bem_sources {
    int count;
    double *points[3];
    double *densities[SB_BEM_DENSITIES];
} sb_bem_sources;

/* Angles between 0 and pi, their number a multiple of SB_BEM_LANES: 1 - cosine,
 * and the weights of the sums over them. */
typedef struct sb_bem_angles {
    int count;
    double *bends;
    double *weights[SB_BEM_ANGLE_SUMS];
} sb_bem_angles;

/* A point of one ring and one of another, at the angle a: the square of their
 * distance is square + across (1 - cos a). */
typedef struct sb_bem_rings {
    double square, across;
} sb_bem_rings;

typedef struct sb_bem_kernel {
    /* `first` is a multiple of SB_BEM_LANES. With `has_k` false only w. */
    void (*pairs)(const sb_bem_faces *faces, int one, int first,
                  double wavenumber, bool has_k, sb_bem_blocks *out);
    /* a *= e^{ikr} */
    void (*turn)(int count, const float *distances, double wavenumber,
                 float (*a)[2]);
    /* out = e^{-ikr} sum of weights (w + i eta k) */
    void (*mix)(int count, const float *distances, const sb_bem_mix *mix,
                int first, float (*out)[2]);
    /* The far field in a direction and in the opposite one. */
    void (*far)(const sb_bem_sources *sources, const double direction[3],
                double wavenumber, double out[2][2]);
    /* The sums of (e^{-ikr} - 1) / r; and if `slopes` is not NULL those of its
     * derivative over r. */
    void (*rings)(const sb_bem_angles *angles, sb_bem_rings rings,
                  double wavenumber, double sums[SB_BEM_ANGLE_SUMS][2],
                  double slopes[SB_BEM_ANGLE_SUMS][2]);
} sb_bem_kernel;

extern const sb_bem_kernel sb_bem_kernel_portable;
#if defined(__x86_64__)
extern const sb_bem_kernel sb_bem_kernel_avx2;
extern const sb_bem_kernel sb_bem_kernel_avx512;
#endif

const sb_bem_kernel *sb_bem_kernel_best(void);
