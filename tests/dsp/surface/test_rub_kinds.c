/* SPDX-License-Identifier: MIT */
/* The kinds of lasting contact against their closed forms: pulses, the filter,
 * the limit, wobble, gravel, creak; and ramps without steps. */
#include "tests/dsp/surface/rub_fixture.h"

#include <complex.h>

static float force[200000];

/* |spectrum| of a block's worth of impulses at a frequency. */
static double line_of(const float *x, int count, double cycles) {
    double re = 0, im = 0;
    for (int n = 0; n < count; n++) {
        re += (double)x[n] * cos(2 * SB_PI * cycles * n);
        im += (double)x[n] * sin(2 * SB_PI * cycles * n);
    }
    return hypot(re, im);
}

START_TEST(a_pulse_has_its_impulse_its_place_and_its_spectrum) {
    const double durations_s[] = {0, 10e-6, 35e-6, 300e-6, 4e-3};
    for (int r = 0; r < RATE_COUNT; r++)
        for (int d = 0; d < 5; d++)
            for (double at = 120; at < 128; at += 0.77) {
                enum { COUNT = 10 * SB_BLOCK_FRAMES };
                double rate = rates_hz[r], T = durations_s[d];
                sb_pulses pulses = {0};
                sb_pulses_add(&pulses, (sb_pulse){at, T * rate, 0.02});
                memset(force, 0, sizeof(float) * COUNT);
                for (int i = 0; i < 10; i++)
                    sb_pulses_block(&pulses, force + i * SB_BLOCK_FRAMES);
                ck_assert_int_eq(pulses.count, 0);
                double sum = 0, moment = 0;
                for (int n = 0; n < COUNT; n++) {
                    sum += (double)force[n];
                    moment += n * (double)force[n];
                }
                ck_assert_double_eq_tol(sum, 0.02, 1e-8);
                ck_assert_double_eq_tol(moment / sum, at + 0.5 * T * rate,
                                        2e-4);
                for (double f = 100; f < 10001; f *= 2.154) {
                    double x = 2 * f * T, shape;
                    shape = fabs(cos(SB_PI * f * T) / (1 - x * x));
                    double got = line_of(force, COUNT, f / rate) / 0.02;
                    /* Of what is beyond the Nyquist frequency, all images
                     * together, less than a fifth is folded down. */
                    double up = rate - f, y = 2 * up * T;
                    double fold = fabs(cos(SB_PI * up * T) / (1 - y * y));
                    ck_assert_double_eq_tol(got, shape,
                                            0.011 * shape + 0.19 * fold + 1e-4);
                }
            }
}
END_TEST

START_TEST(a_full_train_loses_no_impulse) {
    sb_pulses pulses = {0};
    for (int i = 0; i < SB_PULSES_MOST + 10; i++)
        sb_pulses_add(&pulses, (sb_pulse){4 + i, 20, 1e-3});
    memset(force, 0, sizeof(float) * 256);
    sb_pulses_block(&pulses, force);
    sb_pulses_block(&pulses, force + 128);
    double sum = 0;
    for (int n = 0; n < 256; n++)
        sum += (double)force[n];
    ck_assert_double_eq_tol(sum, (SB_PULSES_MOST + 10) * 1e-3, 1e-6);
}
END_TEST

START_TEST(the_low_pass_is_the_analogue_one_at_every_rate) {
    const double dampings[] = {0.005, 0.05, 0.3, 0.95, 2, 20};
    for (int r = 0; r < RATE_COUNT; r++)
        for (int d = 0; d < 6; d++)
            for (double corner = 10; corner <= 16000; corner *= 1.37)
                for (double f = 20; f <= 10000; f *= 1.3) {
                    double b[3], a[2], z = dampings[d], w = 2 * SB_PI * corner;
                    sb_rub_filter(w, z, rates_hz[r], b, a);
                    double complex s = 2 * SB_PI * f * I;
                    double complex e = cexp(-s / rates_hz[r]);
                    double got = cabs((b[0] + e * (b[1] + e * b[2])) /
                                      (1 + e * (a[0] + e * a[1])));
                    double exact =
                        cabs(w * w * s / (s * s + 2 * z * w * s + w * w));
                    ck_assert_double_eq_tol(20 * log10(got / exact), 0, 0.05);
                }
}
END_TEST

