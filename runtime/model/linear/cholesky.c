/* SPDX-License-Identifier: MIT */
/* Ordering from ordering.c, supernodes from elimination.c, values by a
 * supernodal L D L' factorisation on BLAS. Runs on the thread that solves,
 * control or a worker.
 *
 *     A = L D L',  D diagonal
 *
 * has as many negative pivots in D as A has negative eigenvalues (Sylvester).
 * The supernodes of L depend on the pattern of A alone. There is no pivoting: a
 * definite matrix needs none, and an indefinite one with a vanishing pivot is
 * refused; the caller tries another shift s of K - s M. */
#include "runtime/model/linear/cholesky.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/blas.h"
#include "runtime/model/linear/elimination.h"
#include "runtime/model/linear/ordering.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* --- L D L' factors ------------------------------------------------------- */

/* Columns eliminated at a time within a supernode. */
enum { STRIP = 32 };

/* A pivot below this share of its original diagonal entry is rounding error. */
#define LEAST_PIVOT 1e-13

/* Left-looking: a supernode takes the updates of its descendants before it is
 * factored. A finished supernode is in the list of the next one it updates. */
typedef struct ldl {
    const sb_supernodes *pattern;
    sb_sparse a; /* in the order of the supernodes */
    double *l;   /* values of all supernodes */
    double *d;   /* [n] pivots */
    int *owner;  /* [n] supernode of each column */
    int *place;  /* [n] of a row in the current supernode */
    int *head;   /* [count] first in the list of a supernode, or -1 */
    int *next;   /* [count] */
    int *offset; /* [count] rows already used */
    double *scaled, *update;
    bool is_definite; /* stop at the first pivot that is not positive */
    int negative;
    int minor; /* the column of that pivot, or n */
    sb_factor_watch watch;
    double work, done, told; /* operations: all, done, when last reported */
    bool is_left;
} ldl;

static int width(const sb_supernodes *p, int s) {
    return p->columns[s + 1] - p->columns[s];
}

static int height(const sb_supernodes *p, int s) {
    return p->starts[s + 1] - p->starts[s];
}

static void close_all(ldl *own) {
    sb_sparse_free(&own->a);
    sb_free_all(own->d, own->owner, own->place, own->head, own->next,
                own->offset, own->scaled, own->update);
}

static size_t size_of(const sb_supernodes *pattern) {
    size_t size = 0;
    for (int s = 0; s < pattern->count; s++) {
        size_t end = (size_t)pattern->values[s] +
                     (size_t)width(pattern, s) * (size_t)height(pattern, s);
        size = end > size ? end : size;
    }
    return size;
}

static sb_status open_all(ldl *own, sb_error *err) {
    const sb_supernodes *p = own->pattern;
    size_t n = (size_t)own->a.n, count = (size_t)p->count;
    size_t widest = 1, highest = 1;
    for (int s = 0; s < p->count; s++) {
        size_t wide = (size_t)width(p, s), high = (size_t)height(p, s);
        widest = wide > widest ? wide : widest;
        highest = high > highest ? high : highest;
    }
    own->d = sb_alloc(n, sizeof *own->d);
    own->owner = sb_alloc(n, sizeof *own->owner);
    own->place = sb_alloc(n, sizeof *own->place);
    own->head = sb_alloc(count, sizeof *own->head);
    own->next = sb_alloc(count, sizeof *own->next);
    own->offset = sb_alloc(count, sizeof *own->offset);
    own->scaled = sb_alloc(widest * highest, sizeof *own->scaled);
    own->update = sb_alloc(widest * highest, sizeof *own->update);
    own->minor = own->a.n;
    if (own->d && own->owner && own->place && own->head && own->next &&
        own->offset && own->scaled && own->update) {
        return SB_OK;
    }
    return sb_no_memory(err, "factorisation of size %d", own->a.n);
}

static bool is_over(const ldl *own) {
    return own->is_left || own->minor < own->a.n;
}

/* --- progress ------------------------------------------------------------- */

static double own_work(double high, double wide) {
    return wide * wide * (high - 2 * wide / 3);
}

/* Products as update_from makes them, and what factor takes. */
static double work_of(const ldl *own) {
    const sb_supernodes *p = own->pattern;
    double work = 0;
    for (int s = 0; s < p->count; s++) {
        const int *rows = p->rows + p->starts[s];
        int high = height(p, s), wide = width(p, s);
        work += own_work(high, wide);
        for (int first = wide, last = wide; first < high; first = last) {
            int target = own->owner[rows[first]];
            while (last < high && own->owner[rows[last]] == target)
                last++;
            work += (double)(high - first) * (last - first) * wide;
        }
    }
    return work;
}

