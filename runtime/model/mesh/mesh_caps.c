/* Removes degenerate faces that close cracks. An exporter that puts a vertex
 * b on the edge a c of a face often closes the crack with the face a b c,
 * three points on one line. Dropping that face would open a hole. So the
 * face on the other side of a c is split at b, and the degenerate face is
 * reused as its second half. Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_internal.h"

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

bool sb_mesh_is_flat(const sb_mesh *mesh, const int *face) {
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
           sb_mesh_is_flat(mesh, face);
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
        if (other[(twin % 3 + 2) % 3] == b || sb_mesh_is_flat(mesh, other)) {
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

sb_status sb_mesh_split_at_caps(sb_mesh *mesh, sb_error *err) {
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
            status = sb_fail(err, SB_NO_MEMORY, "no memory to clean the mesh");
        }
        sb_free(twin_of);
        sb_free(is_done);
        if (status) return status;
        if (splits == 0) break;
    }
    return SB_OK;
}
