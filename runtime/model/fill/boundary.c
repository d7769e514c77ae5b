/* SPDX-License-Identifier: MIT */
#include "runtime/model/fill/boundary.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh.h"

#include <string.h>

/* --- normals -------------------------------------------------------------- */

/* Coordinates from files have seven digits. The normal of a face whose
 * height, relative to the size of the whole, is below this is determined by
 * rounding, and would create false sharp edges. */
static const double NEEDLE_HEIGHT = 1e-5;
enum { ROUNDS_MOST = 64 }; /* bounds the length of a row of adjacent needles */

typedef struct looks {
    bool *is_sure;
    double *lengths;  /* length of the longest edge shared with a reliable
                       * face, m; 0: none */
    sb_vec3 *lenders; /* normal of that face */
} looks;

static void looks_free(looks *l) {
    sb_free_all(l->is_sure, l->lengths, l->lenders);
}

static bool looks_alloc(looks *l, sb_boundary *boundary) {
    size_t faces = (size_t)boundary->face_count;
    boundary->normals = sb_alloc(faces, sizeof *boundary->normals);
    l->is_sure = sb_alloc(faces, sizeof *l->is_sure);
    l->lengths = sb_alloc(faces, sizeof *l->lengths);
    l->lenders = sb_alloc(faces, sizeof *l->lenders);
    return boundary->normals && l->is_sure && l->lengths && l->lenders;
}

static void look_of_itself(sb_boundary *boundary, looks *l, int face) {
    const int *f = boundary->faces[face];
    sb_vec3 sides[3];
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        sides[k] = sb_vec3_sub(boundary->vertices[f[(k + 1) % 3]],
                               boundary->vertices[f[k]]);
        longest = fmax(longest, sb_vec3_length(sides[k]));
    }
    sb_vec3 across = sb_vec3_cross(sides[0], sides[1]);
    double size = sb_vec3_length(sb_vec3_sub(boundary->high, boundary->low));
    boundary->normals[face] = sb_vec3_normalised(across);
    l->is_sure[face] = sb_vec3_length(across) > NEEDLE_HEIGHT * size * longest;
}

static void lend(const sb_boundary *boundary, looks *l, const sb_side *edge,
                 int from, int to) {
    double length = sb_vec3_length(sb_vec3_sub(boundary->vertices[edge->low],
                                               boundary->vertices[edge->high]));
    if (!l->is_sure[from] || l->is_sure[to] || length <= l->lengths[to]) return;
    l->lengths[to] = length;
    l->lenders[to] = boundary->normals[from];
}

/* A needle takes the normal of its neighbour along its longest edge. */
static bool lend_round(sb_boundary *boundary, looks *l, const sb_side *sides,
                       int count) {
    bool any = false;
    for (int i = 0; i + 1 < count; i++) {
        const sb_side *a = &sides[i], *b = a + 1;
        if (a->low != b->low || a->high != b->high) continue;
        lend(boundary, l, a, a->place / 3, b->place / 3);
        lend(boundary, l, a, b->place / 3, a->place / 3);
    }
    for (int i = 0; i < boundary->face_count; i++) {
        if (l->is_sure[i] || !(l->lengths[i] > 0)) continue;
        boundary->normals[i] = l->lenders[i];
        l->is_sure[i] = any = true;
    }
    return any;
}

static sb_status find_normals(sb_boundary *boundary, const sb_side *sides,
                              int count, sb_error *err) {
    looks l = {0};
    bool ok = looks_alloc(&l, boundary);
    for (int i = 0; ok && i < boundary->face_count; i++)
        look_of_itself(boundary, &l, i);
    for (int i = 0; ok && i < ROUNDS_MOST; i++) {
        if (!lend_round(boundary, &l, sides, count)) break;
    }
    looks_free(&l);
    if (!ok) return sb_no_memory_for(err, "the normals");
    return SB_OK;
}

/* --- the boundary --------------------------------------------------------- */

void sb_boundary_free(sb_boundary *boundary) {
    sb_triangle_tree_free(&boundary->tree);
    sb_free_all(boundary->vertices, boundary->faces, boundary->normals,
                boundary->chains, boundary->chain_vertices);
    *boundary = (sb_boundary){0};
}

/* An edge is closed if equally many of its faces traverse it in either
 * direction, however many there are. */
