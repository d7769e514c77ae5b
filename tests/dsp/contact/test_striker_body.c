/* SPDX-License-Identifier: MIT */
/* Strikers on ringing bodies: no energy is gained, nothing clicks, and the
 * sound is the same at every sample rate. */
#include "tests/dsp/contact/striker_fixture.h"

#include "runtime/base/random.h"
#include "runtime/dsp/bank/modal_bank_internal.h"

#include <stdio.h>

enum { MODES = 24, PADDED = 32 };

/* A plate of about 0.7 kg, from 100 Hz up. */
static void plate(sb_bank_mode modes[MODES], float weights[PADDED], int seed) {
    memset(weights, 0, PADDED * sizeof *weights);
    for (int k = 0; k < MODES; k++) {
        double share = (k + 0.3 * sin(7.0 * k)) / MODES;
        modes[k] = mode_hz(100 * pow(150, share), 3 + 60 * share * share,
                           0.5 + 0.3 * cos(3.0 * k));
        weights[k] = (float)(2.4 * cos(2.3 * k + seed));
    }
}

static sb_striker steel_ball(const float *weights) {
    return (sb_striker){.law = {1.03e10, 1.5, 0},
                        .mass_kg = 4.11e-3,
                        .speed_m_s = 1,
                        .limit_s = 10,
                        .weights = weights,
                        .start_frame = 20.7};
}

START_TEST(energy_stays_when_nothing_is_damped) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[MODES];
    float weights[PADDED], out[BLOCK];
    plate(modes, weights, 0);
    for (int k = 0; k < MODES; k++)
        modes[k].sigma_per_s = 0;
    stage s;
    stage_open(&s, modes, MODES, 48000);
    sb_striker ball = steel_ball(weights);
    ball.inverse_mass = 1 / 0.7;
    stage_add(&s, &ball);
    double had = stage_energy(&s);
    stage_play(&s, out);
    ck_assert_int_eq(s.count, 0);
    ck_assert_int_ge(s.record_count, 1);
    double v = ball.velocity_m_s, m = ball.mass_kg;
    double has = sb_modal_bank_energy_j(s.bank) + 0.5 * m * v * v;
    for (int i = 0; i < s.record_count; i++) {
        double j = s.records[i].impulse_ns;
        has += 0.5 * j * j / 0.7; /* absorbed by the support of the body */
    }
    ck_assert_double_eq_tol(has / had, 1, 1e-12);
    ck_assert_double_gt(sb_modal_bank_energy_j(s.bank), 0.05 * had);
    stage_close(&s);
}
END_TEST

static double decades(sb_random *random, double from, double to) {
    return pow(10, from + (to - from) * sb_random_unit(random));
}

/* `half` of the range is all decades of mass, speed, loss and weight. */
static sb_striker any_striker(sb_random *random, double half,
                              const float *weights) {
    sb_striker s = {.law = {decades(random, 2, 14), 1.5, 0},
                    .mass_kg = decades(random, -2 - half, half - 2),
                    .speed_m_s = decades(random, -2 - half, half - 2),
                    .limit_s = 10,
                    .weights = weights,
                    .start_frame = 100 + 28 * sb_random_unit(random)};
    if (sb_random_unit(random) < 0.5)
        s.law.exponent = 1 + 3 * sb_random_unit(random);
    if (sb_random_unit(random) < 0.5)
        s.law.lambda = s.law.stiffness * decades(random, -half, half);
    if (sb_random_unit(random) < 0.5)
        s.inverse_mass = decades(random, 2 - half, 2 + half);
    return s;
}

/* Where the body stays in its place, the striker's own is known, and so what it
 * has gained by falling; its account begins where a frame does. */
static void add_gravity(sb_striker *s, sb_random *random) {
    double pull = decades(random, -8, 4);
    s->gravity_m_s2 = sb_random_unit(random) < 0.5 ? pull : -pull;
    s->inverse_mass = 0;
    s->start_frame = floor(s->start_frame);
}

static double account_j(const stage *s) {
    double fallen = 0;
    for (int i = 0; i < s->count; i++) {
        const sb_striker *k = s->strikers[i];
        fallen += k->mass_kg * k->gravity_m_s2 * k->position_m;
    }
    return stage_energy(s) - fallen;
}

/* The relative gain of energy in a few blocks by one or several strikers on a
 * random body; NaN if anything is NaN. */
