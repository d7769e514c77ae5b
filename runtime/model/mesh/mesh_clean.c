/* SPDX-License-Identifier: MIT */
/* Runs the steps of cleaning in order: weld, drop, split, orient, report.
 * Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_internal.h"

#include <string.h>

sb_status(sb_mesh_no_memory)(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "no memory to clean the mesh");
}

/* --- welding -------------------------------------------------------------- */

/* A hash grid has cells four times as wide as the tolerance. Kept points are at
 * least the tolerance apart, so a cell holds a hundred at most, even where one
 * stray vertex makes the bounding box, and thus the tolerance, large. */
enum { TOLERANCES_A_CELL = 4 };

struct grid {
    const sb_vec3 *points;
    sb_vec3 origin_m; /* near the points, otherwise cell indices could
                       * overflow */
    double tolerance_m, per_cell; /* cells per m */
    uint64_t mask;
    int *head; /* first point of each bucket + 1; 0: empty */
    int *next; /* next point in the bucket, likewise */
};

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static uint64_t bucket_of(const struct grid *grid, const int64_t cell[3]) {
    uint64_t hash = mix((uint64_t)cell[0]);
    hash = mix(hash ^ ((uint64_t)cell[1] + 0x9e3779b97f4a7c15u));
    return mix(hash ^ ((uint64_t)cell[2] << 1)) & grid->mask;
}

/* The lowest-numbered kept point within the tolerance, or `best`. */
static int search_bucket(const struct grid *grid, uint64_t bucket, sb_vec3 p,
                         int best) {
    double limit = grid->tolerance_m * grid->tolerance_m;
    for (int i = grid->head[bucket]; i; i = grid->next[i - 1]) {
        sb_vec3 d = sb_vec3_sub(p, grid->points[i - 1]);
        if (sb_vec3_dot(d, d) <= limit && i - 1 < best) best = i - 1;
    }
    return best;
}

static void cell_of(const struct grid *grid, sb_vec3 p, double offset_m,
                    int64_t cell[3]) {
    sb_vec3 d = sb_vec3_sub(p, grid->origin_m);
    cell[0] = (int64_t)floor((d.x + offset_m) * grid->per_cell);
    cell[1] = (int64_t)floor((d.y + offset_m) * grid->per_cell);
    cell[2] = (int64_t)floor((d.z + offset_m) * grid->per_cell);
}

/* Usually one cell; adjacent ones only for a point near the cell's wall. */
static int search_near(const struct grid *grid, sb_vec3 p, int best) {
    int64_t low[3], high[3], cell[3];
    cell_of(grid, p, -grid->tolerance_m, low);
    cell_of(grid, p, grid->tolerance_m, high);
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
                best = search_bucket(grid, bucket_of(grid, cell), p, best);
            }
        }
    }
    return best;
}

static bool is_same_point(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static int weld_one(struct grid *grid, int vertex) {
    sb_vec3 p = grid->points[vertex];
    int64_t cell[3];
    cell_of(grid, p, 0, cell);
    uint64_t own = bucket_of(grid, cell);
    /* If a kept point is exactly here, no other one is within the tolerance:
     * the usual case, for which this cell is enough. */
    int best = search_bucket(grid, own, p, vertex);
    if (best < vertex && is_same_point(p, grid->points[best])) return best;
    best = search_near(grid, p, best);
    if (best == vertex) {
        grid->next[vertex] = grid->head[own];
        grid->head[own] = vertex + 1;
    }
    return best;
}

/* For each vertex, the first vertex within `tolerance_m` (> 0) that was not
 * welded itself. Vertices with `used` false are not welded. `low_m` is the
 * lower corner of the bounding box of the used ones. */
static sb_status weld_points(const sb_mesh *mesh, const bool *used,
                             sb_vec3 low_m, double tolerance_m, int *first_of,
                             sb_error *err) {
    size_t buckets = 16;
    while (buckets < (size_t)mesh->vertex_count) {
        buckets *= 2;
    }
    struct grid grid = {.points = mesh->vertices,
                        .origin_m = low_m,
                        .tolerance_m = tolerance_m,
                        .per_cell = 1 / (TOLERANCES_A_CELL * tolerance_m),
                        .mask = buckets - 1,
                        .head = sb_alloc(buckets, sizeof(int)),
                        .next =
                            sb_alloc((size_t)mesh->vertex_count, sizeof(int))};
    bool is_ok = grid.head && grid.next;
    for (int i = 0; is_ok && i < mesh->vertex_count; i++) {
        first_of[i] = used[i] ? weld_one(&grid, i) : i;
    }
    sb_free(grid.head);
    sb_free(grid.next);
    if (is_ok) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "no memory to weld %d vertices",
                   mesh->vertex_count);
}

