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
/* The key of `count` (2 .. 4) vertices in any order. */
sb_mesh_key sb_mesh_key_of(const int *vertices, int count, int id);

/* For each vertex the first one, in order, that lies within `tolerance_m` (> 0)
 * of it and was not welded itself. Vertices with `used` false stay alone.
 * `low_m` is the corner of the bounding box of the others. */
SB_NODISCARD sb_status sb_mesh_weld(const sb_mesh *mesh, const bool *used,
                                    sb_vec3 low_m, double tolerance_m,
                                    int *first_of, sb_error *err);

/* Turn to positive volume, drop what is flat or doubled, and make the boundary
 * the faces. Corners are valid vertices already. */
SB_NODISCARD sb_status sb_mesh_clean_tets(sb_mesh *mesh, sb_error *err);

/* Two corners are one, or all three lie on a line. */
bool sb_mesh_is_flat(const sb_mesh *mesh, const int *face);

/* Split faces at vertices on their edges, where a flat face covers the crack.
 * Flat faces that are left hold nothing together. */
SB_NODISCARD sb_status sb_mesh_split_at_caps(sb_mesh *mesh, sb_error *err);

enum { SB_TWIN_NONE = -1, SB_TWIN_MANY = -2 };

/* For each half-edge the one of the other face on that edge, or why there is
 * none: border, or three faces and more. Counts edges into the report. */
SB_NODISCARD sb_status sb_mesh_find_twins(const sb_mesh *mesh, int *twin_of,
                                          sb_mesh_report *report,
                                          sb_error *err);

/* Faces that are connected over edges of exactly two faces. */
typedef struct sb_mesh_patch {
    int first, face_count; /* in the list of faces, patch by patch */
    bool is_closed;        /* none of its edges is a border */
    bool must_turn;        /* to face outward, or into its cavity */
    double volume_m3;      /* signed, as the file has it turned */
    sb_vec3 low_m, high_m;
} sb_mesh_patch;

/* Decide `must_turn` of the closed patches: outward; but one inside another
 * stays to that one as the file had it, alike or opposite. */
SB_NODISCARD sb_status sb_mesh_nest(const sb_mesh *mesh, const int *face_list,
                                    sb_mesh_patch *patches, int patch_count,
                                    sb_error *err);

/* Turn faces alike within each patch, and closed patches outward. */
SB_NODISCARD sb_status sb_mesh_turn(sb_mesh *mesh, const int *twin_of,
                                    bool *was_inside_out, sb_error *err);

/* For tests: how long the reader may take before it is killed; 0 restores the
 * default of 9 s. */
void sb_mesh_read_set_time_limit(int limit_ms);

#endif
