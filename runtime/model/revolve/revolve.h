/* SPDX-License-Identifier: MIT */
/* runtime/model/revolve/revolve.h -- models of shells of revolution.
 *
 * Modes of all harmonics n = 0, 1, 2, ... up to the limit; each with n > 0 is a
 * pair, cos and sin, that differs by a quarter wave. "(3,1) cos" has 3 waves
 * round the axis and 1 circle on which the wall does not move outward; more
 * with the same numbers are told apart by b, c, ... Elements are halved until
 * the modes with two waves move by less than SB_TURNED_CLOSE.
 *
 * Thread: control, workers. Memory: the model owns what is built.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

typedef struct sb_model sb_model;
typedef struct sb_outline sb_outline;
typedef struct sb_turned_def sb_turned_def;

#define SB_TURNED_CLOSE 0.003

/* `def` need not outlive the call. Sets mass properties and adds all modes.
 * NO_MEMORY, NO_CONVERGENCE. */
SB_NODISCARD sb_status sb_turned_build(sb_model *model,
                                       const sb_turned_def *def, sb_error *err);

/* Mass, centre, inertia and area alone. */
void sb_turned_set_mass(sb_model *model, const sb_outline *outline);

/* --- columns of sb_model_ops; `extra` was made by sb_turned_build --- */
void sb_turned_weights(const sb_model *model, double u, double v,
                       sb_vec3 direction, double *weights);
sb_vec3 sb_turned_position(const sb_model *model, double u, double v);
void sb_turned_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                       double *v);
sb_vec3 sb_turned_normal(const sb_model *model, double u, double v);
void sb_turned_free(void *extra);
