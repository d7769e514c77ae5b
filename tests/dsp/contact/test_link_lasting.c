/* SPDX-License-Identifier: MIT */
/* Lasting links: a contact at rest is silent, the energy balance closes, and
 * springs bend the pitch as Duffing predicts. */
#include "tests/dsp/contact/link_fixture.h"

#include "runtime/dsp/bank/modal_bank_internal.h"
#include "runtime/dsp/contact/known_impact.h"

enum { MODES = 12, PADDED = 16 };

static void thing(sb_bank_mode modes[MODES], float weights[PADDED],
                  double low_hz, double sigma) {
    memset(weights, 0, PADDED * sizeof *weights);
    for (int k = 0; k < MODES; k++) {
        modes[k] = mode_hz(low_hz * pow(1.4, k), sigma, 1 + 0.3 * sin(k));
        weights[k] = (float)(3 * cos(1.7 * k + low_hz));
    }
}

static float loudest(const float out[BLOCK]) {
    float most = 0;
    for (int n = 0; n < BLOCK; n++)
        most = fmaxf(most, fabsf(out[n]));
    return most;
}

/* A ball of 50 g and a body, or two. */
typedef struct table {
    world w;
    float weights[2][PADDED];
    sb_striker room;
    sb_link link;
    sb_trace trace;
} table;

static void lay(table *t, int bodies, double sigma, double lambda) {
    world_open(&t->w, 48000);
    sb_contact_law law = {1e8, 1.5, lambda};
    sb_link_init_press(&t->link, &t->room, &law, 0.05, 0);
    for (int f = 0; f < bodies; f++) {
        sb_bank_mode modes[MODES];
        thing(modes, t->weights[f], 200 + 70 * f, sigma);
        world_body(&t->w, modes, MODES);
        world_join(&t->w, &t->link, f, f, t->weights[f]);
    }
    memset(&t->trace, 0, sizeof t->trace);
    t->trace.link = &t->link;
    t->w.island.trace = &t->trace;
}

static double ramp_load(table *t, double to_n) {
    t->link.load_n[0] = t->link.load_n[1];
    t->link.load_n[1] = to_n;
    return to_n;
}

START_TEST(a_resting_press_is_silent) {
    for (int bodies = 1; bodies < 3; bodies++) {
        static table t;
        lay(&t, bodies, 40, 1e9);
        float first = 0, last = 0;
        for (int i = 0; i < 400; i++) {
            ramp_load(&t, 2);
            ck_assert(world_play(&t.w));
            first = fmaxf(first, i < 10 ? loudest(t.w.out[0]) : 0);
            last = fmaxf(last, i > 380 ? loudest(t.w.out[0]) : 0);
        }
        ck_assert_msg(last < 1e-7f * first, "%g of %g", (double)last,
                      (double)first);
        ck_assert_double_eq_tol(t.link.force_n, 2, 1e-6);
        world_close(&t.w);
    }
}
END_TEST

START_TEST(a_step_in_the_profile_ends_with_the_load) {
    static table t;
    double flat[SB_PROFILE_POINTS] = {0}, step[SB_PROFILE_POINTS];
    for (int n = 0; n < SB_PROFILE_POINTS; n++)
        step[n] = n < 40 ? 0 : 2e-5;
    lay(&t, 2, 40, 1e9);
    double most = 0;
    for (int i = 0; i < 800; i++) {
        ramp_load(&t, 2);
        t.link.profile_m = i == 400 ? step : flat;
        ck_assert(world_play(&t.w));
        if (i == 400)
            for (int n = 0; n < BLOCK; n++)
                most = fmax(most, t.trace.rows[n].force_n);
        ck_assert_double_lt(fabs(t.trace.rows[BLOCK - 1].drift), 1e-9);
    }
    ck_assert_double_gt(most, 10);
    ck_assert_double_eq_tol(t.link.force_n, 2, 1e-6);
    world_close(&t.w);
}
END_TEST

/* Rough ground: sums of sines. */
static void rough(double profile[SB_PROFILE_POINTS], int block) {
    for (int n = 0; n < SB_PROFILE_POINTS; n++) {
        double t = (n + block * BLOCK) / 48000.0;
        profile[n] = 3e-6 * sin(2 * SB_PI * 211 * t) +
                     2e-6 * sin(2 * SB_PI * 1733 * t + 1);
    }
}

