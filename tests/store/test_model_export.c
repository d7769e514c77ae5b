/* SPDX-License-Identifier: MIT */
/* Models for other programs: what is written is what was meant, what can be
 * read comes back, and bad files get a sentence. */
#include "runtime/base/memory.h"
#include "runtime/base/principal.h"
#include "runtime/store/export/gltf_access.h"
#include "runtime/store/export/model_gltf.h"
#include "tests/model/fill/skin.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <cjson/cJSON.h>

static const sb_material glass = {2600, 6.2e10, 0.3, 1, 1e-7, 1e9,
                                  1e-6, 0.5,    0.4, 0, 0};

typedef struct example {
    surface skin;
    sb_solution solution;
    sb_finished finished;
    sb_model_export model;
} example;

/* Ten modes, two of which are one pitch. */
static void example_make(example *e) {
    e->skin = skin_sphere(3, 0.1);
    skin_random_modes(&e->skin, 10, 1, 300, 9000, &glass);
    e->skin.lambdas[4] = e->skin.lambdas[3];
    e->solution = skin_solution(&e->skin);
    e->solution.facts.centre_m = (sb_vec3){0.01, -0.02, 0.03};
    const double inertia[6] = {3e-6, 2e-6, 4e-6, 5e-7, -3e-7, 1e-7};
    memcpy(e->solution.facts.inertia_m5, inertia, sizeof inertia);
    sb_finish_def def = sb_finish_def_default();
    ck_assert_int_eq(
        sb_solution_finish(&e->solution, &glass, &def, &e->finished, NULL),
        SB_OK);
    ck_assert_int_eq(e->finished.mode_count, 9);
    e->model = (sb_model_export){.name = "a \"bell\"\n",
                                 .method = "solid",
                                 .solution = &e->solution,
                                 .finished = &e->finished,
                                 .material = &glass,
                                 .material_name = "glass"};
}

static void example_free(example *e) {
    sb_finished_free(&e->finished);
    skin_free(&e->skin);
}

static char *text_of(const char *name) {
    char *text = calloc(1, 1 << 22);
    long count = scratch_get(scratch_path(name), text, (1 << 22) - 1);
    ck_assert_int_gt(count, 0);
    ck_assert_int_lt(count, (1 << 22) - 1);
    return text;
}

static void put_text(const char *name, const char *text) {
    scratch_put(name, text);
}

/* --- JSON and CSV --------------------------------------------------------- */

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(object, name);
    ck_assert_msg(cJSON_IsNumber(item), "%s is no number", name);
    return item->valuedouble;
}

START_TEST(json_says_it_all) {
    example e;
    example_make(&e);
    ck_assert_int_eq(
        sb_model_export_json(scratch_path("a.json"), &e.model, NULL), SB_OK);
    char *text = text_of("a.json");
    cJSON *root = cJSON_Parse(text);
    ck_assert_ptr_nonnull(root);
    ck_assert_str_eq(cJSON_GetObjectItem(root, "name")->valuestring,
                     "a \"bell\"\n");
    ck_assert_double_eq(number(root, "mass_kg"), 0.26);
    ck_assert_double_eq(number(cJSON_GetObjectItem(root, "material"), "beta"),
                        1e-7);
    const cJSON *vertices = cJSON_GetObjectItem(root, "vertices_m");
    ck_assert_int_eq(cJSON_GetArraySize(vertices), e.skin.vertex_count);
    const cJSON *p = cJSON_GetArrayItem(cJSON_GetArrayItem(vertices, 7), 1);
    ck_assert_float_eq((float)p->valuedouble, e.skin.vertices[7][1]);
    const cJSON *faces = cJSON_GetObjectItem(root, "faces");
    ck_assert_int_eq(cJSON_GetArraySize(faces), e.skin.face_count);
    const cJSON *modes = cJSON_GetObjectItem(root, "modes");
    ck_assert_int_eq(cJSON_GetArraySize(modes), 9);
    for (int k = 0; k < 9; k++) {
        const sb_finished_mode *mode = &e.finished.modes[k];
        const cJSON *json = cJSON_GetArrayItem(modes, k);
        ck_assert_double_eq(number(json, "freq_hz"), mode->freq_hz);
        ck_assert_double_eq(number(json, "sigma_per_s"), mode->sigma_per_s);
        ck_assert_double_eq(number(json, "radiation"), mode->radiation);
        const cJSON *members = cJSON_GetObjectItem(json, "members");
        ck_assert_int_eq(cJSON_GetArraySize(members), mode->member_count);
        const cJSON *psi = cJSON_GetArrayItem(
            cJSON_GetArrayItem(cJSON_GetArrayItem(members, 0), 11), 2);
        int at = (11 * e.finished.member_count + mode->first_member) * 3 + 2;
        ck_assert_float_eq((float)psi->valuedouble, e.finished.shapes[at]);
    }
    cJSON_Delete(root);
    free(text);
    example_free(&e);
}
END_TEST

