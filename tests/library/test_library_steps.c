/* SPDX-License-Identifier: MIT */
/* Steps of another physics engine through sandbell.h. */
#include "tests/library/library_fixture.h"

#include "tests/suite.h"

static sandbell_scene *foreign;
static sandbell_body plate, ball;

static void open_foreign(void) {
    sandbell_scene_def scene_def = sandbell_scene_def_default();
    sandbell_body_def def = sandbell_body_def_default();
    scene_def.has_physics = true;
    ck_well(sandbell_scene_create(&scene_def, &foreign, ERR));
    def.name = def.shape = "plate";
    def.width = def.depth = 0.3;
    def.thickness = 0.004;
    def.material = "steel";
    ck_well(sandbell_body_add(foreign, &def, 0, &plate, ERR));
    def = sandbell_body_def_default();
    def.name = "ball";
    def.shape = "sphere";
    def.radius = 0.0085;
    def.material = "steel";
    def.motion = SANDBELL_FREE;
    def.position.y = 0.1;
    ck_well(sandbell_body_add(foreign, &def, 0, &ball, ERR));
}

/* A step of 1/240 s; with a speed, the ball hits the plate at its start. */
static int step_at(int64_t frame, double speed_m_s, sandbell_error *err) {
    sandbell_point point = sandbell_point_default();
    sandbell_pose pose = sandbell_pose_default();
    sandbell_step step = sandbell_step_default();
    point.a = ball;
    point.b = plate;
    point.point.y = 0.002;
    point.normal.y = 1.0;
    point.closing_m_s = speed_m_s;
    pose.body = ball;
    pose.position.y = 0.1;
    step.points = &point;
    step.point_count = speed_m_s > 0.0;
    step.poses = &pose;
    step.pose_count = 1;
    step.frame = frame;
    step.step_s = 1.0 / 240;
    return sandbell_physics_step(foreign, &step, err);
}

static int64_t impact_frame(double speed_m_s) {
    sandbell_event event = sandbell_event_default();
    int64_t frame = -1;
    while (sandbell_next_event(foreign, &event)) {
        if (event.kind != SANDBELL_EVENT_IMPACT) continue;
        ck_assert_double_eq_tol(event.speed_m_s, speed_m_s, 0.02 * speed_m_s);
        frame = event.frame;
    }
    return frame;
}

/* Control prepares whole steps of 480 frames, which are more than the 200 of a
 * step: its impacts are heard at their frames all the same, as long as a block of
 * 128 frames is left to be rendered. */
START_TEST(steps_of_another_engine_are_heard_at_their_frames) {
    static float stereo[2 * 200];
    double peak = 0.0;
    open_foreign();
    for (int i = 0; i < 60; i++) {
        double speed = i % 20 == 7 ? 1.0 : 0.0;
        ck_well(step_at(200 * i, speed, ERR));
        ck_well(sandbell_advance(foreign, 200 * (i + 1), ERR));
        int count = i == 0 ? 200 - 128 : 200;
        sandbell_render(foreign, stereo, count);
        peak = fmax(peak, peak_of(stereo, 2 * count));
        if (speed > 0.0) ck_assert_int_eq(impact_frame(speed), 200 * i);
    }
    ck_assert_double_gt(peak, 1e-4);
    sandbell_stats stats = sandbell_stats_default();
    sandbell_read_stats(foreign, &stats);
    ck_assert_int_eq((int)stats.late, 0);
    ck_assert_int_eq((int)stats.underruns, 0);
    sandbell_scene_close(foreign);
}
END_TEST

START_TEST(a_late_step_does_not_delay_the_next_ones) {
    static float stereo[2 * 9600];
    sandbell_error err;
    open_foreign();
    ck_well(step_at(0, 0.0, ERR));
    /* A pause of 0.2 s, then a step from before it, then one on time. */
    ck_well(sandbell_advance(foreign, 9600, ERR));
    sandbell_render(foreign, stereo, 9600);
    ck_well(step_at(200, 1.0, ERR));
    (void)impact_frame(1.0);
    ck_well(step_at(9800, 1.0, ERR));
    ck_assert_int_eq(impact_frame(1.0), 9800);
    ck_assert_int_eq(step_at(400, 0.0, &err), SANDBELL_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "the last one ended at frame"));
    ck_assert_int_eq(step_at(48000 * 100, 0.0, &err), SANDBELL_BAD_ARGUMENT);
    ck_well(step_at(SANDBELL_NOW, 0.0, ERR));
    sandbell_scene_close(foreign);
}
END_TEST

/* Kinds of events of the contact since the last call, as bits. */
static unsigned kinds_told(void) {
    sandbell_event event = sandbell_event_default();
    unsigned kinds = 0;
    while (sandbell_next_event(foreign, &event))
        kinds |= 1U << event.kind;
    return kinds;
}

/* Steps in which the ball lies on the plate, or touches nothing. */
static void lie(int from, int to, bool touches) {
    for (int i = from; i < to; i++) {
        sandbell_point point = sandbell_point_default();
        sandbell_pose pose = sandbell_pose_default();
        sandbell_step step = sandbell_step_default();
        point.a = pose.body = ball;
        point.b = plate;
        point.normal.y = 1.0;
        point.impulse_ns = 0.02 * 9.81 / 240;
        point.closing_m_s = 9.81 / 240;
        step.points = &point;
        step.point_count = touches;
        step.poses = &pose;
        step.pose_count = 1;
        step.frame = 200 * (int64_t)i;
        step.step_s = 1.0 / 240;
        ck_well(sandbell_physics_step(foreign, &step, ERR));
        ck_well(sandbell_advance(foreign, 200 * (int64_t)(i + 1), ERR));
    }
}

START_TEST(a_body_that_was_placed_elsewhere_has_left_its_contacts) {
    const unsigned rest = 1U << SANDBELL_EVENT_REST;
    const unsigned end = 1U << SANDBELL_EVENT_END;
    open_foreign();
    lie(0, 40, true);
    ck_assert_uint_eq(kinds_told(), rest);
    sandbell_physics_forget(foreign, ball);
    lie(40, 41, false);
    ck_assert_uint_eq(kinds_told(), end); /* not after some steps, as else */
    sandbell_scene_close(foreign);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("library_steps");
    TCase *tcase = tcase_create("library_steps");
    tcase_add_test(tcase, steps_of_another_engine_are_heard_at_their_frames);
    tcase_add_test(tcase, a_late_step_does_not_delay_the_next_ones);
    tcase_add_test(tcase,
                   a_body_that_was_placed_elsewhere_has_left_its_contacts);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
