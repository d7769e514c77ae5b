/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/blas.h -- the BLAS calls that we use.
 *
 * Matrices are stored by columns, `*_wide` numbers apart (the leading
 * dimension).
 *
 * Thread: control, workers. Memory: the caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

/* Before the first of a group of BLAS and LAPACK calls, and after the last; may
 * be nested. In between OpenBLAS has one thread in the whole process: with
 * more, sums would be split differently from run to run. The last to leave sets
 * the number that was there before.
 *
 * OpenBLAS asks again and again, without end, for a buffer that the system
 * refuses. Enter asks for that much first: NO_MEMORY, with the limit of the
 * process and what is needed. Where there is a limit, one thread at a time may
 * enter, since each would need a buffer of its own. */
SB_NODISCARD sb_status sb_blas_enter(sb_error *err);
void sb_blas_leave(void);

/* Whether the address space of this process is limited (ulimit -v, -d). Then
 * OPENBLAS_NUM_THREADS should be 1 at the start: else OpenBLAS begins with a
 * buffer for each of its own threads, and waits for them at exit. */
bool sb_blas_is_limited(void);

/* On a processor that OpenBLAS does not recognise it uses its oldest kernels,
 * which take twice as long. Returns the name of better ones that this processor
 * can run, for OPENBLAS_CORETYPE at the next start; NULL: nothing to
 * improve. */
const char *sb_blas_better_core(void);

typedef struct sb_blas_shape {
    int rows, columns; /* of C */
    int inner;         /* columns of A and of B */
} sb_blas_shape;

/* C = beta C + alpha A B' */
void sb_blas_multiply(sb_blas_shape shape, double alpha, const double *a,
                      int a_wide, const double *b, int b_wide, double beta,
                      double *c, int c_wide);
/* A = A L^-T, L lower triangular with ones on its diagonal, columns x
 * columns; inner is not used. */
void sb_blas_divide(sb_blas_shape shape, const double *l, int l_wide, double *a,
                    int a_wide);

/* A = L^-1 A, or L^-T A if `is_turned`; L lower triangular, rows x rows; inner
 * is not used. */
void sb_blas_solve_left(sb_blas_shape shape, bool is_turned, const double *l,
                        int l_wide, double *a, int a_wide);

/* A = A L^-T, L columns x columns. */
void sb_blas_solve_right(sb_blas_shape shape, const double *l, int l_wide,
                         double *a, int a_wide);

/* C = C - A A', the lower half of rows x rows. */
void sb_blas_take_square(sb_blas_shape shape, const double *a, int a_wide,
                         double *c, int c_wide);

/* C = C - A B' - B A', the lower half of rows x rows. */
void sb_blas_take_both(sb_blas_shape shape, const double *a, int a_wide,
                       const double *b, int b_wide, double *c, int c_wide);