static double gain_of(int set, bool is_kmethod, sb_random *random) {
    enum { CROWD = 3 };
    sb_bank_mode modes[4];
    float weights[CROWD][16] = {{0}}, out[BLOCK];
    for (int k = 0; k < 4; k++)
        modes[k] = mode_hz(decades(random, 0, 4.3), decades(random, -3, 5), 1);
    stage s;
    stage_open(&s, modes, 4, rates_hz[set % RATE_COUNT]);
    sb_striker crowd[CROWD];
    int count = set % 8 == 0 ? CROWD : 1;
    /* Those that share a body take turns, which settles more slowly the more
     * they differ. */
    double half = count == 1 ? 6 : 3;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++)
            weights[i][k] = (float)(decades(random, -half, half) *
                                    (sb_random_unit(random) < 0.5 ? -1 : 1));
        crowd[i] = any_striker(random, half, weights[i]);
        crowd[i].is_kmethod = crowd[i].is_coarse = is_kmethod;
        if (count == 1 && set % 3 == 0) add_gravity(&crowd[i], random);
        stage_add(&s, &crowd[i]);
    }
    double had = account_j(&s), most = had, gain = 0, heard = 0;
    for (int block = 0; block < 1 + (set % 16 == 0); block++) {
        stage_play(&s, out);
        if (crowd[0].is_loose) break; /* gravity is being faded out */
        double now = account_j(&s);
        most = fmax(most, stage_energy(&s));
        gain = fmax(gain, (now - had) / most);
        if (isnan(now)) gain = now;
        for (int n = 0; n < BLOCK; n++)
            heard += (double)out[n];
    }
    stage_close(&s);
    return gain + 0 * heard;
}

START_TEST(nothing_ever_gains_energy) {
    enum { SETS = 10000 };
    sb_random random = sb_random_make(7, 1);
    for (int set = 0; set < SETS; set++) {
        double gain = gain_of(set, false, &random);
        ck_assert_msg(gain <= 1e-9, "set %d gains %g", set, gain);
    }
}
END_TEST

START_TEST(the_k_method_stays_finite) {
    /* It gains energy where contacts last only a few samples, its known error:
     * in every sixth of these strikes, sometimes as much as there was. */
    enum { SETS = 2000 };
    sb_random random = sb_random_make(7, 2);
    int gained = 0;
    double most = 0;
    for (int set = 0; set < SETS; set++) {
        double gain = gain_of(set, true, &random);
        ck_assert_msg(isfinite(gain), "set %d", set);
        gained += gain > 1e-9;
        most = fmax(most, gain);
    }
    printf("K-method: %d of %d strikes gain energy, at most %g of it\n", gained,
           SETS, most);
    ck_assert_int_gt(gained, SETS / 20);
    ck_assert_int_lt(gained, SETS / 2);
}
END_TEST

/* A million of these are in `sandbell bench contacts --campaign`. */
START_TEST(both_solvers_end_soon_and_near) {
    sb_random random = sb_random_make(7, 3);
    int most[2] = {0, 0};
    double pushed = 0;
    for (int i = 0; i < 50000; i++) {
        sb_striker any = any_striker(&random, 6, NULL);
        double h = 1 / rates_hz[i % RATE_COUNT];
        if (i % 2) h /= 1 + sb_random_u32(&random) % 64;
        double deep = decades(&random, -12, 0);
        double from = sb_random_unit(&random) < 0.5 ? deep : -deep;
        double to = from + deep * decades(&random, -12, 1) *
                               (sb_random_unit(&random) < 0.5 ? 1 : -1);
        double give = h * h * decades(&random, -4, 8);
        double guess = i % 3 ? 0 : decades(&random, -6, 6);
        int taken[2];
        double f =
            sb_contact_gradient(&any.law, h, from, to, give, guess, &taken[0]);
        sb_contact_step step = {to, (to - from) / h, give, 2 * give / h, guess};
        double end = sb_contact_kmethod(&any.law, &step, &taken[1]);
        ck_assert(isfinite(f) && f >= 0 && isfinite(end) && end >= 0);
        for (int k = 0; k < 2; k++)
            most[k] = taken[k] > most[k] ? taken[k] : most[k];
        /* What the spring takes up is never more than the work of F. */
        double at = to - give * f, work = f * (at - from);
        double before = sb_contact_energy_j(&any.law, from);
        double taken_up = sb_contact_energy_j(&any.law, at) - before;
        double scale = before + sb_contact_energy_j(&any.law, at) + fabs(work);
        pushed += f > 0;
        ck_assert_msg(taken_up - work <= 1e-9 * scale,
                      "step %d: %g J taken up of %g", i, taken_up, work);
    }
    printf("iterations at most: gradient %d, K-method %d\n", most[0], most[1]);
    ck_assert_double_gt(pushed, 10000);
    ck_assert_int_lt(most[0], SB_CONTACT_ITERATIONS / 2);
    ck_assert_int_lt(most[1], SB_CONTACT_ITERATIONS / 2);
}
END_TEST

