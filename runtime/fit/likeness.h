/* runtime/fit/likeness.h -- how similar a fit is to its recording.
 *
 * The fit is synthesised with the onset and length of the recording, from its
 * modes with their gains and phases, without noise. Two audible properties are
 * compared: levels in thirds of an octave over the first half second, weighted
 * by their power, and the time in which the energy falls by 20 dB after the
 * onset.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_FIT_LIKENESS_H
#define SB_FIT_LIKENESS_H

#include "runtime/fit/modes_fit.h"

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

#endif
