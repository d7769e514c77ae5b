/* Every pair of materials in the library, at every rate: the estimate is the
 * closed form, and what is played is the estimate (physics 2.5). */
#include "runtime/scene/strike.h"

#include "tests/striker_fixture.h"

static sb_blow ball_of(const sb_material *material, double radius_m,
                       double speed_m_s) {
    return (sb_blow){.speed_m_s = speed_m_s,
                     .radius_m = radius_m,
                     .material = *material,
                     .has_material = true};
}

START_TEST(stiffness_is_hertzs) {
    const sb_material *steel = sb_material_find("steel");
    const sb_material *glass = sb_material_find("glass");
    sb_blow blow = ball_of(steel, 0.005, 1);
    sb_hertz hertz = sb_blow_hertz(&blow, steel);
    ck_assert_double_eq_tol(hertz.law.stiffness / 1.029380e10, 1, 1e-6);
    ck_assert_double_eq_tol(hertz.mass_kg / 4.110250e-3, 1, 1e-6);
    blow = ball_of(glass, 0.008, 1);
    hertz = sb_blow_hertz(&blow, glass);
    ck_assert_double_eq_tol(hertz.law.stiffness / 3.851006e9, 1, 1e-6);
    ck_assert_double_eq_tol(hertz.mass_kg / 5.576118e-3, 1, 1e-6);
    /* An ideal half-space gives nothing: twice as stiff as the same again. */
    double both = hertz.law.stiffness;
    hertz = sb_blow_hertz(&blow, NULL);
    ck_assert_double_eq_tol(hertz.law.stiffness / both, 2, 1e-12);
    /* A mass alone is a ball of the body's material. */
    sb_blow mass = {.speed_m_s = 1, .mass_kg = 5.576118e-3};
    hertz = sb_blow_hertz(&mass, glass);
    ck_assert_double_eq_tol(hertz.law.stiffness / both, 1, 1e-6);
    /* What is given counts. */
    mass.stiffness = 7e7;
    mass.exponent = 2.5;
    mass.lambda = 9;
    hertz = sb_blow_hertz(&mass, glass);
    ck_assert_double_eq(hertz.law.stiffness, 7e7);
    ck_assert_double_eq(hertz.law.exponent, 2.5);
    ck_assert_double_eq(hertz.law.lambda, 9);
}
END_TEST

START_TEST(estimates_match_the_table) {
    const struct {
        const char *name;
        double radius, speed, peak, time_us;
    } rows[] = {{"steel", .005, .1, 27.008, 55.990},
                {"steel", .005, 1, 428.053, 35.327},
                {"steel", .005, 3, 1599.7, 28.359},
                {"glass", .008, 1, 346.876, 59.142}};
    for (int i = 0; i < 4; i++) {
        const sb_material *material = sb_material_find(rows[i].name);
        sb_blow blow = ball_of(material, rows[i].radius, rows[i].speed);
        sb_hertz hertz = sb_blow_hertz(&blow, material);
        sb_blow_result r = sb_blow_press(&blow, &hertz, 0);
        ck_assert_double_eq_tol(r.peak_force_n / rows[i].peak, 1, 1e-4);
        ck_assert_double_eq_tol(r.duration_s * 1e6 / rows[i].time_us, 1, 1e-4);
        ck_assert_double_eq_tol(
            r.impulse_ns / (2 * hertz.mass_kg * rows[i].speed), 1, 1e-12);
    }
}
END_TEST

START_TEST(restitution_solves_its_equation) {
    ck_assert_double_eq(sb_blow_restitution(0), 1);
    for (double d = 1e-4; d < 1e3; d *= 1.7)
        ck_assert_double_eq_tol(sb_blow_restitution(d), hunt_crossley(d),
                                1e-12);
    ck_assert_double_eq_tol(sb_blow_restitution(.5), .74843493, 1e-8);
}
END_TEST

/* One blow on a wall with a loss of d, as it is played. */
static sb_impact_record played(const sb_hertz *hertz, double speed, double d,
                               double rate_hz) {
    sb_striker s = {.law = hertz->law,
                    .mass_kg = hertz->mass_kg,
                    .speed_m_s = speed,
                    .limit_s = 10,
                    .weights = wall_weights,
                    .start_frame = 1.62};
    s.law.lambda = d * s.law.stiffness / speed;
    stage wall;
    stage_wall(&wall, rate_hz);
    stage_add(&wall, &s);
    stage_run(&wall, 200000);
    ck_assert_int_eq(wall.record_count, 1);
    stage_close(&wall);
    return wall.records[0];
}

static void check_pair(int i, int j, double rate_hz) {
    const sb_material *body = sb_material_at(j);
    double speed = 1;
    sb_blow blow = ball_of(sb_material_at(i), 0.005, speed);
    sb_hertz hertz = sb_blow_hertz(&blow, body);
    sb_blow_result r = sb_blow_press(&blow, &hertz, 0);
    sb_impact_record got = played(&hertz, speed, 0, rate_hz);
    double time = got.duration_s / r.duration_s - 1;
    double peak = got.peak_force_n / r.peak_force_n - 1;
    ck_assert_msg(fabs(time) < 0.01 && fabs(peak) < 0.01 &&
                      fabs(got.restitution - 1) < 1e-12,
                  "%s on %s at %g Hz: time off by %g, force by %g, e %.15g",
                  sb_material_name(i), sb_material_name(j), rate_hz, time, peak,
                  got.restitution);
    double e = sb_blow_restitution(0.3);
    got = played(&hertz, speed, 0.3, rate_hz);
    ck_assert_msg(fabs(got.restitution / e - 1) < 0.01, "%s on %s: e %g not %g",
                  sb_material_name(i), sb_material_name(j), got.restitution, e);
}

START_TEST(every_pair_of_materials_is_played_as_estimated) {
    for (int i = 0; i < sb_material_count(); i++)
        for (int j = 0; j < sb_material_count(); j++)
            check_pair(i, j, rates_hz[_i]);
}
END_TEST

START_TEST(a_blow_without_words_is_the_gradient) {
    sb_blow blow = {.speed_m_s = 1};
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_GRADIENT);
    blow.hardness_n_m = 1e6;
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_PULSE);
    blow = (sb_blow){.speed_m_s = 1, .stiffening_per_m = 1e3};
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_PULSE);
    blow = (sb_blow){.impulse_ns = 1};
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_IMPULSE);
    blow.mass_kg = 1;
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_PULSE);
    blow.model = SB_CONTACT_KMETHOD;
    ck_assert_int_eq(sb_blow_model(&blow), SB_CONTACT_KMETHOD);
    ck_assert_str_eq(sb_contact_model_name(SB_CONTACT_KMETHOD), "kmethod");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hertz");
    TCase *tcase = tcase_create("hertz");
    tcase_add_test(tcase, stiffness_is_hertzs);
    tcase_add_test(tcase, estimates_match_the_table);
    tcase_add_test(tcase, restitution_solves_its_equation);
    tcase_add_loop_test(tcase, every_pair_of_materials_is_played_as_estimated,
                        0, RATE_COUNT);
    tcase_add_test(tcase, a_blow_without_words_is_the_gradient);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
