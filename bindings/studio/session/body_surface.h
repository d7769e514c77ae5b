/* SPDX-License-Identifier: MIT */
/* bindings/studio/session/body_surface.h -- the surface of a body, to be drawn.
 *
 * Bodies of elements have the surface that was solved. Closed forms are cut
 * into triangles here: a grid over (u, v) and, where there is a thickness, the
 * other side and the rim. Each vertex knows its place on the model, so that the
 * displacement in a mode and the texture coordinates are those that strikes
 * use.
 *
 * Thread: any; it takes up to some 100 ms for the largest meshes.
 * Memory: surface_free frees the arrays.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_model sb_model;
typedef struct sb_model_point sb_model_point;
typedef struct sb_shape sb_shape;
typedef struct sb_vec3 sb_vec3;

typedef struct surface {
    int vertex_count, face_count;
    float (*positions)[3];
    float (*normals)[3];
    float (*uvs)[2];
    sb_model_point *points;
    uint32_t (*faces)[3];
    bool has_uv;
    bool is_stand_in; /* the body has no surface of its own */
} surface;

/* `shape` is that of the model; its pointers are not followed. */
SB_NODISCARD sb_status surface_make(const sb_model *model,
                                    const sb_shape *shape, surface *out,
                                    sb_error *err);
void surface_free(surface *self);

/* The box around the body, local; without making the surface. */
void surface_bounds(const sb_model *model, const sb_shape *shape, sb_vec3 *low,
                    sb_vec3 *high);
