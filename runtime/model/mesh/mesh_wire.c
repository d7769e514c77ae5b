/* Receives a mesh from the reader and checks every count and index. Runs on any
 * thread but audio. */
#include "runtime/model/mesh/mesh_wire.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/wire.h"

#include <string.h>

_Static_assert(sizeof(int) == sizeof(int32_t), "faces are sent as int32");

static bool is_count(int32_t count, int32_t most) {
    return count >= 0 && count <= most;
}

static bool is_mark(const char *bytes, const char *mark) {
    return memcmp(bytes, mark, SB_WIRE_MARK) == 0;
}

static bool is_mesh_head(const sb_wire_head *head) {
    return is_mark(head->mark, SB_WIRE_MESH) &&
           is_count(head->vertex_count, SB_WIRE_MOST_VERTICES) &&
           is_count(head->face_count, SB_WIRE_MOST_FACES) &&
           is_count(head->tet_count, SB_WIRE_MOST_TETS) &&
           is_count(head->has_uvs, 1) && head->status == 0 &&
           head->text_size == 0;
}

static bool is_sentence_head(const sb_wire_head *head) {
    return is_mark(head->mark, SB_WIRE_SENTENCE) && head->status > SB_OK &&
           head->status < SB_STATUS_COUNT &&
           is_count(head->text_size, SB_WIRE_MOST_TEXT);
}

static bool read_end(sb_mesh_child *child) {
    char mark[SB_WIRE_MARK];
    return sb_mesh_child_read(child, mark, sizeof mark) &&
           is_mark(mark, SB_WIRE_END);
}

/* The sentence may quote the file: characters that are not plain text must
 * not reach a terminal. */
static sb_wire_answer read_sentence(sb_mesh_child *child,
                                    const sb_wire_head *head, sb_error *err) {
    char text[SB_WIRE_MOST_TEXT + 1] = {0};
    if (!sb_mesh_child_read(child, text, (size_t)head->text_size) ||
        !read_end(child)) {
        return SB_WIRE_GOT_NONSENSE;
    }
    for (int i = 0; i < head->text_size; i++) {
        if (text[i] < ' ' || text[i] > '~') text[i] = '?';
    }
    (void)sb_fail(err, (sb_status)head->status, "%s", text);
    return SB_WIRE_GOT_SENTENCE;
}

static bool are_corners(const int *corners, size_t count, int vertex_count) {
    for (size_t i = 0; i < count; i++) {
        if (corners[i] < 0 || corners[i] >= vertex_count) return false;
    }
    return true;
}

static void tidy_uvs(sb_mesh *soup) {
    for (int f = 0; f < soup->face_count; f++) {
        for (int c = 0; c < 3; c++) {
            float *uv = soup->uvs[f][c];
            if (!isfinite(uv[0]) || !isfinite(uv[1])) uv[0] = uv[1] = 0;
        }
    }
}

static bool allocate(sb_mesh *soup, bool has_uvs) {
    size_t faces = (size_t)soup->face_count, tets = (size_t)soup->tet_count;
    soup->vertices =
        sb_alloc((size_t)soup->vertex_count, sizeof *soup->vertices);
    soup->faces = sb_alloc(faces, sizeof *soup->faces);
    if (!soup->vertices || !soup->faces) return false;
    if (has_uvs) soup->uvs = sb_alloc(faces, sizeof *soup->uvs);
    if (has_uvs && !soup->uvs) return false;
    if (tets > 0) soup->tets = sb_alloc(tets, sizeof *soup->tets);
    return tets == 0 || soup->tets;
}

static bool read_arrays(sb_mesh_child *child, sb_mesh *soup) {
    size_t faces = (size_t)soup->face_count, tets = (size_t)soup->tet_count;
    size_t vertices = (size_t)soup->vertex_count;
    return sb_mesh_child_read(child, soup->vertices,
                              vertices * sizeof *soup->vertices) &&
           sb_mesh_child_read(child, soup->faces,
                              faces * sizeof *soup->faces) &&
           (!soup->uvs ||
            sb_mesh_child_read(child, soup->uvs, faces * sizeof *soup->uvs)) &&
           (!soup->tets ||
            sb_mesh_child_read(child, soup->tets, tets * sizeof *soup->tets)) &&
           read_end(child) &&
           are_corners((const int *)soup->faces, 3 * faces,
                       soup->vertex_count) &&
           are_corners((const int *)soup->tets, 4 * tets, soup->vertex_count);
}

sb_wire_answer sb_mesh_wire_read(sb_mesh_child *child, sb_mesh *soup,
                                 sb_error *err) {
    sb_wire_head head;
    if (!sb_mesh_child_read(child, &head, sizeof head)) {
        return SB_WIRE_GOT_NONSENSE;
    }
    if (is_sentence_head(&head)) return read_sentence(child, &head, err);
    if (!is_mesh_head(&head)) return SB_WIRE_GOT_NONSENSE;
    sb_mesh mesh = {.vertex_count = head.vertex_count,
                    .face_count = head.face_count,
                    .tet_count = head.tet_count};
    sb_wire_answer answer = SB_WIRE_NO_MEMORY;
    if (allocate(&mesh, head.has_uvs)) {
        answer =
            read_arrays(child, &mesh) ? SB_WIRE_GOT_MESH : SB_WIRE_GOT_NONSENSE;
    }
    if (answer != SB_WIRE_GOT_MESH) {
        sb_mesh_free(&mesh);
        return answer;
    }
    if (mesh.uvs) tidy_uvs(&mesh);
    *soup = mesh;
    return SB_WIRE_GOT_MESH;
}
