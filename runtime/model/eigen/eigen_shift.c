/* Chooses the shift s that makes K - s M definite and computes its factor. Runs
 * on the thread that solves, control or a worker. */
#include "runtime/model/eigen/eigen_internal.h"
#include "runtime/model/eigen/lanczos.h"

#include <math.h>

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

double sb_eigen_rigid(const sb_eigen_def *def) {
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