START_TEST(csv_has_a_line_a_mode) {
    example e;
    example_make(&e);
    ck_assert_int_eq(sb_model_export_csv(scratch_path("a.csv"), &e.model, NULL),
                     SB_OK);
    char *text = text_of("a.csv"), *rest = NULL;
    char *line = strtok_r(text, "\n", &rest);
    ck_assert_str_eq(line, "mode,freq_hz,sigma_per_s,t60_s,radiation,members,"
                           "rms_weight");
    for (int k = 0; k < 9; k++) {
        line = strtok_r(NULL, "\n", &rest);
        ck_assert_ptr_nonnull(line);
        double values[7];
        char *at = line;
        for (int i = 0; i < 7; i++, at++)
            values[i] = strtod(at, &at);
        const sb_finished_mode *mode = &e.finished.modes[k];
        ck_assert_double_eq(values[0], k + 1);
        ck_assert_double_eq(values[1], mode->freq_hz);
        ck_assert_double_eq(values[2], mode->sigma_per_s);
        ck_assert_double_eq_tol(values[3] * values[2], log(1000), 1e-12);
        ck_assert_double_eq(values[4], mode->radiation);
        ck_assert_double_eq(values[5], mode->member_count);
        ck_assert_double_gt(values[6], 0);
    }
    ck_assert_ptr_null(strtok_r(NULL, "\n", &rest));
    free(text);
    example_free(&e);
}
END_TEST

/* --- glTF ----------------------------------------------------------------- */

static sb_gltf_model imported(const char *name) {
    sb_gltf_model model;
    sb_error err = {0};
    sb_status status = sb_model_import_gltf(scratch_path(name), &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return model;
}

static void expect_same(const example *e, const sb_gltf_model *back) {
    const sb_finished *f = &e->finished, *g = &back->finished;
    size_t vertices = (size_t)e->skin.vertex_count;
    ck_assert_int_eq(back->vertex_count, e->skin.vertex_count);
    ck_assert_int_eq(back->face_count, e->skin.face_count);
    ck_assert_mem_eq(back->vertices, e->skin.vertices, vertices * 12);
    ck_assert_mem_eq(back->faces, e->skin.faces,
                     (size_t)e->skin.face_count * 12);
    ck_assert_int_eq(g->vertex_count, f->vertex_count);
    ck_assert_int_eq(g->mode_count, f->mode_count);
    ck_assert_int_eq(g->member_count, f->member_count);
    ck_assert_mem_eq(g->modes, f->modes,
                     (size_t)f->mode_count * sizeof *f->modes);
    ck_assert_mem_eq(g->shapes, f->shapes,
                     vertices * (size_t)f->member_count * 12);
}

START_TEST(gltf_comes_back_as_it_was) {
    example e;
    example_make(&e);
    ck_assert_int_eq(
        sb_model_export_gltf(scratch_path("a.gltf"), &e.model, NULL), SB_OK);
    sb_gltf_model back = imported("a.gltf");
    expect_same(&e, &back);
    ck_assert(back.has_material && back.has_mass);
    ck_assert_mem_eq(&back.material, &glass, sizeof glass);
    ck_assert_double_eq(back.mass_kg, 0.26);
    ck_assert_double_eq(back.centre_m.y, -0.02);
    for (int i = 0; i < 6; i++) {
        double exact = e.solution.facts.inertia_m5[i] * 2600;
        ck_assert_double_eq_tol(back.inertia[i], exact, 1e-14);
    }
    ck_assert_double_eq(back.sheet_m, 0);
    sb_gltf_model_free(&back);
    example_free(&e);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_grain_goes_to_gltf_and_json) {
    example e;
    example_make(&e);
    sb_material wood = glass;
    wood.youngs_modulus_across = 1e9;
    wood.shear_modulus = 7e8;
    e.model.material = &wood;
    ck_assert_int_eq(
        sb_model_export_gltf(scratch_path("a.gltf"), &e.model, NULL), SB_OK);
    sb_gltf_model back = imported("a.gltf");
    ck_assert_mem_eq(&back.material, &wood, sizeof wood);
    sb_gltf_model_free(&back);
    ck_assert_int_eq(
        sb_model_export_json(scratch_path("a.json"), &e.model, NULL), SB_OK);
    char *text = text_of("a.json");
    cJSON *root = cJSON_Parse(text);
    const cJSON *json = cJSON_GetObjectItem(root, "material");
    ck_assert_double_eq(number(json, "youngs_modulus_across"), 1e9);
    ck_assert_double_eq(number(json, "shear_modulus"), 7e8);
    cJSON_Delete(root);
    free(text);
    example_free(&e);
}
END_TEST

/* The text with one part of it changed; the part must be there. */
static char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "there is no %s", from);
    size_t before = (size_t)(at - text);
    char *result = calloc(strlen(text) + strlen(to) + 1, 1);
    memcpy(result, text, before);
    strcpy(result + before, to);
    strcat(result + before, at + strlen(from));
    return result;
}

