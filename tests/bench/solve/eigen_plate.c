/* SPDX-License-Identifier: MIT */
/* Builds the plate's matrices and times our solvers on them. Runs on the
 * control thread. */
#include "tests/bench/solve/eigen_plate.h"

#include "runtime/base/clock.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/linear/sparse.h"
#include "tests/bench/measure.h"
#include "tests/model/eigen/residual.h"

#include <math.h>
#include <string.h>

/* Steel, 0.3 m wide, beams 3 mm thick. */
static const double edge_m = 0.3, thick_m = 0.003, young_pa = 2e11,
                    shear_pa = 8e10, density = 7850;

/* Stiffness of an Euler-Bernoulli beam along its own x axis; per end three
 * displacements u, v, w and three rotations. */
static void beam_stiffness(double length, double k[12][12]) {
    double area = thick_m * thick_m, inertia = area * area / 12;
    double ei = young_pa * inertia, l = length;
    double axial = young_pa * area / l, twist = shear_pa * 1.7 * inertia / l;
    memset(k, 0, 144 * sizeof(double));
    const int along[2][2] = {{0, 6}, {3, 9}};
    for (int i = 0; i < 2; i++) {
        double s = i == 0 ? axial : twist;
        int a = along[i][0], b = along[i][1];
        k[a][a] = k[b][b] = s;
        k[a][b] = k[b][a] = -s;
    }
    const double bend[4][4] = {
        {12 * ei / (l * l * l), 6 * ei / (l * l), -12 * ei / (l * l * l),
         6 * ei / (l * l)},
        {6 * ei / (l * l), 4 * ei / l, -6 * ei / (l * l), 2 * ei / l},
        {-12 * ei / (l * l * l), -6 * ei / (l * l), 12 * ei / (l * l * l),
         -6 * ei / (l * l)},
        {6 * ei / (l * l), 2 * ei / l, -6 * ei / (l * l), 4 * ei / l}};
    /* v with rotation about z; w with rotation about y, of opposite sign. */
    const int places[2][4] = {{1, 5, 7, 11}, {2, 4, 8, 10}};
    for (int plane = 0; plane < 2; plane++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                int flips = plane == 1 && (i % 2) != (j % 2);
                k[places[plane][i]][places[plane][j]] =
                    flips ? -bend[i][j] : bend[i][j];
            }
        }
    }
}

/* k = R' k R, where R rotates each of the 4 triples by (c, s) about z. */
static void rotate(double k[12][12], double c, double s) {
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 12; i++) {
            for (int t = 0; t < 12; t += 3) {
                double *a = pass ? &k[t][i] : &k[i][t];
                double *b = pass ? &k[t + 1][i] : &k[i][t + 1];
                double x = *a, y = *b;
                *a = c * x - s * y;
                *b = s * x + c * y;
            }
        }
    }
}

static sb_status add_beam(sb_sparse_builder *k, sb_sparse_builder *m, int side,
                          int from, int to, sb_error *err) {
    double cell = edge_m / (side - 1);
    int columns = to % side - from % side, rows = to / side - from / side;
    double dx = cell * columns, dy = cell * rows;
    double length = hypot(dx, dy);
    double stiffness[12][12], mass[6 * 6] = {0};
    int indices[12], moving[6];
    beam_stiffness(length, stiffness);
    rotate(stiffness, dx / length, dy / length);
    for (int i = 0; i < 6; i++) {
        indices[i] = 6 * from + i;
        indices[6 + i] = 6 * to + i;
        moving[i] = 6 * (i < 3 ? from : to) + i % 3;
        mass[7 * i] = 0.5 * density * thick_m * thick_m * length;
    }
    sb_status status = sb_sparse_add(k, indices, 12, &stiffness[0][0], err);
    return status ? status : sb_sparse_add(m, moving, 6, mass, err);
}

