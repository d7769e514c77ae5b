/* The eigenvalue problem of Ritz's method for a plate (ritz.h). Thread:
 * control, workers. */
#include "runtime/model/closed_forms/ritz.h"

#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"

#include <math.h>
#include <stddef.h>

static double energy(const sb_ritz_problem *problem, sb_ritz_term p,
                     sb_ritz_term q) {
    const sb_ritz_matrices *x = &problem->x, *z = &problem->z;
    double r = problem->ratio, nu = problem->poisson_ratio;
    double across = problem->across * r;
    int xx = p.i * problem->x_count + q.i, zz = p.j * problem->z_count + q.j;
    int xt = q.i * problem->x_count + p.i; /* transposed */
    int zt = q.j * problem->z_count + p.j;
    double sum =
        nu * r * (x->mixed[xx] * z->mixed[zt] + x->mixed[xt] * z->mixed[zz]) +
        problem->twist * r * x->slope[xx] * z->slope[zz];
    if (p.j == q.j) sum += x->bend[xx];
    if (p.i == q.i) sum += across * r * z->bend[zz];
    return sum;
}

/* b = S K S and a = S S, with S = diag(K)^-1/2: a y = (1 / mu) b y. */
static void assemble(const sb_ritz_problem *problem, const sb_ritz_term *terms,
                     size_t n, double *a, double *b, double *scale) {
    for (size_t i = 0; i < n; i++) {
        scale[i] = 1 / sqrt(energy(problem, terms[i], terms[i]));
        a[i * n + i] = scale[i] * scale[i];
        b[i * n + i] = 1;
    }
    for (size_t row = 0; row < n; row++) {
        for (size_t col = 0; col < row; col++) {
            b[col * n + row] = b[row * n + col] =
                scale[row] * energy(problem, terms[row], terms[col]) *
                scale[col];
        }
    }
}

/* From y and 1 / mu, ascending, to unit c and sqrt(mu), lowest first. */
static void unscale(sb_ritz_solution *solution, size_t n, const double *scale) {
    for (int k = 0; k < solution->count; k++) {
        double *c = solution->vectors + (size_t)k * n, sum = 0;
        for (size_t i = 0; i < n; i++) {
            c[i] *= scale[i];
            sum += c[i] * c[i];
        }
        double length = sqrt(sum);
        for (size_t i = 0; i < n; i++) {
            c[i] /= length;
        }
        solution->values[k] = 1 / sqrt(solution->values[k]);
    }
    for (int k = 0, l = solution->count - 1; k < l; k++, l--) {
        double *low = solution->vectors + (size_t)k * n;
        double *high = solution->vectors + (size_t)l * n;
        double value = solution->values[k];
        solution->values[k] = solution->values[l];
        solution->values[l] = value;
        for (size_t i = 0; i < n; i++) {
            double kept = low[i];
            low[i] = high[i];
            high[i] = kept;
        }
    }
}

sb_status sb_ritz_solve(const sb_ritz_problem *problem,
                        const sb_ritz_term *terms, int term_count,
                        sb_ritz_solution *out, sb_error *err) {
    size_t n = (size_t)term_count;
    int count = (term_count + 1) / 2;
    double *a = sb_alloc(n * n, sizeof *a);
    double *b = sb_alloc(n * n, sizeof *b);
    double *scale = sb_alloc(n, sizeof *scale);
    sb_ritz_solution made = {
        .count = count,
        .values = sb_alloc((size_t)count, sizeof(double)),
        .vectors = sb_alloc((size_t)count * n, sizeof(double)),
    };
    sb_status status = SB_OK;
    if (!a || !b || !scale || !made.values || !made.vectors) {
        status = sb_fail(err, SB_NO_MEMORY, "plate: out of memory for %d terms",
                         term_count);
    } else {
        assemble(problem, terms, n, a, b, scale);
        const sb_eigen_range high_end = {term_count - count, count};
        status = sb_eigen_symmetric(term_count, a, b, high_end, made.values,
                                    made.vectors, err);
        if (!status) {
            unscale(&made, n, scale);
            *out = made;
        }
    }
    if (status) sb_ritz_solution_free(&made);
    sb_free(a);
    sb_free(b);
    sb_free(scale);
    return status;
}

void sb_ritz_solution_free(sb_ritz_solution *solution) {
    sb_free(solution->values);
    sb_free(solution->vectors);
    *solution = (sb_ritz_solution){0};
}
