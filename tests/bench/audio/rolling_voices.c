/* SPDX-License-Identifier: MIT */
/* Rolling contacts on modal banks, timed block by block (rolling_voices.h).
 * Thread: control. */
#include "tests/bench/audio/rolling_voices.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/surface/rub.h"
#include "tests/bench/measure.h"

#include <math.h>
#include <string.h>

enum { VOICES = 1024, MODES = 32, BLOCKS = 200 };

/* Positions along the body, two per block: it is crossed in half a second. */
enum { PLACES = 376 };

typedef struct voice {
    sb_modal_bank *bank;
    sb_rub rub;
    int place, way; /* position, and step 2 or -2 */
} voice;

typedef struct hall {
    voice voices[VOICES];
    float weights[PLACES][MODES];
    sb_surface *surface;
    char *memory; /* banks */
    double share[BLOCKS], force[BLOCKS];
} hall;

static void draw_places(hall *h) {
    for (int i = 0; i < PLACES; i++) {
        double x = (double)i / (PLACES - 1);
        for (int k = 0; k < MODES; k++)
            h->weights[i][k] = (float)(2.8 * sin((k + 1) * SB_PI * x));
    }
}

static sb_status furnish(hall *h, sb_random *random, sb_error *err) {
    size_t bytes = sb_modal_bank_bytes(MODES);
    sb_surface_def surface = sb_surface_default(SB_SURFACE_FRACTAL);
    sb_status status = sb_surface_create(&surface, &h->surface, err);
    if (status) return status;
    h->memory = sb_alloc_aligned(VOICES * bytes);
    if (!h->memory)
        return sb_fail(err, SB_NO_MEMORY, "no memory for %d bodies",
                       (int)VOICES);
    draw_places(h);
    for (int i = 0; i < VOICES; i++) {
        voice *v = &h->voices[i];
        sb_bank_mode modes[MODES];
        for (int k = 0; k < MODES; k++) {
            double share = (k + sb_random_unit(random)) / MODES;
            modes[k] = (sb_bank_mode){2 * SB_PI * 100.0 * pow(160.0, share),
                                      3.0 + 100.0 * share, 1.0};
        }
        v->bank = sb_modal_bank_init(h->memory + (size_t)i * bytes, MODES,
                                     BENCH_RATE_HZ);
        if (sb_modal_bank_set_modes(v->bank, modes, MODES))
            return sb_fail(err, SB_BAD_ARGUMENT, "the bank refused its modes");
    }
    return SB_OK;
}

/* Put a rolling contact on every body. */
static void set_rolling(hall *h, bool has_profile, sb_random *random) {
    for (int i = 0; i < VOICES; i++) {
        voice *v = &h->voices[i];
        sb_rub_def def = sb_rub_default();
        def.gain[SB_RUB_PROFILE] = has_profile ? 1.0 : 0.0;
        def.gain[SB_RUB_IMPACTS] = 1.0;
        def.surface[0] = has_profile ? h->surface : NULL;
        def.start_m[0] = sb_random_unit(random);
        def.seed = (uint64_t)i;
        sb_rub_init(&v->rub, &def, BENCH_RATE_HZ);
        v->place = 2 * (i % (PLACES / 2 - 1));
        v->way = 2;
    }
}

static void push(voice *v, float *force) {
    sb_contact_load load = {0.1, {0.5 + 0.001 * v->place, 0.5}, 0.0};
    memset(force, 0, SB_BLOCK_FRAMES * sizeof *force);
    sb_rub_block(&v->rub, &load, &load, force);
}

/* Play one block of one voice. */
static void play(const hall *h, voice *v, float *out) {
    float force[SB_BLOCK_FRAMES];
    int last = v->place + v->way;
    push(v, force);
    memset(out, 0, SB_BLOCK_FRAMES * sizeof *out);
    sb_modal_bank_drive(v->bank, force, h->weights[v->place],
                        h->weights[v->place + v->way / 2], h->weights[last],
                        true, out);
    v->place = last;
    if (last + v->way < 0 || last + v->way >= PLACES) v->way = -v->way;
}

static void measure(hall *h, const char *name, const char *label, report *to) {
    double deadline_s = SB_BLOCK_FRAMES / BENCH_RATE_HZ;
    float heard[SB_BLOCK_FRAMES];
    for (int block = 0; block < BLOCKS; block++) {
        double from_s = sb_clock_thread_s();
        for (int i = 0; i < VOICES; i++)
            play(h, &h->voices[i], heard);
        double then_s = sb_clock_thread_s();
        h->share[block] = (then_s - from_s) / deadline_s;
        for (int i = 0; i < VOICES; i++)
            push(&h->voices[i], heard);
        h->force[block] = (sb_clock_thread_s() - then_s) / deadline_s;
    }
    spread share = spread_of(h->share, BLOCKS);
    (void)report_row(to, name, label,
                     (double[]){share.p50, share.p99, share.best,
                                spread_of(h->force, BLOCKS).best});
}

sb_status report_rolling(report *to, sb_error *err) {
    static const report_column columns[] = {
        {"p50", "p50", "%6.0f %%", 100},
        {"p99", "p99", "%6.0f %%", 100},
        {"best", "best", "%6.0f %%", 100},
        {"force", "the forces alone", "%14.0f %%", 100},
        {NULL, NULL, NULL, 0}};
    hall *h = sb_alloc(1, sizeof *h);
    if (!h) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_random random = sb_random_make(2, 1);
    sb_status status = furnish(h, &random, err);
    if (!status) {
        report_say(to,
                   "\n%d rolling voices of %d modes each, a moving contact on "
                   "every one: force, ringing and driving\n\n",
                   VOICES, MODES);
        report_table(to, "rolling", NULL, "of a block", 28, columns);
        report_put(to, "voices", VOICES);
        report_put(to, "body_modes", MODES);
        set_rolling(h, false, &random);
        measure(h, "impacts", "micro-impacts", to);
        set_rolling(h, true, &random);
        measure(h, "impacts_and_profile", "micro-impacts and profile", to);
        report_end(to);
    }
    sb_surface_release(h->surface);
    sb_free(h->memory);
    sb_free(h);
    return status;
}
