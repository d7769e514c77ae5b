/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/pulses.h -- many short half-sine forces as samples.
 *
 * A pulse of impulse J and duration T is J pi / (2 T) sin(pi t / T). A frame
 * cannot simply get the integral of the force over it: that loses 0.75 dB at 10
 * kHz and 44.1 kHz, and aliases a third of the power above the Nyquist
 * frequency. With P the force integrated twice, which has a closed form, and
 * d^2 the second difference from frame to frame, a frame gets
 *
 *     (d^2 - d^4 / 12 + d^6 / 90) P,
 *
 * a triangle over two frames with a corrected frequency response: within 0.1 dB
 * up to 10 kHz at 44.1 kHz, however short the pulse and wherever between two
 * frames it starts; aliases add at most a hundredth of the power. The sum is
 * exactly J.
 *
 * This looks three frames ahead, so pulses must be added that much before they
 * start.
 *
 * Thread: audio. Memory: plain values, in the caller's memory.
 */
#pragma once

#include "runtime/base/status.h"

enum { SB_PULSES_MOST = 64, SB_PULSES_AHEAD = 3 };

typedef struct sb_pulse {
    double start_frame; /* from the start of the coming block */
    double duration_frames;
    double impulse_ns;
} sb_pulse;

typedef struct sb_pulses {
    int count;
    sb_pulse pulse[SB_PULSES_MOST];
} sb_pulses;

/* If there is no room, the impulse is added to the newest pulse. */
void sb_pulses_add(sb_pulses *pulses, sb_pulse pulse) SB_RT;

/* Add a block to impulse_ns and advance; finished pulses are removed. */
void sb_pulses_block(sb_pulses *pulses, float *impulse_ns) SB_RT;
