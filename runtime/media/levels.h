/* runtime/media/levels.h -- a sound as a grid of levels over time and
 * frequency.
 *
 * No single window shows both a strike and a partial well: a long one smears
 * the strike in time, a short one the partial in frequency. Three windows of
 * about 170, 85 and 43 ms (at most a quarter of the sound) are averaged in dB,
 * with more weight on the long ones at low and on the short ones at high
 * frequencies. A mean in dB is low where either window is low, so each limits
 * the smearing of the other. The shortest window, which resolves onsets best,
 * bounds the result.
 *
 * Each column is the maximum over windows spaced a quarter of their length, and
 * each row the maximum over its bins and over the channels: no strike is
 * skipped, however much time a column covers. Memory grows with the grid, not
 * with the sound.
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
    bool is_linear; /* rows equally spaced in Hz instead of octaves */
} sb_levels_def;

/* The frequency at a height in rows, and its inverse: 0 is the top edge of row
 * 0, row_count the bottom edge. */
double sb_levels_freq_hz(const sb_levels_def *def, double row);
double sb_levels_row(const sb_levels_def *def, double freq_hz);

/* Fill levels_db[row * column_count + column]; a full-scale sine is 0 dB.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_levels_compute(const sb_levels_def *def,
                                         float *levels_db, sb_error *err);

#endif
