/* SPDX-License-Identifier: MIT */
/* Bodies that move in a scene: bounces against closed forms, rolling, rest,
 * Doppler shift, occlusion, rays, and bodies that are refused. */
#include "tests/world/world_stage.h"

/* physics.md 2.6: from 1 m with e = 0.8 at 9.81 m/s^2. */
static const double bounce_s[] = {0.451524, 1.173961, 1.751912,
                                  2.214272, 2.584160, 2.880071};
static const double bounce_m_s[] = {4.42945, 3.54356, 2.83485, 2.26788};

enum { STEPS = 300, FRAMES = STEPS * STEP_FRAMES };
static float heard[2 * FRAMES], again[2 * FRAMES];

static stage drop_new(void) {
    stage on = stage_new();
    add(on, slab_def());
    add(on, ball_def());
    return on;
}

/* The largest amplitude of a frequency in a window after `from_s`. */
static double level_at(const float *stereo, double freq_hz, double from_s,
                       double span_s) {
    int from = (int)(from_s * RATE_HZ), count = (int)(span_s * RATE_HZ);
    double re = 0, im = 0;
    for (int n = 0; n < count; n++) {
        double window = 0.5 - 0.5 * cos(2 * SB_PI * n / count);
        double phase = 2 * SB_PI * freq_hz * n / RATE_HZ;
        re += window * (double)stereo[2 * (from + n)] * cos(phase);
        im += window * (double)stereo[2 * (from + n)] * sin(phase);
    }
    return hypot(re, im);
}

START_TEST(a_dropped_ball_keeps_its_times_and_speeds) {
    stage on = drop_new();
    advance(on, 0, STEPS, 512, heard);
    uint64_t reader = 0;
    sb_event event;
    for (int i = 0; i < 6; i++) {
        ck_assert(sb_scene_next_event(on.scene, &reader, &event));
        ck_assert_int_eq(event.kind, SB_EVENT_IMPACT);
        ck_assert_double_eq_tol(event.time_s, bounce_s[i], 2e-5);
        if (i < 4)
            ck_assert_double_eq_tol(event.speed_m_s, bounce_m_s[i], 1e-3);
        ck_assert_double_eq_tol(event.impulse_ns, 1.8 * 0.03 * event.speed_m_s,
                                1e-5);
    }
    stage_free(on);
}
END_TEST

START_TEST(both_ring_from_the_moment_they_meet) {
    stage on = drop_new();
    advance(on, 0, 60, 512, heard);
    int first = 0;
    while (first < 60 * STEP_FRAMES && heard[2 * first] == 0.0f)
        first++;
    double frame = bounce_s[0] * RATE_HZ + STAGE_LATENCY;
    ck_assert_double_ge(first, floor(frame));
    ck_assert_double_le(first, frame + 4);
    double quiet = level_at(heard, 1300, 0.46, 0.1);
    ck_assert_double_gt(level_at(heard, 440, 0.46, 0.1), 30 * quiet);
    ck_assert_double_gt(level_at(heard, 2500, 0.46, 0.1), 30 * quiet);
    stage_free(on);
}
END_TEST

START_TEST(every_bounce_is_softer_by_the_restitution) {
    stage on = drop_new();
    advance(on, 0, STEPS, 512, heard);
    double before = 0;
    for (int i = 0; i < 4; i++) {
        double level = level_at(heard, 440, bounce_s[i] + 0.01, 0.2);
        /* Contacts last a little longer as they get slower. */
        if (i > 0) ck_assert_double_eq_tol(level / before, 0.8, 0.01);
        before = level;
    }
    stage_free(on);
}
END_TEST

