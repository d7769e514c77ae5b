/* SPDX-License-Identifier: MIT */
/* The material library, its checks, and how fast its modes decay. */
#include "runtime/base/pi.h"
#include "runtime/model/material.h"

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

START_TEST(presets_of_the_field_are_kept) {
    const struct {
        const char *name;
        double density, youngs, poisson;
    } rows[] = {
        {"ceramic", 2700, 7.2e10, .19},      {"glass", 2600, 6.2e10, .20},
        {"wood", 750, 1.1e10, .25},          {"plastic", 1070, 1.4e9, .35},
        {"iron", 8000, 2.1e11, .28},         {"steel", 7850, 2.0e11, .29},
        {"polycarbonate", 1190, 2.4e9, .37}, {"tin", 7265, 5e10, .325},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const sb_material *material = sb_material_find(rows[i].name);
        ck_assert_ptr_nonnull(material);
        ck_assert_double_eq(material->density, rows[i].density);
        ck_assert_double_eq(material->youngs_modulus, rows[i].youngs);
        ck_assert_double_eq(material->poisson_ratio, rows[i].poisson);
    }
}
END_TEST

/* Published ranges of the loss factor about 1 kHz and room temperature.
 * Cremer, Heckl & Petersson, Structure-Borne Sound, 2005 (metals, glass,
 * concrete, oak, plywood, PMMA); Ashby, Materials Selection in Mechanical
 * Design, 2011, and Lakes, Viscoelastic Materials, 2009 (titanium, plastics,
 * rubber, bell metal); Wegst, Wood for sound, 2006, Haines, On musical
 * instrument wood, 1979, and Ono & Norimoto 1983 (woods along the grain);
 * Knopoff, Q, 1964 (rocks); handbook values (ice, ceramic). */
static const struct published {
    const char *name;
    double least, most;
} published[] = {
    {"aluminium", 1e-4, 1e-3}, {"brass", 2e-4, 1e-3},
    {"bronze", 1e-4, 1e-3},    {"ceramic", 5e-4, 5e-3},
    {"concrete", 4e-3, 1e-2},  {"copper", 1e-3, 3e-3},
    {"glass", 6e-4, 2e-3},     {"hard_plastic", 1e-2, 4e-2},
    {"ice", 2e-3, 2e-2},       {"iron", 1e-4, 6e-4},
    {"maple", 5e-3, 1.2e-2},   {"marble", 1e-3, 5e-3},
    {"oak", 5e-3, 1.2e-2},     {"pine", 5e-3, 1.5e-2},
    {"plastic", 1e-2, 1e-1},   {"plywood", 1e-2, 3e-2},
    {"pmma", 1e-2, 4e-2},      {"polycarbonate", 1e-2, 4e-2},
    {"porcelain", 5e-4, 2e-3}, {"rosewood", 5e-3, 1.2e-2},
    {"rubber", 0.1, 1},        {"silver", 4e-4, 3e-3},
    {"spruce", 5e-3, 1e-2},    {"steel", 1e-4, 6e-4},
    {"stone", 3e-3, 1e-2},     {"tin", 1e-3, 3e-3},
    {"titanium", 2e-4, 2e-3},  {"wood", 5e-3, 1.2e-2},
};

enum { PUBLISHED = sizeof published / sizeof published[0] };

START_TEST(loss_at_1_khz_is_in_the_published_range) {
    ck_assert_int_eq(sb_material_count(), PUBLISHED);
    for (int i = 0; i < PUBLISHED; i++) {
        ck_assert_str_eq(sb_material_name(i), published[i].name);
        double eta = sb_material_loss(sb_material_at(i), 1000);
        ck_assert_msg(eta >= published[i].least && eta <= published[i].most,
                      "%s: eta is %g, published %g to %g", published[i].name,
                      eta, published[i].least, published[i].most);
    }
}
END_TEST

/* Rayleigh's curve has one minimum: it must lie in the audible middle, and the
 * ends must not be far above. Rubber is damped by its stiffness alone. */
START_TEST(loss_stays_plausible_from_50_hz_to_10_khz) {
    for (int i = 0; i < sb_material_count(); i++) {
        const sb_material *material = sb_material_at(i);
        double middle = sqrt(material->alpha / material->beta) / (2 * SB_PI);
        double at_1k = sb_material_loss(material, 1000);
        const char *name = sb_material_name(i);
        ck_assert_msg(middle > 200 && middle < 2500, "%s: %g", name, middle);
        ck_assert_msg(sb_material_loss(material, 300) < 3 * at_1k, "%s", name);
        ck_assert_msg(sb_material_loss(material, 50) < 15 * at_1k, "%s", name);
        ck_assert_msg(sb_material_loss(material, 1e4) < 10 * at_1k, "%s", name);
    }
}
END_TEST

