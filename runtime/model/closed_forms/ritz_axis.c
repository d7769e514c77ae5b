/* Orthonormal polynomials for Ritz's method, their values and integrals
 * (ritz_axis.h). Thread: any. */
#include "runtime/model/closed_forms/ritz_axis.h"

#include "runtime/base/memory.h"
#include "runtime/model/closed_forms/quadrature.h"

#include <math.h>
#include <stddef.h>

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
