/* SPDX-License-Identifier: MIT */
/* Invariance under rotation, scaling and renumbering, and the laws of
 * mechanics for modes: mass, inertia, reciprocity, symmetry. */
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"

static sb_mesh copy_of(const sb_mesh *mesh) {
    sb_mesh copy = {0};
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&copy, mesh, &err), SB_OK);
    return copy;
}

/* An uneven sheet, curved, without any symmetry. */
static sb_mesh saddle(void) {
    sb_mesh mesh = square(.2, 10, JITTERED);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 *p = &mesh.vertices[i];
        p->x *= 1.3;
        p->y = .8 * p->x * p->z + .3 * p->x * p->x;
    }
    return mesh;
}

static sb_model *sheet_model(sb_mesh mesh, double thickness,
                             sb_material material) {
    sb_shape shape = shape_of(mesh, thickness);
    shape.max_hz = 3000;
    return solved_mesh(shape, material);
}

static sb_mesh moved_mesh(sb_mesh mesh, sb_vec3 (*move)(sb_vec3)) {
    move_points(mesh.vertices, mesh.vertex_count, move);
    return mesh;
}

/* Renumbered vertices and faces; faces start at another corner. */
static sb_mesh renumbered(sb_mesh mesh) {
    sb_mesh other = empty_mesh(mesh.vertex_count, mesh.face_count);
    int *order = shuffled(mesh.vertex_count),
        *place = shuffled(mesh.face_count);
    for (int i = 0; i < mesh.vertex_count; i++)
        other.vertices[order[i]] = mesh.vertices[i];
    for (int i = 0; i < mesh.face_count; i++) {
        for (int c = 0; c < 3; c++)
            other.faces[place[i]][c] = order[mesh.faces[i][(c + i) % 3]];
    }
    other.vertex_count = mesh.vertex_count;
    other.face_count = mesh.face_count;
    sb_free(order);
    sb_free(place);
    sb_mesh_free(&mesh);
    return other;
}

static void expect_ratio(const char *what, sb_model *a, sb_model *b, int count,
                         double ratio, double tolerance) {
    double worst = worst_ratio(a, b, count, ratio);
    if (getenv("SHOW")) (void)printf("%-30s %g\n", what, worst);
    ck_assert_msg(worst <= tolerance, "%s: %g", what, worst);
    sb_model_release(b);
}

enum { COUNT = 12 };

START_TEST(a_sheet_is_the_same_wherever_it_lies) {
    sb_material m = heard_steel();
    sb_model *plain = sheet_model(saddle(), .002, m);
    expect_ratio("turned", plain,
                 sheet_model(moved_mesh(saddle(), moved), .002, m), COUNT, 1,
                 1e-9);
    expect_ratio("mirrored", plain,
                 sheet_model(moved_mesh(saddle(), mirrored), .002, m), COUNT, 1,
                 1e-9);
    expect_ratio("renumbered", plain,
                 sheet_model(renumbered(saddle()), .002, m), COUNT, 1, 1e-9);
    sb_model_release(plain);
}
END_TEST

START_TEST(a_sheet_scales) {
    sb_material m = heard_steel();
    sb_model *plain = sheet_model(saddle(), .002, m);
    /* Eigenvalues are for E = 1 and rho = 1: they depend on lengths only. */
    expect_ratio("twice as large", plain,
                 sheet_model(moved_mesh(saddle(), doubled), .004, m), COUNT,
                 0.5, 1e-9);
    sb_model_release(plain);
}
END_TEST

START_TEST(thickness_bends_and_does_not_stretch) {
    sb_material m = heard_steel();
    sb_model *thin = sheet_model(square(.3, 8, SAME), .001, m);
    expect_ratio("twice as thick", thin,
                 sheet_model(square(.3, 8, SAME), .002, m), 10, 2, 1e-6);
    sb_model_release(thin);
    /* The lowest modes of a hollow ball stretch its wall. */
    sb_shape shape = shape_of(ball(.05, 2), .0001);
    shape.max_hz = 13000;
    sb_model *ball_thin = solved(shape, m);
    shape.thickness = .0002;
    expect_ratio("a thicker wall", ball_thin, solved_mesh(shape, m), 5, 1,
                 2e-3);
    sb_model_release(ball_thin);
}
END_TEST