START_TEST(the_account_of_a_rolling_press_closes) {
    for (int is_damped = 0; is_damped < 2; is_damped++) {
        static table t;
        double profile[SB_PROFILE_POINTS];
        float loud = 0;
        int apart = 0;
        lay(&t, 2, is_damped ? 20 : 0, is_damped ? 1e8 : 0);
        float middle[PADDED], end[PADDED], now[PADDED], turned[PADDED];
        for (int i = 0; i < 200; i++) {
            rough(profile, i);
            ramp_load(&t, 2 + sin(0.1 * i));
            t.link.profile_m = profile;
            /* The contact wanders over the first body. */
            for (int k = 0; k < MODES; k++) {
                float *const to[3] = {turned, middle, end};
                for (int m = 0; m < 3; m++)
                    to[m][k] =
                        (float)(3 * cos(1.7 * k + 0.02 * (i + 0.5 * m) * k));
            }
            for (int k = MODES; k < PADDED; k++)
                turned[k] = middle[k] = end[k] = 0;
            sb_link_side *side = &t.link.side[0];
            *side = (sb_link_side){.sign = side->sign,
                                   .weights = turned,
                                   .middle = middle,
                                   .end = end,
                                   .now = now};
            ck_assert(world_play(&t.w));
            loud = fmaxf(loud, loudest(t.w.out[0]));
            for (int n = 0; n < BLOCK; n++) {
                const sb_trace_row *row = &t.trace.rows[n];
                apart += row->force_n == 0;
                ck_assert_msg(fabs(row->drift) < 1e-9,
                              "block %d: in %g kept %g lost %g", i, row->in_j,
                              row->kept_j, row->lost_j);
            }
            if (!is_damped)
                ck_assert_double_lt(t.trace.lost_j, 1e-9 * t.trace.in_j);
        }
        ck_assert_float_gt(loud, 1e-4f);
        ck_assert_int_gt(apart, 10); /* it lifts off */
        ck_assert_double_gt(t.link.striker->position_m, -1e-2);
        world_close(&t.w);
    }
}
END_TEST

START_TEST(a_point_that_moves_climbs_the_bent_surface) {
    /* A mode so slow that it does not move, under a mass so heavy that it does
     * not either: only the path over the bent surface remains. */
    const sb_bank_mode mode[1] = {mode_hz(0.01, 0, 1)};
    float start[16] = {1}, middle[16] = {0.75f}, end[16] = {0}, now[16];
    world w;
    world_open(&w, 48000);
    world_body(&w, mode, 1);
    sb_contact_law law = {1e-3, 1.5, 0};
    sb_striker room;
    sb_link link;
    sb_link_init_press(&link, &room, &law, 1e6, 0);
    link.load_n[0] = link.load_n[1] = 1e-12;
    world_impulse(&w, 0, start, 1e-3);
    double v, then;
    world_join(&w, &link, 0, 0, start);
    link.side[0].middle = middle;
    link.side[0].end = end;
    link.side[0].now = now;
    bank_read(w.island.bank[0], start, &then, &v);
    ck_assert(world_play(&w));
    /* It moves from the crest to the node while the mode moves on: it measures
     * the mean of phi v plus the change of phi. */
    double swept = 0;
    for (int n = 0; n < BLOCK; n++) {
        double t = (n + 1.0) / BLOCK;
        double phi = (1 - t) * (1 - 2 * t) + 0.75 * 4 * t * (1 - t);
        swept += phi * v / 48000;
    }
    double climbed = room.depth_m + swept;
    double want = 0, was = 1;
    for (int n = 0; n < BLOCK; n++) {
        double t = (n + 1.0) / BLOCK, at = then + n * v / 48000;
        double phi = (1 - t) * (1 - 2 * t) + 0.75 * 4 * t * (1 - t);
        want += (was - phi) * at;
        was = phi;
    }
    ck_assert_double_eq_tol(climbed / want, 1, 1e-3);
    ck_assert_double_gt(want, 0.5 * then);
    world_close(&w);
}
END_TEST

static double spring_energy(const sb_link *link) {
    double u = link->depth_m;
    return 0.5 * link->spring.linear_n_m * u * u +
           0.25 * link->spring.cubic_n_m3 * u * u * u * u;
}

START_TEST(a_spring_keeps_energy_and_spreads_it) {
    sb_bank_mode modes[MODES];
    float weights[PADDED], only[PADDED] = {1};
    thing(modes, weights, 200, 0);
    world w;
    world_open(&w, 48000);
    world_body(&w, modes, MODES);
    sb_link link;
    sb_link_init_spring(&link, &(sb_spring){1e3, 1e13, 0, 0}, false);
    world_join(&w, &link, 0, 0, weights);
    world_impulse(&w, 0, only, 0.5);
    double had = 0, top = 0;
    for (int i = 0; i < 300; i++) {
        ck_assert(world_play(&w));
        double now = world_modes_j(&w) + spring_energy(&link);
        if (i == 0) had = now;
        ck_assert_double_eq_tol(now / had, 1, 1e-9);
    }
    for (int k = 6; k < MODES; k++) {
        float mode[PADDED] = {0};
        double q, v;
        mode[k] = 1;
        bank_read(w.island.bank[0], mode, &q, &v);
        top += 0.5 * v * v;
    }
    ck_assert_double_gt(top, 1e-3 * had); /* there was none */
    world_close(&w);
}
END_TEST

