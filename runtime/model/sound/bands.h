/* runtime/model/sound/bands.h -- energies of modes as an ear adds them up.
 *
 * Private to runtime/model. Bands lie one ERB apart; each mode is shared by its
 * two neighbours.
 *
 * Thread: any. Memory: the caller's.
 * Source: Glasberg & Moore, Derivation of auditory filter shapes from
 *         notched-noise data, 1990 (the ERB number).
 */
#ifndef SB_MODEL_SOUND_BANDS_H
#define SB_MODEL_SOUND_BANDS_H

enum { SB_BANDS = 128 }; /* 20 kHz is the 42nd */

void sb_bands_add(double bands[SB_BANDS], double freq_hz, double energy);

/* The rms difference of the levels of the bands, weighted by the energy
 * before. */
double sb_bands_error_db(const double before[SB_BANDS],
                         const double after[SB_BANDS]);

#endif
