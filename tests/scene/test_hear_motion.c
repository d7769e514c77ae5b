/* SPDX-License-Identifier: MIT */
/* Moving bodies and a moving listener, heard through the whole scene: physics
 * 2.8. */
#include "runtime/scene/state/state.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 96000, STEP = 480 };

/* When the tone begins: the listener has come to rest. */
#define START_S 0.05

static float heard[2 * FRAMES]; /* the latency taken off */

/* A tone that does not decay and is heard well below the limiter. */
static sb_hand_mode tone[1] = {{1000, 1e4, 1}};

static sb_body_def tone_def(sb_vec3 position, double hz) {
    tone[0].freq_hz = hz;
    sb_body_def def = sb_body_def_default();
    def.name = "tone";
    def.shape =
        (sb_shape){.kind = SB_SHAPE_MODES, .modes = tone, .mode_count = 1};
    def.position = position;
    def.gain = 20;
    return def;
}

typedef struct hearing {
    stage on;
    sb_body_id id;
    sb_vec3 from, velocity; /* of the body, exact */
    double gait_s;          /* > 0: put by a script this often instead */
    int block;              /* frames per pull */
} hearing;

static sb_vec3 at(const hearing *h, double t) {
    return sb_vec3_add(h->from, sb_vec3_scale(h->velocity, t));
}

static void step(hearing *h, double from_s, double to_s) {
    sb_error err = {0};
    ck_assert_msg(!sb_scene_advance_listener(h->on.scene, from_s, to_s, &err),
                  "%s", err.message);
    if (sb_vec3_length(h->velocity) == 0) return;
    if (h->gait_s > 0) {
        ck_assert_int_eq(
            place_body(h->on.scene, h->id, at(h, from_s), from_s, NULL), SB_OK);
        return;
    }
    sb_leg leg = {.from_s = from_s,
                  .to_s = to_s,
                  .start = at(h, from_s),
                  .start_velocity = h->velocity,
                  .end = at(h, to_s),
                  .end_velocity = h->velocity,
                  .start_turn = sb_quat_identity(),
                  .end_turn = sb_quat_identity()};
    ck_assert_msg(!scene_send_motion(h->on.scene,
                                     scene_body_of(h->on.scene, h->id), &leg,
                                     &err),
                  "%s", err.message);
}

/* Steps of 10 ms, and frames as a device pulls them. */
static void hear(hearing *h) {
    static float raw[2 * (FRAMES + STAGE_LATENCY)];
    int sent = 0, block = h->block ? h->block : 480;
    for (int n = 0; n < FRAMES + STAGE_LATENCY;) {
        int most = FRAMES + STAGE_LATENCY - n;
        int some = block < most ? block : most;
        for (; sent < n + some + SB_BLOCK_FRAMES; sent += STEP) {
            step(h, sent / RATE_HZ, (sent + STEP) / RATE_HZ);
            ck_assert(sb_engine_flush(h->on.engine, sent + STEP));
        }
        sb_engine_pull(h->on.engine, raw + 2 * n, some);
        n += some;
    }
    memcpy(heard, raw + 2 * STAGE_LATENCY, sizeof heard);
}

static hearing begin(sb_listener listener, sb_vec3 from, sb_vec3 velocity,
                     double hz) {
    hearing h = {.on = stage_new(), .from = from, .velocity = velocity};
    ck_assert_int_eq(sb_scene_set_listener(h.on.scene, &listener, 0, NULL),
                     SB_OK);
    h.id = add(h.on, tone_def(from, hz));
    strike(h.on, h.id, START_S, 0.01);
    return h;
}

static sb_listener at_origin(sb_ears_kind ears) {
    sb_listener listener = sb_listener_default();
    listener.position = (sb_vec3){0, 0, 0};
    listener.ears = ears;
    listener.air.absorbs = false;
    return listener;
}

/* Air of the speed that a table is for. */
static void set_speed(sb_listener *listener, double speed) {
    double ratio = speed / 331.3;
    listener->air.temperature_c = 273.15 * (ratio * ratio - 1);
    ck_assert_double_eq_tol(sb_air_speed(&listener->air), speed, 1e-9);
}

/* --- measuring ----------------------------------------------------------- */

