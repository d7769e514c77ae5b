/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_math.h -- complex arithmetic for the kernels.
 *
 * Part of modal_kernel_body.h. Loads and stores of a group's complex numbers,
 * and e^(x + iy), x <= 0, |y| < 1e5: reduction by ln 2 and pi / 2 in two
 * parts, then Taylor series of the remainder to double precision. The relative
 * error is below 1e-15 plus the rounding of y.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel.h"
#include "runtime/dsp/vector/vector.h"

enum { PARTS = SB_MODAL_LANES / LANES }; /* vectors per row of a group */

/* 1.5 * 2^52: added to a small number it leaves the nearest integer in the low
 * bits; subtracted again it leaves that integer as a double. */
#define ROUNDER 6755399441055744.0

static inline vd vd_exp(vd x) {
    const vd least = VD_SPLAT(-700.0); /* so that 2^k is a normal number */
    x = vd_select((vi)(x > least), x, least);
    vd shifted = VD_FMA(x, VD_SPLAT(1.44269504088896340736), VD_SPLAT(ROUNDER));
    vd k = shifted - VD_SPLAT(ROUNDER);
    vd r = VD_FNMA(k, VD_SPLAT(6.93147180369123816490e-01), x);
    r = VD_FNMA(k, VD_SPLAT(1.90821492927058770002e-10), r);
    vd sum = vd_polynomial(
        r,
        (const double[]){1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                         1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                         1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0},
        13);
    return (vd)((vi)sum + ((vi)shifted << 52)); /* times 2^k */
}

static inline vd_complex vd_turn(vd y) {
    vd shifted =
        VD_FMA(y, VD_SPLAT(6.36619772367581382433e-01), VD_SPLAT(ROUNDER));
    vd k = shifted - VD_SPLAT(ROUNDER);
    vd r = VD_FNMA(k, VD_SPLAT(1.57079632673412561417e+00), y);
    r = VD_FNMA(k, VD_SPLAT(6.07710050650619224932e-11), r);
    vd r2 = r * r;
    vd sine =
        vd_polynomial(r2,
                      (const double[]){-1.0 / 1307674368000, 1.0 / 6227020800,
                                       -1.0 / 39916800, 1.0 / 362880,
                                       -1.0 / 5040, 1.0 / 120, -1.0 / 6},
                      7);
    sine = VD_FMA(sine, r2 * r, r);
    vd cosine = vd_polynomial(
        r2,
        (const double[]){1.0 / 20922789888000, -1.0 / 87178291200,
                         1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320,
                         -1.0 / 720, 1.0 / 24, -0.5, 1.0},
        9);
    /* k quarter turns: odd ones swap sine and cosine, then the signs follow. */
    vi quarter = (vi)shifted;
    vi odd = -(quarter & 1);
    vi flip_cos = ((quarter + 1) & 2) << 62;
    vi flip_sin = (quarter & 2) << 62;
    return (vd_complex){(vd)((vi)vd_select(odd, sine, cosine) ^ flip_cos),
                        (vd)((vi)vd_select(odd, cosine, sine) ^ flip_sin)};
}

/* e^((-s + i w) t). */
static inline vd_complex vd_swing(vd s, vd w, vd t) {
    vd_complex turn = vd_turn(w * t);
    vd shrink = vd_exp(-(s * t));
    return (vd_complex){turn.re * shrink, turn.im * shrink};
}

static inline vf_complex load_complex(const sb_modal_row *from, int lane) {
    return (vf_complex){load(from->re + lane), load(from->im + lane)};
}

static inline void store_complex(sb_modal_row *to, int lane, vf_complex value) {
    store(to->re + lane, value.re);
    store(to->im + lane, value.im);
}

static inline vd_complex load_state(const sb_modal_state *from, int lane) {
    return (vd_complex){load_double(from->re + lane),
                        load_double(from->im + lane)};
}

static inline void store_state(sb_modal_state *to, int lane, vd_complex value) {
    store_double(to->re + lane, value.re);
    store_double(to->im + lane, value.im);
}
