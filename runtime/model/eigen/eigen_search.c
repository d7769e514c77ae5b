/* SPDX-License-Identifier: MIT */
/* The method for large problems. Factors K - s M with a definite shift s, runs
 * block Lanczos until enough pairs have converged, and counts by inertia. If
 * the count finds more, it runs again orthogonally to the vectors found. Runs
 * on the thread that solves, control or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/eigen/lanczos.h"
#include "runtime/model/linear/workers.h"

#include <math.h>

/* --- the shift ------------------------------------------------------------ */

double sb_eigen_stiffest(const sb_eigen_def *def) {
    const sb_sparse *k = def->k, *m = def->m;
    double sum = 0;
    int count = 0;
    for (int j = 0; j < k->n; j++) {
        int p = k->starts[j], q = m->starts[j];
        if (q == m->starts[j + 1] || m->rows[q] != j || m->values[q] <= 0) {
            continue;
        }
        if (p < k->starts[j + 1] && k->rows[p] == j) {
            sum += k->values[p] / m->values[q];
        }
        count++;
    }
    return count ? sum / count : 0;
}

/* Eigenvalues up to this one are rigid motions: they are rounding errors. */
static double rigid_limit(const sb_eigen_def *def) {
    return 1e-11 * sb_eigen_stiffest(def);
}

double sb_eigen_shift(const sb_eigen_def *def, double stiffest,
                      bool *is_known) {
    double top = fmin(def->max_value, stiffest);
    *is_known = true;
    if (!(stiffest > 0)) return -1; /* K is 0, and so are all eigenvalues */
    if (def->scale > 0) {
        /* Far below the bound, digits of the high end would be lost. */
        double size = isinf(def->max_value) ? 0 : 1e-6 * top;
        return -fmin(fmax(def->scale, size), stiffest);
    }
    if (!isinf(def->max_value) && def->max_value > 0) return -1e-4 * top;
    *is_known = false;
    return -1e-9 * stiffest;
}

/* Increases the shift until K - s M is positive definite. */
static sb_status factor(sb_pencil *pencil, double shift, sb_error *err) {
    sb_status status = SB_OK;
    for (int attempt = 0; attempt < 4; attempt++) {
        status = sb_pencil_factor(pencil, shift, err);
        if (status != SB_BAD_ARGUMENT) return status;
        shift *= 30;
    }
    return status;
}

/* Estimates the lowest elastic eigenvalue by a few Lanczos steps with a guessed
 * shift, and sets *shift to its negative. */
static sb_status probe(sb_pencil *pencil, double *shift, sb_error *err) {
    sb_lanczos *lanczos = NULL;
    sb_lanczos_pairs ritz = {0};
    sb_status status = sb_lanczos_create(&lanczos, pencil, 1, err);
    for (int i = 0; !status && i < 5 && sb_lanczos_has_room(lanczos); i++) {
        status = sb_lanczos_step(lanczos, err);
    }
    if (!status && sb_lanczos_size(lanczos) > 0) {
        status = sb_lanczos_ritz(lanczos, 64, &ritz, err);
    }
    for (int i = 0; !status && i < ritz.count; i++) {
        double value = pencil->shift + 1 / ritz.values[i];
        if (value < -0.1 * *shift) continue;
        *shift = -value;
        break;
    }
    sb_lanczos_pairs_free(&ritz);
    sb_lanczos_destroy(lanczos);
    return status;
}

sb_status sb_eigen_factor(const sb_eigen_def *def, sb_pencil *pencil,
                          sb_error *err) {
    bool is_known = false;
    double stiffest = sb_eigen_stiffest(def);
    double shift = sb_eigen_shift(def, stiffest, &is_known);
    sb_status status = factor(pencil, shift, err);
    if (!status && !is_known) {
        double guess = shift;
        status = probe(pencil, &shift, err);
        if (!status && shift < 10 * guess) status = factor(pencil, shift, err);
    }
    return status;
}

/* --- refinement ----------------------------------------------------------- */

/* The low modes of a fine mesh move far with little force: the rounding of a
 * solve shows in K x - l M x. One more solve with that as its right-hand side
 * takes it out:
 *
 *     x - A^-1 (K x - l M x) = (l - s) A^-1 M x,   A = K - s M
 *
 * is a step of inverse iteration, written so that it also refines. */

/* Relative residual from which on it is worth a solve. */
#define WORTH 1e-9

