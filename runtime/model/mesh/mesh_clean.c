/* Runs the steps of cleaning in order: weld, drop, split, orient, report.
 * Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh/mesh_internal.h"

/* Welding tolerance, relative to the diagonal: about single precision. */
static const double same_point = 1e-7;
static const double farthest_m = 1e9;
/* Below this, squares and cubes of lengths underflow. */
static const double smallest_m = 1e-30;

static sb_status fail_no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "no memory to clean the mesh");
}

/* Marks the vertices in use; fails with the number of a corner that is no
 * vertex. */
static sb_status mark_used(const sb_mesh *mesh, const int *corners, int count,
                           bool *used, sb_error *err) {
    for (int i = 0; i < count; i++) {
        if (corners[i] < 0 || corners[i] >= mesh->vertex_count) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "a face refers to vertex %d of %d (counted from 0)",
                           corners[i], mesh->vertex_count);
        }
        used[corners[i]] = true;
    }
    return SB_OK;
}

static sb_status mark_all_used(const sb_mesh *mesh, bool *used, sb_error *err) {
    if (mesh->tet_count > 0) {
        return mark_used(mesh, mesh->tets[0], 4 * mesh->tet_count, used, err);
    }
    if (mesh->face_count > 0) {
        return mark_used(mesh, mesh->faces[0], 3 * mesh->face_count, used, err);
    }
    return sb_fail(err, SB_BAD_FORMAT, "it has no faces");
}

static sb_status check_point(sb_vec3 p, int vertex, sb_error *err) {
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "vertex %d (counted from 0) at (%g, %g, %g) "
                       "has a coordinate that is not finite",
                       vertex, p.x, p.y, p.z);
    }
    double distance_m = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    if (distance_m > farthest_m) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "vertex %d (counted from 0) at (%g, %g, %g) is more "
                       "than 1e9 m away",
                       vertex, p.x, p.y, p.z);
    }
    return SB_OK;
}

static sb_status find_box(const sb_mesh *mesh, const bool *used,
                          sb_mesh_report *report, sb_error *err) {
    sb_vec3 low = {INFINITY, INFINITY, INFINITY};
    sb_vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (!used[i]) continue;
        sb_vec3 p = mesh->vertices[i];
        sb_status status = check_point(p, i, err);
        if (status) return status;
        low = (sb_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high =
            (sb_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    report->low_m = low;
    report->high_m = high;
    return SB_OK;
}

static void rename_corners(int *corners, int count, const int *name_of) {
    for (int i = 0; i < count; i++) {
        corners[i] = name_of[corners[i]];
    }
}

static void rename_all(sb_mesh *mesh, const int *name_of) {
    if (mesh->tet_count > 0) {
        rename_corners(mesh->tets[0], 4 * mesh->tet_count, name_of);
    }
    if (mesh->face_count > 0) {
        rename_corners(mesh->faces[0], 3 * mesh->face_count, name_of);
    }
}

/* If a soup has tetrahedra its faces are recomputed later, and are ignored
 * here. */
static void forget_faces_of_tets(sb_mesh *mesh) {
    if (mesh->tet_count == 0) return;
    sb_free(mesh->faces);
    sb_free(mesh->uvs);
    mesh->faces = NULL;
    mesh->uvs = NULL;
    mesh->face_count = 0;
}

static sb_status weld(sb_mesh *mesh, sb_mesh_report *report, sb_error *err) {
    size_t count = (size_t)mesh->vertex_count;
    bool *used = sb_alloc(count, sizeof *used);
    int *first_of = sb_alloc(count, sizeof *first_of);
    sb_status status = SB_NO_MEMORY;
    if (used && first_of) {
        status = mark_all_used(mesh, used, err);
    } else {
        status = fail_no_memory(err);
    }
    if (!status) status = find_box(mesh, used, report, err);
    double diagonal_m =
        sb_vec3_length(sb_vec3_sub(report->high_m, report->low_m));
    if (!status && diagonal_m < smallest_m) {
        status =
            sb_fail(err, SB_BAD_FORMAT,
                    "all its points are in one place, %g m across", diagonal_m);
    }
    if (!status) {
        status = sb_mesh_weld(mesh, used, report->low_m,
                              same_point * diagonal_m, first_of, err);
    }
    if (!status) rename_all(mesh, first_of);
    sb_free(used);
    sb_free(first_of);
    return status;
}

/* Of faces with the same three corners, in either orientation, keeps the
 * first. */
static sb_status find_doubled(const sb_mesh *mesh, bool *drop, sb_error *err) {
    int count = mesh->face_count;
    sb_mesh_key *keys = sb_alloc((size_t)count, sizeof *keys);
    if (!keys) return fail_no_memory(err);
    for (int f = 0; f < count; f++) {
        keys[f] = sb_mesh_key_of(mesh->faces[f], 3, f);
    }
    keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys) return fail_no_memory(err);
    for (int i = 1, kept = 0; i < count; i++) {
        bool is_same = sb_mesh_keys_equal(&keys[i], &keys[kept]);
        /* Duplicates of a degenerate face are degenerate themselves. */
        if (is_same) drop[keys[i].id] = true;
        if (!is_same) kept = i;
    }
    sb_free(keys);
    return SB_OK;
}

static sb_status drop_faces(sb_mesh *mesh, sb_error *err) {
    bool *drop = sb_alloc((size_t)mesh->face_count, sizeof *drop);
    if (!drop) return fail_no_memory(err);
    for (int f = 0; f < mesh->face_count; f++) {
        drop[f] = sb_mesh_is_flat(mesh, mesh->faces[f]);
    }
    sb_status status = find_doubled(mesh, drop, err);
    int kept = 0;
    for (int f = 0; !status && f < mesh->face_count; f++) {
        if (drop[f]) continue;
        for (int c = 0; c < 3; c++) {
            mesh->faces[kept][c] = mesh->faces[f][c];
            if (!mesh->uvs) continue;
            mesh->uvs[kept][c][0] = mesh->uvs[f][c][0];
            mesh->uvs[kept][c][1] = mesh->uvs[f][c][1];
        }
        kept++;
    }
    sb_free(drop);
    if (status) return status;
    if (kept == 0) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "none of its %d faces has an area: all are points or "
                       "lines",
                       mesh->face_count);
    }
    mesh->face_count = kept;
    return SB_OK;
}