/* The phase, in periods, of a tone near `hz` about a time. */
static double phase_at(int ear, double hz, double t, double window_s) {
    double c = 0, s = 0;
    int middle = (int)lround(t * RATE_HZ);
    int half = (int)lround(0.5 * window_s * RATE_HZ);
    for (int n = middle - half; n <= middle + half; n++) {
        double w = 1 + cos(SB_PI * (n - middle) / (half + 1));
        double angle = 2 * SB_PI * hz * (n / RATE_HZ - t);
        c += w * (double)heard[2 * n + ear] * cos(angle);
        s -= w * (double)heard[2 * n + ear] * sin(angle);
    }
    return atan2(s, c) / (2 * SB_PI);
}

static double level_at(int ear, double hz, double t) {
    double c = 0, s = 0;
    int first = (int)lround(t * RATE_HZ), count = 4800;
    for (int n = first; n < first + count; n++) {
        c += (double)heard[2 * n + ear] * cos(2 * SB_PI * hz * n / RATE_HZ);
        s += (double)heard[2 * n + ear] * sin(2 * SB_PI * hz * n / RATE_HZ);
    }
    return 2 * hypot(c, s) / count;
}

/* The frequency about a time: how the phase of a short stretch goes on. */
static double pitch_at(double near_hz, double t) {
    double hz = near_hz, gap = 0.001;
    for (int i = 0; i < 8; i++) {
        double a = phase_at(0, hz, t - gap, 0.02);
        double b = phase_at(0, hz, t + gap, 0.02);
        /* Both count from their own time: the rest is the tone's own. */
        double turns = b - a - 2 * gap * hz;
        hz += (turns - round(turns)) / (2 * gap);
    }
    return hz;
}

static void expect_cents(double hz, double wanted, double cents) {
    double off = 1200 * log2(hz / wanted);
    ck_assert_msg(fabs(off) < cents, "%.3f Hz, not %.3f: %.3f cents", hz,
                  wanted, off);
}

/* --- Doppler ------------------------------------------------------------- */

static void expect_doppler(sb_vec3 from, sb_vec3 body, sb_vec3 listener_speed,
                           double wanted_hz) {
    sb_listener listener = at_origin(SB_EARS_HEAD);
    set_speed(&listener, 343);
    listener.velocity = listener_speed;
    hearing h = begin(listener, from, body, 1000);
    hear(&h);
    for (double t = 0.9; t < 1.8; t += 0.17)
        expect_cents(pitch_at(wanted_hz, t), wanted_hz, 0.1);
    stage_free(h.on);
}

START_TEST(a_moving_body_is_shifted_by_its_mach_number) {
    sb_vec3 ahead = {0, 0, -100}, near = {0, 0, -10};
    expect_doppler(ahead, (sb_vec3){0, 0, 34.3}, (sb_vec3){0, 0, 0}, 1111.111);
    expect_doppler(near, (sb_vec3){0, 0, -34.3}, (sb_vec3){0, 0, 0}, 909.091);
}
END_TEST

START_TEST(a_moving_listener_is_shifted_by_one_and_its_mach_number) {
    sb_vec3 ahead = {0, 0, -100}, near = {0, 0, -10};
    expect_doppler(ahead, (sb_vec3){0, 0, 0}, (sb_vec3){0, 0, -34.3}, 1100);
    expect_doppler(near, (sb_vec3){0, 0, 0}, (sb_vec3){0, 0, 34.3}, 900);
}
END_TEST

START_TEST(who_moves_along_hears_the_tone_itself) {
    expect_doppler((sb_vec3){0, 0, -50}, (sb_vec3){30, 0, 5},
                   (sb_vec3){30, 0, 5}, 1000);
}
END_TEST

/* 30 m/s past the listener, 5 m ahead of the nose; closest at 1 s. */
START_TEST(a_fly_by_has_the_pitches_of_the_table) {
    static const double times_s[] = {-0.2, -0.05, 0, 0.014569, 0.05, 0.2};
    static const double pitches_hz[] = {1075.475, 1033.100, 1007.700,
                                        1000.000, 982.299,  939.924};
    /* One microphone: the table is without a head. */
    sb_listener listener = at_origin(SB_EARS_PAIR);
    listener.spacing_m = 0;
    set_speed(&listener, 343.2);
    sb_vec3 from = {-30, 0, -5}, velocity = {30, 0, 0};
    hearing h = begin(listener, from, velocity, 1000);
    hear(&h);
    for (int i = 0; i < 6; i++)
        expect_cents(pitch_at(pitches_hz[i], 1 + times_s[i]), pitches_hz[i], 1);
    stage_free(h.on);
}
END_TEST

