/* Places the planes of the lattice and cuts its cells into tetrahedra. Runs on
 * the control thread or a worker. */
#include "runtime/model/fill/lattice.h"

#include "runtime/base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { CELLS_MOST = 3000000, PLANES_MOST = 4000 };
static const double FLAT_COSINE = 0.999995; /* 0.18 degrees */

static double component(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* A flat part of the surface perpendicular to an axis. */
typedef struct flat {
    double at, area;
} flat;

static int compare_flats(const void *left, const void *right) {
    const flat *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Merges flats at the same position; returns the number left. */
static int merge_flats(flat *flats, int count, double within) {
    qsort(flats, (size_t)count, sizeof *flats, compare_flats);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept > 0 && flats[i].at - flats[kept - 1].at < within) {
            flats[kept - 1].area += flats[i].area;
        } else {
            flats[kept++] = flats[i];
        }
    }
    return kept;
}

static int find_flats(const sb_boundary *boundary, int axis, double cell,
                      flat *flats) {
    int count = 0;
    for (int i = 0; i < boundary->face_count; i++) {
        sb_vec3 n = boundary->normals[i];
        if (fabs(component(n, axis)) < FLAT_COSINE) continue;
        const int *f = boundary->faces[i];
        sb_vec3 a = boundary->vertices[f[0]];
        double area = 0.5 * sb_vec3_length(sb_vec3_cross(
                                sb_vec3_sub(boundary->vertices[f[1]], a),
                                sb_vec3_sub(boundary->vertices[f[2]], a)));
        flats[count++] = (flat){component(a, axis), area};
    }
    return merge_flats(flats, count, 1e-4 * cell);
}

/* Lattice planes of one axis. */
typedef struct planes {
    int count;
    double *at;
} planes;

/* Chooses the two ends, then the flats by area unless they are too near a
 * chosen one. Flats that are too small, or nearer than 0.3 of a cell, are
 * cut like any other part of the surface. */
static int choose_flats(flat *flats, int count, double cell, double low,
                        double high, double *chosen, int most) {
    int n = 0;
    chosen[n++] = low;
    chosen[n++] = high;
    while (n < most) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            bool is_free = flats[i].area > cell * cell;
            for (int k = 0; k < n && is_free; k++) {
                is_free = fabs(flats[i].at - chosen[k]) > 0.3 * cell;
            }
            if (!is_free) continue;
            if (best < 0 || flats[i].area > flats[best].area * (1 + 1e-9)) {
                best = i;
            }
        }
        if (best < 0) return n;
        chosen[n++] = flats[best].at;
    }
    return n;
}

static int compare_numbers(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static int cells_in(double gap, double cell) {
    int n = (int)ceil(gap / cell - 0.3);
    return n < 1 ? 1 : n;
}

static bool place_planes(const sb_boundary *boundary, const sb_cell_plan *plan,
                         int axis, flat *flats, planes *out) {
    enum { CHOSEN_MOST = 64 };
    double chosen[CHOSEN_MOST], cell = plan->cell_m[axis];
    double low = component(boundary->low, axis);
    double high = component(boundary->high, axis);
    int count = find_flats(boundary, axis, cell, flats);
    int n = choose_flats(flats, count, cell, low, high, chosen, CHOSEN_MOST);
    qsort(chosen, (size_t)n, sizeof *chosen, compare_numbers);
    out->count = 1;
    out->at[0] = low;
    for (int i = 1; i < n; i++) {
        double from = chosen[i - 1], gap = chosen[i] - from;
        if (gap / cell > PLANES_MOST) return false;
        int cells = cells_in(gap, cell);
        if (out->count + cells > PLANES_MOST) return false;
        for (int k = 1; k < cells; k++) {
            out->at[out->count++] = from + gap * k / cells;
        }
        out->at[out->count++] = chosen[i];
    }
    return true;
}

static sb_vec3 lattice_point(const planes p[3], int x, int y, int z) {
    return (sb_vec3){p[0].at[x], p[1].at[y], p[2].at[z]};
}

static bool cell_is_wanted(const sb_boundary *boundary, sb_vec3 a, sb_vec3 b) {
    sb_vec3 centre = sb_vec3_scale(sb_vec3_add(a, b), 0.5);
    double reach = 0.5001 * sb_vec3_length(sb_vec3_sub(b, a));
    return sb_triangle_tree_nearest(&boundary->tree, centre, reach).face >= 0 ||
           sb_boundary_has_inside(boundary, centre);
}

static double local_size(const planes p[3], const int cell[3]) {
    double size = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        size = fmin(size, p[axis].at[cell[axis] + 1] - p[axis].at[cell[axis]]);
    }
    return size;
}

