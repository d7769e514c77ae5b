/* SPDX-License-Identifier: MIT */
/* runtime/base/pattern.h -- what each mode radiates into which direction.
 *
 * The far field of mode k per unit of modal velocity q', at the distance R in
 * the direction r (a unit vector in the body's frame), is, time e^{iwt},
 *
 *     p R e^{ikR} = sum over l, m of c_lm Y_lm(r),     l = 0 .. order,
 *
 * with the real harmonics of runtime/base/harmonics.h; R is counted from the
 * body's centre of mass. So sum |c_lm|^2 is g^2 of modal_model.h. What higher
 * orders hold is left out; `rest` is its part of g^2, which is heard alike
 * in all directions: the gain towards r is
 *
 *     p(r) sqrt((|p(r)|^2 + rest) / |p(r)|^2).
 *
 * Symbols: c_lm coefs, (real, imaginary), Pa m per (kg^1/2 m/s).
 * Thread:  any. Immutable.
 * Memory:  of the model.
 */
#pragma once

typedef struct sb_pattern {
    int order;
    float rest;              /* Pa^2 m^2 / (kg m^2/s^2) */
    const float (*coefs)[2]; /* [(order + 1)^2] */
} sb_pattern;
