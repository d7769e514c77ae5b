/* SPDX-License-Identifier: MIT */
/* What solids in the way leave of a sound: against Maekawa's law, and against what
 * must not change it. */
#include "runtime/base/air.h"
#include "tests/world/world_fixture.h"

static const double hz[] = {SB_SHADE_LOW_HZ, SB_SHADE_HIGH_HZ};

/* What Maekawa's law leaves of the amplitude over one edge. */
static double law(double detour_m, double freq_hz) {
    double n = 2.0 * detour_m * freq_hz / SB_AIR_SPEED;
    return 1.0 / sqrt(fmax(1.0, 3.0 + 20.0 * n));
}

static sb_solid_def box_at(sb_vec3 sides, sb_vec3 at) {
    sb_solid_def def = default_solid();
    def.motion = SB_MOTION_FIXED;
    def.collider = sb_collider_box(sides.x, sides.y, sides.z);
    def.pose.position = at;
    return def;
}

static void shade(const sb_world *world, sb_vec3 from, sb_vec3 to,
                  double gain[2]) {
    sb_world_shade(world, from, to, 0, SB_AIR_SPEED, gain);
}

static double length(sb_vec3 a, sb_vec3 b) {
    return sb_vec3_length(sb_vec3_sub(a, b));
}

/* A wall 200 m long; the source at any height and skew behind it. */
START_TEST(behind_a_long_wall_it_is_maekawas_attenuation) {
    sb_world *world = world_at(1000);
    sb_solid_def wall = box_at((sb_vec3){200, 40, 1e-4}, (sb_vec3){0, -20, 0});
    wall.user = 1;
    put(world, &wall);
    static const sb_vec3 from[] = {{0, -0.05, -1}, {0, -0.5, -1},
                                   {0, -1, -4},    {3, -0.5, -1},
                                   {0, 0.2, -1},   {0, 0.02, -1}};
    for (int i = 0; i < 6; i++) {
        sb_vec3 to = {0, -0.3, 2};
        /* Unfolded about the edge. */
        double r = hypot(from[i].y, from[i].z), q = hypot(to.y, to.z);
        double detour_m = hypot(r + q, from[i].x) - length(from[i], to);
        if (from[i].y + (to.y - from[i].y) / 3 > 0) detour_m = -detour_m;
        double gain[2];
        shade(world, from[i], to, gain);
        for (int k = 0; k < 2; k++)
            ck_assert_double_eq_tol(20 * log10(gain[k]),
                                    20 * log10(law(detour_m, hz[k])), 0.3);
    }
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_thick_wall_is_a_longer_way) {
    sb_world *world = world_at(1000);
    sb_solid_def wall = box_at((sb_vec3){200, 40, 1}, (sb_vec3){0, -20, 0});
    wall.user = 1;
    put(world, &wall);
    double gain[2], detour_m = 2 * hypot(1, 1) + 1 - 3;
    shade(world, (sb_vec3){0, -1, -1.5}, (sb_vec3){0, -1, 1.5}, gain);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(gain[k], law(detour_m, hz[k]), 5e-3);
    sb_world_destroy(world);
}
END_TEST

/* Down behind an edge: no step is larger than the law's own, in both bands. */
START_TEST(behind_an_edge_it_fades_without_a_step) {
    sb_world *world = world_at(1000);
    sb_solid_def wall = box_at((sb_vec3){200, 40, 0.05}, (sb_vec3){0, -20, 0});
    wall.user = 1;
    put(world, &wall);
    double last[2] = {1, 1}, gain[2] = {1, 1};
    for (double y = 0.8; y > -0.8; y -= 0.002) {
        shade(world, (sb_vec3){0, y, -1}, (sb_vec3){0, 0, 1}, gain);
        for (int k = 0; k < 2; k++) {
            ck_assert_double_le(gain[k], last[k] + 1e-9);
            ck_assert_double_gt(gain[k], last[k] * 0.94);
            last[k] = gain[k];
        }
    }
    double detour_m = hypot(1, 0.8) + 1 - hypot(2, 0.8);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(gain[k], law(detour_m, hz[k]), 0.01);
    sb_world_destroy(world);
}
END_TEST

