/* Refines the poles of a fit by Gauss-Newton steps on the variable projection
 * functional (see refine_modes.h for the equations). Control thread. */
#include "runtime/fit/refine_modes.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/linear.h"
#include "runtime/fit/refine_internal.h"
#include "runtime/model/linear/blas.h"

#include <math.h>
#include <string.h>

/* Iteration stops when a step reduces the sum of squares by less than this part
 * of the noise variance. */
#define LEAST_PROGRESS 0.001
/* Smallest step worth doing, in standard deviations of a pole. */
#define LEAST_STEP 0.003
/* Added to a unit diagonal, so that the factorisation succeeds even with nearly
 * equal modes; these are removed afterwards. */
#define RIDGE 1e-11

/* --- life ----------------------------------------------------------------- */

static bool make_point(sb_refine_point *point, size_t count, size_t takes) {
    point->poles = sb_alloc(count, sizeof *point->poles);
    point->amplitudes = sb_alloc(2 * count * takes, sizeof(double));
    point->normal = sb_alloc(4 * count * count, sizeof(double));
    point->slope = sb_alloc(2 * count, sizeof(double));
    return point->poles && point->amplitudes && point->normal && point->slope;
}

static void free_point(sb_refine_point *point) {
    sb_free(point->poles);
    sb_free(point->amplitudes);
    sb_free(point->normal);
    sb_free(point->slope);
}

sb_status sb_refine_create(sb_refine **out, const sb_takes *takes, int capacity,
                           double least_decay, double most_decay,
                           sb_error *err) {
    sb_refine *refine = sb_alloc(1, sizeof *refine);
    if (!refine) return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    size_t count = (size_t)capacity, take_count = (size_t)takes->count;
    refine->takes = takes;
    refine->capacity = capacity;
    refine->least_decay = least_decay;
    refine->most_decay = most_decay;
    refine->products = sb_alloc(4 * count * take_count, sizeof(double));
    refine->known = sb_alloc(count, sizeof *refine->known);
    refine->whitened = sb_alloc(4 * count, sizeof(double));
    refine->scales = sb_alloc(4 * count, sizeof(double));
    refine->gram = sb_alloc(16 * count * count, sizeof(double));
    refine->outer = sb_alloc(4 * count * count, sizeof(double));
    refine->corner = sb_alloc(4 * count * count, sizeof(double));
    bool has_points = make_point(&refine->here, count, take_count) &&
                      make_point(&refine->there, count, take_count);
    if (!has_points || !refine->products || !refine->known ||
        !refine->whitened || !refine->scales || !refine->gram ||
        !refine->outer || !refine->corner) {
        sb_refine_destroy(refine);
        return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    }
    *out = refine;
    return SB_OK;
}

void sb_refine_destroy(sb_refine *refine) {
    if (!refine) return;
    free_point(&refine->here);
    free_point(&refine->there);
    sb_free(refine->products);
    sb_free(refine->known);
    sb_free(refine->whitened);
    sb_free(refine->scales);
    sb_free(refine->gram);
    sb_free(refine->outer);
    sb_free(refine->corner);
    sb_free(refine);
}

int sb_refine_count(const sb_refine *refine) {
    return refine->count;
}

const sb_pole *sb_refine_poles(const sb_refine *refine) {
    return refine->here.poles;
}

bool sb_refine_add(sb_refine *refine, sb_pole pole) {
    if (refine->count == refine->capacity) return false;
    refine->known[refine->count] = (sb_pole){0.0, 0.0};
    refine->here.poles[refine->count++] = pole;
    return true;
}

void sb_refine_remove(sb_refine *refine, int mode) {
    refine->count--;
    size_t after = (size_t)(refine->count - mode);
    size_t each = 4 * (size_t)refine->takes->count;
    memmove(refine->here.poles + mode, refine->here.poles + mode + 1,
            after * sizeof(sb_pole));
    memmove(refine->known + mode, refine->known + mode + 1,
            after * sizeof(sb_pole));
    memmove(refine->products + (size_t)mode * each,
            refine->products + (size_t)(mode + 1) * each,
            after * each * sizeof(double));
}

void sb_refine_forget(sb_refine *refine) {
    memset(refine->known, 0, (size_t)refine->count * sizeof *refine->known);
}

/* --- amplitudes and slopes ------------------------------------------------ */