/* --- caps ----------------------------------------------------------------- */

/* Degenerate faces may close cracks. An exporter that puts a vertex b on the
 * edge a c of a face often closes the crack with the face a b c, three points
 * on one line. Dropping that face would open a hole. So the face on the other
 * side of a c is split at b, and the degenerate face is reused as its second
 * half. */

/* A face flatter than this, relative to its longest edge, has no reliable
 * normal. */
static const double flat_face = 1e-9;
/* A split may leave a flat half where several vertices lie on one edge. */
enum { MOST_PASSES = 8 };

static double length2(const sb_mesh *mesh, int a, int b) {
    sb_vec3 d = sb_vec3_sub(mesh->vertices[b], mesh->vertices[a]);
    return sb_vec3_dot(d, d);
}

/* Index, 0 .. 2, of the longest side. */
static int longest_side(const sb_mesh *mesh, const int *face) {
    int best = 0;
    double best2 = -1;
    for (int c = 0; c < 3; c++) {
        double side2 = length2(mesh, face[c], face[(c + 1) % 3]);
        if (side2 > best2) best = c;
        if (side2 > best2) best2 = side2;
    }
    return best;
}

/* True when two corners coincide or all three are collinear. */
static bool is_flat(const sb_mesh *mesh, const int *face) {
    if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) {
        return true;
    }
    int side = longest_side(mesh, face);
    sb_vec3 a = mesh->vertices[face[0]];
    sb_vec3 ab = sb_vec3_sub(mesh->vertices[face[1]], a);
    sb_vec3 ac = sb_vec3_sub(mesh->vertices[face[2]], a);
    return sb_vec3_length(sb_vec3_cross(ab, ac)) <=
           flat_face * length2(mesh, face[side], face[(side + 1) % 3]);
}

static bool is_cap(const sb_mesh *mesh, const int *face) {
    return face[0] != face[1] && face[1] != face[2] && face[2] != face[0] &&
           is_flat(mesh, face);
}

/* Interpolates the texture coordinates at b, which lies on side r s of a
 * face. */
static void split_uvs(sb_mesh *mesh, int g, int flat, int side, double part) {
    float from[3][2];
    for (int c = 0; c < 3; c++) { /* r, s, d */
        from[c][0] = mesh->uvs[g][(side + c) % 3][0];
        from[c][1] = mesh->uvs[g][(side + c) % 3][1];
    }
    for (int k = 0; k < 2; k++) {
        float r = from[0][k], s = from[1][k], d = from[2][k];
        float b = (float)(r + part * (s - r));
        mesh->uvs[g][0][k] = r;
        mesh->uvs[g][1][k] = b;
        mesh->uvs[g][2][k] = d;
        mesh->uvs[flat][0][k] = b;
        mesh->uvs[flat][1][k] = s;
        mesh->uvs[flat][2][k] = d;
    }
}

/* Face r s d becomes r b d, and the flat face becomes b s d. */
static void split(sb_mesh *mesh, int twin, int flat, int b) {
    int g = twin / 3, side = twin % 3;
    int *face = mesh->faces[g];
    int r = face[side], s = face[(side + 1) % 3], d = face[(side + 2) % 3];
    double part = sqrt(length2(mesh, r, b) / length2(mesh, r, s));
    if (mesh->uvs) split_uvs(mesh, g, flat, side, part);
    face[0] = r;
    face[1] = b;
    face[2] = d;
    mesh->faces[flat][0] = b;
    mesh->faces[flat][1] = s;
    mesh->faces[flat][2] = d;
}

/* Twins are those before the pass, so a face is changed at most once per
 * pass. */
