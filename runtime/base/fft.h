/* SPDX-License-Identifier: MIT */
/* runtime/base/fft.h -- the discrete Fourier transform in double precision.
 *
 *     X_k = sum_n x_n exp(sign 2 pi i k n / N),   k = 0 .. N - 1,
 *
 * sign -1 forward and +1 backward; neither is divided by N. The kernel takes
 * powers of two (Stockham's radix 4: results are in order, memory is read in
 * sequence). A plan takes any N: a size that is not a power of two is computed
 * as a convolution with a chirp (Bluestein), by kernel transforms of at least
 * 2 N. Not a library, because Debian's kissfft has single precision only.
 *
 * Symbols: N -> size, count; exp(2 pi i j / N) -> turn[j].
 * Thread:  any but audio. A plan holds its own work space, so only one thread
 *          may use it at a time.
 * Memory:  sb_fft_destroy frees a plan; the kernel works in the caller's
 *          arrays.
 * Source:  C. Van Loan, Computational Frameworks for the Fast Fourier
 *          Transform, SIAM 1992, 1.7 and 4.2.
 */
#pragma once

#include "runtime/base/cmplx.h"

/* --- plans: any size ------------------------------------------------------*/

typedef struct sb_fft sb_fft;

/* 1 <= size <= 2^26; NULL when out of memory. */
sb_fft *sb_fft_create(int size);
void sb_fft_destroy(sb_fft *fft); /* NULL is allowed */
int sb_fft_size(const sb_fft *fft);

/* Transform in place. */
void sb_fft_forward(sb_fft *fft, double complex *x);
void sb_fft_backward(sb_fft *fft, double complex *x);

/* Transform of `size` real numbers, `size` even: lines[k] = X_k for
 * k = 0 .. size / 2; the other X_k are their conjugates. `lines` has room for
 * size / 2 + 1 numbers. */
void sb_fft_real(sb_fft *fft, const float *x, double complex *lines);

/* X_k of the real signals a and b, from the transform of a + i b. */
static inline void sb_fft_part(const double complex *both, int size, int k,
                               double complex *a, double complex *b) {
    double complex up = both[k], down = conj(both[k ? size - k : 0]);
    *a = 0.5 * (up + down);
    double complex apart = 0.5 * (up - down); /* i b */
    *b = CMPLX(cimag(apart), -creal(apart));
}

/* --- the kernel: powers of two, one table for many sizes ------------------*/

/* turn[j] = exp(2 pi i j / turns), j < turns. */
void sb_fft_turns(double complex *turn, int turns);

/* Replace x by its transform. `count` is a power of two and divides `turns`;
 * `work` has room for `count` numbers. */
void sb_fft_kernel(double complex *x, double complex *work, int count,
                   double sign, const double complex *turn, int turns);

/* sb_fft_real for a `count` >= 2 that is a power of two and divides `turns`;
 * `work` has room for count / 2 numbers. */
void sb_fft_kernel_real(const float *x, int count, double complex *lines,
                        double complex *work, const double complex *turn,
                        int turns);

/* First half of a real backward transform: from the lines 0 .. count / 2 of
 * real numbers x, make count / 2 complex numbers whose backward transform is
 * x_0 + i x_1, x_2 + i x_3, ... `count` divides `turns`; it is 6 or a multiple
 * of four, not necessarily a power of two. */
void sb_fft_pair_lines(double complex *lines, int count,
                       const double complex *turn, int turns);
