/* SPDX-License-Identifier: MIT */
/* A body with too many modes: noise takes over where they end, as loud as they
 * would be. Measured on a plate that can be done both ways. */
#include "runtime/base/air.h"
#include "runtime/dsp/bank/diffuse.h"
#include "runtime/media/spectrum.h"
#include "runtime/scene/plan/planned.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 24000, SIZE = 8192, THIRDS = 13, FEW = 150, LATER = 240 };

static float stereo[2 * FRAMES];

static sb_body_def plate_def(int modes) {
    sb_body_def def = sb_body_def_default();
    def.name = "plate";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.45,
                           .depth = 0.33,
                           .thickness = 0.0015,
                           .support = SB_SUPPORT_PINNED,
                           .max_modes = modes};
    def.material = *sb_material_find("aluminium");
    def.has_material = true;
    def.gain = 0.01;
    def.diffuse.is_wanted = true;
    return def;
}

/* Energies of the third octaves from 1 kHz on, of strikes here and there. The
 * window opens after the strike: the click of all modes at once is not counted.
 */
static void thirds_of_strikes(int modes, double thirds[THIRDS]) {
    static float power[SIZE / 2 + 1];
    sb_spectrum *spectrum;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    memset(thirds, 0, THIRDS * sizeof *thirds);
    stage on = stage_new();
    sb_body_id id = add(on, plate_def(modes));
    for (int i = 0; i < 16; i++) {
        sb_place at = {.u = fmod(0.1 + i * 0.381966, 1),
                       .v = fmod(0.2 + i * 0.414214, 1)};
        sb_strike_def strike_def = {.impulse_ns = 1e-5};
        sb_impact_estimate result;
        ck_assert_int_eq(sb_scene_strike(on.scene, id, &at, &strike_def,
                                         i * 0.5, &result, NULL),
                         SB_OK);
        play(on, stereo, (int)(0.5 * RATE_HZ));
        sb_stretch stretch = {stereo + (size_t)2 * LATER, SIZE, 2, 0};
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 1; k < SIZE / 2; k++) {
            int at_third =
                (int)floor(3 * log2(k * RATE_HZ / SIZE / 1000) + 0.5);
            if (at_third >= 0 && at_third < THIRDS)
                thirds[at_third] += (double)power[k];
        }
    }
    stage_free(on);
    sb_spectrum_destroy(spectrum);
}

START_TEST(no_step_where_the_modes_end_and_right_above) {
    double modes[THIRDS], noise[THIRDS];
    thirds_of_strikes(0, modes);
    thirds_of_strikes(FEW, noise);
    for (int i = 0; i < THIRDS; i++) {
        double off_db = 10 * log10(noise[i] / modes[i]);
        (void)printf("%5.0f Hz: %+.1f dB\n", 1000 * exp2(i / 3.0), off_db);
        ck_assert_msg(fabs(off_db) < 2.0, "%.0f Hz: %+.1f dB",
                      1000 * exp2(i / 3.0), off_db);
    }
}
END_TEST

START_TEST(a_number_of_modes_is_a_choice_unless_noise_is_wanted) {
    for (int i = 0; i < 3; i++) {
        stage on = stage_new();
        sb_body_def def = plate_def(FEW);
        def.diffuse.is_wanted = i == 1;
        def.diffuse.is_off = i == 2;
        if (i == 2) def.shape.max_modes = 0, def.shape.width = 8;
        sb_body_id id = add(on, def);
        const sb_planned *planned = sb_scene_body_planned(on.scene, id);
        sb_beyond_report report = sb_planned_beyond(planned);
        ck_assert_int_eq(report.has_bands, i == 1);
        ck_assert_int_eq(report.is_cut, i > 0);
        ck_assert_int_eq(sb_planned_yield_count(planned) > 0, i == 1);
        stage_free(on);
    }
}
END_TEST

/* Noise loses what its modes radiate: rho c sigma / (rho_s h) of a large sheet,
 * sigma = (1 - f_c / f)^-1/2, f_c h = 12.31 m/s; 34.3 /s at 15 kHz. */
START_TEST(noise_loses_what_it_radiates) {
    sb_body_def def = plate_def(FEW);
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 1.1,
                           .depth = 0.8,
                           .thickness = 0.002,
                           .max_modes = 400,
                           .radiation = SB_RADIATES_EXACT};
    def.material = *sb_material_find("steel");
    sb_planned planned;
    ck_assert_int_eq(sb_planned_init(&planned, &def, NULL), SB_OK);
    ck_assert_int_eq(sb_planned_solve(&planned, NULL, NULL, NULL), SB_OK);
    const sb_diffuse_def *bands = sb_planned_bands(&planned);
    ck_assert_ptr_nonnull(bands);
    int b = 0;
    while (bands->bands[b].high_hz < 15000)
        b++;
    double hz = sqrt(bands->bands[b].low_hz * bands->bands[b].high_hz);
    double own = sb_material_sigma(&def.material, SB_TAU * hz);
    double expected = SB_AIR_DENSITY * SB_AIR_SPEED / sqrt(1 - 6155 / hz) /
                      (def.material.density * def.shape.thickness);
    ck_assert_double_eq_tol(bands->bands[b].sigma_per_s - own, expected,
                            0.15 * expected);
    sb_planned_free(&planned);
}
END_TEST

int main(void) {
    TCase *bodies = tcase_create("bodies");
    tcase_add_test(bodies, no_step_where_the_modes_end_and_right_above);
    tcase_add_test(bodies, noise_loses_what_it_radiates);
    tcase_add_test(bodies,
                   a_number_of_modes_is_a_choice_unless_noise_is_wanted);
    Suite *suite = suite_create("beyond_body");
    suite_add_tcase(suite, bodies);
    return run_suite(suite);
}
