/* SPDX-License-Identifier: MIT */
/* bench contacts --campaign: does any impact gain energy?
 *
 * Random impacts over twelve decades of mass, stiffness, loss, speed, weights
 * and gravity, exponents from 1 to 4, bodies of one to four modes, four sample
 * rates. Each is played until the block after it has touched; then
 *
 *     kinetic + contact spring + modes - m g y
 *
 * must not exceed what the striker came with, by more than 1e-9 of the largest
 * of its terms. As many single steps of the two solvers are solved by
 * themselves: how many iterations they take, and, for one step in ten, how far
 * the gradient's penetration lies from the root that halving an interval in
 * extended precision finds. The K-method's own energy error is only reported.
 * Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "tests/bench/audio/struck_bank.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <string.h>

#define ALLOWED 1e-9

enum { MODES = 4, PADDED = 64, BLOCKS = 3 };

static const double rates_hz[] = {44100.0, 48000.0, 96000.0, 192000.0};

/* A tenth as many by the K-method. */
typedef struct impact_counts {
    long sets;
    long touched;    /* impacts whose contact began within the blocks played */
    long not_finite; /* impacts that gave NaN or infinity */
    long gained;     /* impacts above 1e-9 */
    double worst;    /* gain, as a share of the largest term */
} impact_counts;

/* Steps that are solved by themselves. */
typedef struct step_counts {
    double most[2], sum[2]; /* iterations: gradient, kmethod */
    long not_finite;
    double miss; /* error of the root, relative to the distance */
} step_counts;

/* Memory for one body, reused for every impact. */
typedef struct room {
    sb_modal_bank *bank;
    sb_modal_field field;
    char *bank_memory, *field_memory;
    float weights[PADDED];
} room;

static double decades(sb_random *random, double from, double to) {
    return pow(10.0, from + (to - from) * sb_random_unit(random));
}

static bool toss(sb_random *random) {
    return sb_random_unit(random) < 0.5;
}

static sb_contact_law any_law(sb_random *random) {
    sb_contact_law law = {decades(random, 2, 14), 1.5, 0.0};
    if (toss(random)) law.exponent = 1.0 + 3.0 * sb_random_unit(random);
    if (toss(random)) law.lambda = law.stiffness * decades(random, -6, 6);
    return law;
}

/* --- whole impacts -------------------------------------------------------- */

static bool furnish(room *r, int count, double rate_hz, sb_random *random) {
    sb_bank_mode modes[MODES];
    memset(r->weights, 0, sizeof r->weights);
    for (int k = 0; k < count; k++) {
        modes[k] = (sb_bank_mode){SB_TAU * decades(random, 0, 4.3),
                                  decades(random, -3, 5), 1.0};
        double weight = decades(random, -6, 6);
        r->weights[k] = (float)(toss(random) ? weight : -weight);
    }
    r->bank = sb_modal_bank_init(r->bank_memory, count, rate_hz);
    sb_modal_field_init(&r->field, r->field_memory, count);
    return sb_modal_bank_set_modes(r->bank, modes, count) == SB_OK;
}

/* With gravity the body gets no rigid motion, so that the striker's position is
 * known, and it touches at a frame, where the energy balance begins. */
static sb_striker any_striker(const room *r, sb_random *random) {
    sb_striker s = {.law = any_law(random),
                    .mass_kg = decades(random, -8, 4),
                    .speed_m_s = decades(random, -8, 4),
                    .limit_s = 10.0,
                    .weights = r->weights,
                    .start_frame =
                        floor(100.0 + 27.0 * sb_random_unit(random))};
    if (toss(random)) {
        double pull = decades(random, -8, 4);
        s.gravity_m_s2 = toss(random) ? pull : -pull;
    } else {
        s.start_frame += sb_random_unit(random);
        if (toss(random)) s.inverse_mass = decades(random, -4, 8);
    }
    return s;
}

