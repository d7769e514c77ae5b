/* Errors from two solves, mode by mode (trend.h). Thread: control, workers. */
#include "runtime/model/solve/trend.h"

#include "runtime/base/memory.h"
#include "runtime/model/solve/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coarse modes with a smaller share of a fine one are left out: rounding, and
 * the number of points. The others must be most of it. */
#define SHARE_LEAST  0.04
#define SHARES_LEAST 0.6

/* Coarse eigenvalues over a fine one: elements are too stiff, rarely too soft.
 */
#define WINDOW_LOW  0.9
#define WINDOW_HIGH 1.7

void sb_outcome_free(sb_outcome *outcome) {
    sb_solution_release(outcome->solution);
    sb_free(outcome->read.lambdas);
    sb_free(outcome->read.shapes);
    *outcome = (sb_outcome){0};
}

/* --- what is left --------------------------------------------------------- */

/* The eigenvalue of fine mode k in the coarse solve; 0: it is not there. */
static double coarse_lambda(const sb_probe *probe, const sb_reading *coarse,
                            const sb_reading *fine, int k) {
    double lambda = fine->lambdas[k], shares = 0, sum = 0;
    size_t wide = 3 * (size_t)probe->count;
    for (int i = 0; i < coarse->count; i++) {
        double ratio = coarse->lambdas[i] / lambda;
        if (ratio < WINDOW_LOW || ratio > WINDOW_HIGH) continue;
        double overlap =
            sb_probe_overlap(probe, coarse->shapes + (size_t)i * wide,
                             fine->shapes + (size_t)k * wide);
        double share = overlap * overlap;
        if (share < SHARE_LEAST) continue;
        shares += share;
        sum += share * coarse->lambdas[i];
    }
    return shares < SHARES_LEAST ? 0 : sum / shares;
}

sb_status sb_trend_left(const sb_probe *probe, const sb_outcome *coarse,
                        const sb_outcome *fine, double **out, sb_error *err) {
    const sb_reading *other = &coarse->read;
    const double *lambdas = fine->solution->lambdas;
    int count = fine->solution->mode_count;
    double order = sb_need_order((sb_method)fine->solution->facts.method);
    double gain = fmax(pow(coarse->edge_m / fine->edge_m, order) - 1, 0.2);
    double end = other->lambdas[other->count - 1] / WINDOW_HIGH;
    double *left = sb_alloc((size_t)count, sizeof *left);
    if (!left) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    for (int k = 0; k < count; k++) {
        double lambda = coarse_lambda(probe, other, &fine->read, k);
        if (lambda > 0)
            left[k] = (sqrt(lambda / lambdas[k]) - 1) / gain;
        else
            left[k] = k == 0 || lambdas[k] < end ? 1 : left[k - 1];
    }
    *out = left;
    return SB_OK;
}

/* --- extrapolation -------------------------------------------------------- */

typedef struct ranked {
    double lambda;
    int from;
} ranked;

static int ascending(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->lambda != b->lambda) return a->lambda < b->lambda ? -1 : 1;
    return a->from - b->from;
}

/* Rows of `wide` numbers in the new order. */
static void reorder(const ranked *order, int count, size_t wide,
                    const float *from, float *to) {
    for (int k = 0; k < count; k++)
        memcpy(to + (size_t)k * wide, from + (size_t)order[k].from * wide,
               wide * sizeof *to);
}

static sb_status keep_ordered(const ranked *order, double *lambdas,
                              float *shapes, sb_outcome *fine, sb_error *err) {
    sb_solution parts = *fine->solution, *made;
    int count = parts.mode_count;
    size_t row = 3 * (size_t)count;
    double last = parts.lambdas[count - 1];
    for (int k = 0; k < count; k++)
        lambdas[k] = order[k].lambda;
    for (size_t v = 0; v < (size_t)parts.vertex_count; v++)
        reorder(order, count, 3, parts.shapes + v * row, shapes + v * row);
    parts.lambdas = lambdas;
    parts.shapes = shapes;
    /* If the number of modes ended the search, it ends at the last one. */
    if (parts.facts.lambda_bound == last)
        parts.facts.lambda_bound = lambdas[count - 1];
    sb_status status = sb_solution_create(&parts, &made, err);
    if (status) return status;
    sb_solution_release(fine->solution);
    fine->solution = made;
    return SB_OK;
}

sb_status sb_trend_extrapolate(const double *left, sb_outcome *fine,
                               sb_error *err) {
    const sb_solution *from = fine->solution;
    size_t count = (size_t)from->mode_count;
    size_t numbers = 3 * count * (size_t)from->vertex_count;
    ranked *order = sb_alloc(count, sizeof *order);
    double *lambdas = sb_alloc(count, sizeof *lambdas);
    float *shapes = sb_alloc(numbers, sizeof *shapes);
    sb_status status = SB_NO_MEMORY;
    if (order && lambdas && shapes) {
        for (int k = 0; k < from->mode_count; k++) {
            double factor = 1 - left[k];
            order[k] = (ranked){from->lambdas[k] * factor * factor, k};
        }
        qsort(order, count, sizeof *order, ascending);
        status = keep_ordered(order, lambdas, shapes, fine, err);
    } else {
        status = sb_fail(err, status, "mesh: out of memory");
    }
    sb_free(order);
    sb_free(lambdas);
    sb_free(shapes);
    return status;
}
