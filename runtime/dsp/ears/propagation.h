/* runtime/dsp/ears/propagation.h -- from the bodies through the air to two
 * ears.
 *
 * What a body radiates at the time e is heard at a(e) = e + d(e). When a block
 * of a body has been computed, all that arrives of it is written to where it
 * will be heard, in rings that all bodies share:
 *
 *     ear[m] += g x(e),   e + d(e) = m
 *
 * with x between its frames from a windowed sinc of 24 taps. That is the
 * retarded time itself: the pitch of a moving body is f / (1 - M cos), and no
 * gain goes with it, since x is read and not spread. A body that goes away is
 * read in finer steps, so that the kernel keeps images down whichever way it
 * moves.
 *
 * Each ear has two rings. `full` is heard as it is; `dull` goes, for all bodies
 * at once, through one low-pass of a symmetric impulse response. An ear in the
 * shadow of the head hears alpha x + (1 - alpha) lowpass(x): the shelf of a
 * sphere (Brown & Duda), without phase, so that the times at the ears are those
 * of d at every frequency. Before it, the air takes its part (air.h), also
 * without phase. The sums lose what is slower than hearing, and any constant
 * pressure, to a high-pass at 5 Hz.
 *
 * All this comes `latency` frames late, which depends on the rate alone.
 *
 * Symbols: M -> speed over that of sound, m -> frame heard, e, d -> see path.h.
 * Thread:  audio, but for init.
 * Memory:  the caller's, of sb_ears_bytes; the air table is lent.
 * Source:  O'Brien, Cook & Essl, Synthesizing sounds from physically based
 *          motion, 3.3 (what they spread with a Gaussian is read with a sinc
 *          here); C. P. Brown & R. O. Duda, A structural model for binaural
 *          sound synthesis, 1998.
 */
#ifndef SB_DSP_EARS_PROPAGATION_H
#define SB_DSP_EARS_PROPAGATION_H

#include "runtime/dsp/ears/path.h"

#include <stddef.h>

enum { SB_SHADOW_HALF_MAX = 512 };

/* The corner of the shadow's low-pass: 2 c over the radius of a head. */
#define SB_SHADOW_HZ 1250.0

typedef struct sb_ears {
    double sample_rate_hz;
    int air_half, shadow_half;
    int lag; /* frames that a body's sound is behind when it is written */
    double delay_max;
    int64_t frame;                  /* first of the block under way */
    int64_t busy_until, dull_until; /* frames heard up to here may not be 0 */
    int64_t loud_until;             /* what arrives from here on is silence */
    float silence; /* the peak that counts as that, of full scale; 0 */
    uint32_t mask; /* of the rings' places */
    float *full[2], *dull[2];
    double dc_keep, dc_in[2], dc_out[2];
    const sb_air_table *air; /* NULL: it takes nothing */
    const sb_hear_kernel *kernel;
    float shadow[SB_SHADOW_HALF_MAX + 1];
    _Alignas(64) float rows[SB_HEAR_PHASES * SB_HEAR_ROW];
} sb_ears;

size_t sb_ears_bytes(double sample_rate_hz);
/* In zeroed memory of that size, aligned to a cache line. */
sb_ears *sb_ears_init(void *memory, double sample_rate_hz);

/* Frames between a sound's time and its way out. Thread: any. */
int sb_ears_latency(double sample_rate_hz);

/* The block under way begins at this frame. */
void sb_ears_begin(sb_ears *ears, int64_t frame) SB_RT;

/* A body's block, sent on its way. */
void sb_ears_take(sb_ears *ears, sb_path *path, const float *mono) SB_RT;

/* Add what both ears hear in the block, latency frames late. */
void sb_ears_give(sb_ears *ears, float *stereo) SB_RT;

/* How many frames from now on something louder than silence may still
 * arrive. */
int64_t sb_ears_travelling(const sb_ears *ears) SB_RT;

#endif