bool sb_refine_factor(sb_refine *refine, const sb_pole *poles, int length) {
    int wide = 4 * refine->count;
    sb_refine_gram(poles, refine->count, length, refine->gram);
    for (int i = 0; i < wide; i++) {
        double diagonal = refine->gram[(size_t)i * (size_t)(wide + 1)];
        if (!(diagonal > 0.0)) return false;
        refine->scales[i] = 1.0 / sqrt(diagonal);
    }
    for (int j = 0; j < wide; j++) {
        double *column = refine->gram + (size_t)j * (size_t)wide;
        for (int i = 0; i < wide; i++)
            column[i] *= refine->scales[i] * refine->scales[j];
        column[j] += RIDGE;
    }
    return sb_linear_factor(wide, refine->gram);
}

/* L22 L22', unscaled: the part of the derivatives orthogonal to the bases. */
static void find_outer(sb_refine *refine) {
    int half = 2 * refine->count, wide = 2 * half;
    const double *scales = refine->scales + half;
    for (int j = 0; j < half; j++) {
        const double *column =
            refine->gram + (size_t)(half + j) * (size_t)wide + half;
        double *to = refine->corner + (size_t)j * (size_t)half;
        for (int i = 0; i < half; i++)
            to[i] = i < j ? 0.0 : column[i] / scales[i];
    }
    sb_blas_shape shape = {half, half, half};
    sb_blas_multiply(shape, 1.0, refine->corner, half, refine->corner, half,
                     0.0, refine->outer, half);
}

/* Solve for the amplitudes of one take; returns its part of the residual. The
 * second half of `whitened` receives the gradient by the amplitudes of the
 * derivatives. */
static double solve_take(sb_refine *refine, int r, double *amplitudes) {
    int half = 2 * refine->count, wide = 2 * half;
    double *y = refine->whitened;
    for (int k = 0; k < refine->count; k++) {
        const double *products =
            refine->products +
            4 * ((size_t)k * (size_t)refine->takes->count + (size_t)r);
        memcpy(y + 2 * k, products, 2 * sizeof *y);
        memcpy(y + half + 2 * k, products + 2, 2 * sizeof *y);
    }
    for (int i = 0; i < wide; i++)
        y[i] *= refine->scales[i];
    sb_linear_forward(wide, wide, refine->gram, y);
    double told = 0.0;
    for (int i = 0; i < half; i++) {
        told += y[i] * y[i];
        amplitudes[i] = y[i];
    }
    sb_linear_backward(half, wide, refine->gram, amplitudes);
    for (int i = 0; i < half; i++)
        amplitudes[i] *= refine->scales[i];
    /* `corner` holds L22 divided by the scales. */
    double *slopes = y + half;
    for (int i = half - 1; i >= 0; i--) {
        double sum = 0.0;
        for (int j = 0; j <= i; j++)
            sum += refine->corner[(size_t)j * (size_t)half + (size_t)i] *
                   slopes[j];
        slopes[i] = sum;
    }
    return told;
}

/* A change p + i q of log p_k changes the amplitudes of n u and n v by
 * (a p - b q, b p + a q): normal += T' outer T, slope += T' slopes. */
static void add_take(sb_refine *refine, const double *amplitudes,
                     sb_refine_point *point) {
    int half = 2 * refine->count;
    const double *slopes = refine->whitened + half;
    for (int l = 0; l < half; l += 2) {
        double al = amplitudes[l], bl = amplitudes[l + 1];
        point->slope[l] += al * slopes[l] + bl * slopes[l + 1];
        point->slope[l + 1] += al * slopes[l + 1] - bl * slopes[l];
        const double *from = refine->outer + (size_t)l * (size_t)half;
        double *to = point->normal + (size_t)l * (size_t)half;
        for (int k = 0; k < half; k += 2) {
            double ak = amplitudes[k], bk = amplitudes[k + 1];
            double s00 = from[k], s10 = from[k + 1];
            double s01 = from[half + k], s11 = from[half + k + 1];
            double p0 = s00 * al + s01 * bl, p1 = s10 * al + s11 * bl;
            double q0 = s01 * al - s00 * bl, q1 = s11 * al - s10 * bl;
            to[k] += ak * p0 + bk * p1;
            to[k + 1] += ak * p1 - bk * p0;
            to[half + k] += ak * q0 + bk * q1;
            to[half + k + 1] += ak * q1 - bk * q0;
        }
    }
}

static double power_of(const sb_take *take) {
    const double *x = sb_take_samples(take);
    double sum = 0.0;
    for (int n = 0; n < take->length; n++)
        sum += x[n] * x[n];
    return sum;
}

