/* SPDX-License-Identifier: MIT */
/* Orients faces: a flood fill over edges with two faces makes each patch
 * consistent, and the sign of its volume determines the outside. Runs on the
 * control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

/* --- keys ----------------------------------------------------------------- */

/* Keys are distributed into buckets by the lowest vertex; then each bucket,
 * which is small for real meshes, is sorted by comparison. */
enum { FEW = 24 }; /* insertion sort is faster below this */

static int compare(const void *left, const void *right) {
    const sb_mesh_key *a = left, *b = right;
    for (int i = 0; i < 4; i++) {
        if (a->vertices[i] != b->vertices[i]) {
            return a->vertices[i] < b->vertices[i] ? -1 : 1;
        }
    }
    return (a->id > b->id) - (a->id < b->id);
}

static void sort_bucket(sb_mesh_key *keys, int count) {
    if (count > FEW) {
        qsort(keys, (size_t)count, sizeof *keys, compare);
        return;
    }
    for (int i = 1; i < count; i++) {
        sb_mesh_key key = keys[i];
        int at = i;
        for (; at > 0 && compare(&key, &keys[at - 1]) < 0; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

sb_mesh_key *sb_mesh_keys_sort(sb_mesh_key *keys, int count, int vertex_count) {
    sb_mesh_key *sorted = sb_alloc((size_t)count, sizeof *sorted);
    int *end = sb_alloc((size_t)vertex_count + 1, sizeof *end);
    if (!sorted || !end) {
        sb_free_all(keys, sorted, end);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        end[keys[i].vertices[0] + 1]++;
    }
    for (int v = 0; v < vertex_count; v++) {
        end[v + 1] += end[v];
    }
    for (int i = 0; i < count; i++) { /* end[v]: end of v's bucket */
        sorted[end[keys[i].vertices[0]]++] = keys[i];
    }
    sb_free(keys);
    for (int v = 0, start = 0; v < vertex_count; start = end[v++]) {
        sort_bucket(sorted + start, end[v] - start);
    }
    sb_free(end);
    return sorted;
}

bool sb_mesh_keys_equal(const sb_mesh_key *a, const sb_mesh_key *b) {
    for (int i = 0; i < 4; i++) {
        if (a->vertices[i] != b->vertices[i]) return false;
    }
    return true;
}

sb_mesh_key sb_mesh_key_of(const int *vertices, int count, int id) {
    sb_mesh_key key = {{0}, id};
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && vertices[i] < key.vertices[at - 1]; at--) {
            key.vertices[at] = key.vertices[at - 1];
        }
        key.vertices[at] = vertices[i];
    }
    return key;
}

/* --- nested surfaces ------------------------------------------------------ */

/* Faces connected through edges of exactly two faces. */
typedef struct surface_patch {
    int first, face_count; /* range in the list of faces, which is ordered by
                            * patch */
    bool is_closed;        /* has no border edge */
    bool must_turn;        /* must be reversed to face outward, or into its
                            * cavity */
    double volume_m3;      /* signed, with the orientation of the file */
    sb_vec3 low_m, high_m;
} surface_patch;

/* A hollow ball is two spheres, the inner one facing the other way. If every
 * patch were turned outward, the cavity would be lost. So a patch inside
 * another keeps the relative orientation of the file, and only the outermost
 * patches are oriented by their own volume. */

/* Limit on the solid angles computed, about one second of work. A mesh that
 * needs more has thousands of fragments; further cavities are not detected. */
static const long most_angles = 20000000;
enum { MOST_PATCHES = 2000 };

static bool is_box_inside(const surface_patch *in, const surface_patch *out) {
    return in->low_m.x > out->low_m.x && in->low_m.y > out->low_m.y &&
           in->low_m.z > out->low_m.z && in->high_m.x < out->high_m.x &&
           in->high_m.y < out->high_m.y && in->high_m.z < out->high_m.z;
}

/* The solid angle of a triangle seen from the origin (van Oosterom and
 * Strackee 1983): unlike a ray it cannot hit an edge. */
static double angle_of(sb_vec3 a, sb_vec3 b, sb_vec3 c) {
    double la = sb_vec3_length(a), lb = sb_vec3_length(b);
    double lc = sb_vec3_length(c);
    double up = sb_vec3_dot(a, sb_vec3_cross(b, c));
    double down = la * lb * lc + sb_vec3_dot(a, b) * lc +
                  sb_vec3_dot(b, c) * la + sb_vec3_dot(c, a) * lb;
    return 2 * atan2(up, down);
}

static bool is_inside(const sb_mesh *mesh, const int *list, int count,
                      sb_vec3 p) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const int *face = mesh->faces[list[i]];
        sum += angle_of(sb_vec3_sub(mesh->vertices[face[0]], p),
                        sb_vec3_sub(mesh->vertices[face[1]], p),
                        sb_vec3_sub(mesh->vertices[face[2]], p));
    }
    return fabs(sum) > SB_TAU; /* half of the full sphere */
}