/* Total energy, J; *largest is its largest term. */
static double energy_j(const room *r, const sb_striker *s, double *largest) {
    double v = s->phase == SB_STRIKER_WAITING ? s->speed_m_s : s->velocity_m_s;
    double flies = 0.5 * s->mass_kg * v * v;
    double carried = s->inverse_mass > 0.0
                         ? 0.5 * s->body_velocity_m_s * s->body_velocity_m_s /
                               s->inverse_mass
                         : 0.0;
    double pressed = s->phase == SB_STRIKER_TOUCHING
                         ? sb_contact_energy_j(&s->law, s->depth_m)
                         : 0.0;
    double rings = sb_modal_bank_energy_j(r->bank);
    double fallen = s->mass_kg * s->gravity_m_s2 * s->position_m;
    *largest = fmax(fmax(flies, rings), fmax(pressed, fabs(fallen)));
    return flies + carried + pressed + rings - fallen;
}

/* Play one block as a voice does; false if the result is not finite. */
static bool play(room *r, sb_striker *s, double dt_s) {
    float out[SB_BLOCK_FRAMES];
    play_struck(r->bank, &r->field, s, dt_s, out);
    bool is_finite = true;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        is_finite = is_finite && isfinite(out[n]);
    return is_finite && isfinite(s->depth_m) && isfinite(s->velocity_m_s);
}

static void strike_once(room *r, bool is_kmethod, sb_random *random,
                        impact_counts *sum) {
    double rate_hz = rates_hz[sum->sets % 4];
    int count = 1 + (int)(MODES * sb_random_unit(random));
    if (!furnish(r, count, rate_hz, random)) return;
    sb_striker s = any_striker(r, random);
    s.is_kmethod = s.is_coarse = is_kmethod;
    sb_striker_prepare(&s, count, rate_hz);
    sum->sets++;
    double largest, most;
    double had = energy_j(r, &s, &most);
    for (int i = 0; i < BLOCKS && s.phase != SB_STRIKER_OVER; i++) {
        if (!play(r, &s, 1.0 / rate_hz)) {
            sum->not_finite++;
            return;
        }
        /* After the release from gravity the balance no longer holds. */
        if (s.is_loose) break;
        double now = energy_j(r, &s, &largest);
        most = fmax(most, largest);
        double gain = (now - had) / most;
        sum->worst = fmax(sum->worst, gain);
        if (gain > ALLOWED) {
            sum->gained++;
            break;
        }
        had = fmin(had, now);
    }
    sum->touched += s.contact.impulse_ns > 0.0;
}

/* --- single steps --------------------------------------------------------- */

typedef struct one_step {
    sb_contact_law law;
    double step_s, from_m, free_m, give, guess_n;
} one_step;

static one_step any_step(sb_random *random) {
    double step_s = 1.0 / rates_hz[sb_random_u32(random) % 4];
    if (toss(random)) step_s /= 1 + sb_random_u32(random) % 64;
    one_step s = {any_law(random), step_s, 0.0, 0.0, 0.0, 0.0};
    double far_m = decades(random, -12, 0);
    s.from_m = far_m * (toss(random) ? sb_random_unit(random)
                                     : -decades(random, -12, 0));
    s.free_m = s.from_m +
               far_m * decades(random, -12, 0) * (toss(random) ? 1.0 : -1.0);
    s.give = step_s * step_s * decades(random, -4, 8);
    if (toss(random)) s.guess_n = decades(random, -6, 6);
    return s;
}

/* The gradient's F at x1, in extended precision. */
static long double reference_force(const one_step *s, long double x1) {
    long double a1 = 1.0L + (long double)s->law.exponent;
    long double x0 = s->from_m, apart = x1 - x0;
    long double push =
        (long double)s->law.stiffness +
        (long double)s->law.lambda * apart / (long double)s->step_s;
    if (push <= 0.0L || (x0 <= 0.0L && x1 <= 0.0L)) return 0.0L;
    if (fabsl(apart) < 1e-7L * fabsl(x0))
        return powl((x0 + x1) / 2, a1 - 1) * push;
    long double end = x1 > 0.0L ? powl(x1, a1) : 0.0L;
    long double begin = x0 > 0.0L ? powl(x0, a1) : 0.0L;
    return (end - begin) / a1 / apart * push;
}

