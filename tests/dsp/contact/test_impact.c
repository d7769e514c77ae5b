/* SPDX-License-Identifier: MIT */
/* Strikes on their way through a bank, held to the closed form of a half-sine
 * force on a damped mode. With l = -s + i wd, W = pi / T, J the impulse:
 *
 *     z(t) = e^(l (t - t0)) phi J W^2 (1 + e^(-l T)) / (2 wd (W^2 + l^2))
 *
 * after the pulse, and e^(l (t - t0)) phi J / wd for an ideal impulse. */
#include "tests/dsp/bank/modal_bank_fixture.h"

#include "runtime/dsp/contact/known_impact.h"

#include <complex.h>

typedef double complex cplx;

enum { COUNT = 12 };

/* From 30 Hz up to 16 kHz, below every Nyquist frequency tried. */
static void body_modes(sb_bank_mode modes[COUNT]) {
    for (int k = 0; k < COUNT; k++)
        modes[k] =
            mode_hz(30 * pow(16000.0 / 30, k / (COUNT - 1.0)), 1 + 3.0 * k, 1);
}

typedef struct strike {
    double start_frame, duration_s, impulse_ns;
} strike;

/* Play `blocks` blocks into `out`, which may be NULL. Returns how long the
 * pulse really was, in seconds. */
static double play(sb_modal_bank *bank, double rate_hz, strike b,
                   const float *weights, int blocks, float *out) {
    sb_impact impact = {.impulse_ns = b.impulse_ns,
                        .duration_frames = b.duration_s * rate_hz,
                        .start_frame = b.start_frame,
                        .weights = weights};
    bool is_over = false;
    for (int i = 0; i < blocks; i++) {
        float block[BLOCK] = {0};
        sb_modal_bank_render(bank, block);
        if (!is_over)
            is_over = sb_impact_advance(&impact, bank, rate_hz, block);
        double end = b.start_frame + impact.duration_frames - i * BLOCK;
        ck_assert_int_eq(is_over, end < BLOCK);
        if (out) memcpy(out + i * BLOCK, block, sizeof block);
    }
    ck_assert(is_over);
    return impact.duration_frames / rate_hz;
}

/* z of mode k, as the bank's header defines it. */
static cplx state_of(const sb_modal_bank *bank, const sb_bank_mode *modes,
                     int count, int k) {
    float *only = weights_new(count);
    for (int i = 0; i < count; i++)
        only[i] = i == k ? 1 : 0;
    double q, v;
    bank_read(bank, only, &q, &v);
    free(only);
    double w0 = modes[k].omega_rad_s, s = modes[k].sigma_per_s;
    return (v + s * q) / sqrt(w0 * w0 - s * s) + I * q;
}

static cplx exact_state(sb_bank_mode mode, double weight, double impulse,
                        double duration, double since_start) {
    double w0 = mode.omega_rad_s, s = mode.sigma_per_s;
    double wd = sqrt(w0 * w0 - s * s);
    cplx l = -s + I * wd, gain = 1;
    if (duration > 0) {
        double pulse = SB_PI / duration;
        gain = pulse * pulse * (1 + cexp(-l * duration)) /
               (2 * (pulse * pulse + l * l));
    }
    return cexp(l * since_start) * weight * impulse / wd * gain;
}

/* The error of the state relative to an ideal impulse. */
static double state_error(double rate_hz, strike b, int blocks) {
    sb_bank_mode modes[COUNT];
    float weights[COUNT];
    body_modes(modes);
    for (int k = 0; k < COUNT; k++)
        weights[k] = (float)(1 + k % 3);
    sb_modal_bank *bank = bank_new(modes, COUNT, rate_hz);
    double duration = play(bank, rate_hz, b, weights, blocks, NULL);
    ck_assert(fabs(duration - b.duration_s) <= 0.0121 * b.duration_s);
    double worst = 0, t = (blocks * BLOCK - b.start_frame) / rate_hz;
    for (int k = 0; k < COUNT; k++) {
        double phi = (double)weights[k];
        cplx exact = exact_state(modes[k], phi, b.impulse_ns, duration, t);
        cplx ideal = exact_state(modes[k], phi, b.impulse_ns, 0, t);
        double error = cabs(state_of(bank, modes, COUNT, k) - exact);
        worst = worst_of(worst, error / cabs(ideal), 0);
    }
    sb_free(bank);
    return worst;
}

