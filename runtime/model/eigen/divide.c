/* SPDX-License-Identifier: MIT */
/* Eigenpairs of a symmetric tridiagonal matrix by divide and conquer, merge by
 * merge. Runs on the thread that solves, control or a worker.
 *
 * The matrix is cut into two, up to one entry b that couples them:
 *
 *     T = diag(T1, T2) + |b| v v',   v = (0 .. 0 1 +-1 0 .. 0)
 *
 * With T1 = Q1 D1 Q1' and T2 = Q2 D2 Q2', the eigenvalues l of T solve the
 * secular equation of D + rho z z' with z = diag(Q1, Q2)' v, and its
 * eigenvectors are Q1 and Q2 times those of D + rho z z'. An entry of z that
 * is nearly 0, and one of two nearly equal entries of D, leaves its eigenpair
 * as it was (deflation). LAPACK solves the equation and the smallest parts.
 *
 * LAPACK's own dstedc computes all pairs in one call, which takes a second for
 * 3,000 unknowns. Here the last and largest merge computes only the vectors
 * that are wanted, and sb_stop_check is asked some hundred times per second.
 *
 * Source: Cuppen, Numer. Math. 36 (1981); Gu and Eisenstat, SIAM J. Matrix
 * Anal. Appl. 16 (1995), section 3, for vectors that are orthogonal. */
#include "runtime/model/eigen/eigen.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/blas.h"

#include <lapacke.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* LAPACK's: root number `i`, from 1, of the secular equation, and its distances
 * from the entries of d; lapacke.h does not declare it. With one or two
 * entries it gives the eigenvector in place of the distances. */
void dlaed4_(const lapack_int *count, const lapack_int *i, const double *d,
             const double *z, double *distances, const double *rho,
             double *root, lapack_int *info);

enum {
    LEAF = 32,          /* parts up to this size are solved by QR */
    ROOTS_PER_ASK = 64, /* some milliseconds */
    CHUNK_COLUMNS = 32  /* of eigenvectors that are computed together */
};

/* Where the nonzeros of a column are: in the rows of T1, T2, or both. */
typedef enum half { UPPER, BOTH, LOWER, HALVES } half;

typedef struct divide {
    int n; /* of the whole matrix, and distance of columns in q */
    double *d, *e, *q;
    int *order;          /* [n] columns of each part by ascending d */
    double *z, *poles;   /* [n]; poles: the entries of d that are kept */
    double *weights;     /* [n] of z, for these */
    double *roots;       /* [n] */
    int *sorted;         /* [n] columns of both parts by ascending d */
    int *kept, *left;    /* [n] columns that take part, that are deflated */
    int *places;         /* [n] of kept columns in `packed` */
    unsigned char *half; /* [n] of columns */
    double *packed;      /* [n * n] columns of the parts, without zeros */
    double *chunk;       /* [CHUNK_COLUMNS * n] */
    sb_error *err;
} divide;

/* Two parts, of columns and rows first to first + size, that become one. */
typedef struct merge {
    int first, size, cut;
    double rho; /* 2 |b|, as z has length 1 */
    bool is_negative;
    double limit; /* what is smaller counts as 0 */
    int kept_count, left_count;
    int counts[HALVES]; /* of kept columns */
    int low, high;      /* roots whose vectors are wanted, low to high - 1 */
} merge;

static double *column_of(const divide *w, const merge *m, int column) {
    return w->q + (size_t)(m->first + column) * (size_t)w->n + m->first;
}

/* --- deflation ------------------------------------------------------------ */

static void couple(divide *w, merge *m) {
    const double *d = w->d + m->first;
    double largest = 0;
    for (int i = 0; i < m->size; i++) {
        bool is_upper = i < m->cut;
        double z = column_of(w, m, i)[is_upper ? m->cut - 1 : m->cut];
        w->z[i] = (is_upper || !m->is_negative ? z : -z) * sqrt(0.5);
        w->half[i] = is_upper ? UPPER : LOWER;
        largest = fmax(largest, fmax(fabs(d[i]), fabs(w->z[i])));
    }
    m->limit = 8 * (DBL_EPSILON / 2) * largest;
}

/* The orders of both parts into one. */
static void sort_columns(divide *w, const merge *m) {
    const double *d = w->d + m->first;
    const int *upper = w->order + m->first, *lower = upper + m->cut;
    int i = 0, j = 0, lower_count = m->size - m->cut;
    for (int k = 0; k < m->size; k++) {
        bool is_upper = j == lower_count ||
                        (i < m->cut && d[upper[i]] <= d[lower[j] + m->cut]);
        w->sorted[k] = is_upper ? upper[i] : lower[j] + m->cut;
        if (is_upper)
            i++;
        else
            j++;
    }
}

