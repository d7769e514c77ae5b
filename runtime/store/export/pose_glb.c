/* Writes a stream of poses as glTF binary. Control thread and workers.
 *
 * The JSON is before the data, and its length before both; it is written first
 * with the lengths left open, which are filled in at the end. The data: base
 * positions, faces, moves pose by pose, times, weights. */
#include "runtime/store/export/pose_glb.h"

#include "runtime/store/export/gltf_access.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

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
    if (!status) print_bodies(text, s, sb_pose_stream_time(s));
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
        float time_s = (float)sb_pose_stream_time(s);
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
