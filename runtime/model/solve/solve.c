/* Solves with finer and finer elements until the modes stay (solve.h). Thread:
 * control, workers. */
#include "runtime/model/solve/solve.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/solve/attempt.h"
#include "runtime/model/solve/fewer.h"
#include "runtime/model/solve/fits.h"
#include "runtime/model/solve/need.h"

#include <math.h>
#include <string.h>

/* Modes with a smaller error have converged. A larger one is taken out by
 * extrapolation, which leaves less than a third of it. */
#define CONVERGED 0.003

/* Sheets and rings begin with this many times the elements that a wave needs:
 * fewer would not be enough in the end. */
#define MARGIN 1.6

/* From one size of elements to the next; and where the memory is the limit. */
#define STEP           1.45
#define STEP_THAT_FITS 1.2

enum {
    SIZES_MOST = 8,
    ELEMENTS_FIRST = 8 /* of sheets and rings as solids, if a wave needs no
                        * more */
};

/* What is kept of a solve: its modes on the skin, and all eigenvalues. */
typedef struct outcome {
    sb_solution *solution;
    sb_grain grain;
    double edge_m;
} outcome;

static void drop(outcome *self) {
    sb_solution_release(self->solution);
    *self = (outcome){0};
}

static sb_status solve_prepared(sb_attempt *attempt, outcome *out,
                                sb_error *err) {
    sb_status status = sb_attempt_solve(attempt, err);
    if (!status) status = sb_attempt_keep(attempt, &out->solution, err);
    out->grain = attempt->grain;
    out->edge_m = attempt->edge_m;
    return status;
}

static sb_status solve_at(const sb_solve_def *def, sb_grain grain, outcome *out,
                          sb_error *err) {
    sb_attempt attempt;
    sb_status status = sb_attempt_prepare(&attempt, def, grain, err);
    if (!status) status = solve_prepared(&attempt, out, err);
    sb_attempt_free(&attempt);
    return status;
}

/* --- what is left of the error -------------------------------------------- */

/* Frequencies of two solves differ by an error that falls with a power p of the
 * edge h of the elements. What is left of it in the finer solve is, relative to
 * the frequency,
 *
 *     (f0 - f1) / f1 / ((h0 / h1)^p - 1)
 *
 * by Richardson's extrapolation. Both solves list the same modes from the
 * lowest on. */
typedef struct trend {
    const sb_solution *coarse, *fine;
    double gain; /* the divisor */
} trend;

static trend trend_of(const outcome *coarse, const outcome *fine) {
    sb_method method = (sb_method)fine->solution->facts.method;
    double ratio = coarse->edge_m / fine->edge_m;
    double gain = pow(ratio, sb_need_order(method)) - 1;
    return (trend){coarse->solution, fine->solution, fmax(gain, 0.2)};
}

static double left_of(const trend *self, int k) {
    int count = self->coarse->mode_count;
    if (k >= count) k = count - 1;
    double ratio = self->coarse->lambdas[k] / self->fine->lambdas[k];
    return (sqrt(ratio) - 1) / self->gain;
}

static double most_left(const trend *self) {
    double most = 0;
    int count = self->fine->mode_count;
    if (count > self->coarse->mode_count) count = self->coarse->mode_count;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(left_of(self, k)));
    return most;
}

/* Takes what is left out of the frequencies. Their order stays. */
static sb_status extrapolate(const trend *self, outcome *fine, sb_error *err) {
    int count = self->fine->mode_count;
    double *lambdas = sb_alloc((size_t)count, sizeof *lambdas);
    if (!lambdas) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    for (int k = 0; k < count; k++) {
        double factor = 1 - left_of(self, k);
        lambdas[k] = self->fine->lambdas[k] * factor * factor;
        if (k > 0 && lambdas[k] < lambdas[k - 1]) lambdas[k] = lambdas[k - 1];
    }
    sb_solution parts = *self->fine, *made;
    parts.lambdas = lambdas;
    /* If the number of modes ended the search, it ends at the last one. */
    if (parts.facts.lambda_bound == self->fine->lambdas[count - 1])
        parts.facts.lambda_bound = lambdas[count - 1];
    sb_status status = sb_solution_create(&parts, &made, err);
    sb_free(lambdas);
    if (status) return status;
    sb_solution_release(fine->solution);
    fine->solution = made;
    return SB_OK;
}

/* --- sizes ---------------------------------------------------------------- */

/* Sheets and rings have no default as solids: they begin with what a wave
 * needs. */
static sb_grain first_grain(const sb_shape *shape) {
    bool is_sheet =
        !shape->mesh && sb_shape_family_of(shape)->solid_elements > 0;
    if (!is_sheet || shape->method == SB_METHOD_SHELL)
        return (sb_grain){.finer = 1};
    return (sb_grain){ELEMENTS_FIRST, 1, SB_GRAIN_ACROSS};
}

