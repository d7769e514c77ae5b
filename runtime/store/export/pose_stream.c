/* SPDX-License-Identifier: MIT */
/* Keeps poses in a temporary file, and writes them as glTF binary: the JSON is
 * before the data, and its length before both; it is written first with the
 * lengths left open, which are filled in at the end. The data: base positions,
 * faces, moves pose by pose, times, weights. Thread: control, workers. */
#include "runtime/store/export/pose_stream.h"

#include "runtime/base/memory.h"
#include "runtime/store/export/gltf_access.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Positions beyond this are a mistake, and floats still hold them. */
#define FARTHEST_M 1e30

/* All vertices of all bodies, at most: 12 bytes of each fit in 4 GiB. */
enum { VERTICES_MOST = 300000000 };

static sb_status fail_io(const sb_pose_stream *s, const char *what,
                         sb_error *err) {
    return sb_fail(err, SB_IO_ERROR,
                   "%.300s cannot be written: its temporary file cannot be "
                   "%s: %s",
                   s->path, what, strerror(errno));
}

/* --- bodies --------------------------------------------------------------- */

static const char *name_of(const sb_pose_body *body) {
    return body->name ? body->name : "";
}

static bool is_place(sb_vec3 p) {
    return fabs(p.x) <= FARTHEST_M && fabs(p.y) <= FARTHEST_M &&
           fabs(p.z) <= FARTHEST_M;
}

static sb_status check_body(const sb_pose_stream *s, const sb_pose_body *body,
                            sb_error *err) {
    if (body->vertex_count < 1 || body->face_count < 1)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.200s: '%.100s' has %d vertices and %d faces; both "
                       "must be 1 or more",
                       s->path, name_of(body), body->vertex_count,
                       body->face_count);
    for (int i = 0; i < body->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            int v = body->faces[i][c];
            if (v < 0 || v >= body->vertex_count)
                return sb_fail(err, SB_BAD_ARGUMENT,
                               "%.200s: face %d of '%.100s' has vertex %d of "
                               "%d",
                               s->path, i, name_of(body), v,
                               body->vertex_count);
        }
    }
    for (int v = 0; v < body->vertex_count; v++) {
        if (!is_place(body->base[v]))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%.200s: vertex %d of '%.100s' is not finite",
                           s->path, v, name_of(body));
    }
    return SB_OK;
}

static sb_status count_all(sb_pose_stream *s, const sb_pose_writer_def *def,
                           sb_error *err) {
    int64_t vertices = 0, faces = 0;
    if (def->body_count < 1 || def->body_count > SB_POSE_BODIES_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT, "%.300s: 1 to %d bodies, got %d",
                       s->path, SB_POSE_BODIES_MOST, def->body_count);
    for (int b = 0; b < def->body_count; b++) {
        sb_status status = check_body(s, &def->bodies[b], err);
        if (status) return status;
        vertices += def->bodies[b].vertex_count;
        faces += def->bodies[b].face_count;
        s->name_bytes += strlen(name_of(&def->bodies[b]));
    }
    if (vertices > VERTICES_MOST || faces > VERTICES_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: %lld vertices and %lld faces; at most %d",
                       s->path, (long long)vertices, (long long)faces,
                       VERTICES_MOST);
    s->vertex_count = (int)vertices;
    s->face_count = (int)faces;
    s->record_size = sizeof(double) + (size_t)vertices * sizeof(float[3]);
    return SB_OK;
}

static bool reserve(sb_pose_stream *s, int body_count) {
    s->bodies = sb_alloc((size_t)body_count, sizeof *s->bodies);
    s->first = sb_alloc((size_t)body_count, sizeof *s->first);
    s->base = sb_alloc((size_t)s->vertex_count, sizeof *s->base);
    s->faces = sb_alloc((size_t)s->face_count, sizeof *s->faces);
    s->record = sb_alloc(s->record_size, 1);
    return s->bodies && s->first && s->base && s->faces && s->record;
}

