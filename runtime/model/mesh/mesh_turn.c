/* Orients faces: a flood fill over edges with two faces makes each patch
 * consistent, and the sign of its volume determines the outside. Runs on the
 * control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh_internal.h"

static sb_status fail_no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "no memory to turn the mesh's faces");
}

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
    if (!parent) return fail_no_memory(err);
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

sb_status sb_mesh_find_twins(const sb_mesh *mesh, int *twin_of,
                             sb_mesh_report *report, sb_error *err) {
    int count = 3 * mesh->face_count;
    sb_mesh_key *keys = sb_alloc((size_t)count, sizeof *keys);
    if (!keys) return fail_no_memory(err);
    for (int h = 0; h < count; h++) {
        const int *face = mesh->faces[h / 3];
        int ends[2] = {face[h % 3], face[(h + 1) % 3]};
        keys[h] = sb_mesh_key_of(ends, 2, h);
    }
    keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys) return fail_no_memory(err);
    for (int start = 0, end = 0; start < count; start = end) {
        for (end = start + 1; end < count; end++) {
            if (!sb_mesh_keys_equal(&keys[start], &keys[end])) break;
        }
        pair_up(keys + start, end - start, twin_of, report);
    }
    sb_free(keys);
    report->is_closed =
        report->border_edges == 0 && report->nonmanifold_edges == 0;
    return count_holes(mesh, twin_of, report, err);
}

/* --- the flood ------------------------------------------------------------ */

struct flood {
    sb_mesh *mesh;
    const int *twin_of;
    bool *seen, *flip; /* by face */
    int *list;         /* faces in the order they are reached */
    int reached;
    sb_mesh_patch *patches;
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
static sb_mesh_patch flood_from(struct flood *flood, int f) {
    sb_mesh_patch patch = {.first = flood->reached, .is_closed = true};
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

static void measure(const struct flood *flood, sb_mesh_patch *patch) {
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
        void *patches = flood->patches;
        if (!sb_grow(&patches, &flood->patch_room, flood->patch_count + 1,
                     sizeof *flood->patches)) {
            return fail_no_memory(err);
        }
        flood->patches = patches;
        sb_mesh_patch patch = flood_from(flood, f);
        measure(flood, &patch);
        flood->patches[flood->patch_count++] = patch;
    }
    return sb_mesh_nest(flood->mesh, flood->list, flood->patches,
                        flood->patch_count, err);
}

static bool turn_patches(struct flood *flood) {
    bool any = false;
    for (int i = 0; i < flood->patch_count; i++) {
        const sb_mesh_patch *patch = &flood->patches[i];
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
                           : fail_no_memory(err);
    if (!status) *was_inside_out = turn_patches(&flood);
    sb_free(flood.seen);
    sb_free(flood.flip);
    sb_free(flood.list);
    sb_free(flood.patches);
    return status;
}
