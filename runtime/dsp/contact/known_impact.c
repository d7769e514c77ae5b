/* SPDX-License-Identifier: MIT */
#include "runtime/dsp/contact/known_impact.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"

#include <math.h>

static void begin(sb_impact *impact, sb_modal_bank *bank, double rate,
                  float *out) {
    sb_bank_impulse impulse = {impact->impulse_ns, 0.0,
                               fmax(impact->start_frame, 0.0), impact->weights};
    impact->has_begun = true;
    if (impact->duration_frames <= 0.0) {
        sb_modal_bank_impulse(bank, &impulse, out);
        return;
    }
    double wanted = SB_PI * rate / impact->duration_frames;
    impulse.pulse_rad_s = sb_modal_bank_safe_pulse(bank, wanted);
    impact->pulse_rad_frame = impulse.pulse_rad_s / rate;
    impact->duration_frames = SB_PI / impact->pulse_rad_frame;
    sb_modal_bank_pulse_forced(bank, &impulse, &impact->cos_part,
                               &impact->sin_part);
    sb_modal_bank_impulse(bank, &impulse, out);
}

/* The part of the response that follows the force, shared by all modes. */
static void add_forced(const sb_impact *impact, float *out) {
    double end = impact->start_frame + impact->duration_frames;
    int first = (int)fmax(0.0, ceil(impact->start_frame));
    int last = (int)fmin(SB_BLOCK_FRAMES - 1.0, floor(end));
    for (int n = first; n <= last; n++) {
        double angle = impact->pulse_rad_frame * (n - impact->start_frame);
        if ((double)n >= end) break;
        out[n] -= (float)(impact->cos_part * cos(angle) +
                          impact->sin_part * sin(angle));
    }
}

bool sb_impact_advance(sb_impact *impact, sb_modal_bank *bank,
                       double sample_rate_hz, float *out) {
    if (!impact->has_begun && impact->start_frame < SB_BLOCK_FRAMES) {
        begin(impact, bank, sample_rate_hz, out);
    }
    bool is_over = false;
    if (impact->has_begun) {
        is_over = impact->duration_frames <= 0.0;
        if (!is_over) {
            add_forced(impact, out);
            double end = impact->start_frame + impact->duration_frames;
            is_over = end < SB_BLOCK_FRAMES;
            if (is_over) {
                sb_bank_impulse impulse = {impact->impulse_ns,
                                           impact->pulse_rad_frame *
                                               sample_rate_hz,
                                           end, impact->weights};
                sb_modal_bank_impulse(bank, &impulse, out);
            }
        }
    }
    impact->start_frame -= SB_BLOCK_FRAMES;
    return is_over;
}
