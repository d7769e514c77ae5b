/* SPDX-License-Identifier: MIT */
/* Two ringing bodies joined by one contact: no energy is gained, and the result
 * does not depend on which of them is the striker. */
#include "tests/dsp/contact/link_fixture.h"

#include "runtime/base/random.h"

enum { MODES = 12, PADDED = 16 };

/* About 0.1 kg of something, from `low_hz` up. */
static void thing(sb_bank_mode modes[MODES], float weights[PADDED],
                  double low_hz, double sigma) {
    memset(weights, 0, PADDED * sizeof *weights);
    for (int k = 0; k < MODES; k++) {
        modes[k] = mode_hz(low_hz * pow(1.4, k), sigma, 1 + 0.3 * sin(k));
        weights[k] = (float)(3 * cos(1.7 * k + low_hz));
    }
}

static sb_striker ball(double stiffness) {
    return (sb_striker){.law = {stiffness, 1.5, 0},
                        .mass_kg = 0.1,
                        .inverse_mass = 1 / 0.1,
                        .speed_m_s = 1,
                        .limit_s = 10,
                        .start_frame = 20.7};
}

START_TEST(equal_bodies_take_equal_and_opposite_impulses) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[MODES];
    float weights[PADDED];
    thing(modes, weights, 300, 0);
    world w;
    world_open(&w, 48000);
    world_body(&w, modes, MODES);
    world_body(&w, modes, MODES);
    sb_striker s = ball(1e9);
    sb_link link;
    sb_link_init_striker(&link, &s);
    world_join(&w, &link, 0, 0, weights);
    world_join(&w, &link, 1, 1, weights);
    world_throw(&w, &link);
    float most = 0;
    for (int i = 0; i < 100 && s.phase != SB_STRIKER_OVER; i++) {
        ck_assert(world_play(&w));
        /* The sound of one body is that of the other with opposite sign. */
        for (int n = 0; n < BLOCK; n++) {
            ck_assert_float_eq_tol(w.out[0][n], -w.out[1][n], 1e-9f);
            most = fmaxf(most, fabsf(w.out[0][n]));
        }
    }
    ck_assert_int_eq(s.phase, SB_STRIKER_OVER);
    ck_assert_int_ge(w.contacts, 1);
    ck_assert_float_gt(most, 0.1f);
    ck_assert_double_eq_tol(s.mass_kg * (1 - s.velocity_m_s), w.impulse_ns,
                            1e-12);
    double has =
        world_modes_j(&w) + 0.5 * s.mass_kg * s.velocity_m_s * s.velocity_m_s;
    has += 0.5 * w.recoil_ns2 * s.inverse_mass;
    ck_assert_double_eq_tol(has / (0.5 * s.mass_kg), 1, 1e-9);
    ck_assert_double_gt(world_modes_j(&w), 0.1 * has);
    world_close(&w);
}
END_TEST

/* Body a flies at body b, or vice versa. */
static void meet(world *w, bool is_turned, double own_stiffness) {
    sb_bank_mode modes[2][MODES];
    float weights[2][PADDED];
    thing(modes[0], weights[0], 300, 4);
    thing(modes[1], weights[1], 170, 9);
    world_open(w, 48000);
    world_body(w, modes[0], MODES);
    world_body(w, modes[1], MODES);
    /* Soft, so that there is a single contact: afterwards the support holds the
     * struck body. */
    sb_striker s = ball(own_stiffness);
    s.start_frame = 2.3;
    s.mass_kg = is_turned ? 0.4 : 0.1;
    s.inverse_mass = is_turned ? 1 / 0.1 : 1 / 0.4;
    sb_link link;
    sb_link_init_striker(&link, &s);
    world_join(w, &link, 0, is_turned ? 1 : 0, weights[is_turned ? 1 : 0]);
    world_join(w, &link, 1, is_turned ? 0 : 1, weights[is_turned ? 0 : 1]);
    world_throw(w, &link);
    ck_assert(world_play(w));
}

START_TEST(neither_side_is_the_first) {
    if (!use_isa(_i)) return;
    static world there, back;
    meet(&there, false, 1e7);
    meet(&back, true, 1e7);
    for (int f = 0; f < 2; f++) {
        double most = 0;
        for (int n = 0; n < BLOCK; n++)
            most = fmax(most, fabs((double)there.out[f][n]));
        ck_assert_double_gt(most, 1e-3);
        for (int n = 0; n < BLOCK; n++)
            ck_assert_double_eq_tol((double)there.out[f][n],
                                    (double)-back.out[f][n], 1e-9 * most);
    }
    world_close(&there);
    world_close(&back);
}
END_TEST

