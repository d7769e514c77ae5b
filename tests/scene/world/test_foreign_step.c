/* SPDX-License-Identifier: MIT */
/* The contract of foreign steps: what is played of a point, what a missing number
 * stands for, what is refused, and what happens when steps end. ODE as the other
 * engine: test_foreign_ode.c. */
#include "runtime/scene/world/foreign_step.h"
#include "runtime/scene/world/scene_world_state.h"
#include "tests/world/world_stage.h"

#define GRAVITY 9.81
#define RATE    60.0

static const sb_body_id nothing = {0, 0};

typedef struct pair {
    stage on;
    sb_body_id slab, ball;
} pair;

static pair pair_new(void) {
    pair p = {.on = stage_new()};
    sb_body_def slab = slab_def(), ball = ball_def();
    slab.gain = ball.gain = 1;
    ball.position.y = 0.01;
    p.slab = add(p.on, slab);
    p.ball = add(p.on, ball);
    return p;
}

/* The ball touches the slab, or nothing, below it. */
static sb_foreign_point below(sb_body_id ball, sb_body_id ground) {
    sb_foreign_point p = sb_foreign_point_default();
    p.body[0] = ball;
    p.body[1] = ground;
    p.normal = (sb_vec3){0, 1, 0};
    p.velocity[0] = p.centre[0] = (sb_vec3){0, 0, 0};
    p.impulse_ns = 0.03 * GRAVITY / RATE;
    return p;
}

static sb_foreign_step step_of(int i, const sb_foreign_point *points,
                               int count) {
    return (sb_foreign_step){.from_s = i / RATE,
                             .step_s = 1 / RATE,
                             .gravity_m_s2 = {0, -GRAVITY, 0},
                             .points = points,
                             .count = count};
}

static void take(stage on, const sb_foreign_step *step) {
    sb_error err = {0};
    ck_assert_msg(!sb_scene_foreign_step(on.scene, step, &err), "%s",
                  err.message);
}

static void feed_one(stage on, int i, const sb_foreign_point *point) {
    sb_foreign_step step = step_of(i, point, 1);
    take(on, &step);
}

static int count_of(sb_scene *scene, sb_event_kind kind, sb_event *last) {
    uint64_t reader = 0;
    sb_event event;
    int count = 0;
    while (sb_scene_next_event(scene, &reader, &event)) {
        if (event.kind != kind) continue;
        count++;
        if (last) *last = event;
    }
    return count;
}

/* Peak of `steps` control steps. */
static double listen(stage on, int first, int steps) {
    static float out[2 * STEP_FRAMES];
    double peak = 0;
    for (int i = first; i < first + steps; i++) {
        advance(on, i, 1, STEP_FRAMES, out);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            peak = fmax(peak, fabs((double)out[n]));
    }
    return peak;
}

/* --- what is played ------------------------------------------------------ */

/* Box2D's hit events: point, normal, speed. */
START_TEST(without_an_impulse_it_follows_from_mass_and_speed) {
    pair p = pair_new();
    sb_foreign_point hit = below(p.ball, p.slab);
    hit.impulse_ns = NAN;
    hit.closing_m_s = 2;
    hit.restitution = _i == 0 ? 0.4 : -1;
    feed_one(p.on, 0, &hit);
    sb_event event;
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, &event), 1);
    double e = _i == 0 ? 0.4 : 0.8; /* both bodies have the latter */
    ck_assert_double_eq_tol(event.impulse_ns, 0.03 * 2 * (1 + e), 1e-12);
    ck_assert_double_eq_tol(event.speed_m_s, 2, 1e-12);
    ck_assert_double_gt(listen(p.on, 0, 10), 1e-4);
    stage_free(p.on);
}
END_TEST

START_TEST(the_weight_of_a_step_is_no_part_of_a_blow) {
    pair p = pair_new();
    sb_foreign_point hit = below(p.ball, p.slab);
    hit.closing_m_s = 2;
    hit.restitution = 0.5;
    hit.impulse_ns = 0.03 * (2 * 1.5 + GRAVITY / RATE);
    feed_one(p.on, 0, &hit);
    sb_event event;
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, &event), 1);
    ck_assert_double_eq_tol(event.impulse_ns, 0.03 * 2 * 1.5, 1e-12);
    stage_free(p.on);
}
END_TEST

