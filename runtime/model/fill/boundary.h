/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/boundary.h -- the closed triangle surface that is filled.
 *
 * It is rotated into the axes of the lattice. Normals point out of the
 * material: the faces of a cavity (a component inside another) are flipped, so
 * that the winding number is 1 in the material and 0 outside and in cavities.
 * Sharp edges are joined into chains between corners.
 *
 * Thread: one while it is made; read-only afterwards. Memory: sb_boundary_free.
 */
#pragma once

#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/mesh/mesh.h"

/* Orthonormal, possibly left-handed; lengths are preserved. */
typedef struct sb_frame {
    sb_vec3 origin;
    sb_vec3 axes[3];
} sb_frame;

sb_vec3 sb_frame_into(const sb_frame *frame, sb_vec3 point);
sb_vec3 sb_frame_out(const sb_frame *frame, sb_vec3 point);

bool sb_frame_is_left_handed(const sb_frame *frame);

/* The first axis is the direction that most area faces (either sign), the
 * second the perpendicular direction that most of the remaining area faces. */
sb_frame sb_frame_of(const sb_mesh *mesh);

/* Longest side of the box along these axes: independent of the mesh's
 * rotation. */
double sb_frame_longest_side_m(const sb_mesh *mesh);

/* A polyline of sharp edges; a closed one ends where it begins. */
typedef struct sb_chain {
    int first, count; /* in chain_vertices */
    bool is_closed;
    double length_m;
} sb_chain;

typedef struct sb_boundary {
    sb_frame frame;
    int vertex_count, face_count;
    sb_vec3 *vertices;
    int (*faces)[3];
    sb_vec3 *normals; /* unit length; needle faces take those of their
                       * neighbours */
    sb_triangle_tree tree;
    sb_vec3 low, high;
    double area_m2, volume_m3;
    int solid_count; /* components that are not cavities */
    int chain_count;
    sb_chain *chains;
    int *chain_vertices;
} sb_boundary;

/* BAD_ARGUMENT: it has holes or encloses nothing. */
SB_NODISCARD sb_status sb_boundary_make(const sb_mesh *mesh, sb_boundary *out,
                                        sb_error *err);
void sb_boundary_free(sb_boundary *boundary);

static inline bool sb_boundary_has_inside(const sb_boundary *boundary,
                                          sb_vec3 point) {
    return sb_triangle_tree_winding(&boundary->tree, point) > 0;
}

static inline double sb_boundary_area_m2(const sb_boundary *boundary,
                                         int face) {
    return 0.5 * sb_vec3_length(
                     sb_face_cross(boundary->vertices, boundary->faces[face]));
}

/* The point of the chain nearest to `point`; *s_m is its arc length. */
sb_vec3 sb_chain_nearest(const sb_boundary *boundary, int chain, sb_vec3 point,
                         double *s_m);

/* Whether a straight edge from `a` to `b` represents the part of the chain
 * between them. */
bool sb_chain_runs(const sb_boundary *boundary, int chain, sb_vec3 a,
                   sb_vec3 b);

/* For boundary.c: joins the sharp edges among the sorted sides into chains. */
SB_NODISCARD sb_status sb_boundary_string_chains(sb_boundary *boundary,
                                                 const sb_side *sides,
                                                 int count, sb_error *err);
