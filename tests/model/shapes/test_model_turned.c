/* SPDX-License-Identifier: MIT */
/* Tubes and turned profiles against closed forms of shells, disks, spheres and
 * beams, and against triangles. */
#include "runtime/model/eigen/eigen.h"
#include "tests/model/turned_test.h"

/* --- closed forms --------------------------------------------------------- */

START_TEST(long_free_tubes_bend_as_rayleigh_says) {
    double r = 0.05, h = 0.001, nu = 0.29;
    sb_model *model = make_below(tube(0.3, r, h), steel(), 3000);
    for (int n = 2; n <= 5; n++) {
        double n2 = n * n;
        double omega2 = 200e9 * h * h * n2 * (n2 - 1) * (n2 - 1) /
                        (12 * (1 - nu * nu) * 7850 * pow(r, 4) * (n2 + 1));
        char label[SB_MODE_LABEL_SIZE];
        (void)snprintf(label, sizeof label, "(%d,0) cos", n);
        close_to(freq_of(model, label), sqrt(omega2) / SB_TAU, 0.004, label);
    }
    sb_model_release(model);
}
END_TEST

/* Steel, R = 50 mm, 1 mm thick, 40 mm long, from flat triangular shells: the
 * second family stretches the ends in turn (Love). */
START_TEST(a_short_tube_has_rayleighs_and_loves_families) {
    sb_model *model = make_below(tube(0.04, 0.05, 0.001), steel(), 2000);
    close_to(freq_of(model, "(2,0) cos"), 257.5, 0.01, "(2,0)");
    close_to(freq_of(model, "(3,0) sin"), 728.3, 0.01, "(3,0)");
    close_to(freq_of(model, "(4,0) cos"), 1396.2, 0.01, "(4,0)");
    close_to(freq_of(model, "(2,1) cos"), 514.6, 0.01, "(2,1)");
    close_to(freq_of(model, "(3,1) cos"), 1322.7, 0.01, "(3,1)");
    sb_model_release(model);
}
END_TEST

/* Sanders' thin shell with ends that are kept round: sines along the tube. */
static double sanders_hz(double r, double length, double h, int m, int n) {
    double nu = 0.29, l = m * SB_PI / length, k = h * h / 12;
    /* Rows: strains of (u, v, w); the last two are of cos and sin alike. */
    double strains[6][3] = {{-l, 0, 0},
                            {0, n / r, 1 / r},
                            {-n / r, l, 0},
                            {0, 0, l * l},
                            {0, n / (r * r), n * n / (r * r)},
                            {n / (2 * r * r), 1.5 * l / r, 2 * l * n / r}};
    double a[9] = {0}, values[1], vectors[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int part = 0; part < 2; part++) {
                double(*s)[3] = &strains[3 * part];
                double plane = s[0][i] * s[0][j] + s[1][i] * s[1][j] +
                               nu * (s[0][i] * s[1][j] + s[1][i] * s[0][j]);
                double shear = 0.5 * (1 - nu) * s[2][i] * s[2][j];
                sum += (part == 0 ? 1 : k) * (plane + shear);
            }
            a[3 * i + j] = sum;
        }
    }
    ck_assert_int_eq(sb_eigen_symmetric(3, a, NULL, (sb_eigen_range){0, 1},
                                        values, vectors, NULL),
                     SB_OK);
    return sqrt(values[0] * 200e9 / (7850 * (1 - nu * nu))) / SB_TAU;
}

START_TEST(tubes_with_ends_kept_round_match_sanders_shell) {
    sb_shape shape = tube(0.2, 0.05, 0.001);
    shape.support = SB_SUPPORT_PINNED;
    sb_model *model = make_below(shape, steel(), 6000);
    for (int n = 2; n <= 6; n++) {
        for (int m = 1; m <= 3; m++) {
            double hz = sanders_hz(0.05, 0.2, 0.001, m, n);
            char label[SB_MODE_LABEL_SIZE];
            (void)snprintf(label, sizeof label, "(%d,%d) cos", n, m - 1);
            if (hz < 6000) close_to(freq_of(model, label), hz, 0.005, label);
        }
    }
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    sb_model_release(model);
}
END_TEST

START_TEST(a_chime_is_a_beam_a_rod_and_a_shaft) {
    double length = 1.2, r = 0.01, h = 0.001, nu = 0.29;
    sb_model *model = make_below(tube(length, r, h), steel(), 4000);
    double bend = sqrt(200e9 / 7850 * (r * r + h * h / 4) / 2);
    const double roots[2] = {4.73004074, 7.85320462};
    for (int i = 0; i < 2; i++) {
        double hz = roots[i] * roots[i] / (SB_TAU * length * length) * bend;
        close_to(freq_of(model, i == 0 ? "(1,2) cos" : "(1,3) cos"), hz, 0.006,
                 "bending");
    }
    double along = sqrt(200e9 / 7850) / (2 * length);
    close_to(freq_of(model, "twist 1"), along / sqrt(2 * (1 + nu)), 1e-4,
             "twist");
    close_to(freq_of(model, "twist 2"), 2 * along / sqrt(2 * (1 + nu)), 1e-4,
             "twist");
    int found = 0; /* stretching moves the wall in and out a little */
    for (int k = 0; k < sb_model_mode_count(model); k++) {
        double hz = sb_model_modes(model)[k].freq_hz;
        if (strncmp(sb_model_modes(model)[k].label, "(0,", 3) != 0) continue;
        close_to(hz, along * ++found, 1e-3, "stretching");
    }
    ck_assert_int_ge(found, 1);
    sb_model_release(model);
}
END_TEST

