/* SPDX-License-Identifier: MIT */
/* The Fourier transform: the kernel for powers of two, and plans for any size.
 * Control thread and workers; never the audio thread. Complex products are
 * written out in real arithmetic: C's complex `*` also handles infinities,
 * which takes longer than the product. */
#include "runtime/base/fft.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* One eighth of the circle is computed, the rest follows by symmetry. */
void sb_fft_turns(double complex *turn, int turns) {
    if (turns % 8 != 0) {
        for (int j = 0; j < turns; j++)
            turn[j] = cexp(2.0 * SB_PI * I * j / turns);
        return;
    }
    int quarter = turns / 4, eighth = turns / 8;
    for (int j = 0; j <= eighth; j++) {
        double angle = 2.0 * SB_PI * j / turns, c = cos(angle), s = sin(angle);
        turn[j] = CMPLX(c, s);
        turn[quarter - j] = CMPLX(s, c);
    }
    for (int j = 0; j < quarter; j++)
        turn[quarter + j] = CMPLX(-cimag(turn[j]), creal(turn[j]));
    for (int j = 0; j < 2 * quarter; j++)
        turn[2 * quarter + j] = -turn[j];
}

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

/* One radix-4 pass of Stockham's algorithm. Input: `step` interleaved
 * transforms of `count` numbers. Output: 4 `step` interleaved transforms of
 * count / 4. The result needs no reordering, and memory is read in sequence. */
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

/* The last pass, of radix 2, when 2 is the remaining length. */
static void half_pass(const double complex *x, double complex *y, int step) {
    for (int q = 0; q < step; q++) {
        y[q] = x[q] + x[q + step];
        y[q + step] = x[q] - x[q + step];
    }
}

void sb_fft_kernel(double complex *x, double complex *work, int count,
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

void sb_fft_kernel_real(const float *x, int count, double complex *lines,
                        double complex *work, const double complex *turn,
                        int turns) {
    int half = count / 2;
    long stride = turns / count;
    for (int j = 0; j < half; j++)
        lines[j] = CMPLX((double)x[2 * j], (double)x[2 * j + 1]);
    sb_fft_kernel(lines, work, half, -1.0, turn, turns);
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

void sb_fft_pair_lines(double complex *lines, int count,
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

/* --- plans ----------------------------------------------------------------*/

struct sb_fft {
    int size;
    int kernel_size;        /* size, or for a chirp a power of two >= 2 size */
    double complex *turn;   /* kernel_size */
    double complex *work;   /* kernel_size */
    double complex *padded; /* kernel_size; NULL when size is a power of two */
    double complex *chirp;  /* size: exp(-pi i n^2 / size) */
    double complex *filter; /* kernel_size: transform of conj(chirp) */
};

static int power_of_two_from(int least) {
    int size = 1;
    while (size < least)
        size *= 2;
    return size;
}

static void make_chirp(sb_fft *fft) {
    int size = fft->size, kernel_size = fft->kernel_size;
    for (int n = 0; n < size; n++) {
        /* n^2 is reduced modulo a full turn as an integer, before rounding. */
        int64_t square = (int64_t)n * n % (2 * (int64_t)size);
        double angle = SB_PI * (double)square / size;
        fft->chirp[n] = CMPLX(cos(angle), -sin(angle));
        double complex other = conj(fft->chirp[n]) / kernel_size;
        fft->filter[n] = other;
        if (n) fft->filter[kernel_size - n] = other;
    }
    sb_fft_kernel(fft->filter, fft->work, kernel_size, -1.0, fft->turn,
                  kernel_size);
}

sb_fft *sb_fft_create(int size) {
    sb_fft *fft = sb_alloc(1, sizeof *fft);
    if (!fft) return NULL;
    bool is_power = (size & (size - 1)) == 0;
    fft->size = size;
    fft->kernel_size = is_power ? size : power_of_two_from(2 * size);
    size_t room = (size_t)fft->kernel_size;
    fft->turn = sb_alloc(room, sizeof *fft->turn);
    fft->work = sb_alloc(room, sizeof *fft->work);
    bool ok = fft->turn && fft->work;
    if (!is_power) {
        fft->padded = sb_alloc(room, sizeof *fft->padded);
        fft->filter = sb_alloc(room, sizeof *fft->filter);
        fft->chirp = sb_alloc((size_t)size, sizeof *fft->chirp);
        ok = ok && fft->padded && fft->filter && fft->chirp;
    }
    if (!ok) {
        sb_fft_destroy(fft);
        return NULL;
    }
    sb_fft_turns(fft->turn, fft->kernel_size);
    if (!is_power) make_chirp(fft);
    return fft;
}

void sb_fft_destroy(sb_fft *fft) {
    if (!fft) return;
    sb_free_all(fft->turn, fft->work, fft->padded, fft->filter, fft->chirp,
                fft);
}

int sb_fft_size(const sb_fft *fft) {
    return fft->size;
}

/* X_k = chirp_k sum_n (x_n chirp_n) conj(chirp_(k - n)), since
 * -2 k n = (k - n)^2 - k^2 - n^2. `padded` holds the x_n. */
static void convolve(sb_fft *fft) {
    double complex *x = fft->padded;
    int size = fft->size, kernel_size = fft->kernel_size;
    for (int n = 0; n < size; n++)
        x[n] = times(x[n], fft->chirp[n]);
    size_t rest = (size_t)(kernel_size - size);
    memset(x + size, 0, rest * sizeof *x);
    sb_fft_kernel(x, fft->work, kernel_size, -1.0, fft->turn, kernel_size);
    for (int k = 0; k < kernel_size; k++)
        x[k] = times(x[k], fft->filter[k]);
    sb_fft_kernel(x, fft->work, kernel_size, 1.0, fft->turn, kernel_size);
    for (int k = 0; k < size; k++)
        x[k] = times(x[k], fft->chirp[k]);
}

void sb_fft_forward(sb_fft *fft, double complex *x) {
    if (!fft->chirp) {
        sb_fft_kernel(x, fft->work, fft->size, -1.0, fft->turn, fft->size);
        return;
    }
    memcpy(fft->padded, x, (size_t)fft->size * sizeof *x);
    convolve(fft);
    memcpy(x, fft->padded, (size_t)fft->size * sizeof *x);
}

/* The conjugate of the forward transform of the conjugate. */
void sb_fft_backward(sb_fft *fft, double complex *x) {
    if (!fft->chirp) {
        sb_fft_kernel(x, fft->work, fft->size, 1.0, fft->turn, fft->size);
        return;
    }
    for (int n = 0; n < fft->size; n++)
        fft->padded[n] = conj(x[n]);
    convolve(fft);
    for (int n = 0; n < fft->size; n++)
        x[n] = conj(fft->padded[n]);
}

void sb_fft_real(sb_fft *fft, const float *x, double complex *lines) {
    if (!fft->chirp) {
        sb_fft_kernel_real(x, fft->size, lines, fft->work, fft->turn,
                           fft->size);
        return;
    }
    for (int n = 0; n < fft->size; n++)
        fft->padded[n] = (double)x[n];
    convolve(fft);
    size_t count = (size_t)fft->size / 2 + 1;
    memcpy(lines, fft->padded, count * sizeof *lines);
}