START_TEST(a_light_tap_equals_an_impulse) {
    /* Far shorter than any mode's swing, and on modes far heavier than it. */
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[2] = {mode_hz(10, 5, 1), mode_hz(73, 9, 0.3)};
    float weights[16] = {0.01f, -0.02f}, out[BLOCK], ideal[BLOCK] = {0};
    stage s;
    stage_open(&s, modes, 2, 48000);
    sb_striker tap = steel_ball(weights);
    stage_add(&s, &tap);
    sb_modal_bank *bank = bank_new(modes, 2, 48000);
    stage_play(&s, out);
    double j = s.records[0].impulse_ns;
    double middle = s.records[0].duration_s / 2 * 48000;
    sb_modal_bank_render(bank, ideal);
    strike_at(bank, weights, j, 20.7 + middle, ideal);
    for (int block = 0; block < 3; block++) {
        for (int n = block == 0 ? 24 : 0; n < BLOCK; n++)
            ck_assert_double_eq_tol((double)out[n], (double)ideal[n],
                                    2e-5 * j * 0.02);
        stage_play(&s, out);
        memset(ideal, 0, sizeof ideal);
        sb_modal_bank_render(bank, ideal);
    }
    ck_assert_int_eq(s.cut_blocks, 1);
    stage_close(&s);
    sb_free(bank);
}
END_TEST

/* Energy of each mode after the strike: what its part of the spectrum is. */
static void spectrum(double rate_hz, double stiffness, double db[MODES]) {
    sb_bank_mode modes[MODES];
    float weights[PADDED], out[BLOCK];
    plate(modes, weights, 1);
    for (int k = 0; k < MODES; k++)
        modes[k].omega_rad_s *= 2.0 / 3.0; /* all below 10 kHz */
    stage s;
    stage_open(&s, modes, MODES, rate_hz);
    sb_striker ball = steel_ball(weights);
    ball.law.stiffness = stiffness;
    stage_add(&s, &ball);
    double late_s = 0.04;
    int blocks = (int)(late_s * rate_hz / BLOCK);
    for (int i = 0; i < blocks; i++)
        stage_play(&s, out);
    for (int k = 0; k < MODES; k++) {
        float only[PADDED] = {0};
        double q, v, w = modes[k].omega_rad_s;
        only[k] = 1;
        bank_read(s.bank, only, &q, &v);
        double decayed =
            8.686 * modes[k].sigma_per_s * blocks * BLOCK / rate_hz;
        db[k] = 10 * log10(v * v + w * w * q * q) + decayed;
    }
    stage_close(&s);
}

START_TEST(every_rate_hears_the_same_strike) {
    const double stiffness[] = {1.03e10, 1e8, 1e6};
    for (int i = 0; i < 3; i++) {
        double reference[MODES], db[MODES], top = -999;
        spectrum(192000, stiffness[i], reference);
        for (int k = 0; k < MODES; k++)
            top = fmax(top, reference[k]);
        for (int r = 0; r < RATE_COUNT - 1; r++) {
            spectrum(rates_hz[r], stiffness[i], db);
            for (int k = 0; k < MODES; k++)
                if (reference[k] > top - 60)
                    ck_assert_msg(fabs(db[k] - reference[k]) < 0.5,
                                  "K %g, mode %d at %g Hz: %g dB off, %g down",
                                  stiffness[i], k, rates_hz[r],
                                  db[k] - reference[k], top - reference[k]);
        }
    }
}
END_TEST