static double rms_force_n(const float *impulse_ns, int count, double rate_hz) {
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += (double)impulse_ns[n] * (double)impulse_ns[n];
    return sqrt(sum / count) * rate_hz;
}

/* A sine of 1 um and 2 mm. */
static sb_surface *ripple(void) {
    float heights[512];
    for (int i = 0; i < 512; i++)
        heights[i] = (float)(1e-6 * sin(2 * SB_PI * 8 * i / 512));
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = 512;
    def.spacing_m = 0.016 / 512;
    return make_surface(&def);
}

START_TEST(a_ripple_pushes_as_mass_and_spring_say_up_to_the_load) {
    sb_rub_def def = sb_rub_default();
    def.surface[1] = ripple();
    for (double load = 1e-3; load < 1e3; load *= 10)
        for (double speed = 0.2; speed < 20; speed *= 2.3) {
            sb_rub rub;
            set_damping(&def, load, 0.3);
            sb_rub_init(&rub, &def, 48000);
            run_steady(&rub, (sb_contact_load){load, {0, speed}, speed}, 200,
                       force);
            double got = rms_force_n(force + 6400, 19200, 48000);
            double k = 1e6 * cbrt(fmax(load / 0.1, 1e-3));
            double m = 0.01, z = 0.3, w = fmin(sqrt(k / m), 32000 * SB_PI);
            double f = 2 * SB_PI * speed / 0.002;
            double push = m * w * w * f * f * 1e-6 * sqrt(0.5) /
                          hypot(w * w - f * f, 2 * z * w * f);
            /* E is known by octaves: its corner may be off by a half. */
            double exact = push * load / hypot(load, push);
            ck_assert_msg(
                got < 1.05 * push && got > 0.45 * exact && got < 2.2 * exact,
                "%g N, %g m/s: %g N, not %g", load, speed, got, exact);
            if (push < 0.03 * load)
                ck_assert_double_eq_tol(got / push, 1, 0.01);
        }
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(speed_that_rises_in_a_block_rises_with_every_frame) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&noise);
    const double v0 = -0.6, v1 = 1.1;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    float lift[SB_BLOCK_FRAMES];
    sb_contact_load warm = {1, {0, v1}, 0}, back = {1, {0, -v1}, 0};
    sb_rub_places_speed(&rub, &warm, &warm, lift); /* to its level */
    sb_rub_places_speed(&rub, &back, &back, lift);
    int level = rub.place[1].level;
    sb_contact_load from = {1, {0, v0}, 0}, to = {1, {0, v1}, 0};
    sb_rub_places_speed(&rub, &from, &to, lift);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double t = n / 48000.0, block = 128 / 48000.0;
        double along = v0 * t + 0.5 * (v1 - v0) * t * t / block;
        uint64_t at[8] = {sb_surface_phase(def.surface[1], along)};
        float speed[8] = {(float)(v0 + (v1 - v0) * t / block)}, exact[8] = {0};
        sb_surface_slopes(def.surface[1], level, 0, at, speed, 8, exact);
        ck_assert_double_eq_tol((double)lift[n], (double)exact[0], 1e-7);
    }
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

/* A corner that opens in one block, in 32 steps, against a filter that moves
 * with every frame. */
