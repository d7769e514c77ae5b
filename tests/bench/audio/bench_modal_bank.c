/* SPDX-License-Identifier: MIT */
/* bench modal_bank: how many modes one core rings in real time, and how near
 * that is to what the core can do at all.
 *
 * A mode costs two fused multiply-adds per sample when it rings freely and four
 * when a force drives it too. So the bound is the core's peak rate of those,
 * measured in the same run, and the share of it is the figure that another
 * machine can be held to.
 *
 *     modes in real time = modes ringing * (seconds of sound / seconds of work)
 *
 * is a rate: it holds while the modes at work fit where they fitted in the
 * measurement. The table of working sets shows how it falls when they do not.
 *
 * All measures are taken in turn, many times over, and given as medians; `best`
 * is the best of each. Thread: control, on one core. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/vector/isa.h"
#include "tests/bench/audio/fma_peak.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/dsp/bank/bank_queries.h"

#include <math.h>
#include <sched.h>
#include <string.h>

enum {
    RATE_HZ = 48000,
    BODY_MODES = 1000,
    HEADLINE_BODIES = 4,
    MOST_BODIES = 400,
    ROUNDS = 101,    /* rounds of the main figure, about 30 ms each */
    SET_ROUNDS = 25, /* rounds per working set */
};

static const int set_bodies[] = {1, 4, 8, 64, MOST_BODIES};
enum { SETS = sizeof set_bodies / sizeof *set_bodies };

/* A rate and its share of the FMA peak: median of median, best of best. */
typedef struct mode_rate {
    double modes, best_modes; /* in real time at 48 kHz */
    double share, best_share; /* 0 to 1 */
} mode_rate;

/* Duration of one measurement: long against the clock's resolution, short
 * against changes of the machine's speed, so that the peak measured next to it
 * is comparable. */
static const double slice_s = 4e-3;

typedef struct series {
    double modes[ROUNDS], peaks[ROUNDS];
} series;

typedef struct bodies {
    sb_modal_bank *banks[MOST_BODIES];
    float weights[BODY_MODES];
    float force[SB_BLOCK_FRAMES];
    double naive[BODY_MODES][4]; /* y1, y2 and the two coefficients */
    int peak_bits;
    series free, driven; /* too large for a stack */
} bodies;

/* Do the work of a bench once and return its amount in its own unit. */
typedef double (*work)(bodies *all, int count);

/* --- what is measured ------------------------------------------------------*/

static double ring_free(bodies *all, int count) {
    float out[SB_BLOCK_FRAMES];
    for (int i = 0; i < count; i++) {
        memset(out, 0, sizeof out);
        sb_modal_bank_render(all->banks[i], out);
    }
    return (double)count * BODY_MODES * SB_BLOCK_FRAMES / RATE_HZ;
}

static double ring_driven(bodies *all, int count) {
    float out[SB_BLOCK_FRAMES];
    for (int i = 0; i < count; i++) {
        memset(out, 0, sizeof out);
        sb_modal_bank_drive(all->banks[i], all->force, all->weights,
                            all->weights, all->weights, true, out);
    }
    return (double)count * BODY_MODES * SB_BLOCK_FRAMES / RATE_HZ;
}

/* y[n] = 2 r cos(w) y[n-1] - r^2 y[n-2] for each mode. */
static double ring_naive(bodies *all, int count) {
    float out[SB_BLOCK_FRAMES] = {0};
    (void)count;
    for (int k = 0; k < BODY_MODES; k++) {
        double *mode = all->naive[k];
        double y1 = mode[0], y2 = mode[1];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            double y = mode[2] * y1 - mode[3] * y2;
            out[n] += (float)y;
            y2 = y1;
            y1 = y;
        }
        mode[0] = y1;
        mode[1] = y2;
    }
    __asm__ volatile("" ::"m"(out));
    return (double)BODY_MODES * SB_BLOCK_FRAMES / RATE_HZ;
}

static double multiply_add(bodies *all, int count) {
    (void)count;
    return fma_run(all->peak_bits, 5000);
}

/* Units of work per second in one slice. Reading the clock takes about a
 * microsecond, so it is read once per several hundred. */