START_TEST(a_very_stiff_striker_is_a_rigid_one) {
    sb_bank_mode modes[MODES], stiff[1] = {mode_hz(20000, 0, 0)};
    float weights[PADDED], own[16] = {1e-4f};
    static float heard[2][BLOCK];
    thing(modes, weights, 300, 4);
    for (int is_ringing = 0; is_ringing < 2; is_ringing++) {
        world w;
        world_open(&w, 48000);
        world_body(&w, modes, MODES);
        sb_striker s = ball(1e8);
        sb_link link;
        sb_link_init_striker(&link, &s);
        world_join(&w, &link, 0, 0, weights);
        if (is_ringing) {
            world_body(&w, stiff, 1);
            world_join(&w, &link, 1, 1, own);
        }
        world_throw(&w, &link);
        world_play(&w);
        memcpy(heard[is_ringing], w.out[0], sizeof heard[0]);
        world_close(&w);
    }
    for (int n = 0; n < BLOCK; n++)
        ck_assert_double_eq_tol((double)heard[0][n], (double)heard[1][n], 1e-6);
    ck_assert_float_gt(fabsf(heard[0][60]), 1e-3f);
}
END_TEST

static double decades(sb_random *random, double from, double to) {
    return pow(10, from + (to - from) * sb_random_unit(random));
}

static void any_weights(sb_random *random, float weights[16]) {
    memset(weights, 0, 16 * sizeof *weights);
    for (int k = 0; k < 3; k++)
        weights[k] = (float)(decades(random, -3, 3) *
                             (sb_random_unit(random) < 0.5 ? -1 : 1));
}

START_TEST(a_buzz_never_gains_energy) {
    enum { SETS = 10000 };
    sb_random random = sb_random_make(11, 1);
    int touched = 0;
    for (int set = 0; set < SETS; set++) {
        world w;
        world_open(&w, rates_hz[set % RATE_COUNT]);
        float weights[2][16];
        bool has_stop = set % 4 == 0;
        sb_link link;
        sb_striker room;
        sb_contact_law law = {decades(&random, 2, 14), 1.5, 0};
        if (set % 2) law.exponent = 1 + 2.5 * sb_random_unit(&random);
        if (set % 3 == 0) law.lambda = law.stiffness * decades(&random, -6, 3);
        sb_link_init_buzz(&link, &room, &law, decades(&random, -9, -3));
        for (int f = 0; f < 2 - has_stop; f++) {
            sb_bank_mode modes[3];
            for (int k = 0; k < 3; k++)
                modes[k] = mode_hz(decades(&random, 0, 4.3),
                                   decades(&random, -3, 5), 1);
            world_body(&w, modes, 3);
            any_weights(&random, weights[f]);
            world_join(&w, &link, f, f, weights[f]);
            world_impulse(&w, f, weights[f], decades(&random, -9, 0));
        }
        double had = world_modes_j(&w);
        bool is_well = world_play(&w);
        ck_assert_msg(is_well, "set %d: K %g, a %g, lambda %g, gap %g, %g J",
                      set, law.stiffness, law.exponent, law.lambda, link.gap_m,
                      had);
        double now =
            world_modes_j(&w) + sb_contact_energy_j(&law, room.depth_m);
        ck_assert_msg(now <= had * (1 + 1e-9), "set %d: %.12g J from %.12g",
                      set, now, had);
        touched += link.is_near;
        world_close(&w);
    }
    ck_assert_int_gt(touched, SETS / 10);
}
END_TEST

START_TEST(a_buzz_keeps_what_nothing_damps) {
    sb_bank_mode modes[2][MODES];
    float weights[2][PADDED];
    world w;
    world_open(&w, 48000);
    for (int f = 0; f < 2; f++) {
        thing(modes[f], weights[f], 200 + 90 * f, 0);
        world_body(&w, modes[f], MODES);
    }
    sb_contact_law law = {1e9, 1.5, 0};
    sb_striker room;
    sb_link link;
    sb_link_init_buzz(&link, &room, &law, 1e-5);
    world_join(&w, &link, 0, 0, weights[0]);
    world_join(&w, &link, 1, 1, weights[1]);
    world_impulse(&w, 0, weights[0], 0.05);
    double had = world_modes_j(&w), other = 0;
    for (int i = 0; i < 300; i++) {
        ck_assert(world_play(&w));
        double now =
            world_modes_j(&w) + sb_contact_energy_j(&law, room.depth_m);
        ck_assert_double_eq_tol(now / had, 1, 1e-9);
        other = fmax(other, sb_modal_bank_energy_j(w.island.bank[1]));
    }
    ck_assert_double_gt(other, 0.05 * had);
    world_close(&w);
}
END_TEST

/* As things of some grams to some kilograms have. */
static void some_weights(sb_random *random, float weights[16]) {
    memset(weights, 0, 16 * sizeof *weights);
    for (int k = 0; k < 3; k++)
        weights[k] = (float)(decades(random, -1, 1) *
                             (sb_random_unit(random) < 0.5 ? -1 : 1));
}

/* Three bodies in a triangle of buzzes, a striker that rings itself and a
 * spring: all forces of a step must agree. */