/* Ways around its sides have nearly no detour. */
START_TEST(what_is_small_against_the_wave_hides_nothing) {
    sb_world *world = world_at(1000);
    sb_solid_def ball = default_solid();
    ball.motion = SB_MOTION_FIXED;
    ball.collider = sb_collider_sphere(0.004);
    ball.user = 1;
    put(world, &ball);
    double gain[2];
    shade(world, (sb_vec3){0, 0, -1}, (sb_vec3){0, 0.001, 1}, gain);
    ck_assert_double_gt(gain[0], 0.99);
    ck_assert_double_gt(gain[1], 0.99);
    sb_world_destroy(world);
}
END_TEST

/* Behind the middle of a ball the string lies on it, to all four sides. */
START_TEST(a_ball_is_passed_on_all_sides) {
    sb_world *world = world_at(1000);
    sb_solid_def ball = default_solid();
    ball.motion = SB_MOTION_FIXED;
    ball.collider = sb_collider_sphere(0.5);
    ball.user = 1;
    put(world, &ball);
    double gain[2];
    double detour_m = 2 * sqrt(4 - 0.25) + 2 * 0.5 * asin(0.25) - 4;
    shade(world, (sb_vec3){0, 0, -2}, (sb_vec3){0, 0, 2}, gain);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(gain[k], 2 * law(detour_m, hz[k]), 1e-6);
    sb_world_destroy(world);
}
END_TEST

/* Two halves make a wall: there is no way through their seam; nor is there one
 * under a wall that stands on a floor. */
START_TEST(what_stands_beside_closes_a_way) {
    double whole[2], halves[2];
    sb_vec3 from = {-0.2, 1, -1}, to = {-0.2, 1, 1};
    for (int i = 0; i < 2; i++) {
        sb_world *world = world_at(1000);
        sb_solid_def floor = default_solid();
        floor.motion = SB_MOTION_FIXED;
        floor.collider.kind = SB_COLLIDER_FLOOR;
        floor.user = 1;
        put(world, &floor);
        for (int side = -1; side < 2 * i; side += 2) {
            sb_solid_def wall = box_at((sb_vec3){i ? 10 : 20, 2, 0.1},
                                       (sb_vec3){i ? 5.0 * side : 0, 1, 0});
            wall.user = (uint32_t)(3 + side);
            put(world, &wall);
        }
        shade(world, from, to, i ? halves : whole);
        sb_world_destroy(world);
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(halves[k] / whole[k], 1, 0.02);
        ck_assert_double_lt(whole[k],
                            1.02 * law(2 * sqrt(2) + 0.02 - 2, hz[k]));
    }
}
END_TEST

START_TEST(nothing_is_lost_where_nothing_is_in_the_way) {
    sb_world *world = world_at(1000);
    sb_solid_def floor = default_solid();
    floor.motion = SB_MOTION_FIXED;
    floor.collider.kind = SB_COLLIDER_FLOOR;
    floor.user = 1;
    put(world, &floor);
    /* A table that it lies on, and its own solid. */
    sb_solid_def table =
        box_at((sb_vec3){1.5, 0.04, 0.8}, (sb_vec3){0, 0.7, 0});
    table.user = 2;
    put(world, &table);
    sb_solid_def own = box_at((sb_vec3){0.2, 0.02, 0.1}, (sb_vec3){0, 0.73, 0});
    own.user = 3;
    put(world, &own);
    double gain[2];
    sb_world_shade(world, own.pose.position, (sb_vec3){0, 1.2, 0.8}, 3,
                   SB_AIR_SPEED, gain);
    ck_assert_double_eq(gain[0], 1);
    ck_assert_double_eq(gain[1], 1);
    /* Under the table; and through the floor, from which no edge leads. */
    sb_world_shade(world, (sb_vec3){0, 0.4, 0}, (sb_vec3){0, 1.5, 0.1}, 3,
                   SB_AIR_SPEED, gain);
    ck_assert_double_lt(gain[1], 0.2);
    shade(world, (sb_vec3){0, -1, 0}, (sb_vec3){0, 1, 0}, gain);
    ck_assert_double_eq_tol(gain[1], law(10, hz[1]), 1e-9);
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_shade");
    TCase *tests = tcase_create("shade");
    tcase_add_test(tests, behind_a_long_wall_it_is_maekawas_attenuation);
    tcase_add_test(tests, a_thick_wall_is_a_longer_way);
    tcase_add_test(tests, behind_an_edge_it_fades_without_a_step);
    tcase_add_test(tests, what_is_small_against_the_wave_hides_nothing);
    tcase_add_test(tests, a_ball_is_passed_on_all_sides);
    tcase_add_test(tests, what_stands_beside_closes_a_way);
    tcase_add_test(tests, nothing_is_lost_where_nothing_is_in_the_way);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
