/* SPDX-License-Identifier: MIT */
/* The sound of a strike at an angle: an impact and a scrape. */
#include "runtime/scene/contact/lasting.h"
#include "tests/scene/scene_fixture.h"

/* Enough for the longest scrape here and the ringing after it. */
enum { FRAMES = 16384 };

/* Modes that decay at once, so that the sound shows the force. */
static const sb_hand_mode dull[6] = {{700, 0.004, 1},  {1500, 0.004, 1},
                                     {2600, 0.004, 1}, {4100, 0.004, 1},
                                     {6300, 0.004, 1}, {9100, 0.004, 1}};

typedef struct heard {
    float stereo[2 * FRAMES];
    sb_impact_estimate result;
    int lasting; /* contacts in the scene right after the strike */
} heard;

static heard *struck(double degrees, sb_impact_model model, bool grazes,
                     sb_graze_def def) {
    static heard all[4];
    static int next;
    heard *h = &all[next++ % 4];
    stage on = stage_new();
    sb_body_def body = hand_def("dull");
    body.shape.modes = dull;
    body.shape.mode_count = 6;
    sb_body_id id = add(on, body);
    double t = degrees * SB_PI / 180;
    sb_place place = {.u = 0.5,
                      .v = 0.5,
                      .direction = {sin(t), -cos(t), 0},
                      .has_direction = true};
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.mass_kg = 0.01,
                                .has_gravity = true,
                                .model = model,
                                .grazes = grazes,
                                .graze = def};
    sb_error err = {0};
    ck_assert_msg(sb_scene_strike(on.scene, id, &place, &strike_def, 0.01,
                                  &h->result, &err) == SB_OK,
                  "%s", err.message);
    play(on, h->stereo, FRAMES);
    h->lasting = sb_engine_read_stats(on.engine).touching;
    stage_free(on);
    return h;
}

static double peak(const heard *h) {
    double most = 0;
    for (int i = 0; i < 2 * FRAMES; i++)
        most = fmax(most, fabs((double)h->stereo[i]));
    return most;
}

/* The last time with sound, in seconds after the strike. */
static double last_s(const heard *h) {
    int last = 0;
    high_pass state = {0, 0};
    for (int i = 0; i < FRAMES; i++)
        if (fabs(high_pass_undo(&state, (double)h->stereo[2 * i])) > 1e-6)
            last = i;
    return (last - STAGE_LATENCY) / RATE_HZ - 0.01;
}

START_TEST(straight_in_it_is_a_plain_impact_to_the_bit) {
    for (int model = SB_IMPACT_MODEL_IMPULSE; model < SB_IMPACT_MODELS;
         model++) {
        sb_graze_def def = sb_graze_def_default();
        const heard *plain = struck(0, (sb_impact_model)model, false, def);
        const heard *graze = struck(0, (sb_impact_model)model, true, def);
        ck_assert_int_eq(
            memcmp(plain->stereo, graze->stereo, sizeof plain->stereo), 0);
        ck_assert_double_gt(peak(plain), 1e-6);
    }
}
END_TEST

START_TEST(the_impact_weakens_as_the_cosine) {
    sb_graze_def def = sb_graze_def_default();
    def.level = 0; /* only the impact */
    double straight = peak(struck(0, SB_IMPACT_MODEL_IMPULSE, true, def));
    for (int degrees = 15; degrees < 90; degrees += 15) {
        double p = peak(struck(degrees, SB_IMPACT_MODEL_IMPULSE, true, def));
        ck_assert_double_eq_tol(p / straight, cos(degrees * SB_PI / 180), 1e-4);
    }
}
END_TEST

START_TEST(the_scrape_lasts_longer_the_more_it_grazes) {
    sb_graze_def def = sb_graze_def_default();
    def.time_s = 0.2;
    def.roughness_m = 2e-5;
    def.level = 30;
    for (int slide = 0; slide < 2; slide++) {
        def.slide = slide;
        for (int degrees = 30; degrees < 90; degrees += 25) {
            const heard *h =
                struck(degrees, SB_IMPACT_MODEL_IMPULSE, true, def);
            double t = degrees * SB_PI / 180, wanted = 0.2 * sin(t) * sin(t);
            /* Its force falls to nothing, so that its end is heard early;
             * never late, but for what rings. */
            ck_assert_double_gt(last_s(h), 0.6 * wanted);
            ck_assert_double_lt(last_s(h), wanted + 0.012);
            ck_assert_int_eq(h->lasting, 0);
        }
    }
}
END_TEST

START_TEST(a_level_scales_the_scrape_alone) {
    sb_graze_def one = sb_graze_def_default(), two = one, none = one;
    two.level = 2;
    none.level = 0;
    const heard *a = struck(60, SB_IMPACT_MODEL_PULSE, true, one);
    const heard *b = struck(60, SB_IMPACT_MODEL_PULSE, true, two);
    const heard *c = struck(60, SB_IMPACT_MODEL_PULSE, true, none);
    double scrape = 0;
    for (int i = 0; i < 2 * FRAMES; i++) {
        double once = (double)(a->stereo[i] - c->stereo[i]);
        double twice = (double)(b->stereo[i] - c->stereo[i]);
        scrape = fmax(scrape, fabs(once));
        ck_assert_double_eq_tol(twice, 2 * once, 1e-7);
    }
    ck_assert_double_gt(scrape, 1e-5);
}
END_TEST

static void after_n_allocations(sb_scene *scene, sb_body_id id, int n) {
    sb_place place = {
        .u = 0.5, .v = 0.5, .direction = {1, -1, 0}, .has_direction = true};
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.mass_kg = 0.01,
                                .grazes = true,
                                .graze = sb_graze_def_default()};
    strike_def.graze.roughness_m =
        1e-5 + 1e-7 * n; /* a new surface each time */
    sb_impact_estimate result;
    sb_error err = {0};
    sb_memory_fail_after(n);
    sb_status status =
        sb_scene_strike(scene, id, &place, &strike_def, 0, &result, &err);
    sb_memory_fail_after(-1);
    ck_assert(status == SB_OK || status == SB_NO_MEMORY);
    if (status) ck_assert_str_ne(err.message, "");
}

START_TEST(every_failing_allocation_is_reported) {
    stage on = stage_new();
    sb_body_id id = add(on, hand_def("body"));
    for (int n = 0; n < 12; n++)
        after_n_allocations(on.scene, id, n);
    static float stereo[2 * FRAMES];
    play(on, stereo, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).touching, 0);
    ck_assert_int_eq(sb_scene_contact_count(on.scene), 0);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("graze");
    TCase *tcase = tcase_create("graze");
    tcase_add_test(tcase, straight_in_it_is_a_plain_impact_to_the_bit);
    tcase_add_test(tcase, the_impact_weakens_as_the_cosine);
    tcase_add_test(tcase, the_scrape_lasts_longer_the_more_it_grazes);
    tcase_add_test(tcase, a_level_scales_the_scrape_alone);
    tcase_add_test(tcase, every_failing_allocation_is_reported);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