typedef struct refinement {
    const sb_eigen_def *def;
    const double *values;
    const double *vectors;
    double *residuals; /* [SB_PENCIL_COLUMNS][n] */
    double *products;  /* the same, M x */
    double errors[SB_PENCIL_COLUMNS];
} refinement;

static void measure(void *context, int j) {
    refinement *own = context;
    int n = own->def->k->n;
    double *r = own->residuals + (size_t)j * (size_t)n;
    double *mx = own->products + (size_t)j * (size_t)n;
    const double *x = own->vectors + (size_t)j * (size_t)n;
    double error = 0, force = 0;
    sb_sparse_multiply(own->def->k, x, r);
    sb_sparse_multiply(own->def->m, x, mx);
    for (int i = 0; i < n; i++) {
        force += r[i] * r[i];
        r[i] -= own->values[j] * mx[i];
        error += r[i] * r[i];
    }
    own->errors[j] = sqrt(error / force);
}

/* Refines up to SB_PENCIL_COLUMNS vectors whose residuals are too large. */
static sb_status refine(const sb_eigen_def *def, sb_pencil *pencil,
                        const double *values, double *vectors, int count,
                        bool *was_needed, sb_error *err) {
    size_t size = (size_t)def->k->n * SB_PENCIL_COLUMNS;
    refinement own = {def,
                      values,
                      vectors,
                      sb_alloc(size, sizeof(double)),
                      sb_alloc(size, sizeof(double)),
                      {0}};
    sb_status status =
        own.residuals && own.products
            ? SB_OK
            : sb_no_memory(err, "eigenproblem of size %d", def->k->n);
    if (!status) {
        double rigid = rigid_limit(def), worst = -1;
        sb_workers_run(pencil->threads, count, measure, &own);
        for (int j = 0; j < count; j++) {
            if (values[j] > rigid) worst = fmax(worst, own.errors[j]);
        }
        *was_needed = worst < 0 || worst > WORTH; /* < 0: all were rigid */
        if (worst > WORTH) {
            sb_pencil_correct(pencil, own.residuals, vectors, count);
        }
    }
    sb_free(own.residuals);
    sb_free(own.products);
    return status;
}

/* --- the search ----------------------------------------------------------- */

/* A pair has converged when |C y - t y| / t is below this. */
#define TOLERANCE 1e-9
enum { BLOCK = SB_PENCIL_COLUMNS, MAX_RUNS = 6 };

typedef struct search {
    const sb_eigen_def *def;
    sb_pencil *pencil;
    double *y; /* one vector */
    int need;  /* number of eigenvalues to find */
    double bound;
    sb_eigen_result *out;
    bool is_exhausted;
    int from,
        to; /* per cent of the factorisation under way; to is 0 after it */
} search;

/* K - s M is factored, then again at the bound: to count. Later counts belong
 * to the search for modes. */
static bool is_factoring_wanted(void *context, double share) {
    const search *own = context;
    if (own->to == 0) {
        return !sb_eigen_tell(own->def, "modes", own->out->count, own->need,
                              NULL);
    }
    int done = own->from + (int)(share * (own->to - own->from));
    return !sb_eigen_tell(own->def, "factorisation", done, 100, NULL);
}

static double value_of(const search *own, double t) {
    return own->pencil->shift + 1 / t;
}

/* How many of the pairs, from the lowest eigenvalue on, have converged. */
static int converged(const sb_lanczos_pairs *ritz) {
    int count = 0;
    while (count < ritz->count &&
           ritz->errors[count] <= TOLERANCE * ritz->values[count]) {
        count++;
    }
    return count;
}

/* True when this run is complete: all missing pairs have converged, or one
 * beyond the bound has. */
static bool is_enough(const search *own, const sb_lanczos_pairs *ritz, int done,
                      int missing) {
    if (done >= missing) return true;
    return done > 0 && value_of(own, ritz->values[done - 1]) > own->bound;
}

/* Once the vectors of a block need no refinement, those of higher eigenvalues
 * do not need it either. */
static sb_status collect(search *own, sb_lanczos *lanczos,
                         const sb_lanczos_pairs *ritz, int count,
                         sb_error *err) {
    size_t n = (size_t)own->def->k->n;
    bool is_rough = true;
    sb_eigen_result *out = own->out;
    sb_status status = sb_eigen_reserve(out, count, err);
    for (int i = 0; !status && i < count; i += SB_PENCIL_COLUMNS) {
        int columns = count - i;
        if (columns > SB_PENCIL_COLUMNS) columns = SB_PENCIL_COLUMNS;
        double *vectors = out->vectors + (size_t)out->count * n;
        double *values = out->values + out->count;
        sb_pencil_expand(own->pencil, sb_lanczos_vectors(lanczos, ritz, i),
                         vectors, columns);
        for (int j = 0; j < columns; j++) {
            values[j] = value_of(own, ritz->values[i + j]);
        }
        if (is_rough) {
            status = refine(own->def, own->pencil, values, vectors, columns,
                            &is_rough, err);
        }
        out->count += columns;
        if (!status) {
            status =
                sb_eigen_tell(own->def, "modes", out->count, own->need, err);
        }
    }
    return status;
}