START_TEST(a_pulse_leaves_every_mode_at_the_closed_form) {
    if (!use_isa(_i)) return;
    const double durations_s[] = {0, 1e-6, 2e-5, 1e-4, 9.3e-4, 5e-3, 4e-2};
    const double starts[] = {0, 0.25, 17.5, 127, 127.999, 128, 300.125};
    for (int r = 0; r < RATE_COUNT; r++)
        for (int d = 0; d < 7; d++)
            for (int i = 0; i < 7; i++) {
                strike b = {starts[i], durations_s[d], 0.02};
                double frames = starts[i] + durations_s[d] * rates_hz[r];
                int blocks = 2 + (int)(1.02 * frames / BLOCK);
                double error = state_error(rates_hz[r], b, blocks);
                ck_assert_msg(error < 1e-9, "%g s at %g, %g Hz: error %g",
                              durations_s[d], starts[i], rates_hz[r], error);
            }
}
END_TEST

START_TEST(a_pulse_may_end_on_the_edge_of_a_block) {
    if (!use_isa(_i)) return;
    const double starts[] = {0, 0.5, 64, 127.75};
    for (int i = 0; i < 4; i++)
        for (int blocks = 1; blocks < 4; blocks++) {
            double frames = blocks * BLOCK - starts[i];
            strike b = {starts[i], frames / 48000, 0.02};
            ck_assert_double_lt(state_error(48000, b, blocks + 2), 1e-9);
        }
}
END_TEST

/* Level of mode k after the strike with its decay taken out, in decibels. */
static void levels_db(double rate_hz, double duration_s, double db[COUNT]) {
    sb_bank_mode modes[COUNT];
    body_modes(modes);
    float *weights = weights_new(COUNT);
    sb_modal_bank *bank = bank_new(modes, COUNT, rate_hz);
    strike b = {0.003 * rate_hz, duration_s, 0.01};
    int blocks = (int)ceil(0.05 * rate_hz / BLOCK);
    play(bank, rate_hz, b, weights, blocks, NULL);
    double t = (blocks * BLOCK - b.start_frame) / rate_hz;
    for (int k = 0; k < COUNT; k++) {
        double size = cabs(state_of(bank, modes, COUNT, k));
        db[k] = 20 * log10(size * exp(modes[k].sigma_per_s * t));
    }
    sb_free(bank);
    free(weights);
}

START_TEST(every_mode_is_as_loud_at_every_sample_rate) {
    if (!use_isa(_i)) return;
    const double durations_s[] = {0, 2e-5, 1e-4, 1.1e-3, 6e-3};
    for (int d = 0; d < 5; d++) {
        double reference[COUNT], db[COUNT];
        levels_db(44100, durations_s[d], reference);
        for (int r = 1; r < RATE_COUNT; r++) {
            levels_db(rates_hz[r], durations_s[d], db);
            for (int k = 0; k < COUNT; k++)
                ck_assert_msg(fabs(db[k] - reference[k]) < 0.05,
                              "%g s, mode %d at %g Hz: %g dB off",
                              durations_s[d], k, rates_hz[r],
                              db[k] - reference[k]);
        }
    }
}
END_TEST

START_TEST(a_fraction_of_a_frame_turns_the_phase_by_just_that) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    body_modes(modes);
    float *weights = weights_new(COUNT);
    const double moves[] = {1e-6, 0.01, 0.3, 0.5, 0.999, 1, 1.5};
    for (int i = 0; i < 7; i++)
        for (int pulse = 0; pulse < 2; pulse++) {
            strike early = {100, pulse ? 7e-4 : 0, 0.01}, late = early;
            late.start_frame += moves[i];
            sb_modal_bank *a = bank_new(modes, COUNT, 48000);
            sb_modal_bank *b = bank_new(modes, COUNT, 48000);
            play(a, 48000, early, weights, 3, NULL);
            play(b, 48000, late, weights, 3, NULL);
            for (int k = 0; k < COUNT; k++) {
                double w0 = modes[k].omega_rad_s, s = modes[k].sigma_per_s;
                cplx l = -s + I * sqrt(w0 * w0 - s * s);
                cplx turned =
                    state_of(a, modes, COUNT, k) * cexp(-l * moves[i] / 48000);
                cplx moved = state_of(b, modes, COUNT, k);
                double scale = 0.01 / w0;
                ck_assert_double_lt(cabs(moved - turned), 1e-9 * scale);
            }
            sb_free(a);
            sb_free(b);
        }
    free(weights);
}
END_TEST

