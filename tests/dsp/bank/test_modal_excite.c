/* SPDX-License-Identifier: MIT */
/* Excitation of the bank: impulses between frames, half-sine pulses, driving
 * forces. */
#include "tests/dsp/bank/modal_bank_fixture.h"

enum { COUNT = 21, BLOCKS = 6, FRAMES = BLOCKS * BLOCK };

/* Ringing, nearly critical and overdamped modes, side by side. */
static void mixed_modes(sb_bank_mode modes[COUNT], double rate_hz) {
    for (int k = 0; k < COUNT; k++) {
        modes[k] = some_mode(k, COUNT, 0.5 * rate_hz);
        if (k % 8 == 3) modes[k].sigma_per_s = 0.999 * modes[k].omega_rad_s;
        if (k % 8 == 6) modes[k].sigma_per_s = 1.7 * modes[k].omega_rad_s;
    }
}

static void some_weights(float weights[COUNT], double seed) {
    for (int k = 0; k < COUNT; k++)
        weights[k] = (float)sin(seed * (k + 1));
}

static double loudest(const double *x, int count) {
    double peak = 0;
    for (int n = 0; n < count; n++)
        peak = fmax(peak, fabs(x[n]));
    return peak;
}

/* --- impulses --------------------------------------------------------------*/

START_TEST(an_impulse_between_frames_is_the_closed_form_shifted) {
    if (!use_isa(_i)) return;
    const double at[] = {0, 0.001, 0.5, 0.999, 1, 17.25, 64, 126.5, 127, 127.9};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        sb_bank_mode modes[COUNT];
        float weights[COUNT];
        mixed_modes(modes, 48000);
        some_weights(weights, 1.3);
        sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
        double worst = 0;
        for (int block = 0; block < BLOCKS; block++) {
            float out[BLOCK] = {0};
            sb_modal_bank_render(bank, out);
            if (block == 1) strike_at(bank, weights, 0.1, at[i], out);
            for (int n = 0; n < BLOCK; n++) {
                double t = ((block - 1) * BLOCK + n - at[i]) / 48000, sum = 0;
                for (int k = 0; k < COUNT; k++) {
                    sum += 0.1 * (double)weights[k] * modes[k].out_gain *
                           exact_velocity(modes[k], t);
                }
                worst = worst_of(worst, (double)out[n], sum);
            }
        }
        ck_assert_msg(worst < 1e-6, "at %g: %g", at[i], worst);
        sb_free(bank);
    }
}
END_TEST

static void two_strikes(bool first, bool second, float out[FRAMES]) {
    sb_bank_mode modes[COUNT];
    float weights[2][COUNT];
    mixed_modes(modes, 48000);
    some_weights(weights[0], 1.3);
    some_weights(weights[1], 0.7);
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    memset(out, 0, sizeof(float) * FRAMES);
    for (int block = 0; block < BLOCKS; block++) {
        float *at = out + block * BLOCK;
        sb_modal_bank_render(bank, at);
        if (first && block == 1) strike_at(bank, weights[0], 0.3, 5.5, at);
        if (second && block == 2) strike_at(bank, weights[1], -0.2, 50, at);
    }
    sb_free(bank);
}

START_TEST(strikes_superpose) {
    if (!use_isa(_i)) return;
    float a[FRAMES], b[FRAMES], both[FRAMES];
    two_strikes(true, false, a);
    two_strikes(false, true, b);
    two_strikes(true, true, both);
    double worst = 0;
    for (int n = 0; n < FRAMES; n++)
        worst = worst_of(worst, (double)(a[n] + b[n]), (double)both[n]);
    ck_assert_double_lt(worst, 2e-6);
}
END_TEST

/* --- pulses ----------------------------------------------------------------*/

typedef struct pulse {
    double start_s, rad_s, force_n;
} pulse;

typedef struct motion {
    double q, v;
} motion;