/* As far away as said, since a script places are heard one and a half steps
 * late. */
START_TEST(a_body_that_a_script_moves_is_shifted_as_well) {
    sb_listener listener = at_origin(SB_EARS_HEAD);
    set_speed(&listener, 343);
    sb_vec3 from = {0, 0, -100}, velocity = {0, 0, 34.3};
    hearing h = begin(listener, from, velocity, 1000);
    h.gait_s = 0.01;
    hear(&h);
    for (double t = 0.9; t < 1.8; t += 0.17)
        expect_cents(pitch_at(1111.111, t), 1111.111, 0.1);
    stage_free(h.on);
}
END_TEST

/* --- time and level ------------------------------------------------------ */

static double onset_frame(int ear) {
    double most = 0;
    for (int n = 0; n < FRAMES; n++)
        most = fmax(most, fabs((double)heard[2 * n + ear]));
    for (int n = 0; n < FRAMES; n++)
        if (fabs((double)heard[2 * n + ear]) > 0.3 * most)
            return n - START_S * RATE_HZ;
    return -1;
}

START_TEST(a_strike_is_heard_after_the_travel_time) {
    sb_listener listener = at_origin(SB_EARS_HEAD);
    set_speed(&listener, 343);
    for (double r = 0.5; r < 200; r *= 4) {
        sb_vec3 from = {0, 0, -r}, rest = {0, 0, 0};
        hearing h = begin(listener, from, rest, 3000);
        hear(&h);
        double frames = r / 343 * RATE_HZ;
        /* The tone begins as a cosine, smeared by the kernel's few frames; its
         * phase gives the time to a fraction of one. */
        ck_assert_double_le(fabs(onset_frame(0) - frames), 1.5);
        double t = 1.0, turns = phase_at(0, 3000, t, 0.05);
        double wanted = 3000 * (t - START_S - frames / RATE_HZ);
        double off = turns - wanted;
        off = (off - round(off)) / 3000 * RATE_HZ;
        ck_assert_msg(fabs(off) < 0.05, "%g m: %g frames off", r, off);
        stage_free(h.on);
    }
}
END_TEST

START_TEST(twice_as_far_is_six_decibels_softer) {
    double before = 0;
    for (double r = 1; r < 100; r *= 2) {
        sb_vec3 from = {0, 0, -r}, rest = {0, 0, 0};
        hearing h = begin(at_origin(SB_EARS_HEAD), from, rest, 2000);
        hear(&h);
        double now = 20 * log10(level_at(0, 2000, 1));
        ck_assert_double_eq_tol(now, 20 * log10(level_at(1, 2000, 1)), 1e-4);
        if (r > 1) ck_assert_double_eq_tol(before - now, 6.0206, 0.05);
        before = now;
        stage_free(h.on);
    }
}
END_TEST

/* Right ear before left, microseconds, of a body that far to the right. */
static double itd_us(sb_ears_kind ears, double degrees, double r, double hz) {
    sb_listener listener = at_origin(ears);
    set_speed(&listener, 343);
    double t = degrees * SB_PI / 180;
    sb_vec3 from = {r * sin(t), 0, -r * cos(t)}, rest = {0, 0, 0};
    hearing h = begin(listener, from, rest, hz);
    hear(&h);
    double turns = phase_at(1, hz, 1.5, 0.1) - phase_at(0, hz, 1.5, 0.1);
    stage_free(h.on);
    return (turns - round(turns)) / hz * 1e6;
}

START_TEST(the_ears_of_a_head_are_woodworths_time_apart) {
    static const double degrees[] = {0, 5, 15, 30, 45, 60, 90};
    static const double wanted_us[] = {0,      44.50,  132.81, 261.12,
                                       380.74, 488.07, 655.82};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 2; k++) {
            double hz = k ? 700 : 300;
            ck_assert_double_eq_tol(itd_us(SB_EARS_HEAD, degrees[i], 3, hz),
                                    wanted_us[i], 0.2);
        }
    /* Reversed on the other side. */
    ck_assert_double_eq_tol(itd_us(SB_EARS_HEAD, -45, 3, 500), -380.74, 0.2);
}
END_TEST