/* Locks the vectors found so far, after scaling them to length 1. */
static sb_status lock(search *own, sb_lanczos *lanczos, sb_error *err) {
    sb_status status = SB_OK;
    size_t n = (size_t)own->def->k->n;
    for (int i = 0; !status && i < own->out->count; i++) {
        double *x = own->out->vectors + (size_t)i * n, norm_squared = 0;
        sb_sparse_multiply(own->def->m, x, own->y);
        for (size_t k = 0; k < n; k++) {
            norm_squared += x[k] * own->y[k];
        }
        for (size_t k = 0; k < n; k++) {
            x[k] /= sqrt(norm_squared);
        }
        sb_pencil_contract(own->pencil, x, own->y);
        status = sb_lanczos_lock(lanczos, own->y, err);
    }
    return status;
}

/* Steps until T has at least `size` columns. About half of its eigenpairs
 * converge in the end: progress is reported by that. */
static sb_status grow(search *own, sb_lanczos *lanczos, int size, int missing,
                      sb_error *err) {
    sb_status status = SB_OK;
    while (!status && sb_lanczos_size(lanczos) < size) {
        if (!sb_lanczos_has_room(lanczos)) {
            own->is_exhausted = true;
            return sb_fail(err, SB_NO_CONVERGENCE,
                           "eigenproblem of size %d: too much of it is wanted",
                           own->def->k->n);
        }
        status = sb_lanczos_step(lanczos, err);
        int done = sb_lanczos_size(lanczos) / 2;
        if (done > missing) done = missing;
        if (!status) {
            status = sb_eigen_tell(own->def, "modes", own->out->count + done,
                                   own->need, err);
        }
    }
    return status;
}

/* Errors fall by about this factor per block once they begin to fall. */
#define FALL 6.0

static int next_size(const sb_lanczos *lanczos, double error, int missing) {
    int size = sb_lanczos_size(lanczos);
    if (error > 1e-2) return size + BLOCK + missing / 10;
    int blocks = (int)floor(log(error / TOLERANCE) / log(FALL));
    return size + BLOCK * (blocks > 1 ? blocks : 1);
}

/* Steps until the estimated error of the last missing pair is small. */
static sb_status approach(search *own, sb_lanczos *lanczos, int size,
                          int missing, sb_error *err) {
    for (;;) {
        double error = 1;
        sb_status status = grow(own, lanczos, size, missing, err);
        if (!status) status = sb_lanczos_error(lanczos, missing, &error, err);
        if (status || error <= TOLERANCE) return status;
        size = next_size(lanczos, error, missing);
    }
}

static sb_status run_one(search *own, sb_lanczos *lanczos, sb_error *err) {
    int missing = own->need - own->out->count;
    int size = 17 * missing / 10 + 5 * BLOCK;
    for (;;) {
        sb_lanczos_pairs ritz = {0};
        sb_status status = approach(own, lanczos, size, missing, err);
        if (!status) {
            status = sb_lanczos_ritz(lanczos, missing, &ritz, err);
        }
        if (status) return status;
        int done = converged(&ritz);
        if (is_enough(own, &ritz, done, missing)) {
            while (done > 0 &&
                   value_of(own, ritz.values[done - 1]) > own->bound) {
                done--;
            }
            status = collect(own, lanczos, &ritz, done, err);
            sb_lanczos_pairs_free(&ritz);
            return status;
        }
        sb_lanczos_pairs_free(&ritz);
        size = sb_lanczos_size(lanczos) + 1;
    }
}

static sb_status run(search *own, sb_error *err) {
    sb_lanczos *lanczos = NULL;
    sb_status status =
        sb_lanczos_create(&lanczos, own->pencil, SB_PENCIL_PANELS, err);
    if (!status) status = lock(own, lanczos, err);
    if (!status) status = run_one(own, lanczos, err);
    sb_lanczos_destroy(lanczos);
    return status;
}