static double force_at(const pulse *p, double t) {
    double phase = p->rad_s * (t - p->start_s);
    return phase > 0 && phase < SB_PI ? p->force_n * sin(phase) : 0;
}

static motion slope(sb_bank_mode mode, double weight, const pulse *p, motion m,
                    double t) {
    double w0 = mode.omega_rad_s;
    return (motion){m.v, weight * force_at(p, t) - w0 * w0 * m.q -
                             2 * mode.sigma_per_s * m.v};
}

/* Fourth-order Runge-Kutta in small steps, independent of the bank. */
static motion integrate(sb_bank_mode mode, double weight, const pulse *p,
                        motion m, double from, double to) {
    enum { STEPS = 60 };
    double h = (to - from) / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double t = from + i * h;
        motion a = slope(mode, weight, p, m, t);
        motion at = {m.q + h / 2 * a.q, m.v + h / 2 * a.v};
        motion b = slope(mode, weight, p, at, t + h / 2);
        at = (motion){m.q + h / 2 * b.q, m.v + h / 2 * b.v};
        motion c = slope(mode, weight, p, at, t + h / 2);
        at = (motion){m.q + h * c.q, m.v + h * c.v};
        motion d = slope(mode, weight, p, at, t + h);
        m.q += h / 6 * (a.q + 2 * b.q + 2 * c.q + d.q);
        m.v += h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v);
    }
    return m;
}

/* Steps end at the pulse's two corners, so that none has one inside. */
static void integrate_mode(sb_bank_mode mode, double weight, const pulse *p,
                           double rate_hz, double *out) {
    double corners[2] = {p->start_s, p->start_s + SB_PI / p->rad_s}, last = 0;
    motion m = {0, 0};
    for (int n = 0; n < FRAMES; n++) {
        double t = n / rate_hz;
        for (int i = 0; i < 2; i++) {
            if (corners[i] > last && corners[i] < t) {
                m = integrate(mode, weight, p, m, last, corners[i]);
                last = corners[i];
            }
        }
        m = integrate(mode, weight, p, m, last, t);
        last = t;
        out[n] += mode.out_gain * m.v;
    }
}

/* As a voice does it: edges in their blocks, the forced part between. */
static void play_pulse(sb_modal_bank *bank, const pulse *p, double rate_hz,
                       const float *weights, float out[FRAMES]) {
    double edges[2] = {p->start_s * rate_hz,
                       (p->start_s + SB_PI / p->rad_s) * rate_hz};
    sb_bank_impulse impulse = {.impulse_ns = 2 * p->force_n / p->rad_s,
                               .pulse_rad_s = p->rad_s,
                               .weights = weights};
    double cos_part, sin_part;
    sb_modal_bank_pulse_forced(bank, &impulse, &cos_part, &sin_part);
    memset(out, 0, sizeof(float) * FRAMES);
    for (int block = 0; block < BLOCKS; block++) {
        sb_modal_bank_render(bank, out + block * BLOCK);
        for (int i = 0; i < 2; i++) {
            impulse.at_frame = edges[i] - block * BLOCK;
            if (impulse.at_frame >= 0 && impulse.at_frame < BLOCK)
                sb_modal_bank_impulse(bank, &impulse, out + block * BLOCK);
        }
    }
    for (int n = (int)ceil(edges[0]); n < edges[1]; n++) {
        double phase = p->rad_s * (n / rate_hz - p->start_s);
        out[n] -= (float)(cos_part * cos(phase) + sin_part * sin(phase));
    }
}

