/* SPDX-License-Identifier: MIT */
/* tests/model/fill/boundaries.h -- closed surfaces to fill: boxes, balls,
 * bars, cups. Each is built in static storage, which the result borrows
 * until the next call of surface_begin. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>

enum { SURFACE_MOST = 60000 };

static sb_vec3 surface_vertices[SURFACE_MOST];
static int surface_faces[2 * SURFACE_MOST][3];
static sb_mesh surface_mesh;

static inline void surface_begin(void) {
    surface_mesh =
        (sb_mesh){.vertices = surface_vertices, .faces = surface_faces};
}

static inline int surface_vertex(double x, double y, double z) {
    surface_vertices[surface_mesh.vertex_count] = (sb_vec3){x, y, z};
    return surface_mesh.vertex_count++;
}

static inline void surface_face(int a, int b, int c) {
    int *f = surface_faces[surface_mesh.face_count++];
    f[0] = a;
    f[1] = b;
    f[2] = c;
}

static inline void surface_quad(int a, int b, int c, int d) {
    surface_face(a, b, c);
    surface_face(a, c, d);
}

/* Corners are numbered with x in bit 0, y in bit 1, z in bit 2. */
static inline void surface_add_box(sb_vec3 low, sb_vec3 high) {
    int v = surface_mesh.vertex_count;
    for (int k = 0; k < 8; k++) {
        surface_vertex(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                       k & 4 ? high.z : low.z);
    }
    surface_quad(v + 0, v + 2, v + 3, v + 1);
    surface_quad(v + 4, v + 5, v + 7, v + 6);
    surface_quad(v + 0, v + 1, v + 5, v + 4);
    surface_quad(v + 2, v + 6, v + 7, v + 3);
    surface_quad(v + 0, v + 4, v + 6, v + 2);
    surface_quad(v + 1, v + 3, v + 7, v + 5);
}

static inline sb_mesh *surface_box(double x, double y, double z) {
    surface_begin();
    surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){x, y, z});
    return &surface_mesh;
}

/* Connects a grid of rows x columns points, closed in the direction of the
 * columns and optionally of the rows; `first` is the index of the first
 * point. */
static inline void surface_weave(int first, int rows, int columns,
                                 int is_ring) {
    for (int i = 0; i < (is_ring ? rows : rows - 1); i++) {
        for (int j = 0; j < columns; j++) {
            int below = first + i * columns,
                above = first + (i + 1) % rows * columns;
            int k = (j + 1) % columns;
            surface_quad(below + j, below + k, above + k, above + j);
        }
    }
}

static inline void surface_cap(int first, int columns, int pole, int is_top) {
    for (int j = 0; j < columns; j++) {
        int a = first + j, b = first + (j + 1) % columns;
        if (is_top) {
            surface_face(a, b, pole);
        } else {
            surface_face(b, a, pole);
        }
    }
}

/* A profile (radius, height) rotated about the z axis, from the bottom pole
 * to the top pole. */
static inline sb_mesh *surface_turned(const double (*profile)[2], int rows,
                                      int columns, double bottom, double top) {
    surface_begin();
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double a = 2 * SB_PI * j / columns;
            surface_vertex(profile[i][0] * cos(a), profile[i][0] * sin(a),
                           profile[i][1]);
        }
    }
    surface_weave(0, rows, columns, 0);
    surface_cap(0, columns, surface_vertex(0, 0, bottom), 0);
    surface_cap((rows - 1) * columns, columns, surface_vertex(0, 0, top), 1);
    return &surface_mesh;
}

static inline sb_mesh *surface_sphere(double radius, int rows, int columns) {
    static double profile[2000][2];
    for (int i = 0; i < rows; i++) {
        double a = SB_PI * (i + 1) / (rows + 1);
        profile[i][0] = radius * sin(a);
        profile[i][1] = -radius * cos(a);
    }
    return surface_turned((const double(*)[2])profile, rows, columns, -radius,
                          radius);
}

