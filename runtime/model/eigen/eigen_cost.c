/* Memory and time of a large eigenproblem, before it is solved. Runs on the
 * thread that solves, control or a worker. */
#include "runtime/model/eigen/eigen_internal.h"

#include <math.h>
#include <stdio.h>

/* Of a core with 512-bit vectors at 2.8 GHz: operations per second in
 * factorisation, in products with L and M, and of tall blocks. */
#define FACTOR_RATE 2e10
#define SOLVE_RATE  8e9
#define BLOCK_RATE  2e10

/* Lanczos needs some 1.7 vectors per eigenvalue and five blocks more. */
static double basis_size(int count) {
    return 1.75 * count + 6 * SB_PENCIL_COLUMNS;
}

sb_eigen_cost sb_eigen_cost_of(const sb_eigen_def *def, const sb_pencil *pencil,
                               int count) {
    sb_factor_size factor = sb_cholesky_size(pencil->factor);
    double n = def->k->n, size = basis_size(count);
    double entry = sizeof(double) + sizeof(int);
    double nonzeros = def->k->starts[def->k->n];
    double m_nonzeros = def->m->starts[def->m->n];
    /* K and M, their sum and its copy in the factor's order, and M unfolded. */
    double matrices = entry * (3 * nonzeros + 3 * m_nonzeros);
    double vectors = 8 * (double)pencil->dim * size + 8 * n * count +
                     8 * n * 6 * SB_PENCIL_COLUMNS;
    /* Inertia needs a second factor, before there are vectors. */
    double bytes = def->held_bytes + matrices +
                   fmax(2 * factor.bytes, factor.bytes + vectors);
    double steps = size / SB_PENCIL_COLUMNS;
    double per_step = SB_PENCIL_COLUMNS *
                      (4 * factor.bytes / sizeof(double) + 4 * m_nonzeros);
    double seconds = 2 * factor.flops / FACTOR_RATE +
                     steps * per_step / SOLVE_RATE +
                     8 * n * size * size / 2 / BLOCK_RATE;
    return (sb_eigen_cost){def->k->n, bytes, seconds};
}

static void print_size(char *text, size_t size, double bytes) {
    if (bytes < 999.5e6) {
        (void)snprintf(text, size, "%.0f MB", bytes / 1e6);
    } else {
        (void)snprintf(text, size, "%.3g GB", bytes / 1e9);
    }
}

sb_status sb_eigen_afford(const sb_eigen_def *def, const sb_pencil *pencil,
                          int count, sb_error *err) {
    sb_eigen_cost cost = sb_eigen_cost_of(def, pencil, count);
    if (def->memory_bytes > 0 && cost.bytes > def->memory_bytes) {
        char need[32], limit[32];
        print_size(need, sizeof need, cost.bytes);
        print_size(limit, sizeof limit, def->memory_bytes);
        return sb_fail(err, SB_NO_MEMORY,
                       "%d unknowns and %d modes need about %s of memory and "
                       "%.0f s, more than the %s allowed",
                       cost.unknowns, count, need, ceil(cost.seconds), limit);
    }
    sb_status status = sb_eigen_tell(def, "size", cost.unknowns,
                                     (int)ceil(cost.bytes / 1e6), err);
    double most = 1e9;
    if (status) return status;
    return sb_eigen_tell(def, "time", (int)fmin(1e3 * cost.seconds, most), 0,
                         err);
}

sb_status sb_eigen_estimate(const sb_eigen_def *def, int count,
                            sb_eigen_cost *out, sb_error *err) {
    sb_pencil *pencil = NULL;
    sb_status status = sb_pencil_create(&pencil, def->k, def->m, 1, err);
    if (!status) *out = sb_eigen_cost_of(def, pencil, count);
    sb_pencil_destroy(pencil);
    return status;
}
