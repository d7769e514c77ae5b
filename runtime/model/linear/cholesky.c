/* Ordering from ordering.c, supernodes from supernodes.c, values from ldl.c.
 * Runs on the thread that solves, control or a worker. */
#include "runtime/model/linear/cholesky.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/elimination.h"
#include "runtime/model/linear/ordering.h"
#include "runtime/model/linear/supernodes.h"

struct sb_cholesky {
    const sb_sparse *k, *m;
    sb_elimination best; /* of the orders that were tried */
    sb_supernode_pattern pattern;
    double *l; /* NULL before the first factor */
    size_t bytes;
    sb_ldl_watch watch;
};

static sb_status no_memory(int n, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "factorisation of size %d: out of memory",
                   n);
}

static void free_elimination(sb_elimination *own) {
    sb_free(own->order);
    sb_free(own->parent);
    sb_free(own->counts);
    *own = (sb_elimination){0};
}

static sb_status make_elimination(sb_elimination *own, int n, sb_error *err) {
    own->order = sb_alloc((size_t)n, sizeof(int));
    own->parent = sb_alloc((size_t)n, sizeof(int));
    own->counts = sb_alloc((size_t)n, sizeof(int));
    if (own->order && own->parent && own->counts) return SB_OK;
    return no_memory(n, err);
}

static sb_pattern pattern_of(const sb_sparse *a) {
    return (sb_pattern){a->n, a->starts, a->rows};
}

typedef sb_status method(const sb_ordering *ordering, int *order,
                         sb_error *err);

/* Keeps the order that takes fewer operations. */
static sb_status try_order(sb_cholesky *cholesky, const sb_sparse *sum,
                           const sb_ordering *ordering, method *by,
                           sb_error *err) {
    sb_pattern pattern = pattern_of(sum);
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
    sb_pattern pattern = pattern_of(&sum);
    status = find_order(cholesky, &sum, err);
    if (!status)
        status = sb_supernode_pattern_find(&pattern, &cholesky->best,
                                           &cholesky->pattern, err);
    sb_sparse_free(&sum);
    return status;
}

sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                             const sb_sparse *m, sb_error *err) {
    sb_cholesky *cholesky = sb_alloc(1, sizeof *cholesky);
    if (!cholesky) return no_memory(k->n, err);
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
    sb_supernode_pattern_free(&cholesky->pattern);
    sb_free(cholesky->l);
    sb_free(cholesky);
}

const int *sb_cholesky_order(const sb_cholesky *cholesky) {
    return cholesky->best.order;
}

size_t sb_cholesky_bytes(const sb_cholesky *cholesky) {
    return cholesky->bytes;
}

void sb_cholesky_watch(sb_cholesky *cholesky, sb_ldl_watch watch) {
    cholesky->watch = watch;
}

sb_factor_size sb_cholesky_size(const sb_cholesky *cholesky) {
    sb_supernodes pattern = sb_cholesky_supernodes(cholesky);
    sb_factor_size size = {(double)sb_ldl_size(&pattern) * sizeof(double) +
                               (double)pattern.starts[pattern.count] *
                                   sizeof(int),
                           0};
    for (int s = 0; s < pattern.count; s++) {
        double wide = pattern.columns[s + 1] - pattern.columns[s];
        double high = pattern.starts[s + 1] - pattern.starts[s];
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

/* The first factor allocates L; later ones overwrite it. */
static sb_status reserve(sb_cholesky *cholesky, const sb_supernodes *pattern,
                         sb_error *err) {
    if (cholesky->l) return SB_OK;
    size_t size = sb_ldl_size(pattern);
    cholesky->l = sb_alloc(size, sizeof *cholesky->l);
    if (!cholesky->l) return no_memory(cholesky->k->n, err);
    cholesky->bytes = size * sizeof(double) +
                      (size_t)pattern->starts[pattern->count] * sizeof(int);
    return SB_OK;
}

sb_status sb_cholesky_factor(sb_cholesky *cholesky, double shift,
                             sb_error *err) {
    sb_sparse a = {0};
    sb_supernodes pattern = sb_cholesky_supernodes(cholesky);
    int minor = 0;
    sb_status status = reserve(cholesky, &pattern, err);
    if (!status) status = shifted(cholesky, shift, &a, err);
    if (!status) status = sb_stop_check(err);
    if (!status) {
        status = sb_ldl_factor(&pattern, &a, cholesky->watch, cholesky->l,
                               &minor, err);
    }
    sb_sparse_free(&a);
    if (status == SB_BAD_ARGUMENT) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "K - (%g) M of size %d is not positive definite at "
                       "unknown %d, which has too little stiffness or mass "
                       "beside others: make the body thicker or its sides more "
                       "alike, change elements, or mend slivers of its mesh",
                       shift, cholesky->k->n,
                       sb_cholesky_order(cholesky)[minor]);
    }
    return status;
}

sb_supernodes sb_cholesky_supernodes(const sb_cholesky *cholesky) {
    const sb_supernode_pattern *pattern = &cholesky->pattern;
    return (sb_supernodes){.count = pattern->count,
                           .columns = pattern->columns,
                           .starts = pattern->starts,
                           .values = pattern->values,
                           .rows = pattern->rows,
                           .l = cholesky->l};
}

sb_status sb_cholesky_inertia(const sb_cholesky *cholesky, double shift,
                              int *below, sb_error *err) {
    sb_sparse a = {0};
    sb_supernodes pattern = sb_cholesky_supernodes(cholesky);
    sb_status status = shifted(cholesky, shift, &a, err);
    if (!status)
        status = sb_ldl_inertia(&pattern, &a, cholesky->watch, below, err);
    sb_sparse_free(&a);
    return status;
}