/* Turns two columns so that the first has z = 0, if T then stays diagonal
 * within the limit. */
static bool turn(divide *w, const merge *m, int one, int other) {
    double *d = w->d + m->first;
    double length = hypot(w->z[one], w->z[other]);
    double c = w->z[other] / length, s = -w->z[one] / length;
    if (fabs((d[other] - d[one]) * c * s) > m->limit) return false;
    double *x = column_of(w, m, one), *y = column_of(w, m, other);
    for (int i = 0; i < m->size; i++) {
        double turned = c * x[i] + s * y[i];
        y[i] = c * y[i] - s * x[i];
        x[i] = turned;
    }
    double d_one = c * c * d[one] + s * s * d[other];
    d[other] = s * s * d[one] + c * c * d[other];
    d[one] = d_one;
    w->z[one] = 0;
    w->z[other] = length;
    if (w->half[one] != w->half[other]) w->half[other] = BOTH;
    return true;
}

static void deflate(divide *w, merge *m) {
    int waiting = -1; /* may yet be turned with the next one */
    m->kept_count = m->left_count = 0;
    for (int k = 0; k < m->size; k++) {
        int column = w->sorted[k];
        if (!(m->rho * fabs(w->z[column]) > m->limit)) {
            w->left[m->left_count++] = column;
            continue;
        }
        if (waiting >= 0) {
            if (turn(w, m, waiting, column)) {
                w->left[m->left_count++] = waiting;
            } else {
                w->kept[m->kept_count++] = waiting;
            }
        }
        waiting = column;
    }
    if (waiting >= 0) w->kept[m->kept_count++] = waiting;
}

/* --- the parts without their zeros ---------------------------------------- */

/* The upper (or lower) rows of the columns that are kept and not zero there:
 * UPPER, BOTH, LOWER. */
static double *pack_half(const divide *w, const merge *m, half own,
                         double *to) {
    int first = own == UPPER ? 0 : m->cut;
    size_t rows = (size_t)(own == UPPER ? m->cut : m->size - m->cut);
    for (int which = UPPER; which < HALVES; which++) {
        if (which != (int)own && which != BOTH) continue;
        for (int k = 0; k < m->kept_count; k++) {
            if (w->half[w->kept[k]] != which) continue;
            memcpy(to, column_of(w, m, w->kept[k]) + first, rows * sizeof *to);
            to += rows;
        }
    }
    return to;
}

/* Upper rows, lower rows, then whole columns that are left. */
static void pack(divide *w, merge *m) {
    int place = 0;
    for (int which = UPPER; which < HALVES; which++) {
        int before = place;
        for (int k = 0; k < m->kept_count; k++) {
            if (w->half[w->kept[k]] == which) w->places[k] = place++;
        }
        m->counts[which] = place - before;
    }
    double *to = pack_half(w, m, UPPER, w->packed);
    to = pack_half(w, m, LOWER, to);
    for (int k = 0; k < m->left_count; k++, to += m->size) {
        memcpy(to, column_of(w, m, w->left[k]), (size_t)m->size * sizeof *to);
    }
}

static void unpack_left(divide *w, const merge *m) {
    int upper = m->counts[UPPER] + m->counts[BOTH];
    int lower = m->counts[BOTH] + m->counts[LOWER];
    const double *from = w->packed + (size_t)upper * (size_t)m->cut +
                         (size_t)lower * (size_t)(m->size - m->cut);
    for (int k = 0; k < m->left_count; k++, from += m->size) {
        memcpy(column_of(w, m, m->kept_count + k), from,
               (size_t)m->size * sizeof *from);
    }
}

/* --- the secular equation ------------------------------------------------- */

/* Roots, and in the columns of q their distances from the poles. */
static sb_status find_roots(divide *w, const merge *m) {
    lapack_int count = m->kept_count, info = 0;
    sb_status status = SB_OK;
    for (lapack_int i = 1; !status && i <= count; i++) {
        dlaed4_(&count, &i, w->poles, w->weights, column_of(w, m, i - 1),
                &m->rho, &w->roots[i - 1], &info);
        if (info != 0) {
            return sb_fail(w->err, SB_NO_CONVERGENCE,
                           "eigenproblem of size %d: no convergence", w->n);
        }
        if (i % ROOTS_PER_ASK == 0) status = sb_stop_check(w->err);
    }
    return status;
}

/* The weights for which the roots are exact, and not only nearly so: with
 * them the vectors are orthogonal however near the roots are. */
