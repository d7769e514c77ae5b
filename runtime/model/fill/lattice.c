/* SPDX-License-Identifier: MIT */
/* Chooses the size of cells, places the planes of the lattice and cuts its
 * cells into tetrahedra. Runs on the control thread or a worker. */
#include "runtime/model/fill/fill_internal.h"

#include "runtime/base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* --- the size of cells ---------------------------------------------------- */

/* With fewer elements than this across a thin place they would be
 * degenerate. */
static const double ACROSS_LEAST = 0.4;

enum { SAMPLES = 800, CELLS_LEAST = 400 };

/* Depth of the material behind one point of the surface, and its axis. */
typedef struct depth {
    double depth_m; /* first: sb_by_number */
    int axis;       /* 3: along no axis */
} depth;

static depth depth_behind(const sb_boundary *boundary, int face, double u,
                          double v) {
    const int *f = boundary->faces[face];
    sb_vec3 a = boundary->vertices[f[0]];
    sb_vec3 p = a, n = boundary->normals[face];
    p = sb_vec3_add(p,
                    sb_vec3_scale(sb_vec3_sub(boundary->vertices[f[1]], a), u));
    p = sb_vec3_add(p,
                    sb_vec3_scale(sb_vec3_sub(boundary->vertices[f[2]], a), v));
    double reach = boundary->tree.reach;
    sb_vec3 to = sb_vec3_sub(p, sb_vec3_scale(n, reach));
    int hit = -1;
    double t = sb_triangle_tree_first_hit(&boundary->tree, p, to, 1e-6, &hit);
    depth d = {INFINITY, 3};
    /* Near a sharp edge the face that the ray hits is not the opposite one. */
    if (hit < 0 || sb_vec3_dot(n, boundary->normals[hit]) > -0.7) {
        return d;
    }
    d.depth_m = t * reach;
    for (int axis = 0; axis < 3; axis++) {
        if (fabs(sb_vec3_along(n, axis)) > 0.9) d.axis = axis;
    }
    return d;
}

/* The number of samples is proportional to area; within a face they follow a
 * low-discrepancy sequence. */
static int sample_depths(const sb_boundary *boundary, depth depths[SAMPLES]) {
    double each = boundary->area_m2 / SAMPLES, passed = 0;
    int count = 0;
    for (int i = 0; i < boundary->face_count; i++) {
        passed += sb_boundary_area_m2(boundary, i);
        while (count < SAMPLES && passed > (count + 0.5) * each) {
            double u = fmod(count * 0.7548776662466927, 1);
            double v = fmod(count * 0.5698402909980532, 1);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            depths[count++] =
                depth_behind(boundary, i, 0.98 * u + 0.0066, 0.98 * v + 0.0066);
        }
    }
    return count;
}

/* The 10 % quantile of the depths along `axis`, but at least half of the
 * median: at a sharp edge the depth goes to zero. INFINITY when too few
 * samples are along the axis to matter. `depths` are sorted. */
static double thin_depth(const depth *depths, int count, int axis) {
    int along = 0, seen = 0;
    double tenth = INFINITY;
    for (int i = 0; i < count; i++) {
        along += depths[i].axis == axis && depths[i].depth_m < INFINITY;
    }
    if (along * 25 < count) return INFINITY;
    for (int i = 0; i < count; i++) {
        if (depths[i].axis != axis) continue;
        if (seen * 10 >= along && tenth == INFINITY) tenth = depths[i].depth_m;
        if (seen++ * 2 >= along) return fmax(tenth, 0.5 * depths[i].depth_m);
    }
    return tenth;
}

/* Number of quadratic nodes of such cells, two planes of nodes per cell. The
 * volume counts a node on the surface half, since the other half would
 * belong to a missing neighbour; the projected areas add that half. */
double sb_cell_plan_nodes(const sb_boundary *boundary, const double cell[3]) {
    double a = 2 / cell[0], b = 2 / cell[1], c = 2 / cell[2];
    sb_vec3 shadow = {0, 0, 0};
    for (int i = 0; i < boundary->face_count; i++) {
        sb_vec3 n = boundary->normals[i];
        double half = 0.5 * sb_boundary_area_m2(boundary, i);
        shadow.x += fabs(n.x) * half;
        shadow.y += fabs(n.y) * half;
        shadow.z += fabs(n.z) * half;
    }
    return boundary->volume_m3 * a * b * c + shadow.x * b * c +
           shadow.y * a * c + shadow.z * a * b;
}