START_TEST(flat_profiles_are_disks) {
    const sb_profile_point out[] = {{0, 0, 0.001}, {0.15, 0, 0.001}};
    const sb_profile_point in[] = {{0.15, 0, 0.001}, {0, 0, 0.001}};
    sb_material material = elastic(200e9, 7850, 0.3);
    double scale = lambda_per_hz(material, 0.001, 0.15);
    const struct {
        const char *label;
        double lambda;
    } free_rows[] = {{"(2,0) cos", 5.3583},  {"(0,1)", 9.0031},
                     {"(3,0) sin", 12.4390}, {"(1,1) cos", 20.4746},
                     {"(4,0) cos", 21.8352}, {"(2,1) cos", 35.2601}},
      held_rows[] = {{"(0,0)", 10.2158},
                     {"(1,0) cos", 21.2604},
                     {"(2,0) sin", 34.8770},
                     {"(0,1)", 39.7711}};
    sb_shape shape = revolve(out, 2, true);
    sb_model *model = make_below(shape, material, 2000);
    for (int i = 0; i < 6; i++)
        close_to(freq_of(model, free_rows[i].label) * scale,
                 free_rows[i].lambda, 0.002, free_rows[i].label);
    sb_model_release(model);
    sb_profile_release(shape.profile);
    shape = revolve(in, 2, true); /* its first ring is the rim */
    shape.support = SB_SUPPORT_CLAMPED_FREE;
    model = make_below(shape, material, 2000);
    for (int i = 0; i < 4; i++)
        close_to(freq_of(model, held_rows[i].label) * scale,
                 held_rows[i].lambda, 0.002, held_rows[i].label);
    sb_model_release(model);
    sb_profile_release(shape.profile);
}
END_TEST

/* (1 - nu^2) W^4 - W^2 (n (n + 1) + 1 + 3 nu) + n (n + 1) - 2 = 0 */
static double membrane_hz(int n, double r) {
    double nu = 0.29, b = n * (n + 1) + 1 + 3 * nu, c = n * (n + 1) - 2;
    double w2 = (b - sqrt(b * b - 4 * (1 - nu * nu) * c)) / (2 * (1 - nu * nu));
    return sqrt(w2 * 200e9 / 7850) / r / SB_TAU;
}

START_TEST(a_sphere_has_2n_plus_1_equal_modes) {
    sb_shape shape = sphere(0.05, 0.0005, 12);
    sb_model *model = make_below(shape, steel(), 14500);
    const sb_mode *modes = sb_model_modes(model);
    ck_assert_int_eq(sb_model_rigid_modes(model), 6);
    for (int k = 0; k < 5; k++)
        close_to(modes[k].freq_hz, membrane_hz(2, 0.05), 0.001, modes[k].label);
    for (int k = 5; k < 12; k++)
        close_to(modes[k].freq_hz, membrane_hz(3, 0.05), 0.001, modes[k].label);
    close_to(modes[4].freq_hz, modes[0].freq_hz, 1e-4, "five equal modes");
    close_to(modes[11].freq_hz, modes[5].freq_hz, 1e-4, "seven equal modes");
    sb_model_release(model);
    sb_profile_release(shape.profile);
}
END_TEST

/* --- against triangles ---------------------------------------------------- */

/* Triangles give pairs as one mode, since nothing tells their halves apart. */
static void same_as_triangles(sb_shape shape, int count) {
    sb_model *exact = make_below(shape, steel(), 5000);
    shape.method = SB_METHOD_SHELL;
    shape.elements = 24;
    shape.max_hz = 5000;
    shape.max_modes = 24;
    sb_model *cut = make_below(shape, steel(), 5000);
    int found = 0;
    for (int k = 0; found < count; k++) {
        const sb_mode *mode = &sb_model_modes(exact)[k];
        if (strstr(mode->label, "sin")) continue;
        close_to(sb_model_modes(cut)[found++].freq_hz, mode->freq_hz, 0.02,
                 mode->label);
    }
    close_to(sb_model_mass_kg(cut), sb_model_mass_kg(exact), 0.01, "mass");
    sb_model_release(exact);
    sb_model_release(cut);
}

START_TEST(triangles_of_the_same_wall_agree) {
    sb_shape shape = revolve(bowl, 4, true);
    same_as_triangles(shape, 3);
    shape.support = SB_SUPPORT_CLAMPED_FREE; /* its flat middle is held */
    same_as_triangles(shape, 3);
    sb_profile_release(shape.profile);
    shape = tube(0.12, 0.03, 0.0015);
    same_as_triangles(shape, 3);
    shape = (sb_shape){.kind = SB_SHAPE_CONE,
                       .radius = 0.06,
                       .top_radius = 0.02,
                       .height = 0.08,
                       .thickness = 0.0015};
    same_as_triangles(shape, 3);
    shape.top_radius = 0;
    same_as_triangles(shape, 3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("turned");
    TCase *tests = tcase_create("turned");
    tcase_add_test(tests, long_free_tubes_bend_as_rayleigh_says);
    tcase_add_test(tests, a_short_tube_has_rayleighs_and_loves_families);
    tcase_add_test(tests, tubes_with_ends_kept_round_match_sanders_shell);
    tcase_add_test(tests, a_chime_is_a_beam_a_rod_and_a_shaft);
    tcase_add_test(tests, flat_profiles_are_disks);
    tcase_add_test(tests, a_sphere_has_2n_plus_1_equal_modes);
    tcase_add_test(tests, triangles_of_the_same_wall_agree);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
