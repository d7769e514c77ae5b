/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/trend.h"

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/base/stop.h"
#include "runtime/model/fem/tet10.h"
#include "runtime/model/solve/attempt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The overlap of two different modes is then about 1 / sqrt(3 x 1500) = 0.015.
 */
enum { POINTS_MOST = 1500 };

/* Curved elements reach beyond their corners by less than this, relative to
 * their extent. */
#define BEYOND 0.2

typedef sb_vec3 corners[4];

static void corners_of(const sb_solid_mesh *solid, int tet, corners out) {
    for (int i = 0; i < 4; i++)
        out[i] = solid->nodes[solid->tets[tet][i]];
}

static double six_volumes(const corners at, sb_vec3 sides[3]) {
    for (int i = 0; i < 3; i++)
        sides[i] = sb_vec3_sub(at[i + 1], at[0]);
    return sb_vec3_dot(sides[0], sb_vec3_cross(sides[1], sides[2]));
}

static int by_x(const void *left, const void *right) {
    sb_vec3 a = ((const sb_probe_point *)left)->at;
    sb_vec3 b = ((const sb_probe_point *)right)->at;
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return (a.z > b.z) - (a.z < b.z);
}

/* Any regular choice could leave out planes of the grid that it was cut from.
 */
sb_status sb_probe_make(const sb_solid_mesh *solid, sb_probe *out,
                        sb_error *err) {
    sb_random random = sb_random_make(1, 0);
    int left = solid->tet_count, wanted = left;
    if (wanted > POINTS_MOST) wanted = POINTS_MOST;
    *out = (sb_probe){
        .points = sb_alloc((size_t)wanted, sizeof *out->points),
    };
    if (!out->points) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    for (int tet = 0; tet < solid->tet_count; tet++, left--) {
        corners at;
        sb_vec3 sides[3], sum = {0};
        if (sb_random_unit(&random) * left >= wanted - out->count) continue;
        corners_of(solid, tet, at);
        for (int i = 0; i < 4; i++)
            sum = sb_vec3_add(sum, sb_vec3_scale(at[i], 0.25));
        out->points[out->count++] =
            (sb_probe_point){sum, fabs(six_volumes(at, sides)) / 6};
    }
    qsort(out->points, (size_t)out->count, sizeof *out->points, by_x);
    return SB_OK;
}

void sb_probe_free(sb_probe *probe) {
    sb_free(probe->points);
    *probe = (sb_probe){0};
}

/* --- where the points are in a mesh --------------------------------------- */

typedef struct place {
    int tet;          /* -1: in none */
    double shares[4]; /* volume coordinates */
    double least;     /* of these: below 0 outside */
} place;

