#include "runtime/model/linear/cholesky.h"

#include "runtime/base/memory.h"
#include "runtime/model/linear/ldl.h"

#include <suitesparse/cholmod.h>

struct sb_cholesky {
    const sb_sparse *k, *m;
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *scratch;
    size_t bytes;
};

static sb_status no_memory(const sb_cholesky *cholesky, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "factorisation of size %d: out of memory",
                   cholesky->k->n);
}

static void start(cholmod_common *common) {
    (void)cholmod_start(common);
    common->print = 0;
    common->supernodal = CHOLMOD_SUPERNODAL;
}

/* CHOLMOD reads our arrays where they are. */
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

static sb_status analyse(sb_cholesky *cholesky, sb_error *err) {
    sb_sparse sum = {0};
    sb_status status = sb_sparse_sum(cholesky->k, cholesky->m, 1, &sum, err);
    if (status) return status;
    cholmod_sparse lent = lend(&sum);
    cholesky->factor = cholmod_analyze(&lent, &cholesky->common);
    sb_sparse_free(&sum);
    return cholesky->factor ? SB_OK : no_memory(cholesky, err);
}

sb_status sb_cholesky_create(sb_cholesky **out, const sb_sparse *k,
                             const sb_sparse *m, sb_error *err) {
    sb_cholesky *cholesky = sb_alloc(1, sizeof *cholesky);
    if (!cholesky) {
        return sb_fail(err, SB_NO_MEMORY,
                       "factorisation of size %d: out of memory", k->n);
    }
    cholesky->k = k;
    cholesky->m = m;
    start(&cholesky->common);
    sb_status status = analyse(cholesky, err);
    if (!status) {
        cholesky->scratch = cholmod_zeros(cholesky->factor->maxesize + 1, 1,
                                          CHOLMOD_REAL, &cholesky->common);
        if (!cholesky->scratch) status = no_memory(cholesky, err);
    }
    if (status) {
        sb_cholesky_destroy(cholesky);
        return status;
    }
    *out = cholesky;
    return SB_OK;
}

void sb_cholesky_destroy(sb_cholesky *cholesky) {
    if (!cholesky) return;
    (void)cholmod_free_dense(&cholesky->scratch, &cholesky->common);
    (void)cholmod_free_factor(&cholesky->factor, &cholesky->common);
    (void)cholmod_finish(&cholesky->common);
    sb_free(cholesky);
}

const int *sb_cholesky_order(const sb_cholesky *cholesky) {
    return cholesky->factor->Perm;
}

size_t sb_cholesky_bytes(const sb_cholesky *cholesky) {
    return cholesky->bytes;
}

/* P (K - s M) P' */
static sb_status shifted(const sb_cholesky *cholesky, double shift,
                         sb_sparse *out, sb_error *err) {
    sb_sparse sum = {0};
    sb_status status =
        sb_sparse_sum(cholesky->k, cholesky->m, -shift, &sum, err);
    if (!status) {
        status = sb_sparse_permute(&sum, cholesky->factor->Perm, out, err);
    }
    sb_sparse_free(&sum);
    return status;
}

sb_status sb_cholesky_factor(sb_cholesky *cholesky, double shift,
                             sb_error *err) {
    cholmod_factor *factor = cholesky->factor;
    /* Room for the numbers, the first time. */
    if (factor->xtype == CHOLMOD_PATTERN &&
        !cholmod_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, factor,
                               &cholesky->common)) {
        return no_memory(cholesky, err);
    }
    sb_sparse a = {0};
    sb_supernodes pattern = sb_cholesky_supernodes(cholesky);
    int minor = 0;
    sb_status status = shifted(cholesky, shift, &a, err);
    if (!status) {
        status = sb_ldl_factor(&pattern, &a, factor->x, &minor, err);
    }
    sb_sparse_free(&a);
    if (status == SB_BAD_ARGUMENT) {
        const int *order = factor->Perm;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "K - (%g) M of size %d is not positive definite at "
                       "unknown %d: is there one with neither stiffness nor "
                       "mass?",
                       shift, cholesky->k->n, order[minor]);
    }
    cholesky->bytes =
        factor->xsize * sizeof(double) + factor->ssize * sizeof(int);
    return status;
}

sb_supernodes sb_cholesky_supernodes(const sb_cholesky *cholesky) {
    const cholmod_factor *factor = cholesky->factor;
    return (sb_supernodes){.count = (int)factor->nsuper,
                           .columns = factor->super,
                           .starts = factor->pi,
                           .values = factor->px,
                           .rows = factor->s,
                           .l = factor->x};
}

void sb_cholesky_solve(sb_cholesky *cholesky, double *x) {
    size_t n = cholesky->factor->n;
    cholmod_dense lent = {.nrow = n,
                          .ncol = 1,
                          .nzmax = n,
                          .d = n,
                          .x = x,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE};
    (void)cholmod_super_lsolve(cholesky->factor, &lent, cholesky->scratch,
                               &cholesky->common);
    (void)cholmod_super_ltsolve(cholesky->factor, &lent, cholesky->scratch,
                                &cholesky->common);
}

sb_status sb_cholesky_inertia(const sb_cholesky *cholesky, double shift,
                              int *below, sb_error *err) {
    sb_sparse a = {0};
    sb_supernodes pattern = sb_cholesky_supernodes(cholesky);
    sb_status status = shifted(cholesky, shift, &a, err);
    if (!status) status = sb_ldl_inertia(&pattern, &a, below, err);
    sb_sparse_free(&a);
    return status;
}