START_TEST(at_rest_there_is_silence_and_nothing_to_do) {
    stage on = drop_new();
    advance(on, 0, 550, 512, NULL);
    ck_assert(!sb_scene_is_moving(on.scene));
    sb_engine_stats before = sb_engine_read_stats(on.engine);
    uint64_t events = sb_scene_event_count(on.scene);
    advance(on, 550, 100, 512, heard);
    sb_engine_stats after = sb_engine_read_stats(on.engine);
    ck_assert_int_eq(after.touching, 0);
    ck_assert_int_eq((int)after.strikes, (int)before.strikes);
    ck_assert_int_eq((int)after.retunes, (int)before.retunes);
    ck_assert_uint_eq(sb_scene_event_count(on.scene), events);
    for (int n = 0; n < 2 * 50 * STEP_FRAMES; n++)
        ck_assert_double_lt(fabs((double)heard[2 * 50 * STEP_FRAMES + n]),
                            1e-8);
    stage_free(on);
}
END_TEST

START_TEST(the_same_bytes_again_and_in_other_blocks) {
    static const int blocks[] = {512, 128, 32};
    for (int i = 0; i < 3; i++) {
        stage on = drop_new();
        advance(on, 0, 150, blocks[i], i == 0 ? heard : again);
        stage_free(on);
        if (i > 0)
            ck_assert_int_eq(
                memcmp(heard, again, sizeof(float) * 2 * 150 * STEP_FRAMES), 0);
    }
}
END_TEST

START_TEST(nonlinear_impacts_are_as_loud) {
    double level[2];
    for (int i = 0; i < 2; i++) {
        stage on = stage_new();
        sb_world_rules rules = sb_world_rules_default();
        rules.is_gradient = i == 1;
        sb_scene_set_world_rules(on.scene, &rules);
        add(on, slab_def());
        add(on, ball_def());
        advance(on, 0, 70, 512, heard);
        level[i] = level_at(heard, 440, 0.46, 0.2);
        stage_free(on);
    }
    ck_assert_double_eq_tol(20 * log10(level[1] / level[0]), 0, 1);
}
END_TEST

START_TEST(a_push_gives_speed_by_mass) {
    stage on = stage_new();
    sb_world_rules rules = sb_world_rules_default();
    rules.gravity = (sb_vec3){0, 0, 0};
    sb_scene_set_world_rules(on.scene, &rules);
    sb_body_id ball = add(on, ball_def()), slab = add(on, slab_def());
    sb_error err = {0};
    ck_assert_int_eq(
        sb_scene_push(on.scene, ball, (sb_vec3){0.03, 0, 0}, NULL, &err),
        SB_OK);
    advance(on, 0, 100, 512, NULL);
    sb_pose pose = sb_scene_pose(on.scene, ball);
    ck_assert_double_eq_tol(pose.velocity.x, 1, 1e-9);
    ck_assert_double_eq_tol(pose.position.x, 100 * STEP_S, 2e-3);
    ck_assert_int_eq(
        sb_scene_push(on.scene, slab, (sb_vec3){1, 0, 0}, NULL, &err),
        SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "'slab' is not free"));
    ck_assert_int_eq(
        sb_scene_push(on.scene, ball, (sb_vec3){NAN, 0, 0}, NULL, &err),
        SB_BAD_ARGUMENT);
    stage_free(on);
}
END_TEST

START_TEST(a_place_turns_with_its_body) {
    stage on = stage_new();
    sb_body_def def = bar_def("bar");
    sb_body_id straight = add(on, def);
    def.name = "turned";
    def.position = (sb_vec3){1, 2, 3};
    def.moves.rotation = sb_quat_about((sb_vec3){0, 0, 1}, SB_PI / 2);
    sb_body_id turned = add(on, def);
    double one[512], other[512];
    sb_place place = {.point = {0.07, 0.0025, 0.003},
                      .has_point = true,
                      .direction = {0.2, -1, 0.1},
                      .has_direction = true};
    weights_at(on, straight, &place, one);
    sb_pose pose = sb_scene_pose(on.scene, turned);
    place.point = sb_pose_to_world(&pose, place.point);
    place.direction = sb_quat_turn(pose.rotation, place.direction);
    weights_at(on, turned, &place, other);
    int count = sb_model_mode_count(sb_scene_body_model(on.scene, straight));
    for (int k = 0; k < count; k++)
        ck_assert_double_eq_tol(one[k], other[k], 1e-9);
    stage_free(on);
}
END_TEST