/* Half the time from one zero of the velocity to the one after the next. */
static double pitch_hz(world *w, int blocks) {
    double first = -1, last = 0;
    int count = 0;
    float before = 0;
    for (int i = 0; i < blocks; i++) {
        world_play(w);
        for (int n = 0; n < BLOCK; n++) {
            float now = w->out[0][n];
            if (before < 0 && now >= 0) {
                double at = i * BLOCK + n -
                            (double)now / ((double)now - (double)before);
                if (first < 0) first = at;
                last = at;
                count++;
            }
            before = now;
        }
    }
    return 48000 * (count - 1) / (last - first);
}

START_TEST(the_pitch_rises_as_duffing_says) {
    for (int i = 0; i < 4; i++) {
        const sb_bank_mode mode[1] = {mode_hz(200, 0, 1)};
        double w0 = 2 * SB_PI * 200, amplitude = 1e-3, phi = 1.5;
        float weights[16] = {(float)phi};
        double share = 0.01 * (i + 1); /* 3/4 k3 phi^4 A^2 / w0^2 */
        double phi4 = phi * phi * phi * phi;
        world w;
        world_open(&w, 48000);
        world_body(&w, mode, 1);
        sb_link link;
        double k3 = share * w0 * w0 / (0.75 * phi4 * amplitude * amplitude);
        sb_link_init_spring(&link, &(sb_spring){.cubic_n_m3 = k3}, false);
        world_join(&w, &link, 0, 0, weights);
        /* v at q = 0 that swings to the amplitude. */
        double v2 = w0 * w0 * amplitude * amplitude +
                    0.5 * k3 * phi4 * pow(amplitude, 4);
        world_impulse(&w, 0, weights, sqrt(v2) / phi);
        double got = pitch_hz(&w, 500) / 200;
        /* The backbone is the first term of a series. */
        double want = sqrt(1 + share);
        ck_assert_msg(fabs(got - want) < 0.03 * (want - 1) + 1e-6,
                      "share %g: %g not %g", share, got, want);
        world_close(&w);
    }
}
END_TEST

START_TEST(a_small_swing_leaves_the_spring_to_the_bank) {
    const sb_bank_mode mode[1] = {mode_hz(200, 2, 1)};
    float weights[16] = {1};
    world w;
    world_open(&w, 48000);
    world_body(&w, mode, 1);
    sb_link link;
    sb_link_init_spring(&link, &(sb_spring){.cubic_n_m3 = 1e6}, false);
    world_join(&w, &link, 0, 0, weights);
    world_impulse(&w, 0, weights, 10);
    world_play(&w);
    ck_assert(link.is_near);
    for (int i = 0; i < 3000 && link.is_near; i++)
        world_play(&w);
    ck_assert(!link.is_near);
    ck_assert_double_gt(world_modes_j(&w), 0);
    world_close(&w);
}
END_TEST

START_TEST(a_distortion_only_takes) {
    sb_bank_mode modes[MODES];
    float weights[PADDED];
    thing(modes, weights, 200, 0);
    for (int i = 0; i < 12; i++) {
        world w;
        world_open(&w, 48000);
        world_body(&w, modes, MODES);
        sb_link link;
        sb_link_init_spring(&link, &(sb_spring){0, 0, pow(10, i - 6), 0.01},
                            true);
        world_join(&w, &link, 0, 0, weights);
        world_impulse(&w, 0, weights, 0.1);
        double had = world_modes_j(&w), first = had;
        for (int b = 0; b < 20; b++) {
            ck_assert(world_play(&w));
            double now = world_modes_j(&w);
            ck_assert_double_le(now, had * (1 + 1e-12));
            had = now;
        }
        ck_assert_double_lt(had, first);
        world_close(&w);
    }
}
END_TEST

