#include "runtime/fit/fourier.h"

#include "runtime/base/memory.h"

#include <math.h>

struct sb_fourier {
    int size;
    double *turns; /* for each half = 1, 2, 4 ..: cos and sin of pi k / half */
};

sb_fourier *sb_fourier_create(int bits) {
    sb_fourier *fourier = sb_alloc(1, sizeof *fourier);
    if (!fourier) return NULL;
    fourier->size = 1 << bits;
    fourier->turns = sb_alloc(2 * (size_t)fourier->size, sizeof(double));
    if (!fourier->turns) {
        sb_free(fourier);
        return NULL;
    }
    for (int half = 1; half < fourier->size; half *= 2) {
        double *turns = fourier->turns + 2 * half;
        for (int k = 0; k < half; k++) {
            turns[2 * k] = cos(M_PI * k / half);
            turns[2 * k + 1] = sin(M_PI * k / half);
        }
    }
    return fourier;
}

void sb_fourier_destroy(sb_fourier *fourier) {
    if (!fourier) return;
    sb_free(fourier->turns);
    sb_free(fourier);
}

int sb_fourier_size(const sb_fourier *fourier) {
    return fourier->size;
}

static void reverse_bits(int size, double complex *x) {
    for (int i = 1, j = 0; i < size; i++) {
        int bit = size >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex held = x[i];
            x[i] = x[j];
            x[j] = held;
        }
    }
}

/* Real and imaginary parts by hand: the language's complex product looks for
 * infinities, which takes longer than the product. */
static void combine(const sb_fourier *fourier, double *x, int half,
                    double sign) {
    const double *turns = fourier->turns + 2 * half;
    double *a = x, *b = x + 2 * half;
    for (int k = 0; k < 2 * half; k += 2) {
        double c = turns[k], s = sign * turns[k + 1];
        double re = b[k] * c - b[k + 1] * s;
        double im = b[k] * s + b[k + 1] * c;
        b[k] = a[k] - re;
        b[k + 1] = a[k + 1] - im;
        a[k] += re;
        a[k + 1] += im;
    }
}

/* Each half is finished before the other is begun, so that all but the last
 * combinations find their numbers in the cache. */
static void transform_part(const sb_fourier *fourier, double *x, int size,
                           double sign) {
    enum { SMALL = 1024 };
    if (size > SMALL) {
        transform_part(fourier, x, size / 2, sign);
        transform_part(fourier, x + size, size / 2, sign);
        combine(fourier, x, size / 2, sign);
        return;
    }
    for (int half = 1; half < size; half *= 2) {
        for (int start = 0; start < size; start += 2 * half)
            combine(fourier, x + 2 * start, half, sign);
    }
}

static void transform(const sb_fourier *fourier, double complex *numbers,
                      double sign) {
    reverse_bits(fourier->size, numbers);
    transform_part(fourier, (double *)numbers, fourier->size, sign);
}

void sb_fourier_forward(const sb_fourier *fourier, double complex *x) {
    transform(fourier, x, -1.0);
}

void sb_fourier_inverse(const sb_fourier *fourier, double complex *x) {
    transform(fourier, x, 1.0);
}
