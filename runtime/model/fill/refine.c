/* SPDX-License-Identifier: MIT */
#include "runtime/model/fill/refine.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/mesh/mesh.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Lengths within this factor are equal, so that a rotated mesh is split in
 * the same manner. */
static const double SAME_LENGTH = 1 + 1e-9;

/* One round: the sides to split, and the result. */
typedef struct splitting {
    const sb_mesh *from;
    const int *component_of; /* of the original vertices */
    const double *longest_m; /* by component */
    sb_mesh to;
    int *middles; /* middle vertex of each side of a face; -1: not split */
} splitting;

static void splitting_free(splitting *r) {
    sb_mesh_free(&r->to);
    sb_free(r->middles);
}

static double length_of(const sb_mesh *mesh, int a, int b) {
    return sb_vec3_length(sb_vec3_sub(mesh->vertices[a], mesh->vertices[b]));
}

/* Numbers the middles and counts the new faces and vertices. */
static bool mark(splitting *r) {
    const sb_mesh *from = r->from;
    int count = 3 * from->face_count;
    sb_side *sides = sb_sides_sorted((const int(*)[3])from->faces,
                                     from->face_count, from->vertex_count);
    r->middles = sb_alloc((size_t)count, sizeof *r->middles);
    r->to.vertex_count = from->vertex_count;
    r->to.face_count = from->face_count;
    bool ok = sides && r->middles;
    for (int i = 0, end; ok && i < count; i = end) {
        const sb_side *s = &sides[i];
        end = sb_sides_end(sides, count, i);
        bool is_long = length_of(from, s->low, s->high) >
                       r->longest_m[r->component_of[s->low]] * SAME_LENGTH;
        int middle = is_long ? r->to.vertex_count++ : -1;
        if (is_long) r->to.face_count += end - i;
        for (int k = i; k < end; k++)
            r->middles[sides[k].place] = middle;
    }
    sb_free(sides);
    return ok;
}

static bool make_room(splitting *r) {
    size_t faces = (size_t)r->to.face_count;
    r->to.vertices =
        sb_alloc((size_t)r->to.vertex_count, sizeof *r->to.vertices);
    r->to.faces = sb_alloc(faces, sizeof *r->to.faces);
    if (r->from->uvs) r->to.uvs = sb_alloc(faces, sizeof *r->to.uvs);
    return r->to.vertices && r->to.faces && (!r->from->uvs || r->to.uvs);
}

/* A corner of a face that is being split: 0 .. 2 are its corners, 3 .. 5 the
 * middles of the sides that start there. */
static void put_corner(splitting *r, int face, int corner, int to, int at) {
    const int *f = r->from->faces[face];
    int k = corner % 3, next = (k + 1) % 3;
    r->to.faces[to][at] = corner < 3 ? f[k] : r->middles[3 * face + k];
    for (int i = 0; r->from->uvs && i < 2; i++) {
        float a = r->from->uvs[face][k][i], b = r->from->uvs[face][next][i];
        r->to.uvs[to][at][i] = corner < 3 ? a : 0.5f * (a + b);
    }
}

static void put_face(splitting *r, int face, int a, int b, int c, int *to) {
    put_corner(r, face, a, *to, 0);
    put_corner(r, face, b, *to, 1);
    put_corner(r, face, c, *to, 2);
    (*to)++;
}

/* The side that is halved first: the longest one marked. */
static int longest_marked(const splitting *r, int face) {
    const int *f = r->from->faces[face];
    int best = -1;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        if (r->middles[3 * face + k] < 0) continue;
        double length = length_of(r->from, f[k], f[(k + 1) % 3]);
        if (length > most * SAME_LENGTH) {
            best = k;
            most = length;
        }
    }
    return best;
}

static void split(splitting *r, int face, int *to) {
    const int *middles = r->middles + 3 * face;
    int a = longest_marked(r, face);
    if (a < 0) {
        put_face(r, face, 0, 1, 2, to);
        return;
    }
    int b = (a + 1) % 3, c = (a + 2) % 3;
    bool has_b = middles[b] >= 0, has_c = middles[c] >= 0;
    if (has_b && has_c) {
        put_face(r, face, 0, 3, 5, to);
        put_face(r, face, 1, 4, 3, to);
        put_face(r, face, 2, 5, 4, to);
        put_face(r, face, 3, 4, 5, to);
        return;
    }
    if (has_b) {
        put_face(r, face, a + 3, b, b + 3, to);
        put_face(r, face, a + 3, b + 3, c, to);
    } else {
        put_face(r, face, a + 3, b, c, to);
    }
    if (has_c) {
        put_face(r, face, a + 3, c, c + 3, to);
        put_face(r, face, a + 3, c + 3, a, to);
    } else {
        put_face(r, face, a + 3, c, a, to);
    }
}

static void fill_in(splitting *r) {
    const sb_mesh *from = r->from;
    memcpy(r->to.vertices, from->vertices,
           (size_t)from->vertex_count * sizeof *from->vertices);
    int to = 0;
    for (int i = 0; i < from->face_count; i++) {
        for (int k = 0; k < 3; k++) {
            int middle = r->middles[3 * i + k];
            if (middle < 0) continue;
            sb_vec3 a = from->vertices[from->faces[i][k]];
            sb_vec3 b = from->vertices[from->faces[i][(k + 1) % 3]];
            r->to.vertices[middle] = sb_vec3_scale(sb_vec3_add(a, b), 0.5);
        }
        split(r, i, &to);
    }
}

