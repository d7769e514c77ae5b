/* SPDX-License-Identifier: MIT */
/* The size of elements, and of a solve: wavelengths, convergence, the limit of
 * memory, and leaving a solve in any phase. */
#include "runtime/base/clock.h"
#include "runtime/base/pi.h"
#include "runtime/model/material.h"
#include "runtime/model/shape.h"
#include "runtime/model/solve/attempt.h"
#include "runtime/model/solve/solve.h"
#include "runtime/store/model_maker.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Mindlin's lower branch at wavenumber k, E = 1 and rho = 1, with the shear
 * factor that makes short waves surface waves. */
static double mindlin_w(double k, double t, double n) {
    double shear = 1 / sqrt(2 * (1 + n));
    double surface = shear * (0.862 + 1.14 * n) / (1 + n);
    double plate = 1 / (1 - n * n), g = surface * surface;
    /* (w^2 - g k^2)(w^2 t^2 / 12 - plate k^2 t^2 / 12 - g) = g^2 k^2 */
    double i = t * t / 12, a = i, b = -(g + k * k * i * (plate + g));
    double c = g * plate * i * k * k * k * k;
    return sqrt((-b - sqrt(b * b - 4 * a * c)) / (2 * a));
}

START_TEST(the_shortest_wave_is_that_of_a_thick_plate) {
    for (int i = 0; i < 40; i++) {
        double t = 0.01, n = 0.1 + 0.01 * i, k = 3 * pow(1.15, i) / t / 100;
        double w = mindlin_w(k, t, n);
        double wave = sb_need_wavelength_m(t, n, w * w);
        /* Never longer, and not much shorter. */
        ck_assert_double_lt(wave, 1.02 * SB_TAU / k);
        ck_assert_double_gt(wave, 0.75 * SB_TAU / k);
    }
}
END_TEST

static sb_shape thick_plate(void) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .width = 0.1,
                      .depth = 0.1,
                      .thickness = 0.03,
                      .method = SB_METHOD_SOLID};
}

START_TEST(a_solve_has_five_elements_per_wave_and_few_unknowns) {
    const sb_material *steel = sb_material_find("steel");
    static const double thicknesses[] = {0.02, 0.05};
    for (int i = 0; i < 2; i++) {
        sb_shape shape = thick_plate();
        shape.thickness = thicknesses[i];
        sb_solution *solution;
        sb_error err = {0};
        sb_status status =
            sb_solve_for(&shape, steel, NULL, NULL, 0, &solution, &err);
        ck_assert_msg(status == SB_OK, "%s", err.message);
        double w = SB_TAU * 22000;
        double wave = sb_need_wavelength_m(
            shape.thickness, steel->poisson_ratio,
            w * w * steel->density / steel->youngs_modulus);
        /* Cells of edge h over the volume, cut into six tetrahedra. */
        double volume = 0.1 * 0.1 * shape.thickness;
        double h = cbrt(6 * volume / solution->facts.element_count);
        ck_assert_double_gt(wave / h, 5);
        ck_assert_int_lt(solution->facts.dof_count, 40000);
        sb_solution_release(solution);
    }
}
END_TEST

