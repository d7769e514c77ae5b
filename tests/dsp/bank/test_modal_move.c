/* SPDX-License-Identifier: MIT */
/* Forces at a contact that moves over the body, against an impulse per frame
 * and against the closed form of a bar; slow forces, zeros and NaN. */
#include "tests/dsp/bank/modal_bank_fixture.h"

#include <complex.h>

enum { COUNT = 37, BLOCKS = 6 };

/* Slow and fast, ringing, nearly critical and overdamped modes, side by side,
 * some above Nyquist and some silent. */
static void mixed_modes(sb_bank_mode modes[COUNT], double rate_hz) {
    for (int k = 0; k < COUNT; k++) {
        modes[k] = some_mode(k, COUNT, 1.2 * rate_hz);
        if (k % 8 == 3) modes[k].sigma_per_s = 0.99 * modes[k].omega_rad_s;
        if (k % 8 == 5) modes[k].sigma_per_s = 0.999 * modes[k].omega_rad_s;
        if (k % 8 == 6) modes[k].sigma_per_s = 1.7 * modes[k].omega_rad_s;
        if (k % 8 == 7) modes[k].out_gain = 0;
    }
}

static void some_weights(float weights[COUNT], double seed) {
    for (int k = 0; k < COUNT; k++)
        weights[k] = k == 9 ? 0 : (float)sin(seed * (k + 1));
}

/* The reference: one impulse per frame with the weights of that frame. */
START_TEST(a_moving_contact_is_a_strike_at_every_place_on_its_way) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    float weights[BLOCKS + 1][COUNT], middle[COUNT], force[BLOCK], here[COUNT];
    mixed_modes(modes, 48000);
    sb_modal_bank *driven = bank_new(modes, COUNT, 48000);
    sb_modal_bank *struck = bank_new(modes, COUNT, 48000);
    some_weights(weights[0], 0.3);
    double worst = 0, peak = 0;
    for (int block = 0; block < BLOCKS; block++) {
        float a[BLOCK] = {0}, b[BLOCK] = {0};
        const float *from = weights[block], *to = weights[block + 1];
        some_force(force, block);
        some_weights(weights[block + 1], 0.3 + 0.2 * block);
        for (int k = 0; k < COUNT; k++)
            middle[k] = 0.5f * (from[k] + to[k]);
        sb_modal_bank_render(driven, a);
        sb_modal_bank_render(struck, b);
        sb_modal_bank_drive(driven, force, from, middle, to, false, a);
        for (int n = 0; n < BLOCK; n++) {
            float share = (float)n / BLOCK;
            for (int k = 0; k < COUNT; k++)
                here[k] = (1 - share) * from[k] + share * to[k];
            strike_at(struck, here, (double)force[n], n, b);
        }
        compare_blocks(a, b, &worst, &peak);
        ck_assert_double_eq_tol(sb_modal_bank_energy_j(driven) /
                                    sb_modal_bank_energy_j(struck),
                                1, 1e-5);
    }
    ck_assert_double_gt(peak, 1);
    ck_assert_msg(worst / peak < 2e-6, "%g", worst / peak);
    ck_assert_int_eq(bank_active_count(driven), bank_active_count(struck));
    sb_free(driven);
    sb_free(struck);
}
END_TEST

/* Rendering and driving in one pass, against the two: floats must not affect
 * pitch and decay. */
START_TEST(rendering_and_moving_in_one_is_the_two) {
    if (!use_isa(_i)) return;
    enum { LONG = 400 };
    sb_bank_mode modes[COUNT];
    float weights[3][COUNT], force[BLOCK];
    mixed_modes(modes, 48000);
    modes[0] = mode_hz(0.001, 1e-4, 1);
    modes[1] = mode_hz(20, 0.01, 1);
    sb_modal_bank *one = bank_new(modes, COUNT, 48000);
    sb_modal_bank *two = bank_new(modes, COUNT, 48000);
    double worst = 0, peak = 0;
    for (int block = 0; block < LONG; block++) {
        float a[BLOCK] = {0}, b[BLOCK] = {0};
        some_force(force, block);
        for (int i = 0; i < 3; i++)
            some_weights(weights[i], 0.3 + 0.01 * (block + 0.5 * i));
        /* Then it rings freely, equally in both. */
        for (int n = 1; n < BLOCK && block >= 20; n++)
            force[n] = 0;
        if (block >= 20) force[0] = 1e-20f;
        sb_modal_bank_drive(one, force, weights[0], weights[1], weights[2],
                            true, a);
        sb_modal_bank_render(two, b);
        sb_modal_bank_drive(two, force, weights[0], weights[1], weights[2],
                            false, b);
        compare_blocks(a, b, &worst, &peak);
    }
    ck_assert_double_gt(peak, 1);
    ck_assert_msg(worst / peak < 5e-6, "%g", worst / peak);
    double energy = sb_modal_bank_energy_j(two);
    ck_assert_double_gt(energy, 0.01);
    /* Over a second: rounding errors of both signs. */
    ck_assert_double_eq_tol(sb_modal_bank_energy_j(one) / energy, 1, 1e-4);
    ck_assert_int_eq(bank_active_count(one), bank_active_count(two));
    sb_free(one);
    sb_free(two);
}
END_TEST

