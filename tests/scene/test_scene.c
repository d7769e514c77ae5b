/* SPDX-License-Identifier: MIT */
/* Bodies in a scene: names, stale ids, constant memory, and strikes against
 * the closed form of a bar. */
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 9600 };

static float a[2 * FRAMES], b[2 * FRAMES];

/* --- names and ids ------------------------------------------------------- */

START_TEST(a_body_is_found_by_its_name) {
    stage on = stage_new();
    sb_body_id bell = add(on, hand_def("bell")),
               gong = add(on, rigid_def("gong"));
    sb_body_id found = sb_scene_find(on.scene, "gong");
    ck_assert_uint_eq(found.index, gong.index);
    ck_assert_uint_eq(found.generation, gong.generation);
    ck_assert_str_eq(sb_scene_body_name(on.scene, bell), "bell");
    ck_assert(!sb_scene_has(on.scene, sb_scene_find(on.scene, "bel")));
    ck_assert(!sb_scene_has(on.scene, sb_scene_find(on.scene, "")));
    ck_assert(!sb_scene_has(on.scene, (sb_body_id){0, 0}));
    ck_assert(!sb_scene_has(on.scene, (sb_body_id){UINT32_MAX, 1}));
    ck_assert_int_eq(sb_scene_body_count(on.scene), 2);
    stage_free(on);
}
END_TEST

START_TEST(a_name_is_taken_once) {
    stage on = stage_new();
    sb_body_def def = hand_def("bell");
    sb_body_id first = add(on, def), second = {7, 7};
    sb_error err = {0};
    ck_assert_int_eq(sb_scene_add(on.scene, &def, 0, &second, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "'bell'"));
    ck_assert_uint_eq(second.index, 7);
    ck_assert(sb_scene_has(on.scene, first));
    ck_assert_int_eq(sb_scene_body_count(on.scene), 1);
    stage_free(on);
}
END_TEST

START_TEST(a_bad_body_is_named_and_not_added) {
    stage on = stage_new();
    char long_name[65];
    memset(long_name, 'x', 64);
    long_name[64] = 0;
    sb_body_def bad[] = {rigid_def(NULL),      rigid_def(""),
                         rigid_def(long_name), bar_def("plain"),
                         bar_def("bent"),      bar_def("thin"),
                         bar_def("tiny")};
    bad[3].has_material = false;
    bad[4].shape.length = (double)NAN;
    bad[5].material.density = -1;
    bad[6].shape = (sb_shape){.kind = SB_SHAPE_BAR,
                              .length = 1e-3,
                              .width = 1e-3,
                              .thickness = 5e-4}; /* all above hearing */
    const sb_status expected[] = {
        SB_BAD_ARGUMENT, SB_BAD_ARGUMENT, SB_BAD_ARGUMENT, SB_BAD_ARGUMENT,
        SB_BAD_ARGUMENT, SB_BAD_ARGUMENT, SB_NO_MODES};
    long before = sb_memory_live_blocks();
    for (int i = 0; i < 7; i++) {
        sb_error err = {0};
        sb_body_id id = {7, 7};
        ck_assert_msg(sb_scene_add(on.scene, &bad[i], 0, &id, &err) ==
                          expected[i],
                      "case %d: %s", i, err.message);
        ck_assert_uint_gt(strlen(err.message), 10);
        ck_assert_uint_eq(id.index, 7);
        ck_assert_int_eq(sb_scene_body_count(on.scene), 0);
        if (i == 6) ck_assert_ptr_nonnull(strstr(err.message, "'tiny'"));
    }
    ck_assert_int_le(sb_memory_live_blocks(), before + 4); /* grown tables */
    stage_free(on);
}
END_TEST

START_TEST(a_removed_body_is_stale_for_every_call) {
    stage on = stage_new();
    sb_body_id id = add(on, hand_def("bell"));
    take_away(on, id, 0);
    sb_pose here = {0};
    ck_assert(!sb_scene_has(on.scene, id));
    ck_assert(!sb_scene_has(on.scene, sb_scene_find(on.scene, "bell")));
    ck_assert_int_eq(try_strike(on, id, 0, 1), SB_STALE_HANDLE);
    ck_assert_int_eq(sb_scene_remove(on.scene, id, 0, NULL), SB_STALE_HANDLE);
    ck_assert_int_eq(sb_scene_set_pose(on.scene, id, &here, 0, NULL),
                     SB_STALE_HANDLE);
    ck_assert_int_eq(sb_scene_set_gain(on.scene, id, 1, 0, NULL),
                     SB_STALE_HANDLE);
    sb_body_id again = add(on, hand_def("bell"));
    ck_assert(!sb_scene_has(on.scene, id));
    ck_assert(sb_scene_has(on.scene, again));
    strike(on, again, 0.01, 0.001);
    play(on, a, FRAMES);
    ck_assert(a[2 * 5000] != 0);
    stage_free(on);
}
END_TEST

static const char *name_of(int i) {
    static char name[SB_NAME_SIZE];
    (void)snprintf(name, sizeof name, "body %d", i);
    return name;
}

