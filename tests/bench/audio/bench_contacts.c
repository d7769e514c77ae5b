/* SPDX-License-Identifier: MIT */
/* bench contacts: how many nonlinear impacts one core solves in real time.
 *
 * Bodies of 64 modes, a striker on each, in blocks of 128 frames at 48 kHz. Two
 * loads, one at a time:
 *
 *   pressing  all strikers touch in every frame of every block: soft mallets,
 *             one solve per frame
 *   striking  all strike anew in every block, steel on steel: a contact of two
 *             frames each, in steps of 1/32 of one
 *
 * Times are shares of the block's deadline, on the clock of the thread, which
 * stands still while another process has the core. Thread: control. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/vector/isa.h"
#include "tests/bench/audio/rolling_voices.h"
#include "tests/bench/audio/struck_bank.h"
#include "tests/bench/measure.h"

#include <math.h>

enum { STRIKERS = 200, MODES = 64, BLOCKS = 400 };

typedef struct body {
    sb_modal_bank *bank;
    sb_modal_field field;
    sb_striker striker;
    float weights[MODES];
} body;

typedef struct hall {
    body bodies[STRIKERS];
    char *memory; /* banks and fields */
    double share[BLOCKS];
} hall;

/* Create the bodies: plates of 0.5 kg, modes from 100 Hz to 16 kHz. */
static sb_status furnish(hall *h, sb_random *random, sb_error *err) {
    size_t bank_bytes = sb_modal_bank_bytes(MODES);
    size_t bytes = bank_bytes + sb_modal_field_bytes(MODES);
    h->memory = sb_alloc_aligned(STRIKERS * bytes);
    if (!h->memory) {
        return sb_fail(err, SB_NO_MEMORY, "no memory for %d bodies",
                       (int)STRIKERS);
    }
    for (int i = 0; i < STRIKERS; i++) {
        body *b = &h->bodies[i];
        sb_bank_mode modes[MODES];
        for (int k = 0; k < MODES; k++) {
            double share = (k + sb_random_unit(random)) / MODES;
            modes[k] = (sb_bank_mode){SB_TAU * 100.0 * pow(160.0, share),
                                      3.0 + 100.0 * share, 1.0};
            b->weights[k] = (float)(2.8 * cos(20.0 * sb_random_unit(random)));
        }
        char *at = h->memory + (size_t)i * bytes;
        b->bank = sb_modal_bank_init(at, MODES, BENCH_RATE_HZ);
        sb_modal_field_init(&b->field, at + bank_bytes, MODES);
        if (sb_modal_bank_set_modes(b->bank, modes, MODES)) {
            return sb_fail(err, SB_BAD_ARGUMENT, "the bank refused its modes");
        }
    }
    return SB_OK;
}

static sb_striker striker_of(const body *b, bool is_pressing,
                             sb_random *random) {
    sb_striker s = {.law = {1.03e10, 1.5, 1e9},
                    .mass_kg = 4.1e-3,
                    .speed_m_s = 1.0,
                    .limit_s = 10.0,
                    .weights = b->weights,
                    .start_frame = 120.0 * sb_random_unit(random)};
    if (is_pressing) {
        s.law = (sb_contact_law){1e6, 1.5, 1e5};
        s.mass_kg = 0.1;
        s.start_frame = sb_random_unit(random);
    }
    return s;
}

/* Number of solver steps with contact in one impact. */
static double solves_of(const body *b, bool is_pressing) {
    if (is_pressing) return SB_BLOCK_FRAMES;
    double contact_s = b->striker.contact.duration_s;
    return contact_s * BENCH_RATE_HZ * b->striker.parts;
}

static void measure(hall *h, bool is_pressing, sb_random *random, report *to) {
    double deadline_s = SB_BLOCK_FRAMES / BENCH_RATE_HZ, solves = 0.0;
    float out[SB_BLOCK_FRAMES];
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < STRIKERS; i++) {
            body *b = &h->bodies[i];
            b->striker = striker_of(b, is_pressing, random);
            sb_striker_prepare(&b->striker, MODES, BENCH_RATE_HZ);
        }
        double from_s = sb_clock_thread_s();
        for (int i = 0; i < STRIKERS; i++) {
            body *b = &h->bodies[i];
            play_struck(b->bank, &b->field, &b->striker, 1.0 / BENCH_RATE_HZ,
                        out);
        }
        h->share[block] = (sb_clock_thread_s() - from_s) / deadline_s;
        for (int i = 0; i < STRIKERS; i++)
            solves += solves_of(&h->bodies[i], is_pressing);
    }
    spread share = spread_of(h->share, BLOCKS);
    (void)report_row(to, is_pressing ? "pressing" : "striking",
                     is_pressing ? "all pressing in every frame"
                                 : "all striking in every block",
                     (double[]){share.p50, share.p99, share.best,
                                STRIKERS / share.p50,
                                solves / (BLOCKS * deadline_s)});
}

static void report_impacts(hall *h, sb_random *random, report *to) {
    static const report_column columns[] = {
        {"p50", "p50", "%6.0f %%", 100},
        {"p99", "p99", "%6.0f %%", 100},
        {"best", "best", "%6.0f %%", 100},
        {"strikers_realtime", "in real time", "%12.0f", 0},
        {"solves_per_s", "million solves/s", "%16.1f", 1e-6},
        {NULL, NULL, NULL, 0}};
    report_put(to, "strikers", STRIKERS);
    report_put(to, "body_modes", MODES);
    report_put_text(to, "isa", sb_isa_choose(NULL));
    report_say(to,
               "%d nonlinear impacts at once on bodies of %d modes at 48 kHz "
               "in blocks of 128 frames, one core, %s\n\n",
               STRIKERS, MODES, sb_isa_choose(NULL));
    report_table(to, "", NULL, "of a block", 28, columns);
    measure(h, true, random, to);
    measure(h, false, random, to);
    report_end(to);
}

sb_status bench_contacts(const bench_options *options, report *to,
                         sb_error *err) {
    (void)options;
    hall *h = sb_alloc(1, sizeof *h);
    if (!h) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_random random = sb_random_make(1, 1);
    sb_status status = furnish(h, &random, err);
    if (!status) report_impacts(h, &random, to);
    sb_free(h->memory);
    sb_free(h);
    return status ? status : report_rolling(to, err);
}
