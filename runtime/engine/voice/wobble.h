/* runtime/engine/voice/wobble.h -- a slow swing of a whole body that moves its
 * pitches.
 *
 * The strain is e = Im z, where z turns at the rate and fades, and every mode
 * is heard at w0 sqrt(1 + bend e) with a number `bend` of its own. A push is
 * added to Re z: e sets off from where it is, without a jump, and gets as far
 * as the push says, or farther if it was swinging that way.
 *
 * Thread: any; plain values.
 */
#ifndef SB_ENGINE_VOICE_WOBBLE_H
#define SB_ENGINE_VOICE_WOBBLE_H

typedef struct sb_wobble {
    double rate_hz;     /* > 0 */
    double decay_per_s; /* >= 0, of its amplitude */
    double push;        /* 0 is none */
} sb_wobble;

#endif
