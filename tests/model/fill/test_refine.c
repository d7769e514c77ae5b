/* SPDX-License-Identifier: MIT */
/* Refined surfaces: the same surface with shorter edges, without cracks. */
#include "runtime/model/fill/refine.h"

#include "runtime/base/memory.h"
#include "tests/model/fem/fem_fixture.h"
#include "tests/model/mesh/mesh_measure.h"
#include "tests/suite.h"

static double longest_edge(const sb_mesh *mesh) {
    double longest = 0;
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        const int *f = mesh->faces[i / 3];
        longest =
            fmax(longest,
                 sb_vec3_length(sb_vec3_sub(mesh->vertices[f[i % 3]],
                                            mesh->vertices[f[(i + 1) % 3]])));
    }
    return longest;
}

static sb_mesh_report report_of(const sb_mesh *mesh) {
    sb_mesh copy = {0}, clean = {0};
    sb_mesh_report report;
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&copy, mesh, &err), SB_OK);
    ck_assert_int_eq(sb_mesh_clean(&copy, &clean, &report, &err), SB_OK);
    sb_mesh_free(&clean);
    return report;
}

static void refine(sb_mesh *mesh, int elements) {
    bool is_done = false;
    sb_error err = {0};
    sb_status status = sb_mesh_refine(mesh, elements, 100000, &is_done, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert(is_done);
}

START_TEST(area_stays_and_no_crack_opens) {
    for (int elements = 1; elements < 40; elements += 6) {
        sb_mesh sheet = square(.3, 3, JITTERED);
        double area = mesh_area_m2(&sheet);
        refine(&sheet, elements);
        sb_mesh_report report = report_of(&sheet);
        ck_assert_double_eq_tol(mesh_area_m2(&sheet), area, 1e-14);
        ck_assert_double_le(longest_edge(&sheet), .4243 / elements);
        ck_assert_int_eq(report.hole_count, 1);
        ck_assert_int_eq(report.dropped_faces + report.welded_vertices, 0);
        sb_mesh_free(&sheet);
    }
    sb_mesh hollow = ball(.05, 1);
    double volume = mesh_volume_m3(&hollow);
    refine(&hollow, 17);
    ck_assert(report_of(&hollow).is_closed);
    ck_assert_double_eq_tol(mesh_volume_m3(&hollow), volume, 1e-12 * volume);
    sb_mesh_free(&hollow);
}
END_TEST

START_TEST(textures_stay_where_they_were) {
    sb_mesh sheet = square(.3, 2, SAME);
    sheet.uvs = sb_alloc((size_t)sheet.face_count, sizeof *sheet.uvs);
    for (int i = 0; i < 3 * sheet.face_count; i++) {
        sb_vec3 p = sheet.vertices[sheet.faces[i / 3][i % 3]];
        sheet.uvs[i / 3][i % 3][0] = (float)p.x;
        sheet.uvs[i / 3][i % 3][1] = (float)p.z;
    }
    refine(&sheet, 13);
    for (int i = 0; i < 3 * sheet.face_count; i++) {
        sb_vec3 p = sheet.vertices[sheet.faces[i / 3][i % 3]];
        ck_assert_double_eq_tol(sheet.uvs[i / 3][i % 3][0], p.x, 1e-7);
        ck_assert_double_eq_tol(sheet.uvs[i / 3][i % 3][1], p.z, 1e-7);
    }
    sb_mesh_free(&sheet);
}
END_TEST

START_TEST(there_is_an_end) {
    sb_mesh sheet = square(.3, 1, SAME);
    bool is_done = true;
    sb_error err;
    ck_assert_int_eq(sb_mesh_refine(&sheet, 500, 100, &is_done, &err), SB_OK);
    ck_assert(!is_done);
    ck_assert_int_le(sheet.vertex_count, 100);
    ck_assert_int_gt(sheet.vertex_count, 4);
    sb_mesh_free(&sheet);
}
END_TEST

START_TEST(without_memory_the_mesh_stays_whole) {
    sb_error err;
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status != SB_OK; n++) {
        sb_mesh sheet = square(.3, 2, SAME);
        double area = mesh_area_m2(&sheet);
        sb_memory_fail_after(n);
        status = sb_mesh_refine(&sheet, 20, 100000, NULL, &err);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        ck_assert_double_eq_tol(mesh_area_m2(&sheet), area, 1e-14);
        sb_mesh_free(&sheet);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("refine");
    TCase *tcase = tcase_create("refine");
    tcase_add_test(tcase, area_stays_and_no_crack_opens);
    tcase_add_test(tcase, textures_stay_where_they_were);
    tcase_add_test(tcase, there_is_an_end);
    tcase_add_test(tcase, without_memory_the_mesh_stays_whole);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
