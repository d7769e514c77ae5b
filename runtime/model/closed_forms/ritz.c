/* SPDX-License-Identifier: MIT */
#include "runtime/model/closed_forms/ritz.h"

#include "runtime/base/memory.h"
#include "runtime/model/closed_forms/mindlin.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/eigen/eigen.h"

#include <math.h>
#include <stddef.h>

/* --- polynomials along an axis -------------------------------------------- */

sb_status sb_ritz_axis_init(sb_ritz_axis *axis, int count, int power_low,
                            int power_high, sb_error *err) {
    double *block = sb_alloc(2 * (size_t)count + 2, sizeof *block);
    if (!block) {
        return sb_fail(err, SB_NO_MEMORY, "plate: out of memory for %d terms",
                       count);
    }
    axis->count = count;
    axis->power_low = power_low;
    axis->power_high = power_high;
    axis->off = block;
    axis->diag = block + count + 1;
    double a = 2 * axis->power_high, b = 2 * axis->power_low, ab = a + b;
    for (int i = 0; i <= count; i++) {
        double t = 2 * i + ab;
        if (i > 0) {
            axis->off[i] = sqrt(4 * i * (i + a) * (i + b) * (i + ab) /
                                (t * t * (t + 1) * (t - 1)));
        }
        /* Zero for equal ends, also where the formula reads 0 / 0. */
        axis->diag[i] = a == b ? 0 : (b * b - a * a) / (t * (t + 2));
    }
    axis->first =
        sqrt(tgamma(ab + 2) / (pow(2, ab + 1) * tgamma(a + 1) * tgamma(b + 1)));
    return SB_OK;
}

void sb_ritz_axis_free(sb_ritz_axis *axis) {
    sb_free(axis->off);
    axis->off = axis->diag = NULL;
}

/* s^p and its first two derivatives by s; p = 0, 1 or 2. */
static void power(int p, double s, double f[3]) {
    f[0] = p == 0 ? 1 : p == 1 ? s : s * s;
    f[1] = p == 0 ? 0 : p == 1 ? 1 : 2 * s;
    f[2] = p == 2 ? 2 : 0;
}

/* (1 + x)^p (1 - x)^q and its first two derivatives. */
static void end_factor(const sb_ritz_axis *axis, double x, double f[3]) {
    double low[3], high[3];
    power(axis->power_low, 1 + x, low);
    power(axis->power_high, 1 - x, high);
    high[1] = -high[1];
    f[0] = low[0] * high[0];
    f[1] = low[1] * high[0] + low[0] * high[1];
    f[2] = low[2] * high[0] + 2 * low[1] * high[1] + low[0] * high[2];
}

void sb_ritz_axis_at(const sb_ritz_axis *axis, double x, double *values) {
    double f[3];
    end_factor(axis, x, f);
    double before = 0, now = axis->first * f[0];
    for (int i = 0; i < axis->count; i++) {
        values[i] = now;
        double next = ((x - axis->diag[i]) * now - axis->off[i] * before) /
                      axis->off[i + 1];
        before = now;
        now = next;
    }
}

/* The recurrence differentiated, then the product rule. */
void sb_ritz_axis_derivatives(const sb_ritz_axis *axis, double x, double *out) {
    double f[3], before[3] = {0}, now[3] = {axis->first, 0, 0}, next[3];
    end_factor(axis, x, f);
    int count = axis->count;
    for (int i = 0; i < count; i++) {
        out[i] = f[0] * now[0];
        out[count + i] = f[1] * now[0] + f[0] * now[1];
        out[2 * count + i] = f[2] * now[0] + 2 * f[1] * now[1] + f[0] * now[2];
        double shift = x - axis->diag[i], off = axis->off[i];
        for (int d = 0; d < 3; d++) {
            double lower = d > 0 ? d * now[d - 1] : 0;
            next[d] =
                (shift * now[d] + lower - off * before[d]) / axis->off[i + 1];
        }
        for (int d = 0; d < 3; d++) {
            before[d] = now[d];
            now[d] = next[d];
        }
    }
}

static void accumulate(sb_ritz_matrices *out, int count, const double *at,
                       double weight) {
    const double *value = at, *slope = at + count, *bend = slope + count;
    for (int i = 0; i < count; i++) {
        size_t row = (size_t)i * (size_t)count;
        double wv = weight * value[i], ws = weight * slope[i];
        double wb = weight * bend[i];
        for (int j = 0; j < count; j++) {
            out->bend[row + (size_t)j] += wb * bend[j];
            out->mixed[row + (size_t)j] += wv * bend[j];
            out->slope[row + (size_t)j] += ws * slope[j];
            out->drift[row + (size_t)j] += wv * slope[j];
        }
    }
}

