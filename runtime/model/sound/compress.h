/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/compress.h -- modes too close to tell apart become one.
 *
 * Two modes nearer than the limen of frequency discrimination DLC sound as one
 * tone. DLC is taken piecewise linear through 2 Hz at 20 Hz, 6 Hz at 2 kHz and
 * 230 Hz at 22 kHz. N(f), the integral of 1 / DLC from 20 Hz, counts limens;
 * from low to high, a group begins at a mode and takes all modes within one
 * step of N above it. The step is a thousandth above one, so that no more than
 * 869 groups fit between 20 Hz and 22 kHz. `merge` scales it: 2 takes modes
 * within two limens together, 0 none.
 *
 * Signs of mode shapes, and the basis within a set of equal frequencies, are
 * arbitrary, so adding up shapes would give an arbitrary loudness. The sound is
 * the residue: the shape at the point of impact times the far field of the
 * mode, which is linear in the shape, too. With far fields c_i(direction) and
 * shapes phi_i at that point, the mean square pressure of the group is
 *
 *     phi' C phi,     C_ij = mean over directions of Re(conj(c_i) c_j)
 *
 * which no sign and no rotation of the basis changes. So the group is one
 * oscillator with radiation g, g^2 = trace(C) / n, and weight |L phi|, where
 * L' L = C / g^2 (a pivoted Cholesky factor). A group of one keeps its phi with
 * its sign. Modes whose frequencies are equal to 1e-6 are grouped even when
 * nothing else is merged: there is no beat between them.
 *
 * Symbols: f freq_hz, g radiation, L rows.
 * Thread: control, workers. Memory: sb_groups_free frees the arrays.
 * Source: Raghuvanshi & Lin 2006, 4.1; physics 2.7 and 2.9-7.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/sound/radiation.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_COMPRESS_MOST = 869 };

typedef struct sb_group {
    double freq_hz;    /* mean of its modes, weighted by their radiation */
    double radiation;  /* g */
    int first_mode;    /* index of the first of its modes */
    int mode_count;    /* consecutive modes */
    int row_count;     /* 1 .. mode_count: rows of L, the members */
    size_t first_term; /* its L in `terms`: row_count x mode_count */
} sb_group;

typedef struct sb_groups {
    int group_count;
    int row_count; /* of all groups */
    sb_group *groups;
    double *terms;
} sb_groups;

void sb_groups_free(sb_groups *groups); /* an empty one is allowed */

double sb_compress_dlc_hz(double freq_hz);

/* N above: limens from 20 Hz up to here; negative below. */
double sb_compress_limens(double freq_hz);

/* Replace frequencies that are equal to 1e-6 by their mean, so that results do
 * not depend on the basis. They must ascend. */
void sb_compress_pool(double *freqs_hz, int mode_count);

/* Group modes of pooled, ascending frequencies, within `merge` limens. `most`
 * bounds the number of groups: merging takes wider steps if necessary; without
 * merging the lowest groups are kept. */
SB_NODISCARD sb_status sb_compress(const double *freqs_hz, const sb_far *fars,
                                   int mode_count, double merge, int most,
                                   sb_groups *out, sb_error *err);

/* How loud modes are. Those without a far field have a level g only, and their
 * energies add up: C_ij = 0 between one of them and another mode. */
typedef struct sb_far_set {
    const sb_far *fars; /* of the lowest far_count modes */
    int far_count;
    const double *levels; /* g of all modes; NULL if all have far fields */
} sb_far_set;

/* The same for modes of which some have no far field. */
SB_NODISCARD sb_status sb_compress_set(const double *freqs_hz,
                                       const sb_far_set *heard, int mode_count,
                                       double merge, int most, sb_groups *out,
                                       sb_error *err);

/* The patterns of the groups: that of a group of one; several are alike in all
 * directions. NULL when out of memory. */
sb_patterns *sb_patterns_group(const sb_patterns *patterns,
                               const sb_groups *groups);

/* Energies of modes as an ear adds them up, in bands one ERB apart; each mode
 * is shared by its two neighbours (Glasberg & Moore, 1990: the ERB number). */
enum { SB_BANDS = 128 }; /* 20 kHz is the 42nd */

void sb_bands_add(double bands[SB_BANDS], double freq_hz, double energy);

/* The rms difference of the levels of the bands, weighted by the energy
 * before. */
double sb_bands_error_db(const double before[SB_BANDS],
                         const double after[SB_BANDS]);