static sb_status adjust_weights(divide *w, const merge *m) {
    int count = m->kept_count;
    double *product = w->z; /* free by now */
    for (int i = 0; i < count; i++)
        product[i] = column_of(w, m, i)[i];
    sb_status status = SB_OK;
    for (int j = 0; !status && j < count; j++) {
        const double *distances = column_of(w, m, j);
        if (j % ROOTS_PER_ASK == 0) status = sb_stop_check(w->err);
        for (int i = 0; i < j; i++)
            product[i] *= distances[i] / (w->poles[i] - w->poles[j]);
        for (int i = j + 1; i < count; i++)
            product[i] *= distances[i] / (w->poles[i] - w->poles[j]);
    }
    for (int i = 0; i < count; i++)
        w->weights[i] = copysign(sqrt(fabs(product[i])), w->weights[i]);
    return status;
}

/* The vector of root j, from its distances: number `row` of the chunk. */
static void put_vector(divide *w, const merge *m, int j, int row) {
    double *vector = column_of(w, m, j), sum = 0;
    for (int i = 0; i < m->kept_count; i++) {
        if (m->kept_count > 2) vector[i] = w->weights[i] / vector[i];
        sum += vector[i] * vector[i];
    }
    double scale = 1 / sqrt(sum);
    for (int i = 0; i < m->kept_count; i++)
        w->chunk[(size_t)w->places[i] * CHUNK_COLUMNS + (size_t)row] =
            scale * vector[i];
}

static void multiply(const divide *w, const double *part, int rows, int inner,
                     const double *chunk, double *to, int columns) {
    if (inner > 0) {
        sb_blas_multiply((sb_blas_shape){rows, columns, inner}, 1, part, rows,
                         chunk, CHUNK_COLUMNS, 0, to, w->n);
        return;
    }
    for (int j = 0; j < columns; j++)
        memset(to + (size_t)j * (size_t)w->n, 0, (size_t)rows * sizeof *to);
}

static sb_status put_vectors(divide *w, const merge *m) {
    int upper = m->counts[UPPER] + m->counts[BOTH];
    int lower = m->counts[BOTH] + m->counts[LOWER];
    const double *lower_part = w->packed + (size_t)upper * (size_t)m->cut;
    sb_status status = SB_OK;
    for (int j = m->low; !status && j < m->high; j += CHUNK_COLUMNS) {
        int columns = m->high - j < CHUNK_COLUMNS ? m->high - j : CHUNK_COLUMNS;
        for (int i = 0; i < columns; i++)
            put_vector(w, m, j + i, i);
        multiply(w, w->packed, m->cut, upper, w->chunk, column_of(w, m, j),
                 columns);
        multiply(w, lower_part, m->size - m->cut, lower,
                 w->chunk + (size_t)m->counts[UPPER] * CHUNK_COLUMNS,
                 column_of(w, m, j) + m->cut, columns);
        status = sb_stop_check(w->err);
    }
    return status;
}

/* --- two parts become one ------------------------------------------------- */

/* d and order of the whole: roots first, which ascend, then what is left. */
static void put_values(divide *w, const merge *m) {
    double *d = w->d + m->first;
    int *order = w->order + m->first, count = m->kept_count;
    for (int k = 0; k < m->left_count; k++)
        w->z[k] = d[w->left[k]];
    for (int k = 0; k < count; k++)
        d[k] = w->roots[k];
    for (int k = 0; k < m->left_count; k++) {
        int i = k; /* nearly sorted already */
        d[count + k] = w->z[k];
        for (; i > 0 && d[w->sorted[i - 1]] > w->z[k]; i--)
            w->sorted[i] = w->sorted[i - 1];
        w->sorted[i] = count + k;
    }
    for (int k = 0, i = 0, j = 0; k < m->size; k++) {
        bool is_root =
            j == m->left_count || (i < count && d[i] <= d[w->sorted[j]]);
        order[k] = is_root ? i : w->sorted[j];
        if (is_root)
            i++;
        else
            j++;
    }
}

/* Which roots the places of `range` are. */
static void choose(const divide *w, merge *m, sb_eigen_range range) {
    const int *order = w->order + m->first;
    m->low = m->kept_count;
    m->high = 0;
    for (int i = range.first; i < range.first + range.count; i++) {
        if (order[i] >= m->kept_count) continue;
        if (order[i] < m->low) m->low = order[i];
        m->high = order[i] + 1;
    }
}

static sb_status join(divide *w, merge *m, sb_eigen_range range) {
    couple(w, m);
    sort_columns(w, m);
    deflate(w, m);
    for (int k = 0; k < m->kept_count; k++) {
        w->poles[k] = w->d[m->first + w->kept[k]];
        w->weights[k] = w->z[w->kept[k]];
    }
    pack(w, m);
    sb_status status = find_roots(w, m);
    if (!status && m->kept_count > 2) status = adjust_weights(w, m);
    if (status) return status;
    put_values(w, m);
    choose(w, m, range);
    status = put_vectors(w, m);
    unpack_left(w, m);
    return status;
}

