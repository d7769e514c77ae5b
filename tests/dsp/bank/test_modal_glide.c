/* SPDX-License-Identifier: MIT */
/* Modes that glide to other values while they ring: energy, gains, damping,
 * and modes that rise above the Nyquist frequency. */
#include "tests/dsp/bank/modal_bank_fixture.h"

enum { COUNT = 37 }; /* two groups and a part of a third */

#define RATE_HZ 48000.0

static sb_bank_mode modes[COUNT], others[COUNT];

static sb_modal_bank *struck(void) {
    float out[BLOCK] = {0};
    float *weights = weights_new(COUNT);
    sb_modal_bank *bank = bank_new(modes, COUNT, RATE_HZ);
    sb_modal_bank_render(bank, out);
    strike_at(bank, weights, 1.0, 0.0, out);
    free(weights);
    return bank;
}

static void setup(void) {
    for (int k = 0; k < COUNT; k++) {
        modes[k] = some_mode(k, COUNT, RATE_HZ);
        others[k] = modes[k];
    }
}

START_TEST(a_glide_to_where_it_is_changes_nothing) {
    if (!use_isa(_i)) return;
    float plain[BLOCK] = {0}, glided[BLOCK] = {0};
    sb_modal_bank *a = struck(), *b = struck();
    for (int n = 0; n < 20; n++) {
        memset(plain, 0, sizeof plain);
        memset(glided, 0, sizeof glided);
        sb_modal_bank_render(a, plain);
        ck_assert_int_eq(sb_modal_bank_glide(b, others, COUNT, glided), SB_OK);
        for (int i = 0; i < BLOCK; i++)
            ck_assert_float_eq_tol(plain[i], glided[i], 2e-5f);
    }
    ck_assert_double_eq_tol(sb_modal_bank_energy_j(a),
                            sb_modal_bank_energy_j(b), 1e-12);
    sb_free(a);
    sb_free(b);
}
END_TEST

START_TEST(energy_goes_on_while_the_pitch_moves) {
    if (!use_isa(_i)) return;
    for (int k = 0; k < COUNT; k++) {
        modes[k].sigma_per_s = others[k].sigma_per_s = 0;
        others[k].omega_rad_s *= k % 2 ? 0.9 : 1.05;
    }
    float out[BLOCK] = {0};
    sb_modal_bank *bank = struck();
    double before = sb_modal_bank_energy_j(bank);
    ck_assert_int_eq(sb_modal_bank_glide(bank, others, COUNT, out), SB_OK);
    ck_assert_double_eq_tol(sb_modal_bank_energy_j(bank), before,
                            1e-12 * before);
    sb_free(bank);
}
END_TEST

/* The output has no step between frames larger than the modes' own. */
static void expect_smooth(const float *out, int frames, float most) {
    for (int n = 1; n < frames; n++) {
        ck_assert_msg(fabsf(out[n] - out[n - 1]) < most, "frame %d: %g to %g",
                      n, (double)out[n - 1], (double)out[n]);
    }
}

START_TEST(gains_ramp_and_decays_change) {
    if (!use_isa(_i)) return;
    sb_bank_mode from = mode_hz(100, 1, 1), to = mode_hz(100, 20, 0.25);
    float out[4 * BLOCK] = {0}, *weights = weights_new(1);
    sb_modal_bank *bank = bank_new(&from, 1, RATE_HZ);
    sb_modal_bank_render(bank, out);
    strike_at(bank, weights, 1.0, 0.0, out);
    sb_modal_bank_render(bank, out + BLOCK);
    ck_assert_int_eq(sb_modal_bank_glide(bank, &to, 1, out + 2 * BLOCK), SB_OK);
    sb_modal_bank_render(bank, out + 3 * BLOCK);
    expect_smooth(out, 4 * BLOCK, 0.03f);
    ck_assert_float_lt(fabsf(out[4 * BLOCK - 1]), 0.26f);
    sb_free(bank);
    free(weights);
}
END_TEST

