/* Strikers on modal banks, timed block by block. Runs on the control thread. */
#include "runtime/bench/bench_contacts.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/contact/striker.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIKERS = 200, MODES = 64, BLOCKS = 400 };

#define RATE_HZ 48000.0

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
        b->bank = sb_modal_bank_init(at, MODES, RATE_HZ);
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

/* Play one block of one body, as a voice does. */
static void play(body *b, float *out) {
    sb_striker *one = &b->striker;
    sb_impact_log log;
    log.count = log.lost = 0;
    memset(out, 0, SB_BLOCK_FRAMES * sizeof *out);
    if (sb_strikers_look(&one, 1, b->bank, 1.0 / RATE_HZ)) {
        sb_modal_field_load(&b->field, b->bank, sb_strikers_parts(&one, 1));
        sb_strikers_play(&one, 1, &b->field, out, &log);
        sb_modal_field_store(&b->field, b->bank);
    } else {
        sb_modal_bank_render(b->bank, out);
    }
    sb_strikers_fly(&one, 1, b->bank, 1.0 / RATE_HZ);
}

/* Number of solver steps with contact in one impact. */
static double solves_of(const body *b, bool is_pressing) {
    if (is_pressing) return SB_BLOCK_FRAMES;
    double contact_s = b->striker.contact.duration_s;
    return contact_s * RATE_HZ * b->striker.parts;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static sb_bench_contacts_load measure(hall *h, bool is_pressing,
                                      sb_random *random) {
    double deadline_s = SB_BLOCK_FRAMES / RATE_HZ, solves = 0.0;
    float out[SB_BLOCK_FRAMES];
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < STRIKERS; i++) {
            body *b = &h->bodies[i];
            b->striker = striker_of(b, is_pressing, random);
            sb_striker_prepare(&b->striker, MODES, RATE_HZ);
        }
        double from_s = sb_clock_thread_s();
        for (int i = 0; i < STRIKERS; i++)
            play(&h->bodies[i], out);
        h->share[block] = (sb_clock_thread_s() - from_s) / deadline_s;
        for (int i = 0; i < STRIKERS; i++)
            solves += solves_of(&h->bodies[i], is_pressing);
    }
    qsort(h->share, BLOCKS, sizeof h->share[0], ascending);
    double p50 = h->share[BLOCKS / 2];
    return (sb_bench_contacts_load){
        .p50 = p50,
        .p99 = h->share[BLOCKS * 99 / 100],
        .best = h->share[0],
        .realtime = STRIKERS / p50,
        .solves_per_s = solves / (BLOCKS * deadline_s),
    };
}

sb_status sb_bench_contacts(sb_bench_contacts_result *out, sb_error *err) {
    hall *h = sb_alloc(1, sizeof *h);
    if (!h) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_random random = sb_random_make(1, 1);
    sb_status status = furnish(h, &random, err);
    if (!status) {
        *out = (sb_bench_contacts_result){
            .strikers = STRIKERS,
            .body_modes = MODES,
            .isa = sb_isa_choose(NULL),
        };
        out->pressing = measure(h, true, &random);
        out->striking = measure(h, false, &random);
    }
    sb_free(h->memory);
    sb_free(h);
    return status;
}