static int compare_volume(const void *left, const void *right) {
    const surface_patch *const *a = left, *const *b = right;
    double va = fabs((*a)->volume_m3), vb = fabs((*b)->volume_m3);
    if (va != vb) return va > vb ? -1 : 1;
    return ((*a)->first > (*b)->first) - ((*a)->first < (*b)->first);
}

/* The smallest patch around sorted[i], or NULL; larger patches precede it. */
static const surface_patch *around(const sb_mesh *mesh, const int *face_list,
                                   surface_patch **sorted, int i,
                                   long *angles) {
    const surface_patch *in = sorted[i];
    sb_vec3 p = mesh->vertices[mesh->faces[face_list[in->first]][0]];
    for (int k = i - 1; k >= 0; k--) {
        const surface_patch *out = sorted[k];
        if (!is_box_inside(in, out)) continue;
        *angles += out->face_count;
        if (*angles > most_angles) return NULL;
        if (is_inside(mesh, face_list + out->first, out->face_count, p)) {
            return out;
        }
    }
    return NULL;
}

/* Sets `must_turn` of the closed patches so that they face outward. A patch
 * inside another keeps its orientation relative to that one. */
static sb_status nest(const sb_mesh *mesh, const int *face_list,
                      surface_patch *patches, int patch_count, sb_error *err) {
    surface_patch **sorted = sb_alloc((size_t)patch_count, sizeof(void *));
    if (!sorted) {
        return sb_mesh_no_memory(err);
    }
    int count = 0;
    for (int i = 0; i < patch_count; i++) {
        if (patches[i].is_closed) sorted[count++] = &patches[i];
    }
    qsort((void *)sorted, (size_t)count, sizeof(void *), compare_volume);
    long angles = count > MOST_PATCHES ? most_angles : 0;
    for (int i = 0; i < count; i++) {
        const surface_patch *out =
            angles < most_angles ? around(mesh, face_list, sorted, i, &angles)
                                 : NULL;
        sorted[i]->must_turn = out ? out->must_turn : sorted[i]->volume_m3 < 0;
    }
    sb_free((void *)sorted);
    return SB_OK;
}

/* --- twins ---------------------------------------------------------------- */

/* One edge: `count` half-edges with the same ends. */
static void pair_up(const sb_mesh_key *keys, int count, int *twin_of,
                    sb_mesh_report *report) {
    for (int i = 0; i < count; i++) {
        twin_of[keys[i].id] = count > 2 ? SB_TWIN_MANY : SB_TWIN_NONE;
    }
    if (count == 1) report->border_edges++;
    if (count > 2) report->nonmanifold_edges++;
    if (count != 2) return;
    twin_of[keys[0].id] = keys[1].id;
    twin_of[keys[1].id] = keys[0].id;
}

/* The number of independent cycles among the border edges: edges - vertices
 * + components. Two holes that touch in a vertex count as two. */