START_TEST(stiffness_and_density_only_set_the_pace) {
    sb_material m = heard_steel(), stiff = m, heavy = m;
    stiff.youngs_modulus *= 4;
    heavy.density *= 4;
    sb_shape shape = shape_of(saddle(), .002);
    shape.max_hz = 2000;
    sb_model *plain = solved(shape, m);
    sb_model *fast = solved(shape, stiff), *slow = solved(shape, heavy);
    const sb_mode *a = sb_model_modes(plain), *b = sb_model_modes(fast),
                  *c = sb_model_modes(slow);
    for (int k = 0; k < 6; k++) {
        ck_assert_double_eq_tol(b[k].freq_hz / a[k].freq_hz, 2, 1e-9);
        ck_assert_double_eq_tol(c[k].freq_hz / a[k].freq_hz, 0.5, 1e-9);
    }
    ck_assert_double_eq_tol(sb_model_mass_kg(slow) / sb_model_mass_kg(plain), 4,
                            1e-12);
    sb_vec3 at = {.05, 0, .04};
    for (int k = 0; k < 6; k++) {
        double here = weight_at(plain, at, (sb_vec3){0, 1, 0}, k);
        double heavier = weight_at(slow, at, (sb_vec3){0, 1, 0}, k);
        ck_assert_double_eq_tol(fabs(heavier), fabs(here) / 2, 1e-4);
    }
    sb_model_release(plain);
    sb_model_release(fast);
    sb_model_release(slow);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

static sb_model *filled(sb_mesh mesh) {
    sb_shape shape = shape_of(mesh, 0);
    shape.elements = 12;
    shape.max_hz = 45000;
    return solved_mesh(shape, heard_steel());
}

static sb_mesh wedge(void) {
    static const double strip[][3] = {
        {0, 0, .02}, {.03, .002, .018}, {.06, .006, .024}, {.1, .01, .02}};
    return copy_of(surface_strip(strip, 4, .03));
}

/* The elements of a filled body follow its own axes, mirrored or not. */
START_TEST(a_filled_body_is_the_same_wherever_it_lies) {
    sb_model *plain = filled(wedge());
    sb_mesh turned = wedge();
    surface_turn(&turned);
    expect_ratio("solid turned", plain, filled(turned), 6, 1, 1e-9);
    expect_ratio("solid mirrored", plain, filled(moved_mesh(wedge(), mirrored)),
                 6, 1, 1e-9);
    expect_ratio("solid renumbered", plain, filled(renumbered(wedge())), 6, 1,
                 1e-9);
    expect_ratio("solid twice as large", plain,
                 filled(moved_mesh(wedge(), doubled)), 6, 0.5, 1e-9);
    sb_model_release(plain);
}
END_TEST

/* --- mechanics ------------------------------------------------------------ */

START_TEST(mass_and_inertia_are_those_of_a_box) {
    sb_mesh box = copy_of(surface_box(.1, .02, .04));
    sb_shape shape = shape_of(box, 0);
    shape.elements = 8;
    sb_model *model = solved_mesh(shape, heard_steel());
    const sb_solution_facts *facts = &sb_model_solution(model)->facts;
    double v = .1 * .02 * .04, a = .01, b = .0004, c = .0016;
    ck_assert_double_eq_tol(facts->volume_m3, v, 1e-12 * v);
    ck_assert_double_eq_tol(sb_model_mass_kg(model), 7850 * v, 1e-11);
    ck_assert_double_eq_tol(facts->centre_m.x, .05, 1e-12);
    ck_assert_double_eq_tol(facts->centre_m.y, .01, 1e-12);
    ck_assert_double_eq_tol(facts->centre_m.z, .02, 1e-12);
    ck_assert_double_eq_tol(facts->inertia_m5[0], v * (b + c) / 12, 1e-15);
    ck_assert_double_eq_tol(facts->inertia_m5[1], v * (c + a) / 12, 1e-15);
    ck_assert_double_eq_tol(facts->inertia_m5[2], v * (a + b) / 12, 1e-15);
    for (int i = 3; i < 6; i++)
        ck_assert_double_eq_tol(facts->inertia_m5[i], 0, 1e-15);
    ck_assert_double_eq_tol(facts->area_m2,
                            2 * (.1 * .02 + .02 * .04 + .04 * .1), 1e-12);
    /* A strike at the end of a bar meets nearly a quarter of its mass: 1/m +
     * (l/2)^2 / I, with I = m (l^2 + h^2) / 12. */
    double m = 7850 * v, i = m * (a + b) / 12;
    sb_model_point end = sb_model_nearest(model, (sb_vec3){.1, .02, .02});
    const sb_vec3 down = {0, -1, 0};
    ck_assert_double_eq_tol(sb_model_inverse_mass(model, end, &down),
                            1 / m + .05 * .05 / i, 1e-4 / m);
    sb_model_release(model);
}
END_TEST

START_TEST(sheets_weigh_their_area) {
    sb_shape hollow = shape_of(ball(.05, 3), .0005);
    sb_model *model = solved_mesh(hollow, heard_steel());
    const sb_solution_facts *facts = &sb_model_solution(model)->facts;
    /* The area of the polyhedron, which is less than that of the sphere. */
    double area = facts->area_m2;
    ck_assert_double_eq_tol(area / (4 * SB_PI * .0025), 1, .01);
    ck_assert_double_eq_tol(facts->volume_m3, area * .0005, 1e-12 * area);
    ck_assert_double_eq_tol(facts->inertia_m5[0] / facts->volume_m3,
                            2.0 / 3 * .0025, 2e-5);
    ck_assert_int_eq(facts->is_sheet, 0); /* closed: one side radiates */
    sb_model_release(model);
    model = sheet_model(square(.2, 4, SAME), .002, heard_steel());
    facts = &sb_model_solution(model)->facts;
    ck_assert_int_eq(facts->is_sheet, 1);
    ck_assert_double_eq_tol(facts->area_m2, 2 * .04, 1e-12);
    ck_assert_double_eq_tol(facts->volume_m3, .04 * .002, 1e-17);
    /* A flat sheet also rotates about its normal. */
    sb_model_point corner = sb_model_nearest(model, (sb_vec3){.1, 0, .1});
    double m = sb_model_mass_kg(model);
    const sb_vec3 down = {0, -1, 0}, inwards = {1, 0, -1}, still = {0, 0, 0};
    ck_assert_double_eq_tol(sb_model_inverse_mass(model, corner, &down) * m, 7,
                            1e-4);
    ck_assert_double_eq_tol(sb_model_inverse_mass(model, corner, &inwards) * m,
                            1 + 2 * .1 * .1 / (.04 / 6), 1e-4);
    ck_assert_double_eq(sb_model_inverse_mass(model, corner, &still), 0);
    sb_model_release(model);
}
END_TEST

/* Shapes have unit mass: rho times the integral of |phi|^2 is 1 kg. For a
 * sheet the integral can be taken over its surface. */
START_TEST(modes_are_of_unit_mass) {
    sb_material m = heard_steel();
    sb_model *model = sheet_model(square(.3, 16, ALTERNATING), .002, m);
    const sb_solution *s = sb_model_solution(model);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int f = 0; f < s->face_count; f++) {
            double mean = 0;
            for (int c = 0; c < 3; c++) {
                const float *phi = s->shapes + 3 * ((size_t)s->faces[f][c] *
                                                        (size_t)s->mode_count +
                                                    (size_t)k);
                for (int i = 0; i < 3; i++)
                    mean += (double)phi[i] * (double)phi[i] / 3;
            }
            sum += mean * (.09 / s->face_count) * .002;
        }
        ck_assert_msg(fabs(sum - 1) < 1e-5, "mode %d: %g", k, sum);
    }
    sb_model_release(model);
}
END_TEST

