/* SPDX-License-Identifier: MIT */
/* The bank is held to the closed form of a damped oscillator: how it rings,
 * what it keeps, and when it rests. */
#include "tests/dsp/bank/modal_bank_fixture.h"

/* --- accuracy --------------------------------------------------------------*/

/* Ring ten seconds; the last tenth must follow the closed form. */
static double error_after_ten_seconds(sb_bank_mode mode, double rate_hz) {
    const float one = 1;
    sb_modal_bank *bank = bank_new(&mode, 1, rate_hz);
    int blocks = (int)(10 * rate_hz / BLOCK);
    double worst = 0;
    for (int block = 0; block < blocks; block++) {
        float out[BLOCK] = {0};
        sb_modal_bank_render(bank, out);
        if (block == 0) strike_at(bank, &one, 1, 0.25, out);
        if (block > 4 && block < blocks * 9 / 10) continue;
        for (int n = 0; n < BLOCK; n++) {
            double t = (block * (double)BLOCK + n - 0.25) / rate_hz;
            double exact = mode.out_gain * exact_velocity(mode, t);
            worst = worst_of(worst, (double)out[n], exact);
        }
    }
    sb_free(bank);
    return worst / mode.out_gain;
}

START_TEST(ringing_follows_the_closed_form_for_ten_seconds) {
    if (!use_isa(_i)) return;
    for (int r = 0; r < RATE_COUNT; r++) {
        for (int i = 0; i < 6; i++) {
            double share = i / 5.0;
            double hz = 20 * pow(0.45 * rates_hz[r] / 20, share);
            sb_bank_mode mode = mode_hz(hz, 0.3 * i, 0.7);
            double error = error_after_ten_seconds(mode, rates_hz[r]);
            ck_assert_msg(error < 1e-5, "%g Hz at %g: error %g", hz,
                          rates_hz[r], error);
        }
    }
}
END_TEST

/* The state's phase and size after ten seconds give pitch and decay. */
START_TEST(pitch_is_within_a_tenth_of_a_cent_and_decay_within_a_thousandth) {
    if (!use_isa(_i)) return;
    const float one = 1;
    for (int r = 0; r < RATE_COUNT; r++) {
        for (int i = 0; i <= 10; i++) {
            double hz = 20 * pow(0.45 * rates_hz[r] / 20, i / 10.0);
            sb_bank_mode mode = mode_hz(hz, 0.8, 1);
            double s = mode.sigma_per_s;
            double wd = sqrt(mode.omega_rad_s * mode.omega_rad_s - s * s);
            sb_modal_bank *bank = bank_new(&mode, 1, rates_hz[r]);
            float out[BLOCK] = {0};
            strike_at(bank, &one, 1, 0, out);
            int blocks = (int)(10 * rates_hz[r] / BLOCK);
            for (int block = 1; block < blocks; block++)
                sb_modal_bank_render(bank, out);
            double q, v, t = blocks * (double)BLOCK / rates_hz[r];
            bank_read(bank, &one, &q, &v);
            double re = v + s * q, im = wd * q;
            double turned = remainder(atan2(im, re) - wd * t, 2 * SB_PI);
            double cents = 1200 / log(2) * turned / (wd * t);
            double decay = -log(hypot(re, im)) / t;
            ck_assert_double_le(fabs(cents), 0.1);
            ck_assert_double_eq_tol(decay / s, 1.0, 1e-3);
            /* The state is exact, far beyond the tolerance of the task. */
            ck_assert_double_le(fabs(turned), 1e-6);
            sb_free(bank);
        }
    }
}
END_TEST

START_TEST(any_number_of_modes_adds_up) {
    if (!use_isa(_i)) return;
    const int counts[] = {1, 2, 15, 16, 17, 31, 64, 65, 100, 1000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int count = counts[c];
        sb_bank_mode modes[1000];
        float *weights = weights_new(count);
        double total = 0;
        for (int k = 0; k < count; k++) {
            modes[k] = some_mode(k, count, 48000);
            weights[k] = (float)cos(5.0 * k);
            total += fabs(modes[k].out_gain * (double)weights[k]);
        }
        sb_modal_bank *bank = bank_new(modes, count, 48000);
        double worst = 0;
        for (int block = 0; block < 20; block++) {
            float out[BLOCK] = {0};
            sb_modal_bank_render(bank, out);
            if (block == 0) strike_at(bank, weights, 2, 3.5, out);
            for (int n = 0; n < BLOCK; n++) {
                double t = (block * BLOCK + n - 3.5) / 48000, exact = 0;
                for (int k = 0; k < count; k++) {
                    exact += 2 * modes[k].out_gain * (double)weights[k] *
                             exact_velocity(modes[k], t);
                }
                worst = worst_of(worst, (double)out[n], exact);
            }
        }
        ck_assert_msg(worst < 1e-6 * total, "%d modes: %g of %g", count, worst,
                      total);
        sb_free(bank);
        free(weights);
    }
}
END_TEST

