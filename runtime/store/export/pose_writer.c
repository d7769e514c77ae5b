/* Writes poses as .glb or .pc2. Control thread and workers. */
#include "runtime/store/export/pose_writer.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/store/export/obj_write.h"
#include "runtime/store/export/pose_glb.h"
#include "runtime/store/export/pose_stream.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

int64_t sb_pose_writer_count(const sb_pose_writer *writer) {
    return writer->stream.count;
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

sb_status sb_pose_writer_read(sb_pose_writer *writer, int64_t index,
                              double *time_s, sb_vec3 *const *positions,
                              sb_error *err) {
    sb_pose_stream *s = &writer->stream;
    sb_status status = sb_pose_stream_load(s, index, err);
    if (status) return status;
    const float(*moves)[3] = sb_pose_stream_moves(s);
    *time_s = sb_pose_stream_time(s);
    for (int b = 0; b < s->body_count; b++) {
        for (int v = 0; v < s->bodies[b].vertex_count; v++) {
            const float *base = s->base[s->first[b] + v];
            const float *move = moves[s->first[b] + v];
            positions[b][v] = (sb_vec3){(double)base[0] + (double)move[0],
                                        (double)base[1] + (double)move[1],
                                        (double)base[2] + (double)move[2]};
        }
    }
    return SB_OK;
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
    sb_free(path);
    sb_free(mesh.vertices);
    sb_free(mesh.faces);
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
