/* SPDX-License-Identifier: MIT */
/* Models from .modal files as shapes of a scene: equal modes, retuning,
 * shared sources, and files without modes. */
#include "runtime/base/bumps.h"
#include "runtime/base/memory.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/model_file.h"
#include "runtime/store/model_maker.h"
#include "runtime/store/model_source.h"
#include "runtime/store/surface_source.h"
#include "tests/model/model_test.h"
#include "tests/scratch.h"

static const sb_shape plate = {.kind = SB_SHAPE_PLATE,
                               .width = .3,
                               .depth = .2,
                               .thickness = .004,
                               .method = SB_METHOD_SHELL,
                               .elements = 8,
                               .max_hz = 3000,
                               .keeps_beats = true};
static const sb_maker no_cache = {.cache = {.folder = ""}};
static sb_model *original;

static sb_model *make_of(const sb_shape *shape, sb_material material) {
    sb_model *model;
    sb_error err = {0};
    ck_assert_msg(
        sb_maker_make(&no_cache, shape, &material, NULL, &model, &err) == SB_OK,
        "%s", err.message);
    return model;
}

static void setup(void) {
    scratch_make();
    original = make_of(&plate, steel());
}

static void teardown(void) {
    sb_model_release(original);
    scratch_remove();
}

static void write_files(void) {
    sb_material material = steel();
    sb_model_file file = {
        .solution = (sb_solution *)(uintptr_t)sb_model_solution(original)};
    sb_model_export model = {.name = "plate",
                             .method = "shell",
                             .solution = sb_model_solution(original),
                             .finished = sb_model_finished(original),
                             .material = &material};
    ck_assert_int_eq(sb_model_file_write(scratch_path("p.modal"), &file, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_model_export_gltf(scratch_path("p.gltf"), &model, NULL),
                     SB_OK);
}

static sb_mesh_source *read_source(const char *name) {
    sb_mesh_source *source;
    sb_error err = {0};
    ck_assert_msg(
        sb_model_source_read(scratch_path(name), name, &source, &err) == SB_OK,
        "%s", err.message);
    return source;
}

static sb_model *model_of(const sb_mesh_source *source, sb_material material) {
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .mesh = source,
                      .max_hz = 3000,
                      .keeps_beats = true};
    return make_of(&shape, material);
}

static const char *const names[] = {"p.modal", "p.gltf"};

START_TEST(a_model_comes_back_as_it_was) {
    write_files();
    sb_mesh_source *source = read_source(names[_i]);
    sb_model *back = model_of(source, steel());
    int count = sb_model_mode_count(original);
    ck_assert_int_eq(sb_model_mode_count(back), count);
    double a[WEIGHTS_MOST], b[WEIGHTS_MOST];
    const sb_vec3 at = {.11, 0, .07};
    sb_model_weights(original, sb_model_nearest(original, at), &along_y, a);
    sb_model_weights(back, sb_model_nearest(back, at), &along_y, b);
    for (int k = 0; k < count; k++) {
        const sb_mode *p = &sb_model_modes(original)[k];
        const sb_mode *q = &sb_model_modes(back)[k];
        ck_assert_double_eq_tol(q->freq_hz / p->freq_hz, 1, 1e-9);
        ck_assert_double_eq_tol(q->sigma_per_s / p->sigma_per_s, 1, 1e-9);
        ck_assert_double_eq_tol(q->radiation / p->radiation, 1, 1e-3);
        ck_assert_double_eq_tol(fabs(b[k]), fabs(a[k]), 1e-4);
    }
    ck_assert_double_eq_tol(sb_model_mass_kg(back), sb_model_mass_kg(original),
                            1e-9);
    sb_model_release(back);
    sb_mesh_source_release(source);
}
END_TEST

/* E times 1.21: pitches times 1.1, and nothing is solved. */
START_TEST(it_is_retuned_like_any_other) {
    write_files();
    sb_mesh_source *source = read_source(names[_i]);
    sb_material stiff = steel();
    stiff.youngs_modulus *= 1.21;
    sb_model *model = model_of(source, stiff);
    ck_assert_double_eq_tol(sb_model_modes(model)[0].freq_hz /
                                sb_model_modes(original)[0].freq_hz,
                            1.1, 1e-9);
    sb_model_release(model);
    sb_mesh_source_release(source);
}
END_TEST

/* The finish that a body of the material has, with the draft's fields. */
START_TEST(a_surface_comes_back_as_it_was) {
    write_files();
    sb_surface_source back;
    sb_material material = steel();
    ck_assert_int_eq(
        sb_surface_source_read(scratch_path("p.gltf"), &back, NULL), SB_OK);
    ck_assert_double_eq(back.roughness_m, material.roughness);
    ck_assert_double_eq(back.longest_m, sb_bump_length_m(material.roughness));
    ck_assert_double_eq(back.shortest_m, back.longest_m / 16);
    ck_assert_double_eq(back.exponent, 2);
    ck_assert_ptr_null(back.heights_m);
    ck_assert_str_eq(back.unused, "");
    sb_surface_source_free(&back);
}
END_TEST

#define HEAD                                               \
    "{\"asset\": {\"version\": \"2.0\"}, \"extensions\": " \
    "{\"KHR_audio_rigid_bodies\": {\"acousticSurfaces\": ["
