/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh.h -- triangle meshes of surfaces and tetrahedral
 * meshes of volumes.
 *
 * A mesh here is clean: every corner is a valid vertex, no face is degenerate,
 * coincident points are one vertex of each part that touches there, and every
 * vertex is used. Faces of a closed
 * surface are counter-clockwise seen from outside; the wall of a cavity inside
 * another closed surface is counter-clockwise seen from the cavity. Vertices
 * and faces keep the order of the input. Texture coordinates belong to the
 * corners of faces, since a vertex on a seam has several.
 *
 * Thread: control, workers. Immutable once made.
 * Memory: one owner; sb_mesh_free frees the arrays, not the struct.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_mesh {
    int vertex_count;
    int face_count;
    int tet_count; /* 0: a surface only */
    sb_vec3 *vertices;
    int (*faces)[3];    /* the surface; for a volume, its boundary */
    float (*uvs)[3][2]; /* one (u, v) per face corner, or NULL */
    int (*tets)[4];     /* positive volume, or NULL */
} sb_mesh;

/* The cross product of two sides of a face: its normal, as long as twice its
 * area. */
static inline sb_vec3 sb_face_cross(const sb_vec3 *vertices,
                                    const int face[3]) {
    sb_vec3 a = vertices[face[0]];
    return sb_vec3_span(a, vertices[face[1]], vertices[face[2]]);
}

/* Findings of the cleaning, for display to the user. */
typedef struct sb_mesh_report {
    int dropped_faces;   /* degenerate or doubled */
    int welded_vertices; /* merged with another, or used by no face */
    int component_count;
    int cut_points;        /* where parts only touched, and were cut apart */
    int hole_count;        /* closed loops of border edges */
    int border_edges;      /* with one face */
    int nonmanifold_edges; /* with three faces or more */
    bool is_closed;        /* every edge has two faces */
    bool was_inside_out;   /* the mesh was inside out and has been flipped */
    sb_vec3 low_m, high_m; /* bounding box */
} sb_mesh_report;

void sb_mesh_free(sb_mesh *mesh); /* a zeroed one is allowed */
SB_NODISCARD sb_status sb_mesh_copy(sb_mesh *out, const sb_mesh *mesh,
                                    sb_error *err);

/* Makes a clean mesh from any soup: welds points closer than 1e-7 of the
 * bounding box's diagonal, drops degenerate and duplicate faces (and splits a
 * neighbour where a degenerate face covered a crack), orients the faces of each
 * component consistently and outward, and reports. If the soup has tetrahedra,
 * they are oriented to positive volume, flat and duplicate ones are dropped,
 * and the faces are replaced by their boundary. Takes the arrays of `soup`,
 * which is empty afterwards, also on failure; `report` may be NULL. BAD_FORMAT
 * names the error: no faces left, a coordinate that is NaN or beyond 1e9 m, a
 * corner index out of range.
 */
SB_NODISCARD sb_status sb_mesh_clean(sb_mesh *soup, sb_mesh *out,
                                     sb_mesh_report *report, sb_error *err);

/* Gives tetrahedra that only touch vertices of their own, and adds the number
 * of points cut to *points. `piece_of` is a union_find.h in which those that
 * share a side are joined. Faces are left as they are. NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_part_tets(sb_mesh *mesh, int *piece_of,
                                         int *points, sb_error *err);

/* The component (0 ..) of each vertex, and their number; components are
 * numbered by their first vertex. `component_of` may be NULL. */
SB_NODISCARD sb_status sb_mesh_components(const sb_mesh *mesh,
                                          int *component_of, int *count,
                                          sb_error *err);

/* True when the largest side of the bounding box is below 1 mm or above 5
 * m, usually because of a wrong unit. `text` then continues the sentence
 * "its largest side is" and suggests a scale. */
bool sb_mesh_size_remark(const sb_mesh_report *report, char *text, size_t size);
/* True when parts were cut apart, with a sentence on it. */
bool sb_mesh_cut_remark(const sb_mesh_report *report, char *text, size_t size);

/* The edges that only one face has, as pairs of vertices, freed with sb_free;
 * none: the surface is closed, and *edges is NULL. NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_border(const sb_mesh *mesh, int (**edges)[2],
                                      int *count, sb_error *err);
