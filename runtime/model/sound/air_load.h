/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/air_load.h -- the air that a membrane carries.
 *
 * A skin is so light that the air which it moves counts: boundary elements (bem.h)
 * give the mass m and the resistance r that the air adds to a mode, for a skin
 * in the open air on both sides, or over a kettle, whose air it presses and
 * pulls. Its frequency and shape follow,
 *
 *     f = f_0 / sqrt(1 + m(f)),   phi = phi_0 / sqrt(1 + m),
 *
 * each mode by itself: what the air couples changes the lowest symmetric tone
 * over a kettle by 4 %, others by less than 0.3 %. Waves too short for the mesh
 * carry 2 rho / sqrt(K^2 - k^2) per area, as on an endless skin, and radiate like
 * the shortest that were computed.
 *
 * Thread: control, workers.
 * Source: Christian, Davis, Tubis, Anderson, Mills and Rossing, Effects of air
 *         loading on timpani membrane vibrations, JASA 76, 1984.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_model sb_model;

/* For a membrane that is heard exactly: its modes, in the new order, with their
 * radiation and decay. NO_MEMORY, INTERRUPTED. */
SB_NODISCARD sb_status sb_model_load_air(sb_model *model, sb_error *err);
