/* SPDX-License-Identifier: MIT */
/* Lasting contacts sound the same at every sample rate; rolling has no
 * spectral line, and a contact at rest is silent. */
#include "runtime/dsp/surface/surface.h"
#include "runtime/media/spectrum.h"
#include "tests/scene/contact/touch_fixture.h"

enum {
    RATES = 4,
    BANDS = 24,
    SECONDS = 1,
    ROOM = 192000 * SECONDS,
    LATENCY_MAX = 1024
};
static const int rates_hz[RATES] = {44100, 48000, 96000, 192000};

static stage stage_at(int rate_hz) {
    stage made = {NULL, NULL};
    sb_engine_def def = sb_engine_def_default();
    def.threshold = 0;
    def.sample_rate_hz = rate_hz;
    ck_assert_int_eq(sb_engine_create(&def, &made.engine, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_create(made.engine, &made.scene, NULL), SB_OK);
    sb_listener listener = sb_scene_listener(made.scene);
    listener.ears = SB_EARS_PAN;
    ck_assert_int_eq(sb_scene_set_listener(made.scene, &listener, 0, NULL),
                     SB_OK);
    return made;
}

/* A board whose modes, all of them below 20 kHz, are the same at every rate. */
static sb_body_id board_on(stage on, double gain) {
    sb_body_def def = sb_body_def_default();
    def.name = "board";
    def.shape = (sb_shape){
        .kind = SB_SHAPE_PLATE, .width = 0.3, .depth = 0.2, .thickness = 0.01};
    def.material = *sb_material_find("oak");
    def.has_material = true;
    def.gain = gain;
    return add(on, def);
}

static void begin_with(stage on, sb_body_id board, sb_contact_kind kind,
                       double force_n, double speed_m_s, double gap_m) {
    bool rolls = kind == SB_CONTACT_ROLL;
    sb_lasting_setup setup = {.kind = kind,
                              .body = board,
                              .thing = {.radius_m = 0.008},
                              .level = 1,
                              .gap_min_m = gap_m,
                              .seed = 7};
    (void)begin_touch(on, setup, "glass",
                      (sb_contact_load){force_n,
                                        {speed_m_s, rolls ? speed_m_s : 0},
                                        rolls ? 0 : speed_m_s});
}

static void begin(stage on, sb_body_id board, sb_contact_kind kind,
                  double force_n, double speed_m_s) {
    begin_with(on, board, kind, force_n, speed_m_s, 0);
}

/* A bow at the end of a bar of three modes; no harmonic lies near the border of
 * two bands. */
static void bow(stage on) {
    static const sb_hand_mode modes[3] = {
        {397, 6, 3.3}, {1094, 3, 3.3}, {2145, 1.5, 3.3}};
    sb_body_def bar = hand_def("bar");
    bar.shape.modes = modes;
    bar.shape.mode_count = 3;
    sb_lasting_setup setup = {.kind = SB_CONTACT_RUB,
                              .body = add(on, bar),
                              .level = 1,
                              .mu_static = 0.8,
                              .mu_kinetic = 0.3,
                              .stribeck_m_s = 0.2,
                              .bristle_m = 8e-6};
    sb_lasting_change first = {.load = {5, {0.2, 0}, 0.2},
                               .has_force = true,
                               .has_speed = {true, true},
                               .has_slip = true,
                               .ramp_s = 0.05};
    sb_contact_id id;
    ck_assert_int_eq(
        sb_scene_begin_contact(on.scene, &setup, &first, 0.01, &id, NULL),
        SB_OK);
}

static void strike_with_marble(stage on, sb_body_id board) {
    sb_place place = {.u = 0.31, .v = 0.43};
    sb_strike_def strike_def = {.speed_m_s = 1,
                                .striker.radius_m = 0.008,
                                .model = SB_IMPACT_MODEL_GRADIENT,
                                .has_gravity = true};
    sb_impact_estimate result;
    ck_assert_int_eq(sb_scene_strike(on.scene, board, &place, &strike_def, 0.3,
                                     &result, NULL),
                     SB_OK);
}

typedef enum scene_kind {
    IMPACT,
    ROLLING,
    SLIDING,
    CREAKING,
    BOWING,
    KINDS
} scene_kind;
static const char *const kind_names[KINDS] = {"an impact", "rolling", "sliding",
                                              "creaking", "bowing"};

static const float *sound_of(scene_kind kind, int rate_hz) {
    static float stereo[2 * (ROOM + LATENCY_MAX)];
    stage on = stage_at(rate_hz);
    sb_body_id board = board_on(on, 1);
    if (kind == IMPACT) strike_with_marble(on, board);
    if (kind == ROLLING) begin(on, board, SB_CONTACT_ROLL, 0.5, 0.5);
    if (kind == SLIDING) begin(on, board, SB_CONTACT_SLIDE, 0.5, 0.5);
    if (kind == BOWING) bow(on);
    if (kind == CREAKING) begin(on, board, SB_CONTACT_CREAK, 5, 0.02);
    int latency = sb_engine_latency(on.engine);
    ck_assert_int_le(latency, LATENCY_MAX);
    play(on, stereo, rate_hz * SECONDS + latency);
    ck_assert_int_eq((int)sb_engine_read_stats(on.engine).muted, 0);
    ck_assert_double_gt(sb_engine_read_stats(on.engine).limiter_least, 0.999);
    stage_free(on);
    /* All rates begin at the same moment. */
    return stereo + 2 * latency;
}

/* Energies of the third octaves from 50 Hz to 10 kHz. */
static void bands_of(const float *stereo, int rate_hz, double energy[BANDS]) {
    static float power[ROOM];
    sb_spectrum *spectrum = NULL;
    int size = rate_hz * SECONDS;
    sb_stretch stretch = {stereo, size, 2, 0};
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, size, size, SB_WINDOW_HANN, NULL), SB_OK);
    sb_spectrum_power(spectrum, &stretch, 0, power);
    sb_spectrum_destroy(spectrum);
    for (int b = 0; b < BANDS; b++) {
        double low = 50 * exp2((b - 0.5) / 3), high = 50 * exp2((b + 0.5) / 3);
        energy[b] = 0;
        for (int k = (int)ceil(low * SECONDS); k < high * SECONDS; k++)
            energy[b] += (double)power[k];
    }
}