static const double damping_ratios[] = {
    0.5, 0.9, 0.99, 0.994, 0.996, 0.999999, 1, 1.000001, 1.01, 3, 1000, 1e7};

START_TEST(strong_damping_follows_the_closed_form) {
    if (!use_isa(_i)) return;
    const float one = 1;
    for (size_t i = 0; i < sizeof damping_ratios / sizeof(double); i++) {
        for (int h = 0; h < 3; h++) {
            double omega = 2 * SB_PI * (double[]){30, 700, 15000}[h];
            sb_bank_mode mode = {omega, damping_ratios[i] * omega, 0.5};
            sb_modal_bank *bank = bank_new(&mode, 1, 48000);
            double worst = 0;
            for (int block = 0; block < 8; block++) {
                float out[BLOCK] = {0};
                sb_modal_bank_render(bank, out);
                if (block == 0) strike_at(bank, &one, 1, 9.3, out);
                for (int n = 0; n < BLOCK; n++) {
                    double t = (block * BLOCK + n - 9.3) / 48000;
                    double exact = 0.5 * exact_velocity(mode, t);
                    worst = worst_of(worst, (double)out[n], exact);
                }
            }
            ck_assert_msg(worst < 1e-6, "w0 %g ratio %.9g: %g", omega,
                          damping_ratios[i], worst);
            sb_free(bank);
        }
    }
}
END_TEST

/* --- energy ----------------------------------------------------------------*/

START_TEST(energy_after_a_strike_is_half_of_all_squared_steps) {
    if (!use_isa(_i)) return;
    enum { COUNT = 37 };
    sb_bank_mode modes[COUNT];
    float weights[COUNT], out[BLOCK] = {0};
    double expected = 0;
    for (int k = 0; k < COUNT; k++) {
        modes[k] = some_mode(k, COUNT, 48000);
        modes[k].sigma_per_s = 0;
        weights[k] = (float)sin(k + 1.0);
        expected += 0.5 * 9 * (double)weights[k] * (double)weights[k];
    }
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    strike_at(bank, weights, 3, 77.7, out);
    ck_assert_double_eq_tol(sb_modal_bank_energy_j(bank) / expected, 1, 1e-12);
    sb_free(bank);
}
END_TEST

START_TEST(energy_never_rises) {
    if (!use_isa(_i)) return;
    enum { COUNT = 50 };
    sb_bank_mode modes[COUNT];
    float weights[COUNT];
    for (int k = 0; k < COUNT; k++) {
        modes[k] = some_mode(k, COUNT, 44100);
        if (k % 7 == 0) modes[k].sigma_per_s = 0;
        if (k % 7 == 1) modes[k].sigma_per_s = modes[k].omega_rad_s * 1.1;
        if (k % 7 == 2) modes[k].out_gain = 0;
        weights[k] = 1;
    }
    sb_modal_bank *bank = bank_new(modes, COUNT, 44100);
    float out[BLOCK] = {0};
    strike_at(bank, weights, 1, 0, out);
    double last = sb_modal_bank_energy_j(bank);
    ck_assert_double_gt(last, 1);
    for (int block = 0; block < 3000; block++) {
        sb_modal_bank_render(bank, out);
        double now = sb_modal_bank_energy_j(bank);
        ck_assert_double_le(now, last * (1 + 1e-12));
        last = now;
    }
    sb_free(bank);
}
END_TEST

START_TEST(retuning_keeps_energy_and_does_not_click) {
    if (!use_isa(_i)) return;
    enum { COUNT = 20 };
    sb_bank_mode modes[COUNT];
    float weights[COUNT], before[BLOCK] = {0}, after[BLOCK] = {0};
    for (int k = 0; k < COUNT; k++) {
        modes[k] = mode_hz(100.0 + 11 * k, 0.5, 1);
        weights[k] = 1;
    }
    modes[3].sigma_per_s = 2 * modes[3].omega_rad_s; /* initially overdamped */
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    strike_at(bank, weights, 1, 1.5, before);
    for (int block = 0; block < 20; block++) {
        double q, v, energy = sb_modal_bank_energy_j(bank);
        bank_read(bank, weights, &q, &v);
        for (int k = 0; k < COUNT; k++)
            modes[k].omega_rad_s *= k % 2 ? 1.05 : 0.96;
        modes[3].sigma_per_s = (2 - 0.1 * block) * modes[3].omega_rad_s;
        ck_assert_int_eq(sb_modal_bank_retune(bank, modes, COUNT), SB_OK);
        double now = sb_modal_bank_energy_j(bank);
        ck_assert_double_eq_tol(now / energy, 1, 1e-12);
        memset(after, 0, sizeof after);
        sb_modal_bank_render(bank, after);
        ck_assert_double_eq_tol((double)after[0], v, 1e-5 * COUNT);
    }
    sb_free(bank);
}
END_TEST