/* A hundred reports are enough. */
static void advance(ldl *own, double operations) {
    own->done += operations;
    if (!own->watch.goes_on || own->done < own->told + 0.01 * own->work) return;
    own->told = own->done;
    double share = own->done < own->work ? own->done / own->work : 1;
    if (!own->watch.goes_on(own->watch.context, share)) own->is_left = true;
}

/* --- factors -------------------------------------------------------------- */

static void load(ldl *own, int s) {
    const sb_supernodes *p = own->pattern;
    const int *rows = p->rows + p->starts[s];
    size_t high = (size_t)height(p, s);
    for (int i = 0; i < (int)high; i++) {
        own->place[rows[i]] = i;
    }
    for (int j = p->columns[s]; j < p->columns[s + 1]; j++) {
        double *column =
            own->l + p->values[s] + (size_t)(j - p->columns[s]) * high;
        memset(column, 0, high * sizeof *column);
        for (int q = own->a.starts[j]; q < own->a.starts[j + 1]; q++) {
            column[own->place[own->a.rows[q]]] = own->a.values[q];
        }
    }
}

/* Puts s into the list of the supernode that its next unused row belongs to. */
static void wait_for_next(ldl *own, int s) {
    const sb_supernodes *p = own->pattern;
    if (own->offset[s] >= height(p, s)) return;
    int target = own->owner[p->rows[p->starts[s] + own->offset[s]]];
    own->next[s] = own->head[target];
    own->head[target] = s;
}

/* Subtracts the update of descendant `d` from supernode `s`. */
static void update_from(ldl *own, int s, int d) {
    const sb_supernodes *p = own->pattern;
    const int *rows = p->rows + p->starts[d];
    int first = own->offset[d], last = first;
    int high = height(p, d), inner = width(p, d);
    while (last < high && rows[last] < p->columns[s + 1]) {
        last++;
    }
    int columns = last - first, left = high - first;
    const double *l = own->l + p->values[d] + first;
    for (int k = 0; k < inner; k++) {
        double pivot = own->d[p->columns[d] + k];
        for (int j = 0; j < columns; j++) {
            own->scaled[k * columns + j] =
                pivot * l[(size_t)k * (size_t)high + (size_t)j];
        }
    }
    sb_blas_multiply((sb_blas_shape){left, columns, inner}, 1, l, high,
                     own->scaled, columns, 0, own->update, left);
    for (int j = 0; j < columns; j++) {
        double *to = own->l + p->values[s] +
                     (size_t)own->place[rows[first + j]] * (size_t)height(p, s);
        const double *from = own->update + (size_t)j * (size_t)left;
        for (int i = j; i < left; i++) {
            to[own->place[rows[first + i]]] -= from[i];
        }
    }
    own->offset[d] = last;
    advance(own, (double)left * columns * inner);
}

static bool is_sound(const ldl *own, int column, double pivot) {
    double from = fabs(own->a.values[own->a.starts[column]]);
    if (own->is_definite) return pivot > 0 && isfinite(pivot);
    return fabs(pivot) > LEAST_PIVOT * from && isfinite(pivot);
}

/* Factors the square at the top of a strip of columns. */
static void eliminate(ldl *own, double *strip, int high, int count, int at) {
    for (int j = 0; j < count; j++) {
        double *column = strip + (size_t)j * (size_t)high;
        double pivot = column[j];
        own->d[at + j] = pivot;
        own->negative += pivot < 0;
        if (!is_sound(own, at + j, pivot)) {
            own->minor = at + j;
            return;
        }
        for (int i = j + 1; i < count; i++) {
            column[i] /= pivot;
        }
        for (int k = j + 1; k < count; k++) {
            double factor = pivot * column[k];
            double *other = strip + (size_t)k * (size_t)high;
            for (int i = k; i < count; i++) {
                other[i] -= factor * column[i];
            }
        }
    }
}

static void factor(ldl *own, int s) {
    const sb_supernodes *p = own->pattern;
    int high = height(p, s), wide = width(p, s);
    for (int j = 0; j < wide && !is_over(own); j += STRIP) {
        int count = wide - j < STRIP ? wide - j : STRIP;
        int left = high - j - count, right = wide - j - count;
        double *strip = own->l + p->values[s] + (size_t)j * ((size_t)high + 1);
        double *below = strip + count;
        advance(own, own_work(high, wide) * count / wide);
        eliminate(own, strip, high, count, p->columns[s] + j);
        if (left == 0 || is_over(own)) break;
        sb_blas_divide((sb_blas_shape){left, count, 0}, strip, high, below,
                       high);
        for (int k = 0; k < count; k++) { /* now L D; divide by D */
            double *column = below + (size_t)k * (size_t)high;
            memcpy(own->scaled + (size_t)k * (size_t)right, column,
                   (size_t)right * sizeof *column);
            for (int i = 0; i < left; i++) {
                column[i] /= own->d[p->columns[s] + j + k];
            }
        }
        if (right == 0) continue;
        sb_blas_multiply((sb_blas_shape){left, right, count}, -1, below, high,
                         own->scaled, right, 1,
                         strip + (size_t)count * ((size_t)high + 1), high);
    }
}

