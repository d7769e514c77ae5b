/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* One buffer of OpenBLAS (measured, version 0.3.21), and some more. */
#define BUFFER_BYTES ((size_t)129 << 20)

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static int users;          /* between enter and leave; protected by it */
static int threads_before; /* of OpenBLAS, for the whole process; likewise */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t turn; /* recursive */
static bool has_buffer;      /* protected by it; OpenBLAS keeps its buffers */
static _Thread_local int entered;

static void make_turn(void) {
    pthread_mutexattr_t kind;
    (void)pthread_mutexattr_init(&kind);
    (void)pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&turn, &kind);
    (void)pthread_mutexattr_destroy(&kind);
}

/* The smaller limit, in bytes. */
static rlim_t address_limit(void) {
    static const __rlimit_resource_t kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    rlim_t least = RLIM_INFINITY;
    for (int i = 0; i < 2; i++) {
        struct rlimit own;
        if (!getrlimit(kinds[i], &own) && own.rlim_cur < least)
            least = own.rlim_cur;
    }
    return least;
}

bool sb_blas_is_limited(void) {
    return address_limit() != RLIM_INFINITY;
}

static double used_mb(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld", &pages) != 1) pages = 0;
    (void)fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

static sb_status fail_room(sb_error *err) {
    double own_mb = (double)(BUFFER_BYTES >> 20);
    if (!sb_blas_is_limited()) {
        return sb_fail(err, SB_NO_MEMORY,
                       "linear algebra needs a buffer of %.0f MB, which the "
                       "system refuses",
                       own_mb);
    }
    double wanted_mb = used_mb() + own_mb + 100.0;
    sb_status status =
        sb_fail(err, SB_NO_MEMORY,
                "linear algebra needs a buffer of %.0f MB, and the address "
                "space of this process is limited to %.0f MB: allow it %.0f "
                "MB or more (ulimit -v, in kB)",
                own_mb, (double)address_limit() / 1048576.0, wanted_mb);
    sb_error_set_hint(err, "allow it %.0f MB or more", wanted_mb);
    return status;
}

/* Ask for a buffer, give it back, and let OpenBLAS take it. */
static sb_status make_buffer(sb_error *err) {
    void *room = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return fail_room(err);
    (void)munmap(room, BUFFER_BYTES);
    double one = 1, x = 1;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans,
                CblasNonUnit, 1, 1, 1, &one, 1, &x, 1);
    return SB_OK;
}

static void take_threads(void) {
    (void)pthread_mutex_lock(&threads_lock);
    if (users++ == 0) {
        threads_before = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    (void)pthread_mutex_unlock(&threads_lock);
}

/* Unless the program has set another number in the meantime. */
static void give_threads(void) {
    (void)pthread_mutex_lock(&threads_lock);
    if (--users == 0 && openblas_get_num_threads() == 1)
        openblas_set_num_threads(threads_before);
    (void)pthread_mutex_unlock(&threads_lock);
}

sb_status sb_blas_enter(sb_error *err) {
    take_threads();
    bool is_limited = sb_blas_is_limited();
    (void)pthread_once(&once, make_turn);
    (void)pthread_mutex_lock(&turn);
    sb_status status = has_buffer ? SB_OK : make_buffer(err);
    has_buffer = !status;
    if (!status && is_limited) {
        entered++;
        return SB_OK;
    }
    (void)pthread_mutex_unlock(&turn);
    if (status) give_threads();
    return status;
}

void sb_blas_leave(void) {
    give_threads();
    if (entered == 0) return;
    entered--;
    (void)pthread_mutex_unlock(&turn);
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