/* Without our extras each mode is its own, with the draft's floats. */
START_TEST(a_draft_without_extras_is_enough) {
    example e;
    example_make(&e);
    ck_assert_int_eq(
        sb_model_export_gltf(scratch_path("a.gltf"), &e.model, NULL), SB_OK);
    char *text = text_of("a.gltf");
    char *plain = changed(text, "\"extras\": {\"sandbell\": {\"version\"",
                          "\"extras\": {\"other\": {\"version\"");
    put_text("b.gltf", plain);
    sb_gltf_model back = imported("b.gltf");
    ck_assert_int_eq(back.finished.mode_count, 10);
    for (int k = 0, member = 0; k < 9; k++) {
        const sb_finished_mode *mode = &e.finished.modes[k];
        for (int i = 0; i < mode->member_count; i++, member++) {
            const sb_finished_mode *other = &back.finished.modes[member];
            ck_assert_int_eq(other->member_count, 1);
            ck_assert_double_eq_tol(other->freq_hz / mode->freq_hz, 1, 1e-7);
            ck_assert_double_eq_tol(other->sigma_per_s / mode->sigma_per_s, 1,
                                    1e-7);
        }
    }
    sb_gltf_model_free(&back);
    free(text);
    free(plain);
    example_free(&e);
}
END_TEST

/* Data beside the file, with strides and 16-bit indices; modes out of order. */
START_TEST(others_files_can_be_read) {
    float data[64] = {0,   0,   0, 9, 1, 0,
                      0,   9,   0, 1, 0, 9, /* VEC3, stride 16 */
                      500, 200,             /* Hz */
                      2,   3};              /* 1/s */
    for (int i = 0; i < 18; i++)
        data[16 + i] = (float)i;
    const uint16_t indices[4] = {0, 1, 2, 0};
    memcpy(&data[34], indices, sizeof indices);
    FILE *file = fopen(scratch_path("b.bin"), "wb");
    ck_assert_uint_eq(fwrite(data, 4, 36, file), 36);
    (void)fclose(file);
    const char *text =
        "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": "
        "144, \"uri\": \"b.bin\"}], \"bufferViews\": [{\"buffer\": 0, "
        "\"byteLength\": 48, \"byteStride\": 16}, {\"buffer\": 0, "
        "\"byteOffset\": 48, \"byteLength\": 96}], \"accessors\": ["
        "{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": "
        "\"VEC3\"}, {\"bufferView\": 1, \"componentType\": 5126, \"count\": 2, "
        "\"type\": \"SCALAR\"}, {\"bufferView\": 1, \"byteOffset\": 8, "
        "\"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\"}, "
        "{\"bufferView\": 1, \"byteOffset\": 16, \"componentType\": 5126, "
        "\"count\": 6, \"type\": \"VEC3\"}, {\"bufferView\": 1, "
        "\"byteOffset\": 88, \"componentType\": 5123, \"count\": 3, \"type\": "
        "\"SCALAR\"}], \"extensions\": {\"KHR_audio_rigid_bodies\": "
        "{\"modalModels\": [{\"positions\": 0, \"frequencies\": 1, "
        "\"decayRates\": 2, \"shapes\": 3, \"indices\": 4}]}}}";
    put_text("b.gltf", text);
    sb_gltf_model back = imported("b.gltf");
    ck_assert_int_eq(back.finished.mode_count, 2);
    ck_assert_double_eq_tol(back.finished.modes[0].freq_hz, 200, 1e-3);
    ck_assert_double_eq(back.finished.modes[0].sigma_per_s, 3);
    ck_assert_double_eq_tol(back.finished.modes[1].freq_hz, 500, 1e-3);
    ck_assert_float_eq(back.vertices[2][1], 1);
    /* [vertex][mode][3]: vertex 1 of the second in the file is 12 13 14. */
    ck_assert_float_eq(back.finished.shapes[(1 * 2 + 0) * 3], 12);
    ck_assert_float_eq(back.finished.shapes[(2 * 2 + 1) * 3 + 1], 7);
    ck_assert(!back.has_material && !back.has_mass);
    ck_assert_double_eq(back.sheet_m, 1e-3); /* a triangle has no inside */
    sb_gltf_model_free(&back);
}
END_TEST

