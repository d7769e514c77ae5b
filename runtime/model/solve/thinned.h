/* runtime/model/solve/thinned.h -- meshes with more vertices than their modes
 * need, made coarser before they are solved as sheets.
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
#ifndef SB_MODEL_SOLVE_THINNED_H
#define SB_MODEL_SOLVE_THINNED_H

#include "runtime/base/progress.h"
#include "runtime/base/status.h"

#include <stddef.h>

typedef struct sb_mesh_source sb_mesh_source;
typedef struct sb_shape sb_shape;

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

#endif
