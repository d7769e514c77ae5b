/* SPDX-License-Identifier: MIT */
/* roll and profile are the same contact: the sound of both on the same surface,
 * load and speed, in third octaves from 100 Hz to 10 kHz, whether a ball is
 * solved with the modes or, among many, on a copy of some of them. */
#include "runtime/dsp/surface/surface.h"
#include "runtime/media/spectrum.h"
#include "tests/in_child.h"
#include "tests/scene/contact/touch_fixture.h"

enum { RATE = 48000, FRAMES = 4 * RATE, SIZE = 16384, THIRDS = 21 };

typedef struct roll_case {
    const char *name, *material, *ball;
    double thickness_m, radius_m;
    double load; /* in weights */
    double speed_m_s;
    sb_surface_kind kind;
    double rough_m; /* roughness, or depth */
} roll_case;

static const roll_case cases[] = {
    {"polished", "oak", "glass", 0.01, 8e-3, 1, 0.6, SB_SURFACE_NOISE, 2e-6},
    {"sawn", "oak", "glass", 0.01, 8e-3, 1, 0.6, SB_SURFACE_FRACTAL, 2e-5},
    {"grid", "oak", "steel", 0.01, 6e-3, 1, 0.4, SB_SURFACE_GRID, 1e-3},
    {"gravel", "oak", "glass", 0.01, 8e-3, 1, 0.6, SB_SURFACE_GRAVEL, 1e-4},
    {"cobbles", "oak", "glass", 0.01, 1e-2, 3, 1, SB_SURFACE_COBBLES, 5e-4},
    {"recorded", "pine", "steel", 0.02, 5e-3, 2, 0.3, SB_SURFACE_STORED, 5e-6},
    {"marble", "marble", "glass", 0.02, 8e-3, 1, 0.8, SB_SURFACE_NOISE, 1e-6},
    {"heavy", "oak", "steel", 0.01, 5e-2, 1, 1, SB_SURFACE_NOISE, 2e-5},
    {"heavy smooth", "oak", "steel", 0.01, 5e-2, 1, 3, SB_SURFACE_NOISE, 3e-7},
    {"fast", "oak", "steel", 0.01, 2e-2, 1, 3, SB_SURFACE_NOISE, 2e-5},
    {"small", "pine", "glass", 0.005, 3e-3, 1, 0.3, SB_SURFACE_NOISE, 2e-6},
    {"glass", "glass", "glass", 0.006, 8e-3, 1, 0.5, SB_SURFACE_FRACTAL, 1e-5},
    {"pressed", "plywood", "steel", 0.012, 1e-2, 20, 0.5, SB_SURFACE_FRACTAL,
     5e-6},
};
enum { CASES = sizeof cases / sizeof *cases };

static sb_surface *surface_of(const roll_case *c) {
    static float heights[4096];
    sb_surface_def def = sb_surface_default(c->kind);
    sb_surface *surface = NULL;
    def.roughness_m = def.depth_m = c->rough_m;
    def.longest_m = 0.02;
    def.shortest_m = 2e-4;
    if (c->kind == SB_SURFACE_COBBLES) def.period_m = 0.01;
    if (c->kind == SB_SURFACE_STORED) {
        for (int i = 0; i < 4096; i++)
            heights[i] =
                (float)(c->rough_m * (sin(0.37 * i) + sin(0.011 * i * i)));
        def.heights_m = heights;
        def.points = 4096;
        def.spacing_m = 5e-5;
    }
    ck_assert_int_eq(sb_surface_create(&def, &surface, NULL), SB_OK);
    return surface;
}

static sb_body_id board_on(stage on, const roll_case *c, sb_surface *surface) {
    sb_body_def def = sb_body_def_default();
    def.name = "board";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.4,
                           .depth = 0.25,
                           .thickness = c->thickness_m,
                           .max_hz = 12000};
    def.material = *sb_material_find(c->material);
    def.has_material = true;
    def.surface = surface;
    return add(on, def);
}

static sb_contact_id begin(stage on, const roll_case *c, sb_body_id board,
                           sb_contact_kind kind, double level) {
    sb_lasting_setup setup = {.kind = kind,
                              .body = board,
                              .thing = {.radius_m = c->radius_m},
                              .level = level,
                              .seed = 3};
    double r = c->radius_m, density = sb_material_find(c->ball)->density;
    double weight_n = 9.81 * density * 4.18879 * r * r * r;
    return begin_touch(
        on, setup, c->ball,
        (sb_contact_load){c->load * weight_n, {c->speed_m_s, c->speed_m_s}, 0});
}

