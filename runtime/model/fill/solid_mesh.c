/* SPDX-License-Identifier: MIT */
/* Adds mid-edge nodes to tetrahedra and moves them onto the curved boundary.
 * Runs on the control thread or a worker. */
#include "runtime/model/fill/fill_internal.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

static const int EDGES[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

void sb_solid_mesh_free(sb_solid_mesh *solid) {
    sb_free(solid->nodes);
    sb_free(solid->tets);
    *solid = (sb_solid_mesh){0};
}

typedef struct tet_edge {
    int low, high;
    int place; /* 6 tet + edge */
} tet_edge;

static int compare_edges(const void *left, const void *right) {
    const tet_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int number_middles(sb_solid_mesh *solid, tet_edge *edges) {
    int count = 6 * solid->tet_count, node = solid->corner_count - 1;
    for (int i = 0; i < count; i++) {
        const int *t = solid->tets[i / 6];
        int a = t[EDGES[i % 6][0]], b = t[EDGES[i % 6][1]];
        edges[i] = (tet_edge){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int i = 0; i < count; i++) {
        if (i == 0 || edges[i].low != edges[i - 1].low ||
            edges[i].high != edges[i - 1].high) {
            node++;
        }
        solid->tets[edges[i].place / 6][4 + edges[i].place % 6] = node;
    }
    return node + 1;
}

static void place_middles(sb_solid_mesh *solid) {
    for (int i = 0; i < 6 * solid->tet_count; i++) {
        const int *t = solid->tets[i / 6];
        sb_vec3 a = solid->nodes[t[EDGES[i % 6][0]]];
        sb_vec3 b = solid->nodes[t[EDGES[i % 6][1]]];
        solid->nodes[t[4 + i % 6]] = sb_vec3_scale(sb_vec3_add(a, b), 0.5);
    }
}

/* `solid` has its corner nodes, and the first four of each tetrahedron. */
static sb_status add_middles(sb_solid_mesh *solid, sb_error *err) {
    tet_edge *edges = sb_alloc((size_t)solid->tet_count * 6, sizeof *edges);
    sb_vec3 *nodes = NULL;
    if (edges) {
        solid->node_count = number_middles(solid, edges);
        nodes =
            sb_resize(solid->nodes, (size_t)solid->node_count, sizeof *nodes);
    }
    sb_free(edges);
    if (!nodes) return sb_no_memory_for(err, "the nodes");
    solid->nodes = nodes;
    place_middles(solid);
    return SB_OK;
}

static bool solid_alloc(sb_solid_mesh *solid, int corners, int tets) {
    solid->corner_count = corners;
    solid->tet_count = tets;
    solid->nodes = sb_alloc((size_t)corners, sizeof *solid->nodes);
    solid->tets = sb_alloc((size_t)tets, sizeof *solid->tets);
    return solid->nodes && solid->tets;
}

sb_status sb_solid_from_tets(const sb_mesh *mesh, sb_solid_mesh *out,
                             sb_error *err) {
    if (mesh->tet_count < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the mesh has faces only, no tetrahedra");
    }
    sb_solid_mesh solid = {0};
    sb_status status = SB_OK;
    if (solid_alloc(&solid, mesh->vertex_count, mesh->tet_count)) {
        memcpy(solid.nodes, mesh->vertices,
               (size_t)mesh->vertex_count * sizeof *solid.nodes);
        for (int i = 0; i < 4 * mesh->tet_count; i++) {
            solid.tets[i / 4][i % 4] = mesh->tets[i / 4][i % 4];
        }
        status = add_middles(&solid, err);
    } else {
        status = sb_no_memory_for(err, "the nodes");
    }
    if (status) {
        sb_solid_mesh_free(&solid);
        return status;
    }
    *out = solid;
    return SB_OK;
}

/* --- the Jacobian --------------------------------------------------------- */

/* d(shape function k) / d(l1, l2, l3), with l0 = 1 - l1 - l2 - l3. */
static void slopes(const double l[4], double d[10][3]) {
    static const double corner[4][3] = {
        {-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            d[k][i] = (4 * l[k] - 1) * corner[k][i];
        }
        for (int e = 0; e < 6; e++) {
            int a = EDGES[e][0], b = EDGES[e][1];
            d[4 + e][i] = 4 * (l[a] * corner[b][i] + l[b] * corner[a][i]);
        }
    }
}

static double jacobian_at(const sb_solid_mesh *solid, int tet,
                          const double l[4]) {
    double d[10][3];
    sb_vec3 j[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    slopes(l, d);
    for (int k = 0; k < 10; k++) {
        sb_vec3 node = solid->nodes[solid->tets[tet][k]];
        for (int i = 0; i < 3; i++) {
            j[i] = sb_vec3_add(j[i], sb_vec3_scale(node, d[k][i]));
        }
    }
    return sb_vec3_dot(j[2], sb_vec3_cross(j[0], j[1]));
}

/* Keast's five-point rule: exact for the determinant, which is a cubic. */
double sb_solid_mesh_volume_m3(const sb_solid_mesh *solid) {
    static const double sixth = 1.0 / 6;
    double volume = 0;
    for (int t = 0; t < solid->tet_count; t++) {
        double centre[4] = {0.25, 0.25, 0.25, 0.25};
        double sum = -0.8 * jacobian_at(solid, t, centre);
        for (int k = 0; k < 4; k++) {
            double l[4] = {sixth, sixth, sixth, sixth};
            l[k] = 0.5;
            sum += 0.45 * jacobian_at(solid, t, l);
        }
        volume += sum / 6;
    }
    return volume;
}

double sb_solid_tet_least_jacobian(const sb_solid_mesh *solid, int tet) {
    static const double near = 0.5854101966249685, far = 0.1381966011250105;
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double corner[4] = {0, 0, 0, 0}, inner[4] = {far, far, far, far};
        corner[k] = 1;
        inner[k] = near;
        least = fmin(least, jacobian_at(solid, tet, corner));
        least = fmin(least, jacobian_at(solid, tet, inner));
    }
    for (int e = 0; e < 6; e++) {
        double middle[4] = {0, 0, 0, 0};
        middle[EDGES[e][0]] = middle[EDGES[e][1]] = 0.5;
        least = fmin(least, jacobian_at(solid, tet, middle));
    }
    return least;
}

/* --- bending -------------------------------------------------------------- */

/* Data for curving: for each corner node its mesh point, for each mid-edge
 * node the desired displacement and the fraction of it that is applied. */
typedef struct bending {
    const sb_boundary *boundary;
    const sb_tet_mesh *mesh;
    sb_solid_mesh *solid;
    int *point_of;  /* by corner node */
    int *corner_of; /* by point; -1: unused */
    int *tet_of;    /* index in the tetrahedral mesh */
    sb_vec3 *wish;  /* desired displacement of each node */
    double *part;   /* fraction of `wish` that is applied */
} bending;

static void bending_free(bending *b) {
    sb_free_all(b->point_of, b->corner_of, b->tet_of, b->wish, b->part);
}

static int chain_of(const sb_tet_point *a, const sb_tet_point *b) {
    if (a->hold < SB_ON_EDGE || b->hold < SB_ON_EDGE) return -1;
    if (a->hold == SB_ON_CORNER) return b->chain;
    if (b->hold == SB_ON_CORNER) return a->chain;
    return a->chain == b->chain ? a->chain : -1;
}

/* A mid-edge node moves by at most a quarter of its edge. */
static sb_vec3 wish_of(const bending *b, const sb_tet_point *from,
                       const sb_tet_point *to) {
    sb_vec3 middle = sb_vec3_scale(sb_vec3_add(from->at, to->at), 0.5);
    double most = 0.25 * sb_vec3_length(sb_vec3_sub(from->at, to->at));
    sb_vec3 none = {0, 0, 0};
    int chain = chain_of(from, to);
    if (chain >= 0 && sb_chain_runs(b->boundary, chain, from->at, to->at)) {
        sb_vec3 on = sb_chain_nearest(b->boundary, chain, middle, NULL);
        sb_vec3 d = sb_vec3_sub(on, middle);
        if (sb_vec3_length(d) < most) return d;
    }
    sb_triangle_tree_point near =
        sb_triangle_tree_nearest(&b->boundary->tree, middle, most);
    return near.face >= 0 ? sb_vec3_sub(near.at, middle) : none;
}

static void make_wishes(bending *b) {
    for (int i = 0; i < 4 * b->solid->tet_count; i++) {
        int k = i % 4;
        if (sb_tet_mesh_across(b->mesh, b->tet_of[i / 4], k) >= 0) continue;
        const int *t = b->solid->tets[i / 4];
        for (int e = 0; e < 6; e++) {
            int from = EDGES[e][0], to = EDGES[e][1];
            if (from == k || to == k || b->part[t[4 + e]] > 0) continue;
            const sb_tet_point *p = b->mesh->points;
            b->wish[t[4 + e]] =
                wish_of(b, &p[b->point_of[t[from]]], &p[b->point_of[t[to]]]);
            b->part[t[4 + e]] = 1;
        }
    }
}

static void grant(bending *b) {
    place_middles(b->solid);
    for (int i = b->solid->corner_count; i < b->solid->node_count; i++) {
        b->solid->nodes[i] = sb_vec3_add(b->solid->nodes[i],
                                         sb_vec3_scale(b->wish[i], b->part[i]));
    }
}

static double straight_jacobian(const sb_solid_mesh *solid, int tet) {
    const int *t = solid->tets[tet];
    return sb_tet_volume6(solid->nodes[t[0]], solid->nodes[t[1]],
                          solid->nodes[t[2]], solid->nodes[t[3]]);
}

/* Reduces the displacements around tetrahedra that become invalid, until
 * none is. Ends because every displacement reaches zero after some rounds. */
static void bend(bending *b) {
    bool is_done = false;
    for (int round = 0; !is_done; round++) {
        grant(b);
        is_done = true;
        for (int i = 0; i < b->solid->tet_count; i++) {
            if (sb_solid_tet_least_jacobian(b->solid, i) >=
                0.2 * straight_jacobian(b->solid, i)) {
                continue;
            }
            for (int e = 4; e < 10; e++) {
                double *part = &b->part[b->solid->tets[i][e]];
                if (*part == 0) continue;
                *part = *part < 0.2 || round > 20 ? 0 : 0.6 * *part;
                is_done = false;
            }
        }
    }
}

static bool number_corners(bending *b) {
    const sb_tet_mesh *mesh = b->mesh;
    int corners = 0, tets = 0;
    b->corner_of = sb_alloc((size_t)mesh->point_count, sizeof *b->corner_of);
    b->point_of = sb_alloc((size_t)mesh->point_count, sizeof *b->point_of);
    b->tet_of = sb_alloc((size_t)mesh->tet_count, sizeof *b->tet_of);
    if (!b->corner_of || !b->point_of || !b->tet_of) return false;
    for (int i = 0; i < mesh->point_count; i++) {
        b->corner_of[i] = mesh->points[i].star >= 0 ? corners : -1;
        if (b->corner_of[i] >= 0) b->point_of[corners++] = i;
    }
    for (int t = 0; t < mesh->tet_count; t++) {
        if (sb_tet_is_live(mesh, t)) b->tet_of[tets++] = t;
    }
    if (!solid_alloc(b->solid, corners, tets)) return false;
    for (int i = 0; i < corners; i++) {
        b->solid->nodes[i] = mesh->points[b->point_of[i]].at;
    }
    for (int i = 0; i < 4 * tets; i++) {
        b->solid->tets[i / 4][i % 4] =
            b->corner_of[mesh->tets[b->tet_of[i / 4]][i % 4]];
    }
    return true;
}

/* Joins the tetrahedra of the solid that share a side. */
static bool find_pieces(const bending *b, int *piece_of) {
    const sb_tet_mesh *mesh = b->mesh;
    int *number_of = sb_alloc((size_t)mesh->tet_count, sizeof *number_of);
    if (!number_of) return false;
    for (int i = 0; i < b->solid->tet_count; i++)
        number_of[b->tet_of[i]] = i;
    sb_union_find_init(piece_of, b->solid->tet_count);
    for (int i = 0; i < 4 * b->solid->tet_count; i++) {
        int other = sb_tet_mesh_across(mesh, b->tet_of[i / 4], i % 4);
        if (other >= 0)
            (void)sb_union_find_join(piece_of, i / 4, number_of[other]);
    }
    sb_free(number_of);
    return true;
}

/* Cells of two pieces that touch have common corners: nodes of their own. */
static sb_status part_pieces(bending *b, sb_error *err) {
    sb_solid_mesh *solid = b->solid;
    size_t tets = (size_t)solid->tet_count;
    int points = 0, *piece_of = sb_alloc(tets, sizeof *piece_of);
    sb_mesh mesh = {.vertex_count = solid->corner_count,
                    .vertices = solid->nodes,
                    .tet_count = solid->tet_count,
                    .tets = sb_alloc(tets, sizeof *mesh.tets)};
    for (int i = 0; mesh.tets && i < 4 * solid->tet_count; i++)
        mesh.tets[i / 4][i % 4] = solid->tets[i / 4][i % 4];
    sb_status status = piece_of && mesh.tets && find_pieces(b, piece_of)
                           ? sb_mesh_part_tets(&mesh, piece_of, &points, err)
                           : sb_no_memory_for(err, "the pieces");
    solid->nodes = mesh.vertices;
    solid->corner_count = mesh.vertex_count;
    int *point_of =
        sb_resize(b->point_of, (size_t)mesh.vertex_count, sizeof *point_of);
    if (point_of) b->point_of = point_of;
    if (!status && !point_of) status = sb_no_memory_for(err, "the pieces");
    for (int i = 0; !status && i < 4 * solid->tet_count; i++) {
        int corner = solid->tets[i / 4][i % 4] = mesh.tets[i / 4][i % 4];
        point_of[corner] = b->mesh->tets[b->tet_of[i / 4]][i % 4];
    }
    sb_free(mesh.tets);
    sb_free(piece_of);
    return status;
}

/* Swaps corners 1 and 2, and their mid-edge nodes, of all tetrahedra. */
static void turn_over(sb_solid_mesh *solid) {
    static const int pairs[3][2] = {{1, 2}, {4, 6}, {8, 9}};
    for (int i = 0; i < solid->tet_count; i++) {
        for (int k = 0; k < 3; k++) {
            int *a = &solid->tets[i][pairs[k][0]];
            int *b = &solid->tets[i][pairs[k][1]], kept = *a;
            *a = *b;
            *b = kept;
        }
    }
}

static sb_status make(bending *b, sb_error *err) {
    if (!number_corners(b)) {
        return sb_no_memory_for(err, "the nodes");
    }
    sb_status status = b->solid->tet_count > 0 ? part_pieces(b, err) : SB_OK;
    if (!status) status = add_middles(b->solid, err);
    if (status) return status;
    size_t nodes = (size_t)b->solid->node_count;
    b->wish = sb_alloc(nodes, sizeof *b->wish);
    b->part = sb_alloc(nodes, sizeof *b->part);
    if (!b->wish || !b->part) {
        return sb_no_memory_for(err, "the nodes");
    }
    make_wishes(b);
    bend(b);
    for (int i = 0; i < b->solid->node_count; i++) {
        b->solid->nodes[i] =
            sb_frame_out(&b->boundary->frame, b->solid->nodes[i]);
    }
    if (sb_frame_is_left_handed(&b->boundary->frame)) turn_over(b->solid);
    return SB_OK;
}

sb_status sb_solid_mesh_make(const sb_boundary *boundary,
                             const sb_tet_mesh *mesh, sb_solid_mesh *out,
                             sb_error *err) {
    sb_solid_mesh solid = {0};
    bending b = {.boundary = boundary, .mesh = mesh, .solid = &solid};
    sb_status status = make(&b, err);
    bending_free(&b);
    if (status) {
        sb_solid_mesh_free(&solid);
        return status;
    }
    *out = solid;
    return SB_OK;
}
