/* SPDX-License-Identifier: MIT */
/* The tree over a surface against a test of every triangle. */
#include "runtime/model/fill/triangle_tree.h"

#include "runtime/base/memory.h"
#include "tests/model/fill/boundaries.h"
#include "tests/suite.h"

static sb_triangle_tree tree_of(const sb_mesh *mesh) {
    sb_triangle_tree tree;
    sb_error err = {0};
    ck_assert_int_eq(sb_triangle_tree_build(mesh->vertices,
                                            (const int(*)[3])mesh->faces,
                                            mesh->face_count, &tree, &err),
                     SB_OK);
    return tree;
}

/* Evenly spread in a cube of half-width 1. */
static sb_vec3 spread(int i) {
    return (sb_vec3){2 * fmod(0.5 + i * 0.8191725133961645, 1) - 1,
                     2 * fmod(0.5 + i * 0.6710436067037893, 1) - 1,
                     2 * fmod(0.5 + i * 0.5497004779019703, 1) - 1};
}

static double least_distance(const sb_mesh *mesh, sb_vec3 p) {
    double least = INFINITY;
    for (int i = 0; i < mesh->face_count; i++) {
        const int *f = mesh->faces[i];
        sb_vec3 at =
            sb_triangle_nearest(mesh->vertices[f[0]], mesh->vertices[f[1]],
                                mesh->vertices[f[2]], p);
        least = fmin(least, sb_vec3_length(sb_vec3_sub(at, p)));
    }
    return least;
}

START_TEST(the_nearest_point_is_the_nearest_of_all) {
    sb_mesh *mesh = surface_torus(0.6, 0.25, 14, 30);
    sb_triangle_tree tree = tree_of(mesh);
    for (int i = 0; i < 300; i++) {
        sb_vec3 p = spread(i);
        sb_triangle_tree_point near =
            sb_triangle_tree_nearest(&tree, p, INFINITY);
        double want = least_distance(mesh, p);
        ck_assert_double_eq_tol(near.distance, want, 1e-12);
        ck_assert_double_eq_tol(sb_vec3_length(sb_vec3_sub(near.at, p)), want,
                                1e-12);
        ck_assert_int_eq(sb_triangle_tree_nearest(&tree, p, 0.9 * want).face,
                         -1);
        ck_assert_int_ge(sb_triangle_tree_nearest(&tree, p, 1.1 * want).face,
                         0);
    }
    sb_triangle_tree_free(&tree);
}
END_TEST

START_TEST(the_nearest_point_of_a_triangle_is_in_each_of_its_seven_regions) {
    sb_vec3 a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
    const double cases[7][2][3] = {
        {{-1, -1, 3}, {0, 0, 0}},  {{3, -1, 1}, {1, 0, 0}},
        {{-1, 3, 1}, {0, 1, 0}},   {{.4, -2, 1}, {.4, 0, 0}},
        {{-2, .3, 1}, {0, .3, 0}}, {{1, 1, -1}, {.5, .5, 0}},
        {{.2, .3, 5}, {.2, .3, 0}}};
    for (int i = 0; i < 7; i++) {
        const double *p = cases[i][0], *want = cases[i][1];
        sb_vec3 at = sb_triangle_nearest(a, b, c, (sb_vec3){p[0], p[1], p[2]});
        ck_assert_double_eq_tol(at.x, want[0], 1e-15);
        ck_assert_double_eq_tol(at.y, want[1], 1e-15);
        ck_assert_double_eq_tol(at.z, want[2], 1e-15);
    }
}
END_TEST

/* The equation of the torus decides, away from its facets. */
START_TEST(inside_a_torus_the_winding_is_one) {
    sb_mesh *mesh = surface_torus(0.6, 0.25, 24, 60);
    sb_triangle_tree tree = tree_of(mesh);
    int inside = 0;
    for (int i = 0; i < 3000; i++) {
        sb_vec3 p = spread(i);
        double ring = hypot(p.x, p.y) - 0.6;
        double r = hypot(ring, p.z);
        if (fabs(r - 0.25) < 0.02) continue;
        ck_assert_int_eq(sb_triangle_tree_winding(&tree, p), r < 0.25);
        inside += r < 0.25;
    }
    ck_assert_int_gt(inside, 100);
    sb_triangle_tree_free(&tree);
}
END_TEST

