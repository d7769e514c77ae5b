/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/exact_turned.h -- the modes of walls of revolution, heard
 * per number of waves round the axis (bem_turned.h).
 *
 * The profile is cut into as many elements as a mode needs, 8 in each of its
 * waves: 48, 96 or 192.
 *
 * Thread: control, workers. Memory: none is kept.
 */
#pragma once

#include "runtime/model/sound/exact.h"

#include <stdbool.h>

typedef struct sb_model sb_model;

/* Whether its modes are those of sb_turned_build. */
bool sb_model_is_turned(const sb_model *model);

/* The modes of def->turned that this can take, of those that `is_heard` does
 * not have yet; it gets them. Only NO_MEMORY and INTERRUPTED are failures. */
SB_NODISCARD sb_status sb_exact_turned(const sb_radiation_def *def,
                                       bool *is_heard, sb_exact_take take,
                                       void *context, sb_error *err);