START_TEST(what_rises_above_nyquist_fades) {
    if (!use_isa(_i)) return;
    sb_bank_mode from = mode_hz(50, 1, 1), to = mode_hz(30000, 1, 1);
    float out[3 * BLOCK] = {0}, *weights = weights_new(1);
    sb_modal_bank *bank = bank_new(&from, 1, RATE_HZ);
    sb_modal_bank_render(bank, out);
    strike_at(bank, weights, 1.0, 0.0, out);
    ck_assert_int_eq(sb_modal_bank_glide(bank, &to, 1, out + BLOCK), SB_OK);
    sb_modal_bank_render(bank, out + 2 * BLOCK);
    expect_smooth(out, 3 * BLOCK, 0.02f);
    for (int n = 2 * BLOCK; n < 3 * BLOCK; n++)
        ck_assert_float_eq(out[n], 0.0f);
    ck_assert_int_eq(bank_active_count(bank), 0);
    sb_free(bank);
    free(weights);
}
END_TEST

/* The velocity is continuous into strong damping and out of it. */
START_TEST(strong_damping_comes_and_goes_without_a_step) {
    if (!use_isa(_i)) return;
    sb_bank_mode light = mode_hz(60, 5, 1);
    sb_bank_mode heavy = {light.omega_rad_s, light.omega_rad_s * 1.2, 1};
    float out[4 * BLOCK] = {0}, *weights = weights_new(1);
    sb_modal_bank *bank = bank_new(&light, 1, RATE_HZ);
    sb_modal_bank_render(bank, out);
    strike_at(bank, weights, 1.0, 0.0, out);
    ck_assert_int_eq(sb_modal_bank_glide(bank, &heavy, 1, out + BLOCK), SB_OK);
    ck_assert_int_eq(sb_modal_bank_glide(bank, &light, 1, out + 2 * BLOCK),
                     SB_OK);
    sb_modal_bank_render(bank, out + 3 * BLOCK);
    expect_smooth(out, 4 * BLOCK, 0.03f);
    ck_assert_float_ne(out[4 * BLOCK - 1], 0.0f);
    sb_free(bank);
    free(weights);
}
END_TEST

START_TEST(refused_values_leave_the_block_to_be_rendered) {
    if (!use_isa(_i)) return;
    float a[BLOCK] = {0}, b[BLOCK] = {0};
    sb_modal_bank *plain = struck(), *refused = struck();
    others[COUNT - 1].omega_rad_s = NAN;
    ck_assert_int_eq(sb_modal_bank_glide(refused, others, COUNT, b),
                     SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_modal_bank_glide(refused, modes, COUNT - 1, b),
                     SB_BAD_ARGUMENT);
    sb_modal_bank_render(plain, a);
    sb_modal_bank_render(refused, b);
    ck_assert_mem_eq(a, b, sizeof a);
    sb_free(plain);
    sb_free(refused);
}
END_TEST

int main(void) {
    TCase *glide = tcase_create("glide");
    tcase_add_checked_fixture(glide, setup, NULL);
    tcase_add_loop_test(glide, a_glide_to_where_it_is_changes_nothing, 0,
                        ISA_COUNT);
    tcase_add_loop_test(glide, energy_goes_on_while_the_pitch_moves, 0,
                        ISA_COUNT);
    tcase_add_loop_test(glide, gains_ramp_and_decays_change, 0, ISA_COUNT);
    tcase_add_loop_test(glide, what_rises_above_nyquist_fades, 0, ISA_COUNT);
    tcase_add_loop_test(glide, strong_damping_comes_and_goes_without_a_step, 0,
                        ISA_COUNT);
    tcase_add_loop_test(glide, refused_values_leave_the_block_to_be_rendered, 0,
                        ISA_COUNT);
    Suite *suite = suite_create("modal glide");
    suite_add_tcase(suite, glide);
    return run_suite(suite);
}