sb_status sb_ritz_axis_matrices(const sb_ritz_axis *axis, sb_ritz_matrices *out,
                                sb_error *err) {
    int count = axis->count, points = count + 6; /* exact for all products */
    size_t square = (size_t)count * (size_t)count;
    double *block = sb_alloc(4 * square, sizeof *block);
    double *nodes =
        sb_alloc(2 * (size_t)points + 3 * (size_t)count, sizeof *nodes);
    if (!block || !nodes) {
        sb_free(block);
        sb_free(nodes);
        return sb_fail(err, SB_NO_MEMORY, "plate: out of memory for %d terms",
                       count);
    }
    double *weights = nodes + points, *at = weights + points;
    out->bend = block;
    out->mixed = block + square;
    out->slope = block + 2 * square;
    out->drift = block + 3 * square;
    sb_gauss_legendre(points, nodes, weights);
    for (int i = 0; i < points; i++) {
        sb_ritz_axis_derivatives(axis, nodes[i], at);
        accumulate(out, count, at, weights[i]);
    }
    sb_free(nodes);
    return SB_OK;
}

/* --- thin plates ---------------------------------------------------------- */

static double thin_energy(const sb_ritz_problem *problem, sb_ritz_term p,
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
static void thin_assemble(const sb_ritz_problem *problem,
                          const sb_ritz_term *terms, size_t n, double *a,
                          double *b, double *scale) {
    for (size_t i = 0; i < n; i++) {
        scale[i] = 1 / sqrt(thin_energy(problem, terms[i], terms[i]));
        a[i * n + i] = scale[i] * scale[i];
        b[i * n + i] = 1;
    }
    for (size_t row = 0; row < n; row++) {
        for (size_t col = 0; col < row; col++) {
            b[col * n + row] = b[row * n + col] =
                scale[row] * thin_energy(problem, terms[row], terms[col]) *
                scale[col];
        }
    }
}

/* From y and 1 / mu, ascending, to unit c and sqrt(mu), lowest first. */
static void thin_unscale(sb_ritz_solution *solution, size_t n,
                         const double *scale) {
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
    sb_eigen_reverse(solution->values, solution->vectors, solution->count, n);
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
        thin_assemble(problem, terms, n, a, b, scale);
        const sb_eigen_range high_end = {term_count - count, count};
        status = sb_eigen_symmetric(term_count, a, b, high_end, made.values,
                                    made.vectors, err);
        if (!status) {
            thin_unscale(&made, n, scale);
            *out = made;
        }
    }
    if (status) sb_ritz_solution_free(&made);
    sb_free_all(a, b, scale);
    return status;
}

void sb_ritz_solution_free(sb_ritz_solution *solution) {
    sb_free(solution->values);
    sb_free(solution->vectors);
    *solution = (sb_ritz_solution){0};
}

/* --- thick plates --------------------------------------------------------- */

/* Below this share of the shift a value is a rigid motion's. */
#define RIGID_SHARE 1e-6

enum { W, TURN_X, TURN_Z };

void sb_mindlin_problem_init(sb_mindlin_problem *problem,
                             const sb_plate_stiffness *plate, double width,
                             double depth) {
    double half2 = 0.25 * width * width, d = plate->d11;
    problem->aspect = width / depth;
    problem->d12 = plate->d12 / d;
    problem->d22 = plate->d22 / d;
    problem->d66 = plate->d66 / d;
    problem->s1 = plate->s1 * half2 / d;
    problem->s2 = plate->s2 * half2 / d;
    problem->rotary = plate->rotary / (plate->mass * half2);
    /* Of a bar along the longer side: (4.73 / 2)^4 = 31, at its softest. */
    double long_side = fmax(width, depth) / width;
    double soft = fmin(1, fmin(problem->d22, problem->d66));
    problem->shift = 3 * soft / pow(long_side, 4);
}

static int thick_field_of(const sb_mindlin_terms *terms, size_t i) {
    if (i < (size_t)terms->w_count) return W;
    return i < (size_t)(terms->w_count + terms->x_count) ? TURN_X : TURN_Z;
}