/* Reciprocity: a strike at one place has the same effect at another as the
 * reverse, so one set of weights serves both. */
START_TEST(weights_are_linear_and_reciprocal) {
    sb_model *model = filled(wedge());
    int count = sb_model_mode_count(model);
    double a[512], b[512], both[512];
    ck_assert_int_le(count, 512);
    sb_model_point here = sb_model_nearest(model, (sb_vec3){.01, 0, .02});
    sb_model_point there = sb_model_nearest(model, (sb_vec3){.09, .03, .01});
    const sb_vec3 x = {1, 0, 0}, y = {0, 2, 0}, skew = {1, 1, 0};
    sb_model_weights(model, here, &x, a);
    sb_model_weights(model, here, &y, b);
    sb_model_weights(model, here, &skew, both);
    for (int k = 0; k < count; k++) {
        ck_assert_double_eq_tol(both[k] * sqrt(2), a[k] + b[k],
                                1e-9 * (1 + fabs(a[k])));
    }
    sb_model_weights(model, there, &y, b);
    double forth = 0, back = 0;
    for (int k = 0; k < count; k++) {
        forth += a[k] * b[k];
        back += b[k] * a[k];
    }
    ck_assert_double_eq(forth, back);
    ck_assert_double_ne(forth, 0);
    const sb_vec3 none = {0, 0, 0};
    sb_model_weights(model, here, &none, a);
    for (int k = 0; k < count; k++)
        ck_assert_double_eq(a[k], 0);
    sb_model_release(model);
}
END_TEST

