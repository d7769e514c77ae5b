/* runtime/fit/modes_fit.h -- the modes shared by recordings of one object.
 *
 * An object struck at several places rings with the same frequencies and
 * decays, and with different gains for each place:
 *     x_r(t) = sum_k g_kr exp(-6.91 t / T_k) cos(2 pi f_k t + a_kr) + noise
 *
 * 1. Poles are searched in sub-bands (search.h) of all recordings at once.
 * 2. They are refined together (refine_modes.h). Poles that could be noise, or whose
 *    decay is too uncertain, are dropped.
 * 3. The residual is searched again, also over shorter spans.
 * 4. The onset of each recording is placed where the modes begin to explain it
 *    better than silence does; gains are those at the onset.
 *
 * Symbols: f -> freq_hz; T -> t60_s; g -> gains, a -> phases_rad.
 * Thread:  control. Memory: sb_fit_free.
 */
#ifndef SB_FIT_MODES_FIT_H
#define SB_FIT_MODES_FIT_H

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

#endif
