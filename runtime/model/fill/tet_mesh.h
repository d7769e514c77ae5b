/* runtime/model/fill/tet_mesh.h -- a tetrahedral mesh for local changes.
 *
 * The state between lattice and solid: points, tetrahedra over them, and for
 * each point the tetrahedra of which it is a corner (its star). A change
 * replaces some tetrahedra by others that fill the same space, so the mesh
 * never has gaps.
 *
 * Each point is unconstrained, or constrained to the surface, to a sharp edge
 * of it (a chain), or to a corner.
 *
 * Thread: one. Memory: sb_tet_mesh_free frees the arrays.
 */
#ifndef SB_MODEL_FILL_TET_MESH_H
#define SB_MODEL_FILL_TET_MESH_H

#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef enum sb_hold_on {
    SB_ON_NOTHING,
    SB_ON_FACE,
    SB_ON_EDGE,
    SB_ON_CORNER
} sb_hold_on;

typedef struct sb_tet_point {
    sb_vec3 at;
    double size;        /* of the surrounding lattice cells, m */
    signed char side;   /* -1 inside, 0 on the surface, 1 outside */
    unsigned char hold; /* sb_hold_on */
    int chain;          /* for SB_ON_EDGE; otherwise -1 */
    double distance;    /* from the surface; INFINITY: far */
    sb_vec3 normal;     /* of the surface, for SB_ON_FACE */
    int star;           /* 4 tet + corner of its first tetrahedron, or -1 */
} sb_tet_point;

typedef struct sb_tet_mesh {
    sb_tet_point *points;
    int point_count, point_capacity;
    int (*tets)[4]; /* positive volume; [0] == -1: free slot */
    int (*next)[4]; /* linked lists of the stars */
    int tet_count, tet_capacity;
    int *spare; /* free slots */
    int spare_count, spare_capacity;
    bool is_out_of_memory; /* a change was refused for lack of memory */
} sb_tet_mesh;

enum { SB_STAR_MOST = 160 };

void sb_tet_mesh_free(sb_tet_mesh *mesh);
int sb_tet_mesh_point(sb_tet_mesh *mesh,
                      sb_tet_point point); /* -1: out of memory */

/* Reserves room for `tets` more; adding that many cannot fail afterwards. */
bool sb_tet_mesh_room(sb_tet_mesh *mesh, int tets);
void sb_tet_mesh_put(sb_tet_mesh *mesh, const int tet[4]);
void sb_tet_mesh_take(sb_tet_mesh *mesh, int tet);

static inline bool sb_tet_is_live(const sb_tet_mesh *mesh, int tet) {
    return mesh->tets[tet][0] >= 0;
}

bool sb_tet_has(const int tet[4], int point);

/* Finds the tetrahedra that contain all `count` points. Returns their
 * number, or -1 when there are more than `most`. */
int sb_tet_mesh_around(const sb_tet_mesh *mesh, const int *points, int count,
                       int *found, int most);

/* The tetrahedron on the other side of the face opposite `corner`, or -1. */
int sb_tet_mesh_across(const sb_tet_mesh *mesh, int tet, int corner);

/* Inserts a point on the edge, face or tetrahedron spanned by `count` points
 * and splits the tetrahedra around it. -1 if one would have no volume, or if
 * out of memory. */
int sb_tet_mesh_insert(sb_tet_mesh *mesh, const int *points, int count,
                       sb_tet_point point);

/* Six times the volume. */
double sb_tet_volume6(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d);

/* The least sine of the six dihedral angles; negative if inside out. */
double sb_tet_quality(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d);
double sb_tet_mesh_quality(const sb_tet_mesh *mesh, const int tet[4]);

/* The least quality of the star of `point` if it were at `at`. */
double sb_tet_mesh_star_quality(const sb_tet_mesh *mesh, int point, sb_vec3 at);

#endif
