/* SPDX-License-Identifier: MIT */
#include "runtime/store/export/pose_writer.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/store/export/pose_stream.h"
#include "runtime/store/export/text_out.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- a surface as OBJ ----------------------------------------------------- */

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
        status = sb_no_memory(err, "%.300s cannot be written", path);
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
    sb_free_all(list.first, list.next, list.corner, owner, text);
    return status;
}

/* --- poses ---------------------------------------------------------------- */

/* Distances of poses in a .pc2 may differ by this much of themselves. */
#define STEP_TOLERANCE 1e-3

struct sb_pose_writer {
    sb_pose_stream stream;
    bool is_glb;
    sb_text_out text;
};

static bool ends_in(const char *path, const char *ending) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && strcasecmp(dot, ending) == 0;
}

sb_status sb_pose_writer_open(sb_pose_writer **out,
                              const sb_pose_writer_def *def, sb_error *err) {
    bool is_glb = ends_in(def->path, ".glb");
    if (!is_glb && !ends_in(def->path, ".pc2"))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "'%.300s': the poses of deforming surfaces need a name "
                       "that ends in .glb or .pc2",
                       def->path ? def->path : "");
    sb_pose_writer *writer = sb_alloc(1, sizeof *writer);
    if (!writer)
        return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", def->path);
    writer->is_glb = is_glb;
    /* The target first: its message is the clearer one. */
    sb_status status = sb_text_begin(&writer->text, def->path, err);
    if (status) {
        sb_free(writer);
        return status;
    }
    status = sb_pose_stream_open(&writer->stream, def, err);
    if (status) {
        sb_pose_writer_abort(writer);
        return status;
    }
    *out = writer;
    return SB_OK;
}

static void dispose(sb_pose_writer *writer) {
    sb_pose_stream_close(&writer->stream);
    sb_free(writer);
}

void sb_pose_writer_abort(sb_pose_writer *writer) {
    if (!writer) return;
    sb_out_file_abort(writer->text.file);
    dispose(writer);
}

sb_status sb_pose_writer_add(sb_pose_writer *writer, double time_s,
                             const sb_vec3 *const *positions, sb_error *err) {
    const sb_pose_stream *s = &writer->stream;
    if (writer->is_glb) {
        sb_status status = sb_pose_glb_check(s, s->count + 1, err);
        if (status) return status;
    } else if (s->count > 1) {
        double step = time_s - s->last_s;
        if (!(fabs(step - s->step_s) <= STEP_TOLERANCE * s->step_s))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%.300s: a pose %g s after the one before, others "
                           "%g s: a .pc2 file needs equal distances, a .glb "
                           "file does not",
                           s->path, step, s->step_s);
    }
    return sb_pose_stream_add(&writer->stream, time_s, positions, err);
}

/* --- .pc2 ----------------------------------------------------------------- */

static sb_status write_points(sb_pose_writer *writer, sb_error *err) {
    sb_pose_stream *s = &writer->stream;
    const int32_t head[2] = {1, s->vertex_count};
    const float rate[2] = {0.0F, 1.0F};
    const int32_t samples = (int32_t)s->count;
    sb_text_bytes(&writer->text, "POINTCACHE2", 12);
    sb_text_bytes(&writer->text, (const char *)head, sizeof head);
    sb_text_bytes(&writer->text, (const char *)rate, sizeof rate);
    sb_text_bytes(&writer->text, (const char *)&samples, sizeof samples);
    for (int64_t n = 0; n < s->count; n++) {
        sb_status status = sb_pose_stream_load(s, n, err);
        if (status) return status;
        const float(*moves)[3] = sb_pose_stream_moves(s);
        for (int v = 0; v < s->vertex_count; v++) {
            float point[3];
            for (int i = 0; i < 3; i++)
                point[i] = s->base[v][i] + moves[v][i];
            sb_text_bytes(&writer->text, (const char *)point, sizeof point);
        }
    }
    return SB_OK;
}

/* The base of all bodies as one mesh, in the same order. */
static sb_status write_base(const sb_pose_stream *s, sb_error *err) {
    size_t length = strlen(s->path);
    char *path = sb_copy_text(s->path);
    sb_mesh mesh = {.vertex_count = s->vertex_count,
                    .face_count = s->face_count};
    mesh.vertices = sb_alloc((size_t)s->vertex_count, sizeof *mesh.vertices);
    mesh.faces = sb_alloc((size_t)s->face_count, sizeof *mesh.faces);
    sb_status status = SB_OK;
    if (!path || !mesh.vertices || !mesh.faces)
        status = sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", s->path);
    for (int v = 0; v < s->vertex_count && !status; v++)
        mesh.vertices[v] =
            (sb_vec3){(double)s->base[v][0], (double)s->base[v][1],
                      (double)s->base[v][2]};
    for (int b = 0, f = 0; b < s->body_count && !status; b++) {
        for (int i = 0; i < s->bodies[b].face_count; i++, f++) {
            for (int c = 0; c < 3; c++)
                mesh.faces[f][c] = s->first[b] + s->bodies[b].faces[i][c];
        }
    }
    if (!status) {
        (void)snprintf(path + length - 3, 4, "obj");
        status = sb_obj_write(path, &mesh, NULL, err);
    }
    sb_free_all(path, mesh.vertices, mesh.faces);
    return status;
}

sb_status sb_pose_writer_close(sb_pose_writer *writer, sb_error *err) {
    sb_pose_stream *s = &writer->stream;
    sb_status status = SB_OK;
    writer->text.err = err;
    if (s->count == 0)
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "%.300s: there is no pose to write", s->path);
    if (!status && writer->is_glb)
        status = sb_pose_glb_write(s, &writer->text, err);
    if (!status && !writer->is_glb) status = write_points(writer, err);
    if (!status && !writer->is_glb) status = write_base(s, err);
    if (status) {
        sb_pose_writer_abort(writer);
        return status;
    }
    status = sb_text_end(&writer->text);
    dispose(writer);
    return status;
}
