/* SPDX-License-Identifier: MIT */
/* bench directions: what it takes to hear 100 bodies of 64 modes from where the
 * listener is, of what their banks take that ring.
 *
 * The patterns have orders 1 to 8, as those of a plate of 20 cm up to 4 kHz, and
 * all bodies turn about an axis of their own. Together they are at full scale;
 * lines 100 dB below it are left. Shares are medians of rounds in which all rows
 * are taken in turn. Thread: control, on one core. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <math.h>
#include <string.h>

enum { BODIES = 100, MODES = 64, BLOCKS = 40, ROUNDS = 41 };

/* Turns per second; below 0: without directions. */
static const struct {
    const char *key, *label;
    double turns_hz, fine;
} rows[] = {{"plain", "without directions", -1, 1e-5},
            {"still", "nothing turns", 0, 1e-5},
            {"slow", "0.1 turns per second", 0.1, 1e-5},
            {"turning", "1 turn per second", 1, 1e-5},
            {"exact", "1 turn, every ramp exact", 1, 0}};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct crowd {
    sb_modal_bank *banks[BODIES];
    sb_modal_aims *aims[BODIES];
    double us[ROWS][ROUNDS]; /* per block of all bodies */
} crowd;

/* Amplitudes such that all modes together have the power of a sine at full
 * scale. */
static sb_status make_body(crowd *c, int i, sb_random *random, sb_error *err) {
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
    c->banks[i] = bank;
    c->aims[i] = aims;
    if (!bank || !aims) return sb_fail(err, SB_NO_MEMORY, "no memory");
    c->banks[i] = sb_modal_bank_init(bank, MODES, BENCH_RATE_HZ);
    c->aims[i] = sb_modal_aims_init(aims, patterns, MODES);
    if (sb_modal_bank_set_modes(c->banks[i], modes, MODES))
        return sb_fail(err, SB_BAD_ARGUMENT, "the bank refused the modes");
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = weights};
    sb_modal_bank_impulse(c->banks[i], &impulse, out);
    return SB_OK;
}

static void play(crowd *c, int row, int round, int *block) {
    float out[SB_BLOCK_FRAMES];
    double block_s = SB_BLOCK_FRAMES / BENCH_RATE_HZ;
    double from_s = sb_clock_thread_s();
    for (int n = 0; n < BLOCKS; n++, ++*block) {
        memset(out, 0, sizeof out);
        for (int i = 0; i < BODIES; i++) {
            if (rows[row].turns_hz > 0) {
                double a = i + SB_TAU * rows[row].turns_hz * block_s * *block;
                double flat = 0.3 + 0.006 * i, up = sqrt(1 - flat * flat);
                sb_vec3 at = {flat * cos(a), up, flat * sin(a)};
                sb_modal_bank_aim(c->banks[i], at, 1, false);
            }
            sb_modal_bank_render(c->banks[i], out);
        }
    }
    c->us[row][round] = (sb_clock_thread_s() - from_s) * 1e6 / BLOCKS;
}

static void run(crowd *c) {
    int block = 0;
    for (int round = 0; round < ROUNDS; round++)
        play(c, 0, round, &block);
    for (int i = 0; i < BODIES; i++)
        sb_modal_bank_set_aims(c->banks[i], c->aims[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int row = 1; row < ROWS; row++) {
            for (int i = 0; i < BODIES; i++)
                sb_modal_bank_set_fine(c->banks[i], rows[row].fine);
            play(c, row, round, &block);
        }
    }
}

sb_status bench_directions(const bench_options *options, report *to,
                           sb_error *err) {
    (void)options;
    sb_random random = sb_random_make(1, 1);
    crowd *c = sb_alloc(1, sizeof *c);
    if (!c) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_status status = SB_OK;
    for (int i = 0; i < BODIES && !status; i++)
        status = make_body(c, i, &random, err);
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
    for (int i = 0; i < BODIES; i++) {
        sb_free(c->banks[i]);
        sb_free(c->aims[i]);
    }
    sb_free(c);
    return status;
}
