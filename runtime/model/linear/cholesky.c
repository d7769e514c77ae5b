/* Ordering from ordering.c, supernodes from CHOLMOD's analysis, values from
 * ldl.c. Runs on the thread that solves, control or a worker. */
#include "runtime/model/linear/cholesky.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/ordering.h"
#include "runtime/model/linear/supernodes.h"

#include <suitesparse/cholmod.h>

struct sb_cholesky {
    const sb_sparse *k, *m;
    cholmod_common common;
    cholmod_factor *analysis; /* the ordering, and CHOLMOD's supernodes */
    sb_supernode_pattern own; /* empty when CHOLMOD found the supernodes */
    double *l;                /* NULL before the first factor */
    size_t bytes;
    sb_ldl_watch watch;
};

static sb_status no_memory(int n, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "factorisation of size %d: out of memory",
                   n);
}

bool sb_cholesky_has_supernodal(void) {
#ifdef SANDBELL_GPL
    return true;
#else
    return false;
#endif
}

static void start(cholmod_common *common, sb_analysis analysis) {
    bool is_own = analysis == SB_ANALYSIS_OWN || !sb_cholesky_has_supernodal();
    sb_ordering_lend_memory();
    (void)cholmod_start(common);
    common->print = 0;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->supernodal = is_own ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
}

/* CHOLMOD reads our arrays in place. */
static cholmod_sparse lend(const sb_sparse *a) {
    return (cholmod_sparse){.nrow = (size_t)a->n,
                            .ncol = (size_t)a->n,
                            .nzmax = (size_t)a->starts[a->n],
                            .p = a->starts,
                            .i = a->rows,
                            .x = a->values,
                            .stype = -1, /* the lower triangle */
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

static sb_status find_own_supernodes(sb_cholesky *cholesky,
                                     const sb_sparse *sum, sb_error *err) {
    const cholmod_factor *found = cholesky->analysis;
    sb_sparse permuted = {0};
    sb_status status = sb_sparse_permute(sum, found->Perm, &permuted, err);
    if (!status) {
        status = sb_supernode_pattern_find(&permuted, found->ColCount,
                                           &cholesky->own, err);
    }
    sb_sparse_free(&permuted);
    return status;
}

/* Analyses the factor in this order, and keeps it if it takes fewer operations
 * than the one that is kept. */
static sb_status try_order(sb_cholesky *cholesky, cholmod_sparse *a, int *order,
                           double *flops, sb_error *err) {
    cholmod_common *common = &cholesky->common;
    cholmod_factor *found = cholmod_analyze_p(a, order, NULL, 0, common);
    if (!found) return no_memory(cholesky->k->n, err);
    if (!cholesky->analysis || common->fl < *flops) {
        (void)cholmod_free_factor(&cholesky->analysis, common);
        cholesky->analysis = found;
        *flops = common->fl;
    } else {
        (void)cholmod_free_factor(&found, common);
    }
    return sb_stop_check(err);
}

/* As CHOLMOD does: nested dissection is tried where minimum degree leaves a
 * factor that is dense and much larger than the matrix. */
static sb_status find_order(sb_cholesky *cholesky, const sb_sparse *sum,
                            int *order, sb_error *err) {
    cholmod_sparse lent = lend(sum);
    sb_ordering *ordering = NULL;
    double flops = 0, entries = sum->starts[sum->n];
    sb_status status = sb_stop_check(err);
    if (!status) status = sb_ordering_create(&ordering, sum, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = sb_ordering_by_degree(ordering, order, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = try_order(cholesky, &lent, order, &flops, err);
    double size = cholesky->common.lnz;
    if (!status && flops >= 500 * size && size >= 5 * entries) {
        status = sb_ordering_by_dissection(ordering, order, err);
        if (!status) status = try_order(cholesky, &lent, order, &flops, err);
    }
    sb_ordering_destroy(ordering);
    return status;
}

static sb_status analyse(sb_cholesky *cholesky, sb_error *err) {
    sb_sparse sum = {0};
    sb_status status = sb_sparse_sum(cholesky->k, cholesky->m, 1, &sum, err);
    if (status) return status;
    int *order = sb_alloc((size_t)sum.n, sizeof *order);
    status =
        order ? find_order(cholesky, &sum, order, err) : no_memory(sum.n, err);
    if (!status && !cholesky->analysis->is_super)
        status = find_own_supernodes(cholesky, &sum, err);
    sb_free(order);
    sb_sparse_free(&sum);
    return status;
}

sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                             const sb_sparse *m, sb_analysis analysis,
                             sb_error *err) {
    sb_cholesky *cholesky = sb_alloc(1, sizeof *cholesky);
    if (!cholesky) return no_memory(k->n, err);
    cholesky->k = k;
    cholesky->m = m;
    start(&cholesky->common, analysis);
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
    (void)cholmod_free_factor(&cholesky->analysis, &cholesky->common);
    (void)cholmod_finish(&cholesky->common);
    sb_supernode_pattern_free(&cholesky->own);
    sb_free(cholesky->l);
    sb_free(cholesky);
}

const int *sb_cholesky_order(const sb_cholesky *cholesky) {
    return cholesky->analysis->Perm;
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
        status = sb_sparse_permute(&sum, cholesky->analysis->Perm, out, err);
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
    const sb_supernode_pattern *own = &cholesky->own;
    if (own->columns) {
        return (sb_supernodes){.count = own->count,
                               .columns = own->columns,
                               .starts = own->starts,
                               .values = own->values,
                               .rows = own->rows,
                               .l = cholesky->l};
    }
    const cholmod_factor *found = cholesky->analysis;
    return (sb_supernodes){.count = (int)found->nsuper,
                           .columns = found->super,
                           .starts = found->pi,
                           .values = found->px,
                           .rows = found->s,
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
