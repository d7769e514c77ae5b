/* SPDX-License-Identifier: MIT */
/* Boxes, balls and cylinders with default elements: all modes up to the highest
 * frequency against three-dimensional elasticity, and how many unknowns they
 * take. SHOW=1 prints the table. */
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "runtime/model/solve/attempt.h"
#include "runtime/model/solve/solve.h"
#include "tests/model/ritz_3d.h"

#include <math.h>
#include <stdio.h>

enum { MODES_MOST = 400 };
#define ERROR_MOST 0.01

static sb_solution *solve(const sb_shape *shape, const char *material) {
    sb_solution *solution = NULL;
    sb_error err = {0};
    sb_status status = sb_solve_for(shape, sb_material_find(material), NULL,
                                    NULL, 0, &solution, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return solution;
}

static double hz_of(const sb_solution *solution, const char *material, int k) {
    return sqrt(solution->lambdas[k] /
                sb_solution_lambda(sb_material_find(material), 1.0));
}

/* Those up to the limit; some beyond it are kept, too. */
static int heard(const sb_solution *solution, const char *material) {
    int count = solution->mode_count;
    while (count > 0 && hz_of(solution, material, count - 1) > 22000)
        count--;
    return count;
}

/* Each mode beside the true one; the list is complete up to its end. */
static void compare(const sb_solution *solution, const char *material,
                    const char *what, const double *hz, int count) {
    double worst = 0;
    int found = heard(solution, material);
    ck_assert_int_gt(count, found);
    for (int k = 0; k < found && k < count; k++)
        worst = fmax(worst, fabs(hz_of(solution, material, k) / hz[k] - 1));
    if (getenv("SHOW")) {
        printf("%-24s %-14s %3d modes to %5.0f Hz, %6d unknowns, %.2f s: "
               "worst %.2f %%\n",
               what, material, found, hz_of(solution, material, found - 1),
               (int)solution->facts.dof_count, solution->facts.seconds,
               100 * worst);
    }
    ck_assert_msg(worst < ERROR_MOST, "%s of %s: off by %.2f %%", what,
                  material, 100 * worst);
    double next = hz[found];
    ck_assert_double_gt(next, 22000 * (1 - ERROR_MOST));
}

/* --- boxes ---------------------------------------------------------------- */

static const struct box {
    const char *what, *material;
    double x, y, z;
    int degrees[3], unknowns;
} boxes[] = {
    {"cube 160 mm", "oak", 0.16, 0.16, 0.16, {12, 12, 12}, 20000},
    {"box 200 x 150 x 100 mm", "steel", 0.2, 0.1, 0.15, {12, 9, 11}, 10000},
    {"block 60 x 40 x 30 mm",
     "polycarbonate",
     0.06,
     0.03,
     0.04,
     {12, 9, 10},
     10000},
    {"plank 300 x 80 x 25 mm", "maple", 0.3, 0.025, 0.08, {20, 7, 9}, 20000},
    {"slab 120 x 100 x 40 mm", "glass", 0.12, 0.04, 0.1, {10, 8, 10}, 10000},
};

static int true_box(const struct box *row, double *hz) {
    const sb_material *m = sb_material_find(row->material);
    r3_box box = r3_isotropic(row->x, row->y, row->z, m->youngs_modulus,
                              m->density, m->poisson_ratio);
    for (int i = 0; i < 3; i++)
        box.degrees[i] = row->degrees[i];
    int count = r3_modes(&box, 0, hz, MODES_MOST / 2);
    count += r3_modes(&box, 1, hz + count, MODES_MOST / 2);
    qsort(hz, (size_t)count, sizeof *hz, r3_ascending);
    return count;
}

START_TEST(boxes_are_right_up_to_the_highest_frequency) {
    const struct box *row = &boxes[_i];
    double hz[MODES_MOST] = {0};
    sb_shape shape = {.kind = SB_SHAPE_BOX,
                      .width = row->x,
                      .height = row->y,
                      .depth = row->z};
    sb_solution *solution = solve(&shape, row->material);
    int count = true_box(row, hz);
    compare(solution, row->material, row->what, hz, count);
    ck_assert_int_lt((int)solution->facts.dof_count, row->unknowns);
    sb_solution_release(solution);
}
END_TEST

/* --- balls ---------------------------------------------------------------- */

/* Spherical Bessel function, by its series. */
static double bessel(int l, double x) {
    double term = 1, sum;
    for (int i = 1; i <= l; i++)
        term *= x / (2 * i + 1);
    sum = term;
    for (int k = 1; k < 80; k++) {
        term *= -0.5 * x * x / (k * (2 * l + 2 * k + 1));
        sum += term;
    }
    return sum;
}

/* Zero at the modes of a free ball with l nodal lines; x is w R / c_s, y is
 * w R / c_p. No traction on the surface; of the spheroidal ones (is_twist
 * false) the determinant of its two parts. */
static double free_ball(int l, bool is_twist, double x, double ratio) {
    double y = x * ratio, n = l;
    double twist = (n - 1) * bessel(l, x) - x * bessel(l + 1, x);
    if (is_twist) return twist;
    double a =
        (n * n - n - 0.5 * x * x) * bessel(l, y) + 2 * y * bessel(l + 1, y);
    if (l == 0) return a;
    double b = n * (n + 1) * twist;
    double c = (n - 1) * bessel(l, y) - y * bessel(l + 1, y);
    double d = (n * n - 1 - 0.5 * x * x) * bessel(l, x) + x * bessel(l + 1, x);
    return a * d - b * c;
}

/* All roots up to x = 8, each 2 l + 1 times, in Hz. */
static int true_ball(double radius, const sb_material *m, double *hz) {
    double nu = m->poisson_ratio, ratio = sqrt((0.5 - nu) / (1 - nu));
    double shear = sqrt(0.5 * m->youngs_modulus / ((1 + nu) * m->density));
    int count = 0;
    for (int i = 0; i < 20; i++) {
        int l = i / 2;
        bool is_twist = i % 2;
        if (l == 0 && is_twist) continue;
        double step = 0.01, before = free_ball(l, is_twist, 0.5, ratio);
        for (double x = 0.5 + step; x < 8; x += step) {
            double now = free_ball(l, is_twist, x, ratio);
            if (before * now < 0) {
                double root = x - step * now / (now - before);
                for (int k = 0; k < 2 * l + 1 && count < MODES_MOST; k++)
                    hz[count++] = root * shear / (SB_TAU * radius);
            }
            before = now;
        }
    }
    qsort(hz, (size_t)count, sizeof *hz, r3_ascending);
    return count;
}

static const struct ball {
    const char *what, *material;
    double radius;
    int unknowns;
} balls[] = {{"ball, radius 100 mm", "oak", 0.1, 15000},
             {"ball, radius 30 mm", "polycarbonate", 0.03, 15000},
             {"ball, radius 80 mm", "bronze", 0.08, 15000}};

START_TEST(balls_are_right_up_to_the_highest_frequency) {
    const struct ball *row = &balls[_i];
    double hz[MODES_MOST] = {0};
    sb_shape shape = {.kind = SB_SHAPE_SPHERE, .radius = row->radius};
    sb_solution *solution = solve(&shape, row->material);
    int count = true_ball(row->radius, sb_material_find(row->material), hz);
    compare(solution, row->material, row->what, hz, count);
    ck_assert_int_lt((int)solution->facts.dof_count, row->unknowns);
    sb_solution_release(solution);
}
END_TEST

/* --- modes that change places --------------------------------------------- */

/* Elements of two sizes, whose frequencies are extrapolated, list modes near to
 * each other in different orders. The first row is the block that Ogi et al.
 * (2002) measured, ten times as large: 25,096 and 25,117 Hz are two modes. If
 * modes are matched by number, four rows are off by 0.33 to 0.57 %. */
static const struct block {
    sb_shape_kind kind; /* of a cylinder x and z are the diameter */
    double x, y, z, youngs_modulus, density, poisson_ratio, max_hz;
    int degrees[3], modes;
} blocks[] = {
    {SB_SHAPE_BOX,
     .1192,
     .1093,
     .0986,
     71.51e9,
     2788,
     .33814,
     29000,
     {12, 12, 11},
     29},
    {SB_SHAPE_BOX, .1, .1, .1, 110e9, 8500, .34, 26000, {12, 12, 12}, 43},
    {SB_SHAPE_BOX,
     .0635,
     .0508,
     .0381,
     200e9,
     7850,
     .3,
     80000,
     {13, 12, 10},
     50},
    {SB_SHAPE_BOX, .2, .005, .02, 200e9, 7850, .29, 13000, {18, 6, 8}, 13},
    {SB_SHAPE_BOX, .12, .01, .1, 70e9, 2700, .33, 22000, {14, 6, 13}, 18},
    {SB_SHAPE_BOX, .3, .01, .08, 70e9, 2700, .33, 8000, {17, 6, 11}, 11},
    {SB_SHAPE_PLATE, .2, .02, .15, 70e9, 2700, .33, 22000, {15, 7, 14}, 29},
    {SB_SHAPE_CYLINDER, .12, .04, .12, 64e9, 2500, .2, 40000, {15, 9, 15}, 20},
};

static sb_material material_of(double youngs_modulus, double density,
                               double poisson_ratio) {
    sb_material m = *sb_material_find("aluminium");
    m.youngs_modulus = youngs_modulus;
    m.density = density;
    m.poisson_ratio = poisson_ratio;
    return m;
}

/* As many as there are below the limit, each right to 0.3 %, no two of them
 * one unless they are one. */
static void expect_all(const sb_shape *shape, const sb_material *material,
                       const double *hz, int count) {
    sb_solution *solution = NULL;
    sb_error err = {0};
    ck_assert_msg(
        !sb_solve_for(shape, material, NULL, NULL, 0, &solution, &err), "%s",
        err.message);
    double one = sb_solution_lambda(material, 1.0), worst = 0;
    int found = 0;
    for (; found < solution->mode_count; found++) {
        double own = sqrt(solution->lambdas[found] / one);
        if (own > shape->max_hz) break;
        worst = fmax(worst, fabs(own / hz[found] - 1));
        bool is_pair = found > 0 && hz[found] / hz[found - 1] - 1 > 1e-6;
        ck_assert(!is_pair ||
                  solution->lambdas[found] > solution->lambdas[found - 1]);
    }
    if (getenv("SHOW"))
        printf("%s of %.3g m: %d modes of %d, worst %.3f %%\n",
               sb_shape_kind_name(shape->kind),
               fmax(shape->width, shape->length), found, count, 100 * worst);
    ck_assert_int_eq(found, count);
    ck_assert_msg(worst < 0.003, "off by %.3f %%", 100 * worst);
    sb_solution_release(solution);
}

/* By Sylvester's law: as many modes of smaller elements lie below a frequency
 * as K - omega^2 M has negative eigenvalues, six of which are rigid motions. */
static int count_by_inertia(const sb_shape *shape, const sb_material *material,
                            double hz) {
    sb_solve_def def = {.shape = shape,
                        .poisson_ratio = material->poisson_ratio,
                        .max_lambda = sb_solution_lambda(material, hz),
                        .max_modes = MODES_MOST};
    sb_attempt attempt;
    sb_cholesky *factor = NULL;
    int below = 0;
    ck_assert_int_eq(
        sb_attempt_prepare(&attempt, &def, (sb_grain){.finer = 1.5}, NULL),
        SB_OK);
    ck_assert_int_eq(
        sb_cholesky_create(&factor, &attempt.fem.k, &attempt.fem.m, NULL),
        SB_OK);
    ck_assert_int_eq(sb_cholesky_inertia(factor, def.max_lambda, &below, NULL),
                     SB_OK);
    sb_cholesky_destroy(factor);
    sb_attempt_free(&attempt);
    return below - 6;
}

static sb_shape shape_of(const struct block *row) {
    sb_shape shape = {.kind = row->kind, .max_hz = row->max_hz};
    if (row->kind == SB_SHAPE_CYLINDER) {
        shape.radius = 0.5 * row->x;
        shape.length = row->y;
        return shape;
    }
    shape.width = row->x;
    shape.depth = row->z;
    if (row->kind == SB_SHAPE_BOX) shape.height = row->y;
    if (row->kind == SB_SHAPE_PLATE) {
        shape.thickness = row->y;
        shape.method = SB_METHOD_SOLID;
    }
    return shape;
}

START_TEST(bodies_have_all_their_modes) {
    const struct block *row = &blocks[_i];
    double hz[MODES_MOST] = {0};
    sb_material m =
        material_of(row->youngs_modulus, row->density, row->poisson_ratio);
    r3_box box = r3_isotropic(row->x, row->y, row->z, m.youngs_modulus,
                              m.density, m.poisson_ratio);
    box.is_round = row->kind == SB_SHAPE_CYLINDER;
    for (int i = 0; i < 3; i++)
        box.degrees[i] = row->degrees[i];
    int count = r3_modes(&box, 0, hz, MODES_MOST / 2), below = 0;
    count += r3_modes(&box, 1, hz + count, MODES_MOST / 2);
    qsort(hz, (size_t)count, sizeof *hz, r3_ascending);
    while (below < count && hz[below] <= row->max_hz)
        below++;
    ck_assert_int_eq(below, row->modes);
    sb_shape shape = shape_of(row);
    expect_all(&shape, &m, hz, below);
    double between = sqrt(hz[below - 1] * hz[below]);
    struct block solid = *row;
    if (row->kind == SB_SHAPE_PLATE) solid.kind = SB_SHAPE_BOX;
    shape = shape_of(&solid);
    int counted = count_by_inertia(&shape, &m, between);
    ck_assert_int_eq(counted, below);
}
END_TEST

/* --- cylinders and thin meshes -------------------------------------------- */

static const struct cylinder {
    const char *what, *material;
    double radius, length;
    int elements, unknowns;
} cylinders[] = {{"cylinder 100 x 200 mm", "oak", 0.05, 0.2, 22, 12000},
                 {"cylinder 40 x 60 mm", "pmma", 0.02, 0.06, 16, 20000},
                 {"cylinder 120 x 30 mm", "glass", 0.06, 0.03, 14, 12000}};

/* Against twice the unknowns or more. */
START_TEST(cylinders_have_the_modes_of_finer_ones) {
    const struct cylinder *row = &cylinders[_i];
    double hz[MODES_MOST] = {0};
    sb_shape shape = {.kind = SB_SHAPE_CYLINDER,
                      .radius = row->radius,
                      .length = row->length};
    sb_solution *solution = solve(&shape, row->material);
    shape.elements = row->elements;
    shape.max_hz = 24000;
    sb_solution *fine = solve(&shape, row->material);
    ck_assert_int_gt((int)fine->facts.dof_count,
                     2 * (int)solution->facts.dof_count);
    for (int k = 0; k < fine->mode_count; k++)
        hz[k] = hz_of(fine, row->material, k);
    compare(solution, row->material, row->what, hz, fine->mode_count);
    ck_assert_int_lt((int)solution->facts.dof_count, row->unknowns);
    sb_solution_release(solution);
    sb_solution_release(fine);
}
END_TEST

/* Elements are too stiff, and extrapolation lowers what they give: a mode that
 * is below the limit only then is there, too. */
START_TEST(a_mode_just_below_the_limit_is_there) {
    sb_shape box = {
        .kind = SB_SHAPE_BOX, .width = .13, .height = .11, .depth = .12};
    const sb_material *oak = sb_material_find("oak");
    sb_solution *wide = solve(&box, "oak");
    int last = wide->mode_count - 1;
    while (hz_of(wide, "oak", last) > 20500)
        last--;
    for (int k = last; k > last - 4; k--) {
        box.max_hz = hz_of(wide, "oak", k) * 1.005;
        sb_solution *narrow = solve(&box, "oak");
        int count = 0;
        while (count < narrow->mode_count &&
               narrow->lambdas[count] <= sb_solution_lambda(oak, box.max_hz))
            count++;
        if (getenv("SHOW"))
            printf("limit %.1f Hz: %d modes, at least %d\n", box.max_hz, count,
                   k + 1);
        ck_assert_msg(count > k, "%d modes below %.1f Hz, expected %d", count,
                      box.max_hz, k + 1);
        sb_solution_release(narrow);
    }
    sb_solution_release(wide);
}
END_TEST

/* A thin ring keeps most of its nodes when its cells grow. */
START_TEST(a_thin_mesh_can_be_filled_more_coarsely) {
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_error err = {0};
    sb_status status =
        sb_mesh_read(MODELS "/ring_200.obj", 1, &mesh, &report, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    sb_fill_def def = sb_fill_def_default();
    sb_solid_mesh usual = {0}, coarse = {0};
    def.most_nodes = 10000;
    ck_assert_int_eq(sb_fill(&mesh, &def, &usual, NULL), SB_OK);
    def.finer = 1 / 1.45;
    status = sb_fill(&mesh, &def, &coarse, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_lt(coarse.node_count, usual.node_count);
    sb_solid_mesh_free(&usual);
    sb_solid_mesh_free(&coarse);
    sb_mesh_free(&mesh);
}
END_TEST

/* A table top of 1.2 x 0.7 x 0.04 m as a mesh: at 22 kHz its waves need some
 * 300,000 unknowns and 7 GB. It is solved up to where a tenth of them suffices.
 */
START_TEST(a_large_mesh_is_solved_up_to_what_takes_seconds) {
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_error err = {0};
    ck_assert_int_eq(
        sb_mesh_read(MODELS "/table_600.obj", 1, &mesh, &report, &err), SB_OK);
    sb_mesh_source *source = NULL;
    ck_assert_int_eq(
        sb_mesh_source_create("table.obj", &mesh, &report, &source, &err),
        SB_OK);
    sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = source};
    const sb_material *m = sb_material_find("oak");
    sb_solution *solution = solve(&shape, "oak");
    ck_assert_int_lt((int)solution->facts.dof_count, 60000);
    ck_assert_double_lt(solution->facts.lambda_bound,
                        sb_solution_lambda(m, 22000));
    ck_assert_double_gt(solution->facts.lambda_bound,
                        sb_solution_lambda(m, 3000));
    ck_assert(!solution->is_coarse);
    enum { LOWEST = 24 };
    double hz[2 * LOWEST];
    r3_box box = r3_isotropic(1.2, 0.04, 0.7, m->youngs_modulus, m->density,
                              m->poisson_ratio);
    box.degrees[0] = 16, box.degrees[1] = 5, box.degrees[2] = 12;
    int count = r3_modes(&box, 0, hz, LOWEST);
    count += r3_modes(&box, 1, hz + count, LOWEST);
    qsort(hz, (size_t)count, sizeof *hz, r3_ascending);
    for (int k = 0; k < LOWEST; k++) {
        double got = hz_of(solution, "oak", k);
        ck_assert_msg(fabs(got / hz[k] - 1) < 0.003, "%d: %g Hz, not %g", k,
                      got, hz[k]);
    }
    sb_solution_release(solution);
    sb_mesh_source_release(source);
}
END_TEST

/* --- the edge of tetrahedra ----------------------------------------------- */

/* Cells a x a x b of a box: the edge is the longest side of a cell, be it a
 * cube, flat or a needle. */
START_TEST(the_edge_of_tetrahedra_is_that_of_their_cells) {
    static const double sides[3][3] = {
        {0.12, 0.12, 0.12}, {0.12, 0.008, 0.12}, {0.9, 0.02, 0.02}};
    static const double edges[3] = {0.02, 0.02, 0.15};
    for (int i = 0; i < 3; i++) {
        sb_shape shape = {.kind = SB_SHAPE_BOX,
                          .width = sides[i][0],
                          .height = sides[i][1],
                          .depth = sides[i][2],
                          .elements = 6};
        sb_solve_def def = {.shape = &shape, .poisson_ratio = 0.3};
        sb_attempt attempt;
        ck_assert_int_eq(
            sb_attempt_prepare(&attempt, &def, (sb_grain){.finer = 1}, NULL),
            SB_OK);
        ck_assert_msg(fabs(attempt.edge_m / edges[i] - 1) < 0.1,
                      "%g m, not %g m", attempt.edge_m, edges[i]);
        sb_attempt_free(&attempt);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_solids");
    TCase *solids = tcase_create("solids");
    tcase_add_loop_test(solids, boxes_are_right_up_to_the_highest_frequency, 0,
                        (int)(sizeof boxes / sizeof *boxes));
    tcase_add_loop_test(solids, balls_are_right_up_to_the_highest_frequency, 0,
                        (int)(sizeof balls / sizeof *balls));
    tcase_add_loop_test(solids, bodies_have_all_their_modes, 0,
                        (int)(sizeof blocks / sizeof *blocks));
    tcase_add_loop_test(solids, cylinders_have_the_modes_of_finer_ones, 0,
                        (int)(sizeof cylinders / sizeof *cylinders));
    tcase_add_test(solids, a_mode_just_below_the_limit_is_there);
    tcase_add_test(solids, a_thin_mesh_can_be_filled_more_coarsely);
    tcase_add_test(solids, a_large_mesh_is_solved_up_to_what_takes_seconds);
    tcase_add_test(solids, the_edge_of_tetrahedra_is_that_of_their_cells);
    suite_add_tcase(suite, solids);
    return run_suite(suite);
}
