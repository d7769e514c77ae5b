#include "runtime/model/mesh/reader/soup.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/wire.h"

#include <string.h>

static sb_status fail_no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "there is not enough memory to read it");
}

/* Makes room for one more of `count` items; `items` is a pointer to a
 * pointer. */
static bool grow(void *items, int *room, int count, size_t item_size) {
    void *block = NULL;
    memcpy(&block, items, sizeof block);
    if (!sb_grow(&block, room, count + 1, item_size)) return false;
    memcpy(items, &block, sizeof block);
    return true;
}

sb_status sb_soup_add_vertex(sb_soup *soup, sb_vec3 point_m, sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    if (mesh->vertex_count >= SB_WIRE_MOST_VERTICES) {
        return sb_fail(err, SB_BAD_FORMAT, "it has more than %d vertices",
                       SB_WIRE_MOST_VERTICES);
    }
    if (!grow(&mesh->vertices, &soup->vertex_room, mesh->vertex_count,
              sizeof *mesh->vertices)) {
        return fail_no_memory(err);
    }
    mesh->vertices[mesh->vertex_count++] = point_m;
    return SB_OK;
}

/* Once one face has texture coordinates, all faces have room for them. */
static bool add_uvs(sb_soup *soup, const float (*uvs)[2]) {
    sb_mesh *mesh = &soup->mesh;
    if (!uvs && !mesh->uvs) return true;
    bool is_first = !mesh->uvs;
    if (!grow(&mesh->uvs, &soup->uv_room, mesh->face_count,
              sizeof *mesh->uvs)) {
        return false;
    }
    size_t from = is_first ? 0 : (size_t)mesh->face_count;
    size_t count = (size_t)mesh->face_count + 1 - from;
    memset(mesh->uvs + from, 0, count * sizeof *mesh->uvs);
    for (int c = 0; uvs && c < 3; c++) {
        if (!isfinite(uvs[c][0]) || !isfinite(uvs[c][1])) continue;
        mesh->uvs[mesh->face_count][c][0] = uvs[c][0];
        mesh->uvs[mesh->face_count][c][1] = uvs[c][1];
    }
    return true;
}

sb_status sb_soup_add_face(sb_soup *soup, const int corners[3],
                           const float (*uvs)[2], sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    if (mesh->face_count >= SB_WIRE_MOST_FACES) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "it has more than %d triangles; reduce it first",
                       SB_WIRE_MOST_FACES);
    }
    if (!grow(&mesh->faces, &soup->face_room, mesh->face_count,
              sizeof *mesh->faces) ||
        !add_uvs(soup, uvs)) {
        return fail_no_memory(err);
    }
    memcpy(mesh->faces[mesh->face_count++], corners, sizeof *mesh->faces);
    return SB_OK;
}

sb_status sb_soup_add_tet(sb_soup *soup, const int corners[4], sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    if (mesh->tet_count >= SB_WIRE_MOST_TETS) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "it has more than %d tetrahedra; make it coarser",
                       SB_WIRE_MOST_TETS);
    }
    if (!grow(&mesh->tets, &soup->tet_room, mesh->tet_count,
              sizeof *mesh->tets)) {
        return fail_no_memory(err);
    }
    memcpy(mesh->tets[mesh->tet_count++], corners, sizeof *mesh->tets);
    return SB_OK;
}
