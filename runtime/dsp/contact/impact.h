/* runtime/dsp/contact/impact.h -- one strike on its way through a modal bank.
 *
 * A strike is an ideal impulse, or the half-sine force of a linear spring
 * (Menzies 2.1.1). The pulse is handed to the bank in closed form: a impulse at
 * its start, one at its end, and a sinusoid shared by all modes between (see
 * modal_bank.h). Start and end fall at fractional frames, and the sound is the
 * same at every sample rate.
 *
 * Other contact models (nonlinear, two-way) are other kinds of flight over the
 * same bank: they take their place beside this one.
 *
 * Thread: audio. Memory: the caller's; `weights` must outlive the flight.
 */
#ifndef SB_DSP_CONTACT_IMPACT_H
#define SB_DSP_CONTACT_IMPACT_H

#include "runtime/dsp/bank/modal_bank.h"

#include <stdbool.h>

typedef struct sb_impact {
    double impulse_ns;
    double duration_frames; /* 0: ideal impulse */
    double start_frame;     /* counted from the start of the coming block */
    const float *weights;   /* phi at the contact, one a mode */
    /* Set when the pulse begins. */
    double pulse_rad_frame; /* pi / duration, per frame */
    double cos_part, sin_part;
    bool has_begun;
} sb_impact;

/* Add what the strike does during the block just rendered to `bank` and to
 * `out`, and move on by one block. True when the strike is over. */
bool sb_impact_advance(sb_impact *impact, sb_modal_bank *bank,
                       double sample_rate_hz, float *out) SB_RT;

#endif
