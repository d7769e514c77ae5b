/* SPDX-License-Identifier: MIT */
/* A body whose higher modes are noise: as loud as the modes that it replaces,
 * and changed while it sounds. */
#include "runtime/media/spectrum.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 48000, SIZE = 8192, OCTAVES = 4 };

static float stereo[2 * FRAMES];

static sb_body_def door_def(bool is_diffuse) {
    sb_body_def def = sb_body_def_default();
    def.name = "door";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.9,
                           .depth = 0.6,
                           .thickness = 0.012,
                           .support = SB_SUPPORT_PINNED};
    def.material = *sb_material_find("oak");
    /* With its grain it would have more modes than a model holds. */
    def.material.youngs_modulus_across = def.material.shear_modulus = 0;
    def.has_material = true;
    def.gain = 0.01;
    def.diffuse.is_on = is_diffuse;
    return def;
}

static void knock(stage on, sb_body_id id, double u, double v, double time_s) {
    sb_place at = {.u = u, .v = v};
    sb_strike_def strike_def = {.impulse_ns = 0.05};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &at, &strike_def, time_s, &result, NULL),
        SB_OK);
}

static double energy_between(double from_s, double to_s) {
    double sum = 0;
    for (int n = (int)(from_s * RATE_HZ); n < (int)(to_s * RATE_HZ); n++)
        sum += (double)stereo[2 * n] * (double)stereo[2 * n];
    return sum;
}

/* The octaves from 1 kHz on of all strikes, here and there, are added. */
static void add_knocks(const sb_body_def *def, double octave[OCTAVES]) {
    static float power[SIZE / 2 + 1];
    sb_spectrum *spectrum;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    stage on = stage_new();
    sb_body_id id = add(on, *def);
    for (int i = 0; i < 25; i++) {
        knock(on, id, fmod(i * 0.381966, 1), fmod(i * 0.414214, 1),
              i * 0.5 + 0.08); /* the middle of the window */
        play(on, stereo, (int)(0.5 * RATE_HZ));
        sb_stretch stretch = {stereo, SIZE, 2, 0};
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 1; k < SIZE / 2; k++) {
            int at = (int)floor(log2(k * RATE_HZ / SIZE / 1000));
            if (at >= 0 && at < OCTAVES) octave[at] += (double)power[k];
        }
    }
    stage_free(on);
    sb_spectrum_destroy(spectrum);
}

/* Heard exactly, modes have directions, which the noise has in the mean: from
 * four sides, whose angles with the door's normal have evenly spread cosines. */
static void octaves_of_knocks(bool is_diffuse, sb_radiating radiation,
                              double octave[OCTAVES]) {
    sb_body_def def = door_def(is_diffuse);
    int sides = radiation == SB_RADIATES_EXACT ? 4 : 1;
    def.shape.radiation = radiation;
    memset(octave, 0, OCTAVES * sizeof *octave);
    for (int i = 0; i < sides; i++) {
        sb_quat lift =
            sb_quat_about((sb_vec3){1, 0, 0}, asin((i + 0.5) / sides));
        sb_quat turn = sb_quat_about((sb_vec3){0, 1, 0}, 0.8 * i);
        if (sides > 1) def.moves.rotation = sb_quat_times(lift, turn);
        add_knocks(&def, octave);
    }
}

START_TEST(noise_is_as_loud_as_the_modes_were) {
    static const sb_radiating laws[] = {SB_RADIATES_QUICK, SB_RADIATES_EXACT};
    double modes[OCTAVES], noise[OCTAVES];
    octaves_of_knocks(false, laws[_i], modes);
    octaves_of_knocks(true, laws[_i], noise);
    for (int i = 0; i < OCTAVES; i++) {
        double off_db = 10 * log10(noise[i] / modes[i]);
        (void)printf("from %d Hz: %+.1f dB\n", 1000 << i, off_db);
        ck_assert_msg(fabs(off_db) < 2, "from %d Hz: %+.1f dB", 1000 << i,
                      off_db);
    }
}
END_TEST