static bool copy_bodies(sb_pose_stream *s, const sb_pose_writer_def *def) {
    int vertex = 0, face = 0;
    for (int b = 0; b < def->body_count; b++) {
        const sb_pose_body *from = &def->bodies[b];
        sb_pose_body *to = &s->bodies[b];
        *to = *from;
        to->base = NULL;
        to->faces = (const int(*)[3])s->faces + face;
        to->name = sb_copy_text(name_of(from));
        s->body_count = b + 1;
        if (!to->name) return false;
        memcpy(s->faces + face, from->faces,
               (size_t)from->face_count * sizeof *from->faces);
        s->first[b] = vertex;
        for (int v = 0; v < from->vertex_count; v++) {
            s->base[vertex + v][0] = (float)from->base[v].x;
            s->base[vertex + v][1] = (float)from->base[v].y;
            s->base[vertex + v][2] = (float)from->base[v].z;
        }
        vertex += from->vertex_count;
        face += from->face_count;
    }
    return true;
}

/* --- the file ------------------------------------------------------------- */

/* Beside the target, where there must be room for it anyway. */
static sb_status open_nameless(sb_pose_stream *s, sb_error *err) {
    const char *slash = strrchr(s->path, '/');
    size_t length = slash ? (size_t)(slash - s->path) + 1 : 0;
    static const char pattern[] = ".sandbell-poses-XXXXXX";
    char *name = sb_alloc(length + sizeof pattern, 1);
    if (!name) return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", s->path);
    memcpy(name, s->path, length);
    memcpy(name + length, pattern, sizeof pattern);
    s->descriptor = mkostemp(name, O_CLOEXEC);
    sb_status status = SB_OK;
    if (s->descriptor < 0) {
        status = fail_io(s, "made", err);
    } else {
        (void)unlink(name);
    }
    sb_free(name);
    return status;
}

static sb_status open_named(sb_pose_stream *s, const sb_pose_writer_def *def,
                            sb_error *err) {
    struct stat info;
    int make = def->kept == 0 ? O_CREAT : 0;
    s->descriptor = open(def->stream, O_RDWR | make | O_CLOEXEC, 0666);
    if (s->descriptor < 0 || fstat(s->descriptor, &info) != 0)
        return fail_io(s, "opened", err);
    int64_t has = (int64_t)info.st_size / (int64_t)s->record_size;
    if (def->kept < 0 || def->kept > has)
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s has %lld poses of these bodies; %lld are needed "
                       "to go on",
                       def->stream, (long long)has, (long long)def->kept);
    off_t end = (off_t)(def->kept * (int64_t)s->record_size);
    if (ftruncate(s->descriptor, end) != 0 ||
        lseek(s->descriptor, end, SEEK_SET) != end)
        return fail_io(s, "cut", err);
    s->count = def->kept;
    return SB_OK;
}

static double time_of(const sb_pose_stream *s) {
    double time_s;
    memcpy(&time_s, s->record, sizeof time_s);
    return time_s;
}

/* The last times of the poses that are there. */
static sb_status recall(sb_pose_stream *s, sb_error *err) {
    sb_status status = SB_OK;
    if (s->count > 1) {
        status = sb_pose_stream_load(s, 1, err);
        s->step_s = time_of(s);
        if (!status) status = sb_pose_stream_load(s, 0, err);
        s->step_s -= time_of(s);
    }
    if (s->count > 0 && !status) {
        status = sb_pose_stream_load(s, s->count - 1, err);
        s->last_s = time_of(s);
    }
    return status;
}

sb_status sb_pose_stream_open(sb_pose_stream *s, const sb_pose_writer_def *def,
                              sb_error *err) {
    s->descriptor = -1;
    s->path = sb_copy_text(def->path);
    if (!s->path) return sb_fail(err, SB_NO_MEMORY, "poses: no memory");
    sb_status status = count_all(s, def, err);
    if (status) return status;
    if (!reserve(s, def->body_count) || !copy_bodies(s, def))
        return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", s->path);
    status = def->stream ? open_named(s, def, err) : open_nameless(s, err);
    return status ? status : recall(s, err);
}

void sb_pose_stream_close(sb_pose_stream *s) {
    for (int b = 0; b < s->body_count; b++)
        sb_free((char *)(uintptr_t)s->bodies[b].name);
    if (s->descriptor >= 0) (void)close(s->descriptor);
    sb_free_all(s->bodies, s->first, s->base, s->faces, s->record, s->path);
    *s = (sb_pose_stream){.descriptor = -1};
}

/* --- poses ---------------------------------------------------------------- */

