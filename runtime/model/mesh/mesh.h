/* runtime/model/mesh/mesh.h -- triangle meshes of surfaces and tetrahedral
 * meshes of volumes.
 *
 * A mesh here is clean: every corner is a valid vertex, no face is degenerate,
 * points that are the same are one vertex, and every vertex is used. Faces
 * turn counter-clockwise seen from outside where the surface is closed; the
 * wall of a cavity inside another closed surface does so seen from the cavity.
 * Vertices and faces keep the order they came in. Texture coordinates belong to
 * the corners of faces, since a vertex on a seam has several.
 *
 * Thread: control, workers. Immutable once made.
 * Memory: one owner; sb_mesh_free frees the arrays, not the struct.
 */
#ifndef SB_MODEL_MESH_MESH_H
#define SB_MODEL_MESH_MESH_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_mesh {
    int vertex_count;
    int face_count;
    int tet_count; /* 0: a surface only */
    sb_vec3 *vertices;
    int (*faces)[3];    /* the surface; of a volume, its boundary */
    float (*uvs)[3][2]; /* one (u, v) per face corner, or NULL */
    int (*tets)[4];     /* positive volume, or NULL */
} sb_mesh;

/* What cleaning found, to be shown to the user. */
typedef struct sb_mesh_report {
    int dropped_faces;   /* degenerate or doubled */
    int welded_vertices; /* merged with another, or used by no face */
    int component_count;
    int hole_count;        /* closed loops of border edges */
    int border_edges;      /* with one face */
    int nonmanifold_edges; /* with three faces or more */
    bool is_closed;        /* every edge has two faces */
    bool was_inside_out;   /* and was turned */
    sb_vec3 low_m, high_m; /* bounding box */
} sb_mesh_report;

void sb_mesh_free(sb_mesh *mesh); /* an empty one is allowed */
SB_NODISCARD sb_status sb_mesh_copy(sb_mesh *out, const sb_mesh *mesh,
                                    sb_error *err);

/* Make a clean mesh of any soup: weld points closer than 1e-7 of the bounding
 * box's diagonal, drop degenerate and doubled faces (splitting a neighbour
 * where a degenerate one covered a crack), turn the faces of each component
 * alike and outward, report. Where the soup has tetrahedra, they are
 * turned to positive volume, flat and doubled ones go, and the faces are their
 * boundary, whatever faces the soup had. Takes the arrays of `soup`, which is
 * empty after, also on failure; `report` may be NULL. BAD_FORMAT names what is
 * wrong: no faces left, a coordinate that is NaN or beyond 1e9 m, a corner that
 * is no vertex. */
SB_NODISCARD sb_status sb_mesh_clean(sb_mesh *soup, sb_mesh *out,
                                     sb_mesh_report *report, sb_error *err);

/* Which component (0 ..) each vertex is in, and how many there are; they are
 * numbered by their first vertex. `component_of` may be NULL. */
SB_NODISCARD sb_status sb_mesh_components(const sb_mesh *mesh,
                                          int *component_of, int *count,
                                          sb_error *err);

/* Is the largest side of the bounding box below 1 mm or above 20 m, which is
 * most often a mistaken unit? Then `text` says so and what scale would help,
 * after the words "its largest side is". */
bool sb_mesh_size_remark(const sb_mesh_report *report, char *text, size_t size);

#endif