START_TEST(two_that_strike_at_once_share_the_body) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[MODES];
    float weights[PADDED], half[PADDED], out[2][BLOCK];
    plate(modes, weights, 0);
    memcpy(half, weights, sizeof half);
    /* Two of half the mass and half the stiffness in the same place, and one
     * whole: the same strike. */
    for (int together = 0; together < 2; together++) {
        stage s;
        stage_open(&s, modes, MODES, 48000);
        sb_striker ball[2] = {steel_ball(weights), steel_ball(half)};
        for (int i = 0; i < 1 + together; i++) {
            ball[i].law.stiffness /= 1 + together;
            ball[i].mass_kg /= 1 + together;
            stage_add(&s, &ball[i]);
            ball[i].parts = 16;
        }
        stage_play(&s, out[together]);
        stage_close(&s);
    }
    float peak = 0;
    for (int n = 0; n < BLOCK; n++)
        peak = fmaxf(peak, fabsf(out[0][n]));
    for (int n = 0; n < BLOCK; n++)
        ck_assert_float_eq_tol(out[0][n], out[1][n], 1e-6f * peak);
}
END_TEST

START_TEST(weights_read_as_they_drive) {
    /* Strike at a, listen at b, and the other way round. */
    sb_bank_mode modes[MODES];
    float a[PADDED], b[PADDED], out[BLOCK];
    double heard[2];
    plate(modes, a, 0);
    plate(modes, b, 2);
    for (int turned = 0; turned < 2; turned++) {
        for (int k = 0; k < MODES; k++)
            modes[k].out_gain = (double)(turned ? a : b)[k];
        stage s;
        stage_open(&s, modes, MODES, 48000);
        /* Light compared to the body, so that both points respond alike. */
        sb_striker tap = steel_ball(turned ? b : a);
        tap.mass_kg = 1e-9;
        stage_add(&s, &tap);
        stage_play(&s, out);
        heard[turned] = (double)out[100] / s.records[0].impulse_ns;
        stage_close(&s);
    }
    ck_assert_double_eq_tol(heard[0] / heard[1], 1, 1e-5);
}
END_TEST

START_TEST(a_node_moves_nothing) {
    sb_bank_mode modes[2] = {mode_hz(300, 1, 1), mode_hz(500, 1, 1)};
    float weights[16] = {0, 3}, only[16] = {1}, out[BLOCK];
    stage s;
    stage_open(&s, modes, 2, 48000);
    sb_striker ball = steel_ball(weights);
    stage_add(&s, &ball);
    stage_play(&s, out);
    double q, v;
    bank_read(s.bank, only, &q, &v);
    ck_assert_double_eq(q, 0);
    ck_assert_double_eq(v, 0);
    stage_close(&s);
}
END_TEST

START_TEST(a_resting_ball_is_silent) {
    sb_bank_mode modes[MODES];
    float weights[PADDED], out[BLOCK];
    plate(modes, weights, 0);
    for (int k = 0; k < MODES; k++)
        modes[k].sigma_per_s = 60;
    stage s;
    stage_open(&s, modes, MODES, 48000);
    sb_striker ball = steel_ball(weights);
    ball.gravity_m_s2 = 9.81;
    ball.speed_m_s = 0.2;
    ball.law.lambda = 1e12;
    stage_add(&s, &ball);
    float first = 0, last = 0;
    for (int i = 0; i < 2000; i++) {
        stage_play(&s, out);
        for (int n = 0; n < BLOCK; n++) {
            first = fmaxf(first, i < 4 ? fabsf(out[n]) : 0);
            last = fmaxf(last, i > 1800 ? fabsf(out[n]) : 0);
        }
    }
    ck_assert_int_eq(s.count, 0);
    ck_assert_msg(last < 1e-6f * first, "%g of %g", (double)last,
                  (double)first);
    stage_close(&s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("striker_body");
    TCase *tcase = tcase_create("striker_body");
    tcase_add_loop_test(tcase, energy_stays_when_nothing_is_damped, 0,
                        ISA_COUNT);
    tcase_add_test(tcase, nothing_ever_gains_energy);
    tcase_add_test(tcase, the_k_method_stays_finite);
    tcase_add_test(tcase, both_solvers_end_soon_and_near);
    tcase_add_loop_test(tcase, a_light_tap_equals_an_impulse, 0, ISA_COUNT);
    tcase_add_test(tcase, every_rate_hears_the_same_strike);
    tcase_add_loop_test(tcase, two_that_strike_at_once_share_the_body, 0,
                        ISA_COUNT);
    tcase_add_test(tcase, weights_read_as_they_drive);
    tcase_add_test(tcase, a_node_moves_nothing);
    tcase_add_test(tcase, a_resting_ball_is_silent);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