START_TEST(thousands_of_names_are_distinguished) {
    enum { COUNT = 4000 }; /* some four to a bucket */
    static sb_body_id ids[COUNT];
    stage on = stage_new();
    for (int i = 0; i < COUNT; i++)
        ids[i] = add(on, rigid_def(name_of(i)));
    for (int i = 0; i < COUNT; i += 3)
        take_away(on, ids[i], 0);
    int place = 0;
    for (int i = 0; i < COUNT; i++) {
        sb_body_id found = sb_scene_find(on.scene, name_of(i));
        ck_assert_int_eq(sb_scene_has(on.scene, found), i % 3 != 0);
        if (i % 3 == 0) continue;
        ck_assert_uint_eq(found.index, ids[i].index);
        /* In the order of their creation. */
        ck_assert_uint_eq(sb_scene_body_at(on.scene, place++).index,
                          ids[i].index);
    }
    ck_assert_int_eq(sb_scene_body_count(on.scene), place);
    stage_free(on);
}
END_TEST

START_TEST(ten_thousand_bodies_come_and_go_in_flat_memory) {
    stage on = stage_new();
    long most = 0;
    for (int i = 0; i < 10000; i++) {
        double now = (double)sb_engine_clock(on.engine) / RATE_HZ;
        sb_body_id id = add_at(on, hand_def(name_of(i % 7)), now);
        strike(on, id, now + 1e-4, 1e-4);
        take_away(on, id, now + 5e-4);
        play(on, a, 128);
        if (i == 200) most = sb_memory_live_blocks();
        /* A fade is 50 ms long: about 19 bodies are fading out. */
        if (i > 200) ck_assert_int_le(sb_memory_live_blocks(), most + 8);
    }
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- sound --------------------------------------------------------------- */

START_TEST(a_strike_on_a_rigid_body_is_silent) {
    stage on = stage_new();
    sb_body_id id = add(on, rigid_def("rock"));
    sb_place place = {.u = 0.5, .v = 0.5};
    sb_strike_def strike_def = {
        .speed_m_s = 2, .striker.mass_kg = 0.1, .striker.hardness_n_m = 1e6};
    sb_impact_estimate result = {0};
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &place, &strike_def, 0.01, &result, NULL),
        SB_OK);
    ck_assert_double_gt(result.impulse_ns, 0);
    ck_assert_double_gt(result.duration_s, 0);
    play(on, a, FRAMES);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert(a[n] == 0);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).voices, 0);
    stage_free(on);
}
END_TEST

/* Physics 2.1: J = 0.01 at B1's end gives every flexural mode 0.050475 and
 * 1.273885e-3 J. */
START_TEST(the_bar_of_the_table_gets_its_modal_velocities) {
    stage on = stage_new();
    sb_body_def def = bar_def("B1");
    def.shape.theory = SB_BAR_EULER; /* whose shapes end at 2 / sqrt(m) */
    sb_body_id id = add(on, def);
    const sb_model *model = sb_scene_body_model(on.scene, id);
    double weights[64], j = 0.01;
    int count = sb_model_mode_count(model), flexural = 0;
    ck_assert_int_le(count, 64);
    ck_assert_double_eq_tol(sb_model_mass_kg(model), 0.157, 1e-12);
    sb_place end = {.u = 0, .v = 0.5};
    weights_at(on, id, &end, weights);
    for (int k = 0; k < count; k++) {
        if (strncmp(sb_model_modes(model)[k].label, "flexural", 8) != 0)
            continue;
        double velocity = fabs(j * weights[k]);
        ck_assert_double_eq_tol(velocity, 0.050475, 0.5e-6);
        ck_assert_double_eq_tol(velocity * velocity / 2, 1.273885e-3, 0.5e-9);
        flexural++;
    }
    ck_assert_int_ge(flexural, 5);
    stage_free(on);
}
END_TEST

/* Every sample, from first principles: modes, weights, radiation, distance. */
START_TEST(the_bar_of_the_table_sounds_as_the_closed_form) {
    stage on = stage_new();
    sb_body_def def = bar_def("B1");
    def.position = (sb_vec3){0, 0.6, -1.2};
    sb_body_id id = add(on, def); /* 2 m before the default listener */
    const sb_model *model = sb_scene_body_model(on.scene, id);
    sb_place end = {.u = 0, .v = 0.5};
    double weights[64], at_s = 0.0123;
    weights_at(on, id, &end, weights);
    strike(on, id, at_s, 0.01);
    play(on, a, FRAMES);
    double peak = 0;
    high_pass last = {0, 0};
    for (int n = STAGE_LATENCY; n < FRAMES; n++) {
        double t = (n - STAGE_LATENCY) / RATE_HZ - at_s, sum = 0;
        for (int k = 0; k < sb_model_mode_count(model) && t >= 0; k++) {
            sb_mode mode = sb_model_modes(model)[k];
            double w0 = 2 * SB_PI * mode.freq_hz, s = mode.sigma_per_s;
            double wd = sqrt(w0 * w0 - s * s);
            sum += mode.radiation * weights[k] * 0.01 * exp(-s * t) *
                   (cos(wd * t) - s / wd * sin(wd * t));
        }
        double heard = high_pass_next(&last, sum / 2 / SB_FULL_SCALE_PA);
        peak = fmax(peak, fabs(heard));
        ck_assert_double_eq_tol((double)a[2 * n], heard, 2e-7);
        ck_assert_double_eq_tol((double)a[2 * n + 1], heard, 2e-7);
    }
    ck_assert_double_gt(peak, 0.01);
    stage_free(on);
}
END_TEST

