/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_far.h -- far fields as spherical harmonics.
 *
 * Orders up to k R + 3 hold what counts, R being the radius of the body round
 * the centre (95 % of the directions within 1 dB); higher ones vanish fast from
 * k R + 6 on, so that Gauss' rule of that many rings is exact. Large bodies
 * have a cloud of directions instead (Fibonacci's spiral), and orders above 16
 * go into the rest.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#pragma once

#include "runtime/base/harmonics.h"
#include "runtime/base/pattern.h"
#include "runtime/base/vec3.h"
#include "runtime/model/bem/bem_kernel.h"

/* The order of a pattern before it is cut. */
int sb_bem_far_order(double wavenumber_radius);
/* How many pairs of directions it is taken from. */
int sb_bem_far_pairs(double wavenumber_radius);

/* The pattern of `sources`; its coefs have room for the order above. The order
 * is then lowered as far as 0.3 % of the power at most are left to the rest.
 * All is `scale` times the far field of the sources. */
void sb_bem_far(const sb_bem_sources *sources, double wavenumber,
                double radius_m, double scale, sb_pattern *pattern,
                float (*coefs)[2]);

/* The rule of a far field whose directions are all to be exact: rings of Gauss
 * and Legendre, an even number; the i-th node and its weight of n; weights sum
 * to 1. */
int sb_bem_far_rings(double wavenumber_radius);
double sb_bem_gauss(int n, int i, double *weight);

/* What a far field has: the mean of its square, and coefs of harmonics. */
typedef struct sb_bem_heard {
    double square;
    double coefs[(SB_HARMONICS_ORDER_MOST + 1) * (SB_HARMONICS_ORDER_MOST + 1)]
                [2];
} sb_bem_heard;

/* Its pattern, times `scale`; the order is lowered as above. */
void sb_bem_far_cut(const sb_bem_heard *heard, int order, double scale,
                    sb_pattern *pattern, float (*coefs)[2]);
