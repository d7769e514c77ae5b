/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/ears.h -- from the bodies through the air to two
 * ears.
 *
 * What a body radiates at time e is heard at a(e) = e + d(e). When a block of a
 * body has been computed, it is written to the time of its arrival in ring
 * buffers that all bodies share:
 *
 *     ear[m] += g x(e),   e + d(e) = m
 *
 * with x interpolated by a windowed sinc of 24 taps. This is the exact retarded
 * time: the pitch of a moving body is f / (1 - M cos), without a change of
 * gain, since x is read and not spread. A receding body is read in finer steps,
 * so images are suppressed in both directions of motion.
 *
 * Each ear has two ring buffers. `full` is heard as it is; `dull` passes, for
 * all bodies together, through one low-pass with a symmetric impulse response.
 * An ear in the shadow of the head hears alpha x + (1 - alpha) lowpass(x): the
 * shelf of a sphere (Brown & Duda) with zero phase, so that arrival times are
 * those of d at every frequency. Absorption of the air (air_filter.h) comes before,
 * also with zero phase. A high-pass at 5 Hz removes constant pressure and
 * infrasound.
 *
 * With a measured head (head.h) each ear reads what through_head.h has filtered,
 * and the gains are those of the distance alone.
 *
 * The output is `latency` frames late, which depends on the sample rate alone.
 *
 * Symbols: M -> Mach number, m -> frame heard, e, d -> see path.h.
 * Thread:  audio, except init.
 * Memory:  the caller's, of sb_ears_bytes; the air table is borrowed.
 * Source:  O'Brien, Cook & Essl, Synthesizing sounds from physically based
 *          motion, 3.3 (what they spread with a Gaussian is read with a sinc
 *          here); C. P. Brown & R. O. Duda, A structural model for binaural
 *          sound synthesis, 1998.
 */
#pragma once

#include "runtime/dsp/ears/path.h"

#include <stddef.h>

enum { SB_SHADOW_HALF_MAX = 512 };

/* Corner of the low-pass of the head shadow: 2 c over the radius of a head. */
#define SB_SHADOW_HZ 1250.0

typedef struct sb_ears {
    double sample_rate_hz;
    int air_half, shadow_half;
    int lag; /* delay in frames of a body's sound when it is written */
    double delay_max;
    int64_t frame;                  /* first frame of the present block */
    int64_t busy_until, dull_until; /* the buffers may be non-zero up to here */
    int64_t loud_until;             /* arrivals after this are silent */
    float silence; /* peak below which a sound counts as silent; default 0 */
    uint32_t mask; /* index mask of the ring buffers */
    float *full[2], *dull[2];
    double dc_keep, dc_in[2], dc_out[2];
    const sb_air_table *air; /* NULL: no absorption */
    const sb_head *head;     /* that was measured, or NULL */
    int head_taps;
    struct sb_room *room; /* around the ears (dsp/room/room.h), or NULL */
    const sb_hear_kernel *kernel;
    float shadow[SB_SHADOW_HALF_MAX + 1];
    _Alignas(64) float rows[SB_HEAR_PHASES * SB_HEAR_ROW];
} sb_ears;

size_t sb_ears_bytes(double sample_rate_hz);
/* In zeroed memory of that size, aligned to a cache line. */
sb_ears *sb_ears_init(void *memory, double sample_rate_hz);

/* Output latency in frames. Thread: any. */
int sb_ears_latency(double sample_rate_hz);

/* Begin the block that starts at this frame. */
void sb_ears_begin(sb_ears *ears, int64_t frame) SB_RT;

/* Send a block of a body along its path. */
void sb_ears_take(sb_ears *ears, sb_path *path, const float *mono) SB_RT;

/* Add the output of both ears for the block, latency frames late. */
void sb_ears_give(sb_ears *ears, float *stereo) SB_RT;

/* Frames for which something louder than silence may still arrive. */
int64_t sb_ears_travelling(const sb_ears *ears) SB_RT;
