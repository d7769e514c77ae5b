/* SPDX-License-Identifier: MIT */
#include "runtime/fit/refine_modes.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/linear.h"
#include "runtime/fit/refine_sums.h"
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

/* A set of poles and what was computed for it. */
typedef struct refine_point {
    sb_pole *poles;
    double *amplitudes; /* per take: of u, of v */
    double *normal;     /* (2 count)^2: normal matrix of a step */
    double *slope;      /* 2 count: gradient */
    double rest;
} refine_point;

struct sb_refine {
    const sb_takes *takes;
    int count, capacity;
    double least_decay, most_decay;
    refine_point here, there; /* the current point and a trial point */
    /* Products with recordings, per mode and take: u x, v x, n u x, n v x. They
     * are cached until the mode's pole changes. */
    double *products;
    sb_pole *known;   /* poles of the cached products; turn 0: empty */
    double *whitened; /* 4 count, of one take */
    double *scales;   /* 4 count, of the Gram matrix */
    double *gram;     /* (4 count)^2, then its factor */
    double *outer;    /* (2 count)^2: derivatives orthogonal to bases */
    double *corner;   /* (2 count)^2: workspace */
};

/* --- life ----------------------------------------------------------------- */

static bool make_point(refine_point *point, size_t count, size_t takes) {
    point->poles = sb_alloc(count, sizeof *point->poles);
    point->amplitudes = sb_alloc(2 * count * takes, sizeof(double));
    point->normal = sb_alloc(4 * count * count, sizeof(double));
    point->slope = sb_alloc(2 * count, sizeof(double));
    return point->poles && point->amplitudes && point->normal && point->slope;
}

static void free_point(refine_point *point) {
    sb_free_all(point->poles, point->amplitudes, point->normal, point->slope);
}

sb_status sb_refine_create(sb_refine **out, const sb_takes *takes, int capacity,
                           double least_decay, double most_decay,
                           sb_error *err) {
    sb_refine *refine = sb_alloc(1, sizeof *refine);
    if (!refine) return sb_no_memory(err, "fit");
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
        return sb_no_memory(err, "fit");
    }
    *out = refine;
    return SB_OK;
}

