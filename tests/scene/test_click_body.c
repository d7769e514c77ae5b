/* SPDX-License-Identifier: MIT */
/* The clicks of bodies of a scene, through to the ears: the energy after a
 * sudden stop, and what must not change because of them. */
#include "runtime/base/air.h"
#include "runtime/model/clicks.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/tuning.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 12000 };

static float sound[2 * FRAMES];

/* Two microphones at one place hear it. */
static stage stage_at(sb_vec3 position) {
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.ears = SB_EARS_PAIR;
    listener.spacing_m = 0;
    listener.position = position;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    return on;
}

static sb_body_def exact_def(const char *name, sb_shape shape) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    def.shape = shape;
    def.shape.radiation = SB_RADIATES_EXACT;
    def.material = *sb_material_find("steel");
    def.has_material = true;
    return def;
}

/* Large bodies, so that a frame is short against their pulse. */

/* The energy that is radiated in all directions: those of the axes have the
 * mean of a dipole. The body moves with 0.05 m/s after the strike. */
static double radiated(sb_body_def def, const sb_place *place) {
    const double far_m = 10, u = 0.05;
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        double d[3] = {0};
        d[i / 2] = i % 2 ? -far_m : far_m;
        stage on = stage_at((sb_vec3){d[0], d[1], d[2]});
        sb_body_id id = add(on, def);
        double mass = sb_model_mass_kg(sb_scene_body_model(on.scene, id));
        sb_strike_def blow = {.impulse_ns = u * mass};
        sb_impact_estimate result;
        ck_assert_int_eq(
            sb_scene_strike(on.scene, id, place, &blow, 0.01, &result, NULL),
            SB_OK);
        play(on, sound, FRAMES);
        for (int n = 0; n < FRAMES; n++) {
            double pa = (double)sound[2 * n] * SB_FULL_SCALE_PA * far_m;
            sum += pa * pa / RATE_HZ;
        }
        stage_free(on);
    }
    return 2 * SB_TAU * sum / 6 / (SB_AIR_DENSITY * SB_AIR_SPEED) / (u * u);
}

static void near(double own, double expected, double part) {
    ck_assert_double_eq_tol(own, expected, part * expected);
}

START_TEST(a_ball_that_is_struck_radiates_what_it_pushed) {
    const double a = 1;
    sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = a, .max_hz = 500};
    sb_place top = {.point = {0.6, 0.8, 0},
                    .has_point = true,
                    .direction = {-0.6, -0.8, 0},
                    .has_direction = true};
    near(radiated(exact_def("ball", ball), &top),
         SB_AIR_DENSITY * SB_PI / 3 * a * a * a, 0.05);
}
END_TEST

/* All modes below 40 Hz are at rest in the middle. */
START_TEST(a_disk_that_is_struck_radiates_what_it_pushed) {
    const double a = 1;
    sb_shape disk = {
        .kind = SB_SHAPE_DISK, .radius = a, .thickness = 0.02, .max_hz = 40};
    sb_place middle = {.point = {0, 0, 0}, .has_point = true};
    near(radiated(exact_def("disk", disk), &middle),
         4.0 / 3 * SB_AIR_DENSITY * a * a * a, 0.05);
}
END_TEST

static double loudest(sb_vec3 listener, sb_vec3 blow) {
    stage on = stage_at(listener);
    sb_shape ball = {.kind = SB_SHAPE_SPHERE, .radius = 0.1, .max_hz = 1000};
    sb_body_id id = add(on, exact_def("ball", ball));
    sb_place at = {.point = sb_vec3_scale(blow, -0.1),
                   .has_point = true,
                   .direction = blow,
                   .has_direction = true};
    sb_strike_def def = {.impulse_ns = 1};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &at, &def, 0.01, &result, NULL), SB_OK);
    play(on, sound, FRAMES);
    double most = 0;
    for (int n = 0; n < FRAMES; n++)
        most = fmax(most, fabs((double)sound[2 * n]));
    stage_free(on);
    return most;
}

/* A dipole: loud before and behind, silent beside, whatever axes it has. */
START_TEST(a_click_is_heard_along_the_blow) {
    const sb_vec3 blow = {0.48, -0.6, 0.64}, side = {0.8, 0, -0.6};
    double ahead = loudest(sb_vec3_scale(blow, 3), blow);
    ck_assert_double_gt(ahead, 0);
    near(loudest(sb_vec3_scale(blow, -3), blow), ahead, 0.01);
    ck_assert_double_lt(loudest(sb_vec3_scale(side, 3), blow), 0.01 * ahead);
}
END_TEST

