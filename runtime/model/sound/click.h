/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/click.h -- the sound of a rigid body that is stopped or
 * started: its acceleration pushes the air.
 *
 * A sphere of radius a that moves with U has the far field, angle theta to U,
 * tau = a / c,
 *
 *     p R = rho c a cos(theta) s^2 tau^2 / (s^2 tau^2 + 2 s tau + 2) U,
 *
 * and since U = F / (m s) this is a mode like any other: with the frequency
 * sqrt(2) / tau and the decay rate 1 / tau, moved by the force along an axis with
 * the shape 1 / sqrt(m) everywhere. So a rigid body gets three modes, one per
 * axis, and strikes, impacts and contacts play them. Of any body the dipole D and
 * the added mass M_a (bem.h) give
 *
 *     w_0^3 = 24 pi rho c^3 zeta M_a / D^2,  zeta = 1 / sqrt(2),
 *     g     = D w_0^2 / (4 pi c sqrt(3 m)),
 *
 * which is right far below w_0, and after a sudden stop from U radiates the
 * energy M_a U^2 / 2; of a sphere it is exact. Turning is silent here.
 *
 * Thread: control, workers.
 * Source: Chadwick, Zheng and James, Precomputed acceleration noise for improved
 *         rigid-body sound, 2012.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_model sb_model;

/* Give a rigid sphere, box or cylinder that is heard exactly its three modes.
 * Those above 20 kHz, of bodies smaller than 8 mm, begin there, with the same
 * low frequencies. NO_MEMORY, INTERRUPTED. */
SB_NODISCARD sb_status sb_model_add_clicks(sb_model *model, sb_error *err);
