/* SPDX-License-Identifier: MIT */
/* tests/model/mesh/mesh_measure.h -- area and volume of a mesh. */
#pragma once

#include "runtime/model/mesh/mesh.h"

static inline double mesh_area_m2(const sb_mesh *mesh) {
    double sum = 0;
    for (int f = 0; f < mesh->face_count; f++) {
        const int *face = mesh->faces[f];
        sb_vec3 a = mesh->vertices[face[0]];
        sb_vec3 ab = sb_vec3_sub(mesh->vertices[face[1]], a);
        sb_vec3 ac = sb_vec3_sub(mesh->vertices[face[2]], a);
        sum += 0.5 * sb_vec3_length(sb_vec3_cross(ab, ac));
    }
    return sum;
}

/* By the divergence theorem: the sum over tetrahedra between each face and
 * one vertex. The origin instead of the vertex would lose digits for a small
 * mesh far away. Positive when faces are oriented outward. */
static inline double mesh_volume_m3(const sb_mesh *mesh) {
    if (mesh->vertex_count == 0) return 0;
    sb_vec3 o = mesh->vertices[0];
    double sum = 0;
    for (int f = 0; f < mesh->face_count; f++) {
        const int *face = mesh->faces[f];
        sb_vec3 a = sb_vec3_sub(mesh->vertices[face[0]], o);
        sb_vec3 b = sb_vec3_sub(mesh->vertices[face[1]], o);
        sb_vec3 c = sb_vec3_sub(mesh->vertices[face[2]], o);
        sum += sb_vec3_dot(a, sb_vec3_cross(b, c)) / 6;
    }
    return sum;
}
