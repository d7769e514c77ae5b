/* SPDX-License-Identifier: MIT */
/* A scene that hears what Bullet moves, from as little as the contract needs:
 * bodies, points, normals, impulses and poses. Where Bullet is not installed it
 * is not built. Rates and comparisons: test_foreign_ode.c. */
#include "runtime/scene/world/foreign_step.h"
#include "tests/scene/world/bullet.h"
#include "tests/world/world_stage.h"

#define GRAVITY 9.81
#define QUIET   3.2e-5 /* -90 dBFS */

static const double rates_hz[] = {60, 240, 1000};
enum { RATES = 3, POINTS = 32 };

typedef struct feed {
    stage on;
    bullet *engine;
    sb_body_id ids[2]; /* slab, ball */
    double step_s, now_s, bounce, mass_kg;
    int impacts;
    uint64_t reader;
} feed;

static sb_vec3 from(const double v[3]) {
    return (sb_vec3){v[0], v[1], v[2]};
}

/* A ball of 50 g, 10 mm, in a height or rolling at a speed. */
static feed feed_new(double rate_hz, double height_m, double speed_m_s) {
    feed f = {.on = stage_new(), .engine = bullet_new(GRAVITY)};
    f.step_s = 1 / rate_hz;
    f.bounce = 0.5;
    f.mass_kg = 0.05;
    sb_body_def slab = slab_def(), ball = ball_def();
    slab.gain = ball.gain = 1;
    ball.position.y = 0.01 + height_m;
    ball.moves.mass_kg = f.mass_kg;
    f.ids[0] = add(f.on, slab);
    f.ids[1] = add(f.on, ball);
    bullet_body ground = {.half = {1, 0.2, 1}, .position = {0, -0.2, 0}};
    bullet_body round = {.mass_kg = f.mass_kg,
                         .radius = 0.01,
                         .position = {0, 0.01 + height_m, 0},
                         .velocity = {speed_m_s, 0, 0},
                         .spin = {0, 0, -speed_m_s / 0.01}};
    ground.restitution = ground.friction = 1;
    round.restitution = f.bounce;
    round.friction = 0.3;
    ck_assert_int_eq(bullet_add(f.engine, &ground), 0);
    ck_assert_int_eq(bullet_add(f.engine, &round), 1);
    return f;
}

static void feed_free(feed f) {
    bullet_free(f.engine);
    stage_free(f.on);
}

static int take_points(const feed *f, sb_foreign_point out[POINTS]) {
    bullet_point points[POINTS];
    int count = bullet_points(f->engine, points, POINTS);
    for (int i = 0; i < count; i++) {
        out[i] = sb_foreign_point_default();
        for (int k = 0; k < 2; k++)
            out[i].body[k] = f->ids[points[i].body[k]];
        out[i].point_m = from(points[i].point);
        out[i].normal = from(points[i].normal);
        out[i].impulse_ns = points[i].impulse_ns;
        out[i].restitution = f->bounce;
    }
    return count;
}

static sb_foreign_pose take_pose(const feed *f) {
    bullet_pose p = bullet_pose_of(f->engine, 1);
    return (sb_foreign_pose){
        f->ids[1],
        {from(p.position),
         {p.rotation[0], p.rotation[1], p.rotation[2], p.rotation[3]},
         from(p.velocity),
         from(p.spin)}};
}

/* Bullet slows down what comes near, so some impacts take two steps; but a ball
 * that falls faster than 3 g h before a step and rises after it has had one. */
static void check_impact(feed *f, double before_m_s, double after_m_s) {
    double fall = GRAVITY * f->step_s;
    sb_event event = {.kind = SB_EVENT_KINDS};
    while (sb_scene_next_event(f->on.scene, &f->reader, &event) &&
           event.kind != SB_EVENT_IMPACT) {
    }
    if (event.kind != SB_EVENT_IMPACT) {
        ck_assert(before_m_s > -3.001 * fall || after_m_s <= 0);
        return;
    }
    f->impacts++;
    ck_assert_double_eq_tol(event.speed_m_s / -before_m_s, 1, 1e-3);
    ck_assert_double_eq_tol(
        event.impulse_ns / (f->mass_kg * (after_m_s - before_m_s)), 1, 0.02);
}

static void feed_step(feed *f) {
    sb_foreign_point points[POINTS];
    double before_m_s = bullet_pose_of(f->engine, 1).velocity[1];
    bullet_step(f->engine, f->step_s);
    sb_foreign_pose pose = take_pose(f);
    sb_foreign_step step = {.from_s = f->now_s,
                            .step_s = f->step_s,
                            .gravity_m_s2 = {0, -GRAVITY, 0},
                            .points = points,
                            .count = take_points(f, points),
                            .poses = &pose,
                            .pose_count = 1};
    sb_error err = {0};
    ck_assert_msg(!sb_scene_foreign_step(f->on.scene, &step, &err), "%s",
                  err.message);
    f->now_s += f->step_s;
    check_impact(f, before_m_s, pose.pose.velocity.y);
}

static double feed_run(feed *f, int first_step, int steps) {
    static float out[2 * STEP_FRAMES];
    double peak = 0;
    for (int i = first_step; i < first_step + steps; i++) {
        while (f->now_s < (i + 1) * STEP_S)
            feed_step(f);
        advance(f->on, i, 1, STEP_FRAMES, out);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            peak = fmax(peak, fabs((double)out[n]));
    }
    return peak;
}

START_TEST(every_impact_is_heard_and_then_rest_is_silent) {
    static const int least[RATES] = {2, 4, 5};
    feed f = feed_new(rates_hz[_i], 0.3, 0);
    ck_assert_double_gt(feed_run(&f, 0, 200), 100 * QUIET);
    ck_assert_int_ge(f.impacts, least[_i]);
    int before = f.impacts;
    double loud = feed_run(&f, 200, 94);
    ck_assert_msg(loud < QUIET, "%g at rest", loud);
    ck_assert_int_eq(f.impacts, before);
    feed_free(f);
}
END_TEST

START_TEST(a_ball_rolls_with_its_weight_and_speed) {
    feed f = feed_new(rates_hz[_i], 0, 0.5);
    (void)feed_run(&f, 0, 60);
    f.reader = 0;
    sb_event event, roll = {0};
    int count = 0;
    while (sb_scene_next_event(f.on.scene, &f.reader, &event)) {
        count += event.kind == SB_EVENT_ROLL;
        if (event.kind == SB_EVENT_ROLL) roll = event;
    }
    ck_assert_int_eq(f.impacts, 0);
    ck_assert_int_ge(count, 1);
    ck_assert_double_eq_tol(roll.force_n / (0.05 * GRAVITY), 1, 0.05);
    ck_assert_double_lt(roll.slip_m_s, 0.05);
    feed_free(f);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("foreign_bullet");
    TCase *tcase = tcase_create("foreign_bullet");
    tcase_add_loop_test(tcase, every_impact_is_heard_and_then_rest_is_silent, 0,
                        RATES);
    tcase_add_loop_test(tcase, a_ball_rolls_with_its_weight_and_speed, 0,
                        RATES);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