/* --- across a bar in a second ----------------------------------------------*/

enum { BAR = 24 };

/* A hinged bar: modes at 30 Hz k^2, shapes sin(k pi x). The third is strongly
 * damped. */
static void bar_modes(sb_bank_mode modes[BAR]) {
    for (int k = 0; k < BAR; k++) {
        modes[k] = mode_hz(30.0 * (k + 1) * (k + 1), 5 + 2 * k, 1);
        if (k == 2) modes[k].sigma_per_s = 0.9999 * modes[k].omega_rad_s;
    }
}

static double shape(int k, double x) {
    return sin((k + 1) * SB_PI * x);
}

static void bar_weights(double x, float weights[BAR]) {
    for (int k = 0; k < BAR; k++)
        weights[k] = (float)shape(k, x);
}

/* The output, frame by frame in double: v is the real part of e^(l t). */
static double *sweep_exactly(const float *force, int frames, double rate_hz) {
    double *out = calloc((size_t)frames, sizeof *out);
    sb_bank_mode modes[BAR];
    ck_assert_ptr_nonnull(out);
    bar_modes(modes);
    for (int k = 0; k < BAR; k++) {
        double w0 = modes[k].omega_rad_s, s = modes[k].sigma_per_s;
        double wd = sqrt((w0 - s) * (w0 + s));
        double complex turn = cexp((-s + I * wd) / rate_hz), u = 0;
        for (int n = 0; n < frames; n++) {
            u += shape(k, n / rate_hz) * (double)force[n] * (1 + I * s / wd);
            out[n] += creal(u);
            u *= turn;
        }
    }
    return out;
}

START_TEST(a_sweep_over_a_bar_adds_no_noise) {
    const double sweep_rates_hz[] = {44100, 192000};
    double rate_hz = sweep_rates_hz[_i % 2];
    if (!use_isa(_i / 2)) return;
    int blocks = (int)(rate_hz / BLOCK), frames = blocks * BLOCK;
    float *force = calloc((size_t)frames, sizeof *force);
    ck_assert_ptr_nonnull(force);
    uint32_t seed = 1;
    for (int n = 0; n < frames; n++) {
        seed = seed * 1664525u + 1013904223u;
        force[n] = (float)(seed >> 8) * 0x1p-23f - 1.0f;
    }
    double *exact = sweep_exactly(force, frames, rate_hz);
    sb_bank_mode modes[BAR];
    bar_modes(modes);
    sb_modal_bank *bank = bank_new(modes, BAR, rate_hz);
    float from[BAR], middle[BAR], to[BAR];
    double worst = 0, peak = 0, squares = 0;
    bar_weights(0, from);
    for (int block = 0; block < blocks; block++) {
        float out[BLOCK] = {0};
        int first = block * BLOCK;
        bar_weights((first + BLOCK / 2) / rate_hz, middle);
        bar_weights((first + BLOCK) / rate_hz, to);
        sb_modal_bank_render(bank, out);
        sb_modal_bank_drive(bank, force + first, from, middle, to, false, out);
        for (int n = 0; n < BLOCK; n++) {
            double error = (double)out[n] - exact[first + n];
            worst = worst_of(worst, error, 0);
            squares += error * error;
            peak = fmax(peak, fabs(exact[first + n]));
        }
        memcpy(from, to, sizeof from);
    }
    /* Relative to a sound that peaks at full scale. */
    double worst_db = 20 * log10(worst / peak);
    double noise_db = 10 * log10(squares / frames) - 20 * log10(peak);
    ck_assert_msg(worst_db < -84, "%g Hz: peak %g dBFS", rate_hz, worst_db);
    ck_assert_msg(noise_db < -95, "%g Hz: noise %g dBFS", rate_hz, noise_db);
    sb_free(bank);
    free(exact);
    free(force);
}
END_TEST