static sb_status check_closed(const sb_boundary *boundary, const sb_side *sides,
                              sb_error *err) {
    int count = 3 * boundary->face_count, border_edges = 0, hole_count = 0;
    int *parents = sb_alloc((size_t)boundary->vertex_count, sizeof *parents);
    if (!parents) return sb_no_memory_for(err, "the edges");
    for (int i = 0; i < boundary->vertex_count; i++) {
        parents[i] = -1 - i;
    }
    for (int i = 0, end; i < count; i = end) {
        int balance = 0, a = sides[i].low, b = sides[i].high;
        end = sb_sides_end(sides, count, i);
        for (int k = i; k < end; k++) {
            int place = sides[k].place;
            balance += boundary->faces[place / 3][place % 3] == a ? 1 : -1;
        }
        if (balance == 0) continue;
        border_edges++;
        if (parents[a] < 0) parents[a] = a;
        if (parents[b] < 0) parents[b] = b;
        (void)sb_union_find_join(parents, a, b);
    }
    for (int i = 0; i < boundary->vertex_count; i++) {
        if (parents[i] == i) hole_count++;
    }
    sb_free(parents);
    if (border_edges == 0) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the surface has %d hole%s (%d border edge%s): close %s, or "
                   "give a thickness and method = \"shell\"",
                   hole_count, hole_count == 1 ? "" : "s", border_edges,
                   border_edges == 1 ? "" : "s",
                   hole_count == 1 ? "it" : "them");
}

static double signed_volume6(const sb_boundary *boundary, int face) {
    const int *f = boundary->faces[face];
    return sb_vec3_dot(
        boundary->vertices[f[0]],
        sb_vec3_cross(boundary->vertices[f[1]], boundary->vertices[f[2]]));
}

static void turn_face(int face[3]) {
    int swap = face[1];
    face[1] = face[2];
    face[2] = swap;
}

/* Faces of one component are consecutive in `order`. */
typedef struct parts {
    int count;
    int *of_vertex;  /* component, by vertex */
    int *starts;     /* count + 1 starts, into `order` */
    int *order;      /* faces */
    int (*faces)[3]; /* likewise */
    int *depths;     /* number of components that enclose each */
    double *volumes6;
} parts;

static void parts_free(parts *p) {
    sb_free_all(p->of_vertex, p->starts, p->order, p->faces, p->depths,
                p->volumes6);
}

static bool parts_alloc(parts *p, const sb_boundary *boundary) {
    size_t vertices = (size_t)boundary->vertex_count;
    size_t faces = (size_t)boundary->face_count;
    p->of_vertex = sb_alloc(vertices, sizeof *p->of_vertex);
    p->starts = sb_alloc(vertices + 2, sizeof *p->starts);
    p->order = sb_alloc(faces, sizeof *p->order);
    p->faces = sb_alloc(faces, sizeof *p->faces);
    p->depths = sb_alloc(vertices, sizeof *p->depths);
    p->volumes6 = sb_alloc(vertices, sizeof *p->volumes6);
    return p->of_vertex && p->starts && p->order && p->faces && p->depths &&
           p->volumes6;
}

static void number_parts(parts *p, const sb_boundary *boundary) {
    for (int i = 0; i < boundary->vertex_count; i++) {
        p->of_vertex[i] = i;
    }
    for (int i = 0; i < boundary->face_count; i++) {
        const int *face = boundary->faces[i];
        (void)sb_union_find_join(p->of_vertex, face[0], face[1]);
        (void)sb_union_find_join(p->of_vertex, face[0], face[2]);
    }
    /* A root has the lowest index of its set. */
    for (int i = 0; i < boundary->vertex_count; i++) {
        int parent = p->of_vertex[i];
        p->of_vertex[i] = parent == i ? p->count++ : p->of_vertex[parent];
    }
    for (int i = 0; i < boundary->face_count; i++) {
        p->starts[p->of_vertex[boundary->faces[i][0]] + 2]++;
    }
    for (int c = 0; c < p->count; c++) {
        p->starts[c + 2] += p->starts[c + 1];
    }
    for (int i = 0; i < boundary->face_count; i++) {
        int c = p->of_vertex[boundary->faces[i][0]];
        int place = p->starts[c + 1]++;
        p->order[place] = i;
        memcpy(p->faces[place], boundary->faces[i], sizeof *p->faces);
        p->volumes6[c] += signed_volume6(boundary, i);
    }
}

/* A component is inside another if all of the (up to 40) vertices tested
 * are. Components that cross are not nested, and both are filled. */
static void count_depths(parts *p, const sb_boundary *boundary, int outer,
                         const sb_triangle_tree *tree) {
    int sign = p->volumes6[outer] < 0 ? -1 : 1;
    for (int c = 0; c < p->count; c++) {
        if (c == outer || fabs(p->volumes6[c]) > fabs(p->volumes6[outer])) {
            continue;
        }
        int faces = p->starts[c + 1] - p->starts[c];
        int step = faces / 40 + 1;
        bool is_inside = true;
        for (int i = 0; i < faces && is_inside; i += step) {
            int v = p->faces[p->starts[c] + i][0];
            is_inside =
                sign * sb_triangle_tree_winding(tree, boundary->vertices[v]) >
                0;
        }
        if (is_inside) p->depths[c]++;
    }
}

