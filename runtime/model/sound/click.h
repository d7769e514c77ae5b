/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/click.h -- how a body pushes the air when it moves as a
 * whole (model/clicks.h), by boundary elements.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_model sb_model;

/* Give a model that is heard exactly its axes, from its surface thinned out to
 * 200 vertices. It has none if it is held or made of separate parts, or if
 * boundary elements cannot take its surface. NO_MEMORY, INTERRUPTED. */
SB_NODISCARD sb_status sb_model_find_clicks(sb_model *model, sb_error *err);
