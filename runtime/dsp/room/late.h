/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/late.h -- the late field of a room: a feedback delay network.
 *
 * Sixteen delay lines feed each other through Hadamard's matrix H, which keeps
 * energy. Each pass through line i takes the energy of a pass through the room:
 *
 *     s_i[n] = b_i u[n] + sum over j of H_ij g_j s_j[n - d_j],
 *     g_j = 10^(-3 d_j / (T60 rate))
 *
 * so everything in the network decays by 60 dB in T60. There is one network per
 * octave, all with the same delays, fed through Butterworth filters of order
 * 20, so that an octave's T60 is that of its network alone. Even lines are
 * heard left, odd lines right: without correlation.
 *
 * Decays of a dense field vary: the T60 that is measured in one octave of one
 * response has a spread of some .9 sqrt(3 / (bandwidth T60)) (ISO 3382-2), here 5
 * to 20 % in low octaves. Of many signs of b, late_signs.def has those with which
 * the decay of each octave at each ear is most regular, at 48 kHz
 * (tests/dsp/room/late_signs.c finds them). Other rates have the same delays, so
 * that low octaves, where it matters, are the same.
 *
 * An impulse leaves an energy of 1 / D per frame at each ear, D being the sum
 * of the delays in frames; sb_late_gain makes that any wanted energy per second.
 *
 * Symbols: d -> length, g -> gain, b -> input, u -> the sound of all bodies.
 * Thread:  sb_late_run audio, the rest control.
 * Memory:  the caller's, of sb_late_bytes.
 * Source:  J.-M. Jot & A. Chaigne, Digital delay networks for designing
 *          artificial reverberators, AES 90, 1991.
 */
#pragma once

#include "runtime/base/status.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SB_LATE_BANDS = 8, /* octaves about 125, 250 ... 16000 Hz; the first and
                          the last are open */
    SB_LATE_LINES = 16
};

/* Centre of an octave. */
double sb_late_band_hz(int band);

/* Networks, by the mean delay of their lines: 8 to 45 ms, in steps of half an
 * octave. 0 is none. */
enum { SB_LATE_SIZES = 6 };
int sb_late_size(double mean_s); /* the nearest */
double sb_late_mean_s(int size);

typedef struct sb_late_def {
    double sample_rate_hz;
    int size;                    /* 1 .. SB_LATE_SIZES */
    double t60_s[SB_LATE_BANDS]; /* > 0 */
    double gain[SB_LATE_BANDS];  /* from u to both ears */
    /* Signs of b, a bit per line, for each octave; NULL: those of
     * late_signs.def, with which single decays are most regular. */
    const uint16_t *signs;
} sb_late_def;

/* The gain for an energy of `density` per second at t = 0, per ear, after an
 * impulse of energy 1. */
double sb_late_gain(int size, double density);

typedef struct sb_late sb_late;

size_t sb_late_bytes(const sb_late_def *def);
/* In zeroed memory of that size, aligned to a cache line. */
sb_late *sb_late_init(void *memory, const sb_late_def *def);

/* The longest delay of a line, frames. */
int sb_late_longest(const sb_late *late);

/* Add the reverberation of a block `u` to interleaved stereo frames. */
void sb_late_run(sb_late *late, const float *u, float *stereo) SB_RT;