static double pulse_error(const sb_bank_mode *modes, int count, double rate_hz,
                          double frames_long, double start_frame) {
    static double exact[FRAMES];
    float out[FRAMES], *weights = weights_new(count);
    sb_modal_bank *bank = bank_new(modes, count, rate_hz);
    pulse p = {start_frame / rate_hz, SB_PI * rate_hz / frames_long, 3};
    p.rad_s = sb_modal_bank_safe_pulse(bank, p.rad_s);
    memset(exact, 0, sizeof exact);
    for (int k = 0; k < count; k++) {
        weights[k] = (float)cos(k);
        integrate_mode(modes[k], (double)weights[k], &p, rate_hz, exact);
    }
    play_pulse(bank, &p, rate_hz, weights, out);
    double worst = 0;
    for (int n = 0; n < FRAMES; n++)
        worst = worst_of(worst, (double)out[n], exact[n]);
    sb_free(bank);
    free(weights);
    return worst / loudest(exact, FRAMES);
}

START_TEST(a_pulse_is_what_brute_force_makes_of_it) {
    if (!use_isa(_i)) return;
    const double rates[] = {44100, 192000};
    const double lengths[] = {0.3, 3.7, 40, 130, 333}; /* frames */
    for (int r = 0; r < 2; r++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            sb_bank_mode modes[COUNT];
            mixed_modes(modes, rates[r]);
            double error =
                pulse_error(modes, COUNT, rates[r], lengths[i], 100.3);
            ck_assert_msg(error < 1e-5, "%g frames at %g: error %g", lengths[i],
                          rates[r], error);
        }
    }
}
END_TEST

START_TEST(a_pulse_on_one_mode_is_right_on_both_sides_of_resonance) {
    if (!use_isa(_i)) return;
    /* W / w0; the one at resonance is moved by safe_pulse. */
    const double ratios[] = {0.05, 0.5, 0.95, 1, 1.05, 2, 20};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        for (int damped = 0; damped < 4; damped++) {
            double frames_long = 50, rate = 44100;
            double omega = SB_PI * rate / frames_long / ratios[i];
            double s = (double[]){1, 0.3 * omega, omega, 4 * omega}[damped];
            if (omega > 0.5 * SB_PI * rate) continue; /* above Nyquist */
            sb_bank_mode mode = {omega, s, 1};
            double error = pulse_error(&mode, 1, rate, frames_long, 10.6);
            ck_assert_msg(error < 1e-5, "ratio %g damping %d: error %g",
                          ratios[i], damped, error);
        }
    }
}
END_TEST

/* The least |W^2 - w0^2| / W^2. */
static double clearance(const sb_bank_mode *modes, int count, double rad_s) {
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        double ratio = modes[k].omega_rad_s / rad_s;
        least = fmin(least, fabs(1 - ratio * ratio));
    }
    return least;
}

START_TEST(a_safe_pulse_keeps_off_every_resonance) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    for (int k = 0; k < COUNT; k++)
        modes[k] = mode_hz(1000 * pow(1.031, k), 0.5, 1);
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    for (int i = 0; i < 1000; i++) {
        double asked = 2 * SB_PI * (980 + 0.5 * i);
        double given = sb_modal_bank_safe_pulse(bank, asked);
        ck_assert_double_eq_tol(given / asked, 1, 0.0121);
        ck_assert_double_ge(clearance(modes, COUNT, given), 0.015);
        if (clearance(modes, COUNT, asked) > 0.015)
            ck_assert_double_eq(given, asked);
    }
    ck_assert_double_eq(sb_modal_bank_safe_pulse(bank, 0), 0);
    /* Where no frequency is far enough from all modes, the best one is
     * taken. */
    for (int k = 0; k < COUNT; k++)
        modes[k] = mode_hz(1000 * pow(1.0031, k), 0, 1);
    ck_assert_int_eq(sb_modal_bank_retune(bank, modes, COUNT), SB_OK);
    double given = sb_modal_bank_safe_pulse(bank, modes[10].omega_rad_s);
    ck_assert_double_gt(clearance(modes, COUNT, given), 2e-3);
    sb_free(bank);
}
END_TEST

/* --- driving forces --------------------------------------------------------*/

