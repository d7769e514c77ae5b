/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/exact.h -- radiation by boundary elements, of the modes
 * that a coarse surface can show.
 *
 * The surface is thinned out (mesh_coarse.h) to 140 vertices for modes with
 * long waves and to 520 for others; a mode needs 6 edges in each of its waves
 * and 3 in each wave of the air (bem.h). Shorter ones keep the quick law, with
 * the difference that it has from the shortest ones that were heard: below
 * coincidence, where the waves on a plate are shorter than those of the air, its
 * edges radiate what this law does not see. The difference D, in dB, vanishes
 * there,
 *
 *     D = D_0 sqrt((1 - (k / K)^2) / (1 - (k_0 / K_0)^2)),
 *
 * which is right to 3 dB on a steel plate from 2.3 to 5 kHz. Surfaces that
 * boundary elements cannot take keep the quick law as it is: with edges of three
 * faces, with parts that are closed and parts that are not.
 *
 * Modes of a deformable body, whose mesh is coarse, need four edges only.
 *
 * Walls of revolution need no triangles (exact_turned.h): all their modes are
 * heard.
 *
 * Thread: control, workers. Memory: none is kept.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_radiation_def sb_radiation_def;

/* A mode, and its pattern round the origin, per unit of modal velocity. */
typedef void (*sb_exact_take)(void *context, int mode,
                              const sb_pattern *pattern);

/* Only NO_MEMORY and INTERRUPTED are failures. `is_put_off`: the thread's memo
 * has no time for it (memo.h); what was taken does not count. */
SB_NODISCARD sb_status sb_exact_hear(const sb_radiation_def *def,
                                     sb_exact_take take, void *context,
                                     bool *is_put_off, sb_error *err);

/* The exponent with which g follows the frequency of the same body: each order
 * of its pattern as that of a sphere of radius a, for which it is exact; x is
 * k a. So it is at small x for every body, whose orders radiate like x^(l + 1). */
double sb_pattern_slope(const sb_pattern *pattern, double x);
