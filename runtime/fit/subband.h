/* runtime/fit/subband.h -- one band of a signal at a lower rate, shifted to 0.
 *
 *     y[m] = sum_j h[j] exp(-i w0 (m D + j)) x[m D + j],   j = 0 .. J-1
 *
 * The filter is anticausal: an exponential that begins with the signal remains
 * an exponential from the first sample on, p^n -> H(p) (p exp(-i w0))^(D m),
 * without a filter transient. Instead, the last J samples have no complete
 * output; there the signal is weakest.
 *
 * One transform of x serves all bands.
 *
 * Symbols: w0 -> centre; D -> step, samples; J -> tap_count.
 * Thread:  control. Memory: sb_subbands_destroy.
 */
#ifndef SB_FIT_SUBBAND_H
#define SB_FIT_SUBBAND_H

#include "runtime/base/cmplx.h"
#include "runtime/base/status.h"

typedef struct sb_subbands sb_subbands;

/* For signals of up to `length` samples at `rate_hz`. The band rate is the
 * signal rate divided by a power of two, near `band_rate_hz`. NO_MEMORY. */
SB_NODISCARD sb_status sb_subbands_create(sb_subbands **out, int length,
                                          int rate_hz, double band_rate_hz,
                                          sb_error *err);
void sb_subbands_destroy(sb_subbands *bands); /* NULL is allowed */

int sb_subbands_step(const sb_subbands *bands);
int sb_subbands_tap_count(const sb_subbands *bands);
/* Length of the array that sb_subbands_take fills. */
int sb_subbands_size(const sb_subbands *bands);

/* Width of the pass band, Hz. */
double sb_subbands_width_hz(const sb_subbands *bands);

/* The centre frequency of band i = 0, 1, ..., Hz. */
double sb_subbands_centre_hz(const sb_subbands *bands, int i);

/* Length of a spectrum as sb_subbands_look computes it: of two signals, or of
 * one when the other is NULL. */
int sb_subbands_spectrum_size(const sb_subbands *bands);
void sb_subbands_look(const sb_subbands *bands, const double *const x[2],
                      const int lengths[2], double complex *spectrum);

/* Band i of the first (0) or second (1) signal in that spectrum. */
void sb_subbands_take(const sb_subbands *bands, const double complex *spectrum,
                      int which, int i, double complex *band);

#endif
