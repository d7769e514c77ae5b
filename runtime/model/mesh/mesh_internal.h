/* runtime/model/mesh/mesh_internal.h -- the steps of cleaning, one file each;
 * sb_mesh_clean runs them in order.
 *
 * Half-edge 3 f + c is the side of face f from its corner c to the next. Only
 * points are hashed; everything else is sorted, so that no order of faces in a
 * file makes cleaning slow.
 *
 * Thread: control, workers. Memory: see each function.
 */
#ifndef SB_MODEL_MESH_MESH_INTERNAL_H
#define SB_MODEL_MESH_MESH_INTERNAL_H

#include "runtime/model/mesh/mesh.h"

#include <stdint.h>

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

/* For each vertex, the first vertex within `tolerance_m` (> 0) that was not
 * welded itself. Vertices with `used` false are not welded. `low_m` is the
 * lower corner of the bounding box of the used ones. */
SB_NODISCARD sb_status sb_mesh_weld(const sb_mesh *mesh, const bool *used,
                                    sb_vec3 low_m, double tolerance_m,
                                    int *first_of, sb_error *err);

/* Orients tetrahedra to positive volume, drops flat and duplicate ones, parts
 * those that only touch, and replaces the faces by the boundary. Corners must
 * be valid vertices. */
SB_NODISCARD sb_status sb_mesh_clean_tets(sb_mesh *mesh, int *cut_points,
                                          sb_error *err);

/* True when two corners coincide or all three are collinear. */
bool sb_mesh_is_flat(const sb_mesh *mesh, const int *face);

/* Splits faces at vertices on their edges where a flat face covers the
 * crack. Flat faces that remain can be dropped without opening holes. */
SB_NODISCARD sb_status sb_mesh_split_at_caps(sb_mesh *mesh, sb_error *err);

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

/* Faces connected through edges of exactly two faces. */
typedef struct sb_mesh_patch {
    int first, face_count; /* range in the list of faces, which is ordered by
                            * patch */
    bool is_closed;        /* has no border edge */
    bool must_turn;        /* must be reversed to face outward, or into its
                            * cavity */
    double volume_m3;      /* signed, with the orientation of the file */
    sb_vec3 low_m, high_m;
} sb_mesh_patch;

/* Sets `must_turn` of the closed patches so that they face outward. A patch
 * inside another keeps its orientation relative to that one. */
SB_NODISCARD sb_status sb_mesh_nest(const sb_mesh *mesh, const int *face_list,
                                    sb_mesh_patch *patches, int patch_count,
                                    sb_error *err);

/* Orients faces consistently within each patch, and closed patches outward. */
SB_NODISCARD sb_status sb_mesh_turn(sb_mesh *mesh, const int *twin_of,
                                    bool *was_inside_out, sb_error *err);

/* For tests: the time after which the reader is killed; 0 restores the
 * default of 9 s. */
void sb_mesh_read_set_time_limit(int limit_ms);

#endif
