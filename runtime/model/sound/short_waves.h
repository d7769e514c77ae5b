/* runtime/model/sound/short_waves.h -- radiation of waves short against a
 * sheet.
 *
 * A mode of a rectangle a by b whose waves are short is, away from the
 * corners, a product X(x) Z(z) of standing waves with k_x^2 + k_z^2 = K^2 and,
 * at each edge, a near field that decays as e^(-g s), g^2 = K^2 + k_z^2, s the
 * distance from the edge: at a free edge bending moment and shear force vanish,
 * at a pinned one deflection and moment, at a clamped one deflection and slope.
 * The far field of such a product is known in closed form, with the surface
 * pressure of radiation.h:
 *
 *     p R = rho c k / 4pi (2 z + i k t) (n.r) Int_X(k r_x) Int_Z(k r_z)
 *
 * This module takes the mean of |p R|^2 over directions and over waves in all
 * directions of the sheet. It needs no mesh, so that it serves where the modes
 * are too short to be sampled or too many to be listed; its samples are fixed
 * points, so that the same input gives the same bits. Other outlines are taken
 * as the square of equal area.
 *
 * Symbols: K wavenumber of the sheet, k of the air, 1/m; t thickness.
 * Thread: control, workers.
 * Source: edge conditions as in Leissa, Vibration of Plates, 1969; far field
 *         and z as in radiation.h.
 */
#ifndef SB_MODEL_SOUND_SHORT_WAVES_H
#define SB_MODEL_SOUND_SHORT_WAVES_H

#include "runtime/model/shape.h"

typedef struct sb_material sb_material;

typedef struct sb_wave_sheet {
    double sides_m[2];
    double thickness_m;
    double mass_kg;
    double poisson_ratio;
    sb_support support; /* of all edges; CLAMPED_FREE counts as free */
    bool is_closed;     /* it has no back, such as the wall of a closed body */
} sb_wave_sheet;

/* Mean of g^2, (Pa m)^2 per (kg (m/s)^2), over waves with this K that sound at
 * freq_hz; the mean square of their phi over the sheet is 1 / mass. */
double sb_short_waves_power(const sb_wave_sheet *sheet, double wavenumber,
                            double freq_hz);

/* phi^2 at a place over its mean: waves in all directions with wavenumbers
 * about K, a third octave of frequencies. `edges_m` are the distances from the
 * nearest edge along both sides; INFINITY where there is none. It is 3.5 at a
 * free edge, 0 at others, and 1 within a sheet. */
double sb_short_waves_at(const sb_wave_sheet *sheet, double wavenumber,
                         const double edges_m[2]);

/* K of bending waves: sqrt(omega / speed), speed = sqrt(D / rho h). */
double sb_bending_wavenumber(const sb_material *material, double thickness_m,
                             double freq_hz);

/* The same over frequency, for bending waves, as a table: twelve points per
 * octave, straight between them on log scales. `offset_db` is what the modes at
 * offset_hz have above it, since neither the product nor the outline is exact;
 * it falls with the square of the length of the waves. */
enum { SB_WAVE_POINTS = 144 };
typedef struct sb_wave_law {
    double first_hz;
    int count;
    double power[SB_WAVE_POINTS];   /* g^2 */
    double stepped[SB_WAVE_POINTS]; /* of the same waves at freq * step */
    double step;                    /* 0: no slopes */
    double offset_db, offset_hz;
} sb_wave_law;

void sb_wave_law_init(sb_wave_law *law, const sb_wave_sheet *sheet,
                      const sb_material *material, double first_hz,
                      double last_hz, double step);
double sb_wave_law_power(const sb_wave_law *law, double freq_hz);

/* The exponent with which g of the same waves follows frequency. */
double sb_wave_law_slope(const sb_wave_law *law, double freq_hz);

#endif
