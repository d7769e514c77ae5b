/* SPDX-License-Identifier: MIT */
/* runtime/scene/param.h -- numbers of a scene that can be changed live.
 *
 * A parameter has a name, a range, a default and a value; the command line may
 * set the value before the script declares the parameter.
 *
 * Thread: control. Memory: the table owns its rows.
 */
#pragma once

#include "runtime/base/name.h"
#include "runtime/base/status.h"

#include <stdbool.h>

typedef enum sb_curve { SB_CURVE_LINEAR, SB_CURVE_LOG } sb_curve;

typedef struct sb_param {
    char name[SB_NAME_SIZE];
    double min, max, initial;
    double value;
    bool is_described; /* the description of the scene depends on it */
    sb_curve curve;    /* scale of a slider over the range */
} sb_param;

typedef struct sb_params {
    sb_param *items;
    int count, capacity;
} sb_params;

void sb_params_free(sb_params *params);

/* Declare, or declare again: an existing value is kept if it is in the new
 * range. BAD_ARGUMENT for an empty range, a default outside it, or a log curve
 * over zero. */
SB_NODISCARD sb_status sb_params_declare(sb_params *params,
                                         const sb_param *param, int *index,
                                         sb_error *err);
int sb_params_find(const sb_params *params, const char *name); /* or -1 */

/* BAD_ARGUMENT when `value` is outside the range. */
SB_NODISCARD sb_status sb_params_set(sb_params *params, int index, double value,
                                     sb_error *err);