START_TEST(every_rate_sounds_the_same) {
    double energy[RATES][BANDS], most = 0;
    for (int r = 0; r < RATES; r++)
        bands_of(sound_of((scene_kind)_i, rates_hz[r]), rates_hz[r], energy[r]);
    for (int b = 0; b < BANDS; b++)
        most = fmax(most, energy[RATES - 1][b]);
    ck_assert_double_gt(most, 1e-16);
    for (int b = 0; b < BANDS; b++) {
        if (energy[RATES - 1][b] < 1e-5 * most) continue;
        for (int r = 0; r < RATES - 1; r++) {
            double db = 10 * log10(energy[r][b] / energy[RATES - 1][b]);
            ck_assert_msg(fabs(db) < 0.5, "%s at %d Hz: %.2f dB at %.0f Hz",
                          kind_names[_i], rates_hz[r], db, 50 * exp2(b / 3.0));
        }
    }
}
END_TEST

/* --- rolling ------------------------------------------------------------- */

/* Makes a force audible without resonances: the modes decay within a fraction
 * of a millisecond and overlap without separate peaks. */
static sb_body_id flat_on(stage on) {
    static const sb_hand_mode flat[5] = {{400, 0.001, 1},
                                         {1600, 0.0005, 1},
                                         {4000, 0.0003, 1},
                                         {8000, 0.0003, 1},
                                         {14000, 0.0003, 1}};
    sb_body_def def = hand_def("flat");
    def.shape.modes = flat;
    def.shape.mode_count = 5;
    return add(on, def);
}

/* Marbles, a fast one as well, over ten seconds: the mean of many spectra, and
 * no line of it stands out from the 60 Hz about it, down to `floor` of the
 * loudest. */
static void check_lines(double gap_m, double speed_m_s, double floor) {
    enum { RATE = 48000, SIZE = 16384, PARTS = 54, NEAR = 10 };
    static float stereo[2 * SIZE], power[SIZE / 2 + 1];
    static double mean[SIZE / 2 + 1];
    stage on = stage_at(RATE);
    begin_with(on, flat_on(on), SB_CONTACT_ROLL, 0.3, speed_m_s, gap_m);
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    memset(mean, 0, sizeof mean);
    play(on, stereo, SIZE);
    for (int part = 0; part < PARTS; part++) {
        sb_stretch stretch = {stereo, SIZE, 2, 0};
        play(on, stereo, SIZE);
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 0; k <= SIZE / 2; k++)
            mean[k] += (double)power[k];
    }
    sb_spectrum_destroy(spectrum);
    stage_free(on);
    double most = 0;
    for (int k = 17; k < SIZE / 2; k++)
        most = fmax(most, mean[k]);
    for (int k = 17 + NEAR; k < (int)(10e3 * SIZE / RATE); k++) {
        double about = 0;
        for (int i = 1; i <= NEAR; i++)
            about += (mean[k - i] + mean[k + i]) / (2 * NEAR);
        if (about < floor * most) continue;
        ck_assert_msg(mean[k] < 4 * about, "%.1f dB at %.0f Hz, %g m/s",
                      10 * log10(mean[k] / about), (double)k * RATE / SIZE,
                      speed_m_s);
    }
}

