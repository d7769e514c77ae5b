/* SPDX-License-Identifier: MIT */
/* A world that is loaded again while its bodies move: what goes on, what
 * changes, what a failed load leaves; and joints. */
#include "tests/world/world_stage.h"

static sb_plan *plan_of(const sb_body_def *defs, int count) {
    sb_plan *plan;
    ck_assert_int_eq(sb_plan_create(&plan, NULL), SB_OK);
    for (int i = 0; i < count; i++) {
        int index;
        sb_error err = {0};
        ck_assert_msg(sb_plan_add(plan, &defs[i], &index, &err) == SB_OK, "%s",
                      err.message);
    }
    return plan;
}

static sb_status try_commit(stage on, sb_plan *plan, double time_s,
                            sb_error *err) {
    sb_body_id ids[8];
    sb_commit_counts counts;
    sb_status status = sb_plan_solve(plan, NULL, err);
    if (!status)
        status = sb_scene_commit(on.scene, plan, time_s, ids, &counts, err);
    sb_plan_destroy(plan);
    return status;
}

static void commit(stage on, sb_plan *plan, double time_s) {
    sb_error err = {0};
    ck_assert_msg(try_commit(on, plan, time_s, &err) == SB_OK, "%s",
                  err.message);
}

static sb_pose pose_of(stage on, const char *name) {
    return sb_scene_pose(on.scene, sb_scene_find(on.scene, name));
}

static stage falling(sb_body_def defs[2]) {
    defs[0] = slab_def();
    defs[1] = ball_def();
    stage on = stage_new();
    commit(on, plan_of(defs, 2), 0);
    advance(on, 0, 60, 512, NULL);
    return on;
}

START_TEST(an_unchanged_scene_goes_on_bit_by_bit) {
    sb_body_def defs[2];
    stage left = falling(defs), right = falling(defs);
    commit(right, plan_of(defs, 2), 60 * STEP_S);
    advance(left, 60, 100, 512, NULL);
    advance(right, 60, 100, 512, NULL);
    sb_pose a = pose_of(left, "ball"), b = pose_of(right, "ball");
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
    stage_free(left);
    stage_free(right);
}
END_TEST

START_TEST(another_material_leaves_the_motion_as_it_is) {
    sb_body_def defs[2];
    stage on = falling(defs);
    sb_pose before = pose_of(on, "ball");
    defs[1].moves.restitution = 0.3;
    commit(on, plan_of(defs, 2), 60 * STEP_S);
    sb_pose after = pose_of(on, "ball");
    ck_assert_int_eq(memcmp(&before, &after, sizeof before), 0);
    /* It still lands at the same time. */
    uint64_t reader = sb_scene_event_count(on.scene);
    advance(on, 60, 80, 512, NULL);
    sb_event event;
    ck_assert(sb_scene_next_event(on.scene, &reader, &event));
    ck_assert_double_eq_tol(event.time_s, 1.173961, 2e-3);
    ck_assert_double_eq_tol(event.restitution, sqrt(0.3 * 0.8), 1e-6);
    stage_free(on);
}
END_TEST

START_TEST(a_body_declared_elsewhere_is_put_there) {
    sb_body_def defs[2];
    stage on = falling(defs);
    defs[1].position = (sb_vec3){0.3, 2, 0};
    commit(on, plan_of(defs, 2), 60 * STEP_S);
    sb_pose pose = pose_of(on, "ball");
    ck_assert_double_eq(pose.position.y, 2);
    ck_assert_double_eq(pose.velocity.y, 0);
    stage_free(on);
}
END_TEST

START_TEST(gravity_changes_at_once_and_the_rate_keeps_poses) {
    sb_body_def defs[2];
    stage on = falling(defs);
    sb_pose before = pose_of(on, "ball");
    sb_plan *plan = plan_of(defs, 2);
    sb_plan_world(plan)->gravity = (sb_vec3){0, 0, 0};
    sb_plan_world(plan)->rate_hz = 300;
    commit(on, plan, 60 * STEP_S);
    ck_assert_double_eq(sb_scene_world_info(on.scene).rate_hz, 300);
    sb_pose after = pose_of(on, "ball");
    ck_assert_int_eq(memcmp(&before, &after, sizeof before), 0);
    advance(on, 60, 10, 512, NULL);
    after = pose_of(on, "ball");
    ck_assert_double_eq_tol(after.velocity.y, before.velocity.y, 1e-9);
    stage_free(on);
}
END_TEST

