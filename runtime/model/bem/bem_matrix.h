/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_matrix.h -- the matrices of a surface at one wave
 * number.
 *
 * By columns, mesh->wide apart, complex floats: W, and for closed surfaces K',
 * with G = e^{-ikr} / 4 pi r.
 *
 * Thread: workers. Memory: the caller's, zeroed, mesh->wide times the unknowns.
 */
#pragma once

#include "runtime/model/bem/bem_mesh.h"

/* `k` NULL: a sheet's has none. */
void sb_bem_matrices(const sb_bem_mesh *mesh, double wavenumber, float (*w)[2],
                     float (*k)[2]);