START_TEST(only_the_modes_below_are_left) {
    stage on = stage_new();
    sb_body_id id = add(on, door_def(true));
    const sb_planned *planned = sb_scene_body_planned(on.scene, id);
    int kept = sb_planned_mode_count(planned);
    ck_assert_int_gt(kept, 10);
    ck_assert_double_lt(sb_model_modes(planned->model)[kept - 1].freq_hz, 800);
    ck_assert_double_ge(sb_model_modes(planned->model)[kept].freq_hz, 800);
    knock(on, id, 0.3, 0.3, 0);
    play(on, stereo, 1280);
    sb_engine_stats stats = sb_engine_read_stats(on.engine);
    ck_assert_int_le(stats.active_modes, kept);
    ck_assert_int_eq(stats.sounding, 1);
    stage_free(on);
}
END_TEST

START_TEST(a_striker_drives_the_noise) {
    stage on = stage_new();
    sb_body_def def = door_def(true);
    def.diffuse.t60_count = 1; /* the modes are gone long before */
    def.diffuse.t60[0].freq_hz = 1000;
    def.diffuse.t60[0].t60_s = 20;
    sb_body_id id = add(on, def);
    sb_place at = {.u = 0.3, .v = 0.3};
    sb_strike_def strike_def = {.speed_m_s = 1, .striker.mass_kg = 0.02};
    sb_impact_estimate result;
    ck_assert_int_eq(
        sb_scene_strike(on.scene, id, &at, &strike_def, 0.01, &result, NULL),
        SB_OK);
    play(on, stereo, FRAMES);
    ck_assert_double_gt(energy_between(0.9, 0.99), 1e-12);
    double db = 10 * log10(energy_between(0.8, 0.9) / energy_between(0.1, 0.2));
    ck_assert_msg(fabs(db + 60 * 0.7 / 20) < 1, "%.2f dB in 0.7 s", db);
    stage_free(on);
}
END_TEST

