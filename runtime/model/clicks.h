/* SPDX-License-Identifier: MIT */
/* runtime/model/clicks.h -- the sound of a body that is stopped or started
 * as a whole: its acceleration pushes the air.
 *
 * A sphere of radius a that moves with U has the far field, angle theta to U,
 * tau = a / c,
 *
 *     p R = rho c a cos(theta) s^2 tau^2 / (s^2 tau^2 + 2 s tau + 2) U,
 *
 * and since U = F / (m s) this is a mode like any other: with the frequency
 * sqrt(2) / tau and the decay rate 1 / tau, moved by the force along an axis with
 * the shape 1 / sqrt(m) everywhere. So a body that is not held has up to three
 * of them, one per principal axis of its added mass M_a; with the dipole D
 * (bem.h)
 *
 *     w_0^3 = 24 pi rho c^3 zeta M_a / D^2,  zeta = 1 / sqrt(2),
 *     g     = D w_0^2 / (4 pi c sqrt(3 m)),
 *
 * which is right far below w_0, and after a sudden stop from U radiates the
 * energy U.M_a.U / 2; of a sphere it is exact. A force beside the centre of mass
 * turns the body, too: what that adds to the dipole counts. The rest of turning,
 * of a long bar about its middle, is silent here.
 *
 * They are apart from the modes of a model. A voice has them behind all others.
 * Their shapes are SB_CLICK_SHARE of 1 / sqrt(m) and their radiation as much
 * more, so that a contact does not feel them: the body's motion is counted in
 * its mass.
 *
 * An axis along which a body pushes less than 1e-4 of the air that it pushes
 * along another has none, such as those in the plane of a sheet. Those of bodies
 * smaller than 8 mm would begin above 20 kHz: they begin there, with the same
 * low frequencies.
 *
 * Thread: control, workers.
 * Source: Chadwick, Zheng and James, Precomputed acceleration noise for improved
 *         rigid-body sound, 2012.
 */
#pragma once

#include "runtime/base/vec3.h"

typedef struct sb_model sb_model;
typedef struct sb_model_point sb_model_point;

enum { SB_CLICKS_MOST = 3 };
#define SB_CLICK_SHARE 0x1p-10

/* What a model keeps of it. */
typedef struct sb_click_axis {
    sb_vec3 axis; /* unit */
    double mass_kg, dipole_kg;
    sb_vec3 turning_kg_m; /* dipole along the axis per angular velocity */
} sb_click_axis;

typedef struct sb_click {
    double freq_hz, sigma_per_s;
    double radiation; /* as of sb_mode */
    sb_vec3 axis;     /* of its dipole */
    double energy_j;  /* after a sudden stop from 1 m/s along the axis */
    double peak_pa;   /* of that, at 1 m on the axis */
} sb_click;

/* Those of a body whose lengths are `size` times those of `from`. */
void sb_model_scale_clicks(sb_model *model, const sb_model *from, double size);

/* Returns their number; `out` may be NULL. */
int sb_model_clicks(const sb_model *model, sb_click out[SB_CLICKS_MOST]);

/* As sb_model_weights. */
void sb_model_click_weights(const sb_model *model, sb_model_point point,
                            const sb_vec3 *direction, double *weights);
