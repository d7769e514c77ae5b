/* Standard deviations, significance and residual of a refined fit. Control
 * thread. */
#include "runtime/base/pi.h"
#include "runtime/fit/linear.h"
#include "runtime/fit/refine_internal.h"

#include <math.h>
#include <string.h>

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
            if (!sb_refine_factor(refine, refine->here.poles, length)) {
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
            if (i == j) inverse[at] += 1e-11;
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
