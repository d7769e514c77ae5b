/* SPDX-License-Identifier: MIT */
/* The benchmark of the solver measures what it reports: its meshes, its fit of
 * the growth, its clocks and memory peaks. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/linear/panel.h"
#include "tests/bench/measure.h"
#include "tests/bench/solve/mesh_to_model.h"
#include "tests/model/mesh/mesh_measure.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>

START_TEST(meshes_are_as_fine_as_asked_and_closed_or_not) {
    static const bool is_closed[BENCH_FORMS] = {false, true, false, true};
    static const int sizes[] = {1000, 2000, 5000, 20000};
    for (int i = 0; i < 4 * BENCH_FORMS; i++) {
        int form = i / 4, wanted = sizes[i % 4];
        sb_mesh soup, mesh;
        sb_mesh_report report;
        ck_assert_int_eq(bench_mesh((bench_form)form, wanted, &soup, NULL),
                         SB_OK);
        ck_assert_int_eq(sb_mesh_clean(&soup, &mesh, &report, NULL), SB_OK);
        ck_assert_double_eq_tol((double)mesh.vertex_count / wanted, 1, 0.03);
        ck_assert_int_eq(report.is_closed, is_closed[form]);
        ck_assert_int_eq(report.component_count, 1);
        ck_assert_int_eq(report.dropped_faces + report.welded_vertices, 0);
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(closed_ones_hold_what_they_should) {
    const double volumes[] = {4.0 / 3 * SB_PI * 1e-3,
                              2 * SB_PI * SB_PI * 0.1 * 0.03 * 0.03};
    const bench_form forms[] = {BENCH_SPHERE, BENCH_TORUS};
    for (int i = 0; i < 2; i++) {
        sb_mesh soup;
        ck_assert_int_eq(bench_mesh(forms[i], 5000, &soup, NULL), SB_OK);
        ck_assert_double_eq_tol(fabs(mesh_volume_m3(&soup)) / volumes[i], 1,
                                0.01);
        sb_mesh_free(&soup);
    }
}
END_TEST

START_TEST(a_body_goes_all_the_way) {
    for (int i = 0; i < 2; i++) {
        bench_body_def def = {.form = i ? BENCH_SPHERE : BENCH_PLATE,
                              .vertices = 100,
                              .modes = 10,
                              .thickness_m = 0.002};
        bench_body_result r;
        ck_assert_int_eq(bench_body(&def, &r, NULL), SB_OK);
        ck_assert_int_eq(r.modes, 10);
        ck_assert_int_gt(r.unknowns, 300);
        ck_assert_double_ge(r.fill_s, 0);
        ck_assert_double_gt(r.assembly_s, 0);
        ck_assert_double_gt(r.modes_s, 0);
        ck_assert_double_gt(r.finish_s, 0);
        ck_assert_double_gt(r.cpu_s, 0);
        ck_assert_double_ge(r.total_s, r.modes_s + r.finish_s);
    }
}
END_TEST

START_TEST(growth_is_the_exponent) {
    bench_body_result small = {.vertices = 2000, .total_s = 0.5};
    bench_body_result large = {.vertices = 20000, .total_s = 5 * sqrt(10)};
    ck_assert_double_eq_tol(bench_growth(&small, &large), 1.5, 1e-12);
}
END_TEST

START_TEST(a_cached_one_is_found_and_its_folder_goes) {
    bench_body_def def = {
        .form = BENCH_BELL, .vertices = 150, .modes = 20, .thickness_m = 0.002};
    bench_cached_result r;
    ck_assert_int_eq(setenv("TMPDIR", scratch_directory, 1), 0);
    ck_assert_int_eq(bench_cached(&def, &r, NULL), SB_OK);
    ck_assert_int_eq(scratch_entries(0), 0);
    ck_assert_int_gt(r.modes, 0);
    ck_assert_uint_gt(r.file_bytes, 1000);
    ck_assert(r.make_s > 0 && isfinite(r.make_s));
    ck_assert(r.read_s > 0 && isfinite(r.read_s));
}
END_TEST

/* Not each of them: the modules below have tests of their own. */
START_TEST(allocations_may_fail) {
    long live = sb_memory_live_blocks();
    bench_body_def def = {
        .form = BENCH_PLATE, .vertices = 60, .modes = 3, .thickness_m = 0.002};
    int failures = 0;
    for (;; failures += 1 + failures / 6) {
        bench_body_result r;
        sb_memory_fail_after(failures);
        sb_status status = bench_body(&def, &r, NULL);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
        if (status == SB_OK) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    ck_assert_int_gt(failures, 20);
}
END_TEST

START_TEST(clocks_go_forward_and_peaks_are_seen) {
    size_t before = peak_begin(), bytes = 40000000;
    double wall_s = sb_clock_s(), cpu_s = sb_clock_process_s();
    volatile char *block = sb_alloc(bytes, 1);
    for (size_t i = 0; i < bytes; i += 512)
        block[i] = 1;
    sb_free((void *)block);
    ck_assert_double_gt(sb_clock_s(), wall_s);
    ck_assert_double_gt(sb_clock_process_s(), cpu_s);
    size_t peak = peak_end(before);
    ck_assert(peak == 0 || peak > bytes * 8 / 10);
}
END_TEST

/* A tridiagonal matrix with some zeros kept in its pattern. */
START_TEST(panels_are_multiplied_by_all_of_a_matrix) {
    enum { N = 37 };
    sb_sparse_builder *builder;
    sb_sparse a, all;
    ck_assert_int_eq(sb_sparse_begin(&builder, N, NULL), SB_OK);
    for (int i = 0; i + 1 < N; i++) {
        const double next = i % 5 ? 0.3 * i - 2 : 0;
        const double block[4] = {1 + i, next, next, 0.5};
        const int at[2] = {i, i + 1};
        ck_assert_int_eq(sb_sparse_add(builder, at, 2, block, NULL), SB_OK);
    }
    ck_assert_int_eq(sb_sparse_end(builder, &a, NULL), SB_OK);
    ck_assert_int_eq(sb_sparse_unfold(&a, &all, NULL), SB_OK);
    double x[N * SB_PANEL], y[N * SB_PANEL], one[N], product[N];
    for (int i = 0; i < N * SB_PANEL; i++)
        x[i] = sin(i);
    sb_panel_multiply(&all, x, y);
    for (int k = 0; k < SB_PANEL; k++) {
        for (int i = 0; i < N; i++)
            one[i] = x[i * SB_PANEL + k];
        sb_sparse_multiply(&a, one, product);
        for (int i = 0; i < N; i++)
            ck_assert_double_eq_tol(y[i * SB_PANEL + k], product[i], 1e-12);
    }
    ck_assert_int_eq(all.starts[N], N + 2 * (N - 1 - 8));
    sb_sparse_free(&a);
    sb_sparse_free(&all);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bench_modes");
    TCase *tests = tcase_create("bench_modes");
    tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
    tcase_add_test(tests, meshes_are_as_fine_as_asked_and_closed_or_not);
    tcase_add_test(tests, closed_ones_hold_what_they_should);
    tcase_add_test(tests, a_body_goes_all_the_way);
    tcase_add_test(tests, growth_is_the_exponent);
    tcase_add_test(tests, a_cached_one_is_found_and_its_folder_goes);
    tcase_add_test(tests, allocations_may_fail);
    tcase_add_test(tests, clocks_go_forward_and_peaks_are_seen);
    tcase_add_test(tests, panels_are_multiplied_by_all_of_a_matrix);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