/* Against a grid with twice the unknowns. */
START_TEST(its_modes_are_right_to_a_third_of_a_per_cent) {
    sb_shape shape = thick_plate(), fine = shape;
    const sb_material *steel = sb_material_find("steel");
    fine.elements = 15;
    sb_solution *a, *b;
    ck_assert_int_eq(sb_solve_for(&shape, steel, NULL, NULL, 0, &a, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_solve_for(&fine, steel, NULL, NULL, 0, &b, NULL),
                     SB_OK);
    ck_assert_int_ge(a->mode_count, b->mode_count);
    for (int k = 0; k < b->mode_count; k++) {
        ck_assert_double_eq_tol(sqrt(a->lambdas[k] / b->lambdas[k]), 1, 0.003);
    }
    sb_solution_release(a);
    sb_solution_release(b);
}
END_TEST

START_TEST(what_needs_more_memory_is_refused_with_what_fits) {
    sb_shape shape = thick_plate();
    const sb_material *steel = sb_material_find("steel");
    shape.elements = 40;
    sb_error err = {0};
    sb_solution *solution;
    int fits = 0;
    double limit = 6e7;
    ck_assert_int_eq(
        sb_solve_for(&shape, steel, NULL, NULL, limit, &solution, &err),
        SB_NO_MEMORY);
    const char *at = strstr(err.message, "elements = ");
    ck_assert_msg(at && strstr(err.message, "unknowns") &&
                      strstr(err.message, "more than the 0.06 GB allowed") &&
                      strstr(err.message, "--memory"),
                  "%s", err.message);
    ck_assert_int_eq(sscanf(at, "elements = %d", &fits), 1);
    shape.elements = fits;
    ck_assert_int_eq(
        sb_solve_for(&shape, steel, NULL, NULL, limit, &solution, &err), SB_OK);
    sb_solution_release(solution);
}
END_TEST

static const sb_shape full_bodies[] = {
    {.kind = SB_SHAPE_BOX, .width = 0.15, .height = 0.14, .depth = 0.16},
    {.kind = SB_SHAPE_SPHERE, .radius = 0.11},
    {.kind = SB_SHAPE_CYLINDER, .radius = 0.05, .length = 0.4},
};
enum { FULL_BODIES = sizeof full_bodies / sizeof *full_bodies };

/* A script cannot give a box a number of elements, so none is advised; the
 * memory that is advised is enough. */
START_TEST(a_full_body_over_the_limit_is_advised_memory_that_fits) {
    const sb_shape *body = &full_bodies[_i];
    const sb_material *oak = sb_material_find("oak");
    sb_error err = {0};
    sb_solution *solution;
    int fits = 0;
    ck_assert_int_eq(sb_solve_for(body, oak, NULL, NULL, 4e7, &solution, &err),
                     SB_NO_MEMORY);
    const char *at = strstr(err.message, "--memory ");
    ck_assert_msg(at && !strstr(err.message, "elements ="), "%s", err.message);
    ck_assert_int_eq(sscanf(at, "--memory %dMB fits", &fits), 1);
    ck_assert_int_lt(fits, 150);
    err = (sb_error){0};
    ck_assert_msg(
        !sb_solve_for(body, oak, NULL, NULL, 1e6 * fits, &solution, &err), "%s",
        err.message);
    sb_solution_release(solution);
}
END_TEST

/* More memory, more elements: as many as fit, though not what is needed. */
START_TEST(what_does_not_fit_is_solved_as_finely_as_fits) {
    sb_shape box = {
        .kind = SB_SHAPE_BOX, .width = 0.15, .height = 0.14, .depth = 0.16};
    const sb_material *oak = sb_material_find("oak");
    sb_solution *a, *b;
    ck_assert_int_eq(sb_solve_for(&box, oak, NULL, NULL, 8e7, &a, NULL), SB_OK);
    ck_assert_int_eq(sb_solve_for(&box, oak, NULL, NULL, 1.2e8, &b, NULL),
                     SB_OK);
    ck_assert(a->is_coarse && b->is_coarse);
    ck_assert_int_gt((int)b->facts.dof_count, (int)a->facts.dof_count);
    sb_solution_release(a);
    sb_solution_release(b);
}
END_TEST

/* --- leaving -------------------------------------------------------------- */

typedef struct watcher {
    const char *leaves_at; /* a stage */
    double left_s;
    bool was_sized;
    int per_cent, reports; /* of the factorisation */
} watcher;

static bool watch(void *context, const char *stage, int done, int expected) {
    watcher *self = context;
    self->was_sized |= strcmp(stage, "size") == 0 && done > 0 && expected > 0;
    if (strcmp(stage, "factorisation") == 0) {
        ck_assert_int_eq(expected, 100);
        ck_assert_int_ge(done, self->per_cent);
        self->per_cent = done;
        self->reports++;
    }
    if (self->left_s > 0) return false;
    if (strcmp(stage, self->leaves_at) != 0) return true;
    self->left_s = sb_clock_s();
    return false;
}

START_TEST(every_phase_can_be_left_within_a_second) {
    static const char *const stages[] = {"mesh", "assembly", "ordering",
                                         "factorisation", "modes"};
    const sb_material *steel = sb_material_find("steel");
    sb_shape shape = thick_plate();
    shape.elements = 13;
    watcher self = {.leaves_at = stages[_i]};
    sb_maker maker = {.progress = watch, .context = &self};
    sb_model *model = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_maker_make(&maker, &shape, steel, NULL, &model, &err),
                     SB_INTERRUPTED);
    ck_assert_double_gt(self.left_s, 0);
    ck_assert_double_lt(sb_clock_s() - self.left_s, 1);
    ck_assert_int_eq(self.was_sized, _i > 2);
}
END_TEST

