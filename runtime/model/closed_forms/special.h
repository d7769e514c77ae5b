/* SPDX-License-Identifier: MIT */
/* runtime/model/closed_forms/special.h -- Bessel functions of whole order, and
 * integrals by Gauss and Legendre.
 *
 * J from the C library; I scaled by e^-x, so that it never overflows, by
 * Miller's backward recurrence with  e^x = I0 + 2 (I1 + I2 + ...).
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

/* Orders n and n + 1 at x >= 0; n >= 0. */
void sb_bessel_j(int n, double x, double j[2]);
void sb_bessel_i_scaled(int n, double x, double i[2]);

/* Nodes, ascending in (-1, 1), and weights; n >= 1. n points integrate
 * polynomials up to degree 2 n - 1 exactly. */
void sb_gauss_legendre(int n, double *nodes, double *weights);