START_TEST(a_ray_finds_the_nearest) {
    stage on = stage_new();
    sb_body_id slab = add(on, slab_def());
    bool is_hit;
    sb_scene_ray_hit hit;
    ck_assert_int_eq(sb_scene_raycast(on.scene, (sb_vec3){0.1, 1, 0},
                                      (sb_vec3){0, -2, 0}, 10, 0, &is_hit, &hit,
                                      NULL),
                     SB_OK);
    ck_assert(is_hit);
    ck_assert_uint_eq(hit.body.index, slab.index);
    ck_assert_double_eq_tol(hit.distance_m, 1, 1e-5);
    ck_assert_double_eq_tol(hit.normal.y, 1, 1e-9);
    ck_assert_int_eq(sb_scene_raycast(on.scene, (sb_vec3){0.1, 1, 0},
                                      (sb_vec3){0, 1, 0}, 10, 0, &is_hit, &hit,
                                      NULL),
                     SB_OK);
    ck_assert(!is_hit);
    stage_free(on);
}
END_TEST

START_TEST(what_rests_damps_until_it_is_pushed) {
    stage on = stage_new();
    sb_body_def def = ball_def();
    def.position.y = 0.01;
    sb_body_id slab = add(on, slab_def()), ball = add(on, def);
    double freq_hz, free_per_s, now_per_s;
    sb_scene_mode_now(on.scene, slab, 0, &freq_hz, &free_per_s);
    advance(on, 0, 200, 512, NULL);
    ck_assert(!sb_scene_is_moving(on.scene));
    sb_scene_mode_now(on.scene, slab, 0, &freq_hz, &now_per_s);
    ck_assert_double_gt(now_per_s, free_per_s * 1.001);
    sb_scene_mode_now(on.scene, ball, 0, &freq_hz, &now_per_s);
    ck_assert_double_gt(now_per_s, free_per_s * 1.001);
    ck_assert_int_eq(
        sb_scene_push(on.scene, ball, (sb_vec3){0, 0.1, 0}, NULL, NULL), SB_OK);
    advance(on, 200, 10, 512, NULL);
    sb_scene_mode_now(on.scene, slab, 0, &freq_hz, &now_per_s);
    ck_assert_double_eq_tol(now_per_s, free_per_s, 1e-9);
    stage_free(on);
}
END_TEST

START_TEST(what_rolls_is_heard_as_long_as_it_does) {
    stage on = stage_new();
    sb_body_def def = ball_def();
    def.position = (sb_vec3){-0.9, 0.01, 0};
    def.moves.velocity = (sb_vec3){1, 0, 0};
    def.moves.spin = (sb_vec3){0, 0, -100};
    def.moves.rolling = 0;
    add(on, slab_def());
    add(on, def);
    advance(on, 0, 100, 512, heard);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).touching, 1);
    ck_assert_double_gt(level_at(heard, 440, 0.5, 0.4), 0);
    double rolling = level_at(heard, 440, 0.5, 0.4);
    /* Off the edge after 1.9 m. */
    advance(on, 100, 100, 512, NULL);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).touching, 0);
    advance(on, 200, 60, 512, heard);
    ck_assert_double_lt(level_at(heard, 440, 0.2, 0.4), 1e-3 * rolling);
    stage_free(on);
}
END_TEST