START_TEST(a_hand_on_it_damps_the_noise_too) {
    stage on = stage_new();
    sb_body_def def = door_def(true);
    def.diffuse.t60_count = 1;
    def.diffuse.t60[0].freq_hz = 1000;
    def.diffuse.t60[0].t60_s = 20;
    sb_body_id id = add(on, def);
    knock(on, id, 0.3, 0.3, 0);
    sb_touch_def touch = {.place = {.u = 0.4, .v = 0.4},
                          .damping_ns_m = 100,
                          .radius_m = 0.1,
                          .ramp_s = 0.02};
    sb_touch_id made;
    ck_assert_int_eq(sb_scene_touch(on.scene, id, &touch, 0.3, &made, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_scene_lift(on.scene, made, 0.02, 0.6, NULL), SB_OK);
    play(on, stereo, FRAMES);
    double touched_db =
        10 * log10(energy_between(0.5, 0.6) / energy_between(0.35, 0.45));
    double lifted_db =
        10 * log10(energy_between(0.85, 0.95) / energy_between(0.65, 0.75));
    /* c / 2 m faster: 100 N s/m on 4.7 kg or so. */
    double mass = sb_model_mass_kg(sb_scene_body_model(on.scene, id));
    double wanted_db = -(60 / 20.0 + 20 / log(10) * 50 / mass) * 0.15;
    ck_assert_msg(fabs(touched_db / wanted_db - 1) < 0.3, "%.1f dB, not %.1f",
                  touched_db, wanted_db);
    ck_assert_msg(fabs(lifted_db + 0.6) < 1, "%.1f dB", lifted_db);
    stage_free(on);
}
END_TEST

START_TEST(a_new_level_is_reached_while_it_sounds) {
    stage on = stage_new();
    sb_body_def def = door_def(true);
    def.diffuse.t60_count = 1;
    def.diffuse.t60[0].freq_hz = 1000;
    def.diffuse.t60[0].t60_s = 50;
    sb_body_id id = add(on, def);
    knock(on, id, 0.3, 0.3, 0);
    ck_assert_int_eq(load_again(on, def, 0.3).kept, 1);
    def.diffuse.level = 10;
    ck_assert_int_eq(load_again(on, def, 0.6).retuned, 1);
    play(on, stereo, FRAMES);
    double same_db =
        10 * log10(energy_between(0.4, 0.6) / energy_between(0.1, 0.3));
    double louder_db =
        10 * log10(energy_between(0.7, 0.9) / energy_between(0.4, 0.6));
    ck_assert_msg(fabs(same_db + 60 * 0.3 / 50) < 1, "%.2f dB", same_db);
    ck_assert_msg(fabs(louder_db - 20 + 60 * 0.3 / 50) < 1, "%.2f dB",
                  louder_db);
    stage_free(on);
}
END_TEST

START_TEST(other_bands_are_another_voice) {
    stage on = stage_new();
    sb_body_def def = door_def(true);
    (void)add(on, def);
    def.diffuse.t60_count = 2;
    def.diffuse.t60[0].freq_hz = 800, def.diffuse.t60[0].t60_s = 1;
    def.diffuse.t60[1].freq_hz = 8000, def.diffuse.t60[1].t60_s = 0.1;
    ck_assert_int_eq(load_again(on, def, 0).retuned, 1);
    def.material.beta *= 1.5;
    ck_assert_int_eq(load_again(on, def, 0).retuned, 1);
    def.diffuse.crossover_hz = 2000;
    ck_assert_int_eq(load_again(on, def, 0).replaced, 1);
    def.diffuse.is_on = false;
    ck_assert_int_eq(load_again(on, def, 0).replaced, 1);
    stage_free(on);
}
END_TEST

START_TEST(decays_between_two_points_are_straight_on_log_scales) {
    sb_planned planned;
    sb_body_def def = door_def(true);
    def.diffuse.crossover_hz = 1000 / sqrt(sqrt(2.0)); /* 1 kHz in the middle */
    def.diffuse.t60_count = 2;
    def.diffuse.t60[0].freq_hz = 1000, def.diffuse.t60[0].t60_s = 1;
    def.diffuse.t60[1].freq_hz = 4000, def.diffuse.t60[1].t60_s = 0.25;
    ck_assert_int_eq(sb_planned_init(&planned, &def, NULL), SB_OK);
    ck_assert_int_eq(sb_planned_solve(&planned, NULL, NULL, NULL), SB_OK);
    static const double wanted[] = {1, 0.70710678, 0.5, 0.35355339, 0.25, 0.25};
    for (int b = 0; b < 6; b++) {
        double t60_s = log(1000) / planned.noise->bands.bands[b].sigma_per_s;
        ck_assert_double_eq_tol(t60_s, wanted[b], 1e-6);
    }
    sb_planned_free(&planned);
}
END_TEST

/* Modes given by hand that end below the crossover; the noise continues. */
START_TEST(bands_without_modes_go_on_from_those_there_are) {
    sb_planned planned;
    sb_body_def def = hand_def("pair");
    def.diffuse.is_on = true;
    def.diffuse.crossover_hz = 2000;
    ck_assert_int_eq(sb_planned_init(&planned, &def, NULL), SB_OK);
    ck_assert_int_eq(sb_planned_solve(&planned, NULL, NULL, NULL), SB_OK);
    ck_assert_int_eq(sb_planned_mode_count(&planned), 2);
    const sb_diffuse_band *band = planned.noise->bands.bands;
    ck_assert_double_gt(band[0].power, 0);
    ck_assert_double_eq_tol(band[1].power / band[0].power, sqrt(2.0), 1e-9);
    ck_assert_double_gt(band[0].sigma_per_s, log(1000) / 2);
    ck_assert_double_lt(band[0].sigma_per_s, log(1000));
    sb_planned_free(&planned);
}
END_TEST

int main(void) {
    TCase *bodies = tcase_create("bodies");
    tcase_add_loop_test(bodies, noise_is_as_loud_as_the_modes_were, 0, 2);
    tcase_add_test(bodies, only_the_modes_below_are_left);
    tcase_add_test(bodies, a_striker_drives_the_noise);
    tcase_add_test(bodies, a_hand_on_it_damps_the_noise_too);
    tcase_add_test(bodies, a_new_level_is_reached_while_it_sounds);
    tcase_add_test(bodies, other_bands_are_another_voice);
    tcase_add_test(bodies,
                   decays_between_two_points_are_straight_on_log_scales);
    tcase_add_test(bodies, bands_without_modes_go_on_from_those_there_are);
    Suite *suite = suite_create("diffuse bodies");
    suite_add_tcase(suite, bodies);
    return run_suite(suite);
}