START_TEST(two_microphones_are_their_travel_time_apart) {
    /* So far away that the waves are plane: 2 mm of a bow in 200 m. */
    ck_assert_double_eq_tol(itd_us(SB_EARS_PAIR, 90, 200, 500), 583.09, 0.2);
    ck_assert_double_eq_tol(itd_us(SB_EARS_PAIR, 45, 200, 500), 412.31, 0.2);
    ck_assert_double_eq_tol(itd_us(SB_EARS_PAIR, 30, 200, 500), 291.55, 0.2);
}
END_TEST

START_TEST(the_far_ear_is_in_the_shadow) {
    sb_vec3 right = {3, 0, 0}, rest = {0, 0, 0};
    double ratio_db[2];
    for (int i = 0; i < 2; i++) {
        double hz = i ? 8000 : 200;
        hearing h = begin(at_origin(SB_EARS_HEAD), right, rest, hz);
        hear(&h);
        ratio_db[i] = 20 * log10(level_at(1, hz, 1) / level_at(0, hz, 1));
        stage_free(h.on);
    }
    ck_assert_double_lt(ratio_db[0], 1);
    ck_assert_double_gt(ratio_db[1], 10);
}
END_TEST

START_TEST(a_shade_takes_its_shares_at_both_of_its_frequencies) {
    sb_vec3 ahead = {0, 0, -3}, rest = {0, 0, 0};
    sb_shade shade = {.low = 0.5, .high = 0.8};
    double lost_db[2];
    for (int i = 0; i < 2; i++) {
        double hz = i ? SB_SHADE_HIGH_HZ : SB_SHADE_LOW_HZ;
        hearing h = begin(at_origin(SB_EARS_HEAD), ahead, rest, hz);
        scene_body *body = scene_body_of(h.on.scene, h.id);
        ck_assert_int_eq(scene_shade(h.on.scene, body, shade, 0.9, false, NULL),
                         SB_OK);
        hear(&h);
        lost_db[i] = 20 * log10(level_at(0, hz, 0.5) / level_at(0, hz, 1));
        stage_free(h.on);
    }
    ck_assert_double_eq_tol(lost_db[0], 6.02, 0.3);
    ck_assert_double_eq_tol(lost_db[1], 13.98, 0.3);
}
END_TEST

/* --- no clicks, the same samples ----------------------------------------- */

/* The third difference shows a click; a tone of 200 Hz has hardly any. */
static double roughest(double from_s, double to_s) {
    double most = 0;
    for (int ear = 0; ear < 2; ear++)
        for (int n = (int)(from_s * RATE_HZ); n < (int)(to_s * RATE_HZ); n++) {
            const float *x = heard + 2 * n + ear;
            double third = (double)x[0] - 3 * (double)x[-2] +
                           3 * (double)x[-4] - (double)x[-6];
            most = fmax(most, fabs(third));
        }
    return most;
}

START_TEST(neither_a_jump_nor_a_turn_clicks) {
    sb_vec3 from = {1, 0, -2}, rest = {0, 0, 0};
    hearing h = begin(at_origin(SB_EARS_HEAD), from, rest, 200);
    sb_listener turned = at_origin(SB_EARS_HEAD);
    ck_assert_int_eq(
        place_body(h.on.scene, h.id, (sb_vec3){-1, 1, -1}, 0.4, NULL), SB_OK);
    for (int i = 0; i < 100; i++) {
        double a = 0.03 * i;
        turned.facing = (sb_vec3){sin(a), 0, -cos(a)};
        ck_assert_int_eq(
            sb_scene_set_listener(h.on.scene, &turned, 0.6 + 0.01 * i, NULL),
            SB_OK);
    }
    turned.facing = (sb_vec3){0, 0, -1};
    turned.position = (sb_vec3){0.01, 0, 0};
    ck_assert_int_eq(sb_scene_set_listener(h.on.scene, &turned, 1.7, NULL),
                     SB_OK);
    hear(&h);
    double calm = roughest(0.1, 0.38);
    ck_assert_double_gt(calm, 1e-8);
    /* The jump is nearer, and louder by two. */
    ck_assert_double_lt(roughest(0.38, 0.6), 4 * calm);
    ck_assert_double_lt(roughest(0.6, 1.65), 4 * calm);
    ck_assert_double_lt(roughest(1.65, 1.95), 4 * calm);
    stage_free(h.on);
}
END_TEST