START_TEST(the_order_of_the_bodies_does_not_matter) {
    sb_event events[2];
    for (int k = 0; k < 2; k++) {
        pair p = pair_new();
        sb_foreign_point hit = below(p.ball, p.slab);
        hit.velocity[0] = (sb_vec3){0.3, -2, 0};
        hit.restitution = 0.5;
        hit.impulse_ns = 0.09;
        if (k == 1) {
            hit.body[0] = p.slab;
            hit.body[1] = p.ball;
            hit.normal.y = -1;
            hit.velocity[1] = hit.velocity[0];
            hit.velocity[0] = (sb_vec3){NAN, NAN, NAN};
        }
        feed_one(p.on, 0, &hit);
        ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, &events[k]), 1);
        stage_free(p.on);
    }
    ck_assert(events[0].spot.normal.y == events[1].spot.normal.y);
    ck_assert(events[0].impulse_ns == events[1].impulse_ns);
    ck_assert(events[0].speed_m_s == events[1].speed_m_s);
    ck_assert(events[0].slip_m_s == events[1].slip_m_s);
    ck_assert(events[0].body[0].index == events[1].body[0].index);
}
END_TEST

/* At the edge of a box: 1/m + r^2/I, here 1/m (1 + 3 r^2 / (w^2 + d^2) * 4). */
START_TEST(the_mass_at_an_arm_is_that_of_the_scene_s_body) {
    pair p = pair_new();
    sb_body_def def = ball_def();
    def.name = "box";
    def.moves.collider = (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = 0.2, .height = 0.04, .depth = 0.1};
    def.position = (sb_vec3){0, 0.02, 0};
    sb_body_id box = add(p.on, def);
    sb_foreign_point hit = below(box, p.slab);
    hit.point_m.x = 0.1;
    hit.impulse_ns = NAN;
    hit.closing_m_s = 1;
    hit.restitution = 0;
    feed_one(p.on, 0, &hit);
    sb_event event;
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, &event), 1);
    double inverse = 1 / 0.03 * (1 + 12 * 0.01 / (0.04 + 0.0016));
    ck_assert_double_eq_tol(event.impulse_ns, 1 / inverse, 1e-9);
    stage_free(p.on);
}
END_TEST

/* A concrete floor is no body of the scene. */
START_TEST(what_does_not_ring_is_struck_rolled_on_and_lain_on) {
    pair p = pair_new();
    sb_foreign_point at = below(p.ball, nothing);
    at.closing_m_s = 2;
    at.impulse_ns = 0.09;
    at.restitution = 0.5;
    feed_one(p.on, 0, &at);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, NULL), 1);
    double struck = listen(p.on, 0, 1);
    ck_assert_double_gt(struck, 1e-3);
    int i = 1;
    for (; i < 40; i++) {
        at = below(p.ball, nothing);
        at.closing_m_s = 0;
        at.centre[0].x = 0.5; /* it rolls, or slides */
        at.velocity[0].x = _i == 0 ? 0.5 : 0;
        at.point_m.x = 0.5 * i / RATE;
        feed_one(p.on, i, &at);
    }
    sb_event event;
    ck_assert_int_eq(
        count_of(p.on.scene, _i == 0 ? SB_EVENT_SLIDE : SB_EVENT_ROLL, &event),
        1);
    ck_assert_double_eq_tol(event.force_n, 0.03 * GRAVITY, 1e-3);
    ck_assert_str_eq(event.name[0], "ball");
    ck_assert_str_eq(event.name[1], "");
    (void)listen(p.on, 1, 60);
    ck_assert_int_eq((int)sb_scene_world_info(p.on.scene).unheard, 0);
    ck_assert_int_ne(p.on.scene->world->contacts[0].sound.generation, 0);
    for (; i < 80; i++) {
        at.centre[0].x = at.velocity[0].x = 0;
        feed_one(p.on, i, &at);
    }
    (void)listen(p.on, 61, 60);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_REST, NULL), 1);
    ck_assert_double_lt(listen(p.on, 121, 20), 3e-5);
    stage_free(p.on);
}
END_TEST

/* --- rest ---------------------------------------------------------------- */

/* A force without speeds; a heavy load on a light body; chatter below 3 g h. */
START_TEST(rest_has_no_impact_and_no_sound) {
    pair p = pair_new();
    double chatter = 2.5 * GRAVITY / RATE;
    for (int i = 0; i < 120; i++) {
        sb_foreign_point at = below(p.ball, p.slab);
        at.impulse_ns *= i < 60 ? 100 : 1;
        at.closing_m_s = i % 2 == 0 ? chatter : -chatter;
        feed_one(p.on, i, &at);
    }
    ck_assert_double_eq(listen(p.on, 0, 180), 0);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_IMPACT, NULL), 0);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_REST, NULL), 1);
    /* It damps what it lies on. */
    ck_assert(p.on.scene->world->contacts[0].touch[0].number != 0);
    stage_free(p.on);
}
END_TEST

