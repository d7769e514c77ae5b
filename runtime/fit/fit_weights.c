/* SPDX-License-Identifier: MIT */
#include "runtime/fit/fit.h"

#include "runtime/base/cmplx.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* --- signs ---------------------------------------------------------------- */

/* Assumed largest error of onsets, and step of the search over delays. */
#define MOST_DELAY_S    3e-4
#define DELAY_STEP_S    2e-6
#define LEAST_AGREEMENT 0.7

static size_t at(const sb_fit *fit, int k, int r) {
    return (size_t)k * (size_t)fit->take_count + (size_t)r;
}

static double total(const sb_fit *fit, int r) {
    double sum = 0.0;
    for (int k = 0; k < fit->mode_count; k++)
        sum += fit->gains[at(fit, k, r)];
    return sum;
}

/* Agreement of the phases of take r, delayed by `delay_s`, with those of
 * another, 1 at best. Phase differences are doubled, so that opposite phases
 * agree. */
static double agreement(const sb_fit *fit, int r, int other, double delay_s) {
    double sum = 0.0, most = 0.0;
    for (int k = 0; k < fit->mode_count; k++) {
        double weight =
            sqrt(fit->gains[at(fit, k, r)] * fit->gains[at(fit, k, other)]);
        double apart = fit->phases_rad[at(fit, k, r)] -
                       fit->phases_rad[at(fit, k, other)] -
                       2.0 * SB_PI * fit->modes[k].freq_hz * delay_s;
        sum += weight * cos(2.0 * apart);
        most += weight;
    }
    return most > 0.0 ? sum / most : 0.0;
}

static double find_delay(const sb_fit *fit, int r, int other, double *best) {
    int steps = (int)(MOST_DELAY_S / DELAY_STEP_S);
    double delay_s = 0.0;
    *best = agreement(fit, r, other, 0.0);
    for (int i = -steps; i <= steps; i++) {
        double value = agreement(fit, r, other, i * DELAY_STEP_S);
        if (value > *best + 1e-9) {
            *best = value;
            delay_s = i * DELAY_STEP_S;
        }
    }
    return delay_s;
}

static void sign_mode(const sb_fit *fit, int k, const double *delays_s,
                      double *weights) {
    double complex axis = 0.0; /* its argument is twice the common phase */
    double complex turned[SB_FIT_MAX_TAKES];
    for (int r = 0; r < fit->take_count; r++) {
        double phase = fit->phases_rad[at(fit, k, r)] -
                       2.0 * SB_PI * fit->modes[k].freq_hz * delays_s[r];
        turned[r] = fit->gains[at(fit, k, r)] * CMPLX(cos(phase), sin(phase));
        axis += turned[r] * turned[r];
    }
    double angle = 0.5 * carg(axis);
    for (int r = 0; r < fit->take_count; r++) {
        double along = creal(turned[r] * CMPLX(cos(angle), -sin(angle)));
        if (along < 0.0) weights[at(fit, k, r)] *= -1.0;
    }
}

double sb_fit_weights(const sb_fit *fit, double *weights, double *largest) {
    double delays_s[SB_FIT_MAX_TAKES] = {0};
    double worst = 1.0;
    int loudest = 0;
    for (int r = 1; r < fit->take_count; r++)
        if (total(fit, r) > total(fit, loudest)) loudest = r;
    for (int r = 0; r < fit->take_count; r++) {
        double value = 1.0;
        if (r != loudest) delays_s[r] = find_delay(fit, r, loudest, &value);
        worst = fmin(worst, value);
    }
    for (int k = 0; k < fit->mode_count; k++) {
        double most = 1e-300;
        for (int r = 0; r < fit->take_count; r++)
            most = fmax(most, fit->gains[at(fit, k, r)]);
        largest[k] = most;
        for (int r = 0; r < fit->take_count; r++)
            weights[at(fit, k, r)] = fit->gains[at(fit, k, r)] / most;
        if (worst >= LEAST_AGREEMENT) sign_mode(fit, k, delays_s, weights);
    }
    return fmax(worst, 0.0);
}

enum { MOST = SB_SPREAD_MAX_PLACES };

/* --- along one axis ------------------------------------------------------- */

typedef struct profile {
    int count;
    double x[MOST], y[MOST], slope[MOST];
} profile;

/* Sort by x; places with equal x are replaced by their mean. */
static void put_in_order(profile *p, int count, const double *x,
                         const double *y) {
    int together[MOST];
    p->count = 0;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < p->count && p->x[j] < x[i] - 1e-6)
            j++;
        if (j < p->count && fabs(p->x[j] - x[i]) <= 1e-6) {
            p->y[j] = (p->y[j] * together[j] + y[i]) / (together[j] + 1);
            together[j]++;
            continue;
        }
        size_t after = (size_t)(p->count - j);
        memmove(p->x + j + 1, p->x + j, after * sizeof *p->x);
        memmove(p->y + j + 1, p->y + j, after * sizeof *p->y);
        memmove(together + j + 1, together + j, after * sizeof *together);
        p->x[j] = x[i];
        p->y[j] = y[i];
        together[j] = 1;
        p->count++;
    }
}

/* Harmonic mean of the adjacent slopes; zero at the ends and where the slope
 * changes sign, so that the curve never overshoots. */
