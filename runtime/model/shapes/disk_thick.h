/* runtime/model/shapes/disk_thick.h -- round plates by Mindlin's theory.
 *
 * With R = 1 and t the angle, three waves of the same frequency add up:
 *
 *     w     = (A1 f1 + A2 f2) cos n t             f = J_n or I_n
 *     psi_r = -g1 A1 f1' - g2 A2 f2' + n A3 f3 / r
 *     psi_t = n (g1 A1 f1 + g2 A2 f2) / r - A3 f3'
 *
 * with Laplacians -q f and, m = rho h, J = rho h^3 / 12,
 *
 *     D S q^2 - (m D + J S) omega^2 q + m omega^2 (J omega^2 - S) = 0
 *     g = 1 - m omega^2 / S q,    q3 = (J omega^2 - S) 2 / D (1 - nu)
 *
 * Three conditions hold at the rim: moment, twisting moment and shear force are
 * 0 if it is free; w, psi_r, psi_t if clamped; w, moment, psi_t if pinned.
 *
 * Private to runtime/model/shapes.   Thread: control, workers.
 * Source: R. D. Mindlin and H. Deresiewicz, J. Appl. Phys. 25 (1954) 1329.
 */
#ifndef SB_MODEL_SHAPES_DISK_THICK_H
#define SB_MODEL_SHAPES_DISK_THICK_H

#include "runtime/model/closed_forms/mindlin.h"
#include "runtime/model/model_draft.h"

/* Add all modes of a disk whose mass properties are set. */
SB_NODISCARD sb_status sb_thick_disk(sb_model *model, sb_error *err);

#endif