START_TEST(a_moved_body_is_heard_from_there) {
    stage on = stage_new();
    sb_body_def def = hand_def("bell");
    def.position = (sb_vec3){0, 0.6, -1.2};
    sb_body_id id = add(on, def);
    play(on, a, 128);
    sb_vec3 beside = {4, 0.6, 0.8};
    ck_assert_int_eq(place_body(on.scene, id, beside, 0.005, NULL), SB_OK);
    strike(on, id, 0.02, 0.01);
    play(on, a, FRAMES);
    float left = 0, right = 0;
    for (int n = 0; n < FRAMES; n++) {
        left = fmaxf(left, fabsf(a[2 * n]));
        right = fmaxf(right, fabsf(a[2 * n + 1]));
    }
    ck_assert_float_gt(right, 1e-4f);
    ck_assert_float_lt(left, 1e-4f * right);
    stage_free(on);
}
END_TEST

/* --- no memory ----------------------------------------------------------- */

START_TEST(a_body_is_added_whole_or_not_at_all) {
    for (long n = 0;; n++) {
        stage on = stage_new();
        sb_body_def def = n % 2 ? hand_def("bell") : bar_def("bell");
        sb_body_id id = {7, 7};
        sb_error err = {0};
        sb_memory_fail_after(n / 2);
        sb_status status = sb_scene_add(on.scene, &def, 0, &id, &err);
        sb_memory_fail_after(-1);
        if (status) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_int_eq(sb_scene_body_count(on.scene), 0);
            ck_assert_uint_eq(id.index, 7);
            id = add(on, def);
        }
        strike(on, id, 0.01, 0.01);
        play(on, a, 2048);
        ck_assert(a[2 * 1000] != 0);
        stage_free(on);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
        if (!status && n % 2 == 0) break;
    }
}
END_TEST

/* Twenty ringing bodies, `waiting` commands that fill the queue, and perhaps a
 * listener who moves when there is no memory left. */
static sb_status move_listener(int waiting, bool moves, float *out) {
    enum { COUNT = 20 };
    stage on = stage_new();
    sb_body_id id = {0, 0};
    for (int i = 0; i < COUNT; i++) {
        id = add(on, hand_def(name_of(i)));
        strike(on, id, 0.001 * i, 0.001);
    }
    play(on, out, 4800);
    for (int i = 0; i < waiting; i++)
        strike(on, id, 1e3, 0.001);
    sb_listener far = sb_listener_default();
    far.position.z = 9;
    sb_memory_fail_after(0);
    sb_status status = SB_OK;
    if (moves) status = sb_scene_set_listener(on.scene, &far, 0.11, NULL);
    sb_memory_fail_after(-1);
    ck_assert_double_eq(sb_scene_listener(on.scene).position.z,
                        moves && !status ? 9 : 0.8);
    play(on, out, FRAMES);
    stage_free(on);
    return status;
}

START_TEST(a_listener_moves_for_all_bodies_or_for_none) {
    int failures = 0;
    (void)move_listener(0, false, a);
    for (int waiting = 0; waiting < 1400; waiting += 100) {
        sb_status status = move_listener(waiting, true, b);
        failures += status != SB_OK;
        ck_assert_int_eq(memcmp(a, b, sizeof a) == 0, status != SB_OK);
    }
    ck_assert_int_gt(failures, 2);
    ck_assert_int_lt(failures, 14);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scene");
    TCase *tcase = tcase_create("scene");
    tcase_add_test(tcase, a_body_is_found_by_its_name);
    tcase_add_test(tcase, a_name_is_taken_once);
    tcase_add_test(tcase, a_bad_body_is_named_and_not_added);
    tcase_add_test(tcase, a_removed_body_is_stale_for_every_call);
    tcase_add_test(tcase, thousands_of_names_are_distinguished);
    tcase_add_test(tcase, ten_thousand_bodies_come_and_go_in_flat_memory);
    tcase_add_test(tcase, a_strike_on_a_rigid_body_is_silent);
    tcase_add_test(tcase, the_bar_of_the_table_gets_its_modal_velocities);
    tcase_add_test(tcase, the_bar_of_the_table_sounds_as_the_closed_form);
    tcase_add_test(tcase, a_moved_body_is_heard_from_there);
    tcase_add_test(tcase, a_body_is_added_whole_or_not_at_all);
    tcase_add_test(tcase, a_listener_moves_for_all_bodies_or_for_none);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
