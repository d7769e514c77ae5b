/* SPDX-License-Identifier: MIT */
/* Snaps lattice points to the boundary, splits edges that cross it, removes
 * the outside. Runs on the control thread or a worker. */
#include "runtime/model/fill/fill_internal.h"

#include "runtime/base/memory.h"

#include <limits.h>

/* A point closer to the surface than this fraction of its cell is moved onto
 * it. Cuts then leave no edge shorter than that. A larger fraction would
 * squash the cells behind. */
static const double SNAP_PART = 0.33;
static const double SNAP_QUALITY = 0.14; /* least sine after a snap: 8
                                          * degrees */
static const double ON_PART = 1e-6;      /* closer than this fraction counts
                                          * as on the surface */

static void hold_on_face(const sb_boundary *boundary, sb_tet_point *p,
                         sb_vec3 at, int face) {
    p->at = at;
    p->side = 0;
    p->hold = SB_ON_FACE;
    p->chain = -1;
    p->distance = 0;
    p->normal = boundary->normals[face];
}

static void find_sides(const sb_boundary *boundary, sb_tet_mesh *mesh) {
    for (int i = 0; i < mesh->point_count; i++) {
        sb_tet_point *p = &mesh->points[i];
        if (p->hold != SB_ON_NOTHING) continue;
        sb_triangle_tree_point near =
            sb_triangle_tree_nearest(&boundary->tree, p->at, 4 * p->size);
        if (near.distance <= ON_PART * p->size) {
            hold_on_face(boundary, p, near.at, near.face);
            continue;
        }
        p->side = sb_boundary_has_inside(boundary, p->at) ? -1 : 1;
        p->distance = near.distance;
    }
}

static bool is_allowed(const sb_tet_mesh *mesh, int point, sb_vec3 at) {
    double after = sb_tet_mesh_star_quality(mesh, point, at);
    if (after >= SNAP_QUALITY) return true;
    return after >=
           sb_tet_mesh_star_quality(mesh, point, mesh->points[point].at);
}

/* In four rounds, the nearest points first, since they move least. */
static void snap_points(const sb_boundary *boundary, sb_tet_mesh *mesh) {
    for (int round = 1; round <= 4; round++) {
        for (int i = 0; i < mesh->point_count; i++) {
            sb_tet_point *p = &mesh->points[i];
            if (p->hold != SB_ON_NOTHING ||
                p->distance > SNAP_PART * p->size * round / 4) {
                continue;
            }
            sb_triangle_tree_point near =
                sb_triangle_tree_nearest(&boundary->tree, p->at, p->size);
            if (is_allowed(mesh, i, near.at)) {
                hold_on_face(boundary, p, near.at, near.face);
            }
        }
    }
}

static sb_vec3 between(sb_vec3 a, sb_vec3 b, double t) {
    return sb_vec3_add(a, sb_vec3_scale(sb_vec3_sub(b, a), t));
}

/* Where the edge from inside to outside crosses the surface, and in which
 * face. */
static sb_vec3 crossing(const sb_boundary *boundary, sb_vec3 in, sb_vec3 out,
                        int *face) {
    double t = sb_triangle_tree_first_hit(&boundary->tree, in, out, 0, face);
    if (t < 1) return between(in, out, t);
    double low = 0, high = 1;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (sb_boundary_has_inside(boundary, between(in, out, middle))) {
            low = middle;
        } else {
            high = middle;
        }
    }
    sb_vec3 at = between(in, out, high);
    *face = sb_triangle_tree_nearest(&boundary->tree, at, INFINITY).face;
    return at;
}

/* If a cut would create a degenerate tetrahedron, the nearer end counts as
 * on the surface. */
static void split_edge(const sb_boundary *boundary, sb_tet_mesh *mesh, int a,
                       int b) {
    int in = mesh->points[a].side < 0 ? a : b, out = in == a ? b : a;
    sb_vec3 from = mesh->points[in].at, to = mesh->points[out].at;
    sb_tet_point point = mesh->points[in];
    int face = -1;
    sb_vec3 at = crossing(boundary, from, to, &face);
    hold_on_face(boundary, &point, at, face);
    int ends[2] = {in, out};
    if (sb_tet_mesh_insert(mesh, ends, 2, point) >= 0) return;
    if (mesh->is_out_of_memory) return;
    bool is_nearer_in = sb_vec3_length(sb_vec3_sub(at, from)) <
                        sb_vec3_length(sb_vec3_sub(at, to));
    int nearer = is_nearer_in ? in : out;
    hold_on_face(boundary, &mesh->points[nearer], mesh->points[nearer].at,
                 face);
}