static sb_status count_holes(const sb_mesh *mesh, const int *twin_of,
                             sb_mesh_report *report, sb_error *err) {
    int *parent = sb_alloc((size_t)mesh->vertex_count, sizeof *parent);
    if (!parent) return sb_mesh_no_memory(err);
    sb_union_find_init(parent, mesh->vertex_count);
    int circles = 0;
    for (int h = 0; h < 3 * mesh->face_count; h++) {
        if (twin_of[h] != SB_TWIN_NONE) continue;
        const int *face = mesh->faces[h / 3];
        bool is_new =
            sb_union_find_join(parent, face[h % 3], face[(h + 1) % 3]);
        if (!is_new) circles++; /* this edge closes a cycle */
    }
    sb_free(parent);
    report->hole_count = circles;
    return SB_OK;
}

/* The ends of all half-edges, sorted; NULL: no memory. */
static sb_mesh_key *half_edges(const sb_mesh *mesh) {
    int count = 3 * mesh->face_count;
    sb_mesh_key *keys = sb_alloc((size_t)count, sizeof *keys);
    for (int h = 0; keys && h < count; h++) {
        const int *face = mesh->faces[h / 3];
        int ends[2] = {face[h % 3], face[(h + 1) % 3]};
        keys[h] = sb_mesh_key_of(ends, 2, h);
    }
    return keys ? sb_mesh_keys_sort(keys, count, mesh->vertex_count) : NULL;
}

/* How many half-edges, from the first of `count` keys on, are one edge. */
static int sides_of_edge(const sb_mesh_key *keys, int count) {
    int sides = 1;
    while (sides < count && sb_mesh_keys_equal(keys, keys + sides))
        sides++;
    return sides;
}

sb_status sb_mesh_find_twins(const sb_mesh *mesh, int *twin_of,
                             sb_mesh_report *report, sb_error *err) {
    int count = 3 * mesh->face_count, sides = 0;
    sb_mesh_key *keys = half_edges(mesh);
    if (!keys) return sb_mesh_no_memory(err);
    for (int i = 0; i < count; i += sides) {
        sides = sides_of_edge(keys + i, count - i);
        pair_up(keys + i, sides, twin_of, report);
    }
    sb_free(keys);
    report->is_closed =
        report->border_edges == 0 && report->nonmanifold_edges == 0;
    return count_holes(mesh, twin_of, report, err);
}

sb_status sb_mesh_border(const sb_mesh *mesh, int (**edges)[2], int *count,
                         sb_error *err) {
    int total = 3 * mesh->face_count, found = 0, sides = 0;
    int(*list)[2] = sb_alloc((size_t)total, sizeof *list);
    sb_mesh_key *keys = half_edges(mesh);
    for (int i = 0; keys && list && i < total; i += sides) {
        sides = sides_of_edge(keys + i, total - i);
        if (sides == 1) memcpy(list[found++], keys[i].vertices, sizeof *list);
    }
    bool is_ok = keys && list;
    sb_free(keys);
    if (!is_ok || found == 0) sb_free(list);
    *edges = is_ok && found > 0 ? list : NULL;
    *count = found;
    return is_ok ? SB_OK : sb_mesh_no_memory(err);
}

/* --- the flood ------------------------------------------------------------ */

struct flood {
    sb_mesh *mesh;
    const int *twin_of;
    bool *seen, *flip; /* by face */
    int *list;         /* faces in the order they are reached */
    int reached;
    surface_patch *patches;
    int patch_count, patch_room;
};

static void turn_face(sb_mesh *mesh, int f) {
    int *face = mesh->faces[f];
    int corner = face[1];
    face[1] = face[2];
    face[2] = corner;
    for (int k = 0; mesh->uvs && k < 2; k++) {
        float uv = mesh->uvs[f][1][k];
        mesh->uvs[f][1][k] = mesh->uvs[f][2][k];
        mesh->uvs[f][2][k] = uv;
    }
}