/* --- allowed edge lengths ------------------------------------------------- */

typedef struct extents {
    int *component_of;
    int component_count;
    double *longest_m;
    double *areas;
    sb_vec3 *middles; /* centroids of the area */
} extents;

static void extents_free(extents *e) {
    sb_free_all(e->component_of, e->longest_m, e->areas, e->middles);
}

static void find_middles(extents *e, const sb_mesh *mesh) {
    for (int i = 0; i < mesh->face_count; i++) {
        const int *f = mesh->faces[i];
        sb_vec3 a = mesh->vertices[f[0]], b = mesh->vertices[f[1]];
        sb_vec3 c = mesh->vertices[f[2]];
        double area = sb_vec3_length(sb_face_cross(mesh->vertices, f));
        sb_vec3 *sum = &e->middles[e->component_of[f[0]]];
        e->areas[e->component_of[f[0]]] += area;
        *sum = sb_vec3_add(
            *sum, sb_vec3_scale(sb_vec3_add(a, sb_vec3_add(b, c)), area / 3));
    }
    for (int i = 0; i < e->component_count; i++)
        e->middles[i] = sb_vec3_scale(e->middles[i], 1 / e->areas[i]);
}

/* Number of elements along the side of a square with the component's area.
 * Narrow strips get as many across, but at most STRIP_ELEMENTS along. */
enum { GOOD_ELEMENTS = 16, STRIP_ELEMENTS = 60 };

static void find_longest(extents *e, const sb_mesh *mesh, int elements) {
    bool is_chosen = elements > 0;
    if (!is_chosen) elements = STRIP_ELEMENTS;
    for (int i = 0; i < mesh->vertex_count; i++) {
        int component = e->component_of[i];
        double reach = sb_vec3_length(
            sb_vec3_sub(mesh->vertices[i], e->middles[component]));
        e->longest_m[component] =
            fmax(e->longest_m[component], 2 * reach / elements);
    }
    for (int i = 0; !is_chosen && i < e->component_count; i++) {
        /* `areas` are twice the areas. */
        double square_m = sqrt(e->areas[i] / 2);
        e->longest_m[i] = fmax(e->longest_m[i], square_m / GOOD_ELEMENTS);
    }
}

static sb_status measure(extents *e, const sb_mesh *mesh, int most_vertices,
                         int elements, sb_error *err) {
    /* Includes the vertices to come. */
    int most =
        most_vertices > mesh->vertex_count ? most_vertices : mesh->vertex_count;
    e->component_of = sb_alloc((size_t)most, sizeof *e->component_of);
    if (!e->component_of) {
        return sb_no_memory_for(err, "finer faces");
    }
    sb_status status =
        sb_mesh_components(mesh, e->component_of, &e->component_count, err);
    if (status) return status;
    size_t count = (size_t)e->component_count;
    e->longest_m = sb_alloc(count, sizeof *e->longest_m);
    e->areas = sb_alloc(count, sizeof *e->areas);
    e->middles = sb_alloc(count, sizeof *e->middles);
    if (!e->longest_m || !e->areas || !e->middles) {
        return sb_no_memory_for(err, "finer faces");
    }
    find_middles(e, mesh);
    find_longest(e, mesh, elements);
    return SB_OK;
}

/* --- all of it ------------------------------------------------------------ */

/* The new vertex on a side belongs to the component of that side. */
static void take(sb_mesh *mesh, splitting *r, int *component_of) {
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        if (r->middles[i] < 0) continue;
        component_of[r->middles[i]] = component_of[mesh->faces[i / 3][i % 3]];
    }
    sb_mesh old = *mesh;
    *mesh = r->to;
    r->to = old;
}

/* `is_last`: nothing was left to split, or the limit was reached. */
static bool refine_once(sb_mesh *mesh, extents *e, int most_vertices,
                        bool *is_last, bool *is_done) {
    splitting r = {.from = mesh,
                   .component_of = e->component_of,
                   .longest_m = e->longest_m};
    bool ok = mark(&r);
    *is_done = ok && r.to.vertex_count == mesh->vertex_count;
    *is_last = !ok || *is_done || r.to.vertex_count > most_vertices;
    if (!*is_last) {
        ok = make_room(&r);
        if (ok) {
            fill_in(&r);
            take(mesh, &r, e->component_of);
        }
    }
    splitting_free(&r);
    return ok;
}

sb_status sb_mesh_refine(sb_mesh *mesh, int elements, int most_vertices,
                         bool *is_done, sb_error *err) {
    bool is_last = false, done = false;
    extents e = {0};
    sb_status status = measure(&e, mesh, most_vertices, elements, err);
    while (!status && !is_last) {
        if (mesh->face_count > INT_MAX / 12) break;
        if (!refine_once(mesh, &e, most_vertices, &is_last, &done)) {
            status = sb_no_memory_for(err, "finer faces");
        }
    }
    extents_free(&e);
    if (!status && is_done) *is_done = done;
    return status;
}
