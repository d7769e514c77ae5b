/* SPDX-License-Identifier: MIT */
/* A bank that is heard from a direction. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "runtime/dsp/bank/modal_kernel.h"
#include "runtime/dsp/vector/isa.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum {
    ISA_COUNT = 3,
    MODES = 20,
    MOST = 25,
    RATE_HZ = 48000,
    DIRECTIONS = 400
};

typedef struct heard {
    sb_modal_bank *bank;
    sb_modal_aims *aims;
    sb_pattern patterns[MODES];
    float coefs[MODES][MOST][2];
} heard;

static bool use_isa(int index) {
    static const char *const names[ISA_COUNT] = {"portable", "avx2", "avx512"};
    return sb_isa_choose(names[index]) != NULL;
}

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

static void aim(heard *h, sb_vec3 at, sb_vec3 rate, int blocks) {
    sb_modal_aiming to = {.at = at,
                          .rate = rate,
                          .blocks = blocks,
                          .share = 1,
                          .is_onward = true,
                          .all = true};
    sb_modal_bank_aim(h->bank, &to);
}

/* At once. */
static void face(heard *h, sb_vec3 at) {
    aim(h, sb_vec3_normalised(at), (sb_vec3){0, 0, 0}, 1);
    sb_modal_bank_aim_now(h->bank);
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
    if (!use_isa(_i)) return;
    heard h;
    double sums[MODES] = {0};
    heard_init(&h);
    for (int i = 0; i < DIRECTIONS; i++) {
        face(&h, direction(i));
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
    if (!use_isa(_i)) return;
    heard h;
    heard_init(&h);
    face(&h, (sb_vec3){1, 2, -3});
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

/* Round the y axis, at one turn in 400 blocks. */
static const double turn_rad = SB_TAU / 400;

static sb_vec3 round_at(double block) {
    return (sb_vec3){sin(turn_rad * block), 0, cos(turn_rad * block)};
}

static sb_vec3 round_rate(double block) {
    return (sb_vec3){turn_rad * cos(turn_rad * block), 0,
                     -turn_rad * sin(turn_rad * block)};
}

/* In blocks 0 to 3 of 4 that it is on its way for, then at rest: a is the cubic
 * in time, and what is heard each mode times it. */
START_TEST(a_follows_a_cubic) {
    if (!use_isa(_i)) return;
    heard h;
    float from[MODES], to[MODES], rates[MODES][2], out[5 * SB_BLOCK_FRAMES];
    const double step = 0.1;
    heard_init(&h);
    memset(out, 0, sizeof out);
    for (int k = 0; k < MODES; k++) {
        face(&h, round_at(4));
        to[k] = a_of(&h, k);
        for (int i = 0; i < 2; i++) {
            face(&h, round_at(4 * i + step));
            rates[k][i] = a_of(&h, k);
            face(&h, round_at(4 * i - step));
            rates[k][i] = (rates[k][i] - a_of(&h, k)) / (float)(2 * step);
        }
        face(&h, round_at(0));
        from[k] = a_of(&h, k);
    }
    /* The bank is at its first frame; it gets its present rate on the way. */
    sb_modal_bank_reset(h.bank);
    aim(&h, round_at(0), round_rate(0), 1);
    float weights[MODES], unheard[SB_BLOCK_FRAMES];
    for (int k = 0; k < MODES; k++)
        weights[k] = 1;
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
    sb_modal_bank_impulse(h.bank, &impulse, unheard);
    aim(&h, round_at(4), round_rate(4), 4);
    for (int b = 0; b < 5; b++)
        sb_modal_bank_render(h.bank, out + b * SB_BLOCK_FRAMES);
    for (int n = 0; n < 5 * SB_BLOCK_FRAMES; n++) {
        double right = 0, t = (double)(n + SB_BLOCK_FRAMES) / RATE_HZ;
        double u = fmin(n / (4.0 * SB_BLOCK_FRAMES), 1);
        for (int k = 0; k < MODES; k++) {
            double w = SB_TAU * (300 + 517 * k), wd = sqrt(w * w - 1);
            double a = (double)from[k] * (1 + 2 * u) * (1 - u) * (1 - u) +
                       (double)to[k] * (3 - 2 * u) * u * u +
                       4 * (double)rates[k][0] * u * (1 - u) * (1 - u) -
                       4 * (double)rates[k][1] * u * u * (1 - u);
            right +=
                0.1 * (k + 1) * a * exp(-t) * (cos(wd * t) - sin(wd * t) / wd);
        }
        ck_assert_double_eq_tol((double)out[n], right, 1e-3);
    }
    heard_free(&h);
}
END_TEST

/* As fast as modes decay, up to 1 / 15.5 per frame, and beyond. */
START_TEST(strongly_damped_modes_turn_as_well) {
    if (!use_isa(_i)) return;
    const sb_vec3 still = {0, 0, 0};
    for (int i = 0; i < 12; i++) {
        double s = 10 * pow(2, i);
        heard h;
        sb_bank_mode modes[MODES];
        float weights[MODES], out[SB_BLOCK_FRAMES];
        heard_init(&h);
        for (int k = 0; k < MODES; k++) {
            modes[k] = (sb_bank_mode){SB_TAU * (6000 + 517 * k), s, 1};
            weights[k] = k == 3;
        }
        ck_assert_int_eq(sb_modal_bank_retune(h.bank, modes, MODES), SB_OK);
        sb_modal_bank_reset(h.bank);
        aim(&h, round_at(0), still, 1);
        float a = a_of(&h, 3);
        sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
        sb_modal_bank_impulse(h.bank, &impulse, out);
        aim(&h, round_at(0.001), still, 1);
        memset(out, 0, sizeof out);
        sb_modal_bank_render(h.bank, out);
        double near = 1e-4 + fmin(0.2 * pow(15.5 * s / RATE_HZ, 3), 0.03);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            double w = modes[3].omega_rad_s, wd = sqrt(w * w - s * s);
            double t = (double)(n + SB_BLOCK_FRAMES) / RATE_HZ;
            double right =
                (double)a * exp(-s * t) * (cos(wd * t) - s / wd * sin(wd * t));
            double first = exp(-s * SB_BLOCK_FRAMES / RATE_HZ);
            ck_assert_double_eq_tol((double)out[n], right, near * first);
        }
        heard_free(&h);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("modal aim");
    TCase *tcase = tcase_create("modal aim");
    tcase_add_loop_test(tcase, the_mean_of_all_directions_is_the_level, 0,
                        ISA_COUNT);
    tcase_add_loop_test(tcase, one_phase_is_taken_off, 0, ISA_COUNT);
    tcase_add_loop_test(tcase, a_follows_a_cubic, 0, ISA_COUNT);
    tcase_add_loop_test(tcase, strongly_damped_modes_turn_as_well, 0,
                        ISA_COUNT);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