START_TEST(what_comes_closer_is_higher) {
    static const sb_hand_mode tone = {1000, 20, 1};
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = (sb_vec3){0, 0, 0};
    listener.ears = SB_EARS_HEAD;
    listener.gain = 1e-2;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    double mach = 0.1, speed = mach * sb_air_speed(&listener.air);
    sb_body_def def = ball_def();
    def.shape.modes = &tone;
    def.position = (sb_vec3){0, 0, -60};
    def.gain = 1;
    def.moves.motion = SB_MOTION_SCRIPTED;
    def.moves.velocity = (sb_vec3){0, 0, speed};
    sb_body_id ball = add(on, def);
    strike(on, ball, 0.001, 0.1);
    advance(on, 0, 100, 512, heard);
    ck_assert_double_eq_tol(sb_scene_pose(on.scene, ball).position.z,
                            -60 + 100 * STEP_S * speed, 0.05);
    double shifted = 1000 / (1 - mach);
    double level = level_at(heard, shifted, 0.4, 0.5);
    ck_assert_double_gt(level, 0);
    ck_assert_double_gt(level, 30 * level_at(heard, 1000, 0.4, 0.5));
    ck_assert_double_gt(level, 1.05 * level_at(heard, shifted + 1, 0.4, 0.5));
    ck_assert_double_gt(level, 1.05 * level_at(heard, shifted - 1, 0.4, 0.5));
    stage_free(on);
}
END_TEST

START_TEST(what_goes_behind_a_wall_is_softer) {
    static const sb_hand_mode tone = {4000, 20, 1};
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = (sb_vec3){0, 0, 3};
    listener.ears = SB_EARS_HEAD;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    sb_world_rules rules = sb_world_rules_default();
    rules.occludes = true;
    sb_scene_set_world_rules(on.scene, &rules);
    sb_body_def wall = slab_def(), def = ball_def();
    wall.position = (sb_vec3){1, 0, 1};
    wall.moves.collider.width = 1.6; /* from x = 0.2 on */
    wall.moves.collider.height = 2;
    wall.moves.collider.depth = 0.1;
    def.shape.modes = &tone;
    def.position = (sb_vec3){-0.5, 0, 0};
    def.moves.motion = SB_MOTION_SCRIPTED;
    def.moves.velocity = (sb_vec3){1, 0, 0};
    add(on, wall);
    sb_body_id ball = add(on, def);
    strike(on, ball, 0.001, 0.1);
    advance(on, 0, 140, 512, heard);
    double before = level_at(heard, 4000, 0.4, 0.2);
    double behind = level_at(heard, 4000, 1.0, 0.2);
    ck_assert_double_lt(behind, 0.3 * before);
    stage_free(on);
}
END_TEST

/* The level of a tone that goes down behind a wall of 40 m whose edge is at y =
 * 0.5, at 1 m/s from y = 1, or that stays at y; heard from 1 m behind the wall.
 * `heard` has the sound. */
static double level_behind(double freq_hz, double y, bool moves,
                           bool occludes) {
    const sb_hand_mode tone = {freq_hz, 20, 1};
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = (sb_vec3){0, 0, 1};
    listener.ears = SB_EARS_PAIR;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    sb_world_rules rules = sb_world_rules_default();
    rules.occludes = occludes;
    sb_scene_set_world_rules(on.scene, &rules);
    sb_body_def wall = slab_def(), def = ball_def();
    wall.position = (sb_vec3){0, -4.5, 0};
    wall.moves.collider = sb_collider_box(40, 10, 0.01);
    wall.shape = (sb_shape){.kind = SB_SHAPE_RIGID};
    def.shape.modes = &tone;
    def.position = (sb_vec3){0, y, -1};
    def.moves.motion = SB_MOTION_SCRIPTED;
    if (moves) def.moves.velocity = (sb_vec3){0, -1, 0};
    add(on, wall);
    strike(on, add(on, def), 0, 0.1);
    advance(on, 0, 140, 512, heard);
    stage_free(on);
    return level_at(heard, freq_hz, 0.1, 0.2);
}

START_TEST(behind_a_wall_it_loses_what_maekawa_says_from_the_first_frame_on) {
    static const double freqs_hz[] = {500, 4000}, heights_m[] = {0.2, -0.5};
    for (int i = 0; i < 4; i++) {
        double hz = freqs_hz[i & 1], y = heights_m[i / 2];
        double open = level_behind(hz, y, false, false);
        double behind = level_behind(hz, y, false, true);
        double detour_m = hypot(1, 0.5) + hypot(1, 0.5 - y) - hypot(2, y);
        double law_db = 10 * log10(3 + 40 * detour_m * hz / 343.2);
        ck_assert_double_eq_tol(20 * log10(open / behind), law_db, 1);
        /* No louder sound comes first. */
        double first = level_at(heard, hz, 0.01, 0.02);
        ck_assert_double_eq_tol(
            20 * log10(first / level_at(heard, hz, 0.1, 0.02)), 0, 0.5);
    }
}
END_TEST

