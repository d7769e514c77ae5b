/* Fourier transforms of heights, which are real: each is one of half as many
 * complex numbers, two heights to a number. */
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>
#include <string.h>

#define PI 3.141592653589793

/* An eighth of them, and the others by symmetry. */
void sb_surface_turns(double complex *turn, int turns) {
    if (turns % 8 != 0) {
        for (int j = 0; j < turns; j++)
            turn[j] = cexp(2.0 * PI * I * j / turns);
        return;
    }
    int quarter = turns / 4, eighth = turns / 8;
    for (int j = 0; j <= eighth; j++) {
        double angle = 2.0 * PI * j / turns, c = cos(angle), s = sin(angle);
        turn[j] = CMPLX(c, s);
        turn[quarter - j] = CMPLX(s, c);
    }
    for (int j = 0; j < quarter; j++)
        turn[quarter + j] = CMPLX(-cimag(turn[j]), creal(turn[j]));
    for (int j = 0; j < 2 * quarter; j++)
        turn[2 * quarter + j] = -turn[j];
}

/* Written out: the operator looks after infinities. */
static inline double complex times(double complex a, double complex b) {
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex signed_turn(double complex turn, double sign) {
    return CMPLX(creal(turn), sign * cimag(turn));
}

static inline double complex quarter_turn(double complex a, double sign) {
    return CMPLX(-sign * cimag(a), sign * creal(a));
}

/* Transforms of `count` numbers that stand `step` apart, `step` of them side by
 * side, become those of a quarter as many, four times side by side (Stockham):
 * nothing is put back in order afterwards, and neighbours are read together. */
static void quarter_pass(const double complex *x, double complex *y, int count,
                         int step, double sign, const double complex *turn,
                         long stride) {
    int quarter = count / 4;
    for (int p = 0; p < quarter; p++) {
        double complex w1 = signed_turn(turn[p * stride], sign);
        double complex w2 = signed_turn(turn[2 * p * stride], sign);
        double complex w3 = signed_turn(turn[3 * p * stride], sign);
        const double complex *in = x + (long)p * step;
        double complex *out = y + 4L * p * step;
        long next = (long)quarter * step;
        for (int q = 0; q < step; q++) {
            double complex a = in[q], b = in[q + next];
            double complex c = in[q + 2 * next], d = in[q + 3 * next];
            double complex ac = a + c, bd = b + d, a_c = a - c;
            double complex b_d = quarter_turn(b - d, sign);
            out[q] = ac + bd;
            out[q + step] = times(w1, a_c + b_d);
            out[q + 2L * step] = times(w2, ac - bd);
            out[q + 3L * step] = times(w3, a_c - b_d);
        }
    }
}

/* The last pass, when two are left. */
static void half_pass(const double complex *x, double complex *y, int step) {
    for (int q = 0; q < step; q++) {
        y[q] = x[q] + x[q + step];
        y[q + step] = x[q] - x[q + step];
    }
}

void sb_surface_fourier(double complex *x, double complex *work, int count,
                        double sign, const double complex *turn, int turns) {
    double complex *from = x, *to = work;
    int left = count, step = 1;
    while (left > 1) {
        if (left == 2) {
            half_pass(from, to, step);
            left = 1;
        } else {
            quarter_pass(from, to, left, step, sign, turn, turns / left);
            left /= 4;
            step *= 4;
        }
        double complex *other = from;
        from = to;
        to = other;
    }
    if (from != x) memcpy(x, from, (size_t)count * sizeof *x);
}

void sb_surface_lines(const float *heights_m, int count, double complex *lines,
                      double complex *work, const double complex *turn,
                      int turns) {
    int half = count / 2;
    long stride = turns / count;
    for (int j = 0; j < half; j++)
        lines[j] =
            CMPLX((double)heights_m[2 * j], (double)heights_m[2 * j + 1]);
    sb_surface_fourier(lines, work, half, -1.0, turn, turns);
    lines[half] = lines[0];
    for (int k = 0; k <= half / 2; k++) {
        double complex a = lines[k], b = conj(lines[half - k]);
        double complex even = 0.5 * (a + b);
        double complex odd = times(conj(turn[k * stride]), 0.5 * (a - b));
        odd = CMPLX(cimag(odd), -creal(odd));
        lines[k] = even + odd;
        lines[half - k] = conj(even - odd);
    }
}

void sb_surface_pair_lines(double complex *lines, int count,
                           const double complex *turn, int turns) {
    int half = count / 2;
    long stride = turns / count;
    for (int k = 0; k <= half / 2; k++) {
        double complex a = lines[k], b = conj(lines[half - k]);
        double complex odd = quarter_turn(times(turn[k * stride], a - b), 1.0);
        lines[k] = a + b + odd;
        lines[half - k] = conj(a + b - odd);
    }
}
