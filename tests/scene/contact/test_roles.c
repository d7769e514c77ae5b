/* SPDX-License-Identifier: MIT */
/* Bodies that strike each other: which role may strike which, equal impulses
 * on both, the reduced mass, and the reports. */
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 9600 };

static float out[2 * FRAMES], other[2 * FRAMES];

static const sb_place middle = {.u = 0.5, .v = 0.5}, end = {.u = 0, .v = 0.5};

static sb_body_def ball_def(const char *name, double radius_m) {
    sb_body_def def = rigid_def(name);
    def.shape.radius = radius_m;
    def.material = *sb_material_find("steel");
    def.has_material = true;
    return def;
}

static sb_body_def with_role(sb_body_def def, sb_role role) {
    def.role = role;
    return def;
}

static sb_impact_estimate meet(stage on, sb_body_id a, sb_body_id b,
                               sb_strike_def strike_def) {
    sb_impact_estimate result = {0};
    sb_error err = {0};
    ck_assert_msg(sb_scene_strike_with(on.scene, a, &end, b, &middle,
                                       &strike_def, 0.01, &result,
                                       &err) == SB_OK,
                  "%s", err.message);
    return result;
}

static float loudest(const float *stereo) {
    float most = 0;
    for (int i = 0; i < 2 * FRAMES; i++)
        most = fmaxf(most, fabsf(stereo[i]));
    return most;
}

/* --- roles --------------------------------------------------------------- */

START_TEST(an_exciter_is_never_heard) {
    stage on = stage_new();
    sb_body_id hammer = add(on, with_role(bar_def("hammer"), SB_ROLE_EXCITER));
    ck_assert_int_eq(sb_engine_read_stats(on.engine).voices, 0);
    strike(on, hammer, 0.01, 0.1);
    play(on, out, FRAMES);
    ck_assert_float_eq(loudest(out), 0);
    /* The body that it strikes is heard. */
    sb_body_id bar = add_at(on, bar_def("bar"), 0.3);
    sb_strike_def strike_def = {.speed_m_s = 1};
    sb_impact_estimate r;
    ck_assert_int_eq(sb_scene_strike_with(on.scene, bar, &end, hammer, &middle,
                                          &strike_def, 0.31, &r, NULL),
                     SB_OK);
    play(on, out, FRAMES);
    play(on, out, FRAMES);
    ck_assert_float_gt(loudest(out), 0);
    stage_free(on);
}
END_TEST

static void refuses(stage on, sb_body_id a, sb_body_id b, sb_status status,
                    const char *sentence) {
    sb_strike_def strike_def = {.speed_m_s = 1};
    sb_impact_estimate r = {.impulse_ns = 7};
    sb_error err = {0};
    ck_assert_int_eq(sb_scene_strike_with(on.scene, a, &end, b, &middle,
                                          &strike_def, 0, &r, &err),
                     (int)status);
    ck_assert_str_eq(err.message, sentence);
    ck_assert_double_eq(r.impulse_ns, 7);
}

START_TEST(a_body_that_cannot_strike_is_named) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar"));
    sb_body_id floor = add(on, with_role(bar_def("floor"), SB_ROLE_RESONATOR));
    sb_body_def clamped = bar_def("held");
    clamped.shape.support = SB_SUPPORT_CLAMPED;
    sb_body_id held = add(on, clamped), rock = add(on, rigid_def("rock"));
    sb_body_id gone = add(on, bar_def("gone"));
    take_away(on, gone, 0);
    refuses(on, bar, floor, SB_BAD_ARGUMENT,
            "body 'floor' is a resonator and cannot strike");
    refuses(on, bar, bar, SB_BAD_ARGUMENT, "body 'bar' cannot strike itself");
    refuses(on, bar, gone, SB_STALE_HANDLE, "this body has been removed");
    refuses(on, gone, bar, SB_STALE_HANDLE, "this body has been removed");
    refuses(on, bar, held, SB_BAD_ARGUMENT,
            "body 'held' cannot move as a whole; give the mass that "
            "it strikes with");
    refuses(on, bar, rock, SB_BAD_ARGUMENT,
            "body 'rock' cannot move as a whole; give the mass that "
            "it strikes with");
    /* All of them can be struck. */
    sb_strike_def strike_def = {.speed_m_s = 1, .model = SB_IMPACT_MODEL_PULSE};
    meet(on, floor, bar, strike_def);
    meet(on, held, bar, strike_def);
    meet(on, rock, bar, strike_def);
    play(on, out, FRAMES);
    ck_assert_int_eq((int)sb_engine_read_stats(on.engine).strikes, 5);
    stage_free(on);
}
END_TEST

