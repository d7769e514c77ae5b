/* SPDX-License-Identifier: MIT */
/* Joints against the theory of pendulums, and their limits. */
#include "runtime/base/pi.h"
#include "tests/world/world_fixture.h"

static const double G = 9.81;

static sb_world_joint_id join(sb_world *world, const sb_world_joint_def *def) {
    sb_world_joint_id id = {0, 0};
    sb_error err = {0};
    ck_assert_msg(sb_world_add_joint(world, def, &id, &err) == SB_OK, "%s",
                  err.message);
    return id;
}

/* A rod that hangs from its end, released at `angle` from the lowest
 * position; m g l / 2 against m l^2 / 3, plus the contribution of its square
 * section. */
static double period_of(double rate_hz, sb_joint_kind kind, double angle,
                        double *least_swing) {
    const double length = .5, thick = .02;
    sb_world *world = world_at(rate_hz);
    sb_quat turn = sb_quat_about((sb_vec3){0, 0, 1}, angle);
    sb_solid_def rod = a_box((sb_vec3){thick, length, thick},
                             sb_quat_turn(turn, (sb_vec3){0, -length / 2, 0}));
    rod.pose.rotation = turn;
    sb_solid_id id = put(world, &rod);
    sb_world_joint_def def = {.kind = kind, .solid = {id}, .axis = {0, 0, 1}};
    join(world, &def);
    double before = 0, first = -1, last = -1, swing = 0, worst = 0;
    *least_swing = INFINITY;
    int count = 0;
    while (count < 7) {
        steps(world, 1);
        sb_pose pose = sb_world_pose(world, id);
        sb_vec3 top = sb_pose_to_world(&pose, (sb_vec3){0, length / 2, 0});
        worst = fmax(worst, sb_vec3_length(top));
        double x = pose.position.x, h = sb_world_step_s(world);
        swing = fmax(swing, fabs(x));
        if (before < 0 && x >= 0) {
            last = ((double)sb_world_steps(world) - x / (x - before)) * h;
            if (count++ == 0) first = last;
            *least_swing = fmin(*least_swing, swing / (length / 2));
            swing = 0;
        }
        before = x;
    }
    ck_assert_msg(worst < 2e-3, "the rod leaves its hinge by %g m", worst);
    sb_world_destroy(world);
    return (last - first) / 6;
}

START_TEST(a_pendulum_keeps_its_period) {
    const double length = .5, thick = .02, angle = .1;
    double inertia = length * length / 3 + thick * thick / 12;
    double exact =
        2 * SB_PI * sqrt(inertia / (G * length / 2)) * (1 + angle * angle / 16);
    const double rates[] = {240, 1000};
    for (int r = 0; r < 2; r++)
        for (int kind = SB_JOINT_BALL; kind <= SB_JOINT_HINGE; kind++) {
            double swing = 0;
            double got =
                period_of(rates[r], (sb_joint_kind)kind, angle, &swing);
            ck_assert_msg(fabs(got / exact - 1) < 2e-3,
                          "%g Hz, kind %d: %g s, not %g", rates[r], kind, got,
                          exact);
            ck_assert_msg(swing > .97 * sin(angle) && swing < 1.01 * sin(angle),
                          "%g Hz, kind %d: swings %g", rates[r], kind, swing);
        }
}
END_TEST

