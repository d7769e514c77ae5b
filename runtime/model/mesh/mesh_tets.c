/* Cleans tetrahedra and extracts their boundary faces. Runs on the control
 * thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/mesh/mesh_internal.h"

/* A tetrahedron flatter than this, relative to the cube of its longest edge,
 * would make the stiffness matrix singular. */
static const double flat_tet = 1e-9;

/* Counter-clockwise seen from outside a tetrahedron of positive volume. */
static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static sb_status fail_no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "no memory to clean the tetrahedra");
}

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
        for (int i = 0; i < 4; i++) {
            mesh->tets[kept][i] = corners[i];
        }
        kept++;
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
        return fail_no_memory(err);
    }
    for (int i = 1; i < count; i++) {
        if (sb_mesh_keys_equal(&keys[i], &keys[i - 1])) drop[keys[i].id] = true;
    }
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (drop[t]) continue;
        for (int i = 0; i < 4; i++) {
            mesh->tets[kept][i] = mesh->tets[t][i];
        }
        kept++;
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
    if (!keys) return fail_no_memory(err);
    for (int id = 0; id < count; id++) {
        int side[3];
        side_of(mesh, id, side);
        keys[id] = sb_mesh_key_of(side, 3, id);
    }
    keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys) return fail_no_memory(err);
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
                           : fail_no_memory(err);
    if (!status) status = sb_mesh_part_tets(mesh, piece_of, cut_points, err);
    sb_free(piece_of);
    for (int id = 0; !status && id < count; id++) {
        outer += !is_inner[id];
    }
    if (!status) {
        mesh->faces = sb_alloc((size_t)outer, sizeof *mesh->faces);
        if (!mesh->faces) status = fail_no_memory(err);
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
