/* SPDX-License-Identifier: MIT */
/* Linear modes of a deformable body, heard exactly: each is as loud as by its
 * pattern, whichever way the body lies, and the body that is computed is as loud
 * as its modes. */
#include "tests/deform/one_law.h"
#include "tests/deform/sound_fixture.h"

static const sb_vec3 hand_axis = {1, -2, 0.5};

/* Soft, so that its mesh resolves the waves of the air. */
static const sb_material soft = {.density = 1200,
                                 .youngs_modulus = 1e9,
                                 .poisson_ratio = 0.3,
                                 .hardness = 1e9};

static sb_model *make_model(sb_shape *shape, sb_radiating radiation) {
    sb_model *model = NULL;
    sb_error err = {0};
    shape->is_for_deform = true;
    shape->radiation = radiation;
    shape->max_modes = 24;
    ck_assert_msg(!sb_model_create(shape, &soft, NULL, &model, &err), "%s",
                  err.message);
    return model;
}

static sb_shape small_plate(void) {
    return (sb_shape){.kind = SB_SHAPE_PLATE,
                      .method = SB_METHOD_SHELL,
                      .width = 0.2,
                      .depth = 0.13,
                      .thickness = 2e-3,
                      .elements = 16};
}

static sb_shape small_block(void) {
    return (sb_shape){.kind = SB_SHAPE_BOX,
                      .method = SB_METHOD_SOLID,
                      .width = 0.2,
                      .height = 0.05,
                      .depth = 0.12,
                      .elements = 6};
}

/* At rest it lies turned, and away from the origin; it is moved by hand. */
static sb_deform *make_moved(const sb_shape *shape, const sb_model *model,
                             sb_vec3 ear_m) {
    sb_deform_body_def body = sb_deform_body_def_default();
    body.shape = shape;
    body.material = soft;
    body.heard = model;
    body.position_m = (sb_vec3){0.3, -0.2, 0.1};
    body.rotation = sb_quat_about(hand_axis, 1);
    sb_deform_def def = sb_deform_def_default();
    def.ear_m = &ear_m;
    def.step_s = 1.0 / FINE_RATE_HZ;
    return create_one(def, &body);
}

/* Mode `mode` swings about a body that has turned by `turned` since the
 * beginning; returns |p R| per modal velocity. */
static double hear_mode(const sb_shape *shape, const sb_model *model, int mode,
                        sb_quat turned, sb_vec3 direction) {
    const double speed = 1e-6;
    double omega = SB_TAU * sb_model_modes(model)[mode].freq_hz;
    sb_deform *d = make_moved(shape, model, (sb_vec3){0, 0, 0});
    const deform_body *body = &d->bodies[0];
    sb_vec3 *moves = sb_alloc((size_t)body->surface_count, sizeof *moves);
    sb_vec3 *turns = sb_alloc((size_t)body->surface_count, sizeof *turns);
    sb_deform_set_ear(
        d, sb_vec3_plus(body->position_m, sb_quat_turn(turned, direction), 50));
    for (int i = 0; i < body->surface_count; i++) {
        sb_vec3 at = sb_vec3_sub(row_vec3(d->rest, i), body->position_m);
        sb_model_point point =
            sb_model_nearest(model, sb_quat_turn_back(body->rotation, at));
        sb_vec3 phi = sb_quat_turn(body->rotation,
                                   sb_model_member(model, mode, 0, point));
        moves[i] = sb_quat_turn(turned, phi);
        turns[i] = sb_vec3_add(body->position_m, sb_quat_turn(turned, at));
    }
    /* First it rests there, for as long as the jump can be heard. */
    enum { STILL = 3000 };
    for (int64_t step = 0; d->state->frames < STILL + FRAMES; step++) {
        double t = (double)(step + 1) * d->step_s - STILL / 48e3;
        double q = t > 0 ? speed / omega * (1 - cos(omega * t)) : 0;
        for (int i = 0; i < body->surface_count; i++)
            set_row(d->positions, i, sb_vec3_plus(turns[i], moves[i], q));
        sound_step(d, step);
    }
    for (int i = 0; i < STILL; i++)
        ck_assert_int_eq(sb_deform_read(d, 1, heard), 1);
    ck_assert_int_ge(sb_deform_read(d, FRAMES, heard), FRAMES);
    sb_deform_destroy(d);
    sb_free_all(moves, turns);
    return amplitude_of(heard + SKIP, 1, COUNT, omega / SB_TAU) / speed;
}