START_TEST(a_slider_stops_at_its_limits) {
    sb_world *world = world_at(1000);
    sb_solid_def def = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, 1, 0});
    sb_solid_id id = put(world, &def);
    sb_world_joint_def joint = {.kind = SB_JOINT_SLIDER,
                                .solid = {id},
                                .axis = {0, 1, 0},
                                .has_limits = true,
                                .low = -.25,
                                .high = .1};
    join(world, &joint);
    seconds(world, .2);
    sb_pose pose = sb_world_pose(world, id);
    ck_assert_double_eq_tol(pose.position.y, 1 - G * .04 / 2, 1e-3);
    seconds(world, 1);
    pose = sb_world_pose(world, id);
    ck_assert_double_eq_tol(pose.position.y, .75, 2e-3);
    ck_assert_double_eq_tol(pose.position.x, 0, 1e-6);
    sb_world_set_gravity(world, (sb_vec3){3, 9.81, 2});
    seconds(world, 1);
    pose = sb_world_pose(world, id);
    ck_assert_double_eq_tol(pose.position.y, 1.1, 2e-3);
    ck_assert_double_eq_tol(pose.position.x, 0, 1e-3);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_hinge_stops_at_its_limits_either_way) {
    for (int turn = -1; turn <= 1; turn += 2) {
        sb_world *world = world_at(1000);
        sb_solid_def def =
            a_box((sb_vec3){.2, .02, .02}, (sb_vec3){.1 * turn, 0, 0});
        sb_solid_id id = put(world, &def);
        /* It rotates about z by -turn: low and high are not symmetric. */
        sb_world_joint_def joint = {.kind = SB_JOINT_HINGE,
                                    .solid = {id},
                                    .axis = {0, 0, 1},
                                    .has_limits = true,
                                    .low = -.3,
                                    .high = .5};
        join(world, &joint);
        seconds(world, 2);
        sb_pose pose = sb_world_pose(world, id);
        double angle = 2 * atan2(pose.rotation.z, pose.rotation.w);
        ck_assert_double_eq_tol(angle, turn > 0 ? -.3 : .5, 5e-3);
        sb_world_destroy(world);
    }
}
END_TEST

START_TEST(friction_of_a_joint_takes_speed_away) {
    sb_world *world = world_at(1000);
    sb_world_set_gravity(world, (sb_vec3){0, 0, 0});
    sb_solid_def def = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, 0, 0});
    def.mass_kg = 2;
    sb_solid_id slides = put(world, &def);
    def.pose.position.x = 1;
    sb_solid_id turns = put(world, &def);
    def.pose.position.x = 2;
    sb_solid_id wobbles = put(world, &def);
    sb_world_joint_def joint = {.kind = SB_JOINT_SLIDER,
                                .solid = {slides},
                                .axis = {1, 0, 0},
                                .friction = 1};
    join(world, &joint);
    joint = (sb_world_joint_def){.kind = SB_JOINT_HINGE,
                                 .solid = {turns},
                                 .anchor = {1, 0, 0},
                                 .axis = {0, 1, 0},
                                 .friction = .01};
    join(world, &joint);
    joint.kind = SB_JOINT_BALL;
    joint.solid[0] = wobbles;
    joint.anchor.x = 2;
    join(world, &joint);
    sb_pose pose = sb_pose_default();
    pose.velocity.x = 1;
    sb_world_place(world, slides, &pose);
    pose = sb_pose_default();
    pose.position.x = 1;
    pose.spin.y = 10;
    sb_world_place(world, turns, &pose);
    pose.position.x = 2;
    sb_world_place(world, wobbles, &pose);
    seconds(world, 1);
    /* F / m = .5 m/s^2; M / I = .01 / (2 .01 / 6) = 3 rad/s^2 */
    ck_assert_double_eq_tol(sb_world_pose(world, slides).velocity.x, .5, 1e-3);
    ck_assert_double_eq_tol(sb_world_pose(world, turns).spin.y, 7, 1e-2);
    ck_assert_double_eq_tol(sb_world_pose(world, wobbles).spin.y, 7, 1e-2);
    seconds(world, 3);
    ck_assert_double_eq_tol(sb_world_pose(world, slides).velocity.x, 0, 1e-6);
    ck_assert_double_eq_tol(sb_world_pose(world, turns).spin.y, 0, 1e-6);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_chain_hangs_together_and_comes_apart) {
    sb_world *world = world_at(1000);
    sb_solid_id links[6];
    sb_world_joint_id joints[6];
    for (int i = 0; i < 6; i++) {
        sb_solid_def def =
            a_box((sb_vec3){.1, .02, .02}, (sb_vec3){.1 * i + .05, 0, 0});
        links[i] = put(world, &def);
        sb_world_joint_def joint = {.kind = SB_JOINT_BALL,
                                    .solid = {links[i]},
                                    .anchor = {.1 * i, 0, 0}};
        if (i > 0) joint.solid[1] = links[i - 1];
        joints[i] = join(world, &joint);
    }
    for (int n = 0; n < 1500; n++) {
        steps(world, 1);
        for (int i = 1; i < 6; i++) {
            sb_pose a = sb_world_pose(world, links[i - 1]),
                    b = sb_world_pose(world, links[i]);
            sb_vec3 apart =
                sb_vec3_sub(sb_pose_to_world(&a, (sb_vec3){.05, 0, 0}),
                            sb_pose_to_world(&b, (sb_vec3){-.05, 0, 0}));
            ck_assert_msg(sb_vec3_length(apart) < 3e-3,
                          "link %d is %g m off after %d steps", i,
                          sb_vec3_length(apart), n);
        }
    }
    /* Removing a solid removes its joints; removing a joint twice is
     * allowed. */
    sb_world_remove(world, links[3]);
    sb_world_remove_joint(world, joints[3]);
    sb_world_remove_joint(world, joints[1]);
    sb_world_remove_joint(world, joints[1]);
    double high = sb_world_pose(world, links[0]).position.y;
    seconds(world, 1);
    ck_assert_double_gt(sb_world_pose(world, links[0]).position.y, high - .1);
    ck_assert_double_lt(sb_world_pose(world, links[2]).position.y, -4);
    ck_assert_double_lt(sb_world_pose(world, links[5]).position.y, -4);
    sb_world_destroy(world);
}
END_TEST