#define TAIL                                                        \
    "]}}, \"buffers\": [{\"byteLength\": 12, \"uri\": "             \
    "\"data:application/octet-stream;base64,AACAPwAAAEAAAIC/\"}], " \
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 12}], "      \
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, " \
    "\"count\": 3, \"type\": \"SCALAR\"}]}"

static sb_status read_surface(const char *json, sb_surface_source *out,
                              sb_error *err) {
    FILE *file = fopen(scratch_path("s.gltf"), "w");
    ck_assert_ptr_nonnull(file);
    (void)fprintf(file, "%s%s%s", HEAD, json, TAIL);
    ck_assert_int_eq(fclose(file), 0);
    return sb_surface_source_read(scratch_path("s.gltf"), out, err);
}

START_TEST(a_surface_of_the_draft_is_read) {
    sb_surface_source s;
    ck_assert_int_eq(read_surface("{}", &s, NULL), SB_OK);
    ck_assert_double_eq(s.roughness_m, 2e-6); /* the draft's defaults */
    ck_assert_double_eq(s.longest_m, 5e-5);
    ck_assert_double_eq(s.exponent, 2.4);
    ck_assert_double_eq(s.shortest_m, 5e-5 / 16);
    ck_assert_int_eq(
        read_surface("{\"shortWavelength\": 1e-6, \"waviness\": 1e-6, "
                     "\"wavinessLength\": 1e-3, \"normalTexture\": {}}",
                     &s, NULL),
        SB_OK);
    ck_assert_double_eq(s.shortest_m, 1e-6);
    ck_assert_str_eq(s.unused, "waviness and normalTexture");
    ck_assert_int_eq(
        read_surface("{\"profile\": 0, \"sampleSpacing\": 1e-5}", &s, NULL),
        SB_OK);
    ck_assert_int_eq(s.count, 3);
    ck_assert_double_eq(s.spacing_m, 1e-5);
    ck_assert_float_eq(s.heights_m[2], -1);
    sb_surface_source_free(&s);
}
END_TEST

static const char *const wrong[][2] = {
    {"", "it has no acousticSurface of KHR_audio_rigid_bodies"},
    {"{\"roughness\": -1}", "roughness -1, correlationLength 5e-05"},
    {"{\"shortWavelength\": 1}", "are no surface"},
    {"{\"profile\": 0}", "profile: it needs 2 to 1048576 floats"},
    {"{\"profile\": 7, \"sampleSpacing\": 1}", "profile"},
};

START_TEST(a_wrong_surface_is_refused) {
    sb_surface_source s;
    sb_error err = {0};
    ck_assert_int_eq(read_surface(wrong[_i][0], &s, &err), SB_BAD_FORMAT);
    ck_assert_msg(strstr(err.message, wrong[_i][1]) != NULL, "%s", err.message);
    ck_assert_ptr_null(s.heights_m);
}
END_TEST

START_TEST(sources_of_one_file_are_the_same) {
    write_files();
    sb_mesh_source *a = read_source("p.modal"), *b = read_source("p.modal");
    ck_assert_double_eq(sb_mesh_source_ratio(a, b), 1);
    sb_mesh_source_release(a);
    sb_mesh_source_release(b);
}
END_TEST

START_TEST(what_holds_no_modes_is_refused) {
    sb_mesh_source *source = NULL;
    sb_error err = {0};
    scratch_put("x.modal", "nothing of the kind");
    ck_assert_int_eq(
        sb_model_source_read(scratch_path("x.modal"), "x", &source, &err),
        SB_BAD_FORMAT);
    scratch_put("x.gltf", "{ \"asset\": { \"version\": \"2.0\" } }");
    ck_assert_int_eq(
        sb_model_source_read(scratch_path("x.gltf"), "x", &source, &err),
        SB_BAD_FORMAT);
    ck_assert_int_eq(
        sb_model_source_read(scratch_path("none.modal"), "x", &source, &err),
        SB_NOT_FOUND);
    ck_assert_msg(strstr(err.message, "none.modal"), "%s", err.message);
    ck_assert_ptr_null(source);
    ck_assert(sb_model_source_is_file("a/B.GLTF"));
    ck_assert(!sb_model_source_is_file("modal"));
    ck_assert(!sb_model_source_is_file("a.obj"));
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    write_files();
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path(names[_i]));
    long before = sb_memory_live_blocks();
    bool is_done = false;
    for (long n = 0; !is_done; n++) {
        sb_mesh_source *source = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_model_source_read(path, "p", &source, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_mesh_source_release(source);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("model source");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_model_comes_back_as_it_was, 0, 2);
    tcase_add_loop_test(tests, it_is_retuned_like_any_other, 0, 2);
    tcase_add_test(tests, sources_of_one_file_are_the_same);
    tcase_add_test(tests, what_holds_no_modes_is_refused);
    tcase_add_loop_test(tests, every_failing_allocation_is_survived, 0, 2);
    tcase_add_test(tests, a_surface_comes_back_as_it_was);
    tcase_add_test(tests, a_surface_of_the_draft_is_read);
    tcase_add_loop_test(tests, a_wrong_surface_is_refused, 0,
                        sizeof wrong / sizeof *wrong);
    Suite *suite = suite_create("model source");
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
