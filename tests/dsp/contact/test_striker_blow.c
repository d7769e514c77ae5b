/* SPDX-License-Identifier: MIT */
/* One blow: the striker is taken away when it first comes off while it moves
 * away from the body. Its first contact is that of a striker that bounces. */
#include "tests/dsp/contact/striker_fixture.h"

enum { MODES = 16 };

/* A plate whose modes are loose enough to throw a striker off early. */
static void plate(sb_bank_mode modes[MODES], float weights[MODES],
                  double weight) {
    for (int k = 0; k < MODES; k++) {
        modes[k] = mode_hz(90 * pow(1.35, k), 4, 0.5);
        weights[k] = (float)(weight * cos(1.7 * k + 0.4));
    }
}

static sb_striker dropped(double mass, double inverse_mass,
                          const float *weights) {
    return (sb_striker){.law = {2e8, 1.5, 2e7},
                        .mass_kg = mass,
                        .inverse_mass = inverse_mass,
                        .speed_m_s = 1,
                        .gravity_m_s2 = 9.81,
                        .limit_s = 10,
                        .weights = weights,
                        .start_frame = 20.7};
}

/* Play `s` until it is over; returns the number of contacts. */
static int play(stage *on, const sb_bank_mode *modes, sb_striker def) {
    static sb_striker s; /* `on` keeps its address */
    s = def;
    stage_open(on, modes, MODES, 48000);
    stage_add(on, &s);
    stage_run(on, 6000);
    ck_assert_int_eq(on->count, 0);
    ck_assert_int_gt(on->record_count, 0);
    stage_close(on);
    return on->record_count;
}

static const double weights_of[] = {0.2, 2, 12};
static const double masses[] = {0.001, 0.03, 1};

START_TEST(one_blow_ends_when_the_striker_moves_away) {
    int with_chatter = 0;
    static stage one, all;
    for (int i = 0; i < 18; i++) {
        sb_bank_mode modes[MODES];
        float weights[MODES];
        plate(modes, weights, weights_of[i % 3]);
        sb_striker s = dropped(masses[i / 3 % 3], i < 9 ? 0 : 5, weights);
        s.is_kmethod = _i == 1;
        int bounces = play(&all, modes, s);
        s.is_one_blow = true;
        int contacts = play(&one, modes, s);
        ck_assert_int_gt(bounces, contacts);
        ck_assert_mem_eq(&one.records[0], &all.records[0],
                         sizeof one.records[0]);
        for (int k = 0; k < contacts; k++) {
            bool moves_away = one.records[k].speed_out_m_s > 0;
            bool is_last = k == contacts - 1;
            ck_assert(!moves_away || is_last);
            ck_assert_uint_eq(one.records[k].before, (unsigned)k);
            if (k == 0) continue;
            const sb_impact_record *r = &one.records[k - 1];
            double end = r->time_frames + r->duration_s * 48000;
            ck_assert_double_lt(one.records[k].time_frames - end, 241);
        }
        with_chatter += contacts > 1;
    }
    ck_assert_int_gt(with_chatter, 0); /* else the rule is not tested */
}
END_TEST

START_TEST(one_blow_does_not_depend_on_the_place_in_the_block) {
    static stage on;
    sb_bank_mode modes[MODES];
    float weights[MODES];
    plate(modes, weights, 12);
    sb_striker s = dropped(0.03, 0, weights);
    s.is_one_blow = true;
    int contacts = play(&on, modes, s);
    double impulse = on.records[0].impulse_ns;
    for (int shift = 1; shift < 300; shift += 13) {
        sb_striker later = s;
        later.start_frame += shift;
        ck_assert_int_eq(play(&on, modes, later), contacts);
        ck_assert_double_eq_tol(on.records[0].impulse_ns, impulse,
                                1e-9 * impulse);
    }
}
END_TEST

/* A soft string yields far and comes back after its half period, 10 ms: that
 * would be heard as a second blow. */
START_TEST(a_surface_that_comes_back_late_is_not_hit_again) {
    static stage one, all;
    sb_bank_mode modes[MODES];
    float weights[MODES] = {0};
    plate(modes, weights, 0);
    modes[0] = mode_hz(50, 0.5, 1);
    weights[0] = 40;
    sb_striker s = dropped(0.5, 0, weights);
    s.gravity_m_s2 = 0;
    s.is_kmethod = _i == 1;
    ck_assert_int_gt(play(&all, modes, s), 1);
    s.is_one_blow = true;
    ck_assert_int_eq(play(&one, modes, s), 1);
    ck_assert_double_lt(one.records[0].speed_out_m_s, 0);
    ck_assert_mem_eq(&one.records[0], &all.records[0], sizeof one.records[0]);
}
END_TEST

/* Momentum: a hammer hardly feels a light free body, which flies off. */
START_TEST(a_hammer_hits_a_light_body_once) {
    static stage on;
    sb_bank_mode modes[MODES];
    float weights[MODES] = {0};
    plate(modes, weights, 0);
    sb_striker s = dropped(1, 1 / 0.01, weights);
    s.gravity_m_s2 = 0;
    s.law.lambda = 0;
    s.is_one_blow = true;
    ck_assert_int_eq(play(&on, modes, s), 1);
    ck_assert_double_eq_tol(on.records[0].impulse_ns, 2 / (1 + 100.0), 1e-9);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("striker_blow");
    TCase *tcase = tcase_create("striker_blow");
    tcase_add_loop_test(tcase, one_blow_ends_when_the_striker_moves_away, 0, 2);
    tcase_add_loop_test(tcase, a_surface_that_comes_back_late_is_not_hit_again,
                        0, 2);
    tcase_add_test(tcase, one_blow_does_not_depend_on_the_place_in_the_block);
    tcase_add_test(tcase, a_hammer_hits_a_light_body_once);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
