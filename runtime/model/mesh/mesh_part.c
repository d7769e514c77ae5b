/* SPDX-License-Identifier: MIT */
/* Parts what touches in points or edges only: each part gets its own vertices
 * there. Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh_internal.h"

#include <string.h>

typedef struct parting {
    sb_mesh *mesh;
    int *piece_of; /* by face or tetrahedron: the first of its piece */
    int *loose_at; /* by piece, the vertex where it is cut off; -1: nowhere;
                    * NULL: every piece is cut off */
    sb_mesh_key *keys;
} parting;

/* Sorts the corners by vertex, then by piece. */
static bool sort_corners(parting *self, const int *corners, int count,
                         int per) {
    int most = self->mesh->vertex_count;
    if (count / per > most) most = count / per;
    self->keys = sb_alloc((size_t)count, sizeof *self->keys);
    for (int i = 0; self->keys && i < count; i++) {
        self->keys[i] = (sb_mesh_key){
            .vertices = {corners[i], self->piece_of[i / per]}, .id = i};
    }
    if (self->keys) self->keys = sb_mesh_keys_sort(self->keys, count, most);
    return self->keys != NULL;
}

/* Gives the pieces their own vertices; returns the number of points cut. */
static int name_corners(const parting *self, int *corners, int count,
                        int *vertex_count, int *from) {
    int name = 0, points = 0;
    for (int i = 0, cut_at = -1; i < count; i++) {
        const sb_mesh_key *key = &self->keys[i];
        int v = key->vertices[0], piece = key->vertices[1];
        bool is_first = i == 0 || key[-1].vertices[0] != v;
        if (is_first || !sb_mesh_keys_equal(key, key - 1)) {
            bool is_cut =
                self->loose_at ? self->loose_at[piece] == v : !is_first;
            name = v;
            if (is_cut) {
                from[name = (*vertex_count)++] = v;
                if (cut_at != v) points++;
                cut_at = v;
            }
        }
        corners[key->id] = name;
    }
    return points;
}

/* `keys` are sorted corners. */
static sb_status cut(parting *self, int *corners, int count, int *points,
                     sb_error *err) {
    sb_mesh *mesh = self->mesh;
    int before = mesh->vertex_count, after = before;
    size_t most = (size_t)before + (size_t)count;
    int *from = sb_alloc(most, sizeof *from);
    if (!from) return sb_mesh_no_memory(err);
    int found = name_corners(self, corners, count, &after, from);
    void *grown = mesh->vertices;
    if (after > before)
        grown = sb_resize(grown, (size_t)after, sizeof *mesh->vertices);
    if (grown) {
        mesh->vertices = grown;
        mesh->vertex_count = after;
        *points += found;
    }
    for (int v = before; grown && v < after; v++)
        mesh->vertices[v] = mesh->vertices[from[v]];
    sb_free(from);
    return grown ? SB_OK : sb_mesh_no_memory(err);
}

static void settle(int *pieces, int count) {
    for (int i = 0; i < count; i++)
        pieces[i] = sb_union_find_root(pieces, i);
}

sb_status sb_mesh_part_tets(sb_mesh *mesh, int *piece_of, int *points,
                            sb_error *err) {
    parting self = {.mesh = mesh, .piece_of = piece_of};
    int count = 4 * mesh->tet_count;
    settle(piece_of, mesh->tet_count);
    sb_status status = sort_corners(&self, mesh->tets[0], count, 4)
                           ? cut(&self, mesh->tets[0], count, points, err)
                           : sb_mesh_no_memory(err);
    sb_free(self.keys);
    return status;
}

/* --- surfaces ------------------------------------------------------------- */

/* Pieces at vertices and vertices of pieces where several meet: how many, and
 * the exclusive or of them, which is the last one when one is left. */
typedef struct meeting {
    int count, all;
} meeting;

/* A piece that touches the others in one vertex is cut off, and then those that
 * touched only it and one more. */
static void peel(meeting *at, meeting *of, int *stack, int depth,
                 int *loose_at) {
    while (depth > 0) {
        int piece = stack[--depth], v = of[piece].all;
        if (of[piece].count != 1) continue;
        loose_at[piece] = v;
        of[piece].count = 0;
        at[v].all ^= piece;
        if (--at[v].count > 1) continue;
        int last = at[v].all;
        of[last].all ^= v;
        if (--of[last].count == 1) stack[depth++] = last;
    }
}

static void find_loose(const parting *self, meeting *at, meeting *of,
                       int *stack) {
    int count = 3 * self->mesh->face_count, depth = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const sb_mesh_key *key = &self->keys[i];
            if (i > 0 && sb_mesh_keys_equal(key, key - 1)) continue;
            int v = key->vertices[0], piece = key->vertices[1];
            if (pass == 0) {
                at[v].count++;
                at[v].all ^= piece;
            } else if (at[v].count > 1) {
                of[piece].count++;
                of[piece].all ^= v;
            }
        }
    }
    for (int p = 0; p < self->mesh->face_count; p++) {
        self->loose_at[p] = -1;
        if (of[p].count == 1) stack[depth++] = p;
    }
    peel(at, of, stack, depth, self->loose_at);
}

