/* runtime/media/levels.h -- a sound as a grid of levels over time and frequency.
 *
 * No single window shows a strike and a partial well: a long one blurs the
 * strike in time, a short one the partial in frequency. Three windows of about
 * 170, 85 and 43 ms (at most a quarter of the sound) are blended by their
 * levels in dB: low frequencies lean on the long ones, high on the short. A
 * mean of dB is small where any window is, so that the blur of each is kept
 * down by the other; and the shortest, which knows best when a sound begins,
 * bounds them all.
 *
 * A column takes the maximum over windows a quarter of their length apart, and
 * a row that over its bins and over the channels: no strike is skipped, however
 * much time a column covers. Memory grows with the grid, not with the sound.
 *
 * Thread: control.
 * Source: S. Cheung and J. S. Lim, Combined Multiresolution (Wide-band/
 *         Narrow-band) Spectrogram, IEEE Trans. Signal Processing 40(4), 1992.
 */
#ifndef SB_MEDIA_LEVELS_H
#define SB_MEDIA_LEVELS_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_levels_def {
    const float *samples; /* interleaved */
    int64_t frame_count;
    int channel_count;
    int rate_hz;
    double span_s; /* of all columns together, from the first sample */
    int column_count;
    int row_count;
    double low_hz;  /* at the bottom edge of the last row; > 0 */
    double high_hz; /* at the top edge of row 0 */
    bool is_linear; /* rows in equal steps of Hz, not of octaves */
} sb_levels_def;

/* The frequency at a height: 0 is the top edge of row 0, row_count the bottom
 * edge; and the other way round. */
double sb_levels_freq_hz(const sb_levels_def *def, double row);
double sb_levels_row(const sb_levels_def *def, double freq_hz);

/* Fill levels_db[row * column_count + column]; a full-scale sine is 0 dB.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_levels_compute(const sb_levels_def *def,
                                         float *levels_db, sb_error *err);

#endif