static int first_from(const sb_probe *probe, double x) {
    int low = 0, high = probe->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (probe->points[middle].at.x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void place_in(const corners at, int tet, sb_vec3 point, place *best) {
    sb_vec3 s[3], d = sb_vec3_sub(point, at[0]);
    double volume = six_volumes(at, s);
    place found = {.tet = tet};
    found.shares[1] = sb_vec3_dot(d, sb_vec3_cross(s[1], s[2])) / volume;
    found.shares[2] = sb_vec3_dot(d, sb_vec3_cross(s[2], s[0])) / volume;
    found.shares[3] = sb_vec3_dot(d, sb_vec3_cross(s[0], s[1])) / volume;
    found.shares[0] = 1 - found.shares[1] - found.shares[2] - found.shares[3];
    found.least = fmin(fmin(found.shares[0], found.shares[1]),
                       fmin(found.shares[2], found.shares[3]));
    if (found.least > best->least) *best = found;
}

/* The element that each point is in, or nearest to. */
static void locate(const sb_probe *probe, const sb_solid_mesh *solid,
                   place *places) {
    for (int i = 0; i < probe->count; i++)
        places[i] = (place){.tet = -1, .least = -BEYOND};
    for (int tet = 0; tet < solid->tet_count; tet++) {
        corners at;
        corners_of(solid, tet, at);
        double low = fmin(fmin(at[0].x, at[1].x), fmin(at[2].x, at[3].x));
        double high = fmax(fmax(at[0].x, at[1].x), fmax(at[2].x, at[3].x));
        double beyond = BEYOND * (high - low);
        int i = first_from(probe, low - beyond);
        for (; i < probe->count && probe->points[i].at.x <= high + beyond; i++)
            place_in(at, tet, probe->points[i].at, &places[i]);
    }
}

/* --- modes ---------------------------------------------------------------- */

static void read_point(const sb_attempt *from, const double *x,
                       const place *where, double scale, float out[3]) {
    double n[SB_TET_NODES_MOST], sum[3] = {0};
    sb_tet10_values(where->shares, n);
    for (int a = 0; a < SB_TET_NODES_MOST; a++) {
        const int *dofs =
            from->fem.dofs[from->discrete.solid.tets[where->tet][a]];
        for (int c = 0; c < 3; c++) {
            if (dofs[c] >= 0) sum[c] += n[a] * x[dofs[c]];
        }
    }
    for (int c = 0; c < 3; c++)
        out[c] = (float)(scale * sum[c]);
}

static void make_unit(float *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)x[i] * (double)x[i];
    float scale = sum > 0 ? (float)(1 / sqrt(sum)) : 0;
    for (int i = 0; i < count; i++)
        x[i] *= scale;
}

static sb_status read_modes(const sb_probe *probe, const sb_attempt *from,
                            const place *places, float *out, sb_error *err) {
    size_t wide = 3 * (size_t)probe->count, n = (size_t)from->modes.n;
    for (int k = from->zeros; k < from->modes.count; k++, out += wide) {
        const double *x = from->modes.vectors + (size_t)k * n;
        for (int i = 0; i < probe->count; i++) {
            if (places[i].tet < 0) continue;
            read_point(from, x, &places[i], sqrt(probe->points[i].volume_m3),
                       out + 3 * (size_t)i);
        }
        make_unit(out, (int)wide);
        sb_status status = sb_stop_check(err);
        if (status) return status;
    }
    return SB_OK;
}

sb_status sb_probe_read(const sb_probe *probe, const sb_attempt *attempt,
                        sb_reading *out, sb_error *err) {
    size_t modes = (size_t)(attempt->modes.count - attempt->zeros);
    size_t wide = 3 * (size_t)probe->count;
    place *places = sb_alloc((size_t)probe->count, sizeof *places);
    sb_reading made = {.count = (int)modes};
    made.lambdas = sb_alloc(modes, sizeof *made.lambdas);
    made.shapes = sb_alloc(modes * wide, sizeof *made.shapes);
    sb_status status = SB_NO_MEMORY;
    if (places && made.lambdas && made.shapes) {
        memcpy(made.lambdas, attempt->modes.values + attempt->zeros,
               modes * sizeof *made.lambdas);
        locate(probe, &attempt->discrete.solid, places);
        status = read_modes(probe, attempt, places, made.shapes, err);
    } else {
        status = sb_fail(err, status, "out of memory for %zu modes", modes);
    }
    sb_free(places);
    if (status) {
        sb_free(made.lambdas);
        sb_free(made.shapes);
        return status;
    }
    *out = made;
    return SB_OK;
}

/* O of two modes, as read. */
static double overlap_of(const sb_probe *probe, const float *a,
                         const float *b) {
    float sum[4] = {0}; /* in parts: quicker, and less is rounded */
    int wide = 3 * probe->count, i = 0;
    for (; i + 4 <= wide; i += 4) {
        for (int c = 0; c < 4; c++)
            sum[c] += a[i + c] * b[i + c];
    }
    for (; i < wide; i++)
        sum[0] += a[i] * b[i];
    return (double)(sum[0] + sum[1]) + (double)(sum[2] + sum[3]);
}

/* --- modes compared ------------------------------------------------------- */

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
        double overlap = overlap_of(probe, coarse->shapes + (size_t)i * wide,
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
    if (!left) return sb_no_memory(err, "mesh");
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
    sb_free_all(order, lambdas, shapes);
    return status;
}