START_TEST(a_role_may_change_while_it_rings) {
    stage on = stage_new();
    const sb_role roles[] = {SB_ROLE_BOTH, SB_ROLE_EXCITER, SB_ROLE_EXCITER,
                             SB_ROLE_RESONATOR, SB_ROLE_BOTH};
    const int voices[] = {1, 0, 0, 1, 1};
    const int replaced[] = {0, 1, 0, 1, 0};
    for (int i = 0; i < 5; i++) {
        sb_plan *plan, *running;
        int index;
        sb_body_id id;
        sb_commit_counts counts;
        sb_body_def def = with_role(bar_def("bar"), roles[i]);
        /* The same with another pitch and the role unchanged. */
        if (i >= 2) def.material.youngs_modulus *= 1.1;
        ck_assert_int_eq(sb_plan_create(&plan, NULL), SB_OK);
        ck_assert_int_eq(sb_plan_add(plan, &def, &index, NULL), SB_OK);
        ck_assert_int_eq(sb_scene_snapshot(on.scene, &running, NULL), SB_OK);
        ck_assert_int_eq(sb_plan_solve(plan, running, NULL), SB_OK);
        sb_plan_destroy(running);
        double now = (double)sb_engine_clock(on.engine) / RATE_HZ;
        ck_assert_int_eq(
            sb_scene_commit(on.scene, plan, now, &id, &counts, NULL), SB_OK);
        sb_plan_destroy(plan);
        ck_assert_int_eq(counts.replaced, replaced[i]);
        ck_assert_int_eq(counts.retuned, i == 2);
        strike(on, id, now + 0.01, 0.01);
        play(on, out, FRAMES);
        play(on, out, FRAMES);
        ck_assert_int_eq(sb_engine_read_stats(on.engine).voices, voices[i]);
        ck_assert(loudest(out) > 0 || voices[i] == 0);
    }
    stage_free(on);
}
END_TEST

/* --- both ---------------------------------------------------------------- */

START_TEST(both_get_the_same_impulse) {
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .model = SB_IMPACT_MODEL_IMPULSE};
    stage on = stage_new();
    sb_body_id a = add(on, bar_def("a")), b = add(on, hand_def("b"));
    double j = meet(on, a, b, strike_def).impulse_ns;
    play(on, out, FRAMES);
    stage_free(on);
    /* One by one, what is heard adds up to the same. */
    on = stage_new();
    a = add(on, bar_def("a")), b = add(on, hand_def("b"));
    strike(on, a, 0.01, j);
    strike(on, b, 0.01, j);
    play(on, other, FRAMES);
    stage_free(on);
    ck_assert_float_gt(loudest(out), 0);
    for (int i = 0; i < 2 * FRAMES; i++)
        ck_assert_float_eq_tol(out[i], other[i], 1e-6f * loudest(out));
}
END_TEST

/* Inverse mass of a body at a place, all modes together. */
static double give(stage on, sb_body_id id, const sb_place *place) {
    double weights[256];
    const sb_model *model = sb_scene_body_model(on.scene, id);
    ck_assert_int_le(sb_model_mode_count(model), 256);
    weights_at(on, id, place, weights);
    double sum = sb_model_inverse_mass(
        model, sb_model_point_at(model, place->u, place->v), NULL);
    for (int k = 0; k < sb_model_mode_count(model); k++)
        sum += weights[k] * weights[k];
    return sum;
}