/* Outer radius r, height h, wall and floor t thick. */
static inline sb_mesh *surface_cup(double r, double h, double t, int rows,
                                   int columns) {
    static double profile[2000][2];
    int n = 0;
    for (int i = 0; i <= rows; i++) {
        profile[n][0] = r;
        profile[n++][1] = h * i / rows;
    }
    for (int i = 0; i <= rows; i++) {
        profile[n][0] = r - t;
        profile[n++][1] = h - (h - t) * i / rows;
    }
    return surface_turned((const double(*)[2])profile, n, columns, 0, t);
}

static inline sb_mesh *surface_torus(double big, double small, int rows,
                                     int columns) {
    surface_begin();
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double a = 2 * SB_PI * j / columns, b = 2 * SB_PI * i / rows;
            surface_vertex((big + small * cos(b)) * cos(a),
                           (big + small * cos(b)) * sin(a), small * sin(b));
        }
    }
    surface_weave(0, rows, columns, 1);
    return &surface_mesh;
}

/* A polygon (x, z), counter-clockwise seen against y, extruded along y. It
 * is given as pairs of points `low` and `high` at the same x, from left to
 * right. */
static inline sb_mesh *surface_strip(const double (*strip)[3], int count,
                                     double width) {
    surface_begin();
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < count; i++) {
            surface_vertex(strip[i][0], width * side, strip[i][1]);
            surface_vertex(strip[i][0], width * side, strip[i][2]);
        }
    }
    int b = 2 * count;
    for (int i = 0; i + 1 < count; i++) {
        int p = 2 * i, q = 2 * i + 2;
        surface_quad(p, q, q + 1, p + 1);                 /* y = 0 */
        surface_quad(b + p, b + p + 1, b + q + 1, b + q); /* y = width */
        surface_quad(p, b + p, b + q, q);                 /* below */
        surface_quad(p + 1, q + 1, b + q + 1, b + p + 1); /* above */
    }
    int e = 2 * count - 2;
    surface_quad(0, 1, b + 1, b);
    surface_quad(e, b + e, b + e + 1, e + 1);
    return &surface_mesh;
}

/* The vibraphone bar F#3: flat on top, cut out below. */
static inline sb_mesh *surface_undercut_bar(int slices) {
    static double strip[2000][3];
    double length = .360, h0 = .0133736, hc = .367896 * h0;
    double xc = .289404 * length;
    for (int i = 0; i <= slices; i++) {
        double x = length * (i / (double)slices - 0.5);
        double h = h0;
        if (fabs(x) < xc) h = hc + (h0 - hc) * pow(fabs(x) / xc, 3);
        strip[i][0] = x;
        strip[i][1] = h0 - h;
        strip[i][2] = h0;
    }
    return surface_strip((const double(*)[3])strip, slices + 1, .050);
}

static inline void surface_move(sb_mesh *mesh, const sb_vec3 axes[3],
                                sb_vec3 shift) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 v = mesh->vertices[i], p = shift;
        p = sb_vec3_add(p, sb_vec3_scale(axes[0], v.x));
        p = sb_vec3_add(p, sb_vec3_scale(axes[1], v.y));
        mesh->vertices[i] = sb_vec3_add(p, sb_vec3_scale(axes[2], v.z));
    }
}

/* A rotation about no coordinate axis. */
static inline void surface_turn(sb_mesh *mesh) {
    sb_vec3 a = sb_vec3_normalised((sb_vec3){0.36, 0.48, -0.8});
    sb_vec3 b = sb_vec3_normalised(sb_vec3_cross(a, (sb_vec3){0.2, 1, 0.3}));
    sb_vec3 axes[3] = {a, b, sb_vec3_cross(a, b)};
    surface_move(mesh, axes, (sb_vec3){0.1, -0.07, 0.31});
}
