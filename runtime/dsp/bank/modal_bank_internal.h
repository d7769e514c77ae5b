/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_bank_internal.h -- shared by the files of the bank.
 *
 * Thread: audio. Only the files of this folder and tests include this.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

struct sb_modal_bank {
    const sb_modal_kernel *kernel;
    /* stored behind this struct in the caller's memory */
    sb_modal_group *groups;
    double dt_s;
    double threshold;
    int capacity;
    int mode_count;
    int group_count;
    bool is_partial;            /* some group is not SB_HEARD: modal_choice.h */
    struct sb_modal_aims *aims; /* or NULL */
    bool is_turning;            /* some group was or is about to */
    bool has_heavy;             /* some lane of some group is strongly damped */
    unsigned last_visit;        /* value of groups_rung when last rendered */
    unsigned tuned; /* incremented whenever the value of a mode changes */
    unsigned aimed; /* and this whenever its a does */
};

/* Subnormal numbers occur in every decaying sound and cost a hundred times
 * as much as normal ones on x86, so they are treated as zero while the bank
 * works. */
static inline unsigned sb_modal_flush_begin(void) {
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); /* flush to zero, denormals are zero */
    return before;
#else
    return 0;
#endif
}

static inline void sb_modal_flush_end(unsigned before) {
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

/* The state of a mode as displacement and velocity. */
typedef struct sb_modal_motion {
    double q, velocity;
} sb_modal_motion;

/* g a of a mode: its output per velocity. */
static inline double sb_modal_out(const sb_modal_group *group, int lane) {
    double a = group->aimed ? (double)group->aimed->now[lane] : 1;
    return group->gain[lane] * a;
}

/* --- modal_aim.c ----------------------------------------------------------- */

static inline bool sb_modal_is_turning(const sb_modal_group *group) {
    return group->turning > 0;
}

/* If the group turns, it has; a is that of the end of the block. */
void sb_modal_group_turned(const sb_modal_bank *bank,
                           sb_modal_group *group) SB_RT;
/* False: it cannot be rendered as one that does, and has turned. */
bool sb_modal_turning_ready(const sb_modal_bank *bank,
                            sb_modal_group *group) SB_RT;

static inline void sb_modal_turning_end(const sb_modal_bank *bank,
                                        sb_modal_chunk *turning, float *out) {
    if (turning->count > 0) bank->kernel->turn(turning, out);
    turning->count = 0;
}

/* Take a group that turns, to be rendered into `out` by the end; false: it is to
 * be rendered as others are. */
static inline bool sb_modal_turning_add(sb_modal_bank *bank,
                                        sb_modal_chunk *turning,
                                        sb_modal_group *group, float *out) {
    const sb_modal_aimed *aimed = group->aimed;
    if (!sb_modal_is_turning(group)) return false;
    bank->is_turning = true;
    if ((!aimed->is_tuned || aimed->steep) &&
        !sb_modal_turning_ready(bank, group))
        return false;
    turning->group[turning->count++] = group;
    if (turning->count == SB_MODAL_CHUNK)
        sb_modal_turning_end(bank, turning, out);
    return true;
}

/* Before a block: is_turning is set again by what turns in it. */
static inline void sb_modal_turning_begin(sb_modal_bank *bank,
                                          sb_modal_chunk *turning) {
    turning->count = 0;
    if (bank->is_turning) bank->aimed++;
    bank->is_turning = false;
}

sb_modal_motion sb_modal_motion_get(const sb_modal_group *group,
                                    int lane) SB_RT;
void sb_modal_motion_set(sb_modal_group *group, int lane,
                         sb_modal_motion motion) SB_RT;

/* sb_modal_bank_render of a bank that is_partial. */
void sb_modal_bank_render_chosen(sb_modal_bank *bank, float *out) SB_RT;

/* Render a block of all strongly damped lanes. */
void sb_modal_bank_ring_heavy(sb_modal_bank *bank, float *out) SB_RT;

/* Add the ringing that follows from the amplitudes of the chunk, and empty
 * it. */
static inline void sb_modal_chunk_ring(const sb_modal_bank *bank,
                                       sb_modal_chunk *chunk,
                                       sb_modal_sum *sum) {
    if (chunk->count > 0) bank->kernel->ring(chunk, sum);
    chunk->count = 0;
}

/* --- modal_heavy.c: modes near or above critical damping ---------------------
 *
 * They are few and decay within milliseconds, and z is undefined where wd is 0.
 * So each is stepped sample by sample in double by the exact
 *
 *     (q, q')(t) = e^(-s t) [ C + s S,      S    ]  (q, q')(0),
 *                           [ -w0^2 S,   C - s S ]
 *
 * C, S = cosh(r t), sinh(r t) / r with r^2 = s^2 - w0^2. Below critical damping
 * these are cos and sin / wd, at critical damping 1 and t.
 * The lane holds u = q' + i w0 q, so |u| has the same meaning as elsewhere. */

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
