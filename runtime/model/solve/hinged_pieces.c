/* Finds pieces of a shell that touch the rest in two points only
 * (hinged_pieces.h). Thread: control, workers. */
#include "runtime/model/solve/hinged_pieces.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 2 }; /* three points that are not in line fix a piece */

typedef struct half_edge {
    int low, high, face;
} half_edge;

typedef struct contact {
    int piece, vertex;
} contact;

typedef struct pieces {
    int *of; /* piece of each face: the index of one of its faces */
    half_edge *edges;
    int *first; /* first piece of each vertex; -1: none yet */
    bool *is_joint;
    contact *contacts;
} pieces;

static int by_ends(const void *left, const void *right) {
    const half_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

static int by_piece(const void *left, const void *right) {
    const contact *a = left, *b = right;
    if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static void find_pieces(const sb_mesh *mesh, pieces *self) {
    int count = 3 * mesh->face_count;
    for (int i = 0; i < count; i++) {
        const int *face = mesh->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        self->edges[i] = (half_edge){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(self->edges, (size_t)count, sizeof *self->edges, by_ends);
    sb_union_find_init(self->of, mesh->face_count);
    for (int i = 1; i < count; i++) {
        if (by_ends(&self->edges[i - 1], &self->edges[i]) != 0) continue;
        self->of[sb_union_find_root(self->of, self->edges[i].face)] =
            sb_union_find_root(self->of, self->edges[i - 1].face);
    }
    for (int i = 0; i < mesh->face_count; i++)
        self->of[i] = sb_union_find_root(self->of, i);
}

/* Vertices at which pieces meet, once per piece. */
static int find_contacts(const sb_mesh *mesh, pieces *self) {
    int count = 0, kept = 0;
    for (int v = 0; v < mesh->vertex_count; v++)
        self->first[v] = -1;
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        int v = mesh->faces[i / 3][i % 3], piece = self->of[i / 3];
        if (self->first[v] < 0) self->first[v] = piece;
        if (self->first[v] != piece) self->is_joint[v] = true;
    }
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        int v = mesh->faces[i / 3][i % 3];
        if (!self->is_joint[v]) continue;
        self->contacts[count++] = (contact){self->of[i / 3], v};
    }
    if (count == 0) return 0;
    qsort(self->contacts, (size_t)count, sizeof *self->contacts, by_piece);
    for (int i = 1; i < count; i++) {
        if (by_piece(&self->contacts[kept], &self->contacts[i]) != 0) {
            self->contacts[++kept] = self->contacts[i];
        }
    }
    return kept + 1;
}

/* Its number of faces; 0 when something holds it. */
static int loose_faces(const sb_discrete *discrete, const pieces *self,
                       int piece) {
    const sb_mesh *mesh = &discrete->sheet;
    int count = 0;
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        if (self->of[i / 3] != piece) continue;
        int v = mesh->faces[i / 3][i % 3];
        if (discrete->holds && discrete->holds[v] != SB_HOLD_FREE) return 0;
        count++;
    }
    return count / 3;
}

static sb_status look(const sb_discrete *discrete, pieces *self,
                      sb_error *err) {
    const sb_mesh *mesh = &discrete->sheet;
    find_pieces(mesh, self);
    int count = find_contacts(mesh, self), fewest = 0, place = 0;
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++) {
            if (self->contacts[next].piece != self->contacts[i].piece) break;
        }
        if (next - i > POINTS_MOST) continue;
        int faces = loose_faces(discrete, self, self->contacts[i].piece);
        if (faces == 0 || (fewest > 0 && faces >= fewest)) continue;
        fewest = faces;
        place = self->contacts[i].vertex;
    }
    if (fewest == 0) return SB_OK;
    sb_vec3 at = mesh->vertices[place];
    return sb_fail(
        err, SB_NO_CONVERGENCE,
        "a part of %d triangles hangs on two points, at %.4g, %.4g, %.4g m, "
        "and can move without being deformed: join it along an "
        "edge, or take it away",
        fewest, at.x, at.y, at.z);
}

sb_status sb_hanging_check(const sb_discrete *discrete, sb_error *err) {
    const sb_mesh *mesh = &discrete->sheet;
    if (discrete->method != SB_METHOD_SHELL) return SB_OK;
    size_t faces = (size_t)mesh->face_count;
    size_t vertices = (size_t)mesh->vertex_count;
    pieces self = {
        .of = sb_alloc(faces, sizeof *self.of),
        .edges = sb_alloc(3 * faces, sizeof *self.edges),
        .first = sb_alloc(vertices, sizeof *self.first),
        .is_joint = sb_alloc(vertices, sizeof *self.is_joint),
        .contacts = sb_alloc(3 * faces, sizeof *self.contacts),
    };
    bool is_ready =
        self.of && self.edges && self.first && self.is_joint && self.contacts;
    sb_status status = is_ready
                           ? look(discrete, &self, err)
                           : sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    sb_free(self.of);
    sb_free(self.edges);
    sb_free(self.first);
    sb_free(self.is_joint);
    sb_free(self.contacts);
    return status;
}
