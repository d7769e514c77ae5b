/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/hear_kernel.h -- the inner loops of propagation.
 *
 * The same source (hear_kernel_body.h) is compiled for each instruction set.
 * Counts are rounded up to SB_HEAR_LANES where something is computed, so
 * buffers need that much room; additions are exact.
 *
 * Thread: any; a kernel touches only its arguments. Memory: the caller's.
 */
#pragma once

enum {
    SB_HEAR_LANES = 8,
    SB_HEAR_TAPS = 24,    /* of the interpolation filter */
    SB_HEAR_PHASES = 128, /* tabulated fractions of a frame */
    SB_HEAR_ROW =
        2 * SB_HEAR_TAPS /* taps, and the differences to the next row */
};

typedef struct sb_hear_kernel {
    /* out[n] = c_0 x[n] + sum over k = 1 .. half of c_k (x[n - k] + x[n +
     * k]) */
    void (*filter)(const float *x, const float *c, int half, float *out,
                   int count);
    /* out[n] = sum over k of taps[k] x[n + k], with the taps for the fraction
     * `frame_part`. */
    void (*still)(const float *x, double frame_part, const float *rows,
                  float *out, int count);
    /* The same for both ears, which read the same frames. */
    void (*still_pair)(const float *x, const double frame_part[2],
                       const float *rows, float *const out[2], int count);
    /* The same with taps for the position p(n) = w0 + w1 n + w2 n^2 + w3 n^3,
     * whose integer part counts frames of x. */
    void (*moving)(const float *x, const double w[4], const float *rows,
                   float *out, int count);
    /* out[n] = sum over k < taps of c[k] x[n - k]; 8 divides taps, 32 count */
    void (*fir)(const float *x, const float *c, int taps, float *out,
                int count);
    /* out[i] = sum over k < count of w[k] rows[k width + i], i < width, which 16
     * divides */
    void (*weigh)(const float *rows, const float *w, int count, float *out,
                  int width);
    /* to[n] += y[n] (g0 + g1 n + g2 n^2) */
    void (*add)(float *to, const float *y, const float g[3], int count);
    /* The largest |x|; count a multiple of SB_HEAR_LANES. */
    float (*peak)(const float *x, int count);
} sb_hear_kernel;

/* ears.c chooses one by the instruction set (isa.h). */
extern const sb_hear_kernel sb_hear_kernel_portable;
extern const sb_hear_kernel sb_hear_kernel_avx2;