/* Engines put bodies to sleep, and then report no points. */
START_TEST(what_sleeps_lies_on_until_it_moves) {
    pair p = pair_new();
    sb_foreign_point at = below(p.ball, p.slab);
    for (int i = 0; i < 30; i++)
        feed_one(p.on, i, &at);
    for (int i = 30; i < 60; i++) {
        sb_foreign_step none = step_of(i, NULL, 0);
        take(p.on, &none);
    }
    (void)listen(p.on, 0, 90);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_END, NULL), 0);
    sb_foreign_pose up = {p.ball, sb_pose_default()};
    up.pose.velocity.y = 1;
    for (int i = 60; i < 70; i++) {
        sb_foreign_step step = step_of(i, NULL, 0);
        up.pose.position.y = 0.02 + (i - 60) / RATE;
        step.poses = &up;
        step.pose_count = 1;
        take(p.on, &step);
    }
    (void)listen(p.on, 90, 20);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_END, NULL), 1);
    ck_assert_int_eq(p.on.scene->world->contact_count, 0);
    stage_free(p.on);
}
END_TEST

/* Heard while it slides; *next is the next control step. */
static double slide(pair p, int from, int to, int *next) {
    double peak = 0;
    for (int i = from; i < to; i++) {
        sb_foreign_point at = below(p.ball, p.slab);
        at.closing_m_s = 0;
        at.centre[0].x = at.velocity[0].x = 0.5;
        at.point_m.x = 0.5 * i / RATE;
        feed_one(p.on, i, &at);
        for (; (*next + 1) * STEP_S <= (i + 1) / RATE; ++*next)
            peak = fmax(peak, listen(p.on, *next, 1));
    }
    return peak;
}

START_TEST(a_paused_game_does_not_drone) {
    pair p = pair_new();
    int next = 0;
    ck_assert_double_gt(slide(p, 0, 60, &next), 1e-4);
    (void)listen(p.on, next, 60);
    ck_assert_double_lt(listen(p.on, next + 60, 20), 3e-5);
    next += 80; /* 1.85 s */
    ck_assert_double_gt(slide(p, 112, 130, &next), 1e-4);
    stage_free(p.on);
}
END_TEST

/* A quarter of a step between two of them: the point moves on in it. */
START_TEST(gaps_between_steps_are_no_speed) {
    pair p = pair_new();
    for (int i = 0; i < 40; i++) {
        sb_foreign_point at = below(p.ball, p.slab);
        double from_s = 1.25 * i / RATE;
        at.closing_m_s = 0;
        at.centre[0].x = 0.5;
        at.point_m.x = 0.5 * from_s;
        sb_foreign_step step = step_of(0, &at, 1);
        step.from_s = from_s;
        take(p.on, &step);
    }
    const sb_tracked *last = &p.on.scene->world->contacts[0].last;
    ck_assert_int_eq(last->state, SB_ROLLING);
    ck_assert_double_eq_tol(last->surface_m_s[0].x, 0.5, 1e-3);
    stage_free(p.on);
}
END_TEST

/* --- poses --------------------------------------------------------------- */

START_TEST(bodies_are_where_the_other_engine_has_them) {
    pair p = pair_new();
    sb_foreign_pose at = {p.ball, sb_pose_default()};
    at.pose.position = (sb_vec3){0.3, 0.4, 0.5};
    at.pose.velocity = (sb_vec3){0, -1, 0};
    sb_foreign_step step = step_of(0, NULL, 0);
    step.poses = &at;
    step.pose_count = 1;
    take(p.on, &step);
    (void)listen(p.on, 0, 20);
    sb_pose pose = sb_scene_pose(p.on.scene, p.ball);
    ck_assert(pose.position.y == 0.4 && pose.velocity.y == -1);
    ck_assert(!sb_scene_is_asleep(p.on.scene, p.ball));
    ck_assert(!sb_scene_is_moving(p.on.scene));
    sb_scene_ray_hit hit;
    bool is_hit;
    ck_assert_int_eq(sb_scene_raycast(p.on.scene, (sb_vec3){0.3, 1, 0.5},
                                      (sb_vec3){0, -1, 0}, 2, 0.3, &is_hit,
                                      &hit, NULL),
                     SB_OK);
    ck_assert(is_hit && hit.body.index == p.ball.index);
    ck_assert_double_eq_tol(hit.distance_m, 0.59, 1e-6);
    step = step_of(20, NULL, 0);
    take(p.on, &step);
    pose = sb_scene_pose(p.on.scene, p.ball);
    ck_assert(pose.position.y == 0.4 && pose.velocity.y == 0);
    ck_assert(sb_scene_is_asleep(p.on.scene, p.ball));
    stage_free(p.on);
}
END_TEST

