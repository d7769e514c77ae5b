/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/triangle_tree.h -- bounding-box tree over triangles:
 * nearest point, winding number, first hit of a segment.
 *
 * Nodes are split at the median of their longest side. For the winding number
 * a ray in a fixed, skew direction counts +1 for every triangle through which
 * it leaves and -1 for every one through which it enters. A shared edge belongs
 * to exactly one of its triangles, so a ray through an edge or a corner is
 * counted correctly.
 *
 * Thread: control, workers; read-only once built.
 * Memory: borrows vertices and faces, which must outlive it; free with _free.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_tree_node {
    sb_vec3 low, high;
    int first; /* of its faces in `order`, or of its two children */
    int count; /* number of faces; 0: an inner node */
} sb_tree_node;

typedef struct sb_triangle_tree {
    const sb_vec3 *vertices;
    const int (*faces)[3];
    int *order; /* faces, leaf by leaf */
    sb_tree_node *nodes;
    double reach; /* diagonal of the whole bounding box */
    int ray_axis; /* the shortest side: rays along it hit the fewest faces */
} sb_triangle_tree;

typedef struct sb_triangle_tree_point {
    sb_vec3 at;
    double distance; /* m; INFINITY if nothing is near enough */
    int face;        /* -1: none */
} sb_triangle_tree_point;

SB_NODISCARD sb_status sb_triangle_tree_build(const sb_vec3 *vertices,
                                              const int (*faces)[3],
                                              int face_count,
                                              sb_triangle_tree *out,
                                              sb_error *err);
void sb_triangle_tree_free(sb_triangle_tree *tree);

/* The nearest point closer than `within` (INFINITY: any). */
sb_triangle_tree_point sb_triangle_tree_nearest(const sb_triangle_tree *tree,
                                                sb_vec3 point, double within);

/* The winding number of the surface about the point: 1 inside, 0 outside. */
int sb_triangle_tree_winding(const sb_triangle_tree *tree, sb_vec3 point);

/* The first crossing of the segment from + t (to - from), least < t <= 1;
 * returns t, or INFINITY. */
double sb_triangle_tree_first_hit(const sb_triangle_tree *tree, sb_vec3 from,
                                  sb_vec3 to, double least, int *face);

/* Barycentric coordinates b and c of the projection of `p` onto the plane of
 * the triangle, also outside its edges. False if it has no area. */
bool sb_triangle_shares(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 p,
                        double *share_b, double *share_c);

/* The point of a triangle nearest to `p`. */
sb_vec3 sb_triangle_nearest(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 p);

/* A side of a triangle. */
typedef struct sb_side {
    int low, high; /* vertices */
    int place;     /* 3 face + first corner of the side */
} sb_side;

/* The sides of all faces by `low`, `high`, then `place`, so that faces that
 * share one are neighbours; sb_free frees them. NULL: no memory. */
sb_side *sb_sides_sorted(const int (*faces)[3], int face_count,
                         int vertex_count);
/* Where the sides with the same ends as sides[first] end. */
int sb_sides_end(const sb_side *sides, int count, int first);

/* A coordinate, 0 .. 2. */
static inline double sb_vec3_along(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* For qsort: items that begin with a number, ascending. */
int sb_by_number(const void *left, const void *right);