/* Error of the solver's x1, relative to the penetrations involved. */
static double miss_of(const one_step *s, double force_n) {
    long double give = s->give, free_m = s->free_m;
    long double high = free_m, low = fminl((long double)s->from_m, free_m) -
                                     give * reference_force(s, free_m) - 1e-30L;
    for (int i = 0; i < 120; i++) {
        long double x = 0.5L * (low + high);
        if (x - free_m + give * reference_force(s, x) > 0.0L) {
            high = x;
        } else {
            low = x;
        }
    }
    long double x1 = free_m - give * (long double)force_n;
    return (double)(fabsl(x1 - high) / (fabsl((long double)s->from_m) +
                                        fabsl(free_m) + fabsl(high)));
}

static step_counts solve_steps(long count, sb_random *random) {
    step_counts out = {0};
    for (long i = 0; i < count; i++) {
        one_step s = any_step(random);
        int taken[2];
        double force = sb_contact_gradient(&s.law, s.step_s, s.from_m, s.free_m,
                                           s.give, s.guess_n, &taken[0]);
        if (i % 10 == 0) out.miss = fmax(out.miss, miss_of(&s, force));
        sb_contact_step step = {s.free_m, (s.free_m - s.from_m) / s.step_s,
                                s.give, 2.0 * s.give / s.step_s, s.guess_n};
        double end = sb_contact_kmethod(&s.law, &step, &taken[1]);
        for (int k = 0; k < 2; k++) {
            out.sum[k] += taken[k];
            out.most[k] = fmax(out.most[k], taken[k]);
        }
        out.not_finite += !isfinite(force) || !isfinite(end);
    }
    return out;
}

static void report_impacts(report *to, const char *name,
                           const impact_counts *c) {
    (void)report_row(to, name, NULL,
                     (double[]){(double)c->sets, (double)c->touched,
                                (double)c->not_finite, (double)c->gained,
                                c->worst});
}

static void report_steps(report *to, long count, const step_counts *steps) {
    static const char *const labels[2] = {"iterations of the gradient",
                                          "iterations of the K-method"};
    static const char *const keys[2] = {"gradient_iterations",
                                        "kmethod_iterations"};
    report_say(to, "\n");
    report_value(to, "steps", "steps solved by themselves", "%10.0f", 1,
                 (double)count);
    report_value(to, "steps_not_finite", "not finite", "%10.0f", 1,
                 (double)steps->not_finite);
    for (int k = 0; k < 2; k++) {
        report_value(to, NULL, labels[k], "%10.2f", 1,
                     steps->sum[k] / (double)count);
        report_value(to, keys[k], "  at most", "%10.0f", 1, steps->most[k]);
    }
    report_value(to, "worst_miss", "gradient off its root, at most", "%10.2g",
                 1, steps->miss);
}

static void run(room *r, long sets, report *to) {
    static const report_column columns[] = {
        {"sets", "impacts", "%10.0f", 0},
        {"touched", "touched", "%10.0f", 0},
        {"not_finite", "not finite", "%10.0f", 0},
        {"gained", "gained", "%10.0f", 0},
        {"worst_gain", "most", "%10.2g", 0},
        {NULL, NULL, NULL, 0}};
    sb_random random = sb_random_make(1, 1);
    impact_counts gradient = {0}, kmethod = {0};
    for (long i = 0; i < sets; i++)
        strike_once(r, false, &random, &gradient);
    for (long i = 0; i < sets / 10; i++)
        strike_once(r, true, &random, &kmethod);
    step_counts steps = solve_steps(sets, &random);
    report_say(to, "random impacts over twelve decades: does one ever give "
                   "more energy than it had, by 1e-9?\n\n");
    report_table(to, "", NULL, "", 10, columns);
    report_impacts(to, "gradient", &gradient);
    report_impacts(to, "kmethod", &kmethod);
    report_end(to);
    report_steps(to, sets, &steps);
    to->is_bad = gradient.gained + gradient.not_finite + kmethod.not_finite +
                     steps.not_finite >
                 0;
}

sb_status bench_energy(const bench_options *options, report *to,
                       sb_error *err) {
    room r = {.bank_memory = sb_alloc_aligned(sb_modal_bank_bytes(MODES)),
              .field_memory = sb_alloc_aligned(sb_modal_field_bytes(MODES))};
    bool has_memory = r.bank_memory && r.field_memory;
    if (has_memory) run(&r, (long)options->sets, to);
    sb_free(r.bank_memory);
    sb_free(r.field_memory);
    return has_memory ? SB_OK
                      : sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
}
