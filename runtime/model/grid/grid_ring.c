/* Rings of wire, round or flat, as meshes. Thread: control, workers. */
#include "runtime/model/grid/grid_ring.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/grid/flat.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"

#include <math.h>

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

sb_status sb_grid_ring_fine_solid(const sb_shape *ring, sb_grain grain,
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

sb_status sb_grid_ring_solid(const sb_shape *ring, int resolution,
                             sb_solid_mesh *out, sb_error *err) {
    return sb_grid_ring_fine_solid(ring, (sb_grain){resolution, 1, 1, 1}, out,
                                   err);
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
        sb_free(mesh.vertices);
        sb_free(mesh.faces);
        sb_free(mesh.uvs);
        return sb_fail(err, SB_NO_MEMORY,
                       "grid: out of memory for %zu vertices", cells);
    }
    fill_mesh(ring, around, section, &mesh);
    *out = mesh;
    return SB_OK;
}
