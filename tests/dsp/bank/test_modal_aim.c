/* SPDX-License-Identifier: MIT */
/* A bank that is heard from a direction. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "runtime/dsp/bank/modal_kernel.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { MODES = 20, MOST = 25, RATE_HZ = 48000, DIRECTIONS = 400 };

typedef struct heard {
    sb_modal_bank *bank;
    sb_modal_aims *aims;
    sb_pattern patterns[MODES];
    float coefs[MODES][MOST][2];
} heard;

static double phase_of(int mode) {
    return 0.3 * mode;
}

/* Real patterns of the orders 1 to 4, each times a phase; one of three has a
 * rest, and the last has no directions. */
static void heard_init(heard *h) {
    sb_random random = sb_random_make(7, 1);
    sb_bank_mode modes[MODES];
    float weights[MODES], out[SB_BLOCK_FRAMES];
    for (int k = 0; k < MODES; k++) {
        h->patterns[k] = (sb_pattern){k < MODES - 1 ? 1 + k % 4 : -1, 0,
                                      (const float(*)[2])h->coefs[k]};
        for (int i = 0; i < MOST; i++) {
            double c = sb_random_unit(&random) - 0.5;
            h->coefs[k][i][0] = (float)(c * cos(phase_of(k)));
            h->coefs[k][i][1] = (float)(c * sin(phase_of(k)));
        }
        if (k % 3 == 0)
            h->patterns[k].rest =
                (float)(0.25 * sb_pattern_power(&h->patterns[k]));
        modes[k] = (sb_bank_mode){SB_TAU * (300 + 517 * k), 1, 0.1 * (k + 1)};
        weights[k] = 1;
    }
    h->bank = sb_modal_bank_init(
        sb_alloc_aligned(sb_modal_bank_aligned(sb_modal_bank_bytes(MODES))),
        MODES, RATE_HZ);
    ck_assert_int_eq(sb_modal_bank_set_modes(h->bank, modes, MODES), SB_OK);
    size_t bytes = sb_modal_aims_bytes(h->patterns, MODES);
    h->aims = sb_modal_aims_init(sb_alloc_aligned(sb_modal_bank_aligned(bytes)),
                                 h->patterns, MODES);
    sb_modal_bank_set_aims(h->bank, h->aims);
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
    sb_modal_bank_impulse(h->bank, &impulse, out);
}

static void heard_free(heard *h) {
    sb_free(h->bank);
    sb_free(h->aims);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static void aim(heard *h, sb_vec3 at) {
    sb_modal_bank_aim(h->bank, sb_vec3_normalised(at), 1, true);
}

static float a_of(const heard *h, int mode) {
    return h->aims->aimed[mode / SB_MODAL_LANES].now[mode % SB_MODAL_LANES];
}

static sb_vec3 direction(int i) {
    double z = (2 * i + 1.0) / DIRECTIONS - 1, flat = sqrt(1 - z * z);
    double angle = SB_PI * (1 + sqrt(5.0)) * i;
    return (sb_vec3){flat * cos(angle), flat * sin(angle), z};
}

START_TEST(the_mean_of_all_directions_is_the_level) {
    heard h;
    double sums[MODES] = {0};
    heard_init(&h);
    for (int i = 0; i < DIRECTIONS; i++) {
        aim(&h, direction(i));
        sb_modal_bank_aim_now(h.bank);
        for (int k = 0; k < MODES; k++)
            sums[k] += pow((double)a_of(&h, k), 2) / DIRECTIONS;
    }
    for (int k = 0; k < MODES; k++)
        ck_assert_double_lt(fabs(10 * log10(sums[k])), 0.1);
    heard_free(&h);
}
END_TEST

/* It is the pattern with its phase taken off, but for a sign. */
START_TEST(one_phase_is_taken_off) {
    heard h;
    heard_init(&h);
    aim(&h, (sb_vec3){1, 2, -3});
    sb_modal_bank_aim_now(h.bank);
    for (int k = 0; k < MODES - 1; k++) {
        double at[2], power = sb_pattern_power(&h.patterns[k]);
        sb_pattern_at(&h.patterns[k], sb_vec3_normalised((sb_vec3){1, 2, -3}),
                      at);
        double kept = power - (double)h.patterns[k].rest;
        ck_assert_double_eq_tol(fabs((double)a_of(&h, k)),
                                hypot(at[0], at[1]) / sqrt(kept), 1e-5);
    }
    heard_free(&h);
}
END_TEST

/* Exactly, and in steps of 16 frames: they differ by less than a 16th of the
 * change. */
START_TEST(steps_are_near_the_ramp) {
    float out[2][SB_BLOCK_FRAMES] = {{0}, {0}};
    double most = 0, loudest = 0;
    for (int i = 0; i < 2; i++) {
        heard h;
        heard_init(&h);
        aim(&h, (sb_vec3){0, 0, 1});
        sb_modal_bank_aim_now(h.bank);
        sb_modal_bank_set_fine(h.bank, i ? 1e9 : 0);
        aim(&h, (sb_vec3){0, 0.02, 1});
        sb_modal_bank_render(h.bank, out[i]);
        heard_free(&h);
    }
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        most = fmax(most, fabs((double)out[1][n] - (double)out[0][n]));
        loudest = fmax(loudest, fabs((double)out[0][n]));
    }
    ck_assert_double_gt(most, 0);
    ck_assert_double_lt(most, 0.02 * loudest / 4);
}
END_TEST

/* A ramp is what a glide of the gains is. */
START_TEST(a_ramp_is_a_glide) {
    heard h, g;
    float out[2][SB_BLOCK_FRAMES] = {{0}, {0}};
    sb_bank_mode modes[MODES];
    heard_init(&h);
    heard_init(&g);
    aim(&h, (sb_vec3){0, 0, 1});
    sb_modal_bank_aim_now(h.bank);
    for (int k = 0; k < MODES; k++)
        modes[k] = (sb_bank_mode){SB_TAU * (300 + 517 * k), 1,
                                  0.1 * (k + 1) * (double)a_of(&h, k)};
    sb_free(g.aims);
    g.aims = NULL;
    /* A bank without directions, with the gains of the direction. */
    float weights[MODES], unheard[SB_BLOCK_FRAMES];
    ck_assert_int_eq(sb_modal_bank_set_modes(g.bank, modes, MODES), SB_OK);
    for (int k = 0; k < MODES; k++)
        weights[k] = 1;
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
    sb_modal_bank_impulse(g.bank, &impulse, unheard);
    aim(&h, (sb_vec3){0, 0.3, 1});
    sb_modal_bank_render(h.bank, out[0]);
    for (int k = 0; k < MODES; k++)
        modes[k].out_gain = 0.1 * (k + 1) * (double)a_of(&h, k);
    ck_assert_int_eq(sb_modal_bank_glide(g.bank, modes, MODES, out[1]), SB_OK);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        ck_assert_double_eq_tol((double)out[0][n], (double)out[1][n], 2e-4);
    sb_free(g.bank);
    heard_free(&h);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("modal aim");
    TCase *tcase = tcase_create("modal aim");
    tcase_add_test(tcase, the_mean_of_all_directions_is_the_level);
    tcase_add_test(tcase, one_phase_is_taken_off);
    tcase_add_test(tcase, steps_are_near_the_ramp);
    tcase_add_test(tcase, a_ramp_is_a_glide);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
