/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/beyond.h -- the modes that a model does not hold.
 *
 * A large thin sheet has more modes than can be computed or played. A model
 * that ends below max_hz because of the number of its modes is cut. Of what
 * lies beyond only the density matters, and the power P(f) that an impulse
 * gives to it per Hz,
 *
 *     P = n <g^2> <phi^2> / 2,
 *
 * n modes per Hz. n follows Weyl: constant for bending sheets, f^-1/2 for bars,
 * f for membranes, f^2 for full bodies. g^2 of sheets and shells follows
 * sb_short_waves_power, that of membranes and strings the sphere of
 * model.h, and that of full bodies, whose waves are longer than those of
 * the air, stays. Both are anchored at the last modes that the model has.
 *
 * Symbols: P powers, (Pa m)^2 / kg per Hz.
 * Thread: control, workers.
 * Source: Weyl's law; Cremer, Heckl and Petersson, Structure-Borne Sound, 2005,
 *         ch. 5 (density of modes).
 */
#pragma once

#include "runtime/model/model.h"
#include "runtime/model/shape.h"

/* A mode of a rectangle a by b whose waves are short is, away from the
 * corners, a product X(x) Z(z) of standing waves with k_x^2 + k_z^2 = K^2 and,
 * at each edge, a near field that decays as e^(-g s), g^2 = K^2 + k_z^2, s the
 * distance from the edge: at a free edge bending moment and shear force vanish,
 * at a pinned one deflection and moment, at a clamped one deflection and slope.
 * The far field of such a product is known in closed form, with the surface
 * pressure of radiation.h:
 *
 *     p R = rho c k / 4pi (2 z + i k t) (n.r) Int_X(k r_x) Int_Z(k r_z)
 *
 * sb_short_waves_power takes the mean of |p R|^2 over directions and over waves
 * in all directions of the sheet. It needs no mesh, so that it serves where the
 * modes are too short to be sampled or too many to be listed; its samples are
 * fixed points, so that the same input gives the same bits. Other outlines are
 * taken as the square of equal area.
 *
 * Symbols: K wavenumber of the sheet, k of the air, 1/m; t thickness.
 * Source: edge conditions as in Leissa, Vibration of Plates, 1969; far field
 *         and z as in radiation.h. */

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
    double coincidence_hz; /* the offset ends here, as in exact.h; 0: no end */
} sb_wave_law;

void sb_wave_law_init(sb_wave_law *law, const sb_wave_sheet *sheet,
                      const sb_material *material, double first_hz,
                      double last_hz, double step);
double sb_wave_law_power(const sb_wave_law *law, double freq_hz);

/* The exponent with which g of the same waves follows frequency. */
double sb_wave_law_slope(const sb_wave_law *law, double freq_hz);

typedef struct sb_beyond {
    bool is_cut;    /* modes below to_hz are missing */
    bool is_chosen; /* the script asked for so few */
    double from_hz; /* the last mode, and half the distance to the next */
    double to_hz;   /* max_hz */
    double loss;    /* the material's loss factor there */
} sb_beyond;

sb_beyond sb_model_beyond(const sb_model *model);

/* n at a frequency over that at from_hz, where it is `density`. The edges of a
 * sheet add to Weyl's n, or take from it, a part that falls with the length of
 * the waves. */
double sb_model_beyond_denser(const sb_model *model, double from_hz,
                              double density, double freq_hz);

/* Of the shortest waves at a frequency, 1/m: bending, or in full bodies shear.
 */
double sb_model_beyond_wavenumber(const sb_model *model, double freq_hz);

/* P at some frequencies, so that its integral from low_hz to high_hz, where the
 * model has modes, is `power`. */
void sb_model_beyond_powers(const sb_model *model, double low_hz,
                            double high_hz, double power,
                            const double *freqs_hz, int count, double *powers);

/* phi^2 of missing modes at a place over its mean over the surface: a sheet's
 * modes move less or more near its edges, the longer their waves the farther
 * from them (sb_short_waves_at). False where the shape does not say; then the
 * last modes show it. */
bool sb_model_beyond_at(const sb_model *model, sb_model_point point,
                        const double *freqs_hz, int count, double *factors);
