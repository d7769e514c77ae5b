/* Products of exponentials with recordings, and with each other. */
#include "runtime/fit/refine_inside.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 };

/* Past this many nepers an exponential is below all rounding. */
#define FADED_NEPERS 30.0

/* By Horner's rule from the end, several modes at a time:
 * P = x + p P, Q = p (Q + P), with P = sum x p^n and Q = sum n x p^n. */
static void correlate_lanes(const sb_pole *poles, int count, const double *x,
                            int length, double sums[LANES][4]) {
    double re[LANES] = {0}, im[LANES] = {0};
    double pr[LANES] = {0}, pi[LANES] = {0}, qr[LANES] = {0}, qi[LANES] = {0};
    double slowest = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double size = exp(-poles[k].decay);
        re[k] = size * cos(poles[k].turn);
        im[k] = size * sin(poles[k].turn);
        slowest = fmin(slowest, poles[k].decay);
    }
    double end = FADED_NEPERS / slowest;
    int last = end < length ? (int)end : length;
    for (int n = last - 1; n >= 0; n--) {
        for (int k = 0; k < LANES; k++) {
            double sr = qr[k] + pr[k], si = qi[k] + pi[k];
            double tr = pr[k], ti = pi[k];
            qr[k] = sr * re[k] - si * im[k];
            qi[k] = sr * im[k] + si * re[k];
            pr[k] = tr * re[k] - ti * im[k] + x[n];
            pi[k] = tr * im[k] + ti * re[k];
        }
    }
    for (int k = 0; k < count; k++) {
        sums[k][0] = pr[k];
        sums[k][1] = -pi[k];
        sums[k][2] = qr[k];
        sums[k][3] = -qi[k];
    }
}

void sb_refine_correlate(sb_refine *refine, const sb_pole *poles) {
    int count = refine->count;
    for (int r = 0; r < refine->takes->count; r++) {
        const sb_take *take = &refine->takes->items[r];
        const double *x = sb_take_samples(take);
        double *products = refine->products + (size_t)r * 4 * (size_t)count;
        for (int k = 0; k < count; k += LANES) {
            int some = count - k < LANES ? count - k : LANES;
            double sums[LANES][4];
            correlate_lanes(poles + k, some, x, take->length, sums);
            for (int i = 0; i < some; i++) {
                memcpy(products + 2 * (k + i), sums[i], 2 * sizeof(double));
                memcpy(products + 2 * (count + k + i), sums[i] + 2,
                       2 * sizeof(double));
            }
        }
    }
}

double sb_refine_strength(const sb_takes *takes, const double *const *signals,
                          sb_pole pole) {
    double strength = 0.0;
    for (int r = 0; r < takes->count; r++) {
        double sums[LANES][4];
        correlate_lanes(&pole, 1, signals[r], takes->items[r].length, sums);
        strength += sums[0][0] * sums[0][0] + sums[0][1] * sums[0][1];
    }
    return strength * -expm1(-2.0 * pole.decay);
}

static double complex times(double complex a, double complex b) {
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* sum_{n < N} n^j q^n for j = 0, 1, 2: derivatives of the geometric sum by
 * log q. */
static void geometric(double complex q, double complex q_end, double length,
                      double complex sums[3]) {
    double complex below = 1.0 - q;
    double size = creal(below) * creal(below) + cimag(below) * cimag(below);
    double complex a = conj(below) / size; /* 1 / (1 - q) */
    double complex faded = 1.0 - q_end;
    double complex qa = times(q, a), qaa = times(qa, a);
    double complex ends = times(q_end, a);
    sums[0] = times(faded, a);
    sums[1] = times(faded, qaa) - length * ends;
    sums[2] = times(faded, qaa + 2.0 * times(qaa, qa)) -
              length * length * ends - 2.0 * length * times(q_end, qaa);
}

/* <Re(s p^n), n^j Re(t q^n)> for s, t = 1, i: (Re(s t S) + Re(s t* S*)) / 2,
 * with S of p q and S* of p q*. */
static void put_block(double *gram, int wide, int row, int column,
                      double complex both, double complex apart) {
    double *at = gram + (size_t)column * (size_t)wide + (size_t)row;
    at[0] = 0.5 * (creal(both) + creal(apart));
    at[1] = 0.5 * (-cimag(both) - cimag(apart));
    at[wide] = 0.5 * (-cimag(both) + cimag(apart));
    at[wide + 1] = 0.5 * (-creal(both) + creal(apart));
}

void sb_refine_gram(const sb_pole *poles, int count, int length, double *gram) {
    int wide = 4 * count;
    for (int l = 0; l < count; l++) {
        const sb_pole *pl = &poles[l];
        double complex ql =
            exp(-pl->decay) * CMPLX(cos(pl->turn), sin(pl->turn));
        double angle_l = fmod(pl->turn * length, 2.0 * M_PI);
        double complex el =
            exp(-pl->decay * length) * CMPLX(cos(angle_l), sin(angle_l));
        for (int k = 0; k < count; k++) {
            const sb_pole *pk = &poles[k];
            double complex qk =
                exp(-pk->decay) * CMPLX(cos(pk->turn), sin(pk->turn));
            double angle_k = fmod(pk->turn * length, 2.0 * M_PI);
            double complex ek =
                exp(-pk->decay * length) * CMPLX(cos(angle_k), sin(angle_k));
            double complex both[3], apart[3];
            geometric(times(qk, ql), times(ek, el), length, both);
            geometric(times(qk, conj(ql)), times(ek, conj(el)), length, apart);
            int row = 2 * k, column = 2 * l, deep = 2 * count;
            put_block(gram, wide, row, column, both[0], apart[0]);
            put_block(gram, wide, row + deep, column, both[1], apart[1]);
            put_block(gram, wide, row, column + deep, both[1], apart[1]);
            put_block(gram, wide, row + deep, column + deep, both[2], apart[2]);
        }
    }
}
