/* runtime/dsp/bank/modal_kernel_body.h -- the kernels' source, for any vector width.
 *
 * A .c file per instruction set defines, and then includes this:
 *
 *     KERNEL, KERNEL_NAME     the table to define, and its name as text
 *     LANES                   floats in a vector: 4, 8 or 16
 *     TILE_POINTS, TILE_STEPS how many C_p and Z^i meet in registers at once;
 *                             they divide 8 and 15
 *     VF_SPLAT VF_FMA VF_FNMA VF_AT_LEAST VF_NOT_ZERO
 *     VD_SPLAT VD_FMA VD_FNMA VD_SQRT VD_FROM_HALF
 *                             FMA(a, b, c) is a b + c, FNMA is c - a b; the
 *                             comparisons give one bit a lane
 *     VF_FROM_HALVES(a, b)    both as one vector; only where GCC's own way of
 *                             doing so is slow
 *     IN_REGISTER(a)          have `a` loaded once. GCC may otherwise put the
 *                             load into each operation that uses it, which
 *                             makes loads the bottleneck.
 *
 * The project compiles with -ffp-contract=off, so a fused operation is one
 * that is asked for.
 */
#include "runtime/dsp/bank/modal_kernel_drive.h"
#include "runtime/dsp/bank/modal_kernel_field.h"
#include "runtime/dsp/bank/modal_kernel_force.h"
#include "runtime/dsp/bank/modal_kernel_glide.h"
#include "runtime/dsp/bank/modal_kernel_math.h"
#include "runtime/dsp/bank/modal_kernel_move.h"
#include "runtime/dsp/bank/modal_kernel_press.h"
#include "runtime/dsp/bank/modal_kernel_ring.h"

static void tune(sb_modal_group *group, double dt_s) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += HALF) {
        vd s = load_double(group->sigma + lane);
        vd w = load_double(group->damped + lane);
        vd_complex z = vd_swing(s, w, VD_SPLAT(dt_s));
        vd_complex power = z;
        tune_move(group, lane, z);
        tune_after(group, lane);
        for (int row = 0; row < SB_MODAL_ROWS; row++) {
            store_half(group->row[row].re + lane, power.re);
            store_half(group->row[row].im + lane, power.im);
            power = vd_times(power, row < SB_MODAL_ROW_16 ? z : power);
        }
        /* Not by squaring: this one is raised to thousands of powers. */
        vd_complex turn = vd_swing(s, w, VD_SPLAT(SB_BLOCK_FRAMES * dt_s));
        store_state(&group->turn, lane, turn);
    }
}

const sb_modal_kernel KERNEL = {
    .name = KERNEL_NAME,
    .tune = tune,
    .advance = advance,
    .coast = coast,
    .weigh = weigh,
    .render = render,
    .ring = ring,
    .glide = glide,
    .finish = finish,
    .kick = kick,
    .drive = drive,
    .drive_moving = drive_moving,
    .convolve = convolve,
    .pulse = pulse,
    .slopes = slopes,
    .lowpass = lowpass,
    .field_advance = field_advance,
    .field_commit = field_commit,
    .field_sums = field_sums,
    .field_hear = field_hear,
    .field_coast = field_coast,
    .field_energy = field_energy,
    .field_aim = field_aim,
    .field_ahead = field_ahead,
    .field_press = field_press,
    .field_hold = field_hold,
    .field_watch = field_watch,
    .field_step = field_step,
    .field_step_points = field_step_points,
};