/* The eight corners of a cell as points of the mesh; bit 0 is x. */
static bool cell_corners(const planes p[3], const int cell[3], int *numbers,
                         sb_tet_mesh *mesh, int corners[8]) {
    double size = local_size(p, cell);
    for (int k = 0; k < 8; k++) {
        int x = cell[0] + (k & 1), y = cell[1] + (k >> 1 & 1),
            z = cell[2] + (k >> 2 & 1);
        int *number = &numbers[((size_t)z * (size_t)p[1].count + (size_t)y) *
                                   (size_t)p[0].count +
                               (size_t)x];
        if (*number == 0) {
            sb_tet_point point = {
                .at = lattice_point(p, x, y, z), .size = size, .chain = -1};
            *number = sb_tet_mesh_point(mesh, point) + 1;
            if (*number == 0) return false;
        }
        assert(mesh->points);
        corners[k] = *number - 1;
        if (size < mesh->points[corners[k]].size) {
            mesh->points[corners[k]].size = size;
        }
    }
    return true;
}

static bool fill_cell(sb_tet_mesh *mesh, const int corners[8]) {
    /* Paths from corner 0 to corner 7 along one axis after the other; the
     * two middle corners are ordered so that the volume is positive. */
    static const int paths[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7},
                                    {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
    if (!sb_tet_mesh_room(mesh, 6)) return false;
    for (int i = 0; i < 6; i++) {
        int tet[4];
        for (int k = 0; k < 4; k++) {
            tet[k] = corners[paths[i][k]];
        }
        sb_tet_mesh_put(mesh, tet);
    }
    return true;
}

static bool fill_cells(const sb_boundary *boundary, const planes p[3],
                       int *numbers, sb_tet_mesh *mesh) {
    int cell[3];
    for (cell[2] = 0; cell[2] + 1 < p[2].count; cell[2]++) {
        for (cell[1] = 0; cell[1] + 1 < p[1].count; cell[1]++) {
            for (cell[0] = 0; cell[0] + 1 < p[0].count; cell[0]++) {
                sb_vec3 a = lattice_point(p, cell[0], cell[1], cell[2]);
                sb_vec3 b =
                    lattice_point(p, cell[0] + 1, cell[1] + 1, cell[2] + 1);
                if (!cell_is_wanted(boundary, a, b)) continue;
                int corners[8];
                if (!cell_corners(p, cell, numbers, mesh, corners) ||
                    !fill_cell(mesh, corners)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static sb_status build(const sb_boundary *boundary, const planes p[3],
                       sb_tet_mesh *out, sb_error *err) {
    double cells = (double)p[0].count * p[1].count * p[2].count;
    if (cells > CELLS_MOST) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "a lattice of %d x %d x %d cells is too large: use larger cells",
            p[0].count, p[1].count, p[2].count);
    }
    int *numbers = sb_alloc((size_t)cells, sizeof *numbers);
    sb_tet_mesh mesh = {0};
    bool ok = numbers && fill_cells(boundary, p, numbers, &mesh);
    sb_free(numbers);
    if (!ok) {
        sb_tet_mesh_free(&mesh);
        return sb_fail(err, SB_NO_MEMORY, "no memory for the lattice");
    }
    *out = mesh;
    return SB_OK;
}

sb_status sb_lattice_make(const sb_boundary *boundary, const sb_cell_plan *plan,
                          sb_tet_mesh *out, sb_error *err) {
    flat *flats = sb_alloc((size_t)boundary->face_count, sizeof *flats);
    double *at = sb_alloc((size_t)3 * PLANES_MOST, sizeof *at);
    planes p[3] = {{.at = at},
                   {.at = at ? at + PLANES_MOST : NULL},
                   {.at = at ? at + 2 * PLANES_MOST : NULL}};
    sb_status status = SB_OK;
    if (!flats || !at) {
        status = sb_fail(err, SB_NO_MEMORY, "no memory for the lattice");
    }
    for (int axis = 0; axis < 3 && !status; axis++) {
        if (place_planes(boundary, plan, axis, flats, &p[axis])) continue;
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "cells of %.3g mm are too small for a body of %.3g m",
                         plan->cell_m[axis] * 1e3, boundary->tree.reach);
    }
    if (!status) status = build(boundary, p, out, err);
    sb_free(flats);
    sb_free(at);
    return status;
}