START_TEST(a_failed_load_changes_nothing) {
    sb_body_def defs[2];
    stage left = falling(defs), right = falling(defs);
    sb_plan *plan = plan_of(defs, 2);
    sb_joint_part joint = {.name = "pin", .body = {"ball", "nobody"}};
    ck_assert_int_eq(sb_plan_join(plan, &joint, NULL), SB_OK);
    sb_error err = {0};
    ck_assert_int_eq(try_commit(right, plan, 60 * STEP_S, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "joint 'pin': there is no body called 'nobody'");
    advance(left, 60, 60, 512, NULL);
    advance(right, 60, 60, 512, NULL);
    sb_pose a = pose_of(left, "ball"), b = pose_of(right, "ball");
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
    stage_free(left);
    stage_free(right);
}
END_TEST

START_TEST(a_failed_allocation_leaves_the_old_scene) {
    sb_body_def defs[2];
    stage on = falling(defs);
    sb_pose before = pose_of(on, "ball");
    defs[1].moves.restitution = 0.3;
    for (int n = 0; n < 400; n++) {
        sb_plan *plan = plan_of(defs, 2);
        ck_assert_int_eq(sb_plan_solve(plan, NULL, NULL), SB_OK);
        sb_body_id ids[2];
        sb_commit_counts counts;
        sb_memory_fail_after(n);
        sb_status status =
            sb_scene_commit(on.scene, plan, 60 * STEP_S, ids, &counts, NULL);
        sb_memory_fail_after(-1);
        sb_plan_destroy(plan);
        sb_pose after = pose_of(on, "ball");
        ck_assert_int_eq(memcmp(&before, &after, sizeof before), 0);
        if (status == SB_OK) {
            ck_assert_int_gt(n, 3);
            stage_free(on);
            return;
        }
        ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    ck_abort_msg("never enough memory");
}
END_TEST

START_TEST(a_reset_puts_everything_back) {
    sb_body_def defs[2];
    stage on = falling(defs);
    sb_scene_restart(on.scene, 60 * STEP_S);
    sb_pose pose = pose_of(on, "ball");
    ck_assert_double_eq(pose.position.y, 1.01);
    ck_assert_double_eq(pose.velocity.y, 0);
    stage_free(on);
}
END_TEST

START_TEST(a_world_without_anything_free_is_none) {
    sb_body_def defs[2];
    stage on = falling(defs);
    ck_assert(sb_scene_world_info(on.scene).is_there);
    commit(on, plan_of(defs, 1), 60 * STEP_S);
    ck_assert(!sb_scene_world_info(on.scene).is_there);
    advance(on, 60, 10, 512, NULL);
    stage_free(on);
}
END_TEST

START_TEST(a_pendulum_keeps_its_length_and_period) {
    stage on = stage_new();
    sb_body_def def = ball_def();
    double length = 0.5, angle = 0.05;
    def.position = (sb_vec3){length * sin(angle), 2 - length * cos(angle), 0};
    sb_plan *plan = plan_of(&def, 1);
    sb_joint_part joint = {.name = "nail",
                           .kind = SB_JOINT_HINGE,
                           .body = {"ball", ""},
                           .at = {0, 2, 0},
                           .axis = {0, 0, 1}};
    ck_assert_int_eq(sb_plan_join(plan, &joint, NULL), SB_OK);
    commit(on, plan, 0);
    double crossed_s = 0, before = def.position.x;
    for (int i = 0; i < 100; i++) {
        advance(on, i, 1, 512, NULL);
        sb_vec3 at = pose_of(on, "ball").position;
        ck_assert_double_eq_tol(
            sb_vec3_length(sb_vec3_sub(at, (sb_vec3){0, 2, 0})), length, 1e-3);
        if (before > 0 && at.x <= 0 && crossed_s == 0.0)
            crossed_s = (i + before / (before - at.x)) * STEP_S;
        before = at.x;
    }
    /* A quarter of the period; the ball's own inertia adds 0.02 %. */
    ck_assert_double_eq_tol(crossed_s, SB_PI / 2 * sqrt(length / 9.81), 6e-3);
    stage_free(on);
}
END_TEST

START_TEST(joints_that_are_wrong_are_named) {
    sb_plan *plan;
    ck_assert_int_eq(sb_plan_create(&plan, NULL), SB_OK);
    sb_joint_part joint = {.name = "pin", .body = {"ball", ""}};
    ck_assert_int_eq(sb_plan_join(plan, &joint, NULL), SB_OK);
    sb_error err = {0};
    ck_assert_int_eq(sb_plan_join(plan, &joint, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "there is a joint called 'pin' already");
    sb_joint_part bad[4] = {joint, joint, joint, joint};
    bad[0].name[0] = 0;
    bad[1].kind = SB_JOINT_SLIDER; /* no axis */
    bad[2].has_limits = true;
    bad[2].low = 1;
    bad[3].friction = NAN;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(sb_plan_join(plan, &bad[i], NULL), SB_BAD_ARGUMENT);
    sb_plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_reload");
    TCase *tests = tcase_create("world_reload");
    tcase_add_test(tests, an_unchanged_scene_goes_on_bit_by_bit);
    tcase_add_test(tests, another_material_leaves_the_motion_as_it_is);
    tcase_add_test(tests, a_body_declared_elsewhere_is_put_there);
    tcase_add_test(tests, gravity_changes_at_once_and_the_rate_keeps_poses);
    tcase_add_test(tests, a_failed_load_changes_nothing);
    tcase_add_test(tests, a_failed_allocation_leaves_the_old_scene);
    tcase_add_test(tests, a_reset_puts_everything_back);
    tcase_add_test(tests, a_world_without_anything_free_is_none);
    tcase_add_test(tests, a_pendulum_keeps_its_length_and_period);
    tcase_add_test(tests, joints_that_are_wrong_are_named);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
