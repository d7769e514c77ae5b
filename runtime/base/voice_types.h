/* SPDX-License-Identifier: MIT */
/* runtime/base/voice_types.h -- small types that the scene shares with the
 * engine and its voices.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include <stdint.h>

/* The engine's inner block, in frames; device callbacks of any size are served
 * from it. */
enum { SB_BLOCK_FRAMES = 128 };

/* Voices have ids, not pointers: a stale id is detected. The all-zero id is "no
 * voice". */
typedef struct sb_voice_id {
    uint32_t index;
    uint32_t generation;
} sb_voice_id;

/* A spring, or a distortion, inside a body (dsp/contact/link.h). */
typedef struct sb_spring {
    double linear_n_m; /* k1 >= 0 */
    double cubic_n_m3; /* k3 >= 0 */
    double loss_ns_m;  /* c >= 0, of a distortion */
    double knee_m_s;   /* > 0, of a distortion */
} sb_spring;

/* A slow oscillation of a body that bends pitch. The strain is e = Im z, where z
 * rotates at the rate and decays. Every mode is heard at w0 sqrt(1 + bend e),
 * with its own `bend`. A push is added to Re z: e starts from its present value
 * without a jump, and reaches the push, or more if it was already moving in that
 * direction. */
typedef struct sb_wobble {
    double rate_hz;     /* > 0 */
    double decay_per_s; /* >= 0, of the amplitude */
    double push;        /* 0: none */
} sb_wobble;

/* The normal force and the velocities that drive a lasting contact at one
 * moment. Within a block each of them changes linearly. */
typedef struct sb_contact_load {
    double force_n; /* normal force, >= 0; 0: no contact */
    /* of the contact point along each surface, signed: how fast the profile
     * of the first and of the second surface passes under it */
    double speed_m_s[2];
    double slip_m_s; /* slip between the surfaces, signed; 0 when rolling */
} sb_contact_load;

typedef enum sb_lasting_model {
    SB_LASTING_KNOWN,    /* a force known in advance: rub.h */
    SB_LASTING_PRESS,    /* a loaded mass on the profile of the surfaces */
    SB_LASTING_FRICTION, /* bristles */
    SB_LASTING_BUZZ      /* a gap that opens and closes */
} sb_lasting_model;
