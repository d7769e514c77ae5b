/* SPDX-License-Identifier: MIT */
/* tests/dsp/bank/modal_bank_fixture.h -- banks and closed forms for the bank's
 * tests.
 *
 * Every test runs once for each instruction set: `_i`, the loop index of
 * Check, names it, and use_isa skips what this machine cannot run.
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/bank/modal_bank_internal.h"
#include "runtime/dsp/vector/isa.h"

#include "tests/dsp/bank/bank_queries.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = SB_BLOCK_FRAMES, ISA_COUNT = 3 };

static const double rates_hz[] = {44100, 48000, 96000, 192000};
enum { RATE_COUNT = 4 };

static inline bool use_isa(int index) {
    static const char *const names[ISA_COUNT] = {"portable", "avx2", "avx512"};
    return sb_isa_choose(names[index]) != NULL;
}

static inline sb_bank_mode mode_hz(double hz, double sigma, double gain) {
    return (sb_bank_mode){2 * SB_PI * hz, sigma, gain};
}

static inline sb_modal_bank *bank_new(const sb_bank_mode *modes, int count,
                                      double rate_hz) {
    void *memory = sb_alloc_aligned(sb_modal_bank_bytes(count));
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0xa5,
           sb_modal_bank_bytes(count)); /* init must overwrite it */
    sb_modal_bank *bank = sb_modal_bank_init(memory, count, rate_hz);
    ck_assert_int_eq(sb_modal_bank_set_modes(bank, modes, count), SB_OK);
    return bank;
}

/* Weights with nothing after the last, so that reading past it is caught. */
static inline float *weights_new(int count) {
    float *weights = malloc(sizeof(float) * (size_t)count);
    ck_assert_ptr_nonnull(weights);
    for (int k = 0; k < count; k++)
        weights[k] = 1;
    return weights;
}

static inline void strike_at(sb_modal_bank *bank, const float *weights,
                             double impulse_ns, double at, float *out) {
    sb_bank_impulse impulse = {
        .impulse_ns = impulse_ns, .at_frame = at, .weights = weights};
    sb_modal_bank_impulse(bank, &impulse, out);
}

/* q' at time t after a unit impulse: closed form, any damping. */
static inline double exact_velocity(sb_bank_mode mode, double t) {
    double w0 = mode.omega_rad_s, s = mode.sigma_per_s;
    double square = w0 * w0 - s * s;
    if (t < 0) return 0;
    if (fabs(square) < 1e-12 * w0 * w0) return exp(-s * t) * (1 - s * t);
    if (square > 0) {
        double wd = sqrt(square);
        return exp(-s * t) * (cos(wd * t) - s / wd * sin(wd * t));
    }
    double r = sqrt(-square), slow = -w0 * w0 / (s + r), fast = -s - r;
    return (slow * exp(slow * t) - fast * exp(fast * t)) / (slow - fast);
}

/* Bodies of many modes, repeatable: frequencies spread over the band. */
static inline sb_bank_mode some_mode(int k, int count, double rate_hz) {
    double share = (k + 0.5 + 0.4 * sin(37.0 * k)) / count;
    double hz = 20 * pow(0.45 * rate_hz / 20, share);
    return mode_hz(hz, 2 + 30 * share, 0.5 + 0.5 * cos(11.0 * k));
}

static inline double worst_of(double worst, double a, double b) {
    double apart = fabs(a - b);
    return apart > worst || isnan(apart) ? apart : worst;
}

/* A rough force with zeros in it, different in each block. */
static inline void some_force(float force[BLOCK], int block) {
    for (int n = 0; n < BLOCK; n++)
        force[n] = n % 5 == 2 ? 0 : (float)sin(0.37 * n * n + block);
}

/* Update the largest difference of two blocks and the peak of the second. */
static inline void compare_blocks(const float a[BLOCK], const float b[BLOCK],
                                  double *worst, double *peak) {
    for (int n = 0; n < BLOCK; n++) {
        *worst = worst_of(*worst, (double)a[n], (double)b[n]);
        *peak = fmax(*peak, fabs((double)b[n]));
    }
}
