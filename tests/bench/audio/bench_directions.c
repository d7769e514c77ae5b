/* SPDX-License-Identifier: MIT */
/* bench directions: what it takes to hear 100 bodies of 64 modes from where the
 * listener is, of what their banks take that ring.
 *
 * The patterns have orders 1 to 8, as those of a plate of 20 cm up to 4 kHz, and
 * all bodies turn about an axis of their own. Where they go is known 10 ms ahead,
 * as in a scene, and computed before. Shares are medians of rounds in which all
 * rows are taken in turn. Thread: control, on one core. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <math.h>
#include <string.h>

enum {
    BODIES = 100,
    MODES = 64,
    BLOCKS = 40,
    ROUNDS = 41,
    STEP = 480,
    ORDER = 8
};

/* Turns per second; below 0: without directions. */
static const struct {
    const char *key, *label;
    double turns_hz;
    int beyond; /* times as far as steps are known: voice_aim.c */
} rows[] = {{"plain", "without directions", -1, 0},
            {"still", "nothing turns", 0, 0},
            {"slow", "0.1 turns per second", 0.1, 3},
            {"turning", "1 turn per second", 1, 3},
            {"unsteady", "1 turn, not steadily", 1, 1}};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct crowd {
    sb_modal_bank *banks[2][BODIES]; /* without directions, and with */
    sb_modal_aims *aims[2][BODIES];
    sb_modal_aiming course[BLOCKS][BODIES]; /* blocks 0: as before */
    int64_t until[BODIES];
    double us[ROWS][ROUNDS]; /* per block of all bodies */
} crowd;

/* Amplitudes such that all modes together have the power of a sine at full
 * scale. */
static sb_status make_body(crowd *c, int has, int i, sb_random *random,
                           sb_error *err) {
    sb_bank_mode modes[MODES];
    sb_pattern patterns[MODES];
    float coefs[MODES][81][2], weights[MODES], out[SB_BLOCK_FRAMES];
    for (int k = 0; k < MODES; k++) {
        modes[k] = (sb_bank_mode){SB_TAU * (200 + 60 * k + i), 1e-5,
                                  1 / sqrt(BODIES * MODES)};
        patterns[k] = (sb_pattern){1 + k / 8, 0, (const float(*)[2])coefs[k]};
        weights[k] = 1;
        for (int j = 0; j < 81; j++) {
            coefs[k][j][0] = (float)(sb_random_unit(random) - 0.5);
            coefs[k][j][1] = 0;
        }
    }
    void *bank = sb_alloc_aligned(sb_modal_bank_bytes(MODES));
    void *aims = sb_alloc_aligned(
        sb_modal_bank_aligned(sb_modal_aims_bytes(patterns, MODES)));
    c->banks[has][i] = bank;
    c->aims[has][i] = aims;
    if (!bank || !aims) return sb_fail(err, SB_NO_MEMORY, "no memory");
    sb_modal_bank *made = sb_modal_bank_init(bank, MODES, BENCH_RATE_HZ);
    if (sb_modal_bank_set_modes(made, modes, MODES))
        return sb_fail(err, SB_BAD_ARGUMENT, "the bank refused the modes");
    c->aims[has][i] = sb_modal_aims_init(aims, patterns, MODES);
    if (has) sb_modal_bank_set_aims(made, c->aims[has][i]);
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
    sb_modal_bank_impulse(made, &impulse, out);
    return SB_OK;
}

/* How far ahead a voice that turns by `turn` per block is aimed. */
static int blocks_ahead(int body, int64_t frame, double turn, int beyond) {
    int64_t phase = body * 37 % STEP;
    int64_t end = (frame + SB_BLOCK_FRAMES + phase + STEP - 1) / STEP * STEP;
    int known = (int)((end - phase - frame) / SB_BLOCK_FRAMES);
    return (int)fmax(1, fmin(fmin(beyond * known, 16), 0.5 / (ORDER * turn)));
}

static void plan(crowd *c, int row, int block) {
    double w = SB_TAU * rows[row].turns_hz / BENCH_RATE_HZ;
    for (int n = 0; n < BLOCKS; n++) {
        int64_t frame = (int64_t)(block + n) * SB_BLOCK_FRAMES;
        for (int i = 0; i < BODIES; i++) {
            sb_modal_aiming *to = &c->course[n][i];
            *to = (sb_modal_aiming){.share = 1, .is_onward = n > 0};
            if (n > 0 && frame < c->until[i]) continue;
            double flat = 0.3 + 0.006 * i, up = sqrt(1 - flat * flat);
            double fast = flat * w * SB_BLOCK_FRAMES;
            to->blocks = blocks_ahead(i, frame, fast, rows[row].beyond);
            c->until[i] = frame + to->blocks * SB_BLOCK_FRAMES;
            double a = i + w * (double)c->until[i];
            to->at = (sb_vec3){flat * cos(a), up, flat * sin(a)};
            to->rate = (sb_vec3){-fast * sin(a), 0, fast * cos(a)};
        }
    }
}

static void play(crowd *c, int row, int round, int *block) {
    float out[SB_BLOCK_FRAMES];
    bool turns = rows[row].turns_hz > 0;
    sb_modal_bank **banks = c->banks[rows[row].turns_hz >= 0];
    if (turns) plan(c, row, *block);
    double from_s = sb_clock_thread_s();
    for (int n = 0; n < BLOCKS; n++, ++*block) {
        memset(out, 0, sizeof out);
        for (int i = 0; i < BODIES; i++) {
            if (turns && c->course[n][i].blocks > 0)
                sb_modal_bank_aim(banks[i], &c->course[n][i]);
            sb_modal_bank_render(banks[i], out);
        }
    }
    c->us[row][round] = (sb_clock_thread_s() - from_s) * 1e6 / BLOCKS;
}

static void run(crowd *c) {
    int block = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int row = 0; row < ROWS; row++)
            play(c, row, round, &block);
}

sb_status bench_directions(const bench_options *options, report *to,
                           sb_error *err) {
    (void)options;
    sb_random random = sb_random_make(1, 1);
    crowd *c = sb_alloc(1, sizeof *c);
    if (!c) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_status status = SB_OK;
    for (int i = 0; i < 2 * BODIES && !status; i++)
        status = make_body(c, i % 2, i / 2, &random, err);
    if (!status) {
        run(c);
        double plain = spread_of(c->us[0], ROUNDS).p50;
        report_say(to, "%d bodies of %d modes, a block of 128 frames\n", BODIES,
                   MODES);
        for (int row = 0; row < ROWS; row++) {
            double us = spread_of(c->us[row], ROUNDS).p50;
            report_say(to, "  %-26s %8.1f us  %+6.1f %%\n", rows[row].label, us,
                       100 * (us / plain - 1));
            report_put(to, rows[row].key, us / plain - 1);
        }
    }
    for (int i = 0; i < 2 * BODIES; i++) {
        sb_free(c->banks[i % 2][i / 2]);
        sb_free(c->aims[i % 2][i / 2]);
    }
    sb_free(c);
    return status;
}