static sb_status fill_record(sb_pose_stream *s, double time_s,
                             const sb_vec3 *const *positions, sb_error *err) {
    float(*moves)[3] = (float(*)[3])(void *)(s->record + sizeof time_s);
    memcpy(s->record, &time_s, sizeof time_s);
    for (int b = 0; b < s->body_count; b++) {
        for (int v = 0; v < s->bodies[b].vertex_count; v++) {
            sb_vec3 p = positions[b][v];
            const float *base = s->base[s->first[b] + v];
            float *move = moves[s->first[b] + v];
            if (!is_place(p))
                return sb_fail(err, SB_BAD_ARGUMENT,
                               "%.200s: at %g s vertex %d of '%.100s' is not "
                               "finite",
                               s->path, time_s, v, s->bodies[b].name);
            move[0] = (float)(p.x - (double)base[0]);
            move[1] = (float)(p.y - (double)base[1]);
            move[2] = (float)(p.z - (double)base[2]);
        }
    }
    return SB_OK;
}

sb_status sb_pose_stream_add(sb_pose_stream *s, double time_s,
                             const sb_vec3 *const *positions, sb_error *err) {
    bool is_later = s->count == 0 || (float)time_s > (float)s->last_s;
    if (!isfinite(time_s) || time_s < 0 || !is_later)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: a pose at %g s after one at %g s: times must "
                       "ascend from 0",
                       s->path, time_s, s->last_s);
    sb_status status = fill_record(s, time_s, positions, err);
    if (status) return status;
    if (!sb_write_all(s->descriptor, s->record, s->record_size)) {
        /* Take back what was written of it, so that others can follow. */
        int code = errno;
        off_t end = (off_t)(s->count * (int64_t)s->record_size);
        (void)!ftruncate(s->descriptor, end);
        (void)lseek(s->descriptor, end, SEEK_SET);
        errno = code;
        return fail_io(s, "extended", err);
    }
    if (s->count == 1) s->step_s = time_s - s->last_s;
    s->last_s = time_s;
    s->count++;
    return SB_OK;
}

sb_status sb_pose_stream_load(sb_pose_stream *s, int64_t index, sb_error *err) {
    size_t done = 0;
    off_t from = (off_t)(index * (int64_t)s->record_size);
    while (done < s->record_size) {
        ssize_t got = pread(s->descriptor, s->record + done,
                            s->record_size - done, from + (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) return fail_io(s, "read", err);
        done += (size_t)got;
    }
    return SB_OK;
}

const float (*sb_pose_stream_moves(const sb_pose_stream *s))[3] {
    return (const float(*)[3])(const void *)(s->record + sizeof(double));
}

/* --- poses as glTF binary ------------------------------------------------- */

enum { MAGIC = 0x46546C67, JSON = 0x4E4F534A, BIN = 0x004E4942 };

enum { HEAD = 20 /* bytes before the JSON */, GREY = 180 };

/* Bytes of JSON per body and pose, per body, and per byte of its name, which is
 * written twice, at most. */
enum {
    JSON_PER_TARGET = 360,
    JSON_PER_BODY = 1500,
    JSON_PER_BYTE = 12,
    JSON_MORE = 4000
};

/* The places of the data, bytes from its beginning. */
typedef struct layout {
    int64_t faces, moves, times, weights, end;
} layout;

static layout layout_of(const sb_pose_stream *s, int64_t poses) {
    layout l = {.faces = 12 * (int64_t)s->vertex_count};
    l.moves = l.faces + 12 * (int64_t)s->face_count;
    l.times = l.moves + 12 * s->vertex_count * poses;
    l.weights = l.times + 4 * poses;
    l.end = l.weights + 4 * poses * poses;
    return l;
}

sb_status sb_pose_glb_check(const sb_pose_stream *s, int64_t poses,
                            sb_error *err) {
    int64_t json = JSON_MORE + JSON_PER_BYTE * (int64_t)s->name_bytes +
                   s->body_count * (JSON_PER_BODY + poses * JSON_PER_TARGET);
    if (poses <= 1000000 && layout_of(s, poses).end + json <= UINT32_MAX)
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%.300s: %lld poses of %d vertices do not fit into the 4 "
                   "GiB of a .glb file; a .pc2 file has no such limit",
                   s->path, (long long)poses, s->vertex_count);
}

/* --- JSON ----------------------------------------------------------------- */

