/* SPDX-License-Identifier: MIT */
/* Models rescaled for another material or size. */
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"

static sb_model *rescaled(sb_model *model, sb_shape shape, sb_material m) {
    sb_model *out = NULL;
    sb_error err = {0};
    sb_status status = sb_model_rescale(model, &shape, &m, &out, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return out;
}

static sb_shape scaled_box(double scale) {
    sb_mesh box = {0};
    sb_error err;
    ck_assert_int_eq(
        sb_mesh_copy(&box, surface_box(.1 * scale, .02 * scale, .04 * scale),
                     &err),
        SB_OK);
    sb_shape shape = shape_of(box, 0);
    shape.elements = 8;
    shape.max_hz = 40000;
    return shape;
}

/* Rescaled against solved anew, for modes that both have. */
static void expect_alike(const sb_model *a, const sb_model *b, double at_scale,
                         double tolerance) {
    int count = sb_model_mode_count(b);
    if (count > sb_model_mode_count(a)) count = sb_model_mode_count(a);
    ck_assert_int_ge(count, 4);
    ck_assert_double_eq_tol(sb_model_mass_kg(a) / sb_model_mass_kg(b), 1, 1e-9);
    double x[512], y[512];
    sb_vec3 at = {.093 * at_scale, .02 * at_scale, .007 * at_scale};
    const sb_vec3 skew = {.2, -1, .3};
    sb_model_point one = sb_model_nearest(a, at),
                   other = sb_model_nearest(b, at);
    sb_model_weights(a, one, &skew, x);
    sb_model_weights(b, other, &skew, y);
    for (int k = 0; k < count; k++) {
        const sb_mode *p = &sb_model_modes(a)[k], *q = &sb_model_modes(b)[k];
        ck_assert_double_eq_tol(p->freq_hz / q->freq_hz, 1, 1e-9);
        ck_assert_double_eq_tol(p->sigma_per_s / q->sigma_per_s, 1, 1e-8);
        ck_assert_double_eq_tol(fabs(x[k]), fabs(y[k]), 1e-4);
        double db = 20 * log10(p->radiation / q->radiation);
        if (getenv("SHOW")) (void)printf("mode %d: %+.3f dB\n", k, db);
        ck_assert_msg(fabs(db) <= tolerance, "mode %d: %+.2f dB", k, db);
    }
    ck_assert_double_eq_tol(sb_model_inverse_mass(a, one, NULL) /
                                sb_model_inverse_mass(b, other, NULL),
                            1, 1e-6);
    sb_vec3 gap =
        sb_vec3_sub(sb_model_position(a, one), sb_model_position(b, other));
    ck_assert_double_le(sb_vec3_length(gap), 1e-7 * at_scale);
}

START_TEST(a_rescaled_mesh_is_what_it_would_be) {
    sb_material m = heard_steel(), stiff = m, heavy = m, dull = m;
    stiff.youngs_modulus *= 1.44;
    heavy.density *= 2;
    dull.alpha *= 4;
    dull.beta *= 2;
    sb_shape shape = scaled_box(1), larger = scaled_box(1.5);
    sb_model *model = solved(shape, m);
    const sb_material materials[] = {stiff, heavy, dull};
    for (int i = 0; i < 3; i++) {
        ck_assert(sb_model_can_rescale(model, &shape, &materials[i]));
        sb_model *quick = rescaled(model, shape, materials[i]);
        sb_model *slow = solved(shape, materials[i]);
        expect_alike(quick, slow, 1, 0.01);
        sb_model_release(quick);
        sb_model_release(slow);
    }
    ck_assert(sb_model_can_rescale(model, &larger, &m));
    sb_model *quick = rescaled(model, larger, m);
    sb_model *slow = solved(larger, m);
    expect_alike(quick, slow, 1.5, 0.01);
    /* Rescaled back. */
    sb_model *back = rescaled(quick, shape, m);
    expect_alike(back, model, 1, 0.01);
    sb_model_release(back);
    sb_model_release(quick);
    sb_model_release(slow);
    sb_model_release(model);
    sb_mesh_source_release(shape.mesh);
    sb_mesh_source_release(larger.mesh);
}
END_TEST

START_TEST(another_problem_is_not_rescaled) {
    sb_material m = heard_steel(), other = m;
    other.poisson_ratio = 0.3;
    sb_shape shape = small_sheet();
    sb_model *model = solved(shape, m);
    ck_assert(sb_model_can_rescale(model, &shape, &m));
    ck_assert(!sb_model_can_rescale(model, &shape, &other));
    sb_shape changed = shape;
    changed.thickness = .003;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.hold.where = SB_HOLD_AT_BORDER;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.method = SB_METHOD_SPRINGS;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.keeps_beats = false;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    sb_shape box = scaled_box(1);
    ck_assert(!sb_model_can_rescale(model, &box, &m));
    sb_mesh_source_release(box.mesh);
    sb_model_release(model);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_rescaled");
    TCase *tcase = tcase_create("solve_rescaled");
    tcase_add_test(tcase, a_rescaled_mesh_is_what_it_would_be);
    tcase_add_test(tcase, another_problem_is_not_rescaled);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