START_TEST(a_crowd_of_links_never_gains_energy) {
    enum { SETS = 600 };
    sb_random random = sb_random_make(5, 1);
    for (int set = 0; set < SETS; set++) {
        world w;
        world_open(&w, rates_hz[set % RATE_COUNT]);
        float weights[9][16];
        sb_link buzz[3], thrown, spring;
        sb_striker rooms[3], ball_of = ball(decades(&random, 5, 11));
        for (int i = 0; i < 9; i++)
            some_weights(&random, weights[i]);
        for (int f = 0; f < 3; f++) {
            sb_bank_mode modes[3];
            for (int k = 0; k < 3; k++)
                modes[k] = mode_hz(decades(&random, 1, 4.3),
                                   decades(&random, -3, 4), 1);
            world_body(&w, modes, 3);
            world_impulse(&w, f, weights[f], decades(&random, -5, -2));
        }
        for (int f = 0; f < 3; f++) {
            sb_contact_law law = {decades(&random, 5, 11), 1.5, 0};
            if (set % 2) law.lambda = law.stiffness * decades(&random, -4, 2);
            sb_link_init_buzz(&buzz[f], &rooms[f], &law,
                              decades(&random, -7, -4));
            world_join(&w, &buzz[f], 0, f, weights[f]);
            world_join(&w, &buzz[f], 1, (f + 1) % 3, weights[f + 3]);
        }
        sb_link_init_striker(&thrown, &ball_of);
        world_join(&w, &thrown, 0, 0, weights[6]);
        world_join(&w, &thrown, 1, 1, weights[7]);
        world_throw(&w, &thrown);
        sb_link_init_spring(&spring,
                            &(sb_spring){.cubic_n_m3 = decades(&random, 5, 13)},
                            false);
        world_join(&w, &spring, 0, 2, weights[8]);
        sb_trace trace = {.link = NULL};
        w.island.trace = &trace;
        for (int b = 0; b < 2; b++) {
            bool is_well = world_play(&w);
            ck_assert_msg(is_well, "set %d", set);
            for (int n = 0; n < BLOCK; n++)
                ck_assert_msg(trace.rows[n].drift > -1e-9,
                              "set %d, frame %d: drift %g", set, n,
                              trace.rows[n].drift);
        }
        world_close(&w);
    }
}
END_TEST

START_TEST(hard_stops_side_by_side_agree) {
    /* So stiff that each alone would stop the body within a step: alternating
     * between them takes thousands of rounds. */
    const sb_bank_mode modes[2] = {mode_hz(150, 0, 1), mode_hz(430, 0, 1)};
    float weights[3][16] = {{30, 20}, {30, 20.2f}, {30, 19.9f}};
    sb_contact_law law = {1e14, 1.5, 0};
    world w;
    world_open(&w, 48000);
    world_body(&w, modes, 2);
    sb_link stop[3];
    sb_striker room[3];
    for (int i = 0; i < 3; i++) {
        sb_link_init_buzz(&stop[i], &room[i], &law, 1e-6);
        world_join(&w, &stop[i], 0, 0, weights[i]);
    }
    world_impulse(&w, 0, weights[0], 1e-3);
    double had = world_modes_j(&w);
    for (int b = 0; b < 50; b++) {
        ck_assert(world_play(&w));
        double now = world_modes_j(&w);
        for (int i = 0; i < 3; i++)
            now += sb_contact_energy_j(&law, room[i].depth_m);
        ck_assert_double_eq_tol(now / had, 1, 1e-9);
    }
    world_close(&w);
}
END_TEST

START_TEST(what_is_no_number_is_silent) {
    sb_bank_mode modes[MODES];
    float weights[PADDED];
    thing(modes, weights, 300, 4);
    const double bad[] = {(double)NAN, (double)INFINITY, 1e300};
    for (int i = 0; i < 3; i++) {
        world w;
        world_open(&w, 48000);
        world_body(&w, modes, MODES);
        world_body(&w, modes, MODES);
        sb_striker s = ball(1e9);
        s.velocity_m_s = s.speed_m_s = bad[i];
        sb_link link;
        sb_link_init_striker(&link, &s);
        world_join(&w, &link, 0, 0, weights);
        world_join(&w, &link, 1, 1, weights);
        world_throw(&w, &link);
        ck_assert(!world_play(&w));
        ck_assert_int_eq(s.phase, SB_STRIKER_OVER);
        for (int n = 0; n < BLOCK; n++)
            ck_assert(w.out[0][n] == 0 && w.out[1][n] == 0);
        ck_assert_double_eq(world_modes_j(&w), 0);
        world_close(&w);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("link");
    TCase *tcase = tcase_create("link");
    tcase_add_loop_test(tcase, equal_bodies_take_equal_and_opposite_impulses, 0,
                        ISA_COUNT);
    tcase_add_loop_test(tcase, neither_side_is_the_first, 0, ISA_COUNT);
    tcase_add_test(tcase, a_very_stiff_striker_is_a_rigid_one);
    tcase_add_test(tcase, a_buzz_never_gains_energy);
    tcase_add_test(tcase, a_buzz_keeps_what_nothing_damps);
    tcase_add_test(tcase, a_crowd_of_links_never_gains_energy);
    tcase_add_test(tcase, hard_stops_side_by_side_agree);
    tcase_add_test(tcase, what_is_no_number_is_silent);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