START_TEST(the_reduced_mass_counts) {
    stage on = stage_new();
    sb_body_def glass = bar_def("glass");
    glass.material = *sb_material_find("glass");
    sb_body_id a = add(on, bar_def("a")), b = add(on, glass);
    sb_strike_def strike_def = {.speed_m_s = 3,
                                .model = SB_IMPACT_MODEL_IMPULSE};
    double j = meet(on, a, b, strike_def).impulse_ns;
    ck_assert_double_eq_tol(j * (give(on, a, &end) + give(on, b, &middle)),
                            2 * 3, 1e-9);
    /* Independent of which body is the striker. */
    for (int model = SB_IMPACT_MODEL_IMPULSE; model <= SB_IMPACT_MODEL_PULSE;
         model++) {
        strike_def.model = (sb_impact_model)model;
        sb_impact_estimate r = meet(on, a, b, strike_def), turned = {0};
        ck_assert_int_eq(sb_scene_strike_with(on.scene, b, &middle, a, &end,
                                              &strike_def, 0.01, &turned, NULL),
                         SB_OK);
        ck_assert_double_eq_tol(r.impulse_ns / turned.impulse_ns, 1, 1e-12);
        if (model == SB_IMPACT_MODEL_IMPULSE) continue;
        ck_assert_double_eq_tol(r.duration_s / turned.duration_s, 1, 1e-12);
    }
    stage_free(on);
}
END_TEST

/* The first impact, at 48 kHz. */
static sb_event first_impact(stage on) {
    sb_event impact;
    uint64_t reader = 0;
    play(on, out, FRAMES);
    ck_assert(next_played(on, &reader, &impact));
    return impact;
}

START_TEST(a_bar_thrown_at_a_wall_rings_as_one_that_a_wall_strikes) {
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.radius_m = 0.01,
                                .has_gravity = true,
                                .model = SB_IMPACT_MODEL_GRADIENT};
    stage on = stage_new();
    sb_scene_want_impacts(on.scene, true);
    sb_body_def steel_wall = ball_def("wall", 0);
    sb_body_id wall = add(on, steel_wall), bar = add(on, bar_def("bar"));
    sb_impact_estimate r;
    ck_assert_int_eq(sb_scene_strike_with(on.scene, wall, &middle, bar, &end,
                                          &strike_def, 0.01, &r, NULL),
                     SB_OK);
    sb_event thrown = first_impact(on);
    ck_assert_float_gt(loudest(out), 0);
    stage_free(on);
    on = stage_new();
    sb_scene_want_impacts(on.scene, true);
    bar = add(on, bar_def("bar"));
    strike_def.striker.mass_kg = 1e6;
    strike_def.striker.material = steel_wall.material;
    strike_def.striker.has_material = true;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, bar, &end, &strike_def, 0.01, &r, NULL),
        SB_OK);
    sb_event struck = first_impact(on);
    ck_assert_double_eq_tol(thrown.impulse_ns / struck.impulse_ns, 1, 1e-4);
    ck_assert_double_eq_tol(thrown.duration_s / struck.duration_s, 1, 1e-4);
    ck_assert_double_eq_tol(thrown.force_n / struck.force_n, 1, 1e-4);
    /* The modes take up part of the energy. */
    ck_assert_double_lt(thrown.restitution, 0.9);
    stage_free(on);
}
END_TEST

