/* runtime/model/linear/blas.h -- the few things we ask of BLAS.
 *
 * Matrices are stored by columns, `*_wide` numbers apart.
 *
 * Thread: control, workers. Memory: the caller's.
 */
#ifndef SB_MODEL_LINEAR_BLAS_H
#define SB_MODEL_LINEAR_BLAS_H

/* Of all BLAS and LAPACK in the program. One is the rule: more would share the
 * sums differently from run to run. */
void sb_blas_set_threads(int count);

/* OpenBLAS falls back on the oldest kernels for a processor that it does not
 * know, which takes twice as long. The name of better ones that this processor
 * can run, for OPENBLAS_CORETYPE at the next start; NULL: all is well. */
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

#endif