/* Whether each piece has two faces at each edge where more than two meet; else
 * faces that share such an edge are made one piece. */
static sb_status join_at_edges(parting *self, const int *twin_of,
                               bool *is_apart, sb_error *err) {
    const sb_mesh *mesh = self->mesh;
    int count = 0, run = 0;
    int most = mesh->vertex_count > mesh->face_count ? mesh->vertex_count
                                                     : mesh->face_count;
    sb_mesh_key *keys = sb_alloc(3 * (size_t)mesh->face_count, sizeof *keys);
    for (int h = 0; keys && h < 3 * mesh->face_count; h++) {
        if (twin_of[h] != SB_TWIN_MANY) continue;
        const int *face = mesh->faces[h / 3];
        int ends[2] = {face[h % 3], face[(h + 1) % 3]};
        keys[count] = sb_mesh_key_of(ends, 2, h);
        keys[count].vertices[2] = self->piece_of[h / 3];
        count++;
    }
    if (keys && count > 0) keys = sb_mesh_keys_sort(keys, count, most);
    if (!keys) return sb_mesh_no_memory(err);
    for (int i = 0; i < count; i++) {
        run = i > 0 && sb_mesh_keys_equal(&keys[i], &keys[i - 1]) ? run + 1 : 1;
        bool is_last =
            i + 1 == count || !sb_mesh_keys_equal(&keys[i], &keys[i + 1]);
        if (is_last && run != 2) *is_apart = false;
    }
    for (int i = 1; i < count && !*is_apart; i++) {
        const int *a = keys[i].vertices, *b = keys[i - 1].vertices;
        if (a[0] == b[0] && a[1] == b[1])
            (void)sb_union_find_join(self->piece_of, a[2], b[2]);
    }
    sb_free(keys);
    settle(self->piece_of, mesh->face_count);
    return SB_OK;
}

static sb_status part(parting *self, const int *twin_of, bool is_apart,
                      int *points, sb_error *err) {
    sb_mesh *mesh = self->mesh;
    size_t faces = (size_t)mesh->face_count;
    sb_union_find_init(self->piece_of, mesh->face_count);
    for (int h = 0; h < 3 * mesh->face_count; h++) {
        if (twin_of[h] >= 0)
            (void)sb_union_find_join(self->piece_of, h / 3, twin_of[h] / 3);
    }
    settle(self->piece_of, mesh->face_count);
    sb_status status = join_at_edges(self, twin_of, &is_apart, err);
    if (status) return status;
    if (!sort_corners(self, mesh->faces[0], 3 * mesh->face_count, 3))
        return sb_mesh_no_memory(err);
    if (!is_apart) {
        meeting *at = sb_alloc((size_t)mesh->vertex_count, sizeof *at);
        meeting *of = sb_alloc(faces, sizeof *of);
        int *stack = sb_alloc(2 * faces, sizeof *stack);
        self->loose_at = sb_alloc(faces, sizeof *self->loose_at);
        bool is_ready = at && of && stack && self->loose_at;
        if (is_ready) find_loose(self, at, of, stack);
        sb_free_all(at, of, stack);
        if (!is_ready) return sb_mesh_no_memory(err);
    }
    return cut(self, mesh->faces[0], 3 * mesh->face_count, points, err);
}

sb_status sb_mesh_part_faces(sb_mesh *mesh, const int *twin_of,
                             sb_mesh_report *report, sb_error *err) {
    parting self = {
        .mesh = mesh,
        .piece_of = sb_alloc((size_t)mesh->face_count, sizeof *self.piece_of)};
    sb_status status = self.piece_of
                           ? part(&self, twin_of, report->border_edges == 0,
                                  &report->cut_points, err)
                           : sb_mesh_no_memory(err);
    sb_free_all(self.piece_of, self.loose_at, self.keys);
    return status;
}

/* --- tetrahedra ----------------------------------------------------------- */

/* A tetrahedron flatter than this, relative to the cube of its longest edge,
 * would make the stiffness matrix singular. */
static const double flat_tet = 1e-9;

/* Counter-clockwise seen from outside a tetrahedron of positive volume. */
static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

/* Six times the volume, and the cube of the longest edge. */
static double volume6_of(const sb_mesh *mesh, const int *tet, double *cube) {
    double longest2 = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            sb_vec3 d =
                sb_vec3_sub(mesh->vertices[tet[i]], mesh->vertices[tet[j]]);
            longest2 = fmax(longest2, sb_vec3_dot(d, d));
        }
    }
    *cube = longest2 * sqrt(longest2);
    sb_vec3 o = mesh->vertices[tet[0]];
    sb_vec3 a = sb_vec3_sub(mesh->vertices[tet[1]], o);
    sb_vec3 b = sb_vec3_sub(mesh->vertices[tet[2]], o);
    sb_vec3 c = sb_vec3_sub(mesh->vertices[tet[3]], o);
    return sb_vec3_dot(a, sb_vec3_cross(b, c));
}