static void raise(sb_grain *grain, double factor) {
    factor = fmax(1.02, factor);
    if (grain->elements > 0) {
        grain->elements = (int)fmin(ceil(grain->elements * factor), 100000);
    } else {
        grain->finer *= factor;
    }
}

/* The highest eigenvalue wanted, of a solve that may have ended at its number
 * of modes. */
static double top_of(const sb_solve_def *def, const sb_solution *solution) {
    if (solution->mode_count < def->max_modes) return def->max_lambda;
    return fmin(def->max_lambda, solution->lambdas[def->max_modes - 1]);
}

/* True when the number of modes ends the search, and is not the script's. */
static bool may_be_fewer(const sb_solve_def *def, const sb_solution *solution) {
    return def->shape->max_modes == 0 &&
           solution->facts.method == (int)SB_METHOD_SOLID &&
           solution->mode_count >= def->max_modes;
}

/* True when its elements are small enough; else the grain is raised. Where the
 * number of modes may end the search, a solve shows how high they reach, and
 * how many there can be. */
static sb_status try_first(sb_solve_def *def, sb_grain *grain, bool *is_enough,
                           double *top, outcome *out, sb_error *err) {
    sb_attempt attempt;
    sb_status status = sb_attempt_prepare(&attempt, def, *grain, err);
    double least = sb_need_least(attempt.discrete.method);
    if (grain->elements > 0) least *= MARGIN;
    bool is_capped = !status && attempt.guess >= def->max_modes;
    if (is_capped && *top == def->max_lambda) {
        def->max_modes = sb_fewer_looked_for(&attempt);
        status = solve_prepared(&attempt, out, err);
        if (!status && may_be_fewer(def, out->solution))
            def->max_modes = sb_fewer_modes(&attempt, out->solution, least);
        if (!status) *top = top_of(def, out->solution);
    }
    double found = status ? 0 : sb_attempt_per_wave(&attempt, *top);
    *is_enough = found >= least;
    if (out->solution && out->solution->mode_count > def->max_modes) drop(out);
    if (!status && *is_enough && !out->solution) {
        status = solve_prepared(&attempt, out, err);
    } else if (!status && !*is_enough) {
        drop(out);
        raise(grain, least / found);
    }
    sb_attempt_free(&attempt);
    return status;
}

/* The first size: the default, or smaller if a wave needs it. */
static sb_status solve_first(sb_solve_def *def, outcome *out, sb_error *err) {
    sb_grain grain = first_grain(def->shape);
    double top = def->max_lambda;
    bool is_enough = false;
    for (int i = 0; i < SIZES_MOST && !is_enough; i++) {
        sb_status status = try_first(def, &grain, &is_enough, &top, out, err);
        if (status) return status;
    }
    return is_enough ? SB_OK : solve_at(def, grain, out, err);
}

static sb_grain finer_by(sb_grain grain, double factor) {
    grain.finer *= factor;
    return grain;
}

/* What is left of the error of `fine`; it is taken out if it needs to be and
 * can be. */
static sb_status judge(const outcome *coarse, outcome *fine, double *left,
                       sb_error *err) {
    trend found = trend_of(coarse, fine);
    *left = most_left(&found);
    if (*left >= SB_SOLVE_EXTRAPOLATED || *left < CONVERGED) return SB_OK;
    return extrapolate(&found, fine, err);
}

/* Where smaller elements would take too long, modes with larger errors are left
 * out at the top, if there are others above them that are left out anyway. */
static sb_status cut_top(const sb_solve_def *def, const outcome *coarse,
                         outcome *fine, double *left, sb_error *err) {
    trend found = trend_of(coarse, fine);
    double unknowns = fine->solution->facts.dof_count * STEP * STEP * STEP;
    int count = 0, most = coarse->solution->mode_count;
    if (*left < SB_SOLVE_EXTRAPOLATED || unknowns < SB_FEWER_UNKNOWNS ||
        !may_be_fewer(def, fine->solution))
        return SB_OK;
    while (count < most && fabs(left_of(&found, count)) < SB_SOLVE_EXTRAPOLATED)
        count++;
    if (count < SB_FEWER_LEAST) return SB_OK;
    sb_solution *fewer;
    sb_status status = sb_fewer_keep(fine->solution, count, &fewer, err);
    if (status) return status;
    sb_solution_release(fine->solution);
    fine->solution = fewer;
    return judge(coarse, fine, left, err);
}

/* Two coarse solves show less of the error than there is: of a ball, a box and
 * a cylinder of oak 2.1, 1.3 and 1.4 %, while their worst modes are off by 3.0,
 * 1.9 and 1.5 % beside solves with 4 GB. The factor is fitted to these three. */
#define STATED 1.6

/* When memory does not allow smaller elements, the modes stay as they are, and
 * what is left of their error is reported. */
