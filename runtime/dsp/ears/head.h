/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/head.h -- a head that was measured: its filters and delays in
 * every direction.
 *
 * A measurement is one impulse response per ear and direction. Each is split
 * into a minimum-phase filter of the same magnitude and a delay. Both become
 * sums of spherical harmonics of the direction r,
 *
 *     h_n(r) = sum over k of c_kn Y_k(r),    d(r) = sum over k of d_k Y_k(r)
 *
 * fitted by least squares. So they are smooth between the directions that were
 * measured, and a body that goes round the head w times per second adds lines
 * only at whole multiples of w, up to SB_HEAD_ORDER. Delays are not in the
 * filters: filters of near directions can be added without a comb.
 *
 * Levels: the mean power of both ears over all directions is made 1 at every
 * frequency. So loudspeaker, microphone and ear canal drop out, which all
 * directions share and headphones bring again. Below 250 Hz, where loudspeakers
 * fail and no head matters, magnitudes go to 1.
 *
 * Symbols: r -> toward: x right, y up, z straight ahead; n taps; k harmonics.
 * Thread:  sb_head_find audio, sb_head_make control.
 * Memory:  the caller frees a head with sb_free.
 * Source:  D. J. Kistler & F. L. Wightman, A model of head-related transfer
 *          functions based on minimum-phase reconstruction, JASA 91:1637, 1992;
 *          M. J. Evans, J. A. S. Angus & A. I. Tew, Analyzing head-related
 *          transfer function measurements using surface spherical harmonics,
 *          JASA 104:2400, 1998.
 */
#pragma once

#include "runtime/base/head_delays.h"
#include "runtime/base/status.h"
#include "runtime/dsp/ears/hear_kernel.h"

enum { SB_HEAD_TAPS_MAX = 256 }; /* per ear */

/* What was measured. Thread: control. Memory: borrowed. */
typedef struct sb_head_data {
    int count;              /* directions; limits: media/sofa_file.h */
    int frames;             /* per response */
    double rate_hz;         /* of the responses */
    const sb_vec3 *toward;  /* of unit length */
    const float *responses; /* left, then right, per direction */
    const float *delays;    /* frames before the response, likewise */
} sb_head_data;

typedef struct sb_head {
    int taps;                                  /* per ear; 8 divides it */
    float rows[] __attribute__((aligned(64))); /* per harmonic: left, right */
} sb_head;

/* Taps of a filter: 2.7 ms, up to 96 kHz; less above. */
int sb_head_taps(double sample_rate_hz) SB_RT;

/* NULL when out of memory. */
sb_head *sb_head_make(const sb_head_data *data, double sample_rate_hz,
                      sb_head_delays *delays);

/* Where a body is: on its way from `old` to `now` by `share`, which is 1 without
 * a fade. A direction of length 0: no head is between, its filter is 1. */
typedef struct sb_head_place {
    sb_vec3 now, old;
    double share;
} sb_head_place;

/* The filters of both ears: left, then right, `taps` each. */
void sb_head_find(const sb_head *head, const sb_hear_kernel *kernel,
                  const sb_head_place *place, float *filters) SB_RT;