static const double speeds_m_s[] = {0.1, 0.5, 3};

START_TEST(micro_impacts_have_no_line) {
    check_lines(4e-4, speeds_m_s[_i], 1e-8);
}
END_TEST

/* The contact is not linear, so that what rolls over the points of a table has
 * a faint line at one point per cycle: 40 dB down, and masked. */
START_TEST(a_ball_has_no_line_that_is_heard) {
    check_lines(0, speeds_m_s[_i], 1e-4);
}
END_TEST

/* Impacts only, far enough apart that each is separate. */
static int impacts_at(double speed_m_s) {
    enum { RATE = 48000, FRAMES = 4 * RATE };
    static float stereo[2 * FRAMES];
    static const sb_hand_mode tick = {9000, 0.0002, 1};
    stage on = stage_at(RATE);
    sb_body_def body = hand_def("tick");
    sb_surface_def waves = sb_surface_default(SB_SURFACE_NOISE);
    sb_surface *surface = NULL;
    waves.roughness_m = 0; /* only the impacts are heard */
    ck_assert_int_eq(sb_surface_create(&waves, &surface, NULL), SB_OK);
    body.shape.modes = &tick;
    body.shape.mode_count = 1;
    body.surface = surface;
    sb_lasting_setup setup = {.kind = SB_CONTACT_ROLL,
                              .body = add(on, body),
                              .thing = {.radius_m = 0.008},
                              .level = 1,
                              .gap_min_m = 0.004,
                              .gap_max_m = 0.012};
    sb_lasting_change first = {.load = {0.1, {speed_m_s, speed_m_s}, 0},
                               .has_force = true,
                               .has_speed = {true, true},
                               .has_slip = true};
    sb_contact_id id;
    ck_assert_int_eq(
        sb_scene_begin_contact(on.scene, &setup, &first, 0, &id, NULL), SB_OK);
    play(on, stereo, FRAMES);
    double peak = 0;
    for (int n = 0; n < FRAMES; n++)
        peak = fmax(peak, fabs((double)stereo[2 * n]));
    ck_assert_double_gt(peak, 0);
    int count = 0, since = 0;
    for (int n = 0; n < FRAMES; n++, since++) {
        if (fabs((double)stereo[2 * n]) < 0.02 * peak) continue;
        if (since > 24) count++;
        since = 0;
    }
    stage_free(on);
    sb_surface_release(surface);
    return count;
}

/* The mean distance between impacts is 8 mm. */
START_TEST(twice_the_speed_is_twice_the_impacts) {
    int slow = impacts_at(0.25), fast = impacts_at(0.5);
    ck_assert_int_gt(slow, 115);
    ck_assert_int_lt(slow, 135);
    ck_assert_msg(abs(fast - 2 * slow) <= 4, "%d and %d", slow, fast);
}
END_TEST

START_TEST(a_contact_at_rest_is_silent) {
    enum { RATE = 48000, FRAMES = RATE };
    static float stereo[2 * FRAMES];
    const sb_contact_kind kinds[] = {SB_CONTACT_ROLL,  SB_CONTACT_SLIDE,
                                     SB_CONTACT_CREAK, SB_CONTACT_PROFILE,
                                     SB_CONTACT_RUB,   SB_CONTACT_RATTLE};
    stage on = stage_at(RATE);
    begin(on, board_on(on, 1), kinds[_i], 0.5, 0);
    play(on, stereo, FRAMES);
    for (int n = FRAMES / 2; n < FRAMES; n++)
        ck_assert_msg(fabs((double)stereo[2 * n]) < 1e-6, "kind %d: %g at %d",
                      (int)kinds[_i], (double)stereo[2 * n], n);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("contact rates");
    TCase *tcase = tcase_create("contact rates");
    tcase_add_loop_test(tcase, every_rate_sounds_the_same, 0, KINDS);
    tcase_add_loop_test(tcase, micro_impacts_have_no_line, 0, 3);
    tcase_add_loop_test(tcase, a_ball_has_no_line_that_is_heard, 0, 3);
    tcase_add_test(tcase, twice_the_speed_is_twice_the_impacts);
    tcase_add_loop_test(tcase, a_contact_at_rest_is_silent, 0, 6);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