typedef struct rolls {
    stage on;
    sb_body_id board;
    const roll_case *c;
    sb_contact_kind kind;
    double level;
} rolls;

static void thirds_of(const void *in, void *out) {
    static float stereo[2 * FRAMES], power[SIZE / 2 + 1];
    const rolls *it = in;
    double *thirds = out;
    begin(it->on, it->c, it->board, it->kind, it->level);
    play(it->on, stereo, FRAMES);
    ck_assert_int_eq((int)sb_engine_read_stats(it->on.engine).muted, 0);
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    memset(thirds, 0, THIRDS * sizeof *thirds);
    for (int at = RATE; at + SIZE <= FRAMES; at += SIZE / 2) {
        sb_stretch stretch = {stereo + (ptrdiff_t)2 * at, SIZE, 2, 0};
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 1; k < SIZE / 2; k++) {
            double hz = (double)k * RATE / SIZE;
            int third = (int)floor(3 * log2(hz / 1000) + 0.5) + 10;
            if (third >= 0 && third < THIRDS) thirds[third] += (double)power[k];
        }
    }
    sb_spectrum_destroy(spectrum);
}

/* A third that is 70 dB below the loudest is not heard, and not compared: far
 * below the first mode the copy of some modes gives too little by 3 dB. */
static void check_equal(const roll_case *c, const double got[THIRDS],
                        const double want[THIRDS]) {
    double loudest = 0;
    for (int i = 0; i < THIRDS; i++)
        loudest = fmax(loudest, want[i]);
    for (int i = 0; i < THIRDS; i++) {
        if (fmax(got[i], want[i]) < 1e-7 * loudest) continue;
        double db = 10 * log10(got[i] / want[i]);
        ck_assert_msg(fabs(db) < 3, "%s: %+.1f dB at %.0f Hz", c->name, db,
                      1000 * exp2((i - 10) / 3.0));
    }
}

/* A level makes it a known force. */
START_TEST(roll_and_a_known_force_are_as_loud_as_profile) {
    double roll[THIRDS], force[THIRDS], profile[THIRDS];
    rolls it = {.on = quiet_stage(RATE), .c = &cases[_i], .level = 1};
    sb_surface *surface = surface_of(it.c);
    it.board = board_on(it.on, it.c, surface);
    it.kind = SB_CONTACT_PROFILE;
    in_child(thirds_of, &it, profile, sizeof profile);
    it.kind = SB_CONTACT_ROLL;
    in_child(thirds_of, &it, roll, sizeof roll);
    it.level = 2;
    in_child(thirds_of, &it, force, sizeof force);
    stage_free(it.on);
    sb_surface_release(surface);
    check_equal(&cases[_i], roll, profile);
    for (int i = 0; i < THIRDS; i++)
        force[i] /= 4;
    check_equal(&cases[_i], force, profile);
}
END_TEST

/* Four balls are solved with the modes of a body; more are known forces, until
 * one of the four is gone. */
START_TEST(of_many_balls_four_are_solved_with_the_modes) {
    stage on = quiet_stage(RATE);
    sb_surface *surface = surface_of(&cases[0]);
    sb_body_id board = board_on(on, &cases[0], surface);
    sb_lasting_setup setup = {
        .kind = SB_CONTACT_ROLL, .body = board, .level = 1};
    sb_contact_id ids[6];
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(scene_rides(on.scene, &setup), i >= 4);
        ids[i] = begin(on, &cases[0], board, SB_CONTACT_ROLL, 1);
    }
    ck_assert_int_eq(sb_scene_end_contact(on.scene, ids[2], 0.02, 0.01, NULL),
                     SB_OK);
    ck_assert(!scene_rides(on.scene, &setup));
    setup.kind = SB_CONTACT_SLIDE;
    ck_assert(!scene_rides(on.scene, &setup));
    stage_free(on);
    sb_surface_release(surface);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("roll");
    TCase *tcase = tcase_create("roll");
    tcase_add_loop_test(tcase, roll_and_a_known_force_are_as_loud_as_profile, 0,
                        CASES);
    tcase_add_test(tcase, of_many_balls_four_are_solved_with_the_modes);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
