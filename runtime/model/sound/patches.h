/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/patches.h -- a surface as few patches, for radiation.
 *
 * Private to runtime/model. Faces with near centres and near normals make a
 * patch; per patch and mode, radiation needs
 *
 *     Q = integral v_n dS,   V = integral v_n n dS,   v_n = phi.n
 *     M = integral (x - centre) v_n dS
 *
 * which are linear in phi at the vertices: the links hold the coefficients.
 * Patches are made by halving the widest one across its widest side, where
 * width counts position and direction; the result is always the same.
 *
 * Thread: control, workers. Memory: sb_patches_free frees the arrays.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdint.h>

/* The share of a vertex in a patch: Q += n.phi, V += nn phi, M += xn phi. */
typedef struct sb_patch_link {
    int vertex, patch;
    double n[3];
    double nn[6]; /* xx yy zz xy yz zx */
    double xn[3][3];
} sb_patch_link;

typedef struct sb_patches {
    int patch_count, link_count;
    sb_vec3 *centres_m;
    sb_vec3 *normals; /* mean ones, of unit length */
    /* Mean of (x - centre)(x - centre)' over the patch: xx yy zz xy yz zx. */
    double (*spreads_m2)[6];
    sb_patch_link *links;
    double radius_m; /* a of radiation.h */
} sb_patches;

SB_NODISCARD sb_status sb_patches_make(const float (*vertices)[3],
                                       int vertex_count,
                                       const int32_t (*faces)[3],
                                       int face_count, int most,
                                       sb_patches *out, sb_error *err);
void sb_patches_free(sb_patches *patches);

/* Half the cross product of two edges: normal times area. */
sb_vec3 sb_face_area(const float (*vertices)[3], const int32_t face[3]);
