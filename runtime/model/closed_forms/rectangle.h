/* SPDX-License-Identifier: MIT */
/* runtime/model/closed_forms/rectangle.h -- shared by rectangular sheets.
 *
 * Private to runtime/model.   Thread: any.
 */
#pragma once

#include "runtime/model/model_draft.h"

sb_vec3 sb_rectangle_position(const sb_model *model, double u, double v);
void sb_rectangle_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                          double *v);

extern const sb_model_ops sb_pinned_plate_ops;
extern const sb_model_ops sb_rectangular_membrane_ops;

/* The smallest k such that `count` pairs i, j >= 1 have
 * ((i + shift) pi / a)^2 + ((j + shift) pi / b)^2 <= k^2. Shift 0 is a pinned
 * sheet. */
double sb_rectangle_wave_number(double a, double b, double shift, int count);

/* sqrt(D / rho h), D = E h^3 / 12 (1 - nu^2): omega = k^2 times this, of a thin
 * plate without a grain. m^2/s. */
double sb_plate_speed(const sb_material *material, double thickness_m);