/* At the centre of a bar every second bending mode and all torsional modes
 * have a node: exactly, when its elements have the same symmetry. */
START_TEST(a_blow_on_a_node_line_is_silent) {
    sb_material m = heard_steel();
    sb_mesh strip = empty_mesh(41 * 5, 40 * 4 * 2);
    for (int i = 0; i < 41 * 5; i++) {
        strip.vertices[strip.vertex_count++] =
            (sb_vec3){.005 * (i / 5 - 20), 0, .005 * (i % 5 - 2)};
    }
    for (int i = 0; i < 160; i++) {
        int a = i / 4 * 5 + i % 4, b = a + 5;
        /* Diagonals are alike in opposite quarters, mirrored in the others. */
        if ((i / 4 < 20) == (i % 4 < 2)) {
            add_triangle(&strip, a, a + 1, b + 1);
            add_triangle(&strip, a, b + 1, b);
        } else {
            add_triangle(&strip, a, a + 1, b);
            add_triangle(&strip, b, a + 1, b + 1);
        }
    }
    sb_shape shape = shape_of(strip, .002);
    shape.max_hz = 3000;
    sb_model *model = solved_mesh(shape, m);
    double here[256], end[256];
    int silent = 0, count = sb_model_mode_count(model);
    ck_assert_int_le(count, 256);
    sb_model_weights(model, sb_model_nearest(model, (sb_vec3){0, 0, 0}), NULL,
                     here);
    sb_model_weights(model, sb_model_nearest(model, (sb_vec3){.1, 0, .01}),
                     NULL, end);
    for (int k = 0; k < count; k++) {
        if (fabs(here[k]) > 0.01 * fabs(end[k])) continue;
        silent++;
        ck_assert_msg(fabs(here[k]) <= 1e-5 * fabs(end[k]),
                      "mode %d: %g at the middle, %g at the end", k, here[k],
                      end[k]);
    }
    ck_assert_int_ge(silent, 4);
    ck_assert_int_ge(count - silent, 2);
    sb_model_release(model);
}
END_TEST

