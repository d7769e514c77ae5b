/* SPDX-License-Identifier: MIT */
/* tests/model/mesh/mesh_fixture.h -- cubes with all kinds of defects, to be
 * cleaned. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "tests/model/mesh/mesh_measure.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { MOST = 512 };

/* --- soups ---------------------------------------------------------------- */

/* Room for MOST of each. */
static inline sb_mesh make_empty(void) {
    return (sb_mesh){.vertices = sb_alloc(MOST, sizeof(sb_vec3)),
                     .faces = sb_alloc(MOST, sizeof(int[3]))};
}

static inline void add_face(sb_mesh *mesh, int a, int b, int c) {
    int *face = mesh->faces[mesh->face_count++];
    face[0] = a;
    face[1] = b;
    face[2] = c;
}

static inline int add_vertex(sb_mesh *mesh, double x, double y, double z) {
    ck_assert_int_lt(mesh->vertex_count, MOST);
    mesh->vertices[mesh->vertex_count] = (sb_vec3){x, y, z};
    return mesh->vertex_count++;
}

/* The bits of i are the coordinates of corner i; quads seen from outside. */
static const int quads_of_cube[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6},
                                        {0, 1, 5, 4}, {2, 6, 7, 3},
                                        {0, 4, 6, 2}, {1, 3, 7, 5}};

static inline void add_cube(sb_mesh *mesh, sb_vec3 low, double side) {
    int first = mesh->vertex_count;
    for (int i = 0; i < 8; i++) {
        (void)add_vertex(mesh, low.x + side * (i & 1),
                         low.y + side * ((i >> 1) & 1),
                         low.z + side * (i >> 2));
    }
    for (int q = 0; q < 6; q++) {
        const int *quad = quads_of_cube[q];
        add_face(mesh, first + quad[0], first + quad[1], first + quad[2]);
        add_face(mesh, first + quad[0], first + quad[2], first + quad[3]);
    }
}

static inline sb_mesh make_cube(void) {
    sb_mesh cube = make_empty();
    add_cube(&cube, (sb_vec3){0, 0, 0}, 1);
    return cube;
}

static inline void turn(sb_mesh *mesh, int f) {
    int corner = mesh->faces[f][1];
    mesh->faces[f][1] = mesh->faces[f][2];
    mesh->faces[f][2] = corner;
}

/* As in STL: each face has three points of its own. */
static inline sb_mesh exploded(sb_mesh *mesh) {
    sb_mesh out = make_empty();
    for (int f = 0; f < mesh->face_count; f++) {
        int corner[3];
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = mesh->vertices[mesh->faces[f][c]];
            corner[c] = add_vertex(&out, p.x, p.y, p.z);
        }
        add_face(&out, corner[0], corner[1], corner[2]);
    }
    sb_mesh_free(mesh);
    return out;
}

/* --- expectations --------------------------------------------------------- */

static inline sb_mesh cleaned(sb_mesh soup, sb_mesh_report *report) {
    sb_mesh mesh = {0};
    sb_error err = {0};
    sb_status status = sb_mesh_clean(&soup, &mesh, report, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_ptr_null(soup.vertices);
    ck_assert_int_eq(soup.vertex_count, 0);
    return mesh;
}

static inline void expect_refusal(sb_mesh soup, const char *words) {
    sb_mesh mesh = {.face_count = 77};
    sb_mesh_report report = {.hole_count = 77};
    sb_error err = {0};
    ck_assert_int_eq(sb_mesh_clean(&soup, &mesh, &report, &err), SB_BAD_FORMAT);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
    ck_assert_int_eq(mesh.face_count, 77);
    ck_assert_int_eq(report.hole_count, 77);
    ck_assert_ptr_null(soup.faces);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static inline void expect_cube(const sb_mesh *mesh,
                               const sb_mesh_report *report) {
    ck_assert_int_eq(mesh->vertex_count, 8);
    ck_assert_int_eq(mesh->face_count, 12);
    ck_assert(report->is_closed);
    ck_assert_int_eq(report->component_count, 1);
    ck_assert_int_eq(report->hole_count, 0);
    ck_assert_double_eq_tol(mesh_area_m2(mesh), 6, 1e-12);
    ck_assert_double_eq_tol(mesh_volume_m3(mesh), 1, 1e-12);
    ck_assert_double_eq(report->low_m.x, 0);
    ck_assert_double_eq(report->high_m.z, 1);
}

/* The cube with points on its edge 0 1: the face 0 1 5 is split there, the
 * face on the other side is not, and flat faces lie between them. */
static inline sb_mesh make_capped_cube(int points) {
    sb_mesh soup = make_cube();
    soup.uvs = sb_alloc(MOST, sizeof *soup.uvs);
    ck_assert_int_eq(soup.faces[4][0], 0);
    ck_assert_int_eq(soup.faces[4][1], 1);
    ck_assert_int_eq(soup.faces[4][2], 5);
    int before = 0;
    for (int i = 1; i <= points; i++) {
        int p = add_vertex(&soup, (double)i / (points + 1), 0, 0);
        add_face(&soup, before, p, 5);
        add_face(&soup, before, 1, p); /* flat: facing the other side */
        before = p;
    }
    soup.faces[4][0] = before;
    for (int f = 0; f < soup.face_count; f++) {
        for (int c = 0; c < 3; c++) {
            sb_vec3 v = soup.vertices[soup.faces[f][c]];
            soup.uvs[f][c][0] = (float)(v.x + v.y);
            soup.uvs[f][c][1] = (float)v.z;
        }
    }
    return soup;
}