static double linear(int byte) {
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void print_scene(sb_text_out *text, const sb_pose_stream *s) {
    sb_text_print(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":"
                        "\"Sandbell " SANDBELL_VERSION "\"},\"scene\":0,"
                        "\"scenes\":[{\"nodes\":[");
    for (int b = 0; b < s->body_count; b++)
        sb_text_print(text, "%s%d", b ? "," : "", b);
    sb_text_print(text, "]}],\"nodes\":[");
    for (int b = 0; b < s->body_count; b++) {
        sb_text_print(text, "%s{\"mesh\":%d,\"name\":", b ? "," : "", b);
        sb_text_quoted(text, s->bodies[b].name);
        sb_text_print(text, "}");
    }
    sb_text_print(text, "],\"materials\":[");
    for (int b = 0; b < s->body_count; b++) {
        const uint8_t *c = s->bodies[b].colour;
        static const uint8_t grey[3] = {GREY, GREY, GREY};
        if (!(c[0] | c[1] | c[2])) c = grey;
        sb_text_print(text,
                      "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                      "\"baseColorFactor\":[%.4f,%.4f,%.4f,1],"
                      "\"metallicFactor\":0.2,\"roughnessFactor\":0.5}}",
                      b ? "," : "", linear(c[0]), linear(c[1]), linear(c[2]));
    }
    sb_text_print(text, "],");
}

/* Accessors: positions and faces of each body, times, weights, then a move per
 * pose and body. */
static long long move_accessor(const sb_pose_stream *s, int64_t pose,
                               int body) {
    return 2LL * s->body_count + 2 + pose * s->body_count + body;
}

static void print_meshes(sb_text_out *text, const sb_pose_stream *s) {
    sb_text_print(text, "\"meshes\":[");
    for (int b = 0; b < s->body_count; b++) {
        sb_text_print(text, "%s{\"name\":", b ? "," : "");
        sb_text_quoted(text, s->bodies[b].name);
        sb_text_print(text,
                      ",\"primitives\":[{\"attributes\":{\"POSITION\":%d},"
                      "\"indices\":%d,\"material\":%d,\"targets\":[",
                      2 * b, 2 * b + 1, b);
        for (int64_t n = 0; n < s->count; n++)
            sb_text_print(text, "%s{\"POSITION\":%lld}", n ? "," : "",
                          move_accessor(s, n, b));
        sb_text_print(text, "]}]}");
    }
    sb_text_print(text,
                  "],\"animations\":[{\"name\":\"motion\",\"samplers\":[{"
                  "\"input\":%d,\"output\":%d}],\"channels\":[",
                  2 * s->body_count, 2 * s->body_count + 1);
    for (int b = 0; b < s->body_count; b++)
        sb_text_print(text,
                      "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":"
                      "\"weights\"}}",
                      b ? "," : "", b);
    sb_text_print(text, "]}],");
}

static void print_views(sb_text_out *text, const layout *l) {
    const struct {
        int64_t from, to;
        const char *more;
    } views[] = {{0, l->faces, ",\"byteStride\":12,\"target\":34962"},
                 {l->faces, l->moves, ",\"target\":34963"},
                 {l->moves, l->times, ",\"byteStride\":12,\"target\":34962"},
                 {l->times, l->weights, ""},
                 {l->weights, l->end, ""}};
    sb_text_print(text, "\"buffers\":[{\"byteLength\":%lld}],\"bufferViews\":[",
                  (long long)l->end);
    for (int i = 0; i < 5; i++)
        sb_text_print(text,
                      "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld"
                      "%s}",
                      i ? "," : "", (long long)views[i].from,
                      (long long)(views[i].to - views[i].from), views[i].more);
    sb_text_print(text, "],");
}

static void print_points(sb_text_out *text, int view, int64_t offset,
                         const float (*points)[3], int count) {
    float low[3], high[3];
    memcpy(low, points[0], sizeof low);
    memcpy(high, points[0], sizeof high);
    for (int v = 1; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            low[i] = fminf(low[i], points[v][i]);
            high[i] = fmaxf(high[i], points[v][i]);
        }
    }
    sb_text_print(text,
                  "{\"bufferView\":%d,\"byteOffset\":%lld,\"componentType\":%d,"
                  "\"count\":%d,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],"
                  "\"max\":[%.9g,%.9g,%.9g]}",
                  view, (long long)offset, SB_GLTF_FLOAT, count, (double)low[0],
                  (double)low[1], (double)low[2], (double)high[0],
                  (double)high[1], (double)high[2]);
}

