/* SPDX-License-Identifier: MIT */
/* A body that stiffens: its pitch by Duffing's closed form, its energy, the
 * energy passed to higher modes, and how it is changed while it rings. */
#include "runtime/engine/audio/island.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/engine/voice_def.h"
#include "runtime/media/spectrum.h"
#include "runtime/scene/plan/planned.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 48000, SIZE = 4096 };

static float stereo[2 * FRAMES], other[2 * FRAMES];

static const sb_hand_mode lone_mode[1] = {{100, 5000, 1}};

/* One mode that hardly decays, a semitone up where it swings by 1 mm. */
static sb_body_def tone_def(void) {
    sb_body_def def = sb_body_def_default();
    def.name = "tone";
    def.shape =
        (sb_shape){.kind = SB_SHAPE_MODES, .modes = lone_mode, .mode_count = 1};
    def.gain = 1e-4;
    def.nonlinear.is_on = true;
    def.nonlinear.amplitude_m = 1e-3;
    return def;
}

static sb_body_def disk_def(void) {
    sb_body_def def = sb_body_def_default();
    def.name = "tam-tam";
    def.shape =
        (sb_shape){.kind = SB_SHAPE_DISK, .radius = 0.1, .thickness = 0.001};
    def.material = *sb_material_find("bronze");
    def.material.alpha = 1;
    def.material.beta = 4e-9;
    def.has_material = true;
    def.nonlinear.is_on = true;
    return def;
}

static void strike_with(stage on, sb_body_id id,
                        const sb_strike_def *strike_def) {
    sb_place at = {.u = 0.8, .v = 0.5};
    sb_impact_estimate result;
    sb_error err = {0};
    ck_assert_msg(sb_scene_strike(on.scene, id, &at, strike_def, 0, &result,
                                  &err) == SB_OK,
                  "%s", err.message);
}

static void hit(stage on, sb_body_id id, double impulse_ns) {
    strike_with(on, id, &(sb_strike_def){.impulse_ns = impulse_ns});
}

/* A soft mallet wound with wool. */
static void mallet(stage on, sb_body_id id, double speed_m_s) {
    strike_with(on, id,
                &(sb_strike_def){.speed_m_s = speed_m_s,
                                 .striker.mass_kg = 0.1,
                                 .striker.stiffness = 3e6,
                                 .striker.exponent = 2.5,
                                 .striker.lambda = 1e5,
                                 .has_gravity = true});
}

/* --- pitch --------------------------------------------------------------- */

/* Of the rising zero crossings between two times. */
static double pitch_hz(const float *heard, double from_s, double to_s) {
    double first = 0, last = 0;
    int count = 0;
    for (int n = (int)(from_s * RATE_HZ) + 1; n < (int)(to_s * RATE_HZ); n++) {
        double a = (double)heard[2 * n - 2], b = (double)heard[2 * n];
        if (!(a < 0 && b >= 0)) continue;
        last = n - b / (b - a);
        if (count++ == 0) first = last;
    }
    return (count - 1) / (last - first) * RATE_HZ;
}