static sb_status settle(const sb_solve_def *def, double left, outcome *now,
                        sb_error *err) {
    now->solution->is_coarse = true;
    if (!def->progress) return SB_OK;
    int thousandths = (int)fmin(ceil(1e3 * STATED * left), 1000);
    int megabytes = (int)fmin(1e-6 * sb_fits_limit(def), 1e9);
    if (def->progress(def->context, "coarse", thousandths, megabytes))
        return SB_OK;
    return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
}

/* Solves with smaller elements until two solves agree. `left` is the error of
 * what has been found so far. */
static sb_status go_finer(const sb_solve_def *def, double left, outcome *now,
                          sb_error *err) {
    for (int i = 0; i < SIZES_MOST && left >= SB_SOLVE_EXTRAPOLATED; i++) {
        outcome next = {0};
        sb_grain finer = finer_by(now->grain, STEP);
        sb_status status = solve_at(def, finer, &next, err);
        if (status == SB_NO_MEMORY) {
            drop(&next);
            return settle(def, left, now, err);
        }
        if (!status) status = judge(now, &next, &left, err);
        drop(now);
        *now = next;
        if (status) return status;
    }
    return SB_OK;
}

static sb_status converge(sb_solve_def *def, outcome *now, sb_error *err) {
    outcome coarse = {0};
    double left = INFINITY;
    sb_status status = solve_first(def, now, err);
    /* Linear tetrahedra are for comparison: they converge far too slowly.
     * Triangles are solved once, with what a wave needs. */
    if (status || now->solution->facts.method != (int)SB_METHOD_SOLID)
        return status;
    status = solve_at(def, finer_by(now->grain, 1 / STEP), &coarse, err);
    bool is_made = !status;
    if (is_made) status = judge(&coarse, now, &left, err);
    if (is_made && !status) status = cut_top(def, &coarse, now, &left, err);
    drop(&coarse);
    if (status == SB_INTERRUPTED || (is_made && status)) return status;
    /* A mesh too thin for larger elements has more than its waves need. */
    if (!is_made && def->shape->mesh) return SB_OK;
    return go_finer(def, left, now, err);
}

/* --- over the limit ------------------------------------------------------- */

/* From the default elements on, which are not checked. What the waves need does
 * not fit, so this ends. Returns how many steps it went. */
static int steps_that_fit(const sb_solve_def *def) {
    sb_grain grain = first_grain(def->shape);
    for (int i = 0; i < SIZES_MOST; i++) {
        grain = finer_by(grain, STEP_THAT_FITS);
        if (sb_fits_bytes(def, grain) > sb_fits_limit(def)) return i;
    }
    return SIZES_MOST;
}

/* Solves with the smallest elements that fit. A body may have more modes than
 * expected, and so take more memory than estimated: then with larger ones. */
static sb_status solve_what_fits(const sb_solve_def *def, sb_grain *grain,
                                 outcome *now, sb_error *err) {
    sb_status status = SB_NO_MEMORY;
    for (int i = steps_that_fit(def); i >= 0 && status == SB_NO_MEMORY; i--) {
        drop(now);
        *grain = first_grain(def->shape);
        for (int k = 0; k < i; k++)
            *grain = finer_by(*grain, STEP_THAT_FITS);
        status = solve_at(def, *grain, now, err);
    }
    return status;
}

/* A shape of our own whose waves need more than the limit is solved with the
 * smallest elements that fit; what is left of the error is reported. */
static sb_status make_do(const sb_solve_def *def, outcome *now, sb_error *err) {
    outcome coarse = {0};
    double left = 1;
    sb_grain grain;
    sb_status status = solve_what_fits(def, &grain, now, err);
    if (status) return status;
    if (!solve_at(def, finer_by(grain, 1 / STEP), &coarse, NULL))
        status = judge(&coarse, now, &left, err);
    drop(&coarse);
    return status ? status : settle(def, left, now, err);
}

sb_status sb_solve(const sb_solve_def *def, sb_solution **out, sb_error *err) {
    double began_s = sb_clock_s();
    outcome now = {0};
    sb_error reason = {0};
    bool is_free = sb_discrete_is_free(def->shape) && !isinf(def->max_lambda);
    sb_solve_def fewer = *def;
    sb_status status = is_free
                           ? converge(&fewer, &now, &reason)
                           : solve_at(def, (sb_grain){0, 1, 0}, &now, &reason);
    if (status == SB_NO_MEMORY && is_free && !def->shape->mesh) {
        drop(&now);
        status = make_do(def, &now, &reason);
    }
    if (!status) {
        now.solution->facts.seconds = sb_clock_s() - began_s;
        *out = now.solution;
        return SB_OK;
    }
    drop(&now);
    if (status == SB_NO_MEMORY)
        return sb_fits_advise(def, first_grain(def->shape), &reason, err);
    if (err) *err = reason;
    return status;
}