/* --- what stays silent -----------------------------------------------------*/

START_TEST(modes_at_or_above_nyquist_are_mute) {
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[3] = {mode_hz(24000, 1, 1), mode_hz(1000, 1, 1),
                                   mode_hz(50000, 9e9, 1)};
    const float weights[3] = {1, 0, NAN};
    float out[BLOCK] = {0};
    sb_modal_bank *bank = bank_new(modes, 3, 48000);
    strike_at(bank, weights, 1, 0, out);
    float force[BLOCK] = {1, 1};
    sb_modal_bank_drive(bank, force, weights, weights, weights, false, out);
    sb_modal_bank_render(bank, out);
    for (int n = 0; n < BLOCK; n++)
        ck_assert_float_eq(out[n], 0.0f);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), 0);
    ck_assert_int_eq(bank_active_count(bank), 0);
    sb_free(bank);
}
END_TEST

START_TEST(a_mode_with_weight_zero_stays_silent) {
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[2] = {mode_hz(440, 1, 1), mode_hz(660, 1, 1)};
    const float weights[2] = {0, 1}, first[2] = {1, 0};
    float out[BLOCK] = {0};
    double q, v;
    sb_modal_bank *bank = bank_new(modes, 2, 48000);
    strike_at(bank, weights, 1, 10, out);
    bank_read(bank, first, &q, &v);
    ck_assert_double_eq(q, 0);
    ck_assert_double_eq(v, 0);
    ck_assert_int_eq(bank_active_count(bank), 1);
    sb_free(bank);
}
END_TEST

START_TEST(a_mode_that_is_not_heard_still_holds_energy) {
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[2] = {mode_hz(440, 20, 0), mode_hz(90, 500, 0)};
    const float weights[2] = {1, 1};
    float out[BLOCK] = {0};
    sb_modal_bank *bank = bank_new(modes, 2, 48000);
    sb_modal_bank_set_threshold(bank, 1e-3);
    strike_at(bank, weights, 1, 0, out);
    sb_modal_bank_render(bank, out);
    for (int n = 0; n < BLOCK; n++)
        ck_assert_float_eq(out[n], 0.0f);
    ck_assert_double_gt(sb_modal_bank_energy_j(bank), 0.1);
    ck_assert_int_eq(bank_active_count(bank), 0);
    for (int block = 0; block < 4000; block++)
        sb_modal_bank_render(bank, out);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), 0);
    sb_free(bank);
}
END_TEST

START_TEST(modes_below_the_threshold_are_set_to_rest) {
    if (!use_isa(_i)) return;
    enum { COUNT = 40 };
    sb_bank_mode modes[COUNT];
    float weights[COUNT], out[BLOCK];
    for (int k = 0; k < COUNT; k++) {
        modes[k] = mode_hz(100.0 + 50 * k, 5.0 + k, 1);
        weights[k] = 1;
    }
    modes[7].sigma_per_s = 2 * modes[7].omega_rad_s;
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    sb_modal_bank_set_threshold(bank, 1e-3);
    strike_at(bank, weights, 1, 0, out);
    ck_assert_int_eq(bank_active_count(bank), COUNT);
    for (int block = 0; block < 1000; block++) {
        double t = (block + 1.0) * BLOCK / 48000; /* at this block's start */
        sb_modal_bank_render(bank, out);
        int expected = 0;
        for (int k = 0; k < COUNT; k++)
            expected += k != 7 && exp(-modes[k].sigma_per_s * t) >= 1e-3;
        int count = bank_active_count(bank);
        ck_assert_int_ge(count, expected);
        ck_assert_int_le(count, expected + 1);
    }
    ck_assert_int_eq(bank_active_count(bank), 0);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), 0);
    sb_free(bank);
}
END_TEST

START_TEST(without_a_threshold_modes_rest_far_below_hearing) {
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[2] = {mode_hz(440, 30, 1), mode_hz(9000, 30, 0)};
    const float weights[2] = {1, 1};
    float out[BLOCK] = {0};
    sb_modal_bank *bank = bank_new(modes, 2, 48000);
    strike_at(bank, weights, 1, 0, out);
    for (int block = 0; block < 800; block++) /* 2.1 s: 1e-28 */
        sb_modal_bank_render(bank, out);
    ck_assert_int_eq(bank_active_count(bank), 1);
    ck_assert_double_gt(sb_modal_bank_energy_j(bank), 1e-58);
    for (int block = 0; block < 100; block++) /* 1e-31 */
        sb_modal_bank_render(bank, out);
    ck_assert_int_eq(bank_active_count(bank), 0);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), 0);
    sb_free(bank);
}
END_TEST