START_TEST(a_body_placed_elsewhere_ends_its_contacts) {
    pair p = pair_new();
    int next = 0;
    (void)slide(p, 0, 30, &next);
    ck_assert_int_eq(p.on.scene->world->contact_count, 1);
    if (_i == 0) {
        sb_scene_foreign_forget(p.on.scene, p.ball);
    } else {
        take_away(p.on, p.ball, 0.5);
    }
    ck_assert_int_eq(p.on.scene->world->contact_count, 0);
    ck_assert_int_eq(count_of(p.on.scene, SB_EVENT_END, NULL), 1);
    sb_foreign_step none = step_of(30, NULL, 0);
    take(p.on, &none);
    sb_scene_foreign_forget(p.on.scene, (sb_body_id){7, 9});
    (void)listen(p.on, next, 20);
    ck_assert_double_lt(listen(p.on, next + 20, 20), 3e-5);
    stage_free(p.on);
}
END_TEST

/* --- refusals ------------------------------------------------------------ */

static void refuse(stage on, const sb_foreign_step *step, const char *part) {
    sb_error err = {0};
    uint64_t before = sb_scene_event_count(on.scene);
    int contacts = sb_scene_world_info(on.scene).contacts;
    ck_assert_int_ne(sb_scene_foreign_step(on.scene, step, &err), SB_OK);
    ck_assert_msg(strstr(err.message, part) != NULL, "'%s' has no '%s'",
                  err.message, part);
    ck_assert_int_eq((int)sb_scene_event_count(on.scene), (int)before);
    ck_assert_int_eq(sb_scene_world_info(on.scene).contacts, contacts);
}

static void refuse_point(stage on, sb_foreign_point point, const char *part) {
    point.closing_m_s = isnan(point.closing_m_s) ? 2 : point.closing_m_s;
    sb_foreign_step step = step_of(1, &point, 1);
    refuse(on, &step, part);
}

static void refuse_points(stage on, sb_foreign_point good) {
    sb_foreign_point p = good;
    p.point_m.x = NAN;
    refuse_point(on, p, "point is not finite");
    p = good;
    p.normal.y = 2;
    refuse_point(on, p, "'ball': its normal has not the length 1");
    p = good;
    p.closing_m_s = INFINITY;
    refuse_point(on, p, "closing speed");
    p = good;
    p.impulse_ns = INFINITY;
    refuse_point(on, p, "impulse");
    p = good;
    p.velocity[1].x = 1e9;
    refuse_point(on, p, "velocity");
    p = good;
    p.inverse_mass[1] = -2;
    refuse_point(on, p, "inverse mass");
    p = good;
    p.restitution = 1.5;
    refuse_point(on, p, "restitution");
    p = good;
    p.time_s = 0.02;
    refuse_point(on, p, "within the step");
    p = good;
    p.body[1] = p.body[0];
    refuse_point(on, p, "touches itself");
    p = good;
    p.impulse_ns = -0.1;
    refuse_point(on, p, "impulse is negative: contacts push");
    p = good;
    p.body[0].generation += 2;
    refuse_point(on, p, "has been removed");
    p.body[0] = nothing;
    refuse_point(on, p, "has been removed");
}

static void refuse_poses(stage on, pair p) {
    sb_foreign_pose pose = {p.slab, sb_pose_default()};
    sb_foreign_step step = step_of(1, NULL, 0);
    step.poses = &pose;
    step.pose_count = 1;
    refuse(on, &step, "'slab' is fixed");
    pose.body = p.ball;
    pose.pose.rotation.w = 0;
    refuse(on, &step, "quaternion");
    pose.pose = sb_pose_default();
    pose.pose.position.z = NAN;
    refuse(on, &step, "finite");
    pose.body.generation += 2;
    refuse(on, &step, "has been removed");
    ck_assert(sb_scene_pose(on.scene, p.ball).position.y == 0.01);
}

