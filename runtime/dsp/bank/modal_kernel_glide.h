/* runtime/dsp/bank/modal_kernel_glide.h -- ringing while pitch and decay
 * change.
 *
 * Part of modal_kernel_body.h. In a block of N frames l changes linearly, so
 * the factor from one frame to the next is itself multiplied by a constant
 * factor:
 *
 *     u[n+1] = u[n] r[n],   r[n+1] = r[n] d,
 *     r[0] = e^(l(1/2) dt),  d = e^((l(N) - l(0)) dt / N).
 *
 * The phase advances by exactly the integral of l, whatever the block size.
 * Computed in double: the products of one block lose no precision.
 */
#ifndef SB_DSP_BANK_MODAL_KERNEL_GLIDE_H
#define SB_DSP_BANK_MODAL_KERNEL_GLIDE_H

#include "runtime/dsp/bank/modal_kernel_math.h"

static void glide_lanes(sb_modal_group *group, const sb_modal_glide *glide,
                        int lane, double dt_s, sb_modal_sum *sum) {
    const vd part = VD_SPLAT(1.0 / SB_BLOCK_FRAMES);
    const vd half = VD_SPLAT(0.5);
    const vd dt = VD_SPLAT(dt_s);
    /* Lanes that are a vector apart are added to the same entry. */
    const int place = lane % LANES;
    const bool is_empty = sum->is_empty && lane < LANES;
    vd s = load_double(glide->from_sigma + lane);
    vd w = load_double(glide->from_damped + lane);
    vd g = load_double(glide->from_heard + lane);
    vd s_step = (load_double(glide->to_sigma + lane) - s) * part;
    vd w_step = (load_double(glide->to_damped + lane) - w) * part;
    vd g_step = (load_double(glide->to_heard + lane) - g) * part;
    vd_complex u = load_state(&group->u, lane);
    vd_complex r =
        vd_swing(VD_FMA(s_step, half, s), VD_FMA(w_step, half, w), dt);
    vd_complex d = vd_swing(s_step, w_step, dt);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float *at = &sum->lane[n][place];
        vh heard = __builtin_convertvector(g * u.re, vh);
        if (!is_empty) heard += load_half(at);
        memcpy(at, &heard, sizeof heard);
        u = vd_times(u, r);
        r = vd_times(r, d);
        g += g_step;
    }
    store_state(&group->u, lane, u);
}

static void glide(sb_modal_group *group, const sb_modal_glide *glide,
                  double dt_s, sb_modal_sum *sum) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += HALF)
        glide_lanes(group, glide, lane, dt_s, sum);
    sum->is_empty = false;
}

#endif
