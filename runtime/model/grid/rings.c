/* SPDX-License-Identifier: MIT */
#include "runtime/model/grid/grid.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shape.h"

#include <math.h>

/* --- rings ---------------------------------------------------------------- */

/* Arcs longer than 15 degrees are too stiff in their plane: with 16 arcs the
 * frequencies are a third too high, with 24 by 7 %, with 48 by half a per
 * cent. */
enum { AROUND_LEAST = 24, SECTION_LEAST = 8 };

/* (a, b): outward from the centre line of the wire, and up. */
static sb_vec3 turn(const void *context, double a, double b, double c) {
    const sb_shape *ring = context;
    double r = ring->radius + a;
    return (sb_vec3){r * cos(SB_TAU * c), b, r * sin(SB_TAU * c)};
}

static int around_of(int resolution) {
    return resolution < AROUND_LEAST ? AROUND_LEAST : resolution;
}

static double edge_of(const sb_shape *ring, int resolution) {
    return SB_TAU * ring->radius / around_of(resolution);
}

sb_status sb_grid_ring_solid(const sb_shape *ring, sb_grain grain,
                             sb_solid_mesh *out, sb_error *err) {
    sb_flat flat;
    sb_status status = SB_OK;
    double edge = edge_of(ring, grain.elements);
    if (ring->wire_radius > 0) {
        double rings = round(ring->wire_radius / edge);
        rings = fmax(fmax(1, grain.least), rings);
        status = sb_flat_disk(ring->wire_radius,
                              sb_grain_count(grain, rings, 1), &flat, err);
    } else {
        double along = fmax(2, round(ring->thickness / edge));
        double rows = fmax(2, round(ring->width / edge));
        status = sb_flat_cells(ring->thickness, ring->width,
                               sb_grain_count(grain, along, 1),
                               sb_grain_count(grain, rows, 1), &flat, err);
    }
    if (status) return status;
    int around = sb_grain_count(grain, around_of(grain.elements), 3);
    status = sb_flat_sweep(&flat, around, true, turn, ring, out, err);
    sb_flat_free(&flat);
    return status;
}

/* The outline of the section at t = 0 .. 1, starting outward and turning up.
 * Flat wire: each side takes a quarter, from corner to corner, so that
 * vertices lie on the corners. */
static void outline(const sb_shape *ring, double t, double *a, double *b) {
    if (ring->wire_radius > 0) {
        *a = ring->wire_radius * cos(SB_TAU * t);
        *b = ring->wire_radius * sin(SB_TAU * t);
        return;
    }
    double eighth = 8 * t; /* corners at 1, 3, 5 and 7 */
    double x = eighth < 1 || eighth > 7 ? 1
               : eighth < 3             ? 2 - eighth
               : eighth < 5             ? -1
                                        : eighth - 6;
    double y = eighth < 1   ? eighth
               : eighth < 3 ? 1
               : eighth < 5 ? 4 - eighth
               : eighth < 7 ? -1
                            : eighth - 8;
    *a = 0.5 * ring->thickness * x;
    *b = 0.5 * ring->width * y;
}

/* v at column j of the section: its angle over 2 pi, 1 at the end of the
 * seam. */
static float angle_at(const sb_shape *ring, int j, int section) {
    double a, b;
    if (j == section) return 1;
    outline(ring, (double)j / section, &a, &b);
    double angle = atan2(b, a) / SB_TAU;
    return (float)(angle < 0 ? angle + 1 : angle);
}

/* One cell of the surface: two triangles, facing outward. */
static void add_cell(const sb_shape *ring, sb_mesh *mesh, int i, int j,
                     int around, int section) {
    static const int corners[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}},
                                         {{0, 0}, {1, 1}, {1, 0}}};
    for (int face = 0; face < 2; face++) {
        for (int k = 0; k < 3; k++) {
            int u = i + corners[face][k][0], v = j + corners[face][k][1];
            int at = mesh->face_count;
            mesh->faces[at][k] = u % around * section + v % section;
            mesh->uvs[at][k][0] = (float)((double)u / around);
            mesh->uvs[at][k][1] = angle_at(ring, v, section);
        }
        mesh->face_count++;
    }
}

