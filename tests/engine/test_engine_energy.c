/* SPDX-License-Identifier: MIT */
/* The energy balance, and one contact frame by frame, through the whole
 * engine. */
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/lasting_def.h"
#include "tests/engine/engine_fixture.h"

enum { COUNT = 20 };

static sb_voice_id body(sb_engine *engine, double sigma_per_s) {
    sb_bank_mode modes[COUNT];
    for (int k = 0; k < COUNT; k++)
        modes[k] =
            (sb_bank_mode){2 * SB_PI * 200 * pow(1.25, k), sigma_per_s, 0.5};
    return voice_of(engine, modes, COUNT, 0);
}

static void fill_weights(double *weights) {
    for (int k = 0; k < COUNT; k++)
        weights[k] = cos(k);
}

static sb_striker ball(double gravity_m_s2) {
    return (sb_striker){.law = {1e8, 1.5, 2e7},
                        .mass_kg = 4e-3,
                        .speed_m_s = 1,
                        .gravity_m_s2 = gravity_m_s2,
                        .limit_s = 0.5};
}

static void throw_at(sb_engine *engine, sb_voice_id id, double time_frames,
                     sb_striker striker, bool is_watched) {
    double weights[COUNT];
    fill_weights(weights);
    sb_impact_def def = {
        .weights = weights, .striker = &striker, .is_watched = is_watched};
    def.record.label = striker.label;
    ck_assert_int_eq(sb_engine_strike(engine, id, time_frames, &def, NULL),
                     SB_OK);
}

static void balances(const sb_engine *engine) {
    sb_engine_energy e = sb_engine_read_energy(engine);
    ck_assert_double_lt(fabs(e.drift), 1e-9);
    ck_assert_double_le(fabs(e.in_j - e.out_j - e.now_j), 1e-9 * e.in_j);
    ck_assert_double_ge(e.now_j, 0);
}

