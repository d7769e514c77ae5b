/* SPDX-License-Identifier: MIT */
/* Baked and read back, the weights are those of the mode shapes: at the
 * texels, between them, up to the rim and the seams; and zero on nodal
 * lines. */
#include "runtime/media/image/image.h"
#include "runtime/media/image/png_file.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/textures/texel_map.h"
#include "runtime/model/textures/texture.h"
#include "runtime/store/texture_read.h"
#include "tests/model/solve_fixture.h"
#include "tests/scratch.h"

enum { MODES = 8, SIZE = 256, FILE_MOST = 1 << 20 };

#define TOLERANCE 1e-3 /* relative to the largest */

/* --- writing and reading files -------------------------------------------- */

typedef struct baked {
    sb_texel_map map;
    int mode_count;
    double largest[MODES];
    double *weights[MODES];
    sb_texture *read[MODES]; /* from the files */
} baked;

static double *read_weights(const char *path, const sb_texel_map *map) {
    sb_image image;
    sb_weights_note note;
    sb_error err;
    sb_status status = sb_image_read(&image, path, &err);
    ck_assert_msg(status == SB_OK, "%s", status ? err.message : "");
    ck_assert(image.has_note && sb_weights_note_read(image.note, &note));
    ck_assert(note.has_scale);
    ck_assert_int_eq(image.width, map->width);
    ck_assert_int_eq(image.height, map->height);
    int texels = map->width * map->height;
    double *weights = malloc((size_t)texels * sizeof *weights);
    for (int i = 0; i < texels; i++) {
        long code = lround((double)image.values[i] * 65535);
        weights[i] = (double)(code - SB_CODE_ZERO) * note.scale / SB_CODE_REACH;
    }
    sb_image_free(&image);
    return weights;
}

