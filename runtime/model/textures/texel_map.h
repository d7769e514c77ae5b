/* SPDX-License-Identifier: MIT */
/* runtime/model/textures/texel_map.h -- the point of a body at each texel of
 * its texture, and the weights of its modes there.
 *
 * Texel (i, j), columns from the left and rows from the top, is the point
 *
 *     u = (i + 1/2) / width,    v = (j + 1/2) / height
 *
 * of a closed form by its own parametrisation, of a mesh by its texture
 * coordinates, whose triangles are filled one by one. A face whose middle lies
 * within the texture and that crosses its edge continues at the opposite edge.
 *
 * Texels beside the surface (outside a disk's rim, between the charts of a
 * mesh) take part in interpolation near the edge. Up to two texels away they
 * extrapolate the surface linearly, so that interpolated weights are right up
 * to the edge; farther ones copy the nearest.
 *
 * Thread: control; several workers compute the weights.
 * Memory: sb_texel_map_free frees the texels.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_model sb_model;

typedef enum sb_texel_kind {
    SB_TEXEL_EMPTY,   /* while the map is made */
    SB_TEXEL_COVERED, /* on the surface */
    SB_TEXEL_BESIDE,  /* its linear extrapolation */
    SB_TEXEL_COPY     /* as texel `face` */
} sb_texel_kind;

typedef struct sb_texel {
    sb_texel_kind kind;
    int face;
    double s,
        t; /* as sb_model_point's u, v; beside a mesh also beyond the face */
} sb_texel;

typedef struct sb_texel_map {
    int width, height;
    sb_texel *texels;  /* row by row */
    int covered_count; /* texels on the surface */
    int doubled_count; /* of these, texels claimed by two points of a mesh */
    int outside_count; /* faces of a mesh that lie outside the texture */
    bool repeats;      /* opposite edges are the same points: a ring */
} sb_texel_map;

enum { SB_TEXEL_MAP_SIDE_MOST = 8192 };

/* `size` texels per side, 2 .. SB_TEXEL_MAP_SIDE_MOST; a string has one row.
 * BAD_ARGUMENT: a body without a surface or without texture coordinates;
 * coordinates that cover no texel. NO_MEMORY. */
SB_NODISCARD sb_status sb_texel_map_make(const sb_model *model, int size,
                                         sb_texel_map *out, sb_error *err);
void sb_texel_map_free(sb_texel_map *map); /* an empty one is allowed */

/* The weights of sb_model_weights, straight into the surface, of `mode_count`
 * modes from first_mode on: weights[mode][texel], kg^-1/2. Values below 1e-9 of
 * a rigid body's weight are rounding errors and become zero. */
SB_NODISCARD sb_status sb_texel_map_weights(const sb_texel_map *map,
                                            const sb_model *model,
                                            int first_mode, int mode_count,
                                            float *weights, sb_error *err);

/* The largest |weight| of one mode on the surface or, if that is zero, of all
 * texels; never zero. */
double sb_texel_map_largest(const sb_texel_map *map, const float *weights);
double sb_texel_map_scale(const sb_texel_map *map, const float *weights);

/* Private to texel_map.c and its tests: the faces with these coordinates, into
 * an empty map. The scratch arrays have one item per texel; is_doubled is all
 * false. */
void sb_texel_raster(sb_texel_map *map, const float (*uvs)[3][2],
                     int face_count, bool *is_doubled, float *nearest);