/* T60 = 2.2 / (eta f), and of a decay e^(-s t) it is ln(1000) / s. */
START_TEST(loss_and_decay_agree) {
    for (int i = 0; i < sb_material_count(); i++) {
        const sb_material *material = sb_material_at(i);
        for (double hz = 50; hz < 2e4; hz *= 3) {
            double sigma = sb_material_sigma(material, 2 * SB_PI * hz);
            double t60_s = 2.2 / (sb_material_loss(material, hz) * hz);
            ck_assert_double_eq_tol(t60_s * sigma / log(1000.0), 1, 1e-3);
        }
    }
}
END_TEST

START_TEST(plastics_and_tin_do_not_ring_like_steel) {
    const sb_material *steel = sb_material_find("steel");
    static const char *const duller[] = {"tin",  "copper", "polycarbonate",
                                         "pmma", "rubber", "wood"};
    for (size_t i = 0; i < sizeof duller / sizeof duller[0]; i++) {
        const sb_material *other = sb_material_find(duller[i]);
        for (double hz = 50; hz < 2e4; hz *= 2) {
            ck_assert_msg(sb_material_loss(other, hz) >
                              3 * sb_material_loss(steel, hz),
                          "%s at %g Hz", duller[i], hz);
        }
    }
}
END_TEST

START_TEST(every_row_names_its_source) {
    for (int i = 0; i < sb_material_count(); i++) {
        const char *source = sb_material_source(i);
        ck_assert_ptr_nonnull(strstr(source, "elastic: "));
        ck_assert_ptr_nonnull(strstr(source, "loss: "));
        ck_assert_ptr_null(strchr(source, '\n'));
    }
    ck_assert_ptr_null(sb_material_source(sb_material_count()));
}
END_TEST

START_TEST(check_names_the_first_bad_field) {
    const struct {
        size_t offset;
        double value;
        const char *message;
    } rows[] = {
        {offsetof(sb_material, density), 0,
         "material: density must be a number from 1 to 100000 kg/m^3, got 0"},
        {offsetof(sb_material, youngs_modulus), 1,
         "material: youngs_modulus must be a number from 1000 to 2e+12 Pa, got 1"},
        {offsetof(sb_material, poisson_ratio), 0.5,
         "material: poisson_ratio must be a number from -0.99 to 0.499, got 0.5"},
        {offsetof(sb_material, alpha), -1,
         "material: alpha must be a number from 0 to 100000 1/s, got -1"},
        {offsetof(sb_material, beta), 2,
         "material: beta must be a number from 0 to 1 s, got 2"},
        {offsetof(sb_material, hardness), 0,
         "material: hardness must be a number from 1 to 1e+13 N/m, got 0"},
        {offsetof(sb_material, roughness), INFINITY,
         "material: roughness must be a number from 0 to 0.1 m, got inf"},
        {offsetof(sb_material, restitution), 1.1,
         "material: restitution must be a number from 0 to 1, got 1.1"},
        {offsetof(sb_material, friction), -1,
         "material: friction must be a number from 0 to 10, got -1"},
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
    expect_refused(&wood,
                   "material: youngs_modulus_across must be 0 (isotropic) "
                   "or a number from 1000 to 2e+12 Pa, got 1");
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

/* Woods are 5 to 20 times softer across the grain and in shear; plywood only in
 * shear. An isotropic material of that stiffness would have G near E / 2.7. */
START_TEST(woods_have_a_grain_and_others_none) {
    static const char *const woods[] = {"maple",    "oak",    "pine", "plywood",
                                        "rosewood", "spruce", "wood"};
    int with_grain = 0;
    for (int i = 0; i < sb_material_count(); i++) {
        with_grain += sb_material_is_orthotropic(sb_material_at(i));
    }
    ck_assert_int_eq(with_grain, sizeof woods / sizeof woods[0]);
    for (size_t i = 0; i < sizeof woods / sizeof woods[0]; i++) {
        const sb_material *wood = sb_material_find(woods[i]);
        double across = wood->youngs_modulus_across / wood->youngs_modulus;
        double shear = wood->shear_modulus / wood->youngs_modulus;
        bool is_layered = strcmp(woods[i], "plywood") == 0;
        ck_assert_msg(shear > 0.05 && shear < 0.14, "%s: %g", woods[i], shear);
        ck_assert_msg(across > (is_layered ? 0.4 : 0.05) &&
                          across < (is_layered ? 0.8 : 0.2),
                      "%s: %g", woods[i], across);
    }
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
    tcase_add_test(tests, presets_of_the_field_are_kept);
    tcase_add_test(tests, loss_at_1_khz_is_in_the_published_range);
    tcase_add_test(tests, loss_stays_plausible_from_50_hz_to_10_khz);
    tcase_add_test(tests, loss_and_decay_agree);
    tcase_add_test(tests, plastics_and_tin_do_not_ring_like_steel);
    tcase_add_test(tests, every_row_names_its_source);
    tcase_add_test(tests, check_names_the_first_bad_field);
    tcase_add_test(tests, a_grain_has_both_moduli_and_stores_energy);
    tcase_add_test(tests, a_grain_follows_the_stiffness);
    tcase_add_test(tests, woods_have_a_grain_and_others_none);
    tcase_add_test(tests, hard_things_are_harder_than_soft_things);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
