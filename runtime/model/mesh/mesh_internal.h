/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh_internal.h -- the steps of cleaning, which
 * sb_mesh_clean runs in order: mesh_clean.c, mesh_part.c, mesh_turn.c.
 *
 * Half-edge 3 f + c is the side of face f from its corner c to the next. Only
 * points are hashed; everything else is sorted, so that no order of faces in a
 * file makes cleaning slow.
 *
 * Thread: control, workers. Memory: see each function.
 */
#pragma once

#include "runtime/model/mesh/mesh.h"

/* Sort key: the vertices of an edge, face or tetrahedron, ascending and
 * padded with 0, and its index. */
typedef struct sb_mesh_key {
    int vertices[4];
    int id;
} sb_mesh_key;

/* Sorts by vertices, then by id. Vertices are below `vertex_count`. Returns
 * a new array and frees `keys`; NULL when out of memory, with `keys` freed
 * as well. */
sb_mesh_key *sb_mesh_keys_sort(sb_mesh_key *keys, int count, int vertex_count);
bool sb_mesh_keys_equal(const sb_mesh_key *a, const sb_mesh_key *b);
/* The key of `count` (2 .. 4) vertices given in any order. */
sb_mesh_key sb_mesh_key_of(const int *vertices, int count, int id);

/* Orients tetrahedra to positive volume, drops flat and duplicate ones, parts
 * those that only touch, and replaces the faces by the boundary. Corners must
 * be valid vertices. */
SB_NODISCARD sb_status sb_mesh_clean_tets(sb_mesh *mesh, int *cut_points,
                                          sb_error *err);

enum { SB_TWIN_NONE = -1, SB_TWIN_MANY = -2 };

/* For each half-edge, the half-edge of the other face on that edge, or the
 * reason why there is none: a border, or three or more faces. Counts edges
 * into the report. */
SB_NODISCARD sb_status sb_mesh_find_twins(const sb_mesh *mesh, int *twin_of,
                                          sb_mesh_report *report,
                                          sb_error *err);

/* Gives parts that only touch vertices of their own, and adds the number of
 * points cut to the report. Of a closed surface, parts are all that share no
 * edge of two faces, if each has two faces at all other edges; of an open one,
 * those that hang on one vertex: two or more may hold a sheet. */
SB_NODISCARD sb_status sb_mesh_part_faces(sb_mesh *mesh, const int *twin_of,
                                          sb_mesh_report *report,
                                          sb_error *err);

/* Orients faces consistently within each patch, and closed patches outward. */
SB_NODISCARD sb_status sb_mesh_turn(sb_mesh *mesh, const int *twin_of,
                                    bool *was_inside_out, sb_error *err);

/* Fails with NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_no_memory(sb_error *err);
#ifdef __clang_analyzer__ /* as sb_fail */
#define sb_mesh_no_memory(err) ((void)(sb_mesh_no_memory)(err), SB_NO_MEMORY)
#endif