/* Duffing's exact pitch, as a multiple of the soft one, at e = g A^2 / w0^2. */
static double duffing(double e) {
    double a = 1, b = sqrt(1 - e / (2 * (1 + e)));
    for (int i = 0; i < 40; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return sqrt(1 + e) * a;
}

/* The strike that gives the tone this initial amplitude. */
static double impulse_for(const sb_planned *planned, double amplitude_m,
                          double *e) {
    double phi, w = 2 * SB_PI * 100;
    sb_model_weights(planned->model,
                     sb_model_point_at(planned->model, 0.5, 0.5), NULL, &phi);
    double weight = planned->spring_weights[0];
    double g = planned->springs[0].cubic_n_m3 * pow(weight, 4);
    double a = amplitude_m / fabs(phi); /* of q */
    *e = g * a * a / (w * w);
    return w * a * sqrt(1 + 0.5 * *e) / phi;
}

START_TEST(a_hard_strike_starts_as_high_as_duffing_says) {
    const double swings_m[] = {1e-5, 3e-4, 1e-3, 3e-3};
    for (int i = 0; i < 4; i++) {
        double e;
        stage on = stage_new();
        sb_body_id id = add(on, tone_def());
        const sb_planned *planned = sb_scene_body_planned(on.scene, id);
        ck_assert_int_eq(planned->spring_count, 1); /* all places are alike */
        hit(on, id, impulse_for(planned, swings_m[i], &e));
        play(on, stereo, 9600);
        double wanted = 100 * duffing(e), heard = pitch_hz(stereo, 0.02, 0.2);
        /* It hardly decays meanwhile. */
        (void)printf("%g mm: %.3f Hz, wanted %.3f\n", 1e3 * swings_m[i], heard,
                     wanted);
        ck_assert_msg(fabs(heard / wanted - 1) < 3e-4, "%g Hz, not %g", heard,
                      wanted);
        if (swings_m[i] == 1e-3)
            ck_assert_double_eq_tol(wanted, 100 * pow(2, 1 / 12.0), 1e-6);
        stage_free(on);
    }
}
END_TEST

START_TEST(the_pitch_glides_down_without_a_click) {
    static const sb_hand_mode fast_mode[1] = {{100, 0.8, 1}};
    sb_body_def def = tone_def();
    double e;
    def.shape.modes = fast_mode;
    stage on = stage_new();
    sb_body_id id = add(on, def);
    hit(on, id, impulse_for(sb_scene_body_planned(on.scene, id), 2e-3, &e));
    play(on, stereo, FRAMES);
    double before = 1e9;
    for (int i = 0; i < 9; i++) {
        double now = pitch_hz(stereo, 0.02 + 0.1 * i, 0.13 + 0.1 * i);
        ck_assert_msg(now < before + 1e-3, "%g Hz after %g", now, before);
        before = now;
    }
    ck_assert_double_gt(pitch_hz(stereo, 0.01, 0.06), 112);
    ck_assert_double_eq_tol(before, 100, 0.01);
    /* A kink where the bank takes over would stand out of the differences of a
     * slow tone, which are next to nothing. */
    for (int n = 9600; n < FRAMES; n++) {
        double d[5];
        for (int i = 0; i < 5; i++)
            d[i] = (double)stereo[2 * (n - i)];
        double kink = fabs(d[0] - 4 * d[1] + 6 * d[2] - 4 * d[3] + d[4]);
        double level = 0;
        for (int i = 0; i < 480; i++)
            level = fmax(level, fabs((double)stereo[2 * (n - i)]));
        ck_assert_msg(kink < 2e-6 * level, "%g of %g at %d", kink, level, n);
    }
    stage_free(on);
}
END_TEST

START_TEST(struck_softly_it_is_linear) {
    sb_body_def def = disk_def();
    for (int i = 0; i < 2; i++) {
        stage on = stage_new();
        def.nonlinear.is_on = i == 0;
        sb_body_id id = add(on, def);
        mallet(on, id, 1e-3);
        play(on, i == 0 ? stereo : other, 9600);
        stage_free(on);
    }
    float most = 0;
    for (int n = 0; n < 2 * 9600; n++)
        most = fmaxf(most, fabsf(other[n]));
    ck_assert_float_gt(most, 0);
    for (int n = 0; n < 2 * 9600; n++)
        ck_assert_float_eq_tol(stereo[n], other[n], 2e-3f * most);
}
END_TEST

/* --- energy -------------------------------------------------------------- */

static double centroid_hz(const float *heard, double from_s) {
    static float power[SIZE / 2 + 1];
    sb_spectrum *spectrum;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    sb_stretch stretch = {heard + 2 * (int)(from_s * RATE_HZ), SIZE, 2, 0};
    sb_spectrum_power(spectrum, &stretch, 0, power);
    sb_spectrum_destroy(spectrum);
    double sum = 0, moment = 0;
    for (int k = 1; k < SIZE / 2; k++) {
        sum += (double)power[k];
        moment += (double)power[k] * k * RATE_HZ / SIZE;
    }
    return moment / sum;
}

START_TEST(a_tam_tam_gets_brighter_after_the_strike) {
    double first[2], later[2];
    for (int i = 0; i < 2; i++) {
        stage on = stage_new();
        sb_body_def def = disk_def();
        def.gain = 1e-3;
        def.nonlinear.amplitude_m = i == 0 ? 6e-5 : 10;
        sb_body_id id = add(on, def);
        mallet(on, id, 6);
        play(on, stereo, 19200);
        first[i] = centroid_hz(stereo, 0.02);
        later[i] = centroid_hz(stereo, 0.3);
        (void)printf("%s: %.0f Hz, then %.0f\n", i == 0 ? "stiffens" : "linear",
                     first[i], later[i]);
        ck_assert_int_eq(sb_engine_read_stats(on.engine).muted, 0);
        stage_free(on);
    }
    ck_assert_double_lt(later[1], 1.05 * first[1]);
    ck_assert_double_gt(later[0], 1.3 * first[0]);
    ck_assert_double_gt(later[0], 2 * later[1]);
}
END_TEST

/* The disk as a voice by itself, without decay. */
static sb_voice *voice_of(const sb_planned *planned) {
    int count = sb_model_mode_count(planned->model);
    sb_bank_mode *modes = sb_alloc((size_t)count, sizeof *modes);
    sb_spring_def springs[SB_NONLINEAR_SPRINGS];
    int spring_count = sb_planned_springs(planned, springs);
    for (int k = 0; k < count; k++)
        modes[k] = (sb_bank_mode){
            2 * SB_PI * sb_model_modes(planned->model)[k].freq_hz, 0, 1e-3};
    sb_voice *voice = sb_alloc_aligned(sb_voice_bytes(count, spring_count));
    ck_assert_int_eq(sb_voice_init(voice, modes, count, RATE_HZ), SB_OK);
    for (int i = 0; i < spring_count; i++) {
        sb_link link;
        sb_spring spring = springs[i].spring;
        spring.linear_n_m = 0;
        sb_link_init_spring(&link, &spring, springs[i].is_distortion);
        sb_voice_add_spring(voice, &link, springs[i].weights);
    }
    sb_path_knot knot = {.ear = {{.full = 1}, {.full = 1}}};
    sb_voice_begin_path(voice, &knot, 0);
    sb_free(modes);
    return voice;
}

static double energy_of(const sb_voice *voice) {
    double sum = sb_modal_bank_energy_j(voice->bank);
    for (int i = 0; i < voice->spring_count; i++)
        sum += 0.25 * voice->springs[i].spring.cubic_n_m3 *
               pow(voice->springs[i].depth_m, 4);
    return sum;
}

static void follow_energy(const sb_planned *planned, double impulse_ns,
                          bool is_kept) {
    static float weights[4096], out[2 * SB_BLOCK_FRAMES];
    double phi[4096];
    sb_voice *voice = voice_of(planned);
    int count = sb_model_mode_count(planned->model);
    sb_model_weights(planned->model,
                     sb_model_point_at(planned->model, 0.8, 0.5), NULL, phi);
    for (int k = 0; k < count; k++) /* as of a soft mallet */
        weights[k] = k < 12 ? (float)phi[k] : 0;
    sb_bank_impulse impulse = {.impulse_ns = impulse_ns, .weights = weights};
    sb_modal_bank_impulse(voice->bank, &impulse, out);
    sb_voice_report report = {.ended_count = 0};
    double had = 0, before = 0;
    for (int i = 0; i < 60; i++) {
        sb_voices_gather(&voice, (const uint32_t[1]){0}, 1, NULL, 0);
        sb_voices_render(voice, out, NULL, &report);
        double now = energy_of(voice);
        /* The bank receives the impulse; the springs act on its motion
         * from then on. */
        if (i == 0) had = before = now;
        ck_assert_msg(now <= before + 1e-6 * had, "block %d: %g J after %g J",
                      i, now, before);
        before = now;
        if (is_kept) ck_assert_double_eq_tol(now / had, 1, 1e-4);
    }
    if (!is_kept) ck_assert_double_lt(before, 0.9 * had);
    ck_assert_int_eq(report.muted, 0);
    sb_free(voice);
}

START_TEST(energy_never_rises) {
    sb_body_def def = disk_def();
    for (int i = 0; i < 2; i++) {
        stage on = stage_new();
        def.nonlinear.amplitude_m = 1e-4;
        def.nonlinear.distortion_ns_m = i == 0 ? 0 : 40;
        sb_body_id id = add(on, def);
        const sb_planned *planned = sb_scene_body_planned(on.scene, id);
        ck_assert_int_eq(planned->spring_count, 4 + i);
        follow_energy(planned, 0.3, i == 0);
        stage_free(on);
    }
}
END_TEST

/* --- changes ------------------------------------------------------------- */

START_TEST(another_stiffness_is_reached_while_it_rings) {
    stage on = stage_new();
    sb_body_def def = tone_def();
    sb_body_id id = add(on, def);
    double e;
    hit(on, id, impulse_for(sb_scene_body_planned(on.scene, id), 1e-3, &e));
    ck_assert_int_eq(load_again(on, def, 0.1).kept, 1);
    def.nonlinear.amplitude_m = 1e-2;
    ck_assert_int_eq(load_again(on, def, 0.3).retuned, 1);
    play(on, stereo, FRAMES);
    ck_assert_double_gt(pitch_hz(stereo, 0.1, 0.29), 105.5);
    ck_assert_double_eq_tol(pitch_hz(stereo, 0.4, 0.9), 100.06, 0.03);
    stage_free(on);
}
END_TEST

START_TEST(other_places_are_another_voice) {
    stage on = stage_new();
    sb_body_def def = disk_def();
    (void)add(on, def);
    def.material.alpha = 3;
    ck_assert_int_eq(load_again(on, def, 0).retuned, 1);
    def.shape.radius *= 1.1; /* all of it: weights scale, and springs too */
    def.shape.thickness *= 1.1;
    ck_assert_int_eq(load_again(on, def, 0).retuned, 1);
    def.nonlinear.place_count = 1;
    def.nonlinear.places[0].u = def.nonlinear.places[0].v = 0.9;
    ck_assert_int_eq(load_again(on, def, 0).replaced, 1);
    def.nonlinear.distortion_ns_m = 1;
    ck_assert_int_eq(load_again(on, def, 0).replaced, 1);
    def.nonlinear.is_on = false;
    ck_assert_int_eq(load_again(on, def, 0).replaced, 1);
    ck_assert_int_eq(load_again(on, def, 0).kept, 1);
    stage_free(on);
}
END_TEST

START_TEST(places_at_rest_are_refused) {
    stage on = stage_new();
    sb_body_def def = disk_def();
    sb_body_id id;
    sb_error err;
    def.shape.support = SB_SUPPORT_CLAMPED;
    def.nonlinear.place_count = 1;
    def.nonlinear.places[0].u = 1;
    def.nonlinear.places[0].v = 0.5;
    ck_assert_int_eq(sb_scene_add(on.scene, &def, 0, &id, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "body 'tam-tam': nonlinear: its lowest mode does not move "
                     "at these places; give others as at, or none");
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("nonlinear_body");
    TCase *tcase = tcase_create("nonlinear_body");
    tcase_add_test(tcase, a_hard_strike_starts_as_high_as_duffing_says);
    tcase_add_test(tcase, the_pitch_glides_down_without_a_click);
    tcase_add_test(tcase, struck_softly_it_is_linear);
    tcase_add_test(tcase, a_tam_tam_gets_brighter_after_the_strike);
    tcase_add_test(tcase, energy_never_rises);
    tcase_add_test(tcase, another_stiffness_is_reached_while_it_rings);
    tcase_add_test(tcase, other_places_are_another_voice);
    tcase_add_test(tcase, places_at_rest_are_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
