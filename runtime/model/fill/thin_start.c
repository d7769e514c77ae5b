/* A surface before its edges are collapsed: lists of corners, quadrics, and the
 * lines that are kept (thin_internal.h). Thread: control, workers. */
#include "runtime/model/fill/thin_internal.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/sides.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quadrics of lines: their planes count as much as faces of that width. */
#define LINE_WEIGHT 4.0
#define COS_CORNER  0.8660254037844386

void sb_thinning_free(sb_thinning *self) {
    sb_free(self->vertices);
    sb_free(self->faces);
    sb_free(self->next);
    sb_free(self->heap.edges);
    memset(self, 0, sizeof *self);
}

/* --- lines ---------------------------------------------------------------- */

static const float *uv_at(const sb_mesh *mesh, int face, int vertex) {
    const int *f = mesh->faces[face];
    int c = f[0] == vertex ? 0 : f[1] == vertex ? 1 : 2;
    return mesh->uvs[face][c];
}

static bool is_seam(const sb_mesh *mesh, const sb_side *a, const sb_side *b) {
    if (!mesh->uvs) return false;
    const int ends[2] = {a->low, a->high};
    for (int i = 0; i < 2; i++) {
        const float *one = uv_at(mesh, a->place / 3, ends[i]);
        const float *other = uv_at(mesh, b->place / 3, ends[i]);
        if (one[0] != other[0] || one[1] != other[1]) return true;
    }
    return false;
}

static void add_fellow(sb_thin_vertex *vertex, int fellow, int *lines) {
    if (*lines < 2) vertex->fellows[*lines] = fellow;
    ++*lines;
}

/* The planes through the line, across the faces that meet there. */
static void add_line(sb_thinning *self, const sb_mesh *mesh,
                     const sb_side *edge, int *lines) {
    add_fellow(&self->vertices[edge->low], edge->high, &lines[edge->low]);
    add_fellow(&self->vertices[edge->high], edge->low, &lines[edge->high]);
    const int *f = mesh->faces[edge->place / 3];
    sb_vec3 a = self->vertices[edge->low].at, b = self->vertices[edge->high].at;
    sb_vec3 along = sb_vec3_sub(b, a);
    sb_vec3 p = self->vertices[f[0]].at;
    sb_vec3 normal = sb_vec3_cross(sb_vec3_sub(self->vertices[f[1]].at, p),
                                   sb_vec3_sub(self->vertices[f[2]].at, p));
    sb_vec3 across = sb_vec3_cross(along, normal);
    if (!(sb_vec3_length(across) > 0)) return;
    across = sb_vec3_normalised(across);
    double weight = LINE_WEIGHT * sb_vec3_dot(along, along);
    sb_quadric_add_plane(&self->vertices[edge->low].q, across, a, weight);
    sb_quadric_add_plane(&self->vertices[edge->high].q, across, a, weight);
}

/* Where a line turns by more than 30 degrees. */
static bool is_corner(const sb_thinning *self, int vertex) {
    const sb_thin_vertex *at = &self->vertices[vertex];
    sb_vec3 in = sb_vec3_sub(at->at, self->vertices[at->fellows[0]].at);
    sb_vec3 out = sb_vec3_sub(self->vertices[at->fellows[1]].at, at->at);
    return sb_vec3_dot(in, out) <
           COS_CORNER * sb_vec3_length(in) * sb_vec3_length(out);
}

static void find_lines(sb_thinning *self, const sb_mesh *mesh,
                       const sb_side *sides, int count, int *lines) {
    for (int i = 0; i < count;) {
        int end = i + 1;
        while (end < count && sides[end].low == sides[i].low &&
               sides[end].high == sides[i].high) {
            end++;
        }
        if (end != i + 2 || is_seam(mesh, &sides[i], &sides[i + 1]))
            add_line(self, mesh, &sides[i], lines);
        i = end;
    }
    for (int v = 0; v < self->vertex_count; v++) {
        self->vertices[v].place = lines[v] == 0        ? SB_THIN_FREE
                                  : lines[v] != 2      ? SB_THIN_FIXED
                                  : is_corner(self, v) ? SB_THIN_FIXED
                                                       : SB_THIN_LINE;
    }
}