/* Inertia fails at an eigenvalue: then it is taken slightly above the bound. */
static sb_status count_below(search *own, double bound, int *count,
                             sb_error *err) {
    sb_status status = SB_OK;
    for (int attempt = 0; attempt < 4; attempt++) {
        status = sb_cholesky_inertia(own->pencil->factor, bound, count, err);
        if (status != SB_NO_CONVERGENCE) return status;
        bound *= 1 + 3e-8;
    }
    return status;
}

static double highest(const sb_eigen_result *result, double below) {
    double value = -INFINITY;
    for (int i = 0; i < result->count; i++) {
        if (result->values[i] < below) value = fmax(value, result->values[i]);
    }
    return value;
}

/* Where to count: just below the highest found, away from all others. */
static double place_to_count(const sb_eigen_result *result) {
    double value = highest(result, INFINITY);
    for (;;) {
        double place = value - 1e-6 * fabs(value);
        double before = highest(result, value);
        if (!(place - before < 1e-7 * fabs(value))) return place;
        value = before;
    }
}

/* Checks by inertia that those found are the lowest. If some were missed,
 * raises `need` by their number; the highest are dropped later. */
static sb_status check_lowest(search *own, sb_error *err) {
    double place = place_to_count(own->out);
    int below = 0, found = 0;
    if (!(place > -1e-6 * own->pencil->shift))
        return SB_OK; /* only rigid motions */
    sb_status status =
        sb_cholesky_inertia(own->pencil->factor, place, &below, err);
    if (status == SB_NO_CONVERGENCE)
        return SB_OK; /* no count there: accept them */
    for (int i = 0; i < own->out->count; i++) {
        found += own->out->values[i] < place;
    }
    if (below > found) own->need += below - found;
    return status;
}

static sb_status search_for(search *own, bool is_counted, sb_error *err) {
    sb_status status = SB_OK;
    int runs = 0;
    while (!status && own->out->count < own->need) {
        if (runs++ == MAX_RUNS) {
            return sb_fail(err, SB_NO_CONVERGENCE,
                           "eigenproblem of size %d: %d of %d eigenvalues "
                           "found",
                           own->def->k->n, own->out->count, own->need);
        }
        status = run(own, err);
        bool is_full = own->out->count >= own->need;
        if (!status && is_full && !is_counted) status = check_lowest(own, err);
    }
    return status;
}

static sb_status search_all(search *own, sb_error *err) {
    int guess = own->def->guess, most = own->def->max_count;
    if (guess == 0 || guess > most) guess = most;
    if (guess > own->pencil->rank) guess = own->pencil->rank;
    sb_status status = sb_eigen_afford(own->def, own->pencil, guess, err);
    if (!status) status = sb_eigen_tell(own->def, "factorisation", 0, 100, err);
    own->to = isinf(own->bound) ? 100 : 50;
    sb_cholesky_watch(own->pencil->factor,
                      (sb_factor_watch){is_factoring_wanted, own});
    if (!status) status = sb_eigen_factor(own->def, own->pencil, err);
    own->from = own->to;
    own->to = 100;
    int below = -1;
    own->need = own->pencil->rank;
    if (!status && !isinf(own->bound)) {
        status = count_below(own, own->bound, &below, err);
        if (!status && below < own->need) own->need = below;
    }
    own->to = 0;
    bool is_counted = below >= 0 && below <= own->def->max_count;
    if (own->def->max_count < own->need) own->need = own->def->max_count;
    if (!status && own->need > guess) {
        status = sb_eigen_afford(own->def, own->pencil, own->need, err);
    }
    if (!status) status = search_for(own, is_counted, err);
    own->out->inertia_count = is_counted ? below : -1;
    return status;
}

sb_status sb_eigen_lanczos(const sb_eigen_def *def, sb_eigen_result *out,
                           bool *is_dense, sb_error *err) {
    search own = {.def = def, .bound = def->max_value, .out = out};
    int threads = def->threads > 0 ? def->threads : sb_workers_default();
    sb_status status = sb_eigen_tell(def, "ordering", 0, 0, err);
    if (!status) {
        status = sb_pencil_create(&own.pencil, def->k, def->m, threads, err);
    }
    if (!status) {
        own.y = sb_alloc((size_t)def->k->n, sizeof *own.y);
        if (!own.y) {
            status = sb_no_memory(err, "eigenproblem of size %d", def->k->n);
        }
    }
    if (!status) status = search_all(&own, err);
    *is_dense = own.is_exhausted;
    sb_free(own.y);
    sb_pencil_destroy(own.pencil);
    return status;
}
