/* SPDX-License-Identifier: MIT */
/* Rebound and modes: a ball on a massive block, on thin plates, and the energy
 * balance of each impact. */
#include "runtime/model/solve/solve.h"
#include "runtime/scene/strike/strike.h"
#include "tests/world/world_stage.h"

static const double BALL_M = 0.006;

/* --- the rule ------------------------------------------------------------- */

START_TEST(rebound_modes_and_contact_share_the_energy) {
    for (int i = 0; i <= 10; i++) {
        for (double x = 0; x < 0.1 * i; x += 0.03) {
            double e = 0.1 * i, m = 0.02, v = 3, yield = x / m;
            double out = v * sb_impact_rebound(e, x);
            double j = m * v * sb_impact_exchange(e, x);
            double modes = 0.5 * j * j * yield;
            double lost = (1 - e * e) * m * v * v / (2 * (1 + x));
            ck_assert_double_eq_tol(0.5 * m * out * out + modes + lost,
                                    0.5 * m * v * v, 1e-12);
            ck_assert_double_eq_tol(j, m * (v + out), 1e-12);
        }
    }
    ck_assert_double_eq(sb_impact_rebound(0.7, 0), 0.7);
    ck_assert_double_eq(sb_impact_rebound(0.3, 0.5), 0);
}
END_TEST

/* Zener's equation in his units: s'' + (1 + lambda d/dt) s^1.5 = 0, s = 0 and
 * s' = 1 at first. The share of the speed that the ball keeps is
 * -s' - lambda s^1.5 when s is 0 again. */
static double zener(double lambda) {
    const double dt = 5e-4;
    double s = 0, u = 1; /* u = s' + lambda s^1.5: the speed of the ball */
    do {
        double f = s * sqrt(s), mid_s = s + 0.5 * dt * (u - lambda * f);
        double mid_f = mid_s * sqrt(fmax(mid_s, 0));
        double mid_u = u - 0.5 * dt * f;
        s += dt * (mid_u - lambda * mid_f);
        u -= dt * mid_f;
    } while (s > 0);
    return -u;
}

/* In these units m = 1, the impedance of the plate is 1 / lambda, the contact
 * lasts T = 3.218 and the half-sine of its impulse gives x = pi^2 lambda /
 * (4 T). */
START_TEST(a_ball_on_a_large_plate_loses_what_zener_found) {
    ck_assert_double_eq_tol(zener(0), 1, 1e-3);
    for (double lambda = 0.02; lambda < 0.5; lambda += 0.08) {
        double x = SB_PI * SB_PI * lambda / (4 * 3.218065);
        ck_assert_double_eq_tol(sb_impact_rebound(1, x), zener(lambda), 0.04);
    }
}
END_TEST

/* --- in the world --------------------------------------------------------- */

static sb_body_def plate_def(double thickness_m) {
    sb_body_def def = sb_body_def_default();
    def.name = "plate";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.3,
                           .depth = 0.3,
                           .thickness = thickness_m};
    def.material = *sb_material_find("steel");
    def.has_material = true;
    def.position = (sb_vec3){0, -0.5 * thickness_m, 0};
    return def;
}

static sb_body_def steel_ball(void) {
    sb_body_def def = sb_body_def_default();
    def.name = "ball";
    def.shape = (sb_shape){.kind = SB_SHAPE_RIGID, .radius = BALL_M};
    def.material = *sb_material_find("steel");
    def.has_material = true;
    def.position = (sb_vec3){0.04, 0.2 + BALL_M, 0.03};
    def.moves.motion = SB_MOTION_FREE;
    def.moves.collider =
        (sb_collider){.kind = SB_COLLIDER_SPHERE, .radius = BALL_M};
    return def;
}

/* Two impacts: the second is as fast as the rebound of the first. */
static void drop(const sb_body_def *plate, const sb_body_def *ball,
                 sb_event events[2]) {
    stage on = stage_new();
    add(on, *plate);
    add(on, *ball);
    advance(on, 0, 60, 512, NULL);
    uint64_t reader = 0;
    for (int i = 0; i < 2; i++) {
        ck_assert(sb_scene_next_event(on.scene, &reader, &events[i]));
        ck_assert_int_eq(events[i].kind, SB_EVENT_IMPACT);
    }
    stage_free(on);
}

static double ball_kg(void) {
    return 7850 * 4.0 / 3.0 * SB_PI * BALL_M * BALL_M * BALL_M;
}

/* The yield of the plate's modes to the half-sine of the impact, computed from
 * its model. */
