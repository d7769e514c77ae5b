/* SPDX-License-Identifier: MIT */
/* runtime/fit/fit.h -- the modes shared by recordings of one object, how
 * similar a fit is to its recording, and weights of the modes as textures.
 *
 * An object struck at several places rings with the same frequencies and
 * decays, and with different gains for each place:
 *     x_r(t) = sum_k g_kr exp(-6.91 t / T_k) cos(2 pi f_k t + a_kr) + noise
 *
 * 1. Poles are searched in sub-bands (search.h) of all recordings at once.
 * 2. They are refined together (refine_modes.h). Poles that could be noise, or
 *    whose decay is too uncertain, are dropped.
 * 3. The residual is searched again, also over shorter spans.
 * 4. The onset of each recording is placed where the modes begin to explain it
 *    better than silence does; gains are those at the onset.
 *
 * Symbols: f -> freq_hz; T -> t60_s; g -> gains, a -> phases_rad.
 * Thread:  control. Memory: sb_fit_free.
 */
#pragma once

#include "runtime/fit/takes.h"

enum { SB_FIT_MAX_MODES = 512 };

typedef struct sb_fit_def {
    double low_hz;   /* default 20 */
    double high_hz;  /* default 20000; at most 0.46 of the rate */
    double range_db; /* default 60; range below the loudest mode */
    int max_modes;   /* default 128, at most SB_FIT_MAX_MODES */
} sb_fit_def;

typedef struct sb_fit_mode {
    double freq_hz;
    double t60_s;
    double freq_deviation_hz; /* standard deviations */
    double t60_deviation_s;
} sb_fit_mode;

/* Modes in order of rising frequency. */
typedef struct sb_fit {
    sb_fit_mode *modes;
    int mode_count;
    int take_count;
    double *gains; /* gains[k * take_count + r], > 0: amplitude at the onset */
    double *phases_rad;
    double onsets_s[SB_FIT_MAX_TAKES];
    double noise[SB_FIT_MAX_TAKES]; /* standard deviations */
} sb_fit;

sb_fit_def sb_fit_def_default(void);

/* NO_MODES ("no modes found") for noise or silence; errors of sb_takes_make. */
SB_NODISCARD sb_status sb_fit_modes(sb_fit *out, const sb_recording *recordings,
                                    int count, int rate_hz,
                                    const sb_fit_def *def, sb_error *err);
void sb_fit_free(sb_fit *fit);

/* --- likeness ---------------------------------------------------------------
 * The fit is synthesised with the onset and length of the recording, from its
 * modes with their gains and phases, without noise. Two audible properties are
 * compared: levels in thirds of an octave over the first half second, weighted
 * by their power, and the time in which the energy falls by 20 dB after the
 * onset. */

typedef struct sb_likeness {
    double spectral_db;   /* root-mean-square difference of band levels */
    double decay_percent; /* deviation of the fit's T20 from the recording's */
    double left_db; /* power of the difference relative to the recording */
} sb_likeness;

/* Synthesise `count` samples of the fit in place of recording r. */
void sb_fit_play(const sb_fit *fit, int r, int rate_hz, float *out, int count);

SB_NODISCARD sb_status sb_fit_compare(sb_likeness *out, const sb_fit *fit,
                                      int r, int rate_hz,
                                      const float *recording,
                                      const float *played, int count,
                                      sb_error *err);

/* --- signs of the gains -----------------------------------------------------
 * Struck on one side of a nodal line, a mode first moves up; on the other side,
 * down. In two recordings with the same time origin its phases are then equal
 * or opposite. An onset error delays a recording, which shifts the phase of
 * each mode in proportion to its frequency. For each recording, the delay is
 * searched at which all doubled phases agree with those of the loudest
 * recording. If there is none, all signs are plus. */

/* Signed gains weights[k * take_count + r], scaled per mode so that the largest
 * is plus or minus 1; largest[k] is that gain. Returns the agreement of phases,
 * 0 .. 1; below 0.7 all signs are plus. */
double sb_fit_weights(const sb_fit *fit, double *weights, double *largest);

/* --- textures ---------------------------------------------------------------
 * Weights at a few places are interpolated to a texture:
 *     line       along the line through the places; constant beyond the first
 *                and the last place
 *     round      by the distance from the middle (0.5, 0.5), equal in all
 *                directions
 *     scattered  radial basis functions (the distance) plus a constant
 * Line and round use monotone cubic pieces that never overshoot, so that a
 * weight between two places lies between theirs.
 *
 * Source: F. N. Fritsch & J. Butland, A Method for Constructing Local Monotone
 *         Piecewise Cubic Interpolants, SIAM J. Sci. Stat. Comput. 5(2), 1984;
 *         D. Maunsbach & S. Serafin, 2019, 5.2 and 5.3. */

enum { SB_SPREAD_MAX_PLACES = 64 };

typedef enum sb_spread_kind {
    SB_SPREAD_LINE,
    SB_SPREAD_ROUND,
    SB_SPREAD_SCATTERED
} sb_spread_kind;

typedef struct sb_spread {
    sb_spread_kind kind;
    int count;                              /* 1 .. SB_SPREAD_MAX_PLACES */
    double places[SB_SPREAD_MAX_PLACES][2]; /* u and v, 0 .. 1 */
} sb_spread;

/* Fill a picture of `width` x `height` texels, rows from the top (v = 0), from
 * one value per place. BAD_ARGUMENT when two scattered places coincide,
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_spread_fill(const sb_spread *spread,
                                      const double *values, int width,
                                      int height, float *out, sb_error *err);