START_TEST(wrong_joints_are_named) {
    sb_world *world = world_at(1000);
    sb_solid_def def = a_ball(.1, (sb_vec3){0, 0, 0});
    sb_solid_id id = put(world, &def), gone = put(world, &def);
    def.motion = SB_MOTION_FIXED;
    sb_solid_id fixed = put(world, &def);
    sb_world_remove(world, gone);
    const sb_world_joint_def wrong[] = {
        {.kind = SB_JOINT_BALL, .solid = {gone}},
        {.kind = SB_JOINT_BALL, .solid = {id, gone}},
        {.kind = SB_JOINT_BALL, .solid = {id, id}},
        {.kind = SB_JOINT_BALL, .solid = {fixed}},
        {.kind = SB_JOINT_HINGE, .solid = {id}},
        {.kind = SB_JOINT_SLIDER, .solid = {id}, .axis = {NAN, 0, 0}},
        {.kind = SB_JOINT_BALL, .solid = {id}, .anchor = {INFINITY, 0, 0}},
        {.solid = {id}, .has_limits = true, .low = 1, .high = 2},
        {.solid = {id}, .friction = -1}};
    const char *says[] = {"removed", "removed", "itself", "not free", "axis",
                          "axis",    "anchor",  "limits", "friction"};
    for (int i = 0; i < 9; i++) {
        sb_world_joint_id joint = {7, 7};
        sb_error err = {0};
        ck_assert_int_ne(sb_world_add_joint(world, &wrong[i], &joint, &err),
                         SB_OK);
        ck_assert_msg(strstr(err.message, says[i]) != NULL, "%d: %s", i,
                      err.message);
        ck_assert_uint_eq(joint.index, 7);
    }
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_joint");
    TCase *joint = tcase_create("joint");
    tcase_add_test(joint, a_pendulum_keeps_its_period);
    tcase_add_test(joint, a_slider_stops_at_its_limits);
    tcase_add_test(joint, a_hinge_stops_at_its_limits_either_way);
    tcase_add_test(joint, friction_of_a_joint_takes_speed_away);
    tcase_add_test(joint, a_chain_hangs_together_and_comes_apart);
    tcase_add_test(joint, wrong_joints_are_named);
    suite_add_tcase(suite, joint);
    return run_suite(suite);
}