START_TEST(a_driving_force_is_a_strike_at_every_frame) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    float weights[COUNT], force[BLOCK];
    mixed_modes(modes, 48000);
    some_weights(weights, 2.1);
    sb_modal_bank *driven = bank_new(modes, COUNT, 48000);
    sb_modal_bank *struck = bank_new(modes, COUNT, 48000);
    double worst = 0, peak = 0;
    for (int block = 0; block < BLOCKS; block++) {
        float a[BLOCK] = {0}, b[BLOCK] = {0};
        some_force(force, block);
        sb_modal_bank_render(driven, a);
        sb_modal_bank_render(struck, b);
        if (block < 3) {
            sb_modal_bank_drive(driven, force, weights, weights, weights, false,
                                a);
            for (int n = 0; n < BLOCK; n++)
                strike_at(struck, weights, (double)force[n], n, b);
        }
        compare_blocks(a, b, &worst, &peak);
    }
    ck_assert_double_gt(peak, 1);
    ck_assert_double_lt(worst / peak, 2e-6);
    double energy = sb_modal_bank_energy_j(struck);
    ck_assert_double_eq_tol(sb_modal_bank_energy_j(driven) / energy, 1, 1e-5);
    sb_free(driven);
    sb_free(struck);
}
END_TEST

START_TEST(no_force_wakes_nothing) {
    if (!use_isa(_i)) return;
    sb_bank_mode modes[COUNT];
    float weights[COUNT], force[BLOCK] = {0}, out[BLOCK] = {0};
    mixed_modes(modes, 48000);
    some_weights(weights, 2.1);
    sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
    sb_modal_bank_drive(bank, force, weights, weights, weights, false, out);
    strike_at(bank, weights, 0, 3, out);
    ck_assert_int_eq(bank_active_count(bank), 0);
    sb_free(bank);
}
END_TEST

/* --- NaN -------------------------------------------------------------------*/

START_TEST(what_is_not_a_number_is_heard_once_and_then_gone) {
    if (!use_isa(_i)) return;
    const double impulses[] = {NAN, INFINITY, -INFINITY, 1};
    for (size_t i = 0; i < sizeof impulses / sizeof *impulses; i++) {
        sb_bank_mode modes[COUNT];
        float weights[COUNT], out[BLOCK] = {0};
        mixed_modes(modes, 48000);
        some_weights(weights, 2.1);
        if (impulses[i] == 1) weights[5] = NAN;
        sb_modal_bank *bank = bank_new(modes, COUNT, 48000);
        strike_at(bank, weights, impulses[i], 3, out);
        ck_assert(!isfinite(out[100]));
        float force[BLOCK] = {NAN, 1, INFINITY};
        sb_modal_bank_drive(bank, force, weights, weights, weights, false, out);
        strike_at(bank, weights, 1, NAN, out);
        strike_at(bank, weights, 1, 1e300, out);
        strike_at(bank, weights, 1, -5, out);
        for (int block = 0; block < 4; block++) {
            memset(out, 0, sizeof out);
            sb_modal_bank_render(bank, out);
        }
        for (int n = 0; n < BLOCK; n++)
            ck_assert(isfinite(out[n]));
        ck_assert(isfinite(sb_modal_bank_energy_j(bank)));
        sb_free(bank);
    }
}
END_TEST

int main(void) {
    const TTest *const each_isa[] = {
        an_impulse_between_frames_is_the_closed_form_shifted,
        strikes_superpose,
        a_pulse_is_what_brute_force_makes_of_it,
        a_pulse_on_one_mode_is_right_on_both_sides_of_resonance,
        a_safe_pulse_keeps_off_every_resonance,
        a_driving_force_is_a_strike_at_every_frame,
        no_force_wakes_nothing,
        what_is_not_a_number_is_heard_once_and_then_gone,
        NULL,
    };
    Suite *suite = suite_create("modal excitation");
    TCase *tests = tcase_create("modal excitation");
    for (int i = 0; each_isa[i]; i++)
        tcase_add_loop_test(tests, each_isa[i], 0, ISA_COUNT);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