static bool look(sb_refine *refine, sb_refine_point *point) {
    int half = 2 * refine->count, length = 0;
    sb_refine_correlate(refine, point->poles);
    memset(point->normal, 0,
           (size_t)half * (size_t)half * sizeof *point->normal);
    memset(point->slope, 0, (size_t)half * sizeof *point->slope);
    point->rest = 0.0;
    for (int r = 0; r < refine->takes->count; r++) {
        const sb_take *take = &refine->takes->items[r];
        if (take->length != length) {
            length = take->length;
            if (!sb_refine_factor(refine, point->poles, length)) return false;
            find_outer(refine);
        }
        double *amplitudes = point->amplitudes + (size_t)r * (size_t)half;
        point->rest += power_of(take) - solve_take(refine, r, amplitudes);
        add_take(refine, amplitudes, point);
    }
    return true;
}

/* --- steps ---------------------------------------------------------------- */

static bool find_step(sb_refine *refine, double damping, double *step) {
    int half = 2 * refine->count;
    memcpy(refine->corner, refine->here.normal,
           (size_t)half * (size_t)half * sizeof *refine->corner);
    memcpy(step, refine->here.slope, (size_t)half * sizeof *step);
    double *scales = refine->scales;
    for (int i = 0; i < half; i++) {
        double diagonal = refine->corner[(size_t)i * (size_t)(half + 1)];
        scales[i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
        step[i] *= scales[i];
    }
    for (int j = 0; j < half; j++) {
        double *column = refine->corner + (size_t)j * (size_t)half;
        for (int i = 0; i < half; i++)
            column[i] *= scales[i] * scales[j];
        column[j] += damping + RIDGE;
    }
    if (!sb_linear_factor(half, refine->corner)) return false;
    sb_linear_forward(half, half, refine->corner, step);
    sb_linear_backward(half, half, refine->corner, step);
    for (int i = 0; i < half; i++)
        step[i] *= scales[i];
    return true;
}

/* Is a step, measured in standard deviations, too small to be worth its
 * time? */
static bool is_small(const sb_refine *refine, int i, double step) {
    size_t half = 2 * (size_t)refine->count;
    double normal = refine->here.normal[(size_t)i * (half + 1)];
    return fabs(step) * sqrt(normal) < LEAST_STEP;
}

/* One step moves no pole by more than its own bandwidth. */
static void move(sb_refine *refine, const double *step) {
    for (int k = 0; k < refine->count; k++) {
        sb_pole pole = refine->here.poles[k];
        refine->there.poles[k] = pole;
        if (is_small(refine, 2 * k, step[2 * k]) &&
            is_small(refine, 2 * k + 1, step[2 * k + 1])) {
            continue;
        }
        double reach = 0.5 * pole.decay;
        double down = fmin(fmax(step[2 * k], -2.0 * reach), reach);
        double turn = fmin(fmax(step[2 * k + 1], -2.0 * reach), 2.0 * reach);
        pole.decay = fmin(fmax(pole.decay - down, refine->least_decay),
                          refine->most_decay);
        pole.turn = fmin(fmax(pole.turn + turn, 1e-6), SB_PI - 1e-6);
        refine->there.poles[k] = pole;
    }
}

static void swap_points(sb_refine *refine) {
    sb_refine_point held = refine->here;
    refine->here = refine->there;
    refine->there = held;
}

bool sb_refine_run(sb_refine *refine, int steps) {
    if (refine->count == 0) {
        refine->here.rest = 0.0;
        for (int r = 0; r < refine->takes->count; r++)
            refine->here.rest += power_of(&refine->takes->items[r]);
        return true;
    }
    if (!look(refine, &refine->here)) return false;
    double damping = 1e-3;
    for (int i = 0; i < steps && damping < 1e6; i++) {
        double *step = refine->whitened;
        if (!find_step(refine, damping, step)) return true;
        move(refine, step);
        double before = refine->here.rest;
        if (!look(refine, &refine->there) || refine->there.rest >= before) {
            damping = damping < 1e-3 ? 1e-2 : damping * 10.0;
            continue;
        }
        swap_points(refine);
        damping *= 0.1;
        if (before - refine->here.rest < LEAST_PROGRESS) break;
    }
    return true;
}

double sb_refine_rest(const sb_refine *refine) {
    return refine->here.rest;
}

double complex sb_refine_amplitude(const sb_refine *refine, int take,
                                   int mode) {
    const double *at =
        refine->here.amplitudes +
        2 * ((size_t)take * (size_t)refine->count + (size_t)mode);
    return CMPLX(at[0], at[1]);
}