static double rate_of(work what, bodies *all, int count) {
    int batch = 1 + 40 / (count > 1 ? count : 1);
    double done = 0, start = sb_clock_thread_s(), elapsed = 0;
    while (elapsed < slice_s) {
        for (int i = 0; i < batch; i++)
            done += what(all, count);
        elapsed = sb_clock_thread_s() - start;
    }
    return done / elapsed;
}

/* --- statistics ------------------------------------------------------------*/

/* Measure the modes in real time, and the peak directly after it. */
static void measure(series *to, int round, work what, bodies *all, int count) {
    to->peaks[round] = rate_of(multiply_add, all, 0);
    to->modes[round] = rate_of(what, all, count);
}

/* Shares compare the two medians and the two best values. */
static mode_rate summary(series *from, int rounds, int fma_a_sample) {
    double per_mode = 2.0 * fma_a_sample * RATE_HZ;
    spread peaks = spread_of(from->peaks, rounds);
    spread modes = spread_of(from->modes, rounds);
    return (mode_rate){modes.p50, modes.worst, modes.p50 * per_mode / peaks.p50,
                       modes.worst * per_mode / peaks.worst};
}

/* --- bodies ----------------------------------------------------------------*/

/* Damping so low that all modes ring for hours of sound. */
static sb_bank_mode mode_at(int k) {
    double share = (k + 0.5) / BODY_MODES;
    return (sb_bank_mode){SB_TAU * (40 + 19000 * share), 1e-5, 1};
}

static void naive_init(bodies *all) {
    for (int k = 0; k < BODY_MODES; k++) {
        sb_bank_mode mode = mode_at(k);
        double r = exp(-mode.sigma_per_s / RATE_HZ);
        double *state = all->naive[k];
        state[0] = 1;
        state[1] = 0;
        state[2] = 2 * r * cos(mode.omega_rad_s / RATE_HZ);
        state[3] = r * r;
    }
}

static void bodies_free(bodies *all) {
    if (!all) return;
    for (int i = 0; i < MOST_BODIES; i++)
        sb_free(all->banks[i]);
    sb_free(all);
}

static sb_status body_init(bodies *all, int index, sb_error *err) {
    sb_bank_mode modes[BODY_MODES];
    float out[SB_BLOCK_FRAMES];
    for (int k = 0; k < BODY_MODES; k++)
        modes[k] = mode_at(k);
    void *memory = sb_alloc_aligned(sb_modal_bank_bytes(BODY_MODES));
    if (!memory) {
        return sb_fail(err, SB_NO_MEMORY, "no memory for body %d of the bench",
                       index + 1);
    }
    sb_modal_bank *bank = sb_modal_bank_init(memory, BODY_MODES, RATE_HZ);
    all->banks[index] = bank;
    if (sb_modal_bank_set_modes(bank, modes, BODY_MODES))
        return sb_fail(err, SB_BAD_ARGUMENT, "the bank refused the modes");
    sb_bank_impulse impulse = {.impulse_ns = 1, .weights = all->weights};
    sb_modal_bank_impulse(bank, &impulse, out);
    return SB_OK;
}

static sb_status bodies_create(bodies **out, sb_error *err) {
    bodies *all = sb_alloc(1, sizeof *all);
    if (!all) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    *out = all;
    for (int k = 0; k < BODY_MODES; k++)
        all->weights[k] = 1;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        all->force[n] = (float)(1e-6 * sin(0.7 * n));
    naive_init(all);
    for (int i = 0; i < MOST_BODIES; i++) {
        sb_status status = body_init(all, i, err);
        if (status) return status;
    }
    return SB_OK;
}

/* --- the bench -------------------------------------------------------------*/

static int count_ringing(const bodies *all, int count) {
    int ringing = 0;
    for (int i = 0; i < count; i++)
        ringing += bank_active_count(all->banks[i]);
    return ringing;
}

static void report_rate(report *to, const char *label, const mode_rate *rate) {
    (void)report_row(to, NULL, label,
                     (double[]){rate->best_modes, rate->best_share, rate->modes,
                                rate->share});
}

