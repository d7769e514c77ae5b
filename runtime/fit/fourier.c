#include "runtime/fit/fourier.h"

#include "runtime/base/memory.h"

#include <math.h>

struct sb_fourier {
    int size;
    double *turns; /* cos and sin of 2 pi k / size, k < size / 2 */
};

sb_fourier *sb_fourier_create(int bits) {
    sb_fourier *fourier = sb_alloc(1, sizeof *fourier);
    if (!fourier) return NULL;
    fourier->size = 1 << bits;
    fourier->turns = sb_alloc((size_t)fourier->size, sizeof(double));
    if (!fourier->turns) {
        sb_free(fourier);
        return NULL;
    }
    for (int k = 0; k < fourier->size / 2; k++) {
        double angle = 2.0 * M_PI * k / fourier->size;
        fourier->turns[2 * k] = cos(angle);
        fourier->turns[2 * k + 1] = sin(angle);
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
static void transform(const sb_fourier *fourier, double complex *numbers,
                      double sign) {
    int size = fourier->size;
    reverse_bits(size, numbers);
    double *x = (double *)numbers;
    for (int half = 1; half < size; half *= 2) {
        int stride = size / (2 * half);
        for (int start = 0; start < size; start += 2 * half) {
            for (int k = 0; k < half; k++) {
                double c = fourier->turns[2 * k * stride];
                double s = sign * fourier->turns[2 * k * stride + 1];
                double *a = x + 2 * (start + k);
                double *b = a + 2 * half;
                double re = b[0] * c - b[1] * s;
                double im = b[0] * s + b[1] * c;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
        }
    }
}

void sb_fourier_forward(const sb_fourier *fourier, double complex *x) {
    transform(fourier, x, -1.0);
}

void sb_fourier_inverse(const sb_fourier *fourier, double complex *x) {
    transform(fourier, x, 1.0);
}