/* --- what is not there -----------------------------------------------------*/

START_TEST(no_force_and_no_weight_wake_nothing) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    float weights[COUNT], none[COUNT] = {0}, force[BLOCK] = {0};
    float out[BLOCK] = {0};
    mixed_modes(modes, 48000);
    some_weights(weights, 2.1);
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    sb_modal_bank_drive(bank, force, weights, weights, weights, false, out);
    ck_assert_int_eq(bank_active_count(bank), 0);
    some_force(force, 0);
    sb_modal_bank_drive(bank, force, none, none, none, false, out);
    ck_assert_int_eq(bank_active_count(bank), 0);
    for (int n = 0; n < BLOCK; n++)
        ck_assert_float_eq(out[n], 0);
    sb_free(bank);
}
END_TEST

START_TEST(what_is_not_a_number_is_gone_after_a_block) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    float weights[COUNT], force[BLOCK] = {NAN, 1, INFINITY}, out[BLOCK] = {0};
    mixed_modes(modes, 48000);
    some_weights(weights, 2.1);
    weights[5] = NAN;
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    sb_modal_bank_drive(bank, force, weights, weights, weights, false, out);
    ck_assert(!isfinite(out[100]));
    for (int block = 0; block < 4; block++) {
        memset(out, 0, sizeof out);
        sb_modal_bank_render(bank, out);
    }
    for (int n = 0; n < BLOCK; n++)
        ck_assert(isfinite(out[n]));
    ck_assert(isfinite(sb_modal_bank_energy_j(bank)));
    sb_free(bank);
}
END_TEST

/* --- forces that go on -----------------------------------------------------*/

/* Under a constant load nothing moves. Under a load that grows by a newton per
 * second every mode moves at 1 / w^2, at any rate and however close to the
 * Nyquist frequency the modes are. */
START_TEST(a_slow_force_bends_the_body_and_is_not_heard_else) {
    enum { MODES = 9, PADDED = 16, SETTLED = 100 };
    double rate = rates_hz[_i], dt = 1 / rate, wanted = 0;
    sb_bank_mode modes[MODES];
    float weights[PADDED] = {0};
    for (int k = 0; k < MODES; k++) {
        modes[k] = mode_hz(2000 + 2200.0 * k, 100 + 5 * k, 1 + 0.1 * k);
        weights[k] = (float)(k % 3 ? 1 : 0.6);
        wanted += modes[k].out_gain * (double)weights[k] /
                  (modes[k].omega_rad_s * modes[k].omega_rad_s);
    }
    for (int grows = 0; grows < 2; grows++) {
        sb_modal_bank *bank = bank_new(modes, MODES, rate);
        float force[BLOCK], before = 0, out[BLOCK];
        double sum = 0;
        for (int block = 0; block < SETTLED * rate / 48000; block++) {
            memset(out, 0, sizeof out);
            for (int n = 0; n < BLOCK; n++) {
                double t = (block * BLOCK + n) * dt;
                force[n] = (float)((grows ? t : 1) * dt);
            }
            sb_modal_bank_render(bank, out);
            sb_modal_bank_drive(bank, force, weights, weights, weights, false,
                                out);
            sb_modal_bank_unstep(bank, before, force, weights, weights, weights,
                                 out);
            before = force[BLOCK - 1];
        }
        for (int n = 0; n < BLOCK; n++)
            sum += (double)out[n] / BLOCK;
        /* A step is about 1 / rate; floats leave some millionths of it. */
        double off = sum - (grows ? wanted : 0);
        ck_assert_msg(fabs(off) < 5e-6 * dt + 0.002 * wanted,
                      "%g for %g at %g Hz", sum, grows ? wanted : 0, rate);
        sb_free(bank);
    }
}
END_TEST

int main(void) {
    const TTest *const each_isa[] = {
        a_moving_contact_is_a_strike_at_every_place_on_its_way,
        rendering_and_moving_in_one_is_the_two,
        no_force_and_no_weight_wake_nothing,
        what_is_not_a_number_is_gone_after_a_block,
        NULL,
    };
    Suite *suite = suite_create("moving contacts");
    TCase *tests = tcase_create("moving contacts");
    for (int i = 0; each_isa[i]; i++)
        tcase_add_loop_test(tests, each_isa[i], 0, ISA_COUNT);
    tcase_add_loop_test(tests, a_sweep_over_a_bar_adds_no_noise, 0,
                        2 * ISA_COUNT);
    tcase_add_loop_test(
        tests, a_slow_force_bends_the_body_and_is_not_heard_else, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