START_TEST(load_that_rises_in_a_block_opens_the_filter_evenly) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    noise.roughness_m = 1e-12; /* far below what the load can bear */
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&noise);
    set_damping(&def, 0.1, 0.3);
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    sb_contact_load a = {0.1, {1, 1}, 0}, b = {0.14, {1, 1}, 0};
    run_steady(&rub, a, 10, force);
    sb_rub copy = rub;
    float lift[SB_BLOCK_FRAMES], got[SB_BLOCK_FRAMES] = {0};
    sb_rub_places_speed(&copy, &a, &b, lift);
    sb_rub_block(&rub, &a, &b, got);
    double x[2] = {copy.heard[1], copy.heard[0]};
    double y[2] = {copy.state[1], copy.state[0]}, error = 0, power = 0;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        const sb_rub_pose *from = &copy.pose, *to = &rub.pose;
        double bb[3], aa[2], way = (n + 0.5) / 128;
        for (int i = 0; i < 3; i++)
            bb[i] = from->b[i] + way * (to->b[i] - from->b[i]);
        for (int i = 0; i < 2; i++)
            aa[i] = from->a[i] + way * (to->a[i] - from->a[i]);
        double in = (double)lift[n];
        double out = bb[0] * in + bb[1] * x[0] + bb[2] * x[1] - aa[0] * y[0] -
                     aa[1] * y[1];
        x[1] = x[0];
        x[0] = in;
        y[1] = y[0];
        y[0] = out;
        double exact = out * def.contact.mass_kg / 48000;
        error += (exact - (double)got[n]) * (exact - (double)got[n]);
        power += exact * exact;
    }
    ck_assert_double_gt(rub.pose.corner_rad_s, 1.05 * copy.pose.corner_rad_s);
    ck_assert_msg(error < 1e-8 * power, "%g dB", 10 * log10(error / power));
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(a_wobble_swells_once_a_turn) {
    sb_rub_def def = sb_rub_default();
    def.contact.radius_m = 0.02;
    def.eccentricity = 0.4;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    double v0 = 0.5, v1 = -2, turn = 0;
    for (int i = 0; i < 300; i++) {
        sb_contact_load from = {1, {v0, v0}, 0}, to = {1, {v1, v1}, 0};
        float swell[SB_BLOCK_FRAMES];
        sb_rub_places_wobble(&rub, &rub.turn, &from, &to, swell);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            double way = (v0 * n + (v1 - v0) * n * n / 256.0) / 48000;
            double exact = 1 + 0.4 * cos(turn + way / 0.02);
            ck_assert_double_eq_tol((double)swell[n], exact, 3e-6);
        }
        turn += 0.5 * (v0 + v1) * 128 / 48000 / 0.02;
        v0 = v1;
        v1 = 3 * sin(i * 0.1);
    }
}
END_TEST

START_TEST(creaks_come_at_distances_set_by_the_load) {
    sb_rub_def def = sb_rub_default();
    def.gain[SB_RUB_PROFILE] = 0;
    def.gain[SB_RUB_CREAK] = 1;
    def.creak_jitter = 0;
    const double loads[] = {10, 20, 10}, slips[] = {0.02, 0.02, 0.04};
    for (int i = 0; i < 3; i++) {
        sb_rub rub;
        sb_rub_init(&rub, &def, 48000);
        run_steady(&rub, (sb_contact_load){loads[i], {0, slips[i]}, -slips[i]},
                   1500, force);
        double stretch = 2 * 0.15 * loads[i] / 1e4;
        double exact = 4 * slips[i] / stretch;
        ck_assert_double_eq_tol((double)rub.creak_count, exact, 1.01);
        double sum = 0, T = SB_PI * sqrt(1e-3 / 1e4) / (1 + slips[i] / 0.1);
        for (int n = 0; n < 1500 * SB_BLOCK_FRAMES; n++)
            sum += (double)force[n];
        double each = 2 * 0.15 * loads[i] * T * 2 / SB_PI;
        ck_assert_double_eq_tol(sum / each, exact, 1.5);
    }
}
END_TEST

