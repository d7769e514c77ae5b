/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/mechanisms.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/fem/fem.h"

#include <math.h>
#include <stdlib.h>

/* An eigenvalue below this share of the first elastic one counts as zero. */
#define ZERO 1e-6

/* --- parts ---------------------------------------------------------------- */

/* Numbers the parts from 0 in the order of the elements. */
static int number_parts(const sb_discrete *discrete, int *parents,
                        int *numbers) {
    int count = 0;
    for (int i = 0; i < sb_discrete_element_count(discrete); i++) {
        int nodes;
        const int *element = sb_discrete_element(discrete, i, &nodes);
        int root = sb_union_find_root(parents, element[0]);
        if (numbers[root] < 0) numbers[root] = count++;
        for (int c = 0; c < nodes; c++)
            numbers[element[c]] = numbers[root];
    }
    return count;
}

/* The part of each node; -1: the node is in no element. */
static sb_status find_parts(const sb_discrete *discrete, int **parts,
                            int *count, sb_error *err) {
    int nodes = discrete->node_count;
    int *parents = sb_alloc((size_t)nodes, sizeof *parents);
    int *numbers = sb_alloc((size_t)nodes, sizeof *numbers);
    if (!parents || !numbers) {
        sb_free(parents);
        sb_free(numbers);
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for its parts");
    }
    sb_union_find_init(parents, nodes);
    for (int i = 0; i < nodes; i++)
        numbers[i] = -1;
    for (int i = 0; i < sb_discrete_element_count(discrete); i++) {
        int count_here;
        const int *element = sb_discrete_element(discrete, i, &count_here);
        for (int c = 1; c < count_here; c++)
            (void)sb_union_find_join(parents, element[0], element[c]);
    }
    *count = number_parts(discrete, parents, numbers);
    *parts = numbers;
    sb_free(parents);
    return SB_OK;
}

/* --- expected --------------------------------------------------------- */

/* Gram matrix of the six rigid motions at the nodes that are held; motions that
 * nothing holds are in its null space. Lengths are in units of the part's
 * size. */
typedef struct part_gram {
    sb_vec3 low, high;
    double gram[6][6];
} part_gram;

static void add_row(part_gram *part, const double row[6]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            part->gram[i][j] += row[i] * row[j];
    }
}

static void add_held(part_gram *part, sb_vec3 at, bool holds_turns) {
    double rows[3][6] = {{1, 0, 0, 0, at.z, -at.y},
                         {0, 1, 0, -at.z, 0, at.x},
                         {0, 0, 1, at.y, -at.x, 0}};
    for (int i = 0; i < 3; i++)
        add_row(part, rows[i]);
    for (int i = 0; holds_turns && i < 3; i++) {
        double row[6] = {0};
        row[3 + i] = 1;
        add_row(part, row);
    }
}

/* 6 minus the rank, by elimination with full pivoting. */
static int free_motions(part_gram *part) {
    double(*g)[6] = part->gram, largest = 0;
    int rank = 0;
    for (int i = 0; i < 6; i++)
        largest = fmax(largest, g[i][i]);
    for (; rank < 6; rank++) {
        int at = rank;
        for (int i = rank; i < 6; i++) {
            if (g[i][i] > g[at][at]) at = i;
        }
        if (!(g[at][at] > 1e-9 * largest)) break;
        for (int i = 0; i < 6; i++) {
            double swap = g[rank][i];
            g[rank][i] = g[at][i];
            g[at][i] = swap;
        }
        for (int i = 0; i < 6; i++) {
            double swap = g[i][rank];
            g[i][rank] = g[i][at];
            g[i][at] = swap;
        }
        for (int i = rank + 1; i < 6; i++) {
            double factor = g[i][rank] / g[rank][rank];
            for (int j = rank; j < 6; j++)
                g[i][j] -= factor * g[rank][j];
        }
    }
    return 6 - rank;
}

static void grow_box(part_gram *part, sb_vec3 at) {
    part->low = (sb_vec3){fmin(part->low.x, at.x), fmin(part->low.y, at.y),
                          fmin(part->low.z, at.z)};
    part->high = (sb_vec3){fmax(part->high.x, at.x), fmax(part->high.y, at.y),
                           fmax(part->high.z, at.z)};
}