START_TEST(reset_is_silence_at_once) {
    if (!use_isa(_i)) return;
    const sb_bank_mode modes[2] = {mode_hz(440, 1, 1), mode_hz(40, 900, 1)};
    const float weights[2] = {1, 1};
    float out[BLOCK] = {0};
    sb_modal_bank *bank = bank_new(modes, 2, 48000);
    strike_at(bank, weights, 1, 0, out);
    sb_modal_bank_reset(bank);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), 0);
    memset(out, 0, sizeof out);
    sb_modal_bank_render(bank, out);
    for (int n = 0; n < BLOCK; n++)
        ck_assert_float_eq(out[n], 0.0f);
    sb_free(bank);
}
END_TEST

/* --- arguments -------------------------------------------------------------*/

START_TEST(bad_modes_leave_the_bank_unchanged) {
    if (!use_isa(_i)) return;
    const sb_bank_mode good = mode_hz(440, 1, 1);
    const sb_bank_mode bad[] = {
        {0, 1, 1},          {-5, 1, 1},    {NAN, 1, 1},
        {INFINITY, 1, 1},   {100, -1, 1},  {100, NAN, 1},
        {100, INFINITY, 1}, {100, 1, NAN}, {100, 1, INFINITY}};
    const float one = 1;
    float out[BLOCK] = {0};
    sb_modal_bank *bank = bank_new(&good, 1, 48000);
    strike_at(bank, &one, 1, 0, out);
    double energy = sb_modal_bank_energy_j(bank);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(sb_modal_bank_set_modes(bank, &bad[i], 1),
                         SB_BAD_ARGUMENT);
        ck_assert_int_eq(sb_modal_bank_retune(bank, &bad[i], 1),
                         SB_BAD_ARGUMENT);
    }
    const sb_bank_mode two[2] = {good, good};
    ck_assert_int_eq(sb_modal_bank_set_modes(bank, two, 2), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_modal_bank_set_modes(bank, two, -1), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_modal_bank_retune(bank, two, 2), SB_BAD_ARGUMENT);
    ck_assert_double_eq(sb_modal_bank_energy_j(bank), energy);
    ck_assert_int_eq(sb_modal_bank_mode_count(bank), 1);
    ck_assert_int_eq(sb_modal_bank_set_modes(bank, NULL, 0), SB_OK);
    ck_assert_int_eq(sb_modal_bank_mode_count(bank), 0);
    sb_modal_bank_render(bank, out);
    sb_free(bank);
}
END_TEST

START_TEST(a_mode_takes_at_most_256_bytes) {
    ck_assert_uint_eq(sb_modal_bank_bytes(0), 0);
    ck_assert_uint_eq(sb_modal_bank_bytes(-3), 0);
    ck_assert_uint_gt(sb_modal_bank_bytes(1), 0);
    ck_assert_uint_le(sb_modal_bank_bytes(1000), 256000);
    ck_assert_uint_le(sb_modal_bank_bytes(1000), 262144);
}
END_TEST

START_TEST(an_unknown_instruction_set_is_refused) {
    const char *best = sb_isa_choose(NULL);
    ck_assert_ptr_nonnull(best);
    ck_assert_ptr_null(sb_isa_choose("mmx"));
    ck_assert_str_eq(sb_isa_choose("portable"), "portable");
    ck_assert_str_eq(sb_isa_choose(NULL), best);
}
END_TEST

int main(void) {
    const TTest *const each_isa[] = {
        ringing_follows_the_closed_form_for_ten_seconds,
        pitch_is_within_a_tenth_of_a_cent_and_decay_within_a_thousandth,
        any_number_of_modes_adds_up,
        strong_damping_follows_the_closed_form,
        energy_after_a_strike_is_half_of_all_squared_steps,
        energy_never_rises,
        retuning_keeps_energy_and_does_not_click,
        modes_at_or_above_nyquist_are_mute,
        a_mode_with_weight_zero_stays_silent,
        a_mode_that_is_not_heard_still_holds_energy,
        modes_below_the_threshold_are_set_to_rest,
        without_a_threshold_modes_rest_far_below_hearing,
        reset_is_silence_at_once,
        bad_modes_leave_the_bank_unchanged,
        NULL,
    };
    Suite *suite = suite_create("modal bank");
    TCase *tests = tcase_create("modal bank");
    for (int i = 0; each_isa[i]; i++)
        tcase_add_loop_test(tests, each_isa[i], 0, ISA_COUNT);
    tcase_add_test(tests, a_mode_takes_at_most_256_bytes);
    tcase_add_test(tests, an_unknown_instruction_set_is_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