/* The third difference shows a click; a tone of 200 Hz has hardly any. */
static double roughest(double from_s, double to_s) {
    double most = 0;
    for (int n = (int)(from_s * RATE_HZ); n < (int)(to_s * RATE_HZ); n++) {
        const float *x = heard + 2 * n;
        double third = (double)x[0] - 3 * (double)x[-2] + 3 * (double)x[-4] -
                       (double)x[-6];
        most = fmax(most, fabs(third));
    }
    return most;
}

/* At the edge after 0.75 s. */
START_TEST(what_crosses_an_edge_fades_without_a_click) {
    level_behind(200, 1, true, true);
    double calm = roughest(0.1, 0.3);
    ck_assert_double_gt(calm, 0);
    ck_assert_double_lt(roughest(0.3, 1.4), 1.5 * calm);
    ck_assert_double_lt(level_at(heard, 200, 1.2, 0.1),
                        0.6 * level_at(heard, 200, 0.2, 0.1));
}
END_TEST

/* The peak of the first 20 ms of a fixed body that is struck at 0 behind a fixed
 * wall. */
static float attack_behind(bool occludes) {
    static const sb_hand_mode tone = {4000, 20, 1};
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position = (sb_vec3){0, 0, 1};
    listener.ears = SB_EARS_HEAD;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    sb_world_rules rules = sb_world_rules_default();
    rules.occludes = occludes;
    sb_scene_set_world_rules(on.scene, &rules);
    sb_body_def wall = slab_def(), def = ball_def();
    wall.position = (sb_vec3){0, 0, 0.5};
    wall.moves.collider.height = 2;
    wall.moves.collider.depth = 0.1;
    def.shape.modes = &tone;
    def.position = (sb_vec3){0, 0, 0};
    def.moves.motion = SB_MOTION_FIXED;
    add(on, wall);
    strike(on, add(on, def), 0, 0.1);
    advance(on, 0, 2, 512, heard);
    float peak = 0;
    for (int i = 0; i < 2 * 2 * STEP_FRAMES; i++)
        peak = fmaxf(peak, fabsf(heard[i]));
    stage_free(on);
    return peak;
}

START_TEST(what_stands_behind_a_wall_is_softer_from_its_attack_on) {
    float open = attack_behind(false);
    ck_assert_float_gt(open, 0);
    ck_assert_float_lt(attack_behind(true), 0.3F * open);
}
END_TEST

START_TEST(ten_thousand_come_and_go) {
    stage on = stage_new();
    add(on, slab_def());
    sb_body_def def = ball_def();
    def.shape = (sb_shape){.kind = SB_SHAPE_RIGID};
    long blocks = 0;
    for (int i = 0; i < 10000; i++) {
        def.position.x = (i % 100) * 0.01;
        sb_body_id id = add(on, def);
        if (i % 100 == 50) advance(on, i / 100, 1, 512, NULL);
        take_away(on, id, i / 100 * STEP_S);
        if (i == 1000) blocks = sb_memory_live_blocks();
    }
    ck_assert_int_le(sb_memory_live_blocks(), blocks + 8);
    stage_free(on);
}
END_TEST

START_TEST(a_body_that_leaves_the_world_falls_silent) {
    stage on = stage_new();
    sb_body_def def = ball_def();
    def.position = (sb_vec3){9.99e5, 0, 0};
    def.moves.velocity = (sb_vec3){1e5, 0, 0};
    sb_body_id ball = add(on, def), lost;
    advance(on, 0, 100, 512, NULL);
    ck_assert(sb_scene_next_lost(on.scene, &lost));
    ck_assert_uint_eq(lost.index, ball.index);
    ck_assert(!sb_scene_next_lost(on.scene, &lost));
    ck_assert(isfinite(sb_scene_pose(on.scene, ball).position.x));
    ck_assert_int_eq((int)sb_scene_world_info(on.scene).lost, 1);
    stage_free(on);
}
END_TEST

