/* SPDX-License-Identifier: MIT */
/* Bodies as sources: what leaves their centres, and going on in world steps. */
#include "tests/deform/sound_fixture.h"

static const double tone_hz = 2000;

/* A sphere pulses (n = 0) or swings (n = 1) towards the ear and flies on. */
static void play_tone(sb_deform *d, int n, sb_vec3 from, sb_vec3 velocity) {
    for (int64_t step = 0; d->state->frames < FRAMES; step++) {
        double t = (double)(step + 1) * d->step_s;
        double move = 1e-6 * sin(SB_TAU * tone_hz * t);
        sb_vec3 at = sb_vec3_add(from, sb_vec3_scale(velocity, t));
        for (int i = 0; i < d->bodies[0].surface_count; i++) {
            sb_vec3 p = row_vec3(d->rest, i), by = {0, move, 0};
            if (n == 0) by = sb_vec3_scale(sb_vec3_normalised(p), move);
            set_row(d->positions, i, sb_vec3_add(at, sb_vec3_add(p, by)));
        }
        sound_step(d, step);
    }
    ck_assert_int_ge(sb_deform_read(d, FRAMES, heard), FRAMES);
}

/* Divided by R and delayed by R / c, it is what an ear hears. */
START_TEST(a_source_is_an_ear_without_the_way) {
    const double far_m = 20 * radius_m;
    for (int n = 0; n < 2; n++) {
        double complex phasors[2];
        static float ear[COUNT];
        sb_deform *d = make_sphere();
        sb_vec3 none = {0, 0, 0}, at = {0, far_m, 0};
        sb_deform_set_ear(d, at);
        listen_at(at);
        play_tone(d, n, none, none);
        for (int i = 0; i < COUNT; i++) {
            ear[i] = (float)at_ear.heard[SKIP + i];
        }
        phasors[0] = phasor_of(ear, 1, COUNT, tone_hz);
        phasors[1] = phasor_of(heard + SKIP, 1, COUNT, tone_hz);
        sb_deform_destroy(d);
        double complex way = cexp(-I * SB_TAU * tone_hz * far_m / c_m_s);
        double complex ratio = phasors[1] / far_m * way / phasors[0];
        ck_assert_msg(cabs(ratio - 1) < 0.0115, "n %d: %g %g", n, creal(ratio),
                      cimag(ratio));
    }
}
END_TEST

/* Frequency between two halves, by their phases. */
static double pitch_of(const float *x, int count) {
    double complex first = phasor_of(x, 1, count, tone_hz);
    double complex second = phasor_of(x + count, 1, count, tone_hz);
    double complex back =
        cexp(-I * SB_TAU * tone_hz * count / SB_DEFORM_RATE_HZ);
    double turn = carg(second / first * back);
    return tone_hz + turn / SB_TAU * SB_DEFORM_RATE_HZ / count;
}

/* x at a time between frames, by a cubic. */
static double between(const float *x, double at) {
    int i = (int)at;
    double u = at - i, a = (double)x[i - 1], b = (double)x[i];
    double c = (double)x[i + 1], d = (double)x[i + 2];
    return b + u * (c - a / 3 - b / 2 - d / 6 +
                    u * ((a + c) / 2 - b + u * (b - c + (d - a) / 3) / 2));
}

/* What a listener makes of a source: s + R(s) / c = t. */
static double arriving(const float *source, sb_vec3 off, sb_vec3 speed,
                       int frame) {
    double t = (double)frame / SB_DEFORM_RATE_HZ, s = t, r = 0;
    for (int i = 0; i < 60; i++) {
        r = sb_vec3_length(sb_vec3_add(off, sb_vec3_scale(speed, s)));
        s = t - r / c_m_s;
    }
    return between(source, s * SB_DEFORM_RATE_HZ) / r;
}

/* The ear hears 2222 Hz, then 1818 Hz. The source has the same pitch all the
 * time, and the way to the ear makes of it what the ear hears. */
START_TEST(a_source_that_flies_past_has_no_doppler_shift) {
    static float source[FRAMES];
    sb_vec3 from = {-0.6, 0, 0}, velocity = {0.1 * c_m_s, 0, 0};
    for (int n = 0; n < 2; n++) {
        sb_deform *d = make_sphere();
        sb_vec3 ear = {0, 0.4, 0};
        sb_deform_set_ear(d, ear);
        listen_at(ear);
        play_tone(d, n, from, velocity);
        memcpy(source, heard, sizeof source);
        for (int i = 0; i < FRAMES; i++) {
            heard[i] = (float)at_ear.heard[i];
        }
        sb_deform_destroy(d);
        double before_hz = pitch_of(source + 96, 96);
        double after_hz = pitch_of(source + FRAMES - 192, 96);
        if (n == 0) {
            ck_assert_double_lt(fabs(before_hz / tone_hz - 1), 3e-3);
            ck_assert_double_lt(fabs(after_hz / tone_hz - 1), 3e-3);
            ck_assert_double_gt(pitch_of(heard + 220, 96), 1.05 * tone_hz);
        }
        double error = 0, sum = 0;
        sb_vec3 off = {from.x, -0.4, 0};
        for (int i = SKIP; i < FRAMES - 64; i++) {
            double own = (double)heard[i];
            double off_by = arriving(source, off, velocity, i) - own;
            error += off_by * off_by;
            sum += own * own;
        }
        ck_assert_msg(error < 1e-4 * sum, "n %d: %g", n, sqrt(error / sum));
    }
}
END_TEST