static void find_slopes(profile *p) {
    for (int i = 0; i < p->count; i++) {
        p->slope[i] = 0.0;
        if (i == 0 || i + 1 == p->count) continue;
        double h0 = p->x[i] - p->x[i - 1], h1 = p->x[i + 1] - p->x[i];
        double d0 = (p->y[i] - p->y[i - 1]) / h0;
        double d1 = (p->y[i + 1] - p->y[i]) / h1;
        double part = (h0 + 2.0 * h1) / (3.0 * (h0 + h1));
        if (d0 * d1 > 0.0)
            p->slope[i] = d0 * d1 / (part * d1 + (1.0 - part) * d0);
    }
}

static double profile_at(const profile *p, double x) {
    if (x <= p->x[0]) return p->y[0];
    if (x >= p->x[p->count - 1]) return p->y[p->count - 1];
    int i = 0;
    while (x > p->x[i + 1])
        i++;
    double h = p->x[i + 1] - p->x[i], t = (x - p->x[i]) / h;
    double s = 1.0 - t;
    return p->y[i] * (1.0 + 2.0 * t) * s * s +
           p->y[i + 1] * (3.0 - 2.0 * t) * t * t +
           h * (p->slope[i] * t * s * s - p->slope[i + 1] * t * t * s);
}

/* The line joins the two places that are furthest apart. */
static void find_line(const sb_spread *spread, double origin[2],
                      double direction[2]) {
    double most = 0.0;
    memcpy(origin, spread->places[0], 2 * sizeof *origin);
    direction[0] = 1.0;
    direction[1] = 0.0;
    for (int i = 0; i < spread->count; i++) {
        for (int j = i + 1; j < spread->count; j++) {
            double u = spread->places[j][0] - spread->places[i][0];
            double v = spread->places[j][1] - spread->places[i][1];
            double length = hypot(u, v);
            if (length <= most) continue;
            most = length;
            direction[0] = u / length;
            direction[1] = v / length;
        }
    }
}

static double place_along(const sb_spread *spread, const double origin[2],
                          const double direction[2], double u, double v) {
    if (spread->kind == SB_SPREAD_ROUND) return hypot(u - 0.5, v - 0.5);
    return (u - origin[0]) * direction[0] + (v - origin[1]) * direction[1];
}

static void fill_profile(const sb_spread *spread, const double *values,
                         int width, int height, float *out) {
    double origin[2], direction[2], x[MOST];
    profile p = {0};
    find_line(spread, origin, direction);
    for (int i = 0; i < spread->count; i++)
        x[i] = place_along(spread, origin, direction, spread->places[i][0],
                           spread->places[i][1]);
    put_in_order(&p, spread->count, x, values);
    find_slopes(&p);
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++)
            *out++ = (float)profile_at(
                &p, place_along(spread, origin, direction,
                                (column + 0.5) / width, (row + 0.5) / height));
    }
}

/* --- scattered ------------------------------------------------------------ */

typedef struct equations {
    int count;
    double a[MOST + 1][MOST + 2]; /* right-hand side in the last column */
} equations;

static void swap_rows(equations *e, int i, int j) {
    for (int c = 0; c <= e->count; c++) {
        double held = e->a[i][c];
        e->a[i][c] = e->a[j][c];
        e->a[j][c] = held;
    }
}

/* Gauss-Jordan elimination with pivoting. False when two places coincide. */
static bool solve(equations *e) {
    for (int i = 0; i < e->count; i++) {
        int pivot = i;
        for (int j = i + 1; j < e->count; j++)
            if (fabs(e->a[j][i]) > fabs(e->a[pivot][i])) pivot = j;
        if (fabs(e->a[pivot][i]) < 1e-9) return false;
        swap_rows(e, i, pivot);
        for (int j = 0; j < e->count; j++) {
            if (j == i) continue;
            double part = e->a[j][i] / e->a[i][i];
            for (int c = i; c <= e->count; c++)
                e->a[j][c] -= part * e->a[i][c];
        }
    }
    for (int i = 0; i < e->count; i++)
        e->a[i][e->count] /= e->a[i][i];
    return true;
}

static sb_status fill_scattered(const sb_spread *spread, const double *values,
                                int width, int height, float *out,
                                sb_error *err) {
    equations e = {.count = spread->count + 1};
    for (int i = 0; i < spread->count; i++) {
        for (int j = 0; j < spread->count; j++)
            e.a[i][j] = hypot(spread->places[i][0] - spread->places[j][0],
                              spread->places[i][1] - spread->places[j][1]);
        e.a[i][spread->count] = e.a[spread->count][i] = 1.0;
        e.a[i][e.count] = values[i];
    }
    if (spread->count == 1) {
        e.a[0][e.count] = 0.0;
        e.a[1][e.count] = values[0];
    } else if (!solve(&e)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "two recordings have the same place");
    }
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            double u = (column + 0.5) / width, v = (row + 0.5) / height;
            double sum = e.a[spread->count][e.count];
            for (int i = 0; i < spread->count; i++)
                sum += e.a[i][e.count] * hypot(u - spread->places[i][0],
                                               v - spread->places[i][1]);
            *out++ = (float)sum;
        }
    }
    return SB_OK;
}

sb_status sb_spread_fill(const sb_spread *spread, const double *values,
                         int width, int height, float *out, sb_error *err) {
    if (spread->kind == SB_SPREAD_SCATTERED)
        return fill_scattered(spread, values, width, height, out, err);
    fill_profile(spread, values, width, height, out);
    return SB_OK;
}