static void run(ldl *own) {
    const sb_supernodes *p = own->pattern;
    for (int s = 0; s < p->count; s++) {
        own->head[s] = -1;
        for (int j = p->columns[s]; j < p->columns[s + 1]; j++) {
            own->owner[j] = s;
        }
    }
    own->work = work_of(own);
    for (int s = 0; s < p->count && !is_over(own); s++) {
        load(own, s);
        int d = own->head[s];
        while (d >= 0 && !own->is_left) {
            int after = own->next[d];
            update_from(own, s, d);
            wait_for_next(own, d);
            d = after;
        }
        factor(own, s);
        own->offset[s] = width(p, s);
        wait_for_next(own, s);
    }
}

static void take_roots(ldl *own) {
    const sb_supernodes *p = own->pattern;
    for (int s = 0; s < p->count; s++) {
        int high = height(p, s);
        for (int j = 0; j < width(p, s); j++) {
            double *column = own->l + p->values[s] + (size_t)j * (size_t)high;
            double root = sqrt(own->d[p->columns[s] + j]);
            column[j] = root;
            for (int i = j + 1; i < high; i++) {
                column[i] *= root;
            }
        }
    }
}

/* --- Cholesky factors ----------------------------------------------------- */

struct sb_cholesky {
    const sb_sparse *k, *m;
    sb_elimination best;      /* of the orders that were tried */
    sb_supernodes supernodes; /* without values before the first factor */
    sb_factor_watch watch;
};

static void free_elimination(sb_elimination *own) {
    sb_free_all(own->order, own->parent, own->counts);
    *own = (sb_elimination){0};
}

static sb_status make_elimination(sb_elimination *own, int n, sb_error *err) {
    own->order = sb_alloc((size_t)n, sizeof(int));
    own->parent = sb_alloc((size_t)n, sizeof(int));
    own->counts = sb_alloc((size_t)n, sizeof(int));
    if (own->order && own->parent && own->counts) return SB_OK;
    return sb_no_memory(err, "factorisation of size %d", n);
}

static sb_sparsity sparsity_of(const sb_sparse *a) {
    return (sb_sparsity){a->n, a->starts, a->rows};
}

typedef sb_status method(const sb_ordering *ordering, int *order,
                         sb_error *err);

/* Keeps the order that takes fewer operations. */
static sb_status try_order(sb_cholesky *cholesky, const sb_sparse *sum,
                           const sb_ordering *ordering, method *by,
                           sb_error *err) {
    sb_sparsity pattern = sparsity_of(sum);
    sb_elimination found = {0};
    sb_status status = make_elimination(&found, sum->n, err);
    if (!status) status = by(ordering, found.order, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = sb_elimination_find(&pattern, &found, err);
    sb_elimination *best = &cholesky->best;
    if (!status && (!best->order || found.flops < best->flops)) {
        free_elimination(best);
        *best = found;
    } else {
        free_elimination(&found);
    }
    return status ? status : sb_stop_check(err);
}

/* Nested dissection is tried where minimum degree leaves a factor that is dense
 * and much larger than the matrix. The limits are those of CHOLMOD. */
static sb_status find_order(sb_cholesky *cholesky, const sb_sparse *sum,
                            sb_error *err) {
    const sb_elimination *best = &cholesky->best;
    sb_ordering *ordering = NULL;
    sb_status status = sb_stop_check(err);
    if (!status) status = sb_ordering_create(&ordering, sum, err);
    if (!status) status = sb_stop_check(err);
    if (!status)
        status = try_order(cholesky, sum, ordering, sb_ordering_by_degree, err);
    if (!status && best->flops >= 500 * best->nonzeros &&
        best->nonzeros >= 5.0 * sum->starts[sum->n]) {
        status =
            try_order(cholesky, sum, ordering, sb_ordering_by_dissection, err);
    }
    sb_ordering_destroy(ordering);
    return status;
}

static sb_status analyse(sb_cholesky *cholesky, sb_error *err) {
    sb_sparse sum = {0};
    sb_status status = sb_sparse_sum(cholesky->k, cholesky->m, 1, &sum, err);
    if (status) return status;
    sb_sparsity pattern = sparsity_of(&sum);
    status = find_order(cholesky, &sum, err);
    if (!status)
        status = sb_supernodes_find(&pattern, &cholesky->best,
                                    &cholesky->supernodes, err);
    sb_sparse_free(&sum);
    return status;
}

sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                             const sb_sparse *m, sb_error *err) {
    sb_cholesky *cholesky = sb_alloc(1, sizeof *cholesky);
    if (!cholesky) return sb_no_memory(err, "factorisation of size %d", k->n);
    cholesky->k = k;
    cholesky->m = m;
    sb_status status = analyse(cholesky, err);
    if (status) {
        sb_cholesky_destroy(cholesky);
        return status;
    }
    *out = cholesky;
    return SB_OK;
}