static void drop_flat(sb_mesh *mesh) {
    int kept = 0;
    for (int t = 0; t < mesh->tet_count; t++) {
        const int *tet = mesh->tets[t];
        double cube = 0;
        double volume6 = volume6_of(mesh, tet, &cube);
        if (fabs(volume6) <= flat_tet * cube) continue;
        int turned = volume6 < 0; /* swaps two corners */
        int corners[4] = {tet[0], tet[1 + turned], tet[2 - turned], tet[3]};
        memcpy(mesh->tets[kept++], corners, sizeof corners);
    }
    mesh->tet_count = kept;
}

static sb_status drop_doubled(sb_mesh *mesh, sb_error *err) {
    int count = mesh->tet_count;
    sb_mesh_key *keys = sb_alloc((size_t)count, sizeof *keys);
    bool *drop = sb_alloc((size_t)count, sizeof *drop);
    for (int t = 0; keys && t < count; t++) {
        keys[t] = sb_mesh_key_of(mesh->tets[t], 4, t);
    }
    if (keys) keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys || !drop) {
        sb_free(keys);
        sb_free(drop);
        return sb_mesh_no_memory(err);
    }
    for (int i = 1; i < count; i++) {
        if (sb_mesh_keys_equal(&keys[i], &keys[i - 1])) drop[keys[i].id] = true;
    }
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (drop[t]) continue;
        memmove(mesh->tets[kept++], mesh->tets[t], sizeof *mesh->tets);
    }
    mesh->tet_count = kept;
    sb_free(keys);
    sb_free(drop);
    return SB_OK;
}

static void side_of(const sb_mesh *mesh, int id, int side[3]) {
    for (int c = 0; c < 3; c++) {
        side[c] = mesh->tets[id / 4][sides[id % 4][c]];
    }
}

/* A side that occurs once is boundary; `is_inner` has one entry for each of
 * the 4 n sides. Tetrahedra that share a side become one piece. */
static sb_status find_inner(const sb_mesh *mesh, bool *is_inner, int *piece_of,
                            sb_error *err) {
    int count = 4 * mesh->tet_count;
    sb_mesh_key *keys = sb_alloc((size_t)count, sizeof *keys);
    if (!keys) return sb_mesh_no_memory(err);
    for (int id = 0; id < count; id++) {
        int side[3];
        side_of(mesh, id, side);
        keys[id] = sb_mesh_key_of(side, 3, id);
    }
    keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys) return sb_mesh_no_memory(err);
    sb_union_find_init(piece_of, mesh->tet_count);
    for (int i = 1; i < count; i++) {
        if (!sb_mesh_keys_equal(&keys[i], &keys[i - 1])) continue;
        (void)sb_union_find_join(piece_of, keys[i].id / 4, keys[i - 1].id / 4);
        is_inner[keys[i].id] = true;
        is_inner[keys[i - 1].id] = true;
    }
    sb_free(keys);
    return SB_OK;
}

static sb_status make_boundary(sb_mesh *mesh, int *cut_points, sb_error *err) {
    int count = 4 * mesh->tet_count, outer = 0;
    bool *is_inner = sb_alloc((size_t)count, sizeof *is_inner);
    int *piece_of = sb_alloc((size_t)mesh->tet_count, sizeof *piece_of);
    sb_status status = is_inner && piece_of
                           ? find_inner(mesh, is_inner, piece_of, err)
                           : sb_mesh_no_memory(err);
    if (!status) status = sb_mesh_part_tets(mesh, piece_of, cut_points, err);
    sb_free(piece_of);
    for (int id = 0; !status && id < count; id++) {
        outer += !is_inner[id];
    }
    if (!status) {
        mesh->faces = sb_alloc((size_t)outer, sizeof *mesh->faces);
        if (!mesh->faces) status = sb_mesh_no_memory(err);
    }
    for (int id = 0; !status && id < count; id++) {
        if (!is_inner[id]) side_of(mesh, id, mesh->faces[mesh->face_count++]);
    }
    sb_free(is_inner);
    return status;
}

sb_status sb_mesh_clean_tets(sb_mesh *mesh, int *cut_points, sb_error *err) {
    int came = mesh->tet_count;
    drop_flat(mesh);
    if (mesh->tet_count == 0) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "none of its %d tetrahedra has a volume", came);
    }
    sb_status status = drop_doubled(mesh, err);
    return status ? status : make_boundary(mesh, cut_points, err);
}
