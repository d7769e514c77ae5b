/* SPDX-License-Identifier: MIT */
/* runtime/engine/voice/voice_pad.h -- a place on a body, prepared to be hit.
 *
 * Weights, contact law and work space are made once, on the control thread. A
 * hit then takes one of the pad's strikes and fills in what depends on its
 * speed, which the pad's law computes. So it costs some microseconds, and the
 * audio thread can do it.
 *
 * All strikes of a pad play on one voice, and strikes on one voice share their
 * work space anyway (island.c), so a pad has one.
 *
 * Thread: created by control, then used by the audio thread alone until it is
 *         retired: released or replaced, and none of its strikes plays.
 * Memory: one block holds pad, weights, work space and the law's data.
 */
#pragma once

#include "runtime/engine/voice/voice.h"

/* Most hits of one pad that wait or play at once. */
enum { SB_PAD_HITS = SB_STRIKERS };

/* A stale id is detected; the all-zero id is "no pad". */
typedef struct sb_pad_id {
    uint32_t index;
    uint32_t generation;
} sb_pad_id;

/* What depends on the speed of a hit. */
typedef struct sb_blow {
    /* of a known force, and what is reported of it */
    double impulse_ns, duration_s;
    sb_impact_record record;
    /* of a mass */
    sb_contact_law law;
    double speed_m_s;
} sb_blow;

/* Compute it from the data of the pad; false: this speed makes no sound. In
 * sandbell_rt, whose symbols are checked. */
typedef bool sb_pad_law(const void *data, double speed_m_s, sb_blow *out);

typedef struct sb_pad {
    struct sb_pad *next; /* of the engine's list; control's */
    sb_pad_id id;
    sb_voice_id voice;
    int mode_count;
    bool is_striker;    /* a moving mass: `striker`, else a known force */
    sb_striker striker; /* but for its law and speed */
    uint32_t label;     /* of its reports; 0: none */
    double response;    /* as that of sb_strike */
    sb_pad_law *law;
    void *law_data;
    sb_modal_field field;
    float *weights;
    bool is_gone; /* released or replaced */
    int free_count;
    sb_strike *free[SB_PAD_HITS];
    sb_strike strikes[SB_PAD_HITS];
} sb_pad;