/* With a corner at the origin, a ray that starts at its direction times a
 * power of two hits that corner exactly; it must count like a ray beside it. */
START_TEST(rays_through_corners_count_as_those_beside) {
    sb_mesh *mesh = surface_sphere(1, 7, 12);
    for (int i = 0; i < mesh->vertex_count; i++) {
        mesh->vertices[i].z *= 0.8; /* rays run along the shortest side */
    }
    sb_vec3 ray = {0.0713205183, 0.0419370437, 1};
    for (int k = 0; k < mesh->vertex_count; k++) {
        sb_vec3 corner = mesh->vertices[k];
        for (int i = 0; i < mesh->vertex_count; i++) {
            mesh->vertices[i] = sb_vec3_sub(mesh->vertices[i], corner);
        }
        sb_triangle_tree tree = tree_of(mesh);
        sb_vec3 far = sb_vec3_scale(ray, -4), near = sb_vec3_scale(ray, -0.25);
        sb_vec3 beside = {near.x + 3e-8, near.y - 1e-8, near.z};
        ck_assert_int_eq(sb_triangle_tree_winding(&tree, far), 0);
        ck_assert_int_eq(sb_triangle_tree_winding(&tree, near),
                         sb_triangle_tree_winding(&tree, beside));
        sb_triangle_tree_free(&tree);
    }
}
END_TEST

/* The same for edges: grid points of a box project onto the edges of its
 * faces. */
START_TEST(rays_through_edges_count_once) {
    sb_mesh *mesh = surface_box(4, 4, 1);
    sb_vec3 ray = {0.0713205183, 0.0419370437, 1};
    sb_triangle_tree tree = tree_of(mesh);
    for (int i = 0; i <= 16; i++) {
        /* Along the diagonal of the bottom, from below and from outside. */
        sb_vec3 on = {i / 4.0, i / 4.0, 0};
        sb_vec3 below = sb_vec3_sub(on, ray);
        ck_assert_int_eq(sb_triangle_tree_winding(&tree, below), 0);
        sb_vec3 in = {0.1 + i * 0.23, 0.1 + i * 0.23, 0.5};
        ck_assert_int_eq(sb_triangle_tree_winding(&tree, in), 1);
    }
    sb_triangle_tree_free(&tree);
}
END_TEST

START_TEST(the_first_hit_of_a_box_is_its_wall) {
    sb_mesh *mesh = surface_box(1, 1, 1);
    sb_triangle_tree tree = tree_of(mesh);
    int face = -1;
    sb_vec3 from = {0.5, 0.25, 0.5}, to = {2.5, 0.25, 0.5};
    double t = sb_triangle_tree_first_hit(&tree, from, to, 0, &face);
    ck_assert_double_eq_tol(t, 0.25, 1e-12);
    ck_assert_int_ge(face, 0);
    to.x = 0.9;
    t = sb_triangle_tree_first_hit(&tree, from, to, 0, &face);
    ck_assert(isinf(t));
    ck_assert_int_eq(face, -1);
    /* From a wall, to beyond it. */
    from.x = 0;
    to.x = 2;
    t = sb_triangle_tree_first_hit(&tree, from, to, 1e-6, NULL);
    ck_assert_double_eq_tol(t, 0.5, 1e-12);
    sb_triangle_tree_free(&tree);
}
END_TEST

START_TEST(without_memory_there_is_no_tree_and_no_leak) {
    sb_mesh *mesh = surface_box(1, 1, 1);
    long before = sb_memory_live_blocks();
    for (long n = 0; n < 2; n++) {
        sb_triangle_tree tree;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status =
            sb_triangle_tree_build(mesh->vertices, (const int(*)[3])mesh->faces,
                                   mesh->face_count, &tree, &err);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("triangle_tree");
    TCase *tcase = tcase_create("tree");
    tcase_add_test(tcase, the_nearest_point_is_the_nearest_of_all);
    tcase_add_test(
        tcase, the_nearest_point_of_a_triangle_is_in_each_of_its_seven_regions);
    tcase_add_test(tcase, inside_a_torus_the_winding_is_one);
    tcase_add_test(tcase, rays_through_corners_count_as_those_beside);
    tcase_add_test(tcase, rays_through_edges_count_once);
    tcase_add_test(tcase, the_first_hit_of_a_box_is_its_wall);
    tcase_add_test(tcase, without_memory_there_is_no_tree_and_no_leak);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