/* Bar and glass bar meet, the one struck with the other or the reverse. */
static sb_event pressed(bool is_turned, sb_role role, sb_impact_model model) {
    stage on = stage_new();
    sb_scene_want_impacts(on.scene, true);
    sb_body_def glass = with_role(bar_def("glass"), role);
    glass.material = *sb_material_find("glass");
    sb_body_id a = add(on, bar_def("a")), b = add(on, glass);
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.radius_m = 0.01,
                                .has_gravity = true,
                                .model = model};
    sb_impact_estimate r;
    ck_assert_int_eq(sb_scene_strike_with(on.scene, is_turned ? b : a,
                                          is_turned ? &middle : &end,
                                          is_turned ? a : b,
                                          is_turned ? &end : &middle,
                                          &strike_def, 0.01, &r, NULL),
                     SB_OK);
    sb_event first = first_impact(on);
    stage_free(on);
    return first;
}

START_TEST(two_that_ring_press_each_other_alike) {
    for (int model = SB_IMPACT_MODEL_TRAPEZOID;
         model <= SB_IMPACT_MODEL_GRADIENT; model++) {
        sb_impact_model by = (sb_impact_model)model;
        sb_event one = pressed(false, SB_ROLE_BOTH, by);
        memcpy(other, out, sizeof out);
        sb_event turned = pressed(true, SB_ROLE_BOTH, by);
        ck_assert_double_eq_tol(one.impulse_ns / turned.impulse_ns, 1, 1e-6);
        ck_assert_double_eq_tol(one.duration_s / turned.duration_s, 1, 1e-6);
        /* As long as they touch: what comes next, and it comes soon, depends
         * on who is held. */
        int from = 480 + STAGE_LATENCY;
        int until = from + (int)(one.duration_s * RATE_HZ);
        float most = 0;
        for (int i = 0; i < 2 * until; i++)
            most = fmaxf(most, fabsf(out[i]));
        ck_assert_float_gt(most, 0.01f * loudest(out));
        for (int i = 0; i < 2 * until; i++)
            ck_assert_float_eq_tol(out[i], other[i], 1e-5f * most);
        /* An exciter of the same mass does not yield by vibrating. */
        sb_event stiff = pressed(false, SB_ROLE_EXCITER, by);
        ck_assert_double_gt(stiff.impulse_ns, 1.05 * one.impulse_ns);
    }
}
END_TEST

/* --- what is reported ---------------------------------------------------- */

START_TEST(reports_name_both) {
    stage on = stage_new();
    sb_scene_want_impacts(on.scene, true);
    sb_body_id a = add(on, bar_def("a")), b = add(on, bar_def("b")),
               ball = add(on, ball_def("ball", 0.005)),
               rock = add(on, rigid_def("rock"));
    meet(on, a, b,
         (sb_strike_def){.speed_m_s = 1, .model = SB_IMPACT_MODEL_PULSE});
    meet(on, a, ball, (sb_strike_def){.speed_m_s = 1, .has_gravity = true});
    meet(on, rock, ball, (sb_strike_def){.speed_m_s = 1, .has_gravity = true});
    play(on, out, FRAMES);
    bool seen[3] = {false, false, false};
    sb_event impact;
    uint64_t reader = 0;
    while (next_played(on, &reader, &impact)) {
        ck_assert_int_eq(impact.kind, SB_EVENT_STRIKE);
        bool is_pulse = impact.model == SB_IMPACT_MODEL_PULSE;
        bool is_rock = strcmp(impact.name[0], "rock") == 0;
        ck_assert_str_eq(impact.name[0], is_rock ? "rock" : "a");
        ck_assert_str_eq(impact.name[1], is_pulse ? "b" : "ball");
        seen[is_pulse ? 0 : 1 + is_rock] = true;
    }
    ck_assert(seen[0] && seen[1] && seen[2]);
    stage_free(on);
}
END_TEST

/* --- micro-impacts ------------------------------------------------------- */

enum { MOST = 256 };

typedef struct hits {
    double time_s[MOST], impulse_ns[MOST];
    int count;
} hits;