START_TEST(nobody_asks_and_nothing_is_counted) {
    sb_engine *engine = engine_new();
    throw_at(engine, body(engine, 20), 100, ball(9.81), false);
    play_unheard(engine, 4096);
    sb_engine_energy e = sb_engine_read_energy(engine);
    ck_assert_double_eq(e.in_j, 0);
    ck_assert_double_eq(e.now_j, 0);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(a_striker_brings_its_energy_and_all_of_it_goes_again) {
    for (int bounces = 0; bounces < 2; bounces++) {
        sb_engine *engine = engine_new();
        sb_engine_count_energy(engine);
        throw_at(engine, body(engine, 20), 100.3, ball(bounces ? 9.81 : 0),
                 false);
        play_unheard(engine, BLOCK);
        sb_engine_energy e = sb_engine_read_energy(engine);
        /* On its way up gravity has taken some of it. */
        ck_assert_double_eq_tol(e.in_j, 0.5 * 4e-3, (bounces ? 2e-5 : 1e-12));
        for (int i = 0; i < 40; i++) {
            play_unheard(engine, 1000);
            balances(engine);
        }
        play_unheard(engine, 5 * 48000);
        e = sb_engine_read_energy(engine);
        ck_assert_double_eq(e.now_j, 0);
        ck_assert_double_eq_tol(e.in_j, e.out_j, 1e-9 * e.in_j);
        if (!bounces) ck_assert_double_eq_tol(e.in_j, 0.5 * 4e-3, 1e-12);
        sb_engine_destroy(engine);
    }
}
END_TEST

/* An impulse J on modes at rest brings J^2 sum phi^2 / 2. */
START_TEST(a_known_strike_brings_what_its_impulse_says) {
    sb_engine *engine = engine_new();
    sb_engine_count_energy(engine);
    sb_voice_id id = body(engine, 20);
    double weights[COUNT], squares = 0;
    fill_weights(weights);
    for (int k = 0; k < COUNT; k++)
        squares += weights[k] * weights[k];
    sb_impact_def def = {.impulse_ns = 0.01, .weights = weights};
    ck_assert_int_eq(sb_engine_strike(engine, id, 127.999, &def, NULL), SB_OK);
    play_unheard(engine, BLOCK);
    sb_engine_energy e = sb_engine_read_energy(engine);
    ck_assert_double_eq_tol(e.in_j / (0.5e-4 * squares), 1, 1e-5);
    ck_assert_double_eq_tol(e.now_j, e.in_j, 1e-12);
    play_unheard(engine, 48000);
    balances(engine);
    leave(engine, id, 48000 + 2 * BLOCK, 0.01);
    play_unheard(engine, 4096);
    e = sb_engine_read_energy(engine);
    ck_assert_double_eq(e.now_j, 0); /* it took the rest along */
    ck_assert_double_eq_tol(e.in_j, e.out_j, 1e-12 * e.in_j);
    sb_engine_destroy(engine);
}
END_TEST

/* Two bodies, strikers on both, a strike between, and one striker that
 * rings. */
START_TEST(a_crowd_balances) {
    sb_engine *engine = engine_new();
    sb_engine_count_energy(engine);
    sb_voice_id a = body(engine, 20), b = body(engine, 50);
    double weights[COUNT], second[COUNT];
    fill_weights(weights);
    for (int k = 0; k < COUNT; k++)
        second[k] = sin(k + 1);
    sb_striker heavy = ball(9.81);
    heavy.mass_kg = 0.03;
    sb_impact_def def = {.weights = weights,
                         .striker = &heavy,
                         .second = b,
                         .second_weights = second};
    ck_assert_int_eq(sb_engine_strike(engine, a, 50.5, &def, NULL), SB_OK);
    throw_at(engine, a, 60, ball(0), false);
    throw_at(engine, b, 300, ball(9.81), false);
    strike(engine, a, 1000.5, 0.01);
    for (int i = 0; i < 48; i++) {
        play_unheard(engine, 1000);
        balances(engine);
    }
    sb_engine_destroy(engine);
}
END_TEST

static void bow(sb_engine *engine, sb_voice_id id, bool is_watched) {
    double weights[COUNT];
    fill_weights(weights);
    sb_lasting_def def = {.voice = {id},
                          .weights = {weights},
                          .rub = sb_rub_default(),
                          .model = SB_LASTING_FRICTION,
                          .bristle = sb_bristle_from(0.8, 0.3, 0.1, 0),
                          .is_watched = is_watched};
    sb_lasting_id contact;
    ck_assert_int_eq(sb_engine_begin_contact(engine, 10, &def, &contact, NULL),
                     SB_OK);
    sb_move_def move = {.to = {.force_n = 5, .slip_m_s = 0.1},
                        .has_force = true,
                        .has_slip = true,
                        .ramp_s = 0.05};
    ck_assert_int_eq(sb_engine_move_contact(engine, contact, 10, &move, NULL),
                     SB_OK);
}

/* Work goes in for as long as it lasts. */
START_TEST(a_rub_balances) {
    sb_engine *engine = engine_new();
    sb_engine_count_energy(engine);
    bow(engine, body(engine, 20), false);
    double before = 0;
    for (int i = 0; i < 12; i++) {
        play_unheard(engine, 2000);
        balances(engine);
        double in = sb_engine_read_energy(engine).in_j;
        ck_assert_double_gt(in, before);
        before = in;
    }
    sb_engine_destroy(engine);
}
END_TEST

/* --- one contact frame by frame --------------------------------------------*/

START_TEST(the_rows_of_a_striker_say_what_it_did) {
    sb_engine *engine = engine_new();
    ck_assert_int_eq(sb_engine_trace(engine, false, NULL), SB_OK);
    sb_voice_id id = body(engine, 20);
    throw_at(engine, id, 200, ball(0), false); /* this one is not traced */
    throw_at(engine, id, 9000, ball(0), true);
    play_unheard(engine, 12000);
    sb_traced t;
    int count = 0;
    double impulse_ns = 0, speed = 0, depth = 0, last = 9000;
    while (sb_engine_next_traced(engine, &t)) {
        const sb_trace_row *r = &t.row;
        if (count++ == 0) ck_assert_double_eq(t.time_frames, 9001);
        ck_assert_double_gt(t.time_frames, last);
        ck_assert_double_ge(r->force_n, 0);
        ck_assert_double_lt(fabs(r->drift), 1e-9);
        impulse_ns += r->force_n / RATE_HZ;
        depth = fmax(depth, r->depth_m);
        speed = r->speed_m_s[1];
        last = t.time_frames;
    }
    ck_assert_int_gt(count, 20);
    ck_assert_double_gt(depth, 1e-6);
    ck_assert_double_lt(speed, 0); /* it came off */
    ck_assert_double_eq_tol(impulse_ns, 4e-3 * (1 - speed), 1e-12);
    ck_assert_int_eq(sb_engine_rows_lost(engine), 0);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(the_rows_of_a_known_strike_add_up_to_its_impulse) {
    const double durations_s[] = {0, 1e-5, 0.4e-3, 7e-3};
    for (int i = 0; i < 4; i++) {
        sb_engine *engine = engine_new();
        ck_assert_int_eq(sb_engine_trace(engine, false, NULL), SB_OK);
        double weights[COUNT] = {0.1};
        sb_impact_def def = {.impulse_ns = 0.02,
                             .duration_s = durations_s[i],
                             .weights = weights,
                             .is_watched = true};
        sb_voice_id id = body(engine, 20);
        ck_assert_int_eq(sb_engine_strike(engine, id, 127.25, &def, NULL),
                         SB_OK);
        play_unheard(engine, 2000);
        sb_traced t;
        double sum = 0;
        int count = 0;
        while (sb_engine_next_traced(engine, &t)) {
            sum += t.row.force_n / RATE_HZ;
            ck_assert(isnan(t.row.depth_m));
            count++;
        }
        ck_assert_int_ge(count, (int)(durations_s[i] * RATE_HZ));
        ck_assert_double_eq_tol(sum, 0.02, 2e-4);
        sb_engine_destroy(engine);
    }
}
END_TEST

/* --- by steps --------------------------------------------------------------*/

typedef struct shown {
    double impulse_ns, peak_n, duration_s;
    int pushing; /* rows with a force */
} shown;

/* What a viewer reads from the rows: each force holds since the row before. */
static shown look(sb_engine *engine) {
    shown all = {0, 0, 0, 0};
    sb_traced t;
    double last = NAN;
    while (sb_engine_next_traced(engine, &t)) {
        double force = t.row.force_n, span = (t.time_frames - last) / RATE_HZ;
        if (isnan(last)) ck_assert_double_eq(force, 0); /* it begins at 0 */
        if (!isnan(t.row.drift)) ck_assert_double_lt(fabs(t.row.drift), 1e-9);
        if (force > 0) {
            ck_assert_double_ge(span, 0);
            all.impulse_ns += force * span;
            all.duration_s += span;
            all.peak_n = fmax(all.peak_n, force);
            all.pushing++;
        }
        last = t.time_frames;
    }
    return all;
}

/* Of steel on steel, 2 frames; and of a soft ball. One contact has one peak:
 * that of the rows is that of the report. */
START_TEST(the_steps_of_a_striker_show_its_peak) {
    const double stiffness[] = {2e10, 1e9, 1e7, 1e6};
    for (int i = 0; i < 4; i++) {
        sb_engine *engine = engine_new();
        ck_assert_int_eq(sb_engine_trace(engine, true, NULL), SB_OK);
        sb_striker striker = ball(0);
        striker.law = (sb_contact_law){stiffness[i], 1.5, 0};
        striker.is_one_blow = true;
        striker.label = 7;
        throw_at(engine, body(engine, 20), 9000.3, striker, true);
        play_unheard(engine, 12000);
        sb_impact_record record;
        ck_assert(sb_engine_next_impact(engine, &record));
        shown all = look(engine);
        ck_assert_int_ge(all.pushing, 28);
        ck_assert_double_eq_tol(all.impulse_ns / record.impulse_ns, 1, 1e-9);
        ck_assert_double_eq_tol(all.peak_n / record.peak_force_n, 1, 5e-3);
        ck_assert_double_eq_tol(all.duration_s / record.duration_s, 1, 0.06);
        sb_engine_destroy(engine);
    }
}
END_TEST

START_TEST(the_steps_of_a_known_strike_are_its_half_sine) {
    const double durations_s[] = {1e-5, 60e-6, 0.4e-3, 1.2e-3};
    for (int i = 0; i < 4; i++) {
        double duration_s = durations_s[i];
        sb_engine *engine = engine_new();
        ck_assert_int_eq(sb_engine_trace(engine, true, NULL), SB_OK);
        double weights[COUNT] = {0.1};
        sb_impact_def def = {.impulse_ns = 0.02,
                             .duration_s = duration_s,
                             .weights = weights,
                             .is_watched = true};
        sb_voice_id id = body(engine, 20);
        ck_assert_int_eq(sb_engine_strike(engine, id, 126.25, &def, NULL),
                         SB_OK);
        play_unheard(engine, 2000);
        shown all = look(engine);
        ck_assert_int_ge(all.pushing, 32);
        ck_assert_double_eq_tol(all.impulse_ns, 0.02, 1e-9);
        ck_assert_double_eq_tol(all.duration_s, duration_s, 1e-3 * duration_s);
        ck_assert_double_eq_tol(all.peak_n / (SB_PI * 0.02 / (2 * duration_s)),
                                1, 1e-3);
        sb_engine_destroy(engine);
    }
}
END_TEST

START_TEST(rows_that_nobody_takes_are_counted) {
    sb_engine *engine = engine_new();
    ck_assert_int_eq(sb_engine_trace(engine, false, NULL), SB_OK);
    bow(engine, body(engine, 20), true);
    play_unheard(engine, 24000);
    sb_traced t;
    int count = 0;
    while (sb_engine_next_traced(engine, &t))
        count++;
    ck_assert_int_eq(count, SB_TRACER_ROWS);
    ck_assert_int_gt(sb_engine_rows_lost(engine), 0);
    sb_engine_destroy(engine);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("engine energy");
    TCase *tests = tcase_create("energy");
    tcase_add_test(tests, nobody_asks_and_nothing_is_counted);
    tcase_add_test(tests, a_striker_brings_its_energy_and_all_of_it_goes_again);
    tcase_add_test(tests, a_known_strike_brings_what_its_impulse_says);
    tcase_add_test(tests, a_crowd_balances);
    tcase_add_test(tests, a_rub_balances);
    tcase_add_test(tests, the_rows_of_a_striker_say_what_it_did);
    tcase_add_test(tests, the_rows_of_a_known_strike_add_up_to_its_impulse);
    tcase_add_test(tests, the_steps_of_a_striker_show_its_peak);
    tcase_add_test(tests, the_steps_of_a_known_strike_are_its_half_sine);
    tcase_add_test(tests, rows_that_nobody_takes_are_counted);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