/* A ring of steel; its model takes a hundred times as long as a ball's. */
static sb_body_def ring_def(const char *name) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    def.shape = (sb_shape){.kind = SB_SHAPE_RING,
                           .radius = 0.02,
                           .width = 0.004,
                           .thickness = 0.003};
    def.has_material = true;
    def.material = *sb_material_find("steel");
    def.moves.motion = SB_MOTION_FREE;
    return def;
}

START_TEST(what_is_made_again_has_the_model_that_was_made) {
    stage on = stage_new();
    sb_body_id first = add(on, ring_def("first"));
    sb_body_id second = add(on, ring_def("second"));
    sb_model *model = sb_model_retain(
        (sb_model *)(uintptr_t)sb_scene_body_model(on.scene, first));
    ck_assert_ptr_eq(sb_scene_body_model(on.scene, second), model);
    ck_assert_int_eq(sb_scene_remove(on.scene, first, 0, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_remove(on.scene, second, 0, NULL), SB_OK);
    sb_body_id third = add(on, ring_def("third"));
    ck_assert_ptr_eq(sb_scene_body_model(on.scene, third), model);
    sb_body_def other = ring_def("other");
    other.shape.radius = 0.021;
    ck_assert_ptr_ne(sb_scene_body_model(on.scene, add(on, other)), model);
    sb_model_release(model);
    stage_free(on);
}
END_TEST

START_TEST(absurd_bodies_are_refused_by_name) {
    stage on = stage_new();
    sb_body_def bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = ball_def();
    bad[0].moves.collider.radius = 1e9;
    bad[1].moves.mass_kg = 1e30;
    bad[2].moves.velocity.x = NAN;
    bad[3].moves.spin.y = 1e9;
    bad[4].moves.restitution = 2;
    bad[5].moves.rotation.w = 3;
    for (int i = 0; i < 6; i++) {
        sb_body_id id;
        sb_error err = {0};
        ck_assert_int_eq(sb_scene_add(on.scene, &bad[i], 0, &id, &err),
                         SB_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(err.message, "'ball'"));
    }
    ck_assert_int_eq(sb_scene_body_count(on.scene), 0);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scene_world");
    TCase *tests = tcase_create("scene_world");
    tcase_add_test(tests, a_dropped_ball_keeps_its_times_and_speeds);
    tcase_add_test(tests, both_ring_from_the_moment_they_meet);
    tcase_add_test(tests, every_bounce_is_softer_by_the_restitution);
    tcase_add_test(tests, at_rest_there_is_silence_and_nothing_to_do);
    tcase_add_test(tests, the_same_bytes_again_and_in_other_blocks);
    tcase_add_test(tests, nonlinear_impacts_are_as_loud);
    tcase_add_test(tests, a_push_gives_speed_by_mass);
    tcase_add_test(tests, a_place_turns_with_its_body);
    tcase_add_test(tests, a_ray_finds_the_nearest);
    tcase_add_test(tests, what_rests_damps_until_it_is_pushed);
    tcase_add_test(tests, what_rolls_is_heard_as_long_as_it_does);
    tcase_add_test(tests, what_comes_closer_is_higher);
    tcase_add_test(tests, what_goes_behind_a_wall_is_softer);
    tcase_add_test(tests, what_crosses_an_edge_fades_without_a_click);
    tcase_add_test(
        tests,
        behind_a_wall_it_loses_what_maekawa_says_from_the_first_frame_on);
    tcase_add_test(tests,
                   what_stands_behind_a_wall_is_softer_from_its_attack_on);
    tcase_add_test(tests, ten_thousand_come_and_go);
    tcase_add_test(tests, a_body_that_leaves_the_world_falls_silent);
    tcase_add_test(tests, what_is_made_again_has_the_model_that_was_made);
    tcase_add_test(tests, absurd_bodies_are_refused_by_name);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
