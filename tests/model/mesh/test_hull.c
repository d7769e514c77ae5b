/* SPDX-License-Identifier: MIT */
/* Convex hulls: they contain all points, have the volume of the closed form, and
 * are made once for all bodies of a mesh. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/mesh/hull.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { MOST = 5000 };

static double volume_of(const sb_hull *hull) {
    double sum = 0;
    for (int i = 0; i < hull->face_count; i++) {
        const int *face = hull->corners[i];
        sum += sb_vec3_dot(
            hull->points[face[0]],
            sb_vec3_cross(hull->points[face[1]], hull->points[face[2]]));
    }
    return sum / 6;
}

/* How far the farthest point is outside, m. */
static double outside(const sb_hull *hull, const sb_vec3 *points, int count) {
    double most = -INFINITY;
    for (int f = 0; f < hull->face_count; f++) {
        sb_vec3 a = hull->points[hull->corners[f][0]];
        sb_vec3 b = sb_vec3_sub(hull->points[hull->corners[f][1]], a);
        sb_vec3 c = sb_vec3_sub(hull->points[hull->corners[f][2]], a);
        sb_vec3 normal = sb_vec3_normalised(sb_vec3_cross(b, c));
        for (int i = 0; i < count; i++)
            most = fmax(most, sb_vec3_dot(normal, sb_vec3_sub(points[i], a)));
    }
    return most;
}

static sb_vec3 turned(sb_vec3 p) {
    sb_vec3 axis = sb_vec3_normalised((sb_vec3){1, 2, 3});
    double c = cos(0.7), s = sin(0.7);
    sb_vec3 cross = sb_vec3_cross(axis, p);
    return sb_vec3_add(
        sb_vec3_add(sb_vec3_scale(p, c), sb_vec3_scale(cross, s)),
        sb_vec3_scale(axis, (1 - c) * sb_vec3_dot(axis, p)));
}

/* A grid of points in a box of 0.2 x 0.3 x 0.4 m, most of them inside or on
 * faces. */
START_TEST(of_a_box_its_corners_are_left) {
    static sb_vec3 points[MOST];
    int count = 0;
    for (int i = 0; i < 17 * 17 * 17; i++)
        points[count++] =
            turned((sb_vec3){0.2 * (i % 17) / 16, 0.3 * (i / 17 % 17) / 16,
                             0.4 * (i / 289) / 16});
    sb_hull hull;
    ck_assert_int_eq(sb_hull_make(points, count, &hull, NULL), SB_OK);
    ck_assert_int_eq(hull.point_count, 8);
    ck_assert_int_eq(hull.face_count, 12);
    ck_assert_double_eq_tol(volume_of(&hull), 0.024, 1e-8);
    ck_assert_double_le(outside(&hull, points, count), 1e-7);
    sb_hull_free(&hull);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* A prism of 100 sides with 20 rings of points on them. */
START_TEST(of_a_prism_all_corners_are_left) {
    static sb_vec3 points[MOST];
    int count = 0;
    for (int ring = 0; ring < 20; ring++)
        for (int i = 0; i < 100; i++)
            points[count++] =
                turned((sb_vec3){cos(2 * SB_PI * i / 100), 0.1 * ring,
                                 sin(2 * SB_PI * i / 100)});
    sb_hull hull;
    ck_assert_int_eq(sb_hull_make(points, count, &hull, NULL), SB_OK);
    ck_assert_int_eq(hull.point_count, 200);
    ck_assert_double_eq_tol(volume_of(&hull), 1.9 * 50 * sin(2 * SB_PI / 100),
                            1e-5);
    ck_assert_double_le(outside(&hull, points, count), 1e-6);
    sb_hull_free(&hull);
}
END_TEST

/* Few points at random: exact. Many on a sphere: 128 of them, inside it. */
START_TEST(points_at_random_are_contained) {
    static sb_vec3 points[MOST];
    sb_random random = sb_random_make(1, 1);
    for (int round = 0; round < 50; round++) {
        int count = 4 + 5 * round;
        for (int i = 0; i < count; i++)
            points[i] =
                (sb_vec3){sb_random_unit(&random), sb_random_unit(&random),
                          sb_random_unit(&random)};
        sb_hull hull;
        ck_assert_int_eq(sb_hull_make(points, count, &hull, NULL), SB_OK);
        ck_assert_int_eq(hull.face_count, 2 * hull.point_count - 4);
        ck_assert_double_le(outside(&hull, points, count), 1e-6);
        sb_hull_free(&hull);
    }
    for (int i = 0; i < MOST; i++) {
        double y = 1 - (2 * i + 1.0) / MOST, r = sqrt(1 - y * y);
        points[i] = (sb_vec3){r * cos(2.4 * i), y, r * sin(2.4 * i)};
    }
    sb_hull hull;
    ck_assert_int_eq(sb_hull_make(points, MOST, &hull, NULL), SB_OK);
    ck_assert_int_gt(hull.point_count, 100);
    ck_assert_int_le(hull.point_count, 128);
    double ratio = volume_of(&hull) / (4 * SB_PI / 3);
    ck_assert_double_lt(ratio, 1);
    ck_assert_double_gt(ratio, 0.93);
    sb_hull_free(&hull);
}
END_TEST

START_TEST(flat_points_are_refused) {
    static sb_vec3 points[MOST];
    sb_error err;
    for (int many = 0; many < 2; many++) {
        int count = many ? 2500 : 25, side = many ? 50 : 5;
        for (int i = 0; i < count; i++)
            points[i] = turned((sb_vec3){i % side, 0, i / side});
        sb_hull hull;
        ck_assert_int_eq(sb_hull_make(points, count, &hull, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_msg(strstr(err.message, "lies in a plane"), "%s",
                      err.message);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

static sb_mesh tetrahedron(void) {
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    sb_mesh mesh = {.vertices = sb_alloc(4, sizeof(sb_vec3)),
                    .faces = sb_alloc(4, sizeof faces[0]),
                    .vertex_count = 4,
                    .face_count = 4};
    ck_assert(mesh.vertices && mesh.faces);
    mesh.vertices[1].x = mesh.vertices[2].y = mesh.vertices[3].z = 1;
    memcpy(mesh.faces, faces, sizeof faces);
    return mesh;
}

START_TEST(a_mesh_has_one_hull_and_any_allocation_may_fail) {
    sb_mesh mesh = tetrahedron();
    sb_mesh_report report = {.is_closed = true};
    sb_mesh_source *source;
    ck_assert_int_eq(
        sb_mesh_source_create("x.obj", &mesh, &report, &source, NULL), SB_OK);
    const sb_hull *first = NULL, *second = NULL;
    int failures = 0;
    for (int n = 0;; n++) {
        sb_memory_fail_after(n);
        sb_status status = sb_mesh_source_hull(source, &first, NULL);
        sb_memory_fail_after(-1);
        if (!status) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
        failures++;
    }
    ck_assert_int_eq(failures, 4);
    ck_assert_int_eq(sb_mesh_source_hull(source, &second, NULL), SB_OK);
    ck_assert_ptr_eq(first, second);
    ck_assert_double_eq_tol(volume_of(first), 1.0 / 6, 1e-15);
    sb_mesh_source_release(source);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hull");
    TCase *tcase = tcase_create("hull");
    tcase_add_test(tcase, of_a_box_its_corners_are_left);
    tcase_add_test(tcase, of_a_prism_all_corners_are_left);
    tcase_add_test(tcase, points_at_random_are_contained);
    tcase_add_test(tcase, flat_points_are_refused);
    tcase_add_test(tcase, a_mesh_has_one_hull_and_any_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