static baked bake(const sb_model *model, int size, int modes) {
    baked made = {.mode_count = modes};
    sb_error err = {0};
    sb_status status = sb_texel_map_make(model, size, &made.map, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    size_t texels = (size_t)made.map.width * (size_t)made.map.height;
    float *weights = malloc((size_t)modes * texels * sizeof *weights);
    status = sb_texel_map_weights(&made.map, model, 0, modes, weights, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    for (int k = 0; k < modes; k++) {
        const float *one = weights + (size_t)k * texels;
        const char *path = scratch_path("mode.png");
        made.largest[k] = sb_texel_map_largest(&made.map, one);
        status =
            sb_png16_write_weights(path, made.map.width, made.map.height, one,
                                   sb_texel_map_scale(&made.map, one), &err);
        ck_assert_msg(status == SB_OK, "%s", err.message);
        made.weights[k] = read_weights(path, &made.map);
        sb_texture_files files = {.paths = &path,
                                  .path_count = 1,
                                  .wrap = made.map.repeats ? SB_TEXTURE_REPEAT
                                                           : SB_TEXTURE_CLAMP};
        status = sb_texture_read(&files, &made.read[k], &err);
        ck_assert_msg(status == SB_OK, "%s", err.message);
    }
    free(weights);
    return made;
}

static void drop(baked *made) {
    for (int k = 0; k < made->mode_count; k++)
        free(made->weights[k]);
    for (int k = 0; k < made->mode_count; k++)
        sb_texture_release(made->read[k]);
    sb_texel_map_free(&made->map);
}

/* Reads it as a body does. */
static double read_at(const baked *made, int k, double u, double v) {
    double weight = 0;
    sb_texture_weights(made->read[k], u, v, 1, NULL, &weight);
    return weight;
}

static void expect_weights(const baked *made, const sb_model *model,
                           sb_model_point point, double u, double v,
                           double *worst) {
    double *weights =
        malloc((size_t)sb_model_mode_count(model) * sizeof(double));
    sb_model_weights(model, point, NULL, weights);
    for (int k = 0; k < made->mode_count; k++) {
        double got = read_at(made, k, u, v);
        double off = fabs(got - weights[k]) / fmax(made->largest[k], 1e-30);
        if (made->largest[k] == 0) off = fabs(got);
        *worst = fmax(*worst, off);
        ck_assert_msg(off <= TOLERANCE,
                      "mode %d at %g, %g: read %.9g, is %.9g of %.9g", k + 1, u,
                      v, got, weights[k], made->largest[k]);
    }
    free(weights);
}

static void show(const char *what, double texels, double between) {
    if (getenv("SHOW")) {
        printf("%-18s at texels %.1e, between %.1e\n", what, texels, between);
    }
}

/* --- closed forms --------------------------------------------------------- */

/* At all texels, and at arbitrary places up to the edges. */
static void expect_form(const char *what, sb_shape shape, double max_hz,
                        int modes) {
    sb_material material = heard_steel();
    sb_model_limits limits = {.max_hz = max_hz, .max_modes = MODES};
    sb_model *model = NULL;
    sb_error err = {0};
    sb_status status =
        sb_model_create(&shape, &material, &limits, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_ge(sb_model_mode_count(model), modes);
    baked made = bake(model, SIZE, modes);
    bool has_rim = made.map.covered_count < SIZE * made.map.height;
    double texels = 0, between = 0;
    for (int i = 0; i < SIZE * made.map.height; i += 7) {
        double u = (i % SIZE + 0.5) / SIZE;
        double v = (i / SIZE + 0.5) / made.map.height;
        if (made.map.texels[i].kind != SB_TEXEL_COVERED) continue;
        expect_weights(&made, model, sb_model_point_at(model, u, v), u, v,
                       &texels);
    }
    sb_random random = sb_random_make(6, 1);
    for (int i = 0; i < 4000; i++) {
        double u = sb_random_unit(&random), v = sb_random_unit(&random);
        if (has_rim && hypot(u - 0.5, v - 0.5) > 0.5) continue;
        expect_weights(&made, model, sb_model_point_at(model, u, v), u, v,
                       &between);
    }
    show(what, texels, between);
    drop(&made);
    sb_model_release(model);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static const sb_shape plate = {
    .kind = SB_SHAPE_PLATE, .width = 0.3, .depth = 0.24, .thickness = 0.002};
static const sb_shape disk = {
    .kind = SB_SHAPE_DISK, .radius = 0.15, .thickness = 0.002};

START_TEST(bars_and_plates_come_back) {
    expect_form("bar",
                (sb_shape){.kind = SB_SHAPE_BAR,
                           .length = 0.3,
                           .width = 0.03,
                           .thickness = 0.006},
                22000, 5);
    expect_form("free plate", plate, 22000, 8);
    sb_shape pinned = plate;
    pinned.support = SB_SUPPORT_PINNED;
    expect_form("pinned plate", pinned, 22000, 8);
}
END_TEST

START_TEST(what_is_round_comes_back_up_to_its_rim) {
    expect_form("disk", disk, 22000, 8);
    expect_form("round membrane",
                (sb_shape){.kind = SB_SHAPE_MEMBRANE,
                           .radius = 0.2,
                           .tension = 2000,
                           .surface_density = 0.3},
                2000, 8);
}
END_TEST

START_TEST(membranes_strings_and_rings_come_back) {
    expect_form("membrane",
                (sb_shape){.kind = SB_SHAPE_MEMBRANE,
                           .width = 0.4,
                           .depth = 0.3,
                           .tension = 2000,
                           .surface_density = 0.3},
                2000, 8);
    expect_form("string",
                (sb_shape){.kind = SB_SHAPE_STRING,
                           .length = 0.6,
                           .diameter = 0.0005,
                           .tension = 80},
                8000, 8);
    expect_form(
        "ring",
        (sb_shape){.kind = SB_SHAPE_RING, .radius = 0.05, .wire_radius = 0.002},
        22000, 8);
}
END_TEST

/* The lowest mode of a square free plate is xy: zero on both centre lines. */
START_TEST(a_nodal_line_is_silent) {
    sb_shape square_plate = plate;
    square_plate.depth = square_plate.width;
    sb_model *model = solved(square_plate, heard_steel());
    ck_assert_int_gt(sb_model_mode_count(model), 100);
    static const int sizes[] = {64, 101, 256};
    for (int s = 0; s < 3; s++) {
        baked made = bake(model, sizes[s], 1);
        double loudest = 0, worst = 0;
        for (int i = 0; i <= 200; i++) {
            double at = i / 200.0;
            loudest = fmax(loudest, fabs(read_at(&made, 0, at, at)));
            worst = fmax(worst, fabs(read_at(&made, 0, at, 0.5)));
            worst = fmax(worst, fabs(read_at(&made, 0, 0.5, at)));
        }
        double level_db = 20 * log10(fmax(worst, 1e-30) / loudest);
        if (getenv("SHOW"))
            printf("nodal line, %d texels: %.1f dB\n", sizes[s], level_db);
        ck_assert_double_gt(loudest, 0.9 * made.largest[0]);
        ck_assert_double_lt(level_db, -60);
        drop(&made);
    }
    sb_model_release(model);
}
END_TEST

/* --- meshes --------------------------------------------------------------- */

/* A sheet whose left and right halves are separate islands. It is not
 * square, since equal modes would be merged into one whose weight has cusps. */
static sb_model *sheet_of_islands(void) {
    sb_mesh mesh = square(0.3, 16, ALTERNATING);
    for (int v = 0; v < mesh.vertex_count; v++)
        mesh.vertices[v].z *= 0.8;
    mesh.uvs = sb_alloc((size_t)mesh.face_count, sizeof *mesh.uvs);
    for (int f = 0; f < mesh.face_count; f++) {
        double middle = 0, low = INFINITY;
        for (int c = 0; c < 3; c++)
            middle += mesh.vertices[mesh.faces[f][c]].x / 3;
        for (int v = 0; v < mesh.vertex_count; v++)
            low = fmin(low, mesh.vertices[v].x);
        bool is_right = middle > low + 0.15;
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = mesh.vertices[mesh.faces[f][c]];
            mesh.uvs[f][c][0] =
                (float)(0.07 + 2.5 * (p.x - low) + (is_right ? 0.11 : 0));
            mesh.uvs[f][c][1] = (float)(0.5 + 3 * p.z);
        }
    }
    sb_shape shape = shape_of(mesh, 0.002);
    shape.max_modes = 6;
    return solved_mesh(shape, heard_steel());
}

static void uv_of(const sb_model *model, sb_model_point point, double *u,
                  double *v) {
    const float(*uv)[2] = sb_model_solution(model)->uvs[point.face];
    double share = 1 - point.u - point.v;
    *u = share * uv[0][0] + point.u * uv[1][0] + point.v * uv[2][0];
    *v = share * uv[0][1] + point.u * uv[1][1] + point.v * uv[2][1];
}

START_TEST(a_mesh_comes_back_up_to_its_seams) {
    sb_model *model = sheet_of_islands();
    baked made = bake(model, 512, 4);
    ck_assert_int_eq(made.map.doubled_count, 0);
    ck_assert_int_eq(made.map.outside_count, 0);
    sb_random random = sb_random_make(6, 2);
    int faces = sb_model_solution(model)->face_count;
    double worst = 0;
    for (int i = 0; i < 6000; i++) {
        double s = sb_random_unit(&random), t = sb_random_unit(&random), u, v;
        sb_model_point point = {i % faces, s, t * (1 - s)};
        if (i % 4 == 0) point.v = 0;
        if (i % 4 == 1) point.u = 0;
        if (i % 4 == 2) point.v = 1 - point.u;
        uv_of(model, point, &u, &v);
        expect_weights(&made, model, point, u, v, &worst);
    }
    show("sheet", 0, worst);
    for (int i = 0; i < 512 * 512; i++)
        ck_assert_int_ne(made.map.texels[i].kind, SB_TEXEL_EMPTY);
    drop(&made);
    sb_model_release(model);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* Texels and faces are counted by hand. */
static sb_texel_map raster(int size, const float (*uvs)[3][2], int count) {
    sb_texel_map map = {.width = size, .height = size};
    size_t texels = (size_t)size * (size_t)size;
    map.texels = sb_alloc(texels, sizeof *map.texels);
    bool *is_doubled = sb_alloc(texels, sizeof *is_doubled);
    float *nearest = sb_alloc(texels, sizeof *nearest);
    sb_texel_raster(&map, uvs, count, is_doubled, nearest);
    sb_free(is_doubled);
    sb_free(nearest);
    return map;
}

START_TEST(texels_are_given_to_the_faces_they_are_in) {
    static const float halves[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}},
                                          {{0, 0}, {1, 1}, {0, 1}}};
    sb_texel_map map = raster(16, halves, 2);
    ck_assert_int_eq(map.covered_count, 256);
    ck_assert_int_eq(map.doubled_count, 0);
    ck_assert_int_eq(map.texels[15].face, 0);
    ck_assert_int_eq(map.texels[15 * 16].face, 1);
    /* Row 0, column 15: (31/32, 1/32) = shares of (1, 0) and (1, 1). */
    ck_assert_double_eq_tol(map.texels[15].s, 30.0 / 32, 1e-12);
    ck_assert_double_eq_tol(map.texels[15].t, 1.0 / 32, 1e-12);
    sb_texel_map_free(&map);

    static const float odd[3][3][2] = {{{0, 0}, {1, 0}, {1, 1}},
                                       {{0, 0}, {1, 0}, {1, 1}},
                                       {{3, 3}, {4, 3}, {4, 4}}};
    map = raster(16, odd, 3);
    ck_assert_int_eq(map.covered_count, 136);
    ck_assert_int_gt(map.doubled_count, 100);
    ck_assert_int_eq(map.outside_count, 1);
    sb_texel_map_free(&map);
}
END_TEST

START_TEST(a_face_over_the_edge_comes_in_at_the_other) {
    static const float over[2][3][2] = {{{0.5f, 0}, {1.25f, 0}, {1.25f, 1}},
                                        {{0.5f, 0}, {1.25f, 1}, {0.5f, 1}}};
    sb_texel_map map = raster(16, over, 2);
    ck_assert_int_eq(map.covered_count, 12 * 16);
    ck_assert_int_eq(map.texels[3].kind, SB_TEXEL_COVERED);
    ck_assert_int_eq(map.texels[3].face, 0);
    ck_assert_int_ne(map.texels[5].kind, SB_TEXEL_COVERED);
    sb_texel_map_free(&map);
}
END_TEST

/* --- refused input -------------------------------------------------------- */

static void refused_map(const sb_model *model, int size, const char *says) {
    sb_texel_map map = {0};
    sb_error err = {0};
    ck_assert_int_eq(sb_texel_map_make(model, size, &map, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, says), "%s", err.message);
    ck_assert_ptr_null(map.texels);
}

START_TEST(what_has_no_texture_says_so) {
    static const sb_hand_mode given = {440, 1, 1};
    sb_model *model = solved(
        (sb_shape){.kind = SB_SHAPE_MODES, .modes = &given, .mode_count = 1},
        heard_steel());
    refused_map(model, 64, "modes given by hand have no surface");
    sb_model_release(model);
    model = solved((sb_shape){.kind = SB_SHAPE_RIGID}, heard_steel());
    refused_map(model, 64, "a rigid body has no surface");
    sb_model_release(model);
    sb_shape bare = shape_of(square(0.3, 4, ALTERNATING), 0.002);
    model = solved_mesh(bare, heard_steel());
    refused_map(model, 64,
                "has no texture coordinates; sandbell bake --unwrap");
    sb_model_release(model);
    model = solved(plate, heard_steel());
    refused_map(model, 1, "2 to 8192 texels a side, got 1");
    refused_map(model, 8193, "got 8193");
    sb_model_release(model);
}
END_TEST

START_TEST(no_memory_leaves_nothing_behind) {
    sb_model *model = sheet_of_islands();
    long before = sb_memory_live_blocks();
    float *weights = malloc(32 * 32 * sizeof *weights);
    bool is_done = false;
    for (long n = 0; !is_done && n < 20; n++) {
        sb_texel_map map = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_texel_map_make(model, 32, &map, NULL);
        if (!status)
            status = sb_texel_map_weights(&map, model, 2, 1, weights, NULL);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_texel_map_free(&map);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert(is_done);
    free(weights);
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bake");
    TCase *tcase = tcase_create("bake");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, bars_and_plates_come_back);
    tcase_add_test(tcase, what_is_round_comes_back_up_to_its_rim);
    tcase_add_test(tcase, membranes_strings_and_rings_come_back);
    tcase_add_test(tcase, a_nodal_line_is_silent);
    tcase_add_test(tcase, a_mesh_comes_back_up_to_its_seams);
    tcase_add_test(tcase, texels_are_given_to_the_faces_they_are_in);
    tcase_add_test(tcase, a_face_over_the_edge_comes_in_at_the_other);
    tcase_add_test(tcase, what_has_no_texture_says_so);
    tcase_add_test(tcase, no_memory_leaves_nothing_behind);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