static sb_status add_beams(sb_sparse_builder *k, sb_sparse_builder *m, int side,
                           sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; !status && i < side * side; i++) {
        bool has_right = i % side + 1 < side, has_up = i / side + 1 < side;
        if (has_right) status = add_beam(k, m, side, i, i + 1, err);
        if (!status && has_up) {
            status = add_beam(k, m, side, i, i + side, err);
        }
        if (!status && has_right && has_up) {
            status = add_beam(k, m, side, i, i + side + 1, err);
        }
    }
    return status;
}

sb_status bench_eigen_plate(int side, sb_sparse *k, sb_sparse *m,
                            sb_error *err) {
    if (side < 2 || side > 10000) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a plate with %d vertices per side", side);
    }
    sb_sparse_builder *stiffness = NULL, *mass = NULL;
    sb_sparse made_k = {0};
    int n = 6 * side * side;
    sb_status status = sb_sparse_begin(&stiffness, n, err);
    if (!status) status = sb_sparse_begin(&mass, n, err);
    if (!status) status = add_beams(stiffness, mass, side, err);
    if (!status) {
        status = sb_sparse_end(stiffness, &made_k, err);
        stiffness = NULL;
    }
    if (!status) {
        status = sb_sparse_end(mass, m, err);
        mass = NULL;
    }
    sb_sparse_abandon(stiffness);
    sb_sparse_abandon(mass);
    if (status) {
        sb_sparse_free(&made_k);
        return status;
    }
    *k = made_k;
    return SB_OK;
}

double bench_eigen_disagreement(const sb_eigen_result *a,
                                const sb_eigen_result *b) {
    double worst = a->count == b->count ? 0 : 1;
    for (int i = 0; i < a->count && i < b->count; i++) {
        double size = a->values[a->count - 1] * 1e-6 + fabs(a->values[i]);
        worst = fmax(worst, fabs(a->values[i] - b->values[i]) / size);
    }
    return worst;
}

sb_status bench_eigen_time(sb_eigen_solver solver, const sb_eigen_def *def,
                           bench_eigen_cost *out, sb_eigen_result *result,
                           sb_error *err) {
    size_t before = peak_begin();
    double wall_s = sb_clock_s(), cpu_s = sb_clock_process_s();
    sb_status status = solver(def, result, err);
    if (status) return status;
    out->wall_s = sb_clock_s() - wall_s;
    out->cpu_s = sb_clock_process_s() - cpu_s;
    out->peak_bytes = peak_end(before);
    out->worst_residual = worst_residual(def->k, def->m, result);
    return SB_OK;
}

static sb_status measure(const bench_eigen_def *def, sb_eigen_def eigen,
                         bench_eigen_result *out, sb_error *err) {
    sb_eigen_result ours = {0};
    eigen.method = SB_EIGEN_LANCZOS;
    sb_status status =
        bench_eigen_time(sb_eigen_sparse, &eigen, &out->ours, &ours, err);
    sb_cholesky *factor = NULL;
    if (!status) status = sb_cholesky_create(&factor, eigen.k, eigen.m, err);
    if (!status) out->factor_bytes = (size_t)sb_cholesky_size(factor).bytes;
    sb_cholesky_destroy(factor);
    if (!status && def->with_dense) {
        eigen.method = SB_EIGEN_DENSE;
        sb_eigen_result dense = {0};
        status =
            bench_eigen_time(sb_eigen_sparse, &eigen, &out->dense, &dense, err);
        if (!status)
            out->disagreement = bench_eigen_disagreement(&ours, &dense);
        sb_eigen_result_free(&dense);
    }
    sb_eigen_result_free(&ours);
    return status;
}

sb_status bench_eigen(const bench_eigen_def *def, bench_eigen_result *out,
                      sb_error *err) {
    sb_sparse k = {0}, m = {0};
    sb_status status = bench_eigen_plate(def->side, &k, &m, err);
    if (status) return status;
    sb_eigen_def eigen = {.k = &k,
                          .m = &m,
                          .max_value = INFINITY,
                          .max_count = def->modes,
                          .threads = def->threads};
    bench_eigen_result result = {.unknowns = k.n, .modes = def->modes};
    status = measure(def, eigen, &result, err);
    if (!status) *out = result;
    sb_sparse_free(&k);
    sb_sparse_free(&m);
    return status;
}