void sb_cholesky_destroy(sb_cholesky *cholesky) {
    if (!cholesky) return;
    free_elimination(&cholesky->best);
    sb_supernodes_free(&cholesky->supernodes);
    sb_free(cholesky);
}

const sb_supernodes *sb_cholesky_supernodes(const sb_cholesky *cholesky) {
    return &cholesky->supernodes;
}

const int *sb_cholesky_order(const sb_cholesky *cholesky) {
    return cholesky->best.order;
}

void sb_cholesky_watch(sb_cholesky *cholesky, sb_factor_watch watch) {
    cholesky->watch = watch;
}

sb_factor_size sb_cholesky_size(const sb_cholesky *cholesky) {
    const sb_supernodes *p = &cholesky->supernodes;
    sb_factor_size size = {(double)size_of(p) * sizeof(double) +
                               (double)p->starts[p->count] * sizeof(int),
                           0};
    for (int s = 0; s < p->count; s++) {
        double wide = width(p, s), high = height(p, s);
        size.flops += wide * (high * high - high * wide + wide * wide / 3);
    }
    return size;
}

/* P (K - s M) P' */
static sb_status shifted(const sb_cholesky *cholesky, double shift,
                         sb_sparse *out, sb_error *err) {
    sb_sparse sum = {0};
    sb_status status =
        sb_sparse_sum(cholesky->k, cholesky->m, -shift, &sum, err);
    if (!status) status = sb_stop_check(err);
    if (!status) {
        status = sb_sparse_permute(&sum, cholesky->best.order, out, err);
    }
    sb_sparse_free(&sum);
    return status;
}

/* Factors P (K - s M) P' into own->l. own->minor tells whether all pivots were
 * sound. The caller ends with close_all. */
static sb_status factor_shifted(const sb_cholesky *cholesky, double shift,
                                ldl *own, sb_error *err) {
    own->pattern = &cholesky->supernodes;
    own->watch = cholesky->watch;
    sb_status status = shifted(cholesky, shift, &own->a, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = open_all(own, err);
    if (status) return status;
    run(own);
    if (!own->is_left) return SB_OK;
    return sb_fail(err, SB_INTERRUPTED, "factorisation of size %d: interrupted",
                   own->a.n);
}

/* The first factor allocates L; later ones overwrite it. */
static sb_status reserve(sb_cholesky *cholesky, sb_error *err) {
    sb_supernodes *p = &cholesky->supernodes;
    if (p->l) return SB_OK;
    p->l = sb_alloc(size_of(p), sizeof *p->l);
    return p->l ? SB_OK
                : sb_no_memory(err, "factorisation of size %d", cholesky->k->n);
}

sb_status sb_cholesky_factor(sb_cholesky *cholesky, double shift,
                             sb_error *err) {
    sb_status status = reserve(cholesky, err);
    if (status) return status;
    ldl own = {.l = cholesky->supernodes.l, .is_definite = true};
    status = factor_shifted(cholesky, shift, &own, err);
    if (!status && is_over(&own)) {
        status =
            sb_fail(err, SB_BAD_ARGUMENT,
                    "K - (%g) M of size %d is not positive definite at "
                    "unknown %d, which has too little stiffness or mass "
                    "beside others: make the body thicker or its sides more "
                    "alike, change elements, or mend slivers of its mesh",
                    shift, cholesky->k->n, cholesky->best.order[own.minor]);
    }
    if (!status) take_roots(&own);
    close_all(&own);
    return status;
}

sb_status sb_cholesky_inertia(const sb_cholesky *cholesky, double shift,
                              int *below, sb_error *err) {
    ldl own = {.l = sb_alloc(size_of(&cholesky->supernodes), sizeof *own.l)};
    sb_status status =
        own.l ? factor_shifted(cholesky, shift, &own, err)
              : sb_no_memory(err, "factorisation of size %d", cholesky->k->n);
    if (!status && is_over(&own)) {
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "matrix of size %d: too near to a singular one",
                         cholesky->k->n);
    }
    if (!status) *below = own.negative;
    sb_free(own.l);
    close_all(&own);
    return status;
}