/* A block on a spring, pulled over a body that rings along. */
START_TEST(the_account_of_a_rubbing_block_closes) {
    for (int has_mass = 0; has_mass < 2; has_mass++) {
        static table t;
        sb_bristle law = sb_bristle_from(0.4, 0.2, 0.02, 0);
        lay(&t, 1, 10, 0);
        t.w.island.link_count = 0;
        sb_link_init_friction(&t.link, &law, has_mass ? 0.1 : 0,
                              has_mass ? 2e4 : 0);
        world_join(&t.w, &t.link, 0, 0, t.weights[0]);
        float loud = 0;
        for (int i = 0; i < 300; i++) {
            ramp_load(&t, 5);
            t.link.rub.slip_m_s[0] = t.link.rub.slip_m_s[1];
            t.link.rub.slip_m_s[1] = 0.05 * sin(0.05 * i);
            ck_assert(world_play(&t.w));
            if (i > 30) loud = fmaxf(loud, loudest(t.w.out[0]));
            for (int n = 0; n < BLOCK; n++) {
                const sb_trace_row *row = &t.trace.rows[n];
                ck_assert_double_le(fabs(row->force_n), 0.4 * 5 * 1.5);
                ck_assert_msg(fabs(row->drift) < 1e-6,
                              "block %d: in %g kept %g lost %g", i, row->in_j,
                              row->kept_j, row->lost_j);
            }
        }
        ck_assert_float_gt(loud, 1e-4f);
        world_close(&t.w);
    }
}
END_TEST

START_TEST(a_strike_on_springs_is_accounted_for) {
    /* All of it goes through the modes into the spring and back. */
    for (int i = 0; i < 4; i++) {
        static table t;
        lay(&t, 1, 0, 0);
        t.w.island.link_count = 0;
        sb_link strike;
        sb_link_init_pulse(&strike, &(sb_link_pulse){.impulse_ns = 0.5,
                                                     .duration_s = 4e-4 * i,
                                                     .start_frame = 120.3});
        sb_link_init_spring(&t.link, &(sb_spring){.cubic_n_m3 = 1e13}, false);
        world_join(&t.w, &t.link, 0, 0, t.weights[0]);
        world_join(&t.w, &strike, 0, 0, t.weights[0]);
        for (int b = 0; b < 20; b++) {
            ck_assert(world_play(&t.w));
            ck_assert_double_lt(fabs(t.trace.rows[BLOCK - 1].drift), 1e-9);
        }
        ck_assert(strike.pulse.is_over);
        ck_assert_double_gt(t.trace.in_j, 1e-3);
        ck_assert_double_lt(t.trace.lost_j, 1e-9 * t.trace.in_j);
        world_close(&t.w);
    }
}
END_TEST

START_TEST(a_strike_is_the_banks_where_no_spring_resists) {
    sb_bank_mode modes[MODES];
    float weights[PADDED], ideal[BLOCK];
    thing(modes, weights, 100, 5); /* to 4 kHz */
    for (int i = 0; i < 2; i++) {
        world w;
        world_open(&w, 48000);
        world_body(&w, modes, MODES);
        sb_link strike;
        sb_link_init_pulse(&strike, &(sb_link_pulse){.impulse_ns = 0.5,
                                                     .duration_s = i * 1e-3,
                                                     .start_frame = 10.3});
        world_join(&w, &strike, 0, 0, weights);
        sb_modal_bank *bank = bank_new(modes, MODES, 48000);
        sb_impact impact = {.impulse_ns = 0.5,
                            .duration_frames = i * 48,
                            .start_frame = 10.3 + (i ? 0 : 0.125),
                            .weights = weights};
        double worst = 0, most = 0;
        for (int b = 0; b < 4; b++) {
            world_play(&w);
            memset(ideal, 0, sizeof ideal);
            sb_modal_bank_render(bank, ideal);
            if (b == 0) (void)sb_impact_advance(&impact, bank, 48000, ideal);
            for (int n = b == 0 ? 13 : 0; n < BLOCK; n++) {
                most = fmax(most, fabs((double)ideal[n]));
                worst = fmax(worst, fabs((double)(ideal[n] - w.out[0][n])));
            }
        }
        ck_assert_msg(worst < 2e-3 * most, "%g of %g", worst, most);
        sb_free(bank);
        world_close(&w);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("link_lasting");
    TCase *tcase = tcase_create("link_lasting");
    tcase_add_test(tcase, a_resting_press_is_silent);
    tcase_add_test(tcase, a_step_in_the_profile_ends_with_the_load);
    tcase_add_test(tcase, the_account_of_a_rolling_press_closes);
    tcase_add_test(tcase, a_point_that_moves_climbs_the_bent_surface);
    tcase_add_test(tcase, a_spring_keeps_energy_and_spreads_it);
    tcase_add_test(tcase, the_pitch_rises_as_duffing_says);
    tcase_add_test(tcase, a_small_swing_leaves_the_spring_to_the_bank);
    tcase_add_test(tcase, a_distortion_only_takes);
    tcase_add_test(tcase, the_account_of_a_rubbing_block_closes);
    tcase_add_test(tcase, a_strike_on_springs_is_accounted_for);
    tcase_add_test(tcase, a_strike_is_the_banks_where_no_spring_resists);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
