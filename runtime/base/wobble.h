/* runtime/base/wobble.h -- a slow oscillation of a body that bends
 * pitch.
 *
 * The strain is e = Im z, where z rotates at the rate and decays. Every mode is
 * heard at w0 sqrt(1 + bend e), with its own `bend`. A push is added to Re z: e
 * starts from its present value without a jump, and reaches the push, or more
 * if it was already moving in that direction.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_WOBBLE_H
#define SB_BASE_WOBBLE_H

typedef struct sb_wobble {
    double rate_hz;     /* > 0 */
    double decay_per_s; /* >= 0, of the amplitude */
    double push;        /* 0: none */
} sb_wobble;

#endif
