#include "runtime/model/linear/blas.h"

#include <cblas.h>
#include <stddef.h>
#include <strings.h>

void sb_blas_set_threads(int count) {
    openblas_set_num_threads(count);
}

const char *sb_blas_better_core(void) {
#if defined(__x86_64__)
    if (strcasecmp(openblas_get_corename(), "prescott") != 0) return NULL;
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw")) {
        return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return "Haswell";
    }
#endif
    return NULL;
}

void sb_blas_multiply(sb_blas_shape shape, double alpha, const double *a,
                      int a_wide, const double *b, int b_wide, double beta,
                      double *c, int c_wide) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, shape.rows,
                shape.columns, shape.inner, alpha, a, a_wide, b, b_wide, beta,
                c, c_wide);
}

void sb_blas_divide(sb_blas_shape shape, const double *l, int l_wide, double *a,
                    int a_wide) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit,
                shape.rows, shape.columns, 1, l, l_wide, a, a_wide);
}

void sb_blas_solve_left(sb_blas_shape shape, bool is_turned, const double *l,
                        int l_wide, double *a, int a_wide) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower,
                is_turned ? CblasTrans : CblasNoTrans, CblasNonUnit, shape.rows,
                shape.columns, 1, l, l_wide, a, a_wide);
}

void sb_blas_solve_right(sb_blas_shape shape, const double *l, int l_wide,
                         double *a, int a_wide) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                shape.rows, shape.columns, 1, l, l_wide, a, a_wide);
}

void sb_blas_take_square(sb_blas_shape shape, const double *a, int a_wide,
                         double *c, int c_wide) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, shape.rows,
                shape.inner, -1, a, a_wide, 1, c, c_wide);
}

void sb_blas_take_both(sb_blas_shape shape, const double *a, int a_wide,
                       const double *b, int b_wide, double *c, int c_wide) {
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, shape.rows,
                 shape.inner, -1, a, a_wide, b, b_wide, 1, c, c_wide);
}
