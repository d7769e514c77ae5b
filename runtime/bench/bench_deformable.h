/* runtime/bench/bench_deformable.h -- how fast and how right deformable bodies
 * are, as parts like those of bench_motion.h.
 *
 * Times are processor times of the least disturbed of many short runs, so that
 * other programs change them little; only the ratio of one and two threads is
 * of the steady clock.
 *
 * Thread: control; all parts take three minutes, with is_quick half a minute.
 * Memory: plain values.
 */
#ifndef SB_BENCH_BENCH_DEFORMABLE_H
#define SB_BENCH_BENCH_DEFORMABLE_H

#include "runtime/bench/motion/bench_motion.h"

const sb_bench_motion_part *sb_bench_deformable_parts(int *count);

#endif
