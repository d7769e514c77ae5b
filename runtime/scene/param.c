/* SPDX-License-Identifier: MIT */
#include "runtime/scene/param.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

void sb_params_free(sb_params *params) {
    sb_free(params->items);
    *params = (sb_params){0};
}

int sb_params_find(const sb_params *params, const char *name) {
    for (int i = 0; i < params->count; i++) {
        if (strcmp(params->items[i].name, name) == 0) return i;
    }
    return -1;
}

static sb_status check_value(const sb_param *param, const char *what,
                             double value, sb_error *err) {
    if (value >= param->min && value <= param->max) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "param '%s': %s must be from %g to %g, got %g", param->name,
                   what, param->min, param->max, value);
}

static sb_status check_param(const sb_param *param, sb_error *err) {
    if (!param->name[0]) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a param needs a name");
    }
    if (!isfinite(param->min) || !isfinite(param->max) ||
        param->min >= param->max) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "param '%s': min must be below max, got %g and %g",
                       param->name, param->min, param->max);
    }
    if (param->curve == SB_CURVE_LOG && param->min <= 0.0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "param '%s': a log curve needs min above 0, got %g",
                       param->name, param->min);
    }
    return check_value(param, "default", param->initial, err);
}

sb_status sb_params_declare(sb_params *params, const sb_param *param,
                            int *index, sb_error *err) {
    sb_status status = check_param(param, err);
    if (status) return status;
    int i = sb_params_find(params, param->name);
    if (i < 0) {
        if (!sb_grow_list(params->items, params->capacity, params->count + 1)) {
            return sb_no_memory_for(err, "a param");
        }
        i = params->count++;
        params->items[i] = *param;
        params->items[i].value = param->initial;
    } else {
        double kept = params->items[i].value;
        params->items[i] = *param;
        params->items[i].value =
            kept >= param->min && kept <= param->max ? kept : param->initial;
    }
    *index = i;
    return SB_OK;
}

sb_status sb_params_set(sb_params *params, int index, double value,
                        sb_error *err) {
    sb_status status =
        check_value(&params->items[index], "the value", value, err);
    if (!status) params->items[index].value = value;
    return status;
}
