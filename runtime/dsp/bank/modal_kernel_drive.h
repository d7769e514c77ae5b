/* runtime/dsp/bank/modal_kernel_drive.h -- excitation: impulses.
 *
 * Part of modal_kernel_body.h.
 */
#ifndef SB_DSP_BANK_MODAL_KERNEL_DRIVE_H
#define SB_DSP_BANK_MODAL_KERNEL_DRIVE_H

#include "runtime/dsp/bank/modal_kernel_math.h"

static void add_impulse(sb_modal_group *group, const sb_modal_state *jump,
                        double until_first_s, double until_end_s,
                        sb_modal_row *amplitude) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        vd_complex first[2];
        for (int half = 0; half < 2; half++) {
            int at = lane + half * HALF;
            vd s = load_double(group->sigma + at);
            vd w = load_double(group->damped + at);
            vd_complex du = load_state(jump, at);
            first[half] = vd_times(du, vd_swing(s, w, VD_SPLAT(until_first_s)));
            vd_complex end =
                vd_times(du, vd_swing(s, w, VD_SPLAT(until_end_s)));
            vd_complex u = load_state(&group->u, at);
            store_state(&group->u, at,
                        (vd_complex){u.re + end.re, u.im + end.im});
        }
        vf gain = load(group->heard + lane);
        store_complex(amplitude, lane,
                      (vf_complex){narrow(first[0].re, first[1].re) * gain,
                                   narrow(first[0].im, first[1].im) * gain});
    }
}

static inline void add_to_state(double *state, vf value) {
    vd low = load_double(state), high = load_double(state + HALF);
    store_double(state, low + VD_FROM_HALF(vf_low_half(value)));
    store_double(state + HALF, high + VD_FROM_HALF(vf_high_half(value)));
}

#endif