/* Consistent neighbours traverse their common edge in opposite directions. */
static void reach(struct flood *flood, int from, int half) {
    int twin = flood->twin_of[half];
    if (twin < 0 || flood->seen[twin / 3]) return;
    int(*faces)[3] = flood->mesh->faces;
    bool same_way = faces[half / 3][half % 3] == faces[twin / 3][twin % 3];
    flood->seen[twin / 3] = true;
    flood->flip[twin / 3] = flood->flip[from] != same_way;
    flood->list[flood->reached++] = twin / 3;
}

/* The list is also the queue. The orientation of the majority of the faces
 * counts as that of the file. */
static surface_patch flood_from(struct flood *flood, int f) {
    surface_patch patch = {.first = flood->reached, .is_closed = true};
    int flips = 0;
    flood->seen[f] = true;
    flood->list[flood->reached++] = f;
    for (int i = patch.first; i < flood->reached; i++) {
        int at = flood->list[i];
        flips += flood->flip[at];
        for (int half = 3 * at; half < 3 * at + 3; half++) {
            if (flood->twin_of[half] == SB_TWIN_NONE) patch.is_closed = false;
            reach(flood, at, half);
        }
    }
    patch.face_count = flood->reached - patch.first;
    bool flip_rest = 2 * flips > patch.face_count;
    for (int i = patch.first; i < flood->reached; i++) {
        int at = flood->list[i];
        if (flood->flip[at] != flip_rest) turn_face(flood->mesh, at);
    }
    return patch;
}

static void measure(const struct flood *flood, surface_patch *patch) {
    const sb_mesh *mesh = flood->mesh;
    const int *list = flood->list + patch->first;
    sb_vec3 o = mesh->vertices[mesh->faces[list[0]][0]];
    sb_vec3 low = o, high = o;
    for (int i = 0; i < patch->face_count; i++) {
        sb_vec3 p[3];
        for (int c = 0; c < 3; c++) {
            sb_vec3 q = mesh->vertices[mesh->faces[list[i]][c]];
            low =
                (sb_vec3){fmin(low.x, q.x), fmin(low.y, q.y), fmin(low.z, q.z)};
            high = (sb_vec3){fmax(high.x, q.x), fmax(high.y, q.y),
                             fmax(high.z, q.z)};
            p[c] = sb_vec3_sub(q, o);
        }
        patch->volume_m3 += sb_vec3_dot(p[0], sb_vec3_cross(p[1], p[2])) / 6;
    }
    patch->low_m = low;
    patch->high_m = high;
}

static sb_status flood_all(struct flood *flood, sb_error *err) {
    for (int f = 0; f < flood->mesh->face_count; f++) {
        if (flood->seen[f]) continue;
        if (!sb_grow_list(flood->patches, flood->patch_room,
                          flood->patch_count + 1))
            return sb_mesh_no_memory(err);
        surface_patch patch = flood_from(flood, f);
        measure(flood, &patch);
        flood->patches[flood->patch_count++] = patch;
    }
    return nest(flood->mesh, flood->list, flood->patches, flood->patch_count,
                err);
}

static bool turn_patches(struct flood *flood) {
    bool any = false;
    for (int i = 0; i < flood->patch_count; i++) {
        const surface_patch *patch = &flood->patches[i];
        if (!patch->must_turn) continue;
        any = true;
        for (int k = 0; k < patch->face_count; k++) {
            turn_face(flood->mesh, flood->list[patch->first + k]);
        }
    }
    return any;
}

sb_status sb_mesh_turn(sb_mesh *mesh, const int *twin_of, bool *was_inside_out,
                       sb_error *err) {
    size_t count = (size_t)mesh->face_count;
    struct flood flood = {.mesh = mesh,
                          .twin_of = twin_of,
                          .seen = sb_alloc(count, sizeof(bool)),
                          .flip = sb_alloc(count, sizeof(bool)),
                          .list = sb_alloc(count, sizeof(int))};
    sb_status status = flood.seen && flood.flip && flood.list
                           ? flood_all(&flood, err)
                           : sb_mesh_no_memory(err);
    if (!status) *was_inside_out = turn_patches(&flood);
    sb_free_all(flood.seen, flood.flip, flood.list, flood.patches);
    return status;
}