/* The whole of U.M.U / 2, along no axis of it. */
START_TEST(a_box_that_is_struck_radiates_what_it_pushed) {
    sb_shape box = {.kind = SB_SHAPE_BOX,
                    .width = 2,
                    .height = 1,
                    .depth = 1.5,
                    .max_hz = 100};
    sb_place corner = {.point = {1, 0.5, 0.75},
                       .has_point = true,
                       .direction = {-0.6, -0.64, -0.48},
                       .has_direction = true};
    stage on = stage_at((sb_vec3){0, 0, 10});
    sb_body_id id = add(on, exact_def("box", box));
    sb_click clicks[SB_CLICKS_MOST];
    const sb_model *model = sb_scene_body_model(on.scene, id);
    double expected = 0;
    for (int k = 0; k < sb_model_clicks(model, clicks); k++)
        expected += clicks[k].energy_j *
                    pow(sb_vec3_dot(clicks[k].axis, corner.direction), 2);
    stage_free(on);
    near(radiated(exact_def("box", box), &corner), expected, 0.05);
}
END_TEST

/* Modes and their numbers are those of the body; what is behind them is heard,
 * but does not yield. */
START_TEST(clicks_are_no_modes) {
    stage on = stage_new();
    sb_body_def def = bar_def("bar");
    sb_body_id quick = add(on, def);
    def = bar_def("exact bar");
    def.shape.radiation = SB_RADIATES_EXACT;
    sb_body_id exact = add(on, def);
    const sb_planned *plain = sb_scene_body_planned(on.scene, quick);
    const sb_planned *planned = sb_scene_body_planned(on.scene, exact);
    int modes = sb_model_mode_count(planned->model);
    int clicks = sb_planned_click_count(planned);
    ck_assert_int_eq(modes, sb_model_mode_count(plain->model));
    ck_assert_int_gt(clicks, 0);
    ck_assert_int_eq(sb_planned_click_count(plain), 0);
    ck_assert_int_eq(sb_planned_mode_count(planned),
                     modes + sb_planned_yield_count(planned) + clicks);
    double weights[1024], turned[1024];
    sb_model_point end = sb_model_point_at(planned->model, 0, 0.5);
    int all = sb_planned_mode_count(planned);
    ck_assert_int_lt(all, 1024);
    sb_planned_weights(planned, end, NULL, weights);
    memcpy(turned, weights, sizeof turned);
    sb_planned_turn(planned, -1, turned);
    ck_assert_double_gt(fabs(weights[all - clicks]), 0);
    for (int k = all - clicks; k < all; k++) {
        ck_assert_double_lt(fabs(weights[k]), 2e-3 * fabs(weights[0]));
        ck_assert_double_eq(turned[k], -weights[k]);
    }
    stage_free(on);
}
END_TEST

/* Who silences a mode listens to the others. */
START_TEST(with_silent_modes_nothing_clicks) {
    stage on = stage_at((sb_vec3){0, 0, 2});
    sb_body_def def = bar_def("bar");
    def.shape.radiation = SB_RADIATES_EXACT;
    sb_body_id id = add(on, def);
    bool silent[1024];
    memset(silent, true, sizeof silent);
    ck_assert_int_eq(sb_scene_silence(on.scene, id, silent, 0, 0, NULL), SB_OK);
    play(on, sound, 2000);
    strike(on, id, 0.05, 0.01);
    play(on, sound, FRAMES);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert_float_eq_tol(sound[n], 0, 1e-9f);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clicks of bodies");
    TCase *tcase = tcase_create("clicks of bodies");
    tcase_add_test(tcase, a_ball_that_is_struck_radiates_what_it_pushed);
    tcase_add_test(tcase, a_disk_that_is_struck_radiates_what_it_pushed);
    tcase_add_test(tcase, a_box_that_is_struck_radiates_what_it_pushed);
    tcase_add_test(tcase, a_click_is_heard_along_the_blow);
    tcase_add_test(tcase, clicks_are_no_modes);
    tcase_add_test(tcase, with_silent_modes_nothing_clicks);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
