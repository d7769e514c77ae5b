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
 * short_waves.h, that of membranes and strings the sphere of modal_model.h, and
 * that of full bodies, whose waves are longer than those of the air, stays.
 * Both are anchored at the last modes that the model has.
 *
 * Symbols: P powers, (Pa m)^2 / kg per Hz.
 * Thread: control, workers.
 * Source: Weyl's law; Cremer, Heckl and Petersson, Structure-Borne Sound, 2005,
 *         ch. 5 (density of modes).
 */
#ifndef SB_MODEL_SOUND_BEYOND_H
#define SB_MODEL_SOUND_BEYOND_H

#include "runtime/model/modal_model.h"

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
 * from them (short_waves.h). False where the shape does not say; then the last
 * modes show it. */
bool sb_model_beyond_at(const sb_model *model, sb_model_point point,
                        const double *freqs_hz, int count, double *factors);

#endif