/* What follows some strikes on a body, at a rate and with a seed. */
static hits scattered(double rate_hz, uint64_t seed, bool is_alone) {
    stage on = {NULL, NULL};
    sb_engine_def def = sb_engine_def_default();
    def.sample_rate_hz = rate_hz;
    ck_assert_int_eq(sb_engine_create(&def, &on.engine, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_create(on.engine, &on.scene, NULL), SB_OK);
    sb_scene_set_seed(on.scene, seed);
    sb_scene_want_impacts(on.scene, true);
    sb_scatter some = {4, 0.01, 0.5};
    sb_impact_estimate r;
    sb_strike_def strike_def = {.speed_m_s = 2,
                                .striker.mass_kg = 0.01,
                                .striker.hardness_n_m = 1e6,
                                .model = SB_IMPACT_MODEL_PULSE,
                                .scatter = some};
    sb_body_id bell = {0, 0}, bar = {0, 0};
    if (!is_alone) bell = add(on, hand_def("bell"));
    bar = add(on, bar_def("bar"));
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(sb_scene_strike(on.scene, bar, &end, &strike_def,
                                         0.005 * i, &r, NULL),
                         SB_OK);
        if (!is_alone)
            ck_assert_int_eq(
                sb_scene_strike(on.scene, bell, &end, &strike_def, 0, &r, NULL),
                SB_OK);
    }
    hits got = {.count = 0};
    uint64_t reader = 0;
    for (double t = 0; t < 0.15; t += FRAMES / rate_hz) {
        play(on, out, FRAMES);
        sb_event impact;
        while (next_played(on, &reader, &impact)) {
            if (impact.kind != SB_EVENT_SCATTER ||
                strcmp(impact.name[0], "bar") != 0)
                continue;
            ck_assert_int_lt(got.count, MOST);
            ck_assert_double_lt(impact.impulse_ns, 0.5 * r.impulse_ns);
            got.time_s[got.count] = impact.time_s;
            got.impulse_ns[got.count++] = impact.impulse_ns;
        }
    }
    stage_free(on);
    return got;
}

START_TEST(every_rate_draws_the_same_micro_impacts) {
    hits first = scattered(48000, 5, true);
    ck_assert_int_gt(first.count, 30);
    const double rates_hz[] = {44100, 96000, 192000, 48000};
    for (int i = 0; i < 4; i++) {
        /* The last with another body beside it, which changes nothing. */
        hits again = scattered(rates_hz[i], 5, i < 3);
        ck_assert_int_eq(again.count, first.count);
        /* Reports come block by block, in another order within a block. */
        for (int k = 0; k < first.count; k++) {
            double nearest = 1;
            for (int l = 0; l < first.count; l++)
                if (first.impulse_ns[k] == again.impulse_ns[l])
                    nearest =
                        fmin(nearest, fabs(first.time_s[k] - again.time_s[l]));
            ck_assert_msg(nearest < 1e-9, "hit %d at %g Hz is %g s off", k,
                          rates_hz[i], nearest);
        }
    }
    hits otherwise = scattered(48000, 6, true);
    ck_assert(otherwise.count != first.count ||
              otherwise.time_s[0] != first.time_s[0]);
}
END_TEST

START_TEST(nonlinear_strikes_scatter_too) {
    stage on = stage_new();
    sb_scene_want_impacts(on.scene, true);
    sb_body_id bar = add(on, bar_def("bar"));
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.radius_m = 0.005,
                                .scatter = {20, 0.02, 0.5},
                                .has_gravity = true};
    sb_impact_estimate r;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, bar, &end, &strike_def, 0.01, &r, NULL),
        SB_OK);
    play(on, out, FRAMES);
    sb_event impact;
    uint64_t reader = 0;
    int count = 0;
    while (next_played(on, &reader, &impact))
        if (impact.kind == SB_EVENT_SCATTER) {
            ck_assert_double_lt(impact.speed_m_s, 0.75);
            ck_assert_str_eq(sb_event_kind_name(impact.kind), "scatter");
            count++;
        }
    ck_assert_int_gt(count, 5);
    ck_assert_int_eq((int)sb_engine_read_stats(on.engine).dropped, 0);
    stage_free(on);
}
END_TEST

