/* SPDX-License-Identifier: MIT */
/* Sound: spheres that pulse, swing and deform against closed forms, a bar that
 * only spins. */
#include "tests/deform/sound_fixture.h"

/* h_n(x) and h_n'(x), outgoing, n = 0, 1, 2. */
static double complex hankel(int n, double x) {
    double complex e = cexp(-I * x), i = I;
    if (n == 0) return i * e / x;
    if (n == 1) return -e * (1 - i / x) / x;
    return -i * e * (1 - 3 * i / x - 3 / (x * x)) / x;
}

static double complex hankel_slope(int n, double x) {
    if (n == 0) return -hankel(1, x);
    return hankel(n - 1, x) - (n + 1) / x * hankel(n, x);
}

static double legendre(int n, double x) {
    return n == 0 ? 1 : n == 1 ? x : 1.5 * x * x - 0.5;
}

/* Pressure at distance r on the axis, for a surface velocity of P_n(cos). */
static double exact_pa(int n, double ka, double r_m) {
    double k = ka / radius_m;
    return rho * c_m_s * cabs(hankel(n, k * r_m) / hankel_slope(n, ka));
}

enum { KAS = 6 };
static const double kas[KAS] = {0.1, 0.3, 1, 2, 4, 8};

/* All frequencies at once: the sound is linear. */
static void play(sb_deform *d, int n) {
    int64_t step = 0;
    while (d->state->frames < FRAMES) {
        double t = (double)(step + 1) * d->step_s, move = 0;
        for (int k = 0; k < KAS; k++) {
            double omega = kas[k] * c_m_s / radius_m;
            move += 1e-6 / omega * sin(omega * t);
        }
        for (int i = 0; i < d->bodies[0].surface_count; i++) {
            sb_vec3 p = row_vec3(d->rest, i);
            sb_vec3 normal = sb_vec3_normalised(p), by = {0, move, 0};
            if (n != 1)
                by = sb_vec3_scale(normal, move * legendre(n, normal.y));
            set_row(d->positions, i, sb_vec3_add(p, by));
        }
        sound_step(d, step++);
    }
    ck_assert_int_ge(sb_deform_read(d, FRAMES, heard), FRAMES);
}

static void check_sphere(sb_deform *d, int n) {
    play(d, n);
    for (int k = 0; k < KAS; k++) {
        double hz = kas[k] * c_m_s / radius_m / SB_TAU;
        double got = 1e6 * amplitude_of(heard + SKIP, 1, COUNT, hz);
        double db = 20 * log10(got / exact_pa(n, kas[k], 1));
        ck_assert_msg(fabs(db) < 2, "n %d, ka %g: %g dB", n, kas[k], db);
    }
    sb_deform_destroy(d);
}

START_TEST(spheres_radiate_as_they_should) {
    for (int n = 0; n < 3; n++) {
        check_sphere(make_sphere(), n);
    }
}
END_TEST

START_TEST(closed_sheets_radiate_from_outside) {
    for (int n = 0; n < 3; n++) {
        check_sphere(make_hollow(), n);
    }
}
END_TEST

/* Loudness of the change from frame to frame, twice: low frequencies count
 * little. */
static double roughness(const float *x, int count) {
    double sum = 0;
    for (int i = 1; i + 1 < count; i++) {
        double second = (double)x[i + 1] - 2 * (double)x[i] + (double)x[i - 1];
        sum += second * second;
    }
    return sqrt(sum / count);
}

START_TEST(a_bar_that_only_spins_is_silent) {
    static const sb_vec3 ear_m = {0, 0.3, 0};
    sb_solid_mesh solid = cells_solid(0.1, 0.02, 0.01, 4, 1, 1);
    sb_deform_body_def body = solid_body(&solid, NULL);
    body.material.youngs_modulus = 1e8;
    body.material.alpha = 2000;
    body.spin_rad_s = (sb_vec3){0, 20, 0};
    sb_deform_def def = sb_deform_def_default();
    def.ear_m = &ear_m;
    sb_deform *d = create_one(def, &body);
    sb_error err = {0};
    ck_assert(!deform_advance(d, FRAMES, &err));
    ck_assert_int_eq(sb_deform_read(d, FRAMES, heard), FRAMES);
    double early = roughness(heard, 400), late = roughness(heard + 1300, 400);
    ck_assert_double_gt(early, 0);
    ck_assert_double_lt(late, 1e-4 * early);
    sb_deform_destroy(d);
    sb_solid_mesh_free(&solid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_sound");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, spheres_radiate_as_they_should);
    tcase_add_test(cases, closed_sheets_radiate_from_outside);
    tcase_add_test(cases, a_bar_that_only_spins_is_silent);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
