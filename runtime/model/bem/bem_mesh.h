/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_mesh.h -- the triangles of a surface, and what its
 * matrices have of them at any frequency.
 *
 * Pairs of faces that are near each other need the integrals of 1/r and of its
 * normal derivative exactly: inside analytically (Wilton et al. 1984), outside
 * by a rule of 7 points. They do not depend on the frequency.
 *
 * Thread: control, workers. Memory: owns its arrays.
 */
#pragma once

#include "runtime/base/vec3.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/bem/bem_kernel.h"

typedef struct sb_bem_face {
    int unknowns[3]; /* of its corners; -1: 0, on the edge of a sheet */
    sb_vec3 corners[3], normal, centre, slopes[3], curls[3];
    double area, size; /* size: the longest side, m */
} sb_bem_face;

/* Integrals over `one` and `other`, at least `one`, by corners of these: of
 * G, dG/dn of the other, dG/dn of the one; k = 0. */
typedef struct sb_bem_near {
    int other;
    double g[3][3], front[3][3], back[3][3];
} sb_bem_near;

typedef struct sb_bem_mesh {
    int vertex_count, face_count;
    bool is_sheet;
    int unknown_count, wide; /* unknowns; the same, padded */
    int *unknowns;           /* [vertex]; -1: none */
    sb_vec3 *places;         /* [unknown] */
    sb_bem_face *faces;
    sb_bem_faces lanes; /* the same, for kernels */
    double *lane_block;
    int *near_starts; /* [face_count + 1] */
    sb_bem_near *nears;
    float *distances;    /* [unknown][wide] */
    double area, radius; /* a of bem.h */
} sb_bem_mesh;

SB_NODISCARD sb_status sb_bem_mesh_make(const sb_bem_surface *surface,
                                        sb_bem_mesh *mesh, sb_error *err);
void sb_bem_mesh_free(sb_bem_mesh *mesh);

/* M times a function that is linear on each face, given at its corners:
 * out[unknown] is added to. */
void sb_bem_mass(const sb_bem_mesh *mesh, const double (*at)[3], double *out);