static int split_where_possible(sb_mesh *mesh, const int *twin_of,
                                bool *is_done) {
    int count = 0;
    for (int f = 0; f < mesh->face_count; f++) {
        if (is_done[f] || !is_cap(mesh, mesh->faces[f])) continue;
        int side = longest_side(mesh, mesh->faces[f]);
        int b = mesh->faces[f][(side + 2) % 3];
        int twin = twin_of[3 * f + side];
        if (twin < 0 || twin / 3 == f || is_done[twin / 3]) continue;
        const int *other = mesh->faces[twin / 3];
        if (other[(twin % 3 + 2) % 3] == b || is_flat(mesh, other)) {
            continue;
        }
        is_done[f] = is_done[twin / 3] = true;
        split(mesh, twin, f, b);
        count++;
    }
    return count;
}

static bool has_cap(const sb_mesh *mesh) {
    for (int f = 0; f < mesh->face_count; f++) {
        if (is_cap(mesh, mesh->faces[f])) return true;
    }
    return false;
}

/* Splits faces at vertices on their edges where a flat face covers the
 * crack. Flat faces that remain can be dropped without opening holes. */
static sb_status split_at_caps(sb_mesh *mesh, sb_error *err) {
    for (int pass = 0; pass < MOST_PASSES && has_cap(mesh); pass++) {
        sb_mesh_report unused = {0};
        size_t count = (size_t)mesh->face_count;
        int *twin_of = sb_alloc(3 * count, sizeof *twin_of);
        bool *is_done = sb_alloc(count, sizeof *is_done);
        sb_status status = SB_NO_MEMORY;
        int splits = 0;
        if (twin_of && is_done) {
            status = sb_mesh_find_twins(mesh, twin_of, &unused, err);
            if (!status) splits = split_where_possible(mesh, twin_of, is_done);
        } else {
            status = sb_mesh_no_memory(err);
        }
        sb_free(twin_of);
        sb_free(is_done);
        if (status) return status;
        if (splits == 0) break;
    }
    return SB_OK;
}

/* --- the steps ------------------------------------------------------------ */

/* Welding tolerance, relative to the diagonal: about single precision. */
static const double same_point = 1e-7;
static const double farthest_m = 1e9;
/* Below this, squares and cubes of lengths underflow. */
static const double smallest_m = 1e-30;

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
        status = sb_mesh_no_memory(err);
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
        status = weld_points(mesh, used, report->low_m, same_point * diagonal_m,
                             first_of, err);
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
    if (!keys) return sb_mesh_no_memory(err);
    for (int f = 0; f < count; f++) {
        keys[f] = sb_mesh_key_of(mesh->faces[f], 3, f);
    }
    keys = sb_mesh_keys_sort(keys, count, mesh->vertex_count);
    if (!keys) return sb_mesh_no_memory(err);
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
    if (!drop) return sb_mesh_no_memory(err);
    for (int f = 0; f < mesh->face_count; f++) {
        drop[f] = is_flat(mesh, mesh->faces[f]);
    }
    sb_status status = find_doubled(mesh, drop, err);
    int kept = 0;
    for (int f = 0; !status && f < mesh->face_count; f++) {
        if (drop[f]) continue;
        memmove(mesh->faces[kept], mesh->faces[f], sizeof *mesh->faces);
        if (mesh->uvs)
            memmove(mesh->uvs[kept], mesh->uvs[f], sizeof *mesh->uvs);
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
    if (!name_of) return sb_mesh_no_memory(err);
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
    if (!twin_of) return sb_mesh_no_memory(err);
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
    if (!status && !mesh->tets) status = split_at_caps(mesh, err);
    if (!status) status = drop_faces(mesh, err);
    if (!status) status = drop_vertices(mesh, err);
    if (!status) status = turn_and_count(mesh, report, err);
    report->welded_vertices = vertex_count - mesh->vertex_count;
    report->dropped_faces =
        face_count + made_faces - mesh->face_count - mesh->tet_count;
    /* The dropped vertices may have extended the bounding box. */
    bool *all = status ? NULL : sb_alloc((size_t)mesh->vertex_count, 1);
    if (status) return status;
    if (!all) return sb_mesh_no_memory(err);
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