static void fill_mesh(const sb_shape *ring, int around, int section,
                      sb_mesh *mesh) {
    for (int i = 0; i < around; i++) {
        for (int j = 0; j < section; j++) {
            double a, b;
            outline(ring, (double)j / section, &a, &b);
            mesh->vertices[mesh->vertex_count++] =
                turn(ring, a, b, (double)i / around);
            add_cell(ring, mesh, i, j, around, section);
        }
    }
}

sb_status sb_grid_ring_surface(const sb_shape *ring, int resolution,
                               sb_mesh *out, sb_error *err) {
    double length = ring->wire_radius > 0 ? SB_TAU * ring->wire_radius
                                          : 2 * (ring->width + ring->thickness);
    double eighths = ceil(length / (SECTION_LEAST * edge_of(ring, resolution)));
    int around = around_of(resolution), section = SECTION_LEAST * (int)eighths;
    size_t cells = (size_t)around * (size_t)section;
    sb_mesh mesh = {
        .vertices = sb_alloc(cells, sizeof *mesh.vertices),
        .faces = sb_alloc(2 * cells, sizeof *mesh.faces),
        .uvs = sb_alloc(2 * cells, sizeof *mesh.uvs),
    };
    if (!mesh.vertices || !mesh.faces || !mesh.uvs) {
        sb_free_all(mesh.vertices, mesh.faces, mesh.uvs);
        return sb_fail(err, SB_NO_MEMORY,
                       "grid: out of memory for %zu vertices", cells);
    }
    fill_mesh(ring, around, section, &mesh);
    *out = mesh;
    return SB_OK;
}

/* --- walls of revolution -------------------------------------------------- */

enum { WALL_AROUND_LEAST = 12, AROUND_MOST = 720, ROWS_MOST = 2000 };

/* Rings of vertices, as lengths along the profile. */
typedef struct rows {
    double *at_m;
    int count, capacity;
} rows;

static bool add_row(rows *list, double at_m) {
    if (!sb_grow_list(list->at_m, list->capacity, list->count + 1)) {
        return false;
    }
    list->at_m[list->count++] = at_m;
    return true;
}

static bool find_rows(const sb_outline *outline, double edge, rows *list) {
    const sb_profile_point *p = outline->points;
    double at = 0;
    bool ok = add_row(list, 0);
    for (int i = 0; ok && i + 1 < outline->count; i++) {
        double length = hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
        double begun = at - list->at_m[list->count - 1];
        int parts = (int)fmax(1, round(length / edge));
        for (int k = 1; ok && k < parts; k++)
            ok = add_row(list, at + length * k / parts);
        at += length;
        bool is_last = i + 2 == outline->count;
        if (ok && (is_last || parts > 1 || begun + length >= 0.5 * edge))
            ok = add_row(list, at);
    }
    return ok;
}

static double size_of(const sb_outline *outline, double *widest) {
    double low = INFINITY, high = -INFINITY, r = 0;
    for (int i = 0; i < outline->count; i++) {
        low = fmin(low, outline->points[i].y);
        high = fmax(high, outline->points[i].y);
        r = fmax(r, outline->points[i].r);
    }
    *widest = r;
    return fmax(high - low, 2 * r);
}

/* --- vertices and faces --------------------------------------------------- */

typedef struct turning {
    const sb_outline *outline;
    const rows *list;
    int around;
    sb_mesh *mesh;
} turning;

/* A row on the axis is one vertex; the last one of a ring is the first. */
static bool is_tip(const turning *self, int row) {
    return (row == 0 && self->outline->starts_on_axis) ||
           (row == self->list->count - 1 && self->outline->ends_on_axis);
}