static void expect_refused(const char *text, const char *sentence) {
    put_text("bad.gltf", text);
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("bad.gltf"));
    sb_gltf_model model;
    sb_error err = {0};
    long live = sb_memory_live_blocks();
    sb_status status = sb_model_import_gltf(path, &model, &err);
    ck_assert_msg(status == SB_BAD_FORMAT || status == SB_NOT_FOUND, "%s: %s",
                  sentence, sb_status_name(status));
    ck_assert_msg(strstr(err.message, sentence) != NULL, "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), live);
}

START_TEST(bad_files_get_a_sentence) {
    static const char *const changes[][3] = {
        {"\"modalModels\"", "\"noModels\"",
         "it has no modal model of KHR_audio"},
        {"\"frequencies\": 2", "\"frequencies\": 99",
         "frequencies: it must be a non-sparse accessor of type SCALAR"},
        {"\"frequencies\": 2", "\"frequencies\": -1",
         "frequencies: it must be"},
        {"\"frequencies\": 2", "\"frequencies\": 1.5",
         "frequencies: it must be"},
        {"\"shapes\": 4", "\"shapes\": 0", "do not fit together"},
        {"\"decayRates\": 3", "\"decayRates\": 1", "must be floats"},
        {"\"indices\": 1, \"material\"", "\"material\"", "indices: it must be"},
        {"\"material\": 0", "\"material\": 7", "no such acousticMaterial"},
        {"\"members\": [1", "\"members\": [2", "extras.sandbell: mode"},
        {"\"members\": [1", "\"members\": [1e300", "mode 0 is invalid"},
        {"\"members\": [1", "\"members\": [\"x\"", "mode 0 is invalid"},
        {"\"radiation\": [", "\"radiation\": [-1, ", "mode 0 is invalid"},
        {"\"buffer\": 0", "\"buffer\": 3", "buffers[3]: it has no uri"},
        {"\"buffer\": 0", "\"buffer\": 33", "bufferViews[0] is missing"},
        {"\"byteOffset\": 0,", "\"byteOffset\": 9e15,", "exceeds"},
        {"\"byteOffset\": 0,", "\"byteOffset\": 0, \"byteStride\": 200,",
         "exceeds"},
        {"\"buffers\": [{\"byteLength\": ", "\"buffers\": [{\"byteLength\": 1",
         "does not have byteLength bytes"},
        {";base64,", ";base65,", "only data inside the file"},
        {";base64,", ";base64,*", "its data is not base64"},
        {"\"asset\"", "asset", "line 1: it is not a JSON object"},
    };
    example e;
    example_make(&e);
    ck_assert_int_eq(
        sb_model_export_gltf(scratch_path("a.gltf"), &e.model, NULL), SB_OK);
    char *text = text_of("a.gltf");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *bad = changed(text, changes[i][0], changes[i][1]);
        expect_refused(bad, changes[i][2]);
        free(bad);
    }
    const char *data = "data:application/octet-stream;base64,";
    char *cut = calloc(strlen(text) + 1, 1);
    size_t start = (size_t)(strstr(text, data) - text);
    memcpy(cut, text, start);
    strcat(cut, "../secret.bin\"}]}");
    expect_refused(cut, "only data inside the file or in a file next to it");
    cut[start] = '\0';
    strcat(cut, "none.bin\"}]}");
    expect_refused(cut, "none.bin cannot be read: No such file");
    cut[start] = '\0';
    expect_refused(cut, "it is not a JSON object");
    expect_refused("glTF\2", "it is binary");
    expect_refused("[]", "it is not a JSON object");
    sb_gltf_model model;
    ck_assert_int_eq(sb_model_import_gltf(scratch_path("no"), &model, NULL),
                     SB_NOT_FOUND);
    free(cut);
    free(text);
    example_free(&e);
}
END_TEST

