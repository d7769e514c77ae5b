/* SPDX-License-Identifier: MIT */
/* Solids that overlap before anything has moved: which, and how deep. */
#include "runtime/base/stop.h"
#include "tests/world/world_fixture.h"

typedef struct found {
    int count;
    uint32_t first, second;
    double depth_m;
} found;

static void take(void *user, uint32_t first, uint32_t second, double depth_m) {
    found *all = user;
    all->count++;
    all->first = first;
    all->second = second;
    all->depth_m = depth_m;
}

/* What two solids alone in a world give. */
static found overlap_of(sb_solid_def one, sb_solid_def other) {
    sb_world *world = world_at(1000);
    found all = {0};
    one.user = 7;
    other.user = 9;
    (void)put(world, &one);
    (void)put(world, &other);
    ck_assert(sb_world_overlaps(world, take, &all));
    sb_world_destroy(world);
    return all;
}

static sb_solid_def fixed(sb_solid_def def) {
    def.motion = SB_MOTION_FIXED;
    return def;
}

static sb_solid_def table(void) {
    return fixed(a_box((sb_vec3){1, .04, 1}, (sb_vec3){0, -.02, 0}));
}

START_TEST(what_only_touches_is_not_reported) {
    static const double gaps_m[] = {0, 1e-6, -1e-6, -1e-4, .01};
    for (int i = 0; i < 5; i++) {
        double r = .01, y = r + gaps_m[i];
        ck_assert_int_eq(
            overlap_of(table(), a_ball(r, (sb_vec3){0, y, 0})).count, 0);
        ck_assert_int_eq(
            overlap_of(a_floor(0), a_ball(r, (sb_vec3){0, y, 0})).count, 0);
        sb_solid_def die = a_box((sb_vec3){.02, .02, .02}, (sb_vec3){0, y, 0});
        ck_assert_int_eq(overlap_of(table(), die).count, 0);
    }
}
END_TEST

START_TEST(the_depth_is_that_of_the_deepest_point) {
    for (int i = 1; i < 9; i++) {
        double depth = .001 * i;
        sb_vec3 at = {.1, .01 - depth, 0};
        found got = overlap_of(table(), a_ball(.01, at));
        ck_assert_int_eq(got.count, 1);
        ck_assert_uint_eq(got.first, 7);
        ck_assert_uint_eq(got.second, 9);
        ck_assert_double_eq_tol(got.depth_m, depth, 1e-6);
        got = overlap_of(a_floor(0), a_ball(.01, at));
        ck_assert_int_eq(got.count, 1);
        ck_assert_double_eq_tol(got.depth_m, depth, 1e-6);
    }
}
END_TEST

START_TEST(a_ball_wholly_inside_is_found) {
    sb_vec3 middle = {0, -.02, 0};
    found got = overlap_of(table(), a_ball(.002, middle));
    ck_assert_int_eq(got.count, 1);
    ck_assert_double_ge(got.depth_m, .02 - 1e-9);
}
END_TEST

START_TEST(pairs_that_cannot_collide_and_rings_round_a_post_are_not_reported) {
    sb_solid_def sunk = a_ball(.01, (sb_vec3){0, 0, 0});
    ck_assert_int_eq(overlap_of(table(), fixed(sunk)).count, 0);
    sb_solid_def post =
        fixed(a_box((sb_vec3){.02, 1, .02}, (sb_vec3){0, 0, 0}));
    sb_solid_def ring = a_ring(.05, .004, (sb_vec3){0, 0, 0});
    ck_assert_int_eq(overlap_of(post, ring).count, 0);
}
END_TEST

START_TEST(looking_moves_nothing) {
    sb_pose poses[2];
    for (int i = 0; i < 2; i++) {
        sb_world *world = world_at(1000);
        sb_solid_def under = table(), over = a_ball(.01, (sb_vec3){0, .005, 0});
        found all = {0};
        (void)put(world, &under);
        sb_solid_id ball = put(world, &over);
        if (i == 1) ck_assert(sb_world_overlaps(world, take, &all));
        steps(world, 300);
        poses[i] = sb_world_pose(world, ball);
        sb_world_destroy(world);
    }
    ck_assert_mem_eq(&poses[0], &poses[1], sizeof poses[0]);
}
END_TEST

/* Spheres in a row, or all in one place. */
static sb_world *many(int count, double apart_m) {
    sb_world *world = world_at(1000);
    for (int i = 0; i < count; i++) {
        sb_solid_def ball = a_ball(.01, (sb_vec3){0, apart_m * i, 0});
        ball.user = (uint32_t)i;
        (void)put(world, &ball);
    }
    return world;
}

START_TEST(a_pile_is_looked_at_in_part_and_a_row_is_whole) {
    sb_world *world = many(20000, 0.0);
    found all = {0};
    ck_assert(!sb_world_overlaps(world, take, &all));
    ck_assert_int_ge(all.count, 1000);
    ck_assert_int_le(all.count, 1000000);
    sb_world_destroy(world);
    world = many(20000, .019);
    all = (found){0};
    ck_assert(sb_world_overlaps(world, take, &all));
    ck_assert_int_eq(all.count, 19999);
    ck_assert_uint_eq(all.first, 19998);
    ck_assert_uint_eq(all.second, 19999);
    sb_world_destroy(world);
}
END_TEST

START_TEST(the_search_and_a_step_end_when_a_stop_is_wanted) {
    sb_world *world = many(100, .019);
    atomic_bool flag = true;
    found all = {0};
    sb_error err;
    sb_stop_watch(&flag);
    ck_assert(!sb_world_overlaps(world, take, &all));
    ck_assert_int_eq(all.count, 0);
    ck_assert_int_eq(sb_world_step(world, &err), SB_INTERRUPTED);
    atomic_store(&flag, false);
    ck_assert(sb_world_overlaps(world, take, &all));
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(sb_world_step(world, &err), SB_OK);
    sb_stop_watch(NULL);
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_overlap");
    TCase *tcase = tcase_create("overlap");
    tcase_add_test(tcase, what_only_touches_is_not_reported);
    tcase_add_test(tcase, the_depth_is_that_of_the_deepest_point);
    tcase_add_test(tcase, a_ball_wholly_inside_is_found);
    tcase_add_test(tcase, a_pile_is_looked_at_in_part_and_a_row_is_whole);
    tcase_add_test(tcase, the_search_and_a_step_end_when_a_stop_is_wanted);
    tcase_add_test(
        tcase,
        pairs_that_cannot_collide_and_rings_round_a_post_are_not_reported);
    tcase_add_test(tcase, looking_moves_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