/* `across`: elements across thin places. No cell is more than `aspect` times
 * as long as it is wide. */
static void cells_for(const double thin[4], double bulk, double across,
                      double aspect, double cell[3]) {
    double all = fmin(bulk, thin[3] / across), least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = fmin(all, thin[axis] / across);
        least = fmin(least, cell[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = fmin(cell[axis], aspect * least);
    }
}

/* Fraction of the surface that is flat and perpendicular to an axis. */
static double flat_part(const sb_boundary *boundary) {
    double flat = 0;
    for (int i = 0; i < boundary->face_count; i++) {
        sb_vec3 n = boundary->normals[i];
        double most = fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z)));
        if (most > 0.99999) flat += sb_boundary_area_m2(boundary, i);
    }
    return flat / boundary->area_m2;
}

sb_status sb_cell_plan_make(const sb_boundary *boundary, int most_nodes,
                            double coarser, sb_cell_plan *out, sb_error *err) {
    depth *depths = sb_alloc(SAMPLES, sizeof *depths);
    if (!depths) return sb_no_memory_for(err, "depths");
    int count = sample_depths(boundary, depths);
    qsort(depths, (size_t)count, sizeof *depths, sb_by_number);
    double thin[4];
    sb_cell_plan plan = {.thickness_m = INFINITY};
    for (int axis = 0; axis < 4; axis++) {
        thin[axis] = thin_depth(depths, count, axis);
        plan.thickness_m = fmin(plan.thickness_m, thin[axis]);
    }
    sb_free(depths);
    double flat = flat_part(boundary);
    double aspect = flat > 0.9 ? 4 : flat > 0.5 ? 3 : 2;
    double bulk = cbrt(boundary->volume_m3 / CELLS_LEAST);
    double room = most_nodes / (1.5 - 0.45 * flat);
    for (double across = 2; across > ACROSS_LEAST * coarser; across *= 0.92) {
        double larger = across < 1 ? 1 / across : 1;
        cells_for(thin, bulk * larger, across, aspect, plan.cell_m);
        if (sb_cell_plan_nodes(boundary, plan.cell_m) > room) continue;
        for (int axis = 0; axis < 3; axis++) {
            plan.cell_m[axis] *= coarser;
        }
        *out = plan;
        return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the body is too thin (%.3g mm) for %d nodes: give its "
                   "thickness and method = \"shell\", or more nodes",
                   plan.thickness_m * 1e3, most_nodes);
}

/* --- planes and cells ----------------------------------------------------- */

enum { CELLS_MOST = 3000000, PLANES_MOST = 4000 };
static const double FLAT_COSINE = 0.999995; /* 0.18 degrees */

/* A flat part of the surface perpendicular to an axis. */
typedef struct flat {
    double at; /* first: sb_by_number */
    double area;
} flat;

/* Merges flats at the same position; returns the number left. */
static int merge_flats(flat *flats, int count, double within) {
    qsort(flats, (size_t)count, sizeof *flats, sb_by_number);
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
        if (fabs(sb_vec3_along(n, axis)) < FLAT_COSINE) continue;
        sb_vec3 a = boundary->vertices[boundary->faces[i][0]];
        double area = sb_boundary_area_m2(boundary, i);
        flats[count++] = (flat){sb_vec3_along(a, axis), area};
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

static int cells_in(double gap, double cell) {
    int n = (int)ceil(gap / cell - 0.3);
    return n < 1 ? 1 : n;
}

static bool place_planes(const sb_boundary *boundary, const sb_cell_plan *plan,
                         int axis, flat *flats, planes *out) {
    enum { CHOSEN_MOST = 64 };
    double chosen[CHOSEN_MOST], cell = plan->cell_m[axis];
    double low = sb_vec3_along(boundary->low, axis);
    double high = sb_vec3_along(boundary->high, axis);
    int count = find_flats(boundary, axis, cell, flats);
    int n = choose_flats(flats, count, cell, low, high, chosen, CHOSEN_MOST);
    qsort(chosen, (size_t)n, sizeof *chosen, sb_by_number);
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
        return sb_no_memory_for(err, "the lattice");
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
        status = sb_no_memory_for(err, "the lattice");
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
