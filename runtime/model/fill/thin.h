/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/thin.h -- makes a surface coarser.
 *
 * Edges are collapsed one by one, cheapest first, until few enough vertices are
 * left. Every vertex v carries a quadric Q: the squared distances to the planes
 * of all faces that were merged into it, weighted by their areas w. The new
 * vertex is placed where v'Qv is least. The cost of a collapse is
 *
 *     l^2 + 1000 e,   e = v'Qv / w,   l the length of the edge
 *
 * so that flat and gently curved parts become even, which elements need, while
 * sharp edges and small details stay. Borders, seams of the texture
 * coordinates, edges of three faces or more and their ends are kept: a vertex
 * on such a line moves along it only. No collapse turns a face over, makes a
 * needle, or changes how the surface is connected; a closed surface stays
 * closed.
 *
 * Symbols: Q quadric, w weight (m^2), e deviation squared (m^2).
 * Thread: control, workers. Memory: the result is the caller's.
 * Source: Garland and Heckbert, "Surface simplification using quadric error
 *         metrics" (SIGGRAPH 1997), sections 4 to 6.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_mesh sb_mesh;

typedef struct sb_thin_def {
    int target;        /* vertices wanted */
    int most;          /* above this number `fidelity_m` does not count */
    double longest_m;  /* no new edge is longer */
    double fidelity_m; /* no collapse deviates more */
    /* Called every few milliseconds; false interrupts. NULL: never called. */
    bool (*progress)(void *context, int done, int expected);
    void *context;
} sb_thin_def;

/* Texture coordinates are left out of the result; sb_uv_transfer
 * (textures/skin_uv.h) finds them. The mesh must have no tetrahedra.
 * NO_MEMORY, INTERRUPTED. */
SB_NODISCARD sb_status sb_mesh_thin(const sb_mesh *mesh, const sb_thin_def *def,
                                    sb_mesh *out, sb_error *err);