START_TEST(a_factorisation_is_reported_in_per_cent) {
    const sb_material *steel = sb_material_find("steel");
    sb_shape shape = thick_plate();
    shape.elements = 8;
    watcher self = {.leaves_at = "radiation"};
    sb_maker maker = {.progress = watch, .context = &self};
    sb_model *model = NULL;
    ck_assert_int_eq(sb_maker_make(&maker, &shape, steel, NULL, &model, NULL),
                     SB_INTERRUPTED);
    ck_assert_double_gt(self.left_s, 0);
    ck_assert_int_ge(self.per_cent, 98);
    ck_assert_int_gt(self.reports, 50);
}
END_TEST

/* --- fewer modes ----------------------------------------------------------- */

static const sb_shape soft_bodies[] = {
    {.kind = SB_SHAPE_CYLINDER, .radius = 0.035, .length = 0.21},
    {.kind = SB_SHAPE_PLATE,
     .width = 0.15,
     .depth = 0.15,
     .thickness = 0.02,
     .method = SB_METHOD_SOLID},
};
enum { SOFT_BODIES = sizeof soft_bodies / sizeof *soft_bodies };

static sb_solution *solve_rubber(const sb_shape *shape) {
    sb_solution *solution = NULL;
    sb_error err = {0};
    sb_status status = sb_solve_for(shape, sb_material_find("rubber"), NULL,
                                    NULL, 0, &solution, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return solution;
}

/* Thousands of modes: as many as a solve of a few seconds resolves. What is
 * left out lies above the last one. */
START_TEST(a_soft_body_has_as_many_modes_as_few_unknowns_resolve) {
    sb_shape shape = soft_bodies[_i];
    sb_solution *few = solve_rubber(&shape);
    int count = few->mode_count;
    ck_assert_int_lt(few->facts.dof_count, 1.5 * SB_FEWER_UNKNOWNS);
    ck_assert_int_ge(count, SB_FEWER_LEAST);
    ck_assert_int_lt(count, sb_solved_mode_limit(&shape));
    ck_assert_double_eq(few->facts.lambda_bound, few->lambdas[count - 1]);
    /* A number that the script chooses stays. */
    shape.max_modes = SB_FEWER_LEAST + 1;
    sb_solution *chosen = solve_rubber(&shape);
    ck_assert_int_eq(chosen->mode_count, SB_FEWER_LEAST + 1);
    for (int k = 0; k < count && k < chosen->mode_count; k++)
        ck_assert_double_eq_tol(sqrt(few->lambdas[k] / chosen->lambdas[k]), 1,
                                0.01);
    sb_solution_release(few);
    sb_solution_release(chosen);
}
END_TEST

START_TEST(the_lowest_modes_keep_their_shapes) {
    sb_shape shape = thick_plate();
    shape.elements = 4;
    sb_solution *all = solve_rubber(&shape), *some = NULL;
    ck_assert_int_eq(sb_solution_lowest(all, 7, &some, NULL), SB_OK);
    ck_assert_int_eq(some->mode_count, 7);
    ck_assert_double_eq(some->facts.lambda_bound, all->lambdas[6]);
    for (int v = 0; v < all->vertex_count; v++) {
        ck_assert_mem_eq(some->shapes + (size_t)v * 21,
                         all->shapes + (size_t)v * 3 * (size_t)all->mode_count,
                         21 * sizeof(float));
    }
    sb_solution_release(all);
    sb_solution_release(some);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_size");
    TCase *size = tcase_create("size");
    tcase_add_test(size, the_shortest_wave_is_that_of_a_thick_plate);
    tcase_add_test(size, a_solve_has_five_elements_per_wave_and_few_unknowns);
    tcase_add_test(size, its_modes_are_right_to_a_third_of_a_per_cent);
    tcase_add_test(size, what_needs_more_memory_is_refused_with_what_fits);
    tcase_add_loop_test(size,
                        a_full_body_over_the_limit_is_advised_memory_that_fits,
                        0, FULL_BODIES);
    tcase_add_test(size, what_does_not_fit_is_solved_as_finely_as_fits);
    tcase_add_loop_test(size, every_phase_can_be_left_within_a_second, 0, 5);
    tcase_add_test(size, a_factorisation_is_reported_in_per_cent);
    tcase_add_loop_test(size,
                        a_soft_body_has_as_many_modes_as_few_unknowns_resolve,
                        0, SOFT_BODIES);
    tcase_add_test(size, the_lowest_modes_keep_their_shapes);
    suite_add_tcase(suite, size);
    return run_suite(suite);
}
