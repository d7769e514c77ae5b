/* Times free and driven modal banks, and the peak FMA rate, in turn.
 * Runs on the control thread. */
#include "runtime/bench/bench_modal_bank.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/bench/fma_peak.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    RATE_HZ = 48000,
    BODY_MODES = 1000,
    HEADLINE_BODIES = 4,
    MOST_BODIES = 400,
    ROUNDS = 101,    /* rounds of the main figure, about 30 ms each */
    SET_ROUNDS = 25, /* rounds per working set */
};

static const int set_bodies[SB_BENCH_MODAL_SETS] = {1, 4, 8, 64, MOST_BODIES};

/* Duration of one measurement: long against the clock's resolution, short
 * against changes of the machine's speed, so that the peak measured next to it
 * is comparable. */
static const double slice_s = 4e-3;

typedef struct series {
    double modes[ROUNDS], peaks[ROUNDS];
} series;

typedef struct bodies {
    sb_modal_bank *banks[MOST_BODIES];
    sb_bank_contact *contacts; /* one per body */
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
        const sb_bank_contact *contact = &all->contacts[i];
        memset(out, 0, sizeof out);
        sb_modal_bank_render(all->banks[i], out);
        sb_modal_bank_drive(all->banks[i], all->force, contact, out);
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
    return sb_fma_run(all->peak_bits, 5000);
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

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median; *best is the largest. */
static double median(double *values, int count, double *best) {
    qsort(values, (size_t)count, sizeof *values, compare);
    *best = values[count - 1];
    return values[count / 2];
}

/* Measure the modes in real time, and the peak directly after it. */
static void measure(series *to, int round, work what, bodies *all, int count) {
    to->peaks[round] = rate_of(multiply_add, all, 0);
    to->modes[round] = rate_of(what, all, count);
}

/* Shares compare the two medians and the two best values. */
static sb_bench_rate summary(series *from, int rounds, int fma_a_sample,
                             double *peak) {
    double best_peak, per_mode = 2.0 * fma_a_sample * RATE_HZ;
    sb_bench_rate rate;
    *peak = median(from->peaks, rounds, &best_peak);
    rate.modes = median(from->modes, rounds, &rate.best_modes);
    rate.share = rate.modes * per_mode / *peak;
    rate.best_share = rate.best_modes * per_mode / best_peak;
    return rate;
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
    sb_free(all->contacts);
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
    sb_modal_bank_contact_prepare(bank, all->weights, &all->contacts[index]);
    return SB_OK;
}

static sb_status bodies_create(bodies **out, sb_error *err) {
    bodies *all = sb_alloc(1, sizeof *all);
    if (!all) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    *out = all;
    all->contacts = sb_alloc(MOST_BODIES, sizeof *all->contacts);
    if (!all->contacts)
        return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
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
        ringing += sb_modal_bank_active_count(all->banks[i]);
    return ringing;
}

static void run_headline(bodies *all, sb_bench_modal_result *out) {
    double naive[ROUNDS], narrow[ROUNDS], best, peak;
    int widest = all->peak_bits, narrower = sb_fma_widest_bits(256);
    for (int round = 0; round < ROUNDS; round++) {
        measure(&all->free, round, ring_free, all, HEADLINE_BODIES);
        measure(&all->driven, round, ring_driven, all, HEADLINE_BODIES);
        naive[round] = rate_of(ring_naive, all, 1);
        all->peak_bits = narrower;
        narrow[round] = rate_of(multiply_add, all, 0);
        all->peak_bits = widest;
    }
    out->driven = summary(&all->driven, ROUNDS, 4, &peak);
    out->free = summary(&all->free, ROUNDS, 2, &peak);
    out->fma_peak_gflops = 1e-9 * peak;
    out->modes_realtime_free = out->free.modes;
    out->modes_realtime_driven = out->driven.modes;
    out->modes_realtime_naive = median(naive, ROUNDS, &best);
    out->fma_peak_256_gflops =
        narrower == 256 ? 1e-9 * median(narrow, ROUNDS, &best) : 0;
    out->body_modes = BODY_MODES;
    out->modes_ringing = count_ringing(all, HEADLINE_BODIES);
}

static void run_sets(bodies *all, sb_bench_modal_result *out) {
    for (int i = 0; i < SB_BENCH_MODAL_SETS; i++) {
        sb_bench_modal_set *set = &out->sets[i];
        int count = set_bodies[i];
        double peak;
        (void)ring_free(all, count); /* fill the caches */
        for (int round = 0; round < SET_ROUNDS; round++)
            measure(&all->free, round, ring_free, all, count);
        set->free = summary(&all->free, SET_ROUNDS, 2, &peak);
        set->modes_ringing = count_ringing(all, count);
        set->megabytes = 1e-6 * count * (double)sb_modal_bank_bytes(BODY_MODES);
    }
}

sb_status sb_bench_modal_bank(sb_bench_modal_result *out, sb_error *err) {
    cpu_set_t before, one;
    bool is_pinned = sched_getaffinity(0, sizeof before, &before) == 0;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (is_pinned) is_pinned = sched_setaffinity(0, sizeof one, &one) == 0;

    bodies *all = NULL;
    sb_bench_modal_result result = {.isa = sb_isa_choose(NULL)};
    sb_status status = bodies_create(&all, err);
    if (status == SB_OK && all) {
        all->peak_bits = result.vector_bits = sb_fma_widest_bits(512);
        run_headline(all, &result);
        run_sets(all, &result);
        *out = result;
    }
    bodies_free(all);
    if (is_pinned) (void)sched_setaffinity(0, sizeof before, &before);
    return status;
}
