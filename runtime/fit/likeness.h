/* runtime/fit/likeness.h -- how like a recording its fit is.
 *
 * The fit is played as the recording was made: the same onset and length, its
 * modes with their gains and phases, without noise. What is compared is what is
 * heard: levels in thirds of octaves over the first half second, weighted by
 * their power, and the time in which the energy falls by 20 dB after the onset.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_FIT_LIKENESS_H
#define SB_FIT_LIKENESS_H

#include "runtime/fit/modes_fit.h"

typedef struct sb_likeness {
    double spectral_db;   /* root mean square difference of levels */
    double decay_percent; /* of the fit's T20 from the recording's */
    double left_db; /* power of the difference over that of the recording */
} sb_likeness;

/* Samples of the fit as recording r would be; `count` of them. */
void sb_fit_play(const sb_fit *fit, int r, int rate_hz, float *out, int count);

SB_NODISCARD sb_status sb_fit_compare(sb_likeness *out, const sb_fit *fit,
                                      int r, int rate_hz,
                                      const float *recording,
                                      const float *played, int count,
                                      sb_error *err);

#endif
