/* SPDX-License-Identifier: MIT */
/* Poses for other programs: what is read back is what was added, other readers
 * agree, a stream that goes on gives the same bytes, and every failure leaves
 * the old file. */
#include "runtime/base/memory.h"
#include "runtime/store/export/pose_writer.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <cjson/cJSON.h>
#include <math.h>

enum { SIDE = 6, SHEET = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };
enum { POSES = 7, BYTES_MOST = 1 << 20 };

static int sheet_faces[2 * CELLS][3];
static const int wedge_faces[4][3] = {
    {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
static sb_vec3 sheet_base[SHEET], wedge_base[4];
static sb_vec3 sheets[POSES][SHEET], wedges[POSES][4];

static double time_of(int pose) {
    return 0.01 * pose;
}

static void setup(void) {
    scratch_make();
    for (int i = 0; i < CELLS; i++) {
        int a = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        int pair[2][3] = {{a, a + SIDE, a + 1},
                          {a + 1, a + SIDE, a + SIDE + 1}};
        memcpy(sheet_faces[2 * i], pair, sizeof pair);
    }
    for (int v = 0; v < 4; v++)
        wedge_base[v] = (sb_vec3){0.1 * (v == 1), 0.1 * (v == 3) + 5, v == 2};
    for (int v = 0; v < SHEET; v++)
        sheet_base[v] = (sb_vec3){v % SIDE * 0.1, 0.3, v / SIDE * 0.1};
    for (int n = 0; n < POSES; n++) {
        for (int v = 0; v < SHEET; v++) {
            sheets[n][v] = sheet_base[v];
            sheets[n][v].y += 0.05 * sin(3 * sheet_base[v].x + n);
        }
        for (int v = 0; v < 4; v++) {
            wedges[n][v] = wedge_base[v];
            wedges[n][v].y -= 0.3 * n;
        }
    }
}

static const sb_pose_body bodies[2] = {
    {"a \"sheet\"\n",
     sheet_base,
     SHEET,
     (const int (*)[3])sheet_faces,
     2 * CELLS,
     {200, 100, 0}},
    {NULL, wedge_base, 4, wedge_faces, 4, {0, 0, 0}}};

static sb_pose_writer *open_at(const char *path, const char *stream,
                               int64_t kept) {
    sb_pose_writer_def def = {path, bodies, 2, stream, kept};
    sb_pose_writer *writer = NULL;
    sb_error err = {0};
    ck_assert_msg(sb_pose_writer_open(&writer, &def, &err) == SB_OK, "%s",
                  err.message);
    return writer;
}

static sb_status add(sb_pose_writer *writer, int pose, sb_error *err) {
    const sb_vec3 *positions[2] = {sheets[pose], wedges[pose]};
    return sb_pose_writer_add(writer, time_of(pose), positions, err);
}

static void write_all(const char *path) {
    sb_pose_writer *writer = open_at(path, NULL, 0);
    for (int n = 0; n < POSES; n++)
        ck_assert_int_eq(add(writer, n, NULL), SB_OK);
    sb_error err = {0};
    ck_assert_msg(sb_pose_writer_close(writer, &err) == SB_OK, "%s",
                  err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static unsigned char *bytes_of(const char *name, long *size) {
    unsigned char *bytes = malloc(BYTES_MOST);
    *size = scratch_get(scratch_path(name), (char *)bytes, BYTES_MOST);
    ck_assert_int_gt(*size, 0);
    ck_assert_int_lt(*size, BYTES_MOST);
    return bytes;
}

/* --- glTF ----------------------------------------------------------------- */

static uint32_t word(const unsigned char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

typedef struct document {
    unsigned char *bytes;
    cJSON *root;
    const unsigned char *data;
    double data_size;
} document;

static document document_of(const char *name) {
    long size;
    document d = {.bytes = bytes_of(name, &size)};
    ck_assert_mem_eq(d.bytes, "glTF", 4);
    ck_assert_uint_eq(word(d.bytes + 4), 2);
    ck_assert_int_eq(word(d.bytes + 8), size);
    uint32_t json = word(d.bytes + 12);
    ck_assert_uint_eq(json % 4, 0);
    ck_assert_mem_eq(d.bytes + 16, "JSON", 4);
    d.root = cJSON_ParseWithLength((const char *)d.bytes + 20, json);
    ck_assert_ptr_nonnull(d.root);
    const unsigned char *chunk = d.bytes + 20 + json;
    d.data_size = word(chunk);
    ck_assert_mem_eq(chunk + 4, "BIN\0", 4);
    d.data = chunk + 8;
    ck_assert_int_eq((long)(d.data - d.bytes) + (long)d.data_size, size);
    return d;
}

static void document_free(document *d) {
    cJSON_Delete(d->root);
    free(d->bytes);
}

static const cJSON *item(const cJSON *object, const char *list, int index) {
    const cJSON *found =
        cJSON_GetArrayItem(cJSON_GetObjectItem(object, list), index);
    ck_assert_msg(found != NULL, "%s[%d] is missing", list, index);
    return found;
}

static double number(const cJSON *object, const char *name, double otherwise) {
    const cJSON *found = cJSON_GetObjectItem(object, name);
    return found ? found->valuedouble : otherwise;
}

/* The data of an accessor; all of it is inside its view and the buffer. */
static const float *look(const document *d, int index, int count, int parts) {
    const cJSON *accessor = item(d->root, "accessors", index);
    int at = (int)number(accessor, "bufferView", -1);
    const cJSON *view = item(d->root, "bufferViews", at);
    double size = 4.0 * parts, start = number(view, "byteOffset", 0);
    double inner = number(accessor, "byteOffset", 0);
    ck_assert_int_eq((int)number(accessor, "count", 0), count);
    ck_assert_double_le(inner + size * count, number(view, "byteLength", 0));
    ck_assert_double_le(start + number(view, "byteLength", 0), d->data_size);
    ck_assert_double_eq(number(view, "byteStride", size), size);
    ck_assert_double_eq(fmod(start + inner, 4), 0);
    const float *values = (const void *)(d->data + (long)(start + inner));
    const cJSON *low = cJSON_GetObjectItem(accessor, "min");
    if (parts == 3) ck_assert_ptr_nonnull(low);
    for (int part = 0; low && part < parts; part++) {
        float least = INFINITY, most = -INFINITY;
        for (int i = 0; i < count; i++) {
            least = fminf(least, values[parts * i + part]);
            most = fmaxf(most, values[parts * i + part]);
        }
        ck_assert_float_eq((float)cJSON_GetArrayItem(low, part)->valuedouble,
                           least);
        ck_assert_float_eq((float)item(accessor, "max", part)->valuedouble,
                           most);
    }
    return values;
}

static void same_places(const float *base, const float *move,
                        const sb_vec3 *wanted, int count) {
    for (int v = 0; v < count; v++) {
        const double at[3] = {wanted[v].x, wanted[v].y, wanted[v].z};
        for (int i = 0; i < 3; i++) {
            float sum = base[3 * v + i] + (move ? move[3 * v + i] : 0.0F);
            ck_assert_double_eq_tol((double)sum, at[i],
                                    2e-7 * fabs(at[i]) + 1e-12);
        }
    }
}

START_TEST(glb_positions_add_up_to_every_pose) {
    write_all(scratch_path("a.glb"));
    ck_assert_int_eq(scratch_entries(0), 1);
    document d = document_of("a.glb");
    ck_assert_double_eq(number(item(d.root, "buffers", 0), "byteLength", 0),
                        d.data_size);
    ck_assert_str_eq(
        cJSON_GetObjectItem(item(d.root, "nodes", 0), "name")->valuestring,
        "a \"sheet\"\n");
    for (int b = 0; b < 2; b++) {
        int count = bodies[b].vertex_count, faces = bodies[b].face_count;
        const cJSON *mesh = item(d.root, "meshes", b);
        const cJSON *primitive = item(mesh, "primitives", 0);
        const cJSON *attributes = cJSON_GetObjectItem(primitive, "attributes");
        const float *base =
            look(&d, (int)number(attributes, "POSITION", -1), count, 3);
        same_places(base, NULL, bodies[b].base, count);
        const float *indices =
            look(&d, (int)number(primitive, "indices", -1), 3 * faces, 1);
        ck_assert_mem_eq(indices, bodies[b].faces, (size_t)faces * 12);
        ck_assert_int_eq(
            cJSON_GetArraySize(cJSON_GetObjectItem(primitive, "targets")),
            POSES);
        for (int n = 0; n < POSES; n++) {
            const float *move = look(
                &d, (int)number(item(primitive, "targets", n), "POSITION", -1),
                count, 3);
            same_places(base, move, b == 0 ? sheets[n] : wedges[n], count);
        }
    }
    document_free(&d);
}
END_TEST

START_TEST(glb_weights_show_each_pose_at_its_time) {
    write_all(scratch_path("a.glb"));
    document d = document_of("a.glb");
    const cJSON *animation = item(d.root, "animations", 0);
    const cJSON *sampler = item(animation, "samplers", 0);
    const float *times = look(&d, (int)number(sampler, "input", -1), POSES, 1);
    const float *weights =
        look(&d, (int)number(sampler, "output", -1), POSES * POSES, 1);
    for (int n = 0; n < POSES; n++) {
        ck_assert_float_eq(times[n], (float)time_of(n));
        for (int k = 0; k < POSES; k++)
            ck_assert_float_eq(weights[n * POSES + k], k == n ? 1.0F : 0.0F);
    }
    for (int b = 0; b < 2; b++) {
        const cJSON *channel = item(animation, "channels", b);
        const cJSON *target = cJSON_GetObjectItem(channel, "target");
        ck_assert_int_eq((int)number(channel, "sampler", -1), 0);
        ck_assert_int_eq((int)number(target, "node", -1), b);
        ck_assert_str_eq(cJSON_GetObjectItem(target, "path")->valuestring,
                         "weights");
    }
    document_free(&d);
}
END_TEST

START_TEST(another_reader_sees_the_same_poses) {
    write_all(scratch_path("a.glb"));
    const struct aiScene *scene = aiImportFile(scratch_path("a.glb"), 0);
    ck_assert_msg(scene != NULL, "%s", aiGetErrorString());
    ck_assert_uint_eq(scene->mNumMeshes, 2);
    ck_assert_uint_eq(scene->mNumAnimations, 1);
    ck_assert_uint_eq(scene->mAnimations[0]->mNumMorphMeshChannels, 2);
    ck_assert_uint_eq(scene->mAnimations[0]->mMorphMeshChannels[0]->mNumKeys,
                      POSES);
    for (unsigned b = 0; b < 2; b++) {
        const struct aiMesh *mesh = scene->mMeshes[b];
        unsigned count = (unsigned)bodies[b].vertex_count;
        ck_assert_uint_eq(mesh->mNumVertices, count);
        ck_assert_uint_eq(mesh->mNumFaces, (unsigned)bodies[b].face_count);
        ck_assert_uint_eq(mesh->mNumAnimMeshes, POSES);
        for (unsigned n = 0; n < POSES; n++) {
            for (unsigned v = 0; v < count; v++) {
                struct aiVector3D got = mesh->mAnimMeshes[n]->mVertices[v];
                sb_vec3 at = b == 0 ? sheets[n][v] : wedges[n][v];
                ck_assert_double_eq_tol((double)got.x, at.x, 1e-6);
                ck_assert_double_eq_tol((double)got.y, at.y, 1e-6);
                ck_assert_double_eq_tol((double)got.z, at.z, 1e-6);
            }
        }
    }
    aiReleaseImport(scene);
}
END_TEST

/* --- the point cache ------------------------------------------------------ */

START_TEST(pc2_has_all_points_of_all_poses_and_an_obj_beside_it) {
    write_all(scratch_path("a.pc2"));
    long size;
    unsigned char *bytes = bytes_of("a.pc2", &size);
    ck_assert_mem_eq(bytes, "POINTCACHE2", 12);
    ck_assert_uint_eq(word(bytes + 12), 1);
    ck_assert_uint_eq(word(bytes + 16), SHEET + 4);
    ck_assert_uint_eq(word(bytes + 28), POSES);
    ck_assert_int_eq(size, 32 + POSES * (SHEET + 4) * 12);
    const float *points = (const void *)(bytes + 32);
    for (int n = 0; n < POSES; n++) {
        same_places(points, NULL, sheets[n], SHEET);
        same_places(points + 3 * SHEET, NULL, wedges[n], 4);
        points += 3 * (SHEET + 4);
    }
    free(bytes);
    const struct aiScene *scene = aiImportFile(scratch_path("a.obj"), 0);
    ck_assert_msg(scene != NULL, "%s", aiGetErrorString());
    ck_assert_uint_eq(scene->mMeshes[0]->mNumFaces, 2 * CELLS + 4);
    aiReleaseImport(scene);
    ck_assert_int_eq(scratch_entries(0), 2);
}
END_TEST

START_TEST(pc2_refuses_unequal_distances) {
    sb_pose_writer *writer = open_at(scratch_path("a.pc2"), NULL, 0);
    sb_error err = {0};
    for (int n = 0; n < 3; n++)
        ck_assert_int_eq(add(writer, n, NULL), SB_OK);
    ck_assert_int_eq(add(writer, 4, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "a .pc2 file needs equal"));
    ck_assert_int_eq(add(writer, 3, NULL), SB_OK);
    sb_pose_writer_abort(writer);
    ck_assert_int_eq(scratch_entries(0), 0);
}
END_TEST

/* --- going on ------------------------------------------------------------- */

START_TEST(a_stream_that_goes_on_gives_the_same_bytes) {
    const char *names[] = {"whole.glb", "whole.pc2"},
               *parts[] = {"part.glb", "part.pc2"};
    for (int kind = 0; kind < 2; kind++) {
        write_all(scratch_path(names[kind]));
        /* Ended after five poses, of which the last was in the making. */
        sb_pose_writer *writer =
            open_at(scratch_path(parts[kind]), scratch_path("stream"), 0);
        for (int n = 0; n < 5; n++)
            ck_assert_int_eq(add(writer, n, NULL), SB_OK);
        sb_pose_writer_abort(writer);
        writer = open_at(scratch_path(parts[kind]), scratch_path("stream"), 4);
        sb_error err = {0};
        ck_assert_int_eq(add(writer, 3, &err), SB_BAD_ARGUMENT);
        for (int n = 4; n < POSES; n++)
            ck_assert_int_eq(add(writer, n, NULL), SB_OK);
        ck_assert_int_eq(sb_pose_writer_close(writer, NULL), SB_OK);
        long whole, part;
        unsigned char *a = bytes_of(names[kind], &whole);
        unsigned char *b = bytes_of(parts[kind], &part);
        ck_assert_int_eq(whole, part);
        ck_assert_mem_eq(a, b, (size_t)whole);
        free(a);
        free(b);
        ck_assert_int_eq(unlink(scratch_path("stream")), 0);
    }
}
END_TEST

START_TEST(a_stream_without_the_poses_is_refused) {
    sb_pose_writer_def def = {scratch_path("a.glb"), bodies, 2,
                              scratch_path("stream"), 3};
    sb_pose_writer *writer;
    sb_error err = {0};
    ck_assert_int_eq(sb_pose_writer_open(&writer, &def, &err), SB_IO_ERROR);
    ck_assert_int_eq(scratch_entries(0), 0);
    scratch_put("stream", "not even one");
    ck_assert_int_eq(sb_pose_writer_open(&writer, &def, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "has 0 poses"));
    ck_assert_int_eq(scratch_entries(0), 1);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- failures ------------------------------------------------------------- */

static void refuses(const sb_pose_writer_def *def, const char *sentence) {
    sb_pose_writer *writer;
    sb_error err = {0};
    ck_assert_int_eq(sb_pose_writer_open(&writer, def, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, sentence) != NULL, "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
    ck_assert_int_eq(scratch_entries(0), 0);
}

START_TEST(bad_definitions_get_a_sentence) {
    sb_pose_body bad[2] = {bodies[0], bodies[1]};
    sb_vec3 base[4] = {{0, 0, 0}, {0, NAN, 0}};
    int faces[1][3] = {{0, 1, 4}};
    sb_pose_writer_def def = {.bodies = bad, .body_count = 2};
    def.path = scratch_path("a.gltf");
    refuses(&def, "a name that ends in .glb or .pc2");
    def.path = scratch_path("a.glb");
    def.body_count = 0;
    refuses(&def, "1 to 4096 bodies, got 0");
    def.body_count = 2;
    bad[1].base = base;
    refuses(&def, "vertex 1 of '' is not finite");
    bad[1] = bodies[1];
    bad[1].faces = (const int(*)[3])faces;
    bad[1].face_count = 1;
    refuses(&def, "face 0 of '' has vertex 4 of 4");
    bad[1].face_count = 0;
    refuses(&def, "has 4 vertices and 0 faces");
    def.path = scratch_path("nowhere/a.glb");
    sb_pose_writer *writer;
    sb_error err = {0};
    ck_assert_int_eq(sb_pose_writer_open(&writer, &def, &err), SB_NOT_FOUND);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(bad_poses_are_left_out_and_the_others_stay) {
    sb_pose_writer *writer = open_at(scratch_path("a.glb"), NULL, 0);
    sb_error err = {0};
    ck_assert_int_eq(add(writer, 1, NULL), SB_OK);
    sheets[2][9].z = NAN;
    ck_assert_int_eq(add(writer, 2, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(
        strstr(err.message, "at 0.02 s vertex 9 of 'a \"sheet\"\n' is not"));
    ck_assert_int_eq(add(writer, 0, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "times must ascend"));
    ck_assert_int_eq(add(writer, 3, NULL), SB_OK);
    ck_assert_int_eq(sb_pose_writer_close(writer, NULL), SB_OK);
    document d = document_of("a.glb");
    const cJSON *primitive = item(item(d.root, "meshes", 0), "primitives", 0);
    ck_assert_int_eq(
        cJSON_GetArraySize(cJSON_GetObjectItem(primitive, "targets")), 2);
    document_free(&d);
    writer = open_at(scratch_path("b.glb"), NULL, 0);
    ck_assert_int_eq(sb_pose_writer_close(writer, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "there is no pose"));
    ck_assert_int_eq(scratch_entries(0), 1);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file) {
    scratch_put("a.glb", "old");
    sb_pose_writer *writer = open_at(scratch_path("a.glb"), NULL, 0);
    sb_error err = {0};
    ck_assert_int_eq(add(writer, 0, NULL), SB_OK);
    scratch_limit(700);
    sb_status full = add(writer, 1, &err);
    scratch_unlimit();
    ck_assert_int_eq(full, SB_IO_ERROR);
    ck_assert_ptr_nonnull(strstr(err.message, "a.glb cannot be written"));
    ck_assert_int_eq(add(writer, 1, NULL), SB_OK);
    scratch_limit(2000);
    full = sb_pose_writer_close(writer, &err);
    scratch_unlimit();
    ck_assert_int_eq(full, SB_IO_ERROR);
    char text[8] = "";
    ck_assert_int_eq(scratch_get(scratch_path("a.glb"), text, 8), 3);
    ck_assert_int_eq(scratch_entries(0), 1);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_file_that_would_be_too_long_is_refused_pose_by_pose) {
    sb_pose_writer_def def = {
        .path = scratch_path("a.glb"), .bodies = &bodies[1], .body_count = 1};
    sb_pose_writer *writer;
    sb_error err = {0};
    ck_assert_int_eq(sb_pose_writer_open(&writer, &def, NULL), SB_OK);
    const sb_vec3 *positions[1] = {wedges[0]};
    sb_status status = SB_OK;
    int count = -1;
    for (; !status && count < 40000; count++)
        status =
            sb_pose_writer_add(writer, 0.01 * (count + 1), positions, &err);
    ck_assert_int_eq(status, SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "4 GiB of a .glb file"));
    /* The weights alone: 4 n^2 bytes. */
    ck_assert_int_gt(count, 32000);
    ck_assert_int_lt(count, 32768);
    sb_pose_writer_abort(writer);
}
END_TEST

START_TEST(without_memory_nothing_is_left_behind) {
    const char *names[] = {"a.glb", "a.pc2"};
    for (int kind = 0; kind < 2; kind++) {
        int failures = 0;
        for (;; failures++) {
            sb_pose_writer_def def = {scratch_path(names[kind]), bodies, 2,
                                      NULL, 0};
            sb_pose_writer *writer;
            sb_error err = {0};
            sb_memory_fail_after(failures);
            sb_status status = sb_pose_writer_open(&writer, &def, &err);
            if (!status) {
                status = add(writer, 0, &err);
                if (status) sb_pose_writer_abort(writer);
                if (!status) status = sb_pose_writer_close(writer, &err);
            }
            sb_memory_fail_after(-1);
            ck_assert_int_eq(sb_memory_live_blocks(), 0);
            if (status == SB_OK) break;
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_int_eq(scratch_entries(0), kind);
        }
        ck_assert_int_gt(failures, 8);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pose_writer");
    TCase *tests = tcase_create("pose_writer");
    tcase_add_checked_fixture(tests, setup, scratch_remove);
    tcase_add_test(tests, glb_positions_add_up_to_every_pose);
    tcase_add_test(tests, glb_weights_show_each_pose_at_its_time);
    tcase_add_test(tests, another_reader_sees_the_same_poses);
    tcase_add_test(tests, pc2_has_all_points_of_all_poses_and_an_obj_beside_it);
    tcase_add_test(tests, pc2_refuses_unequal_distances);
    tcase_add_test(tests, a_stream_that_goes_on_gives_the_same_bytes);
    tcase_add_test(tests, a_stream_without_the_poses_is_refused);
    tcase_add_test(tests, bad_definitions_get_a_sentence);
    tcase_add_test(tests, bad_poses_are_left_out_and_the_others_stay);
    tcase_add_test(tests, a_full_disk_leaves_the_old_file);
    tcase_add_test(tests,
                   a_file_that_would_be_too_long_is_refused_pose_by_pose);
    tcase_add_test(tests, without_memory_nothing_is_left_behind);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
