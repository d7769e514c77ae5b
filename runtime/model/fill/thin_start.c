/* SPDX-License-Identifier: MIT */
/* A surface before its edges are collapsed: lists of corners, the lines that
 * are kept, and quadrics (thin_internal.h). Thread: control, workers. */
#include "runtime/model/fill/thin_internal.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>
#include <string.h>

/* Quadrics of lines: their planes count as much as faces of that width. */
#define LINE_WEIGHT 4.0
#define COS_CORNER  0.8660254037844386

void sb_thinning_free(sb_thinning *self) {
    sb_free_all(self->vertices, self->faces, self->next, self->heap.edges);
    memset(self, 0, sizeof *self);
}

/* Adds `w` times the squared distance to the plane through `p` with the unit
 * normal `n`. */
static void add_plane(sb_quadric *q, sb_vec3 n, sb_vec3 p, double w) {
    double d = -sb_vec3_dot(n, p);
    const double a[6] = {n.x * n.x, n.x * n.y, n.x * n.z,
                         n.y * n.y, n.y * n.z, n.z * n.z};
    for (int i = 0; i < 6; i++)
        q->a[i] += w * a[i];
    q->b[0] += w * d * n.x;
    q->b[1] += w * d * n.y;
    q->b[2] += w * d * n.z;
    q->c += w * d * d;
    q->weight += w;
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
    sb_vec3 across = sb_vec3_cross(along, sb_face_cross(mesh->vertices, f));
    if (!(sb_vec3_length(across) > 0)) return;
    across = sb_vec3_normalised(across);
    double weight = LINE_WEIGHT * sb_vec3_dot(along, along);
    add_plane(&self->vertices[edge->low].q, across, a, weight);
    add_plane(&self->vertices[edge->high].q, across, a, weight);
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
    for (int i = 0, end; i < count; i = end) {
        end = sb_sides_end(sides, count, i);
        if (end != i + 2 || is_seam(mesh, &sides[i], &sides[i + 1]))
            add_line(self, mesh, &sides[i], lines);
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
        sb_vec3 normal = sb_face_cross(mesh->vertices, face);
        double area = 0.5 * sb_vec3_length(normal);
        if (!(area > 0)) continue;
        normal = sb_vec3_normalised(normal);
        for (int c = 0; c < 3; c++) {
            add_plane(&self->vertices[face[c]].q, normal, a, area / 3);
        }
    }
}

static bool push_edges(sb_thinning *self, const sb_side *sides, int count) {
    for (int i = 0; i < count; i = sb_sides_end(sides, count, i)) {
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
    sb_side *sides = sb_sides_sorted((const int(*)[3])mesh->faces,
                                     mesh->face_count, mesh->vertex_count);
    int *lines = sb_alloc((size_t)mesh->vertex_count, sizeof *lines);
    bool ok = self->vertices && self->faces && self->next && sides && lines;
    if (ok) {
        copy_in(self, mesh);
        find_lines(self, mesh, sides, corners, lines);
        ok = push_edges(self, sides, corners);
    }
    sb_free(sides);
    sb_free(lines);
    if (ok) return SB_OK;
    sb_thinning_free(self);
    return sb_no_memory_for(err, "a coarser surface");
}

/* --- quadrics ------------------------------------------------------------- */

void sb_quadric_add(sb_quadric *to, const sb_quadric *from) {
    for (int i = 0; i < 6; i++)
        to->a[i] += from->a[i];
    for (int i = 0; i < 3; i++)
        to->b[i] += from->b[i];
    to->c += from->c;
    to->weight += from->weight;
}

double sb_quadric_at(const sb_quadric *q, sb_vec3 v) {
    const double *a = q->a, *b = q->b;
    double sum = a[0] * v.x * v.x + a[3] * v.y * v.y + a[5] * v.z * v.z +
                 2 * (a[1] * v.x * v.y + a[2] * v.x * v.z + a[4] * v.y * v.z) +
                 2 * (b[0] * v.x + b[1] * v.y + b[2] * v.z) + q->c;
    return q->weight > 0 ? fmax(sum, 0) / q->weight : 0;
}

/* Solves (A + s I) x = s near - b; s keeps it away from a singular A, and in a
 * flat part x is `near`. */
sb_vec3 sb_quadric_least(const sb_quadric *q, sb_vec3 near) {
    double s = 1e-4 * q->weight;
    if (!(s > 0)) return near;
    double xx = q->a[0] + s, xy = q->a[1], xz = q->a[2];
    double yy = q->a[3] + s, yz = q->a[4], zz = q->a[5] + s;
    sb_vec3 r = {s * near.x - q->b[0], s * near.y - q->b[1],
                 s * near.z - q->b[2]};
    double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz;
    double cz = xy * yz - xz * yy;
    double determinant = xx * cx + xy * cy + xz * cz;
    double dy = xx * zz - xz * xz, dz = xy * xz - xx * yz;
    double ez = xx * yy - xy * xy;
    if (!(determinant > 0)) return near;
    return sb_vec3_scale((sb_vec3){cx * r.x + cy * r.y + cz * r.z,
                                   cy * r.x + dy * r.y + dz * r.z,
                                   cz * r.x + dz * r.y + ez * r.z},
                         1 / determinant);
}
