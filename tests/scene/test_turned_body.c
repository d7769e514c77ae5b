/* SPDX-License-Identifier: MIT */
/* Bodies that radiate into directions, turned and walked round. */
#include "tests/scene/scene_fixture.h"

#include "runtime/engine/audio/audio.h"

enum { FRAMES = 4800 };

static float sound[2][FRAMES];

static sb_body_def plate_def(sb_quat turn) {
    sb_body_def def = sb_body_def_default();
    def.name = "plate";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.2,
                           .depth = 0.14,
                           .thickness = 0.002,
                           .max_modes = 3,
                           .support = SB_SUPPORT_PINNED, /* no click */
                           .radiation = SB_RADIATES_EXACT};
    def.material = *sb_material_find("steel");
    def.has_material = true;
    def.moves.rotation = turn;
    return def;
}

/* The plate alone, before the ears, struck at a corner. */
static void hear(sb_quat turn, sb_vec3 from, float *to) {
    stage on = stage_new();
    ck_assert_int_eq(sb_engine_open_bodies(on.engine, 1, NULL), SB_OK);
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = from;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    sb_body_id id = add(on, plate_def(turn));
    sb_place corner = {.u = 0.02, .v = 0.03};
    sb_strike_def def = {.impulse_ns = 0.01};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &corner, &def, 0.01, &result, NULL),
        SB_OK);
    ck_assert(sb_engine_flush(on.engine, FRAMES + 1024));
    sb_voice_id voice = sb_scene_voice(on.scene, id);
    sb_engine_pull_bodies(on.engine, &voice, &to, 1, NULL, FRAMES);
    stage_free(on);
}

static double peak_of(const float *samples) {
    double most = 0;
    for (int n = 0; n < FRAMES; n++)
        most = fmax(most, fabs((double)samples[n]));
    return most;
}

/* Body and listener turned together sound the same. */
START_TEST(directions_turn_with_the_body) {
    sb_vec3 from = {0.6, 1.1, -0.7};
    sb_quat turn = sb_quat_about((sb_vec3){1, -2, 0.5}, 1.2);
    hear(sb_quat_identity(), from, sound[0]);
    hear(turn, sb_quat_turn(turn, from), sound[1]);
    double peak = peak_of(sound[0]);
    ck_assert_double_gt(peak, 0);
    for (int n = 0; n < FRAMES; n++)
        ck_assert_double_eq_tol((double)sound[0][n], (double)sound[1][n],
                                1e-5 * peak);
    hear(turn, from, sound[1]);
    ck_assert_double_gt(fabs(peak_of(sound[1]) / peak - 1), 0.05);
}
END_TEST

START_TEST(a_plate_is_silent_in_its_plane_and_opposite_behind) {
    hear(sb_quat_identity(), (sb_vec3){0.3, 1, 0.4}, sound[0]);
    double peak = peak_of(sound[0]);
    hear(sb_quat_identity(), (sb_vec3){0.3, -1, 0.4}, sound[1]);
    for (int n = 0; n < FRAMES; n++)
        ck_assert_double_eq_tol((double)sound[0][n], -(double)sound[1][n],
                                0.01 * peak);
    hear(sb_quat_identity(), (sb_vec3){0.3, 0, 0.4}, sound[1]);
    ck_assert_double_lt(20 * log10(peak_of(sound[1]) / peak), -40);
}
END_TEST

/* A pose that a script sets turns it as well, in place. */
START_TEST(a_new_pose_turns_what_is_heard) {
    stage on = stage_new();
    ck_assert_int_eq(sb_engine_open_bodies(on.engine, 1, NULL), SB_OK);
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = (sb_vec3){0, 1, 0};
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    sb_body_id id = add(on, plate_def(sb_quat_identity()));
    sb_place corner = {.u = 0.02, .v = 0.03};
    sb_strike_def def = {.impulse_ns = 0.01};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &corner, &def, 0, &result, NULL), SB_OK);
    sb_pose pose = sb_scene_pose(on.scene, id);
    pose.rotation = sb_quat_about((sb_vec3){1, 0, 0}, SB_PI / 2);
    ck_assert_int_eq(sb_scene_set_pose(on.scene, id, &pose, 0.05, NULL), SB_OK);
    ck_assert(sb_engine_flush(on.engine, 2 * FRAMES + 1024));
    sb_voice_id voice = sb_scene_voice(on.scene, id);
    for (int i = 0; i < 2; i++) {
        float *to = sound[i];
        sb_engine_pull_bodies(on.engine, &voice, &to, 1, NULL, FRAMES);
    }
    /* The plate shows its edge from 70 ms on. */
    double front = 0, edge = 0;
    for (int n = 0; n < 2400; n++)
        front = fmax(front, fabs((double)sound[0][n]));
    for (int n = 0; n < FRAMES; n++)
        edge = fmax(edge, fabs((double)sound[1][n]));
    ck_assert_double_gt(front, 0);
    ck_assert_double_lt(20 * log10(edge / front), -40);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("turned bodies");
    TCase *tcase = tcase_create("turned bodies");
    tcase_add_test(tcase, directions_turn_with_the_body);
    tcase_add_test(tcase, a_plate_is_silent_in_its_plane_and_opposite_behind);
    tcase_add_test(tcase, a_new_pose_turns_what_is_heard);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
