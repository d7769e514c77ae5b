/* Checks that a mesh is closed, orients cavities, and builds the boundary.
 * Runs on the control thread or a worker. */
#include "runtime/model/fill/boundary.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh.h"

#include <stdlib.h>

void sb_boundary_free(sb_boundary *boundary) {
    sb_triangle_tree_free(&boundary->tree);
    sb_free(boundary->vertices);
    sb_free(boundary->faces);
    sb_free(boundary->normals);
    sb_free(boundary->chains);
    sb_free(boundary->chain_vertices);
    *boundary = (sb_boundary){0};
}

static int compare_halves(const void *left, const void *right) {
    const sb_half_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static sb_half_edge *sorted_halves(const sb_boundary *boundary) {
    int count = 3 * boundary->face_count;
    sb_half_edge *halves = sb_alloc((size_t)count, sizeof *halves);
    if (!halves) return NULL;
    for (int i = 0; i < count; i++) {
        const int *f = boundary->faces[i / 3];
        int a = f[i % 3], b = f[(i + 1) % 3];
        halves[i] = (sb_half_edge){a < b ? a : b, a < b ? b : a, i / 3, a > b};
    }
    qsort(halves, (size_t)count, sizeof *halves, compare_halves);
    return halves;
}

/* An edge is closed if equally many of its faces traverse it in either
 * direction, however many there are. */
static sb_status check_closed(const sb_boundary *boundary,
                              const sb_half_edge *halves, sb_error *err) {
    int count = 3 * boundary->face_count, border_edges = 0, hole_count = 0;
    int *parents = sb_alloc((size_t)boundary->vertex_count, sizeof *parents);
    if (!parents) return sb_fail(err, SB_NO_MEMORY, "no memory for the edges");
    for (int i = 0; i < boundary->vertex_count; i++) {
        parents[i] = -1 - i;
    }
    for (int i = 0, end = 0; i < count; i = end) {
        int balance = 0;
        for (end = i; end < count && halves[end].low == halves[i].low &&
                      halves[end].high == halves[i].high;
             end++) {
            balance += halves[end].is_reversed ? -1 : 1;
        }
        if (balance == 0) continue;
        border_edges++;
        int a = halves[i].low, b = halves[i].high;
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
    sb_free(p->of_vertex);
    sb_free(p->starts);
    sb_free(p->order);
    sb_free(p->faces);
    sb_free(p->depths);
    sb_free(p->volumes6);
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
        for (int k = 0; k < 3; k++) {
            p->faces[place][k] = boundary->faces[i][k];
        }
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
        status = sb_fail(err, SB_NO_MEMORY, "no memory for the components");
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
        const int *f = boundary->faces[i];
        sb_vec3 a = boundary->vertices[f[0]];
        boundary->area_m2 +=
            0.5 * sb_vec3_length(
                      sb_vec3_cross(sb_vec3_sub(boundary->vertices[f[1]], a),
                                    sb_vec3_sub(boundary->vertices[f[2]], a)));
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
        return sb_fail(err, SB_NO_MEMORY, "no memory for the surface");
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
    sb_half_edge *halves = sorted_halves(s);
    if (!halves) return sb_fail(err, SB_NO_MEMORY, "no memory for the edges");
    status = check_closed(s, halves, err);
    if (!status) status = sort_parts(s, err);
    if (!status) status = measure(s, err);
    if (!status) {
        status = sb_boundary_find_normals(s, halves, 3 * s->face_count, err);
    }
    if (!status) {
        status = sb_boundary_string_chains(s, halves, 3 * s->face_count, err);
    }
    sb_free(halves);
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