/* The side of the surface on which the point at `t` of edge ab lies. */
static int side_within(const sb_boundary *boundary, sb_vec3 a, sb_vec3 b,
                       double t) {
    return sb_boundary_has_inside(boundary, between(a, b, t)) ? -1 : 1;
}

/* True for an edge that leaves the surface clearly towards the side where it
 * ends, away from sharp edges: it needs no sampling. */
static bool leaves_well(const sb_tet_mesh *mesh, int on, int off) {
    const sb_tet_point *p = &mesh->points[on];
    if (p->hold != SB_ON_FACE) return false;
    sb_vec3 way = sb_vec3_sub(mesh->points[off].at, p->at);
    return mesh->points[off].side * sb_vec3_dot(way, p->normal) >
           0.1 * sb_vec3_length(way);
}

/* Splits an edge from the surface to one side that starts through the other
 * side, as happens at sharp edges and thin walls. It is split at its last
 * crossing. */
static bool split_half_edge(const sb_boundary *boundary, sb_tet_mesh *mesh,
                            int on, int off) {
    sb_vec3 a = mesh->points[off].at, b = mesh->points[on].at;
    int side = mesh->points[off].side, face = -1;
    if (leaves_well(mesh, on, off) ||
        (side_within(boundary, a, b, 0.45) == side &&
         side_within(boundary, a, b, 0.8) == side)) {
        return false;
    }
    double t = sb_triangle_tree_first_hit(&boundary->tree, a, b, 0, &face);
    if (t < 0.1 || t > 0.9) return false;
    sb_tet_point point = mesh->points[on];
    hold_on_face(boundary, &point, between(a, b, t), face);
    int ends[2] = {on, off};
    return sb_tet_mesh_insert(mesh, ends, 2, point) >= 0;
}

/* Splits an edge that starts and ends on one side but passes through the
 * other, as happens in thin walls and slits, at the middle of that part. */
static bool split_double_edge(const sb_boundary *boundary, sb_tet_mesh *mesh,
                              int i, int j) {
    sb_vec3 a = mesh->points[i].at, b = mesh->points[j].at;
    int side = mesh->points[i].side;
    if (mesh->points[i].distance + mesh->points[j].distance >
            sb_vec3_length(sb_vec3_sub(b, a)) ||
        (side_within(boundary, a, b, 0.5) == side &&
         side_within(boundary, a, b, 0.25) == side &&
         side_within(boundary, a, b, 0.75) == side)) {
        return false;
    }
    double from = sb_triangle_tree_first_hit(&boundary->tree, a, b, 0, NULL);
    double to = 1 - sb_triangle_tree_first_hit(&boundary->tree, b, a, 0, NULL);
    double middle = 0.5 * (from + to);
    if (!(from < to) || middle < 0.15 || middle > 0.85 ||
        side_within(boundary, a, b, middle) == side) {
        return false;
    }
    sb_tet_point point = mesh->points[i];
    point.at = between(a, b, middle);
    point.side = (signed char)-side;
    point.distance =
        sb_triangle_tree_nearest(&boundary->tree, point.at, INFINITY).distance;
    int ends[2] = {i, j};
    return sb_tet_mesh_insert(mesh, ends, 2, point) >= 0;
}

typedef bool splitter(const sb_boundary *boundary, sb_tet_mesh *mesh, int a,
                      int b);

/* Only for edges from the surface to one side, or within one side. */
static bool split_hidden(const sb_boundary *boundary, sb_tet_mesh *mesh, int a,
                         int b) {
    int of_a = mesh->points[a].side, of_b = mesh->points[b].side;
    if (of_a == 0 && of_b != 0) return split_half_edge(boundary, mesh, a, b);
    if (of_b == 0 && of_a != 0) return split_half_edge(boundary, mesh, b, a);
    return of_a == of_b && of_a != 0 && split_double_edge(boundary, mesh, a, b);
}

static bool split_crossing(const sb_boundary *boundary, sb_tet_mesh *mesh,
                           int a, int b) {
    if (mesh->points[a].side * mesh->points[b].side >= 0) return false;
    split_edge(boundary, mesh, a, b);
    return true;
}