static double yield_of(const sb_body_def *plate, const sb_event *event) {
    sb_model *model = NULL;
    ck_assert_int_eq(
        sb_model_create(&plate->shape, &plate->material, NULL, &model, NULL),
        SB_OK);
    int count = sb_model_mode_count(model);
    double *weights = calloc((size_t)count, sizeof *weights), sum = 0;
    sb_vec3 at = sb_vec3_sub(event->spot.point, plate->position);
    sb_model_weights(model, sb_model_nearest(model, at), NULL, weights);
    for (int k = 0; k < count; k++) {
        /* |integral of the half-sine e^(-i w t)| for a unit impulse. */
        double w = 2 * SB_PI * sb_model_modes(model)[k].freq_hz;
        double re = 0, im = 0, t = event->duration_s;
        enum { STEPS = 120 };
        for (int i = 0; i < STEPS; i++) {
            double at_s = (i + 0.5) / STEPS * t;
            double force = SB_PI / (2 * t) * sin(SB_PI * at_s / t);
            re += force * cos(w * at_s) * t / STEPS;
            im += force * sin(w * at_s) * t / STEPS;
        }
        sum += weights[k] * weights[k] * (re * re + im * im);
    }
    free(weights);
    sb_model_release(model);
    return sum;
}

START_TEST(on_a_massive_block_it_is_the_material_that_counts) {
    sb_body_def block = plate_def(0.2), ball = steel_ball();
    block.shape = (sb_shape){.kind = SB_SHAPE_RIGID};
    block.moves.collider = (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = 1, .height = 0.2, .depth = 1};
    sb_event event[2];
    drop(&block, &ball, event);
    double kept = event[1].speed_m_s / event[0].speed_m_s;
    ck_assert_double_eq_tol(kept, 0.8, 1e-3);
}
END_TEST

START_TEST(a_thinner_plate_keeps_more_of_the_ball_s_energy) {
    double before = 0.8 + 1e-3;
    const double thickness_m[] = {0.02, 0.01, 0.006, 0.004};
    for (int i = 0; i < 4; i++) {
        sb_body_def plate = plate_def(thickness_m[i]), ball = steel_ball();
        sb_event event[2];
        drop(&plate, &ball, event);
        double v = event[0].speed_m_s, out = event[1].speed_m_s;
        ck_assert_double_lt(out / v, before);
        before = out / v;
        double m = ball_kg(), j = event[0].impulse_ns;
        double yield = yield_of(&plate, &event[0]), x = m * yield;
        double modes = 0.5 * j * j * yield;
        double contact = (1 - 0.8 * 0.8) * m * v * v / (2 * (1 + x));
        ck_assert_double_eq_tol(j, m * (v + out), 1e-3 * j);
        ck_assert_msg(fabs(0.5 * m * out * out + modes + contact -
                           0.5 * m * v * v) < 0.01 * 0.5 * m * v * v,
                      "%g m: out %g, modes %g, contact %g of %g J",
                      thickness_m[i], 0.5 * m * out * out, modes, contact,
                      0.5 * m * v * v);
    }
    ck_assert_double_lt(before, 0.5);
}
END_TEST

START_TEST(a_restitution_of_the_body_s_own_is_the_rebound) {
    sb_body_def plate = plate_def(0.004), ball = steel_ball();
    ball.moves.restitution = 0.7;
    sb_event event[2];
    drop(&plate, &ball, event);
    ck_assert_double_eq_tol(event[1].speed_m_s / event[0].speed_m_s, 0.7, 1e-3);
}
END_TEST

START_TEST(modes_given_by_hand_take_nothing_from_the_rebound) {
    sb_body_def slab = slab_def(), ball = steel_ball();
    slab.moves.restitution = -1;
    sb_hand_mode strong = {440, 0.15, 1000};
    slab.shape.modes = &strong;
    sb_event event[2];
    drop(&slab, &ball, event);
    ck_assert_double_gt(event[1].speed_m_s / event[0].speed_m_s, 0.3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rebound");
    TCase *tcase = tcase_create("rebound");
    tcase_add_test(tcase, rebound_modes_and_contact_share_the_energy);
    tcase_add_test(tcase, a_ball_on_a_large_plate_loses_what_zener_found);
    tcase_add_test(tcase, on_a_massive_block_it_is_the_material_that_counts);
    tcase_add_test(tcase, a_thinner_plate_keeps_more_of_the_ball_s_energy);
    tcase_add_test(tcase, a_restitution_of_the_body_s_own_is_the_rebound);
    tcase_add_test(tcase, modes_given_by_hand_take_nothing_from_the_rebound);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
