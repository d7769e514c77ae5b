/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/hearing.h -- radiation of closed forms.
 *
 * Private to runtime/model. The surface of a bar, plate, disk or ring is cut
 * into triangles, its mode shapes are evaluated at their corners, and the
 * radiation is that of the mesh (radiation.h): an object is equally loud by
 * every method of solution. A bar is a box that moves at (x, z) as its top does
 * there. The radiation of other kinds is not changed.
 *
 * As modes of elements are merged (compress.h), by the shape's `merge`, so are
 * these: pairs of equal frequency, such as the cosine and sine of a disk,
 * become one mode whose weight does not depend on where the pair's axes lie.
 * Modes without a far field (strings, membranes, waves too short to be sampled)
 * are merged by their levels. The decay rate of a group is the mean of its
 * modes, weighted like its frequency by their radiation.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_model sb_model;
typedef struct sb_wave_sheet sb_wave_sheet;

/* Set the radiation of all modes, and `slopes`: the exponent with which the
 * radiation of each follows frequency times size, near its frequency. Then
 * merge them if the shape says so. NO_MEMORY. */
SB_NODISCARD sb_status sb_model_hear(sb_model *model, sb_error *err);

/* Whether its modes lose what they radiate: shapes that are heard exactly. (The
 * sphere that strings and membranes radiate like is too loud to lose by it.) */
bool sb_model_loses(const sb_model *model);

/* Add that to the decay rates, which are those of the material; does nothing if
 * it does not lose. */
void sb_model_lose(sb_model *model);

/* A plate or disk as a sheet of short waves; false for other shapes. */
bool sb_model_wave_sheet(const sb_model *model, sb_wave_sheet *out);
