/* SPDX-License-Identifier: MIT */
#include "runtime/fit/refine_sums.h"

#include "runtime/base/cmplx.h"
#include "runtime/base/pi.h"

#include <math.h>

/* After this many nepers an exponential is below rounding error. */
#define FADED_NEPERS 30.0

/* Two modes per SSE2 register and two registers at a time: with more, the
 * compiler runs out of registers. */
typedef double lane __attribute__((vector_size(2 * sizeof(double))));
enum { WIDTH = 2, ABREAST = SB_LANES / WIDTH };

/* Horner's rule from the end: P = x + p P, Q = p (Q + P), with P = sum x p^n
 * and Q = sum n x p^n. */
static void sum_up(const lane re[ABREAST], const lane im[ABREAST],
                   const double *x, int last, lane sums[4][ABREAST]) {
    lane pr0 = {0}, pi0 = {0}, qr0 = {0}, qi0 = {0};
    lane pr1 = {0}, pi1 = {0}, qr1 = {0}, qi1 = {0};
    lane a0 = re[0], b0 = im[0], a1 = re[1], b1 = im[1];
    for (int n = last - 1; n >= 0; n--) {
        lane both = {x[n], x[n]};
        lane sr0 = qr0 + pr0, si0 = qi0 + pi0;
        lane sr1 = qr1 + pr1, si1 = qi1 + pi1;
        lane tr0 = pr0 * a0 - pi0 * b0 + both;
        lane tr1 = pr1 * a1 - pi1 * b1 + both;
        pi0 = pr0 * b0 + pi0 * a0;
        pi1 = pr1 * b1 + pi1 * a1;
        pr0 = tr0;
        pr1 = tr1;
        qr0 = sr0 * a0 - si0 * b0;
        qr1 = sr1 * a1 - si1 * b1;
        qi0 = sr0 * b0 + si0 * a0;
        qi1 = sr1 * b1 + si1 * a1;
    }
    sums[0][0] = pr0, sums[0][1] = pr1;
    sums[1][0] = -pi0, sums[1][1] = -pi1;
    sums[2][0] = qr0, sums[2][1] = qr1;
    sums[3][0] = -qi0, sums[3][1] = -qi1;
}

void sb_correlate_lanes(const sb_pole *poles, int count, const double *x,
                        int length, double sums[SB_LANES][4]) {
    lane re[ABREAST] = {{0}}, im[ABREAST] = {{0}}, all[4][ABREAST];
    double slowest = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double size = exp(-poles[k].decay);
        re[k / WIDTH][k % WIDTH] = size * cos(poles[k].turn);
        im[k / WIDTH][k % WIDTH] = size * sin(poles[k].turn);
        slowest = fmin(slowest, poles[k].decay);
    }
    double end = FADED_NEPERS / slowest;
    sum_up(re, im, x, end < length ? (int)end : length, all);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 4; i++)
            sums[k][i] = all[i][k / WIDTH][k % WIDTH];
    }
}

static double complex times(double complex a, double complex b) {
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* sum_{n < N} n^j q^n for j = 0, 1, 2, the derivatives of the geometric sum
 * with respect to log q. */
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

void sb_exponential_gram(const sb_pole *poles, int count, int length,
                         double *gram) {
    int wide = 4 * count;
    for (int l = 0; l < count; l++) {
        const sb_pole *pl = &poles[l];
        double complex ql =
            exp(-pl->decay) * CMPLX(cos(pl->turn), sin(pl->turn));
        double angle_l = fmod(pl->turn * length, 2.0 * SB_PI);
        double complex el =
            exp(-pl->decay * length) * CMPLX(cos(angle_l), sin(angle_l));
        for (int k = 0; k < count; k++) {
            const sb_pole *pk = &poles[k];
            double complex qk =
                exp(-pk->decay) * CMPLX(cos(pk->turn), sin(pk->turn));
            double angle_k = fmod(pk->turn * length, 2.0 * SB_PI);
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