/* Shrinks a block; returns the same block if that fails. */
static void *trim(void *block, int count, size_t item_size) {
    if (!block) return NULL;
    void *smaller = sb_resize(block, (size_t)count, item_size);
    return smaller ? smaller : block;
}

static sb_status drop_vertices(sb_mesh *mesh, sb_error *err) {
    int *name_of = sb_alloc((size_t)mesh->vertex_count, sizeof *name_of);
    if (!name_of) return fail_no_memory(err);
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        name_of[mesh->faces[i / 3][i % 3]] = 1;
    }
    for (int i = 0; i < 4 * mesh->tet_count; i++) {
        name_of[mesh->tets[i / 4][i % 4]] = 1;
    }
    int kept = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (!name_of[i]) continue;
        mesh->vertices[kept] = mesh->vertices[i];
        name_of[i] = kept++;
    }
    rename_all(mesh, name_of);
    sb_free(name_of);
    mesh->vertex_count = kept;
    mesh->vertices = trim(mesh->vertices, kept, sizeof *mesh->vertices);
    mesh->faces = trim(mesh->faces, mesh->face_count, sizeof *mesh->faces);
    mesh->uvs = trim(mesh->uvs, mesh->face_count, sizeof *mesh->uvs);
    mesh->tets = trim(mesh->tets, mesh->tet_count, sizeof *mesh->tets);
    return SB_OK;
}

/* The boundary of tetrahedra faces outward by construction. */
static sb_status turn_and_count(sb_mesh *mesh, sb_mesh_report *report,
                                sb_error *err) {
    int *twin_of = sb_alloc(3 * (size_t)mesh->face_count, sizeof *twin_of);
    if (!twin_of) return fail_no_memory(err);
    sb_status status = sb_mesh_find_twins(mesh, twin_of, report, err);
    if (!status && mesh->tet_count == 0) {
        status = sb_mesh_part_faces(mesh, twin_of, report, err);
    }
    if (!status && report->cut_points > 0) {
        report->border_edges = report->nonmanifold_edges = 0;
        status = sb_mesh_find_twins(mesh, twin_of, report, err);
    }
    if (!status && mesh->tet_count == 0) {
        status = sb_mesh_turn(mesh, twin_of, &report->was_inside_out, err);
    }
    sb_free(twin_of);
    if (status) return status;
    return sb_mesh_components(mesh, NULL, &report->component_count, err);
}

static sb_status clean(sb_mesh *mesh, sb_mesh_report *report, sb_error *err) {
    forget_faces_of_tets(mesh);
    int vertex_count = mesh->vertex_count;
    int face_count = mesh->face_count + mesh->tet_count;
    sb_status status = weld(mesh, report, err);
    if (!status && mesh->tet_count > 0)
        status = sb_mesh_clean_tets(mesh, &report->cut_points, err);
    int made_faces = mesh->tets ? mesh->face_count : 0;
    if (!status && !mesh->tets) status = sb_mesh_split_at_caps(mesh, err);
    if (!status) status = drop_faces(mesh, err);
    if (!status) status = drop_vertices(mesh, err);
    if (!status) status = turn_and_count(mesh, report, err);
    report->welded_vertices = vertex_count - mesh->vertex_count;
    report->dropped_faces =
        face_count + made_faces - mesh->face_count - mesh->tet_count;
    /* The dropped vertices may have extended the bounding box. */
    bool *all = status ? NULL : sb_alloc((size_t)mesh->vertex_count, 1);
    if (status) return status;
    if (!all) return fail_no_memory(err);
    for (int i = 0; i < mesh->vertex_count; i++) {
        all[i] = true;
    }
    status = find_box(mesh, all, report, err);
    sb_free(all);
    return status;
}

sb_status sb_mesh_clean(sb_mesh *soup, sb_mesh *out, sb_mesh_report *report,
                        sb_error *err) {
    sb_mesh mesh = *soup;
    *soup = (sb_mesh){0};
    sb_mesh_report found = {0};
    sb_status status = clean(&mesh, &found, err);
    if (status) {
        sb_mesh_free(&mesh);
        return status;
    }
    *out = mesh;
    if (report) *report = found;
    return SB_OK;
}