static void gather(const sb_discrete *discrete, const int *parts,
                   part_gram *grams, int part_count) {
    bool is_sheet = discrete->thickness_m > 0;
    for (int p = 0; p < part_count; p++) {
        grams[p].low = (sb_vec3){INFINITY, INFINITY, INFINITY};
        grams[p].high = (sb_vec3){-INFINITY, -INFINITY, -INFINITY};
    }
    for (int i = 0; i < discrete->node_count; i++) {
        if (parts[i] >= 0) grow_box(&grams[parts[i]], discrete->nodes[i]);
    }
    for (int i = 0; discrete->holds && i < discrete->node_count; i++) {
        if (parts[i] < 0 || discrete->holds[i] == SB_HOLD_FREE) continue;
        part_gram *part = &grams[parts[i]];
        sb_vec3 middle = sb_vec3_scale(sb_vec3_add(part->low, part->high), 0.5);
        double size = sb_vec3_length(sb_vec3_sub(part->high, part->low));
        sb_vec3 at =
            sb_vec3_scale(sb_vec3_sub(discrete->nodes[i], middle), 2 / size);
        add_held(part, at, is_sheet && discrete->holds[i] == SB_HOLD_CLAMPED);
    }
}

sb_status sb_rigid_expected(const sb_discrete *discrete, int *count,
                            sb_error *err) {
    int *parts, part_count;
    sb_status status = find_parts(discrete, &parts, &part_count, err);
    if (status) return status;
    part_gram *grams = sb_alloc((size_t)part_count, sizeof *grams);
    if (!grams) {
        sb_free(parts);
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for its parts");
    }
    gather(discrete, parts, grams, part_count);
    *count = 0;
    for (int p = 0; p < part_count; p++)
        *count += free_motions(&grams[p]);
    sb_free(grams);
    sb_free(parts);
    return SB_OK;
}

/* --- found ---------------------------------------------------------------- */

int sb_rigid_found(const double *values, int count, int expected) {
    for (int zeros = expected; zeros < count; zeros++) {
        double most = 0;
        for (int i = 0; i < zeros; i++)
            most = fmax(most, fabs(values[i]));
        if (values[zeros] > 0 && most < ZERO * values[zeros]) return zeros;
    }
    return count;
}

/* Names the node that moves most in the zero motions: rigid motions move a
 * whole part, mechanisms only a corner of it. */
sb_status sb_rigid_blame(const sb_discrete *discrete, const sb_fem *fem,
                         const sb_eigen_result *modes, int zeros, int expected,
                         sb_error *err) {
    int *parts, part_count;
    sb_status status = find_parts(discrete, &parts, &part_count, err);
    if (status) return status;
    int place = 0;
    double most = -1;
    for (int i = 0; i < discrete->node_count; i++) {
        double sum = 0;
        for (int k = 0; k < zeros; k++) {
            const double *x = modes->vectors + (size_t)k * (size_t)modes->n;
            for (int c = 0; c < 3; c++) {
                int dof = fem->dofs[i][c];
                if (dof >= 0) sum += x[dof] * x[dof];
            }
        }
        if (parts[i] >= 0 && sum > most) most = sum, place = i;
    }
    sb_vec3 at = discrete->nodes[place];
    int part = parts[place] + 1;
    sb_free(parts);
    return sb_fail(err, SB_NO_CONVERGENCE,
                   "part %d of %d, near %.4g, %.4g, %.4g m, can move without "
                   "being deformed: there are %d such motions where %d are "
                   "those of a rigid body; look for a part that hangs on a "
                   "single point or edge",
                   part, part_count, at.x, at.y, at.z, zeros, expected);
}

/* --- pieces of a sheet that hang on points -------------------------------- */

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
    sb_status status =
        is_ready ? look(discrete, &self, err) : sb_no_memory(err, "mesh");
    sb_free_all(self.of, self.edges, self.first, self.is_joint, self.contacts);
    return status;
}