/* Orients components so that the material is behind their faces. */
static sb_status orient_parts(sb_boundary *boundary, parts *p, sb_error *err) {
    for (int c = 0; c < p->count && p->count > 1; c++) {
        sb_triangle_tree tree;
        sb_status status = sb_triangle_tree_build(
            boundary->vertices, (const int(*)[3])(p->faces + p->starts[c]),
            p->starts[c + 1] - p->starts[c], &tree, err);
        if (status) return status;
        count_depths(p, boundary, c, &tree);
        sb_triangle_tree_free(&tree);
    }
    for (int c = 0; c < p->count; c++) {
        bool is_cavity = p->depths[c] % 2 == 1;
        if (!is_cavity) boundary->solid_count++;
        if ((p->volumes6[c] < 0) == is_cavity) continue;
        for (int i = p->starts[c]; i < p->starts[c + 1]; i++) {
            turn_face(boundary->faces[p->order[i]]);
        }
    }
    return SB_OK;
}

static sb_status sort_parts(sb_boundary *boundary, sb_error *err) {
    parts p = {0};
    sb_status status = SB_OK;
    if (parts_alloc(&p, boundary)) {
        number_parts(&p, boundary);
        status = orient_parts(boundary, &p, err);
    } else {
        status = sb_no_memory_for(err, "the components");
    }
    parts_free(&p);
    return status;
}

static sb_status measure(sb_boundary *boundary, sb_error *err) {
    boundary->low = boundary->high = boundary->vertices[0];
    for (int i = 0; i < boundary->vertex_count; i++) {
        sb_vec3 p = boundary->vertices[i], *l = &boundary->low,
                *h = &boundary->high;
        *l = (sb_vec3){fmin(l->x, p.x), fmin(l->y, p.y), fmin(l->z, p.z)};
        *h = (sb_vec3){fmax(h->x, p.x), fmax(h->y, p.y), fmax(h->z, p.z)};
    }
    for (int i = 0; i < boundary->face_count; i++) {
        boundary->area_m2 += sb_boundary_area_m2(boundary, i);
        boundary->volume_m3 += signed_volume6(boundary, i) / 6;
    }
    double area = boundary->area_m2;
    if (boundary->volume_m3 > 1e-6 * area * sqrt(area)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the surface encloses no volume (%.3g m3 within %.3g m2): "
                   "give a thickness and method = \"shell\"",
                   boundary->volume_m3, area);
}

static sb_status copy_in(const sb_mesh *mesh, sb_boundary *s, sb_error *err) {
    s->vertices = sb_alloc((size_t)mesh->vertex_count, sizeof *s->vertices);
    s->faces = sb_alloc((size_t)mesh->face_count, sizeof *s->faces);
    if (!s->vertices || !s->faces) {
        return sb_no_memory_for(err, "the surface");
    }
    s->frame = sb_frame_of(mesh);
    s->vertex_count = mesh->vertex_count;
    s->face_count = mesh->face_count;
    for (int i = 0; i < mesh->vertex_count; i++) {
        s->vertices[i] = sb_frame_into(&s->frame, mesh->vertices[i]);
    }
    bool is_left = sb_frame_is_left_handed(&s->frame);
    for (int i = 0; i < mesh->face_count; i++) {
        for (int k = 0; k < 3; k++)
            s->faces[i][k] = mesh->faces[i][is_left && k > 0 ? 3 - k : k];
    }
    return SB_OK;
}

static sb_status prepare(const sb_mesh *mesh, sb_boundary *s, sb_error *err) {
    sb_status status = copy_in(mesh, s, err);
    if (status) return status;
    sb_side *sides = sb_sides_sorted((const int(*)[3])s->faces, s->face_count,
                                     s->vertex_count);
    if (!sides) return sb_no_memory_for(err, "the edges");
    status = check_closed(s, sides, err);
    if (!status) status = sort_parts(s, err);
    if (!status) status = measure(s, err);
    if (!status) {
        status = find_normals(s, sides, 3 * s->face_count, err);
    }
    if (!status) {
        status = sb_boundary_string_chains(s, sides, 3 * s->face_count, err);
    }
    sb_free(sides);
    if (status) return status;
    return sb_triangle_tree_build(s->vertices, (const int(*)[3])s->faces,
                                  s->face_count, &s->tree, err);
}

sb_status sb_boundary_make(const sb_mesh *mesh, sb_boundary *out,
                           sb_error *err) {
    if (mesh->face_count < 4 || mesh->vertex_count < 4) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a surface of %d faces encloses nothing",
                       mesh->face_count);
    }
    sb_boundary boundary = {0};
    sb_status status = prepare(mesh, &boundary, err);
    if (status) {
        sb_boundary_free(&boundary);
        return status;
    }
    *out = boundary;
    return SB_OK;
}