/* Slip that grows evenly: creak k comes when a t^2 / 2 is k stretches. */
START_TEST(creaks_keep_their_distance_while_the_slip_grows) {
    sb_rub_def def = sb_rub_default();
    def.gain[SB_RUB_PROFILE] = 0;
    def.gain[SB_RUB_CREAK] = 1;
    def.creak_jitter = 0;
    def.creak_mass_kg = 0.1; /* pulses longer than a block, to be seen */
    def.creak_speed_m_s = 1e3;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    double stretch = 2 * 0.15 * 10 / 1e4, gain = 0.5; /* m/s^2 */
    int seen = 0;
    for (int i = 0; i < 200; i++) {
        float out[SB_BLOCK_FRAMES] = {0};
        double v0 = gain * i * 128 / 48000, v1 = gain * (i + 1) * 128 / 48000;
        sb_contact_load from = {10, {0, v0}, v0}, to = {10, {0, v1}, v1};
        unsigned long before = rub.creak_count;
        sb_rub_block(&rub, &from, &to, out);
        int fresh = (int)(rub.creak_count - before);
        for (int j = 0; j < fresh; j++) {
            int at = rub.pulses.count - fresh + j;
            double frame = rub.pulses.pulse[at].start_frame + (i + 1) * 128;
            double time = frame / 48000 - SB_RUB_DELAY_S;
            double exact = sqrt(2 * ++seen * stretch / gain);
            ck_assert_double_eq_tol(time, exact, 1e-9);
        }
    }
    ck_assert_int_gt(seen, 150);
}
END_TEST

START_TEST(grains_follow_the_power_and_are_the_same_at_every_rate) {
    sb_surface_def gravel = sb_surface_default(SB_SURFACE_GRAVEL);
    gravel.gravel.per_n2s = 1e4;
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&gravel);
    def.gain[SB_RUB_GRAVEL] = 1;
    for (double normal_n = 0.05; normal_n < 1; normal_n *= 2) {
        unsigned long counts[RATE_COUNT];
        for (int r = 0; r < RATE_COUNT; r++) {
            sb_rub rub;
            sb_rub_init(&rub, &def, rates_hz[r]);
            sb_contact_load load = {normal_n, {0, 1}, 1};
            int blocks = (int)(8 * rates_hz[r] / SB_BLOCK_FRAMES);
            for (int i = 0; i < blocks; i++) {
                float out[SB_BLOCK_FRAMES] = {0};
                sb_rub_block(&rub, &load, &load, out);
            }
            counts[r] = rub.grain_count;
            double rate = rub.pose.grains_hz;
            double power = 1e4 * rub.pose.profile_n2;
            ck_assert_double_eq_tol(rate, power / (1 + power / 1500),
                                    1e-9 * rate);
            ck_assert_double_eq_tol((double)counts[r], 8 * rate,
                                    5 * sqrt(8 * rate));
            /* The last block ends elsewhere. */
            ck_assert(labs((long)counts[r] - (long)counts[0]) <= 8);
        }
    }
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rub_kinds");
    TCase *tests = tcase_create("kinds");
    tcase_add_test(tests, a_pulse_has_its_impulse_its_place_and_its_spectrum);
    tcase_add_test(tests, a_full_train_loses_no_impulse);
    tcase_add_test(tests, the_low_pass_is_the_analogue_one_at_every_rate);
    tcase_add_test(tests,
                   a_ripple_pushes_as_mass_and_spring_say_up_to_the_load);
    tcase_add_test(tests, speed_that_rises_in_a_block_rises_with_every_frame);
    tcase_add_test(tests, load_that_rises_in_a_block_opens_the_filter_evenly);
    tcase_add_test(tests, a_wobble_swells_once_a_turn);
    tcase_add_test(tests, creaks_come_at_distances_set_by_the_load);
    tcase_add_test(tests, creaks_keep_their_distance_while_the_slip_grows);
    tcase_add_test(tests,
                   grains_follow_the_power_and_are_the_same_at_every_rate);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