START_TEST(bad_steps_are_refused_and_change_nothing) {
    pair p = pair_new();
    sb_foreign_step step = step_of(0, NULL, 0);
    step.step_s = 0.5;
    refuse(p.on, &step, "expected 0.0001 .. 0.1");
    ck_assert(!p.on.scene->world->foreign.is_on);
    step.step_s = NAN;
    refuse(p.on, &step, "expected");
    step = step_of(0, NULL, 0);
    step.gravity_m_s2.y = NAN;
    refuse(p.on, &step, "gravity");
    step = step_of(0, NULL, 3);
    refuse(p.on, &step, "3 points");
    step = step_of(0, NULL, 0);
    take(p.on, &step);
    refuse(p.on, &step, "ended at 0.0166667 s");
    step.from_s = NAN;
    refuse(p.on, &step, "ended at");
    refuse_points(p.on, below(p.ball, p.slab));
    refuse_poses(p.on, p);
    /* The time has not passed: a good one is taken. */
    step = step_of(1, NULL, 0);
    take(p.on, &step);
    ck_assert_double_eq(listen(p.on, 0, 10), 0);
    stage_free(p.on);
}
END_TEST

START_TEST(only_one_engine_moves_a_scene) {
    pair p = pair_new();
    sb_foreign_step step = step_of(1, NULL, 0);
    advance(p.on, 0, 1, STEP_FRAMES, NULL);
    refuse(p.on, &step, "own world has moved its bodies");
    stage_free(p.on);
    p = pair_new();
    ck_assert_int_eq(sb_scene_foreign_begin(p.on.scene, 0, NULL), SB_OK);
    (void)listen(p.on, 0, 10);
    step = step_of(20, NULL, 0);
    take(p.on, &step);
    (void)listen(p.on, 10, 50);
    ck_assert(sb_scene_pose(p.on.scene, p.ball).position.y == 0.01);
    sb_error err = {0};
    ck_assert_int_eq(
        sb_scene_push(p.on.scene, p.ball, (sb_vec3){0, 1, 0}, NULL, &err),
        SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "another physics engine"));
    ck_assert_int_eq(
        sb_scene_set_force(p.on.scene, p.ball, (sb_vec3){0, 1, 0}, &err),
        SB_BAD_ARGUMENT);
    stage_free(p.on);
}
END_TEST

/* A script that is loaded again, with other bodies. */
START_TEST(a_reload_leaves_the_bodies_to_the_other_engine) {
    pair p = pair_new();
    int next = 0;
    (void)slide(p, 0, 10, &next);
    sb_body_def slab = slab_def();
    (void)load_again(p.on, slab, 16 * STEP_S);
    ck_assert(p.on.scene->world && p.on.scene->world->foreign.is_on);
    sb_body_id ball = add(p.on, ball_def());
    sb_foreign_step step = step_of(20, NULL, 0);
    take(p.on, &step);
    (void)listen(p.on, next, 20);
    ck_assert(sb_scene_pose(p.on.scene, ball).position.y == 1.01);
    stage_free(p.on);
}
END_TEST

/* Fail the n-th allocation, for every n. */
START_TEST(without_memory_a_step_can_be_repeated) {
    bool is_done = false;
    for (int n = 0; n < 100 && !is_done; n++) {
        pair p = pair_new();
        sb_foreign_point at = below(p.ball, p.slab);
        sb_foreign_step step = step_of(0, &at, 1);
        sb_memory_fail_only(n);
        sb_status status = sb_scene_foreign_step(p.on.scene, &step, NULL);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        if (!is_done) take(p.on, &step);
        stage_free(p.on);
    }
    ck_assert(is_done);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("foreign_step");
    TCase *tcase = tcase_create("foreign_step");
    tcase_add_loop_test(
        tcase, without_an_impulse_it_follows_from_mass_and_speed, 0, 2);
    tcase_add_test(tcase, the_weight_of_a_step_is_no_part_of_a_blow);
    tcase_add_test(tcase, the_order_of_the_bodies_does_not_matter);
    tcase_add_test(tcase, the_mass_at_an_arm_is_that_of_the_scene_s_body);
    tcase_add_loop_test(
        tcase, what_does_not_ring_is_struck_rolled_on_and_lain_on, 0, 2);
    tcase_add_test(tcase, rest_has_no_impact_and_no_sound);
    tcase_add_test(tcase, what_sleeps_lies_on_until_it_moves);
    tcase_add_test(tcase, a_paused_game_does_not_drone);
    tcase_add_test(tcase, gaps_between_steps_are_no_speed);
    tcase_add_test(tcase, bodies_are_where_the_other_engine_has_them);
    tcase_add_loop_test(tcase, a_body_placed_elsewhere_ends_its_contacts, 0, 2);
    tcase_add_test(tcase, bad_steps_are_refused_and_change_nothing);
    tcase_add_test(tcase, only_one_engine_moves_a_scene);
    tcase_add_test(tcase, a_reload_leaves_the_bodies_to_the_other_engine);
    tcase_add_test(tcase, without_memory_a_step_can_be_repeated);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