/* Any byte changed: refused or read, never a crash. */
START_TEST(changed_bytes_are_harmless) {
    example e;
    example_make(&e);
    ck_assert_int_eq(
        sb_model_export_gltf(scratch_path("a.gltf"), &e.model, NULL), SB_OK);
    char *text = text_of("a.gltf");
    size_t data = (size_t)(strstr(text, "base64,") - text) + 200;
    sb_random random = sb_random_make(1, 1);
    for (int i = 0; i < 300; i++) {
        size_t at = sb_random_u32(&random) % data;
        char old = text[at];
        text[at] = (char)(32 + sb_random_u32(&random) % 95);
        put_text("b.gltf", text);
        sb_gltf_model model;
        if (!sb_model_import_gltf(scratch_path("b.gltf"), &model, NULL)) {
            sb_gltf_model_free(&model);
        }
        text[at] = old;
    }
    free(text);
    example_free(&e);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- parts ---------------------------------------------------------------- */

START_TEST(base64_is_what_others_write) {
    static const char *const pairs[][2] = {
        {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}};
    for (size_t i = 0; i < 4; i++) {
        const char *bytes = pairs[i][0], *text = pairs[i][1];
        size_t count = strlen(bytes), last = (count - 1) / 3 * 3;
        char group[5] = {0}, back[8] = {0};
        sb_base64_group((const unsigned char *)bytes + last, count - last,
                        group);
        ck_assert_str_eq(group, text + strlen(text) - 4);
        ck_assert(sb_base64_decode(text, strlen(text), back, count));
        ck_assert_str_eq(back, bytes);
        ck_assert(!sb_base64_decode(text, strlen(text) - 1, back, count));
        ck_assert(!sb_base64_decode(text, strlen(text), back, count + 3));
    }
    char back[8];
    ck_assert(!sb_base64_decode("Zg=a", 4, back, 1));
    ck_assert(!sb_base64_decode("Z===", 4, back, 1));
}
END_TEST

START_TEST(principal_axes_turn_back) {
    sb_random random = sb_random_make(2, 3);
    for (int trial = 0; trial < 50; trial++) {
        double tensor[6], diagonal[3], back[6];
        sb_quat turn;
        for (int i = 0; i < 6; i++)
            tensor[i] = sb_random_unit(&random) - 0.3;
        if (trial % 5 == 0) tensor[3] = tensor[4] = 0;
        sb_principal(tensor, diagonal, &turn);
        sb_principal_tensor(diagonal, turn, back);
        ck_assert_double_eq_tol(turn.w * turn.w + turn.x * turn.x +
                                    turn.y * turn.y + turn.z * turn.z,
                                1, 1e-12);
        for (int i = 0; i < 6; i++)
            ck_assert_double_eq_tol(back[i], tensor[i], 1e-12);
    }
}
END_TEST

START_TEST(every_failed_allocation_leaves_nothing) {
    example e;
    example_make(&e);
    long live = sb_memory_live_blocks();
    for (int what = 0; what < 4; what++) {
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status != SB_OK; n++) {
            ck_assert_int_lt(n, 60);
            char path[400];
            sb_gltf_model model;
            (void)snprintf(path, sizeof path, "%s", scratch_path("a.gltf"));
            sb_memory_fail_after(n);
            if (what == 0) status = sb_model_export_json(path, &e.model, NULL);
            if (what == 1) status = sb_model_export_csv(path, &e.model, NULL);
            if (what == 2) status = sb_model_export_gltf(path, &e.model, NULL);
            if (what == 3) status = sb_model_import_gltf(path, &model, NULL);
            sb_memory_fail_after(-1);
            if (what == 3 && !status) sb_gltf_model_free(&model);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_int_eq(sb_memory_live_blocks(), live);
        }
    }
    example_free(&e);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model_export");
    TCase *tcase = tcase_create("model_export");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, json_says_it_all);
    tcase_add_test(tcase, csv_has_a_line_a_mode);
    tcase_add_test(tcase, gltf_comes_back_as_it_was);
    tcase_add_test(tcase, a_grain_goes_to_gltf_and_json);
    tcase_add_test(tcase, a_draft_without_extras_is_enough);
    tcase_add_test(tcase, others_files_can_be_read);
    tcase_add_test(tcase, bad_files_get_a_sentence);
    tcase_add_test(tcase, changed_bytes_are_harmless);
    tcase_add_test(tcase, base64_is_what_others_write);
    tcase_add_test(tcase, principal_axes_turn_back);
    tcase_add_test(tcase, every_failed_allocation_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