/* --- grazing ------------------------------------------------------------- */

static sb_impact_estimate at_degrees(stage on, sb_body_id id, double degrees,
                                     sb_strike_def strike_def) {
    double t = degrees * SB_PI / 180;
    sb_place place = end;
    place.direction = (sb_vec3){3 * sin(t), -3 * cos(t), 0};
    place.has_direction = true;
    sb_impact_estimate r = {0};
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &place, &strike_def, 0.01, &r, NULL),
        SB_OK);
    return r;
}

START_TEST(a_grazing_strike_strikes_with_its_normal_part) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar"));
    for (int model = SB_IMPACT_MODEL_IMPULSE; model < SB_IMPACT_MODELS; model++)
        for (int degrees = 0; degrees < 90; degrees += 15) {
            double t = degrees * SB_PI / 180;
            sb_strike_def strike_def = {.speed_m_s = 2 * cos(t),
                                        .striker.mass_kg = 0.01,
                                        .model = (sb_impact_model)model};
            sb_impact_estimate plain = at_degrees(on, bar, 0, strike_def);
            ck_assert_double_eq(plain.graze.time_s, 0);
            strike_def.speed_m_s = 2;
            strike_def.grazes = true;
            strike_def.graze = sb_graze_def_default();
            sb_impact_estimate r = at_degrees(on, bar, degrees, strike_def);
            ck_assert_double_eq_tol(r.impulse_ns / plain.impulse_ns, 1, 1e-12);
            ck_assert_double_eq_tol(r.duration_s, plain.duration_s, 1e-15);
            ck_assert_double_eq_tol(r.graze.time_s,
                                    SB_GRAZE_TIME_S * sin(t) * sin(t), 1e-12);
            ck_assert_double_eq_tol(r.graze.slip_m_s, 2 * sin(t), 1e-12);
            if (degrees == 0) continue;
            ck_assert_double_eq_tol(r.graze.along.x, 1, 1e-12);
            ck_assert_double_eq_tol(r.graze.force_n,
                                    0.01 * 9.81 + 2 * SB_GRAZE_SHARE *
                                                      r.impulse_ns /
                                                      SB_GRAZE_TIME_S,
                                    1e-9);
        }
    /* Parallel to the surface there is no impact. */
    sb_strike_def strike_def = {.speed_m_s = 2,
                                .striker.mass_kg = 0.01,
                                .grazes = true,
                                .graze = sb_graze_def_default()};
    sb_impact_estimate r = at_degrees(on, bar, 90, strike_def);
    ck_assert_double_lt(r.impulse_ns, 1e-15);
    ck_assert_double_eq_tol(r.graze.contact_m_s, 2, 1e-12);
    ck_assert_double_eq_tol(r.graze.force_n, 0.01 * 9.81, 1e-9);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("roles");
    TCase *tcase = tcase_create("roles");
    tcase_add_test(tcase, an_exciter_is_never_heard);
    tcase_add_test(tcase, a_body_that_cannot_strike_is_named);
    tcase_add_test(tcase, a_role_may_change_while_it_rings);
    tcase_add_test(tcase, both_get_the_same_impulse);
    tcase_add_test(tcase, the_reduced_mass_counts);
    tcase_add_test(tcase,
                   a_bar_thrown_at_a_wall_rings_as_one_that_a_wall_strikes);
    tcase_add_test(tcase, two_that_ring_press_each_other_alike);
    tcase_add_test(tcase, reports_name_both);
    tcase_add_test(tcase, every_rate_draws_the_same_micro_impacts);
    tcase_add_test(tcase, nonlinear_strikes_scatter_too);
    tcase_add_test(tcase, a_grazing_strike_strikes_with_its_normal_part);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
