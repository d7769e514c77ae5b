/* runtime/fit/fourier.h -- the Fourier transform in double precision.
 *
 *     X_k = sum_n x_n exp(-+ 2 pi i k n / N),   N a power of two
 *
 * runtime/media/spectrum.h shows levels, for which floats are good enough; a
 * weak partial beside one 60 dB louder is not to be found in floats.
 *
 * Thread: control. Memory: the plan is its holder's until destroyed.
 */
#ifndef SB_FIT_FOURIER_H
#define SB_FIT_FOURIER_H

#include <complex.h>

typedef struct sb_fourier sb_fourier;

/* For sizes 2^bits, 1 <= bits <= 24; NULL when out of memory. */
sb_fourier *sb_fourier_create(int bits);
void sb_fourier_destroy(sb_fourier *fourier); /* NULL is allowed */
int sb_fourier_size(const sb_fourier *fourier);

/* In place; the inverse is not divided by N. */
void sb_fourier_forward(const sb_fourier *fourier, double complex *x);

/* Bin k of the real signals a and b, from the transform of a + i b. */
static inline void sb_fourier_part(const double complex *both, int size, int k,
                                   double complex *a, double complex *b) {
    double complex up = both[k], down = conj(both[(size - k) & (size - 1)]);
    *a = 0.5 * (up + down);
    double complex apart = 0.5 * (up - down); /* i b */
    *b = CMPLX(cimag(apart), -creal(apart));
}
void sb_fourier_inverse(const sb_fourier *fourier, double complex *x);

#endif
