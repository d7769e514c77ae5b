/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/pad_law.h -- what a hit of a prepared place amounts to.
 *
 * The numbers of a strike (strike/strike.h) for any speed, on the audio thread.
 * They are those of an ordinary strike, but for one sum over all modes, which
 * takes too long: how far the modes yield in a contact of duration T. Where T
 * depends on the speed, that sum is read from a table over log T; else it is a
 * number.
 *
 * Thread: filled in by control, read by the audio thread. Memory: plain values.
 */
#pragma once

#include "runtime/engine/engine_pad.h"
#include "runtime/scene/strike/strike.h"

enum { PAD_ROWS = 96 };

/* The table is made for speeds from the first to the second; a hit faster than
 * that is one of that speed. */
#define PAD_SLOWEST_M_S 0.001
#define PAD_FASTEST_M_S 200.0

typedef struct pad_law {
    sb_strike_def def; /* with all defaults; its speed is not used */
    bool presses;      /* a mass, else a known force */
    sb_hertz hertz;    /* of a mass */
    double inverse_mass, hardness_n_m;
    /* Known force: the inverse mass of the modes. Mass: the loss to the modes
     * that are heard as noise (sb_strike_noise_loss). */
    int row_count; /* 0: nothing; 1: for every duration */
    double first_log_s, step_log_s;
    double rows[PAD_ROWS];
} pad_law;

/* The duration of the contact at this speed. */
double pad_law_duration(const pad_law *law, double speed_m_s) SB_RT;

/* An sb_pad_law. */
bool pad_law_blow(const void *data, double speed_m_s, sb_blow *out) SB_RT;