START_TEST(a_pulse_gives_its_whole_impulse) {
    if (!use_isa(_i)) return;
    /* A mode that is slow compared to the strike receives the whole impulse. */
    sb_bank_mode slow = mode_hz(1e-4, 0, 1);
    float weight = 1;
    for (double duration = 1e-5; duration < 0.02; duration *= 3) {
        sb_modal_bank *bank = bank_new(&slow, 1, 48000);
        strike b = {30.5, duration, 0.37};
        play(bank, 48000, b, &weight, 12, NULL);
        double q, v;
        bank_read(bank, &weight, &q, &v);
        ck_assert_double_eq_tol(v, 0.37, 1e-9);
        sb_free(bank);
    }
}
END_TEST

START_TEST(a_shorter_and_shorter_pulse_becomes_an_impulse) {
    if (!use_isa(_i)) return;
    sb_bank_mode mode = mode_hz(3000, 20, 1);
    float weight = 1;
    for (double duration = 1e-5; duration > 1e-9; duration /= 10) {
        sb_modal_bank *bank = bank_new(&mode, 1, 48000);
        sb_modal_bank *ideal = bank_new(&mode, 1, 48000);
        strike b = {12.25, duration, 0.1};
        play(bank, 48000, b, &weight, 2, NULL);
        b = (strike){12.25 + duration * 48000 / 2, 0, 0.1};
        play(ideal, 48000, b, &weight, 2, NULL);
        cplx ratio = state_of(bank, &mode, 1, 0) / state_of(ideal, &mode, 1, 0);
        double turn = mode.omega_rad_s * duration; /* second order in it */
        ck_assert_double_lt(cabs(ratio - 1), 0.25 * turn * turn + 1e-11);
        sb_free(bank);
        sb_free(ideal);
    }
}
END_TEST

/* q' of one mode, frame by frame, the force integrated by Simpson's rule. */
static void brute_force(sb_bank_mode mode, strike b, double duration,
                        double rate_hz, int frames, double *out) {
    enum { PARTS = 40 };
    double w0 = mode.omega_rad_s, s = mode.sigma_per_s;
    double wd = sqrt(w0 * w0 - s * s),
           force = b.impulse_ns * SB_PI / 2 / duration;
    cplx l = -s + I * wd, z = 0;
    double last = 0;
    for (int n = 0; n < frames; n++) {
        double t = fmax(0, (n - b.start_frame) / rate_hz);
        double end = fmin(t, duration), h = (end - last) / PARTS;
        cplx pushed = 0;
        for (int i = 0; i <= PARTS && h > 0; i++) {
            double at = last + i * h;
            double share = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
            pushed +=
                share * force * sin(SB_PI * at / duration) * cexp(-l * at);
        }
        z += pushed * h / 3 / wd;
        last = fmax(last, end);
        out[n] += mode.out_gain * creal((wd + I * s) * z * cexp(l * t));
    }
}

START_TEST(a_long_pulse_is_right_in_every_frame_of_many_blocks) {
    if (!use_isa(_i)) return;
    enum { BLOCKS = 24, FRAMES = BLOCKS * BLOCK };
    static float out[FRAMES];
    static double exact[FRAMES];
    const sb_bank_mode modes[3] = {mode_hz(70, 5, 1), mode_hz(440, 10, 0.5),
                                   mode_hz(3100, 40, 2)};
    float *weights = weights_new(3);
    sb_modal_bank *bank = bank_new(modes, 3, 48000);
    strike b = {77.7, 0.05, 1};
    double duration = play(bank, 48000, b, weights, BLOCKS, out);
    memset(exact, 0, sizeof exact);
    for (int k = 0; k < 3; k++)
        brute_force(modes[k], b, duration, 48000, FRAMES, exact);
    double worst = 0, peak = 0;
    for (int n = 0; n < FRAMES; n++) {
        worst = worst_of(worst, (double)out[n], exact[n]);
        peak = fmax(peak, fabs(exact[n]));
    }
    ck_assert_double_gt(peak, 0.01);
    ck_assert_double_lt(worst / peak, 1e-5); /* -100 dB */
    sb_free(bank);
    free(weights);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("impact");
    TCase *tcase = tcase_create("impact");
    const TTest *tests[] = {
        a_pulse_leaves_every_mode_at_the_closed_form,
        a_pulse_may_end_on_the_edge_of_a_block,
        every_mode_is_as_loud_at_every_sample_rate,
        a_fraction_of_a_frame_turns_the_phase_by_just_that,
        a_pulse_gives_its_whole_impulse,
        a_shorter_and_shorter_pulse_becomes_an_impulse,
        a_long_pulse_is_right_in_every_frame_of_many_blocks,
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_loop_test(tcase, tests[i], 0, ISA_COUNT);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