static void reach(sb_deform *d, double time_s) {
    sb_error err = {0};
    ck_assert_msg(!sb_deform_reach(d, time_s, &err), "%s", err.message);
}

/* Three bodies, of which the last is struck. */
static sb_deform *three_bars(const sb_solid_mesh *solid,
                             const atomic_bool *stop) {
    static const sb_vec3 ear_m = {0, 0.5, 0};
    sb_deform_body_def bodies[3];
    sb_deform_def def = sb_deform_def_default();
    for (int i = 0; i < 3; i++) {
        bodies[i] = solid_body(solid, NULL);
        bodies[i].material.youngs_modulus = 1e9;
        bodies[i].position_m = (sb_vec3){0, 0.1 * i, 0};
    }
    def.body_count = 3;
    def.bodies = bodies;
    def.ear_m = &ear_m;
    def.threads = 1;
    def.must_stop = stop;
    sb_deform *d = create_all(&def);
    sb_error err = {0};
    sb_deform_strike_def strike = {
        .body = 2, .at_m = {0.05, 0, 0}, .mass_kg = 1e-3, .speed_m_s = 1};
    ck_assert(!sb_deform_strike(d, &strike, NULL, &err));
    return d;
}

START_TEST(sources_have_channels_and_a_bounded_lag) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 4, 1, 1);
    sb_deform *d = three_bars(&solid, NULL);
    sb_error err = {0};
    float out[3 * 64];
    double sums[3] = {0, 0, 0};
    ck_assert_int_eq(sb_deform_channel_count(d), 3);
    for (int i = 1; i <= 50; i++) {
        double t = i * 1.3e-4;
        int count;
        reach(d, t);
        ck_assert_double_lt(fabs(sb_deform_time_s(d) - t), 0.51 * d->step_s);
        ck_assert_double_ge((double)d->state->frames,
                            t * SB_DEFORM_RATE_HZ - sb_deform_lag_frames(d));
        while ((count = sb_deform_read(d, 64, out)) > 0) {
            for (int k = 0; k < 3 * count; k++) {
                sums[k % 3] += fabs((double)out[k]);
            }
        }
    }
    ck_assert_double_lt(sums[0], 1e-6 * sums[2]);
    ck_assert_double_lt(sums[1], 1e-6 * sums[2]);
    ck_assert_double_gt(sums[2], 0);
    ck_assert_int_eq(sb_deform_reach(d, 1, &err), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_deform_reach(d, NAN, &err), SB_BAD_ARGUMENT);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(what_is_stopped_goes_on_as_if_it_had_not_been) {
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 4, 1, 1);
    atomic_bool stop = false;
    sb_deform *whole = three_bars(&solid, NULL);
    sb_deform *stopped = three_bars(&solid, &stop);
    sb_error err = {0};
    reach(whole, 5e-3);
    for (int i = 0; i < 5; i++) {
        int64_t before = stopped->state->step;
        atomic_store(&stop, true);
        ck_assert_int_eq(sb_deform_reach(stopped, 5e-3, &err), SB_INTERRUPTED);
        ck_assert_int_le(stopped->state->step - before, 64);
        atomic_store(&stop, false);
        reach(stopped, sb_deform_time_s(stopped) + 1e-4);
    }
    reach(stopped, 5e-3);
    ck_assert_int_eq(whole->state->frames, stopped->state->frames);
    float out[2][3 * 64];
    int count;
    while ((count = sb_deform_read(whole, 64, out[0])) > 0) {
        ck_assert_int_eq(sb_deform_read(stopped, 64, out[1]), count);
        ck_assert_mem_eq(out[0], out[1], 3 * sizeof(float) * (size_t)count);
    }
    sb_deform_destroy(whole);
    sb_deform_destroy(stopped);
    sb_solid_mesh_free(&solid);
}
END_TEST

/* A lopsided solid that flies and spins: its mean over the surface is its
 * centre of mass. */
START_TEST(the_centre_is_that_of_the_mass) {
    sb_solid_mesh solid = cells_solid(0.1, 0.04, 0.03, 4, 2, 2);
    for (int i = 0; i < solid.node_count; i++) {
        sb_vec3 *p = &solid.nodes[i];
        p->y *= 1 + 8 * p->x;
    }
    sb_deform_body_def body = solid_body(&solid, NULL);
    body.velocity_m_s = (sb_vec3){1, -2, 3};
    body.spin_rad_s = (sb_vec3){10, 100, -20};
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    for (int i = 0; i < 3; i++) {
        sb_vec3 velocity, at = sb_deform_centre(d, 0, &velocity);
        deform_motion exact = deform_motion_of(d, 0);
        sb_vec3 v = sb_vec3_scale(exact.momentum_ns, 1 / exact.mass_kg);
        ck_assert_double_lt(sb_vec3_length(sb_vec3_sub(at, exact.centre_m)),
                            1e-7);
        ck_assert_double_lt(sb_vec3_length(sb_vec3_sub(velocity, v)), 2e-3);
        steps(d, 2000);
    }
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_source");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, a_source_is_an_ear_without_the_way);
    tcase_add_test(cases, a_source_that_flies_past_has_no_doppler_shift);
    tcase_add_test(cases, sources_have_channels_and_a_bounded_lag);
    tcase_add_test(cases, what_is_stopped_goes_on_as_if_it_had_not_been);
    tcase_add_test(cases, the_centre_is_that_of_the_mass);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
