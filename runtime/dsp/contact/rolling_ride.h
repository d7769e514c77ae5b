/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/rolling_ride.h -- a mass that rides on a profile, for a force that
 * drives other modes.
 *
 * A press (link.h) solves a mass on a rough surface together with all modes of
 * the bodies. A ride solves the same equations, with the same contact law and
 * the same jumps, on a small copy of the bodies: the lowest modes, and a few
 * broad ones for the others. The force is the result; the bodies take it as a
 * known force. It costs little however many modes they have, and what else rings
 * in them does not matter for it.
 *
 * The copy has the lowest modes, and those which are so wide that they stand
 * for many. The others lie in bands from w1 to w2; those of one band, of weights
 * phi, are one mode of
 *
 *     weight^2 = sum phi^2,   pitch^2 = weight^2 / sum (phi^2 / w^2),
 *     s = (w2 - w1) / pi,
 *
 * which yields as they do far below them, and in the band by their mean mobility
 * pi/2 sum phi^2 / (w2 - w1).
 *
 * Weights are those in the middle of a block. Between two blocks a mass that
 * touches is carried along, as by a press.
 *
 * Symbols: phi weights, w omega_rad_s, s sigma_per_s.
 * Thread:  chosen and initialised by control; played by the audio thread.
 * Memory:  the caller's, one block.
 * Source:  Cremer, Heckl and Petersson, Structure-Borne Sound, 2005 (mean
 *          mobility).
 */
#pragma once

#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/contact/link.h"

/* Modes of the copy, of which the last, one per band, stand for the others. */
enum {
    SB_RIDE_MODES = 64,
    SB_RIDE_BANDS = 8,
    SB_RIDE_LOWEST = SB_RIDE_MODES - SB_RIDE_BANDS,
    SB_RIDE_SIDES = 2
};

typedef struct sb_ride_mode {
    sb_bank_mode mode;
    int side, index; /* of which body, and which mode of its voice */
} sb_ride_mode;

/* The other modes from one pitch to the next. */
typedef struct sb_ride_band {
    sb_bank_mode mode;
    int first[SB_RIDE_SIDES], end[SB_RIDE_SIDES]; /* modes of each body */
} sb_ride_band;

typedef struct sb_ride_def {
    sb_contact_law law;
    double mass_kg, inverse_mass; /* of the mass; 1/M of the body */
    int mode_count, band_count;
    sb_ride_mode modes[SB_RIDE_LOWEST];
    sb_ride_band bands[SB_RIDE_BANDS];
} sb_ride_def;

/* All modes of a body at the contact, the lowest first, but for wide ones. */
typedef struct sb_ride_side {
    const sb_bank_mode *modes;
    const double *weights;
    int mode_count; /* 0: it does not ring */
} sb_ride_side;

/* Fill in the modes of `def`. Modes from the Nyquist frequency on do not count,
 * as in a bank. */
void sb_ride_choose(sb_ride_def *def, const sb_ride_side sides[SB_RIDE_SIDES],
                    double sample_rate_hz);

typedef struct sb_ride sb_ride;

size_t sb_ride_bytes(void);

/* In zeroed memory of that size, aligned to SB_MODAL_BANK_ALIGN. BAD_ARGUMENT
 * when a mode is outside its range. */
SB_NODISCARD sb_status sb_ride_init(void *memory, const sb_ride_def *def,
                                    double sample_rate_hz, sb_ride **out);

/* The weights of all modes of a body in the middle of the block. */
typedef struct sb_ride_place {
    const float *weights;
    int count; /* 0: it does not ring */
} sb_ride_place;

/* Play a block under a load that changes linearly, on SB_PROFILE_POINTS heights.
 * Adds the force less the load, N s per frame, to excess_ns: the load itself is
 * not heard, and in float it would hide a small force. */
void sb_ride_block(sb_ride *ride, const sb_ride_place places[SB_RIDE_SIDES],
                   const double load_n[2], const double *profile_m,
                   double *excess_ns) SB_RT;
