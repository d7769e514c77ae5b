/* runtime/dsp/bank/modal_heavy.h -- modes near or above critical damping.
 *
 * They are few and decay within milliseconds, and z is undefined where wd is 0.
 * So each is stepped sample by sample in double by the exact
 *
 *     (q, q')(t) = e^(-s t) [ C + s S,      S    ]  (q, q')(0),
 *                           [ -w0^2 S,   C - s S ]
 *
 * C, S = cosh(r t), sinh(r t) / r with r^2 = s^2 - w0^2. Below critical damping
 * these are cos and sin / wd, at critical damping 1 and t.
 * The lane holds u = q' + i w0 q, so |u| has the same meaning as elsewhere.
 *
 * Thread: audio. Memory: the bank's.
 */
#ifndef SB_DSP_BANK_MODAL_HEAVY_H
#define SB_DSP_BANK_MODAL_HEAVY_H

#include "runtime/dsp/bank/modal_kernel.h"

/* e^(-s t) C and e^(-s t) S. */
void sb_modal_decay_pair(double omega, double sigma, double t, double *c,
                         double *s) SB_RT;

/* Add a block of the group's strongly damped lanes and advance their state. */
void sb_modal_heavy_render(sb_modal_group *group, double dt_s,
                           float *out) SB_RT;

/* Step (q, q') at a fractional frame of the block just rendered. */
void sb_modal_heavy_impulse(sb_modal_group *group, int lane, double at_frame,
                            double step_q, double step_velocity, double dt_s,
                            float *out) SB_RT;

/* Weights at frame n of a block: start + n (slope + n bend). */
typedef struct sb_modal_curve {
    double start, slope, bend;
} sb_modal_curve;

/* The parabola through the block's start, middle and end. */
static inline sb_modal_curve sb_modal_curve_through(float from, float middle,
                                                    float to) {
    const double frames = SB_BLOCK_FRAMES;
    double start = (double)from, end = (double)to;
    double arc = start + end - 2 * (double)middle;
    return (sb_modal_curve){start, (end - start - 2 * arc) / frames,
                            2 * arc / (frames * frames)};
}

/* Apply an impulse at every frame of the block just rendered. */
void sb_modal_heavy_drive(sb_modal_group *group, int lane,
                          const sb_modal_curve *weight, const float *impulse_ns,
                          double dt_s, float *out) SB_RT;

#endif