void sb_refine_destroy(sb_refine *refine) {
    if (!refine) return;
    free_point(&refine->here);
    free_point(&refine->there);
    sb_free_all(refine->products, refine->known, refine->whitened,
                refine->scales, refine->gram, refine->outer, refine->corner,
                refine);
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

/* --- products with recordings --------------------------------------------- */

/* Correlate the modes some[0 .. count - 1] with all recordings. */
static void correlate_some(sb_refine *refine, const sb_pole *poles,
                           const int *some, int count) {
    sb_pole lanes[SB_LANES];
    size_t takes = (size_t)refine->takes->count;
    for (int i = 0; i < count; i++)
        lanes[i] = refine->known[some[i]] = poles[some[i]];
    for (size_t r = 0; r < takes; r++) {
        const sb_take *take = &refine->takes->items[r];
        double sums[SB_LANES][4];
        sb_correlate_lanes(lanes, count, sb_take_samples(take), take->length,
                           sums);
        for (int i = 0; i < count; i++)
            memcpy(refine->products + 4 * ((size_t)some[i] * takes + r),
                   sums[i], sizeof sums[i]);
    }
}

/* Products of the exponentials with each recording. */
static void correlate(sb_refine *refine, const sb_pole *poles) {
    int some[SB_LANES], count = 0;
    for (int k = 0; k < refine->count; k++) {
        const sb_pole *known = &refine->known[k];
        bool is_new =
            known->turn != poles[k].turn || known->decay != poles[k].decay;
        if (is_new) some[count++] = k;
        if (count == SB_LANES || (count > 0 && k + 1 == refine->count)) {
            correlate_some(refine, poles, some, count);
            count = 0;
        }
    }
}

double sb_refine_strength(const sb_takes *takes, const double *const *signals,
                          sb_pole pole) {
    double strength = 0.0;
    for (int r = 0; r < takes->count; r++) {
        double sums[SB_LANES][4];
        sb_correlate_lanes(&pole, 1, signals[r], takes->items[r].length, sums);
        strength += sums[0][0] * sums[0][0] + sums[0][1] * sums[0][1];
    }
    return strength * -expm1(-2.0 * pole.decay);
}

/* --- amplitudes and slopes ------------------------------------------------ */

/* Scale the Gram matrix to a unit diagonal and factor it into refine->gram and
 * refine->scales; false when it is singular. */
static bool factor_gram(sb_refine *refine, const sb_pole *poles, int length) {
    int wide = 4 * refine->count;
    sb_exponential_gram(poles, refine->count, length, refine->gram);
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
                     refine_point *point) {
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

static bool look(sb_refine *refine, refine_point *point) {
    int half = 2 * refine->count, length = 0;
    correlate(refine, point->poles);
    memset(point->normal, 0,
           (size_t)half * (size_t)half * sizeof *point->normal);
    memset(point->slope, 0, (size_t)half * sizeof *point->slope);
    point->rest = 0.0;
    for (int r = 0; r < refine->takes->count; r++) {
        const sb_take *take = &refine->takes->items[r];
        if (take->length != length) {
            length = take->length;
            if (!factor_gram(refine, point->poles, length)) return false;
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
    refine_point held = refine->here;
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

/* --- trust and residual --------------------------------------------------- */

/* Without mode k the residual grows by c' V^-1 c, where V is the mode's block
 * of the inverse Gram matrix of the bases. */
static void add_gains(const sb_refine *refine, int r, const double *inverse,
                      sb_refine_trust *out) {
    int half = 2 * refine->count;
    const double *scales = refine->scales;
    const double *c = refine->here.amplitudes + (size_t)r * (size_t)half;
    for (int k = 0; k < refine->count; k++) {
        int i = 2 * k;
        const double *at = inverse + (size_t)i * (size_t)half + i;
        double a = c[i] / scales[i], b = c[i + 1] / scales[i + 1];
        double det = at[0] * at[half + 1] - at[1] * at[half];
        if (det > 0.0) {
            out[k].gain +=
                (at[half + 1] * a * a - 2.0 * at[1] * a * b + at[0] * b * b) /
                det;
        }
    }
}

static bool weigh_amplitudes(sb_refine *refine, sb_refine_trust *out) {
    int half = 2 * refine->count, length = 0;
    for (int r = 0; r < refine->takes->count; r++) {
        const sb_take *take = &refine->takes->items[r];
        if (take->length != length) {
            length = take->length;
            if (!factor_gram(refine, refine->here.poles, length)) {
                return false;
            }
            for (int j = 0; j < half; j++)
                memcpy(refine->corner + (size_t)j * (size_t)half,
                       refine->gram + (size_t)j * 2 * (size_t)half,
                       (size_t)half * sizeof *refine->corner);
            if (!sb_linear_invert(half, refine->corner)) return false;
        }
        add_gains(refine, r, refine->corner, out);
    }
    return true;
}

static bool weigh_poles(sb_refine *refine, sb_refine_trust *out) {
    int half = 2 * refine->count;
    const double *normal = refine->here.normal;
    double *scales = refine->scales, *inverse = refine->corner;
    for (int i = 0; i < half; i++) {
        double diagonal = normal[(size_t)i * (size_t)(half + 1)];
        scales[i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    for (int j = 0; j < half; j++) {
        for (int i = 0; i < half; i++) {
            size_t at = (size_t)j * (size_t)half + (size_t)i;
            inverse[at] = normal[at] * scales[i] * scales[j];
            if (i == j) inverse[at] += RIDGE;
        }
    }
    if (!sb_linear_factor(half, inverse) || !sb_linear_invert(half, inverse)) {
        return false;
    }
    for (int k = 0; k < refine->count; k++) {
        size_t i = 2 * (size_t)k, step = (size_t)half + 1;
        out[k].decay_deviation = scales[i] * sqrt(inverse[i * step]);
        out[k].turn_deviation = scales[i + 1] * sqrt(inverse[(i + 1) * step]);
    }
    return true;
}

bool sb_refine_weigh(sb_refine *refine, sb_refine_trust *out) {
    memset(out, 0, (size_t)refine->count * sizeof *out);
    if (refine->count == 0) return true;
    return weigh_amplitudes(refine, out) && weigh_poles(refine, out);
}

/* The recursive exponential is recomputed exactly after this many samples. */
enum { STRIDE = 512 };

static void take_away(sb_pole pole, double complex amplitude, double *x,
                      int length) {
    double size = exp(-pole.decay);
    double re = size * cos(pole.turn), im = size * sin(pole.turn);
    for (int start = 0; start < length; start += STRIDE) {
        double faded = cabs(amplitude) * exp(-pole.decay * start);
        if (faded < 1e-9) return;
        double angle = carg(amplitude) + fmod(pole.turn * start, 2.0 * SB_PI);
        double a = faded * cos(angle), b = faded * sin(angle);
        int end = start + STRIDE < length ? start + STRIDE : length;
        for (int n = start; n < end; n++) {
            x[n] -= a;
            double turned = a * re - b * im;
            b = a * im + b * re;
            a = turned;
        }
    }
}

void sb_refine_residual(const sb_refine *refine, int take, double *out) {
    const sb_take *from = &refine->takes->items[take];
    memcpy(out, sb_take_samples(from), (size_t)from->length * sizeof *out);
    for (int k = 0; k < refine->count; k++)
        take_away(refine->here.poles[k], sb_refine_amplitude(refine, take, k),
                  out, from->length);
}