START_TEST(every_place_finds_itself_again) {
    sb_model *models[2] = {filled(wedge()),
                           sheet_model(saddle(), .002, heard_steel())};
    for (int i = 0; i < 2; i++) {
        int faces = sb_model_solution(models[i])->face_count;
        for (int face = 0; face < faces; face += 7) {
            sb_model_point point = {face, 0.2, 0.5};
            sb_vec3 at = sb_model_position(models[i], point);
            sb_model_point again = sb_model_nearest(models[i], at);
            ck_assert_int_eq(again.face, face);
            ck_assert_double_eq_tol(again.u, 0.2, 1e-6);
            ck_assert_double_eq_tol(again.v, 0.5, 1e-6);
            sb_vec3 normal = sb_model_normal(models[i], point);
            ck_assert_double_eq_tol(sb_vec3_length(normal), 1, 1e-12);
            /* Also from a point outside. */
            sb_vec3 out = sb_vec3_add(at, sb_vec3_scale(normal, 1e-5));
            again = sb_model_nearest(models[i], out);
            sb_vec3 back = sb_model_position(models[i], again);
            ck_assert_double_le(sb_vec3_length(sb_vec3_sub(back, at)), 1e-5);
        }
        /* Invalid points are moved onto the surface. */
        const sb_model_point odd[] = {
            {-1, 0, 0}, {faces, 0.5, 0.5}, {0, -3, 7}, {0, NAN, NAN}};
        for (int k = 0; k < 4; k++) {
            sb_vec3 at = sb_model_position(models[i], odd[k]);
            ck_assert(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
        }
        ck_assert(!sb_model_has_uv(models[i]));
        (void)sb_model_point_at(models[i], NAN, 3);
        sb_model_release(models[i]);
    }
}
END_TEST

/* Without texture coordinates, the default is the top above the centre. */
START_TEST(the_top_is_struck_unless_said) {
    sb_shape shape = shape_of(copy_of(surface_box(.1, .02, .04)), 0);
    shape.elements = 8;
    sb_model *model = solved_mesh(shape, heard_steel());
    sb_vec3 at = sb_model_position(model, sb_model_point_at(model, 0.1, 0.9));
    ck_assert_double_eq_tol(at.x, .05, 1e-6);
    ck_assert_double_eq_tol(at.y, .02, 1e-6);
    ck_assert_double_eq_tol(at.z, .02, 1e-6);
    ck_assert_double_eq_tol(
        sb_model_normal(model, sb_model_point_at(model, 0.1, 0.9)).y, 1, 1e-6);
    sb_model_release(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_rules");
    TCase *same = tcase_create("the same thing");
    tcase_add_test(same, a_sheet_is_the_same_wherever_it_lies);
    tcase_add_test(same, a_sheet_scales);
    tcase_add_test(same, thickness_bends_and_does_not_stretch);
    tcase_add_test(same, stiffness_and_density_only_set_the_pace);
    tcase_add_test(same, a_filled_body_is_the_same_wherever_it_lies);
    suite_add_tcase(suite, same);
    TCase *mechanics = tcase_create("mechanics");
    tcase_add_test(mechanics, mass_and_inertia_are_those_of_a_box);
    tcase_add_test(mechanics, sheets_weigh_their_area);
    tcase_add_test(mechanics, modes_are_of_unit_mass);
    tcase_add_test(mechanics, weights_are_linear_and_reciprocal);
    tcase_add_test(mechanics, a_blow_on_a_node_line_is_silent);
    suite_add_tcase(suite, mechanics);
    TCase *places = tcase_create("places");
    tcase_add_test(places, every_place_finds_itself_again);
    tcase_add_test(places, the_top_is_struck_unless_said);
    suite_add_tcase(suite, places);
    return run_suite(suite);
}