/* The energy of two terms; `a` is of the field that comes first. */
static double thick_energy(const sb_mindlin_problem *p, int field_a,
                           sb_ritz_term a, int field_b, sb_ritz_term b) {
    int xx = a.i * p->x_count + b.i, zz = a.j * p->z_count + b.j;
    int xt = b.i * p->x_count + a.i, zt = b.j * p->z_count + a.j;
    double same_x = a.i == b.i, same_z = a.j == b.j, r = p->aspect * p->aspect;
    if (field_a == field_b) {
        double along = p->x->slope[xx] * same_z;
        double across = r * p->z->slope[zz] * same_x;
        double same = same_x * same_z;
        if (field_a == W) return p->s1 * along + p->s2 * across;
        if (field_a == TURN_X) return along + p->d66 * across + p->s1 * same;
        return p->d66 * along + p->d22 * across + p->s2 * same;
    }
    if (field_a == W) {
        return field_b == TURN_X ? p->s1 * p->x->drift[xt] * same_z
                                 : p->s2 * p->aspect * p->z->drift[zt] * same_x;
    }
    return p->aspect * (p->d12 * p->x->drift[xt] * p->z->drift[zz] +
                        p->d66 * p->x->drift[xx] * p->z->drift[zt]);
}

/* b = S (K + s M) S and a = S M S, with S = diag(K + s M)^-1/2. */
static void thick_assemble(const sb_mindlin_problem *problem,
                           const sb_mindlin_terms *of, size_t n, double *a,
                           double *b, double *scale) {
    for (size_t i = 0; i < n; i++) {
        int field = thick_field_of(of, i);
        double mass = field == W ? 1 : problem->rotary;
        double own =
            thick_energy(problem, field, of->terms[i], field, of->terms[i]);
        scale[i] = 1 / sqrt(own + problem->shift * mass);
        a[i * n + i] = mass * scale[i] * scale[i];
        b[i * n + i] = 1;
    }
    for (size_t row = 0; row < n; row++) {
        int field = thick_field_of(of, row);
        for (size_t col = row + 1; col < n; col++) {
            double value =
                thick_energy(problem, field, of->terms[row],
                             thick_field_of(of, col), of->terms[col]);
            b[col * n + row] = b[row * n + col] =
                scale[row] * value * scale[col];
        }
    }
}

/* From y and t = 1 / (m + s), ascending, to c and m, lowest first. */
static void thick_unscale(const sb_mindlin_problem *problem,
                          const sb_mindlin_terms *of, size_t n,
                          const double *scale, const double *t, const double *y,
                          int count, sb_ritz_solution *out) {
    for (int k = count - 1; k >= 0; k--) {
        double m = 1 / t[k] - problem->shift, sum = 0;
        if (m < RIGID_SHARE * problem->shift) continue;
        const double *from = y + (size_t)k * n;
        double *c = out->vectors + (size_t)out->count * n;
        for (size_t i = 0; i < n; i++) {
            c[i] = from[i] * scale[i];
            sum += c[i] * c[i] *
                   (thick_field_of(of, i) == W ? 1 : problem->rotary);
        }
        double length = sqrt(sum);
        for (size_t i = 0; i < n; i++)
            c[i] /= length;
        out->values[out->count++] = m;
    }
}

sb_status sb_mindlin_solve(const sb_mindlin_problem *problem,
                           const sb_mindlin_terms *terms, int count,
                           sb_ritz_solution *out, sb_error *err) {
    int all = terms->w_count + terms->x_count + terms->z_count;
    int wanted = count + 3 < all ? count + 3 : all; /* 3 may be rigid */
    size_t n = (size_t)all, found = (size_t)wanted;
    double *a = sb_alloc(n * n, sizeof *a);
    double *b = sb_alloc(n * n, sizeof *b);
    double *scale = sb_alloc(n, sizeof *scale);
    double *t = sb_alloc(found, sizeof *t);
    double *y = sb_alloc(found * n, sizeof *y);
    sb_ritz_solution made = {
        .values = sb_alloc(found, sizeof(double)),
        .vectors = sb_alloc(found * n, sizeof(double)),
    };
    sb_status status = SB_OK;
    if (!a || !b || !scale || !t || !y || !made.values || !made.vectors) {
        status = sb_fail(err, SB_NO_MEMORY, "plate: out of memory for %d terms",
                         all);
    } else {
        thick_assemble(problem, terms, n, a, b, scale);
        const sb_eigen_range high_end = {all - wanted, wanted};
        status = sb_eigen_symmetric(all, a, b, high_end, t, y, err);
        if (!status) {
            thick_unscale(problem, terms, n, scale, t, y, wanted, &made);
            *out = made;
        }
    }
    if (status) sb_ritz_solution_free(&made);
    sb_free_all(a, b, scale, t, y);
    return status;
}