/* In the body's own axes. */
static double expected_of(const sb_model *model, int mode, sb_vec3 direction) {
    sb_quat rotation = sb_quat_about(hand_axis, 1);
    return cabs(
        law_pressure(model, mode, sb_quat_turn_back(rotation, direction)));
}

static void check_modes(sb_shape shape, int count) {
    sb_model *model = make_model(&shape, SB_RADIATES_EXACT);
    sb_quat turned = sb_quat_about((sb_vec3){0.2, 1, -0.3}, 2.5);
    ck_assert_int_ge(sb_model_mode_count(model), count);
    for (int k = 0; k < count; k++) {
        if (sb_model_modes(model)[k].freq_hz < 300) continue;
        sb_vec3 direction = law_direction(k % LAW_DIRECTIONS);
        double expected = expected_of(model, k, direction);
        ck_assert_int_ge(sb_model_patterns(model)[k].order, 0);
        for (int i = 0; i < 2; i++) {
            double got = hear_mode(&shape, model, k,
                                   i ? turned : sb_quat_identity(), direction);
            double db = 20 * log10(got / expected);
            ck_assert_msg(
                fabs(db) < 0.2, "mode %d, %g Hz, turned %d: %g, not %g: %g dB",
                k, sb_model_modes(model)[k].freq_hz, i, got, expected, db);
        }
    }
    sb_model_release(model);
}

START_TEST(each_mode_of_a_sheet_has_its_pattern) {
    check_modes(small_plate(), 10);
}
END_TEST

START_TEST(each_mode_of_a_solid_has_its_pattern) {
    check_modes(small_block(), 4);
}
END_TEST

static void check_body(law_def def, double most_db) {
    law_levels levels;
    sb_error err = {0};
    int count = 0;
    def.directions = 2;
    ck_assert_msg(!law_measure(&def, &levels, &err), "%s", err.message);
    for (int k = 0; k < levels.count; k++) {
        double db = levels.a[k] - levels.b[k];
        if (!isfinite(db)) continue;
        count++;
        ck_assert_msg(fabs(db) < most_db, "%g Hz: %g dB, its modes %g dB",
                      levels.freq_hz[k], levels.a[k], levels.b[k]);
    }
    ck_assert_int_ge(count, 4);
}

/* A against B: within 1 dB, and in truth much nearer. */
START_TEST(a_body_is_as_loud_as_its_modes) {
    sb_shape plate = small_plate(), held = plate;
    held.support = SB_SUPPORT_CLAMPED;
    check_body((law_def){.shape = plate, .u = 0.1, .v = 0.13}, 0.3);
    check_body((law_def){.shape = held, .u = 0.41, .v = 0.43}, 0.3);
}
END_TEST

/* Two modes of each pitch: they are not merged. */
START_TEST(a_round_body_is_as_loud_as_its_modes) {
    sb_shape disk = {.kind = SB_SHAPE_DISK,
                     .method = SB_METHOD_SHELL,
                     .radius = 0.1,
                     .thickness = 2e-3,
                     .elements = 14};
    check_body((law_def){.shape = disk, .u = 0.93, .v = 0.13}, 0.3);
}
END_TEST

START_TEST(the_quick_law_is_as_it_was) {
    sb_shape shape = small_plate();
    sb_model *model = make_model(&shape, SB_RADIATES_QUICK);
    sb_deform *d = make_moved(&shape, model, (sb_vec3){0, 1, 0});
    ck_assert_ptr_null(d->sound->modes);
    sb_deform_destroy(d);
    sb_model_release(model);
}
END_TEST

/* What is computed does not lose what it radiates, so its modes do not. */
START_TEST(modes_lose_what_their_material_takes) {
    sb_shape shape = small_plate();
    sb_model *exact = make_model(&shape, SB_RADIATES_EXACT);
    for (int k = 0; k < sb_model_mode_count(exact); k++) {
        double omega = SB_TAU * sb_model_modes(exact)[k].freq_hz;
        ck_assert_double_eq(sb_model_modes(exact)[k].sigma_per_s,
                            sb_material_sigma(&soft, omega));
    }
    sb_model_release(exact);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_modes");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, each_mode_of_a_sheet_has_its_pattern);
    tcase_add_test(cases, each_mode_of_a_solid_has_its_pattern);
    tcase_add_test(cases, a_body_is_as_loud_as_its_modes);
    tcase_add_test(cases, a_round_body_is_as_loud_as_its_modes);
    tcase_add_test(cases, the_quick_law_is_as_it_was);
    tcase_add_test(cases, modes_lose_what_their_material_takes);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
