/* The eigenvalue problem of a thick plate (ritz_mindlin.h). Thread: control,
 * workers. */
#include "runtime/model/closed_forms/ritz_mindlin.h"

#include "runtime/base/memory.h"
#include "runtime/model/closed_forms/mindlin.h"
#include "runtime/model/eigen/eigen.h"

#include <math.h>
#include <stddef.h>

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

static int field_of(const sb_mindlin_terms *terms, size_t i) {
    if (i < (size_t)terms->w_count) return W;
    return i < (size_t)(terms->w_count + terms->x_count) ? TURN_X : TURN_Z;
}

/* The energy of two terms; `a` is of the field that comes first. */
static double energy(const sb_mindlin_problem *p, int field_a, sb_ritz_term a,
                     int field_b, sb_ritz_term b) {
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
static void assemble(const sb_mindlin_problem *problem,
                     const sb_mindlin_terms *of, size_t n, double *a, double *b,
                     double *scale) {
    for (size_t i = 0; i < n; i++) {
        int field = field_of(of, i);
        double mass = field == W ? 1 : problem->rotary;
        double own = energy(problem, field, of->terms[i], field, of->terms[i]);
        scale[i] = 1 / sqrt(own + problem->shift * mass);
        a[i * n + i] = mass * scale[i] * scale[i];
        b[i * n + i] = 1;
    }
    for (size_t row = 0; row < n; row++) {
        int field = field_of(of, row);
        for (size_t col = row + 1; col < n; col++) {
            double value = energy(problem, field, of->terms[row],
                                  field_of(of, col), of->terms[col]);
            b[col * n + row] = b[row * n + col] =
                scale[row] * value * scale[col];
        }
    }
}

/* From y and t = 1 / (m + s), ascending, to c and m, lowest first. */
static void unscale(const sb_mindlin_problem *problem,
                    const sb_mindlin_terms *of, size_t n, const double *scale,
                    const double *t, const double *y, int count,
                    sb_ritz_solution *out) {
    for (int k = count - 1; k >= 0; k--) {
        double m = 1 / t[k] - problem->shift, sum = 0;
        if (m < RIGID_SHARE * problem->shift) continue;
        const double *from = y + (size_t)k * n;
        double *c = out->vectors + (size_t)out->count * n;
        for (size_t i = 0; i < n; i++) {
            c[i] = from[i] * scale[i];
            sum += c[i] * c[i] * (field_of(of, i) == W ? 1 : problem->rotary);
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
        assemble(problem, terms, n, a, b, scale);
        const sb_eigen_range high_end = {all - wanted, wanted};
        status = sb_eigen_symmetric(all, a, b, high_end, t, y, err);
        if (!status) {
            unscale(problem, terms, n, scale, t, y, wanted, &made);
            *out = made;
        }
    }
    if (status) sb_ritz_solution_free(&made);
    sb_free(a);
    sb_free(b);
    sb_free(scale);
    sb_free(t);
    sb_free(y);
    return status;
}
