/* SPDX-License-Identifier: MIT */
/* Soups of tetrahedra; copies, sizes and failures of all meshes. */
#include "tests/model/mesh/mesh_fixture.h"
#include "tests/model/mesh/mesh_measure.h"

/* --- tetrahedra ----------------------------------------------------------- */

/* Six tetrahedra around the diagonal 0 7, each along a path of cube edges. */
static sb_mesh make_tet_cube(void) {
    static const int paths[6][2] = {{1, 3}, {3, 2}, {2, 6},
                                    {6, 4}, {4, 5}, {5, 1}};
    sb_mesh soup = make_cube();
    soup.face_count = 3; /* which must not matter */
    soup.tets = sb_alloc(MOST, sizeof *soup.tets);
    for (int i = 0; i < 6; i++) {
        int tet[4] = {0, paths[i][0], paths[i][1], 7};
        memcpy(soup.tets[soup.tet_count++], tet, sizeof tet);
    }
    return soup;
}

static void expect_positive(const sb_mesh *mesh) {
    double sum = 0;
    for (int t = 0; t < mesh->tet_count; t++) {
        const int *tet = mesh->tets[t];
        sb_vec3 o = mesh->vertices[tet[0]];
        sb_vec3 a = sb_vec3_sub(mesh->vertices[tet[1]], o);
        sb_vec3 b = sb_vec3_sub(mesh->vertices[tet[2]], o);
        sb_vec3 c = sb_vec3_sub(mesh->vertices[tet[3]], o);
        double volume_m3 = sb_vec3_dot(a, sb_vec3_cross(b, c)) / 6;
        ck_assert_double_gt(volume_m3, 0);
        sum += volume_m3;
    }
    ck_assert_double_eq_tol(sum, mesh_volume_m3(mesh), 1e-12);
}

START_TEST(the_boundary_of_tetrahedra_faces_outward) {
    for (int swap = 0; swap < 64; swap++) {
        sb_mesh soup = make_tet_cube();
        for (int t = 0; t < 6; t++) {
            if (!((swap >> t) & 1)) continue;
            int corner = soup.tets[t][2];
            soup.tets[t][2] = soup.tets[t][3];
            soup.tets[t][3] = corner;
        }
        sb_mesh_report report;
        sb_mesh mesh = cleaned(soup, &report);
        ck_assert_int_eq(mesh.tet_count, 6);
        expect_cube(&mesh, &report);
        expect_positive(&mesh);
        ck_assert_int_eq(report.dropped_faces, 0);
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(flat_and_doubled_tetrahedra_go) {
    sb_mesh soup = make_tet_cube();
    int flat[4] = {0, 1, 2, 3}, point[4] = {0, 1, 1, 7};
    int again[4] = {7, 0, 3, 1};
    memcpy(soup.tets[soup.tet_count++], flat, sizeof flat);
    memcpy(soup.tets[soup.tet_count++], point, sizeof point);
    memcpy(soup.tets[soup.tet_count++], again, sizeof again);
    sb_mesh_report report;
    sb_mesh mesh = cleaned(soup, &report);
    ck_assert_int_eq(mesh.tet_count, 6);
    ck_assert_int_eq(report.dropped_faces, 3);
    expect_cube(&mesh, &report);
    expect_positive(&mesh);
    sb_mesh_free(&mesh);

    soup = make_tet_cube();
    for (int i = 0; i < 8; i++) {
        soup.vertices[i].z = 0;
    }
    expect_refusal(soup, "none of its 6 tetrahedra has a volume");
    soup = make_tet_cube();
    soup.tets[3][3] = 400;
    expect_refusal(soup, "vertex 400 of 8");
}
END_TEST

/* --- all meshes ----------------------------------------------------------- */

START_TEST(a_copy_is_equal_and_its_own) {
    sb_mesh mesh = cleaned(make_tet_cube(), NULL), copy = {0};
    ck_assert_int_eq(sb_mesh_copy(&copy, &mesh, NULL), SB_OK);
    ck_assert_int_eq(copy.tet_count, 6);
    ck_assert_mem_eq(copy.vertices, mesh.vertices, sizeof(sb_vec3[8]));
    ck_assert_mem_eq(copy.faces, mesh.faces, sizeof(int[12][3]));
    ck_assert_mem_eq(copy.tets, mesh.tets, sizeof(int[6][4]));
    ck_assert_ptr_null(copy.uvs);
    sb_mesh_free(&mesh);
    ck_assert_double_eq_tol(mesh_volume_m3(&copy), 1, 1e-12);
    sb_mesh_free(&copy);
    sb_mesh_free(&copy);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

static sb_mesh make_for_failing(bool has_tets) {
    if (has_tets) return make_tet_cube();
    sb_mesh soup = make_capped_cube(1);
    add_cube(&soup, (sb_vec3){0.25, 0.25, 0.25}, 0.5);
    return soup;
}

START_TEST(every_failed_allocation_is_survived) {
    for (int has_tets = 0; has_tets < 2; has_tets++) {
        sb_status status = SB_NO_MEMORY;
        long n = 0;
        for (; status && n < 200; n++) {
            sb_mesh soup = make_for_failing(has_tets);
            sb_mesh mesh = {0}, copy = {0};
            sb_error err = {0};
            sb_memory_fail_after(n);
            status = sb_mesh_clean(&soup, &mesh, NULL, &err);
            if (!status) status = sb_mesh_copy(&copy, &mesh, &err);
            sb_memory_fail_after(-1);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            if (status) ck_assert(*err.message);
            sb_mesh_free(&mesh);
            sb_mesh_free(&copy);
            ck_assert_int_eq(sb_memory_live_blocks(), 0);
        }
        ck_assert_int_eq(status, SB_OK);
        ck_assert_int_gt(n, 12);
    }
}
END_TEST

START_TEST(a_strange_size_is_remarked) {
    static const struct {
        double side_m;
        const char *words;
    } cases[] = {{0.2, NULL},
                 {0.001, NULL},
                 {5, NULL},
                 {0.0003, "is 300 um; files are read as metres, and scale = "
                          "1000 would make it 300 mm"},
                 {6, "is 6 m; files are read as metres: if it is in "
                     "millimetres, scale = 0.001 makes it 6 mm"}};
    for (int i = 0; i < 5; i++) {
        sb_mesh_report report = {.low_m = {1, 0, 1},
                                 .high_m = {1, cases[i].side_m, 1}};
        char text[200] = "untouched";
        ck_assert(sb_mesh_size_remark(&report, text, sizeof text) ==
                  (cases[i].words != NULL));
        const char *words = cases[i].words ? cases[i].words : "untouched";
        ck_assert_msg(strstr(text, words), "%s", text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh_tets");
    TCase *tcase = tcase_create("clean");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, the_boundary_of_tetrahedra_faces_outward);
    tcase_add_test(tcase, flat_and_doubled_tetrahedra_go);
    tcase_add_test(tcase, a_copy_is_equal_and_its_own);
    tcase_add_test(tcase, every_failed_allocation_is_survived);
    tcase_add_test(tcase, a_strange_size_is_remarked);
    return run_suite(suite);
}