START_TEST(after_a_jump_it_is_heard_from_there_even_if_more_was_sent) {
    sb_vec3 from = {0, 0, -2}, rest = {0, 0, 0}, there = {0, 0, -4};
    hearing h = begin(at_origin(SB_EARS_HEAD), from, rest, 1000);
    sb_scene *scene = h.on.scene;
    /* A step of a motion, whose end is sent ahead, and a jump within it. */
    ck_assert_int_eq(place_body(scene, h.id, (sb_vec3){0, 0, -2.02}, 0.3, NULL),
                     SB_OK);
    ck_assert_int_eq(place_body(scene, h.id, there, 0.305, NULL), SB_OK);
    hear(&h);
    double wanted = 20.0 * log10(2);
    ck_assert_double_eq_tol(
        20 * log10(level_at(0, 1000, 0.1) / level_at(0, 1000, 1)), wanted,
        0.05);
    stage_free(h.on);
}
END_TEST

START_TEST(the_block_size_changes_nothing) {
    static float other[2 * FRAMES];
    sb_listener listener = at_origin(SB_EARS_HEAD);
    listener.velocity = (sb_vec3){3, 0, 0};
    listener.air.absorbs = true;
    sb_vec3 from = {-30, 0, -5}, velocity = {30, 0, 0};
    for (int i = 0; i < 3; i++) {
        hearing h = begin(listener, from, velocity, 1000);
        h.block = i == 0 ? 480 : i == 1 ? 64 : 1117;
        hear(&h);
        stage_free(h.on);
        if (i == 0) memcpy(other, heard, sizeof other);
        ck_assert_mem_eq(other, heard, sizeof other);
    }
}
END_TEST

START_TEST(a_distant_body_is_counted_as_travelling) {
    sb_vec3 from = {0, 0, -300}, rest = {0, 0, 0};
    hearing h = begin(at_origin(SB_EARS_HEAD), from, rest, 1000);
    hear(&h);
    ck_assert_int_gt(sb_engine_read_stats(h.on.engine).travelling, 40000);
    ck_assert_double_le(fabs(onset_frame(0) - 300 / 343.215 * RATE_HZ), 1.5);
    stage_free(h.on);
}
END_TEST

START_TEST(farther_than_all_and_at_the_ear_is_still_finite) {
    static const double z_m[] = {0, -0.01, -0.0875, -1e4, -SB_FARTHEST_M};
    for (int i = 0; i < 5; i++) {
        sb_vec3 from = {0, 0, z_m[i]}, velocity = {1e5, 0, 900};
        hearing h = begin(at_origin(SB_EARS_HEAD), from, velocity, 1000);
        hear(&h);
        for (int n = 0; n < 2 * FRAMES; n++)
            ck_assert_float_le(fabsf(heard[n]), 1);
        stage_free(h.on);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hear_motion");
    TCase *tcase = tcase_create("hear_motion");
    tcase_add_test(tcase, a_moving_body_is_shifted_by_its_mach_number);
    tcase_add_test(tcase,
                   a_moving_listener_is_shifted_by_one_and_its_mach_number);
    tcase_add_test(tcase, who_moves_along_hears_the_tone_itself);
    tcase_add_test(tcase, a_fly_by_has_the_pitches_of_the_table);
    tcase_add_test(tcase, a_body_that_a_script_moves_is_shifted_as_well);
    tcase_add_test(tcase, a_strike_is_heard_after_the_travel_time);
    tcase_add_test(tcase, twice_as_far_is_six_decibels_softer);
    tcase_add_test(tcase, the_ears_of_a_head_are_woodworths_time_apart);
    tcase_add_test(tcase, two_microphones_are_their_travel_time_apart);
    tcase_add_test(tcase, the_far_ear_is_in_the_shadow);
    tcase_add_test(tcase, a_shade_takes_its_shares_at_both_of_its_frequencies);
    tcase_add_test(tcase, neither_a_jump_nor_a_turn_clicks);
    tcase_add_test(tcase,
                   after_a_jump_it_is_heard_from_there_even_if_more_was_sent);
    tcase_add_test(tcase, the_block_size_changes_nothing);
    tcase_add_test(tcase, a_distant_body_is_counted_as_travelling);
    tcase_add_test(tcase, farther_than_all_and_at_the_ear_is_still_finite);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