static sb_status solve_leaf(divide *w, int first, int size) {
    double work[2 * LEAF];
    merge own = {.first = first};
    if (LAPACKE_dsteqr_work(LAPACK_COL_MAJOR, 'I', size, w->d + first,
                            w->e + first, column_of(w, &own, 0), w->n,
                            work) != 0) {
        return sb_fail(w->err, SB_NO_CONVERGENCE,
                       "eigenproblem of size %d: no convergence", w->n);
    }
    for (int i = 0; i < size; i++)
        w->order[first + i] = i;
    return SB_OK;
}

/* Halves that are halved themselves: as deep as the logarithm of n. */
static sb_status solve(divide *w, int first, int size, sb_eigen_range range) {
    if (size <= LEAF) return solve_leaf(w, first, size);
    merge m = {.first = first, .size = size, .cut = size / 2};
    double *at = w->d + first + m.cut;
    double coupling = w->e[first + m.cut - 1];
    m.rho = 2 * fabs(coupling);
    m.is_negative = coupling < 0;
    at[-1] -= fabs(coupling);
    at[0] -= fabs(coupling);
    int rest = size - m.cut;
    sb_status status = solve(w, first, m.cut, (sb_eigen_range){0, m.cut});
    if (!status)
        status = solve(w, first + m.cut, rest, (sb_eigen_range){0, rest});
    if (!status) status = join(w, &m, range);
    return status ? status : sb_stop_check(w->err);
}

/* --- the whole ------------------------------------------------------------ */

/* The largest entry becomes 1: nothing overflows or vanishes. */
static sb_status scale(int n, double *d, double *e, double *size,
                       sb_error *err) {
    *size = 0;
    for (int i = 0; i < n; i++) {
        double own = fabs(d[i]), beside = i + 1 < n ? fabs(e[i]) : 0;
        if (!isfinite(own) || !isfinite(beside)) {
            return sb_fail(err, SB_NO_CONVERGENCE,
                           "eigenproblem of size %d: no convergence", n);
        }
        *size = fmax(*size, fmax(own, beside));
    }
    for (int i = 0; *size > 0 && i < n; i++) {
        d[i] /= *size;
        if (i + 1 < n) e[i] /= *size;
    }
    return SB_OK;
}

static bool reserve(divide *w, size_t n) {
    w->order = sb_alloc(n, sizeof *w->order);
    w->z = sb_alloc(n, sizeof *w->z);
    w->poles = sb_alloc(n, sizeof *w->poles);
    w->weights = sb_alloc(n, sizeof *w->weights);
    w->roots = sb_alloc(n, sizeof *w->roots);
    w->sorted = sb_alloc(n, sizeof *w->sorted);
    w->kept = sb_alloc(n, sizeof *w->kept);
    w->left = sb_alloc(n, sizeof *w->left);
    w->places = sb_alloc(n, sizeof *w->places);
    w->half = sb_alloc(n, sizeof *w->half);
    w->packed = sb_alloc(n * n, sizeof *w->packed);
    w->chunk = sb_alloc(n * CHUNK_COLUMNS, sizeof *w->chunk);
    return w->order && w->z && w->poles && w->weights && w->roots &&
           w->sorted && w->kept && w->left && w->places && w->half &&
           w->packed && w->chunk;
}

static void free_workspace(divide *w) {
    void *const blocks[] = {w->order,  w->z,      w->poles,  w->weights,
                            w->roots,  w->sorted, w->kept,   w->left,
                            w->places, w->half,   w->packed, w->chunk};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        sb_free(blocks[i]);
}

sb_status sb_eigen_tridiagonal(int n, double *diagonal, double *beside,
                               double *q, sb_eigen_range range, double *values,
                               double *vectors, sb_error *err) {
    size_t wide = (size_t)n;
    double size = 0;
    divide w = {.n = n, .d = diagonal, .e = beside, .q = q, .err = err};
    sb_status status = scale(n, diagonal, beside, &size, err);
    if (!status && !reserve(&w, wide)) {
        status = sb_no_memory(err, "eigenproblem of size %d", n);
    }
    memset(q, 0, wide * wide * sizeof *q);
    if (!status) status = sb_blas_enter(err);
    if (!status) {
        status = solve(&w, 0, n, range);
        sb_blas_leave();
    }
    for (int i = 0; !status && i < range.count; i++) {
        int column = w.order[range.first + i];
        values[i] = diagonal[column] * (size > 0 ? size : 1);
        memcpy(vectors + (size_t)i * wide, q + (size_t)column * wide,
               wide * sizeof *vectors);
    }
    free_workspace(&w);
    return status;
}