/* --- corners and faces ---------------------------------------------------- */

static void copy_in(sb_thinning *self, const sb_mesh *mesh) {
    for (int v = 0; v < mesh->vertex_count; v++) {
        self->vertices[v] =
            (sb_thin_vertex){.at = mesh->vertices[v], .first = -1};
    }
    memcpy(self->faces, mesh->faces,
           (size_t)mesh->face_count * sizeof *mesh->faces);
    for (int i = 3 * mesh->face_count - 1; i >= 0; i--) {
        sb_thin_vertex *vertex = &self->vertices[mesh->faces[i / 3][i % 3]];
        self->next[i] = vertex->first;
        vertex->first = i;
    }
    for (int f = 0; f < mesh->face_count; f++) {
        const int *face = mesh->faces[f];
        sb_vec3 a = mesh->vertices[face[0]];
        sb_vec3 normal = sb_vec3_cross(sb_vec3_sub(mesh->vertices[face[1]], a),
                                       sb_vec3_sub(mesh->vertices[face[2]], a));
        double area = 0.5 * sb_vec3_length(normal);
        if (!(area > 0)) continue;
        normal = sb_vec3_normalised(normal);
        for (int c = 0; c < 3; c++) {
            sb_quadric_add_plane(&self->vertices[face[c]].q, normal, a,
                                 area / 3);
        }
    }
}

static sb_side side_at(const sb_mesh *mesh, int place) {
    const int *f = mesh->faces[place / 3];
    int a = f[place % 3], b = f[(place + 1) % 3];
    return (sb_side){a < b ? a : b, a < b ? b : a, place};
}

/* All sides by their ends: counted by the lower one, then sorted within the few
 * that share it. `starts` has a place for each vertex and one more, all 0. */
static void sort_sides(const sb_mesh *mesh, sb_side *sides, int *starts) {
    int corners = 3 * mesh->face_count, vertices = mesh->vertex_count;
    for (int i = 0; i < corners; i++)
        starts[side_at(mesh, i).low + 1]++;
    for (int v = 0; v < vertices; v++)
        starts[v + 1] += starts[v];
    for (int i = 0; i < corners; i++) {
        sb_side one = side_at(mesh, i);
        sides[starts[one.low]++] = one;
    }
    /* Now each start is the end of its vertex. */
    for (int v = 0, from = 0; v < vertices; from = starts[v++]) {
        size_t count = (size_t)(starts[v] - from);
        if (count > 1)
            qsort(sides + from, count, sizeof *sides, sb_side_compare);
    }
}

static bool push_edges(sb_thinning *self, const sb_side *sides, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0 && sides[i].low == sides[i - 1].low &&
            sides[i].high == sides[i - 1].high) {
            continue;
        }
        if (!sb_thin_push(self, sides[i].low, sides[i].high)) return false;
    }
    return true;
}

sb_status sb_thinning_start(sb_thinning *self, const sb_mesh *mesh,
                            sb_error *err) {
    int corners = 3 * mesh->face_count;
    *self = (sb_thinning){.vertex_count = mesh->vertex_count,
                          .face_count = mesh->face_count};
    self->vertices =
        sb_alloc((size_t)mesh->vertex_count, sizeof *self->vertices);
    self->faces = sb_alloc((size_t)mesh->face_count, sizeof *self->faces);
    self->next = sb_alloc((size_t)corners, sizeof *self->next);
    sb_side *sides = sb_alloc((size_t)corners, sizeof *sides);
    int *lines = sb_alloc((size_t)mesh->vertex_count, sizeof *lines);
    int *starts = sb_alloc((size_t)mesh->vertex_count + 1, sizeof *starts);
    bool ok =
        self->vertices && self->faces && self->next && sides && lines && starts;
    if (ok) {
        copy_in(self, mesh);
        sort_sides(mesh, sides, starts);
        find_lines(self, mesh, sides, corners, lines);
        ok = push_edges(self, sides, corners);
    }
    sb_free(sides);
    sb_free(lines);
    sb_free(starts);
    if (ok) return SB_OK;
    sb_thinning_free(self);
    return sb_fail(err, SB_NO_MEMORY, "no memory for a coarser surface");
}