static void print_bodies(sb_text_out *text, const sb_pose_stream *s,
                         double first_s) {
    int64_t face = 0;
    for (int b = 0; b < s->body_count; b++) {
        const sb_pose_body *body = &s->bodies[b];
        print_points(text, 0, 12LL * s->first[b],
                     (const float(*)[3])s->base + s->first[b],
                     body->vertex_count);
        sb_text_print(text,
                      ",{\"bufferView\":1,\"byteOffset\":%lld,"
                      "\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"},",
                      (long long)(12 * face), SB_GLTF_UNSIGNED_INT,
                      3 * body->face_count);
        face += body->face_count;
    }
    sb_text_print(text,
                  "{\"bufferView\":3,\"componentType\":%d,\"count\":%lld,"
                  "\"type\":\"SCALAR\",\"min\":[%.9g],\"max\":[%.9g]},"
                  "{\"bufferView\":4,\"componentType\":%d,\"count\":%lld,"
                  "\"type\":\"SCALAR\"}",
                  SB_GLTF_FLOAT, (long long)s->count, (double)(float)first_s,
                  (double)(float)s->last_s, SB_GLTF_FLOAT,
                  (long long)(s->count * s->count));
}

static sb_status print_accessors(sb_text_out *text, sb_pose_stream *s,
                                 sb_error *err) {
    sb_status status = sb_pose_stream_load(s, 0, err);
    sb_text_print(text, "\"accessors\":[");
    if (!status) print_bodies(text, s, time_of(s));
    for (int64_t n = 0; n < s->count && !status; n++) {
        status = sb_pose_stream_load(s, n, err);
        for (int b = 0; b < s->body_count && !status; b++) {
            sb_text_print(text, ",");
            print_points(text, 2, 12 * (n * s->vertex_count + s->first[b]),
                         sb_pose_stream_moves(s) + s->first[b],
                         s->bodies[b].vertex_count);
        }
    }
    sb_text_print(text, "]}");
    return status;
}

/* --- data ----------------------------------------------------------------- */

static sb_status put_data(sb_text_out *text, sb_pose_stream *s, sb_error *err) {
    sb_text_bytes(text, (const char *)s->base,
                  (size_t)s->vertex_count * sizeof *s->base);
    sb_text_bytes(text, (const char *)s->faces,
                  (size_t)s->face_count * sizeof *s->faces);
    for (int64_t n = 0; n < s->count; n++) {
        sb_status status = sb_pose_stream_load(s, n, err);
        if (status) return status;
        sb_text_bytes(text, (const char *)sb_pose_stream_moves(s),
                      (size_t)s->vertex_count * sizeof *s->base);
    }
    for (int64_t n = 0; n < s->count; n++) {
        sb_status status = sb_pose_stream_load(s, n, err);
        if (status) return status;
        float time_s = (float)time_of(s);
        sb_text_bytes(text, (const char *)&time_s, sizeof time_s);
    }
    for (int64_t n = 0; n < s->count; n++) {
        for (int64_t k = 0; k < s->count; k++) {
            float weight = k == n ? 1.0F : 0.0F;
            sb_text_bytes(text, (const char *)&weight, sizeof weight);
        }
    }
    return SB_OK;
}

/* Fill in the lengths, which are known now. */
static sb_status put_lengths(sb_text_out *text, const sb_pose_stream *s,
                             int64_t json, int64_t data, sb_error *err) {
    const uint32_t head[5] = {MAGIC, 2, (uint32_t)(HEAD + json + 8 + data),
                              (uint32_t)json, JSON};
    sb_text_flush(text);
    if (text->status) return text->status;
    if (pwrite(sb_out_file_descriptor(text->file), head, sizeof head, 0) ==
        (ssize_t)sizeof head)
        return SB_OK;
    return sb_fail(err, SB_IO_ERROR, "%.300s cannot be written: %s", s->path,
                   strerror(errno));
}

sb_status sb_pose_glb_write(sb_pose_stream *s, sb_text_out *text,
                            sb_error *err) {
    static const char blank[HEAD] = {0};
    layout l = layout_of(s, s->count);
    sb_text_bytes(text, blank, HEAD);
    print_scene(text, s);
    print_meshes(text, s);
    print_views(text, &l);
    sb_status status = print_accessors(text, s, err);
    if (status) return status;
    sb_text_flush(text);
    int64_t json = (int64_t)text->flushed - HEAD;
    for (; json % 4 != 0; json++)
        sb_text_bytes(text, " ", 1);
    const uint32_t chunk[2] = {(uint32_t)l.end, BIN};
    sb_text_bytes(text, (const char *)chunk, sizeof chunk);
    status = put_data(text, s, err);
    if (status) return status;
    return put_lengths(text, s, json, l.end, err);
}
