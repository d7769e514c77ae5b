/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_body.h -- the kernels' source, for any vector
 * width.
 *
 * A .c file per instruction set defines
 *
 *     LANES                   of vector.h
 *     KERNEL                  the name of the table
 *     TILE_POINTS, TILE_STEPS how many C_p and Z^i are held in registers at
 *                             once; they divide 8 and 15
 *
 * and then includes this.
 */
#include "runtime/dsp/bank/modal_kernel_field.h"
#include "runtime/dsp/bank/modal_kernel_math.h"
#include "runtime/dsp/bank/modal_kernel_move.h"
#include "runtime/dsp/bank/modal_kernel_ring.h"
#include "runtime/dsp/bank/modal_kernel_turn.h"

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
        /* Not by squaring: turn is raised to thousands of powers. */
        vd_complex turn = vd_swing(s, w, VD_SPLAT(SB_BLOCK_FRAMES * dt_s));
        store_state(&group->turn, lane, turn);
    }
}

const sb_modal_kernel KERNEL = {
    .tune = tune,
    .advance = advance,
    .coast = coast,
    .weigh = weigh,
    .render = render,
    .turn = turn,
    .turned = turned,
    .tune_turn = tune_turn,
    .harmonics = harmonics,
    .aim = aim,
    .ring = ring,
    .glide = glide,
    .finish = finish,
    .add_impulse = add_impulse,
    .drive_moving = drive_moving,
    .field = {.hear = field_hear,
              .coast = field_coast,
              .watch = field_watch,
              .read = field_read,
              .energy_j = field_energy_j,
              .advance = field_advance,
              .point = field_point,
              .commit = field_commit,
              .step = field_step,
              .step_points = field_step_points,
              .aim = field_aim,
              .ahead = field_ahead,
              .press = field_press,
              .hold = field_hold},
};