static int vertex_at(const turning *self, int row, int i) {
    int rows_before = row;
    if (self->outline->is_ring && row == self->list->count - 1) rows_before = 0;
    if (is_tip(self, row)) return row == 0 ? 0 : self->mesh->vertex_count - 1;
    int first = self->outline->starts_on_axis
                    ? 1 + (rows_before - 1) * self->around
                    : rows_before * self->around;
    return first + i % self->around;
}

static void place_vertices(const turning *self) {
    for (int row = 0; row < self->list->count; row++) {
        double v = self->list->at_m[row] / self->outline->length_m;
        sb_outline_place at = sb_outline_at(self->outline, v);
        for (int i = 0; i < (is_tip(self, row) ? 1 : self->around); i++) {
            double angle = SB_TAU * i / self->around;
            double r = is_tip(self, row) ? 0 : at.r;
            self->mesh->vertices[vertex_at(self, row, i)] =
                (sb_vec3){r * cos(angle), at.y, r * sin(angle)};
        }
    }
}

/* `corners` are (row, column) of a cell; seen from outside they turn
 * counter-clockwise if the outer normal is (dy, -dr). */
static void add_face(const turning *self, int row, int i,
                     const int corners[3][2]) {
    sb_mesh *mesh = self->mesh;
    int at = mesh->face_count++;
    bool is_turned = self->outline->outward < 0;
    for (int k = 0; k < 3; k++) {
        const int *corner = corners[is_turned ? 2 - k : k];
        int down = row + corner[0], along = i + corner[1];
        double u = (double)along / self->around;
        if (is_tip(self, down)) u = (i + 0.5) / self->around;
        mesh->faces[at][k] = vertex_at(self, down, along);
        mesh->uvs[at][k][0] = (float)u;
        mesh->uvs[at][k][1] =
            (float)(self->list->at_m[down] / self->outline->length_m);
    }
}

static void place_faces(const turning *self) {
    static const int first[3][2] = {{0, 0}, {1, 0}, {1, 1}};
    static const int second[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    for (int row = 0; row + 1 < self->list->count; row++) {
        for (int i = 0; i < self->around; i++) {
            if (!is_tip(self, row + 1)) add_face(self, row, i, first);
            if (!is_tip(self, row)) add_face(self, row, i, second);
        }
    }
}

sb_status sb_grid_turned(const sb_outline *outline, int resolution,
                         sb_mesh *out, sb_error *err) {
    double widest, edge = size_of(outline, &widest) / resolution;
    double around = fmin(fmax(round(SB_TAU * widest / edge), WALL_AROUND_LEAST),
                         AROUND_MOST);
    rows list = {0};
    sb_mesh mesh = {0};
    bool ok =
        find_rows(outline, fmax(edge, outline->length_m / ROWS_MOST), &list);
    if (ok) {
        size_t cells = (size_t)around * (size_t)list.count;
        mesh.vertices = sb_alloc(cells, sizeof *mesh.vertices);
        mesh.faces = sb_alloc(2 * cells, sizeof *mesh.faces);
        mesh.uvs = sb_alloc(2 * cells, sizeof *mesh.uvs);
        ok = mesh.vertices && mesh.faces && mesh.uvs;
    }
    if (ok) {
        turning self = {outline, &list, (int)around, &mesh};
        int tips = outline->starts_on_axis + outline->ends_on_axis;
        int rings = list.count - tips - (outline->is_ring ? 1 : 0);
        mesh.vertex_count = rings * (int)around + tips;
        place_vertices(&self);
        place_faces(&self);
        *out = mesh;
    } else {
        sb_mesh_free(&mesh);
    }
    sb_free(list.at_m);
    return ok ? SB_OK
              : sb_fail(err, SB_NO_MEMORY, "grid: out of memory for a wall");
}