/* Splits one edge of the tetrahedron; only edges between points below `end`. */
static bool split_one(const sb_boundary *boundary, sb_tet_mesh *mesh, int tet,
                      int end, splitter *split) {
    for (int i = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++) {
            int a = mesh->tets[tet][i], b = mesh->tets[tet][j];
            if (a < end && b < end && split(boundary, mesh, a, b)) return true;
        }
    }
    return false;
}

static void split_edges(const sb_boundary *boundary, sb_tet_mesh *mesh, int end,
                        splitter *split) {
    bool is_done = false;
    while (!is_done) {
        is_done = true;
        for (int t = 0; t < mesh->tet_count; t++) {
            while (sb_tet_is_live(mesh, t) &&
                   split_one(boundary, mesh, t, end, split)) {
                is_done = false;
                if (mesh->is_out_of_memory) return;
            }
        }
    }
}

static bool is_outside(const sb_boundary *boundary, const sb_tet_mesh *mesh,
                       const int tet[4]) {
    sb_vec3 centre = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const sb_tet_point *p = &mesh->points[tet[k]];
        if (p->side != 0) return p->side > 0;
        centre = sb_vec3_add(centre, sb_vec3_scale(p->at, 0.25));
    }
    return !sb_boundary_has_inside(boundary, centre);
}

sb_status sb_cut_to_boundary(const sb_boundary *boundary, sb_tet_mesh *mesh,
                             sb_error *err) {
    find_sides(boundary, mesh);
    snap_points(boundary, mesh);
    for (int i = 0; i < 2 && !mesh->is_out_of_memory; i++) {
        split_edges(boundary, mesh, mesh->point_count, split_hidden);
        split_edges(boundary, mesh, INT_MAX, split_crossing);
    }
    if (mesh->is_out_of_memory) {
        return sb_fail(err, SB_NO_MEMORY, "no memory to cut the lattice");
    }
    for (int t = 0; t < mesh->tet_count; t++) {
        if (sb_tet_is_live(mesh, t) &&
            is_outside(boundary, mesh, mesh->tets[t])) {
            sb_tet_mesh_take(mesh, t);
        }
    }
    return SB_OK;
}

/* --- connected pieces ----------------------------------------------------- */

/* Labels all tetrahedra connected to `tet` through faces with `number`, and
 * returns their volume. */
static double flood(const sb_tet_mesh *mesh, int tet, int number, int *pieces,
                    int *stack) {
    int depth = 0;
    double volume6 = 0;
    pieces[tet] = number;
    stack[depth++] = tet;
    while (depth > 0) {
        int t = stack[--depth];
        const int *c = mesh->tets[t];
        volume6 += sb_tet_volume6(mesh->points[c[0]].at, mesh->points[c[1]].at,
                                  mesh->points[c[2]].at, mesh->points[c[3]].at);
        for (int k = 0; k < 4; k++) {
            int other = sb_tet_mesh_across(mesh, t, k);
            if (other < 0 || pieces[other] >= 0) continue;
            pieces[other] = number;
            stack[depth++] = other;
        }
    }
    return volume6;
}

static int drop_small_pieces(sb_tet_mesh *mesh, int *pieces, int *stack,
                             double *volumes) {
    int count = 0, kept = 0;
    double total = 0;
    for (int t = 0; t < mesh->tet_count; t++) {
        pieces[t] = -1;
    }
    for (int t = 0; t < mesh->tet_count; t++) {
        if (!sb_tet_is_live(mesh, t) || pieces[t] >= 0) continue;
        volumes[count] = flood(mesh, t, count, pieces, stack);
        total += volumes[count++];
    }
    for (int i = 0; i < count; i++) {
        kept += volumes[i] >= 1e-3 * total;
    }
    for (int t = 0; t < mesh->tet_count; t++) {
        if (pieces[t] >= 0 && volumes[pieces[t]] < 1e-3 * total) {
            sb_tet_mesh_take(mesh, t);
        }
    }
    return kept;
}

sb_status sb_cut_drop_crumbs(sb_tet_mesh *mesh, int *piece_count,
                             sb_error *err) {
    size_t count = (size_t)mesh->tet_count;
    int *pieces = sb_alloc(count, sizeof *pieces);
    int *stack = sb_alloc(count, sizeof *stack);
    double *volumes = sb_alloc(count, sizeof *volumes);
    bool ok = pieces && stack && volumes;
    if (ok) *piece_count = drop_small_pieces(mesh, pieces, stack, volumes);
    sb_free_all(pieces, stack, volumes);
    if (!ok) return sb_no_memory_for(err, "the pieces");
    return SB_OK;
}