static void run_headline(bodies *all, report *to) {
    static const report_column columns[] = {{NULL, "best", "%10.0f modes", 0},
                                            {NULL, "of peak", "%8.0f %%", 100},
                                            {NULL, "median", "%10.0f", 0},
                                            {NULL, "of peak", "%8.0f %%", 100},
                                            {NULL, NULL, NULL, 0}};
    double naive[ROUNDS], narrow[ROUNDS];
    int widest = all->peak_bits, narrower = fma_widest_bits(256);
    for (int round = 0; round < ROUNDS; round++) {
        measure(&all->free, round, ring_free, all, HEADLINE_BODIES);
        measure(&all->driven, round, ring_driven, all, HEADLINE_BODIES);
        naive[round] = rate_of(ring_naive, all, 1);
        all->peak_bits = narrower;
        narrow[round] = rate_of(multiply_add, all, 0);
        all->peak_bits = widest;
    }
    mode_rate driven = summary(&all->driven, ROUNDS, 4);
    mode_rate free = summary(&all->free, ROUNDS, 2);
    double naive_modes = spread_of(naive, ROUNDS).p50;
    /* Other programs slow down both the peak and the bank: the least disturbed
     * figures. Two multiply-adds, that is four operations, per mode and sample. */
    double peak = free.best_modes * 4.0 * RATE_HZ / free.best_share * 1e-9;
    int ringing = count_ringing(all, HEADLINE_BODIES);
    report_say(to,
               "modal bank at 48 kHz in blocks of 128 frames, one core, %s, %d "
               "modes ringing in bodies of %d\n\n",
               sb_isa_choose(NULL), ringing, BODY_MODES);
    report_value(to, "fma_peak_gflops", "multiply-add peak of this core",
                 "%.0f GFLOPS", 1, peak);
    report_put(to, "vector_bits", widest);
    if (narrower == 256)
        report_value(to, "fma_peak_256_gflops", "with 256-bit vectors",
                     "%.0f GFLOPS", 1, 1e-9 * spread_of(narrow, ROUNDS).p50);
    report_say(to, "\n");
    report_table(to, NULL, NULL, "in real time", 24, columns);
    report_rate(to, "ringing freely", &free);
    report_rate(to, "driven by a force", &driven);
    (void)report_row(to, NULL, "naive bank, ringing",
                     (double[]){NAN, NAN, naive_modes, NAN});
    report_end(to);
    report_put_text(to, "isa", sb_isa_choose(NULL));
    report_put(to, "modes_ringing", ringing);
    report_put(to, "modes_realtime_free", free.best_modes);
    report_put(to, "modes_realtime_driven", driven.best_modes);
    report_put(to, "modes_realtime_naive", naive_modes);
    report_put(to, "share_free", free.best_share);
    report_put(to, "share_driven", driven.best_share);
    report_put(to, "median_share_free", free.share);
    report_put(to, "median_share_driven", driven.share);
}

static void run_sets(bodies *all, report *to) {
    static const report_column columns[] = {
        {"modes_ringing", "ringing", "%10.0f", 0},
        {NULL, "MB", "%8.1f", 0},
        {NULL, "in real time", "%12.0f modes", 0},
        {NULL, "of peak", "%8.0f %%", 100},
        {"modes_realtime_free", NULL, NULL, 0},
        {NULL, NULL, NULL, 0}};
    report_say(to, "\n");
    report_table(to, "working_sets", "name", NULL, 0, columns);
    for (int i = 0; i < SETS; i++) {
        int count = set_bodies[i];
        (void)ring_free(all, count); /* fill the caches */
        for (int round = 0; round < SET_ROUNDS; round++)
            measure(&all->free, round, ring_free, all, count);
        mode_rate free = summary(&all->free, SET_ROUNDS, 2);
        double megabytes =
            1e-6 * count * (double)sb_modal_bank_bytes(BODY_MODES);
        (void)report_row(to, NULL, NULL,
                         (double[]){count_ringing(all, count), megabytes,
                                    free.best_modes, free.best_share,
                                    free.modes});
    }
    report_end(to);
}

sb_status bench_modal_bank(const bench_options *options, report *to,
                           sb_error *err) {
    (void)options;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* else: less steady */
    bodies *all = NULL;
    sb_status status = bodies_create(&all, err);
    if (status == SB_OK && all) {
        all->peak_bits = fma_widest_bits(512);
        run_headline(all, to);
        run_sets(all, to);
    }
    bodies_free(all);
    return status;
}
