/* SPDX-License-Identifier: MIT */
/* runtime/base/principal.h -- the principal axes of an inertia tensor, by
 * Jacobi rotations.
 *
 * Thread: any. Memory: none.
 */
#pragma once

#include "runtime/base/pose.h"

/* tensor: xx yy zz xy yz zx. `turn` rotates the principal axes, those of
 * `diagonal`, to the axes of the tensor. */
void sb_principal(const double tensor[6], double diagonal[3], sb_quat *turn);

/* The inverse. */
void sb_principal_tensor(const double diagonal[3], sb_quat turn,
                         double tensor[6]);
