#include "runtime/store/export/obj_write.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/store/export/text_out.h"

/* The texture coordinates written so far, as a linked list per vertex. */
typedef struct uv_list {
    int *first;       /* per vertex: an entry, counted from 1; 0: none */
    int *next;        /* per entry: the next one of the same vertex */
    int (*corner)[3]; /* per face: the entries of its corners */
    int count;
} uv_list;

static bool reserve(uv_list *list, const sb_mesh *mesh) {
    size_t faces = (size_t)mesh->face_count;
    list->first = sb_alloc((size_t)mesh->vertex_count, sizeof *list->first);
    list->next = sb_alloc(3 * faces + 1, sizeof *list->next);
    list->corner = sb_alloc(faces, sizeof *list->corner);
    return list->first && list->next && list->corner;
}

static void write_uvs(sb_text_out *text, const sb_mesh *mesh,
                      const float (*uvs)[3][2], uv_list *list, int *owner) {
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        int vertex = mesh->faces[i / 3][i % 3], at = list->first[vertex];
        const float *uv = uvs[i / 3][i % 3];
        while (at) {
            const float *known = uvs[owner[at] / 3][owner[at] % 3];
            if (known[0] == uv[0] && known[1] == uv[1]) break;
            at = list->next[at];
        }
        if (!at) {
            at = ++list->count;
            list->next[at] = list->first[vertex];
            list->first[vertex] = at;
            owner[at] = i;
            sb_text_print(text, "vt %.9g %.9g\n", (double)uv[0], (double)uv[1]);
        }
        list->corner[i / 3][i % 3] = at;
    }
}

static void write_faces(sb_text_out *text, const sb_mesh *mesh,
                        const int (*corners)[3]) {
    for (int f = 0; f < mesh->face_count; f++) {
        const int *v = mesh->faces[f];
        if (corners) {
            const int *t = corners[f];
            sb_text_print(text, "f %d/%d %d/%d %d/%d\n", v[0] + 1, t[0],
                          v[1] + 1, t[1], v[2] + 1, t[2]);
        } else {
            sb_text_print(text, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
        }
    }
}

sb_status sb_obj_write(const char *path, const sb_mesh *mesh,
                       const float (*uvs)[3][2], sb_error *err) {
    uv_list list = {0};
    sb_text_out *text = sb_alloc(1, sizeof *text);
    int *owner = sb_alloc(3 * (size_t)mesh->face_count + 1, sizeof *owner);
    sb_status status;
    if (!text || !owner || !reserve(&list, mesh)) {
        status = sb_fail(err, SB_NO_MEMORY,
                         "%.300s cannot be written: out of memory", path);
    } else {
        status = sb_text_begin(text, path, err);
        if (!status) {
            for (int i = 0; i < mesh->vertex_count; i++) {
                sb_vec3 p = mesh->vertices[i];
                sb_text_print(text, "v %.12g %.12g %.12g\n", p.x, p.y, p.z);
            }
            if (uvs) write_uvs(text, mesh, uvs, &list, owner);
            write_faces(text, mesh, uvs ? (const int(*)[3])list.corner : NULL);
            status = sb_text_end(text);
        }
    }
    sb_free(list.first);
    sb_free(list.next);
    sb_free(list.corner);
    sb_free(owner);
    sb_free(text);
    return status;
}
