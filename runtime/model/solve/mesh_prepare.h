/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/mesh_prepare.h -- what a mesh is solved as: a shell or a
 * full body; and thinned, if it has more vertices than its modes need.
 *
 * The thickness t of a mesh is that of a sheet whose middle is the surface. For
 * a closed surface that is a hollow body, as long as its walls leave a hollow.
 * With the thickness d of its inside (inside.h: at half of the area, at least,
 * the opposite side is at most d away) the rule is
 *
 *   t < d / 2          a shell: a balloon, a tin, a hollow box
 *   d / 2 <= t <= d    full: somebody gave the thickness of a bar or a plate
 *   t > d              an error: the wall is thicker than the body
 *
 * with a tolerance of 5 % on d, since files hold rounded numbers. A method that
 * was chosen by name is kept: "solid" and "tet4" fill the surface, "shell" and
 * the springs make it hollow.
 *
 * A sheet of thickness h bends in waves of the length
 *
 *     L = 2 pi (h^2 / (12 (1 - nu^2)) / lambda)^(1/4)
 *
 * at the eigenvalue lambda (for E = 1 and rho = 1). Eight edges per wave are
 * enough: so many vertices as equilateral triangles of that side need on its
 * area S. If the number of modes N ends before the frequencies do, the shortest
 * wave is that of the N-th mode, sqrt(pi S / N). A mesh of more than 12,000
 * vertices that has many more than these is thinned (fill/thin.h), unless its
 * shape would change by more than a twentieth of its thickness. Solids are cut
 * into elements of their own, however fine their surface is.
 *
 * Symbols: L wavelength (m), h thickness (m), S area (m^2), N modes.
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/stop.h"
#include "runtime/model/method.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_mesh_source sb_mesh_source;
typedef struct sb_shape sb_shape;

/* Removes the thickness of a mesh that is full. `remark` receives one sentence
 * that begins with the path if the body is not what the thickness says, else
 * "". BAD_ARGUMENT: the wall is thicker than the body. NO_MEMORY. Shapes other
 * than meshes are left as they are. */
SB_NODISCARD sb_status sb_wall_settle(sb_shape *shape, char *remark,
                                      size_t size, sb_error *err);

/* Whether `method`, by name, solves the body that the shape is: a full body has
 * no shell, an open surface no inside. If not, `why` receives the reason. */
bool sb_wall_allows(const sb_shape *shape, sb_method method, char *why,
                    size_t size);

typedef struct sb_thinned_def {
    const sb_shape *shape;
    double poisson_ratio;
    double max_lambda; /* INFINITY: only max_modes counts */
    int max_modes;
    sb_progress progress; /* or NULL; stage "thinning" */
    void *context;
} sb_thinned_def;

/* *out is NULL if the mesh is solved as it is; else a coarser one, which has
 * its path and report and texture coordinates, and which the caller releases.
 * NO_MEMORY, INTERRUPTED. */
SB_NODISCARD sb_status sb_thinned_make(const sb_thinned_def *def,
                                       sb_mesh_source **out, sb_error *err);

/* True if the mesh will be thinned whatever its material is. `text` then
 * receives a sentence that begins with its path and has the time it takes. */
bool sb_thinned_remark(const sb_shape *shape, char *text, size_t size);
