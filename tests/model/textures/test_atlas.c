/* SPDX-License-Identifier: MIT */
/* An unwrapped mesh: no face overlaps another, none is outside or missing,
 * all have the same orientation, and the whole is read back from its file. */
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/textures/atlas.h"
#include "runtime/model/textures/texel_map.h"
#include "runtime/store/export/pose_writer.h"
#include "tests/model/solve_fixture.h"
#include "tests/scratch.h"

static sb_atlas spread(const sb_mesh *mesh) {
    sb_atlas atlas = {0};
    sb_error err = {0};
    sb_status status = sb_atlas_make(mesh, &atlas, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return atlas;
}

static double area_of(float (*uv)[2]) {
    return 0.5 * (double)((uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) -
                          (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]));
}

/* Fills the atlas with texels; no two faces overlap. */
static sb_texel_map fill(const sb_atlas *atlas, int face_count, int size) {
    sb_texel_map map = {.width = size, .height = size};
    size_t texels = (size_t)size * (size_t)size;
    map.texels = sb_alloc(texels, sizeof *map.texels);
    bool *is_doubled = sb_alloc(texels, sizeof *is_doubled);
    float *nearest = sb_alloc(texels, sizeof *nearest);
    sb_texel_raster(&map, (const float(*)[3][2])atlas->uvs, face_count,
                    is_doubled, nearest);
    sb_free(is_doubled);
    sb_free(nearest);
    return map;
}

static void expect_sound(const char *what, const sb_mesh *mesh,
                         const sb_atlas *atlas) {
    double used = 0;
    for (int f = 0; f < mesh->face_count; f++) {
        double area = area_of(atlas->uvs[f]);
        ck_assert_msg(area > 0, "%s: face %d has area %g", what, f, area);
        used += area;
        for (int i = 0; i < 6; i++) {
            double at = (double)atlas->uvs[f][i / 2][i % 2];
            ck_assert_msg(at >= 0 && at <= 1, "%s: face %d at %g", what, f, at);
        }
    }
    ck_assert_double_eq_tol(used, atlas->used, 1e-4);
    sb_texel_map map = fill(atlas, mesh->face_count, 512);
    ck_assert_msg(map.doubled_count == 0, "%s: %d texels are taken twice", what,
                  map.doubled_count);
    ck_assert_int_eq(map.outside_count, 0);
    ck_assert_double_eq_tol(map.covered_count / (512.0 * 512), used, 0.02);
    sb_texel_map_free(&map);
    if (getenv("SHOW")) {
        printf("%-14s %5d faces %3d charts %.0f %%\n", what, mesh->face_count,
               atlas->chart_count, 100 * used);
    }
}

START_TEST(no_face_lies_on_another) {
    sb_mesh meshes[] = {square(0.3, 8, JITTERED), ball(0.05, 3),
                        tube(0.05, 0.2, 24, 10)};
    static const char *const names[] = {"square", "ball", "tube"};
    static const int most[] = {1, 14, 8};
    for (int i = 0; i < 3; i++) {
        sb_atlas atlas = spread(&meshes[i]);
        expect_sound(names[i], &meshes[i], &atlas);
        ck_assert_int_le(atlas.chart_count, most[i]);
        sb_atlas_free(&atlas);
        drop_mesh(&meshes[i]);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(our_models_are_spread_out) {
    static const char *const names[] = {"bell", "die", "tuning_fork",
                                        "wine_glass", "ring"};
    for (int i = 0; i < 5; i++) {
        char path[300];
        sb_mesh mesh;
        sb_error err = {0};
        (void)snprintf(path, sizeof path, MODELS "/%s.obj", names[i]);
        sb_status status = sb_mesh_read(path, 1, &mesh, NULL, &err);
        ck_assert_msg(status == SB_OK, "%s", err.message);
        sb_atlas atlas = spread(&mesh);
        expect_sound(names[i], &mesh, &atlas);
        ck_assert_int_le(atlas.chart_count, 40);
        sb_atlas_free(&atlas);
        sb_mesh_free(&mesh);
    }
}
END_TEST

/* A ramp that winds round twice and faces up throughout: seen from above,
 * its second turn covers its first. */
START_TEST(a_winding_ramp_is_cut) {
    enum { STEPS = 48 };
    sb_mesh mesh = empty_mesh(2 * (STEPS + 1), 2 * STEPS);
    for (int i = 0; i <= STEPS; i++) {
        double angle = 4 * SB_PI * i / STEPS;
        for (int side = 0; side < 2; side++) {
            double r = 0.1 + 0.1 * side;
            mesh.vertices[mesh.vertex_count++] =
                (sb_vec3){r * cos(angle), 0.001 * i, -r * sin(angle)};
        }
    }
    for (int i = 0; i < STEPS; i++) {
        add_triangle(&mesh, 2 * i, 2 * i + 1, 2 * i + 3);
        add_triangle(&mesh, 2 * i, 2 * i + 3, 2 * i + 2);
    }
    sb_atlas atlas = spread(&mesh);
    ck_assert_int_ge(atlas.chart_count, 2);
    expect_sound("ramp", &mesh, &atlas);
    sb_atlas_free(&atlas);
    drop_mesh(&mesh);
}
END_TEST

START_TEST(what_is_written_is_read_back) {
    sb_mesh mesh = ball(0.05, 2), back;
    sb_atlas atlas = spread(&mesh);
    sb_error err = {0};
    sb_status status = sb_obj_write(scratch_path("ball.obj"), &mesh,
                                    (const float(*)[3][2])atlas.uvs, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    status = sb_mesh_read(scratch_path("ball.obj"), 1, &back, NULL, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_eq(back.face_count, mesh.face_count);
    ck_assert_int_eq(back.vertex_count, mesh.vertex_count);
    ck_assert_ptr_nonnull(back.uvs);
    for (int f = 0; f < mesh.face_count; f++) {
        for (int c = 0; c < 3; c++) {
            sb_vec3 a = mesh.vertices[mesh.faces[f][c]];
            sb_vec3 b = back.vertices[back.faces[f][c]];
            ck_assert_double_lt(sb_vec3_length(sb_vec3_sub(a, b)), 1e-8);
            for (int k = 0; k < 2; k++) {
                ck_assert_float_eq_tol(back.uvs[f][c][k], atlas.uvs[f][c][k],
                                       1e-6f);
            }
        }
    }
    sb_atlas_free(&atlas);
    drop_mesh(&mesh);
    sb_mesh_free(&back);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(no_memory_leaves_nothing_behind) {
    sb_mesh mesh = ball(0.05, 1);
    long before = sb_memory_live_blocks();
    bool is_done = false;
    for (long n = 0; !is_done && n < 60; n++) {
        sb_atlas atlas = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_atlas_make(&mesh, &atlas, NULL);
        if (!status) {
            status = sb_obj_write(scratch_path("m.obj"), &mesh,
                                  (const float(*)[3][2])atlas.uvs, NULL);
        }
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(scratch_entries(0), is_done ? 1 : 0);
        sb_atlas_free(&atlas);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert(is_done);
    drop_mesh(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("atlas");
    TCase *tcase = tcase_create("atlas");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, no_face_lies_on_another);
    tcase_add_test(tcase, our_models_are_spread_out);
    tcase_add_test(tcase, a_winding_ramp_is_cut);
    tcase_add_test(tcase, what_is_written_is_read_back);
    tcase_add_test(tcase, no_memory_leaves_nothing_behind);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
