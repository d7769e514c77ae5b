/* The material library, its checks, and how fast its modes decay. */
#include "runtime/base/pi.h"
#include "runtime/model/material/material.h"

#include <check.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(library_is_sorted_and_valid) {
    ck_assert_int_ge(sb_material_count(), 18);
    for (int i = 0; i < sb_material_count(); i++) {
        sb_error err = {0};
        const char *name = sb_material_name(i);
        ck_assert_msg(sb_material_check(sb_material_at(i), &err) == SB_OK,
                      "%s: %s", name, err.message);
        ck_assert_ptr_eq(sb_material_find(name), sb_material_at(i));
        /* Names are Lua identifiers. */
        ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz_"),
                          strlen(name));
        if (i > 0) ck_assert_str_lt(sb_material_name(i - 1), name);
    }
}
END_TEST

START_TEST(unknown_names_and_places_are_null) {
    ck_assert_ptr_null(sb_material_find("unobtainium"));
    ck_assert_ptr_null(sb_material_at(-1));
    ck_assert_ptr_null(sb_material_name(sb_material_count()));
}
END_TEST

START_TEST(presets_of_the_field_are_kept_exactly) {
    const struct {
        const char *name;
        double density, youngs, poisson, alpha, beta;
    } rows[] = {
        {"ceramic", 2700, 7.2e10, .19, 6, 1e-7},
        {"glass", 2600, 6.2e10, .20, 1, 1e-7},
        {"wood", 750, 1.1e10, .25, 60, 2e-6},
        {"plastic", 1070, 1.4e9, .35, 30, 1e-6},
        {"iron", 8000, 2.1e11, .28, 5, 1e-7},
        {"polycarbonate", 1190, 2.4e9, .37, .5, 4e-7},
        {"steel", 7850, 2.0e11, .29, 5, 3e-8},
        {"tin", 7265, 5e10, .325, 2, 3e-8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const sb_material *material = sb_material_find(rows[i].name);
        ck_assert_ptr_nonnull(material);
        ck_assert_double_eq(material->density, rows[i].density);
        ck_assert_double_eq(material->youngs_modulus, rows[i].youngs);
        ck_assert_double_eq(material->poisson_ratio, rows[i].poisson);
        ck_assert_double_eq(material->alpha, rows[i].alpha);
        ck_assert_double_eq(material->beta, rows[i].beta);
    }
}
END_TEST

START_TEST(t60_matches_the_printed_table) {
    const struct {
        const char *name;
        double t60_s[3]; /* at 440, 1000 and 4000 Hz */
    } rows[] = {
        {"steel", {2.6419, 2.2339, .5769}},
        {"glass", {7.8306, 2.7922, .2153}},
        {"ceramic", {2.0424, 1.3888, .1997}},
        {"wood", {.1835, .0994, .0104}},
        {"plastic", {.3670, .1988, .0209}},
        {"iron", {2.3967, 1.5440, .2027}},
    };
    const double freq_hz[3] = {440, 1000, 4000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const sb_material *material = sb_material_find(rows[i].name);
        for (int j = 0; j < 3; j++) {
            double omega = 2 * SB_PI * freq_hz[j];
            double t60_s = log(1000.0) / sb_material_sigma(material, omega);
            ck_assert_double_eq_tol(t60_s, rows[i].t60_s[j], 5.1e-5);
        }
    }
}
END_TEST

START_TEST(check_names_the_first_bad_field) {
    const struct {
        size_t offset;
        double value;
        const char *message;
    } rows[] = {
        {offsetof(sb_material, density), 0,
         "material: density must be 1 to 100000 kg/m^3, got 0"},
        {offsetof(sb_material, youngs_modulus), 1,
         "material: youngs_modulus must be 1000 to 2e+12 Pa, got 1"},
        {offsetof(sb_material, poisson_ratio), 0.5,
         "material: poisson_ratio must be -0.99 to 0.499, got 0.5"},
        {offsetof(sb_material, alpha), -1,
         "material: alpha must be 0 to 100000 1/s, got -1"},
        {offsetof(sb_material, beta), 2,
         "material: beta must be 0 to 1 s, got 2"},
        {offsetof(sb_material, hardness), 0,
         "material: hardness must be 1 to 1e+13 N/m, got 0"},
        {offsetof(sb_material, roughness), INFINITY,
         "material: roughness must be 0 to 0.1 m, got inf"},
        {offsetof(sb_material, restitution), 1.1,
         "material: restitution must be 0 to 1, got 1.1"},
        {offsetof(sb_material, friction), -1,
         "material: friction must be 0 to 10, got -1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sb_material material = *sb_material_find("steel");
        char *field = (char *)&material + rows[i].offset;
        memcpy(field, &rows[i].value, sizeof rows[i].value);
        sb_error err = {0};
        ck_assert_int_eq(sb_material_check(&material, &err), SB_BAD_ARGUMENT);
        ck_assert_str_eq(err.message, rows[i].message);
        double nan = NAN;
        memcpy(field, &nan, sizeof nan);
        ck_assert_int_eq(sb_material_check(&material, NULL), SB_BAD_ARGUMENT);
    }
}
END_TEST

static sb_material grained(void) {
    sb_material wood = *sb_material_find("steel");
    wood.youngs_modulus = 12e9;
    wood.youngs_modulus_across = 1e9;
    wood.shear_modulus = 0.8e9;
    return wood;
}

static void expect_refused(const sb_material *material, const char *message) {
    sb_error err = {0};
    ck_assert_int_eq(sb_material_check(material, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, message);
}

START_TEST(a_grain_has_both_moduli_and_stores_energy) {
    sb_material wood = grained();
    ck_assert_int_eq(sb_material_check(&wood, NULL), SB_OK);
    ck_assert(sb_material_is_orthotropic(&wood));
    ck_assert(!sb_material_is_orthotropic(sb_material_find("steel")));
    wood.shear_modulus = 0;
    expect_refused(&wood, "material: shear_modulus is needed with "
                          "youngs_modulus_across (both 0: isotropic)");
    wood = grained();
    wood.youngs_modulus_across = 0;
    expect_refused(&wood, "material: youngs_modulus_across is needed with "
                          "shear_modulus (both 0: isotropic)");
    wood = grained();
    wood.youngs_modulus_across = 1;
    expect_refused(&wood, "material: youngs_modulus_across must be 0 "
                          "(isotropic) or 1000 to 2e+12 Pa, got 1");
    wood = grained();
    wood.shear_modulus = NAN;
    ck_assert_int_eq(sb_material_check(&wood, NULL), SB_BAD_ARGUMENT);
    wood = grained();
    wood.poisson_ratio = 0.45;
    wood.youngs_modulus_across = 12e9 / (0.45 * 0.45) * 1.001;
    expect_refused(&wood, "material: poisson_ratio^2 youngs_modulus_across / "
                          "youngs_modulus must be less than 1, got 1.001");
}
END_TEST

START_TEST(a_grain_follows_the_stiffness) {
    sb_material soft = grained(), hard = grained();
    ck_assert(sb_material_is_same_vibration(&soft, &hard));
    sb_material_set_stiffness(&hard, 15e9);
    ck_assert_double_eq_tol(hard.youngs_modulus_across, 1.25e9, 1);
    ck_assert_double_eq_tol(hard.shear_modulus, 1e9, 1);
    ck_assert(sb_material_has_same_ratios(&soft, &hard));
    ck_assert(!sb_material_is_same_vibration(&soft, &hard));
    hard.shear_modulus *= 1.01;
    ck_assert(!sb_material_has_same_ratios(&soft, &hard));
    hard = soft;
    hard.youngs_modulus_across *= 1.01;
    ck_assert(!sb_material_has_same_ratios(&soft, &hard));
    ck_assert(!sb_material_is_same_vibration(&soft, &hard));
    ck_assert(!sb_material_has_same_ratios(&soft, sb_material_find("steel")));
}
END_TEST

START_TEST(hard_things_are_harder_than_soft_things) {
    static const char *const softer[] = {"rubber",   "plastic", "wood",
                                         "rosewood", "glass",   "steel"};
    for (size_t i = 1; i < sizeof softer / sizeof softer[0]; i++) {
        ck_assert_double_lt(sb_material_find(softer[i - 1])->hardness,
                            sb_material_find(softer[i])->hardness);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("material");
    TCase *tests = tcase_create("material");
    tcase_add_test(tests, library_is_sorted_and_valid);
    tcase_add_test(tests, unknown_names_and_places_are_null);
    tcase_add_test(tests, presets_of_the_field_are_kept_exactly);
    tcase_add_test(tests, t60_matches_the_printed_table);
    tcase_add_test(tests, check_names_the_first_bad_field);
    tcase_add_test(tests, a_grain_has_both_moduli_and_stores_energy);
    tcase_add_test(tests, a_grain_follows_the_stiffness);
    tcase_add_test(tests, hard_things_are_harder_than_soft_things);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
