/* SPDX-License-Identifier: MIT */
/* Sheets that can be done both ways, with all modes or with few and noise above
 * them: equally loud in each third octave from the last mode up to 16 kHz, and
 * equally long, for impulses and for strikers, here and there. */
#include "runtime/media/spectrum.h"
#include "runtime/scene/plan/planned.h"
#include "tests/scene/scene_fixture.h"

enum {
    SIZE = 4096,
    HOP = 1024,
    FRAMES = 36000,
    LAST_THIRD = 12, /* of 1 kHz: 16 kHz */
    AFTER = 24,      /* frames; the click of all modes at once is not counted */
    RESTS = 1,       /* times FRAMES, until the sheet is still */
    SHORT = 8192,    /* instead of FRAMES, of strongly damped sheets */
    CORNER = 16,
    MANY = 96 /* places, since single ones of these differ by 5 dB */
};

typedef struct sheet {
    const char *material;
    double width, depth, thickness; /* no depth: a disk of that width */
    sb_support support;
    int few;
    double beta; /* or 0: the material's */
} sheet;

static const sheet sheets[] = {
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_FREE, 150, 0},
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_PINNED, 150, 0},
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_CLAMPED, 150, 0},
    {"aluminium", 0.45, 0.33, 0.0015, SB_SUPPORT_FREE, 150, 0},
    {"brass", 0.3, 0.25, 0.0007, SB_SUPPORT_FREE, 200, 0},
    {"steel", 0.5, 0.2, 0.0006, SB_SUPPORT_FREE, 300, 0},
    {"bronze", 0.4, 0, 0.001, SB_SUPPORT_CLAMPED, 200, 0},
};
enum { SHEETS = sizeof sheets / sizeof *sheets };

/* Loss factors of 0.01 to 0.3. */
static const sheet damped[] = {
    {"pmma", 0.3, 0.25, 0.002, SB_SUPPORT_FREE, 150, 0},
    {"pmma", 0.3, 0.25, 0.002, SB_SUPPORT_CLAMPED, 150, 0},
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_FREE, 150, 1e-6},
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_PINNED, 150, 1e-6},
    {"spruce", 0.4, 0.3, 0.003, SB_SUPPORT_FREE, 100, 0},
    {"oak", 0.5, 0.4, 0.004, SB_SUPPORT_CLAMPED, 120, 0},
    {"plywood", 0.5, 0.4, 0.003, SB_SUPPORT_PINNED, 120, 0},
    {"hard_plastic", 0.3, 0, 0.002, SB_SUPPORT_FREE, 120, 0},
    /* Noise, and above it modes. */
    {"steel", 0.45, 0.33, 0.001, SB_SUPPORT_PINNED, 150, 2e-7},
};
enum { DAMPED = sizeof damped / sizeof *damped };

static sb_body_def sheet_def(const sheet *of, int modes) {
    sb_body_def def = sb_body_def_default();
    def.name = "sheet";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = of->width,
                           .depth = of->depth,
                           .thickness = of->thickness,
                           .support = of->support,
                           .max_modes = modes};
    if (!(of->depth > 0)) {
        def.shape.kind = SB_SHAPE_DISK;
        def.shape.radius = 0.5 * of->width;
        def.shape.width = 0;
    }
    def.material = *sb_material_find(of->material);
    if (of->beta > 0) def.material.beta = of->beta;
    def.has_material = true;
    def.gain = 1e-3;
    def.diffuse.is_wanted = true;
    return def;
}

/* Sums over strikes of energy and of energy times its time. */
typedef struct thirds {
    double energy[LAST_THIRD + 1], later[LAST_THIRD + 1];
} thirds;

typedef struct ear {
    stage on;
    int frames; /* of a strike */
    int last_third;
    sb_body_id id;
    double time_s;
    thirds heard;
} ear;

static void listen(sb_spectrum *spectrum, const float *stereo, int frames,
                   thirds *heard) {
    static float power[SIZE / 2 + 1];
    for (int n = STAGE_LATENCY + AFTER; n + SIZE <= frames; n += HOP) {
        sb_stretch stretch = {stereo + (size_t)2 * (size_t)n, SIZE, 2, 0};
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 1; k < SIZE / 2; k++) {
            int i = (int)floor(3 * log2(k * RATE_HZ / SIZE / 1000) + 0.5);
            if (i < 0 || i > LAST_THIRD) continue;
            heard->energy[i] += (double)power[k];
            heard->later[i] += (double)power[k] * (n + 0.5 * SIZE) / RATE_HZ;
        }
    }
}

static void hit(ear *at, sb_spectrum *spectrum, double u, double v,
                bool is_impulse) {
    static float stereo[2 * FRAMES];
    sb_place place = {.u = u, .v = v};
    sb_strike_def impulse = {.impulse_ns = 1e-5}, blow = {.speed_m_s = 1};
    sb_impact_estimate result;
    ck_assert_int_eq(sb_scene_strike(at->on.scene, at->id, &place,
                                     is_impulse ? &impulse : &blow, at->time_s,
                                     &result, NULL),
                     SB_OK);
    play(at->on, stereo, at->frames);
    listen(spectrum, stereo, at->frames, &at->heard);
    at->time_s += at->frames / RATE_HZ;
    int rests = at->frames == FRAMES ? RESTS : 0;
    for (int i = 0; i < rests; i++, at->time_s += FRAMES / RATE_HZ)
        play(at->on, stereo, FRAMES);
}

static void compare(const ear ears[2], int first, int last, const char *place) {
    const thirds *all = &ears[0].heard, *few = &ears[1].heard;
    for (int i = first; i <= last; i++) {
        double off_db = 10 * log10(few->energy[i] / all->energy[i]);
        double longer =
            few->later[i] / few->energy[i] / (all->later[i] / all->energy[i]);
        ck_assert_msg(fabs(off_db) < 2.0, "%s, %.0f Hz: %+.1f dB", place,
                      1000 * exp2(i / 3.0), off_db);
        ck_assert_msg(fabs(longer - 1) < 0.15,
                      "%s, %.0f Hz: %.2f times as long", place,
                      1000 * exp2(i / 3.0), longer);
    }
}

/* --- both ways ------------------------------------------------------------ */

static void begin(ear ears[2], const sheet *of, int frames) {
    for (int i = 0; i < 2; i++) {
        ears[i] = (ear){
            .on = stage_new(), .frames = frames, .last_third = LAST_THIRD};
        ears[i].id = add(ears[i].on, sheet_def(of, i ? of->few : 0));
    }
}

static void end(ear ears[2]) {
    stage_free(ears[0].on);
    stage_free(ears[1].on);
}

/* One strike at each place; compared over all of them. */
static void both_ways(ear ears[2], const double (*places)[2], int count,
                      bool is_impulse, const char *name) {
    sb_spectrum *spectrum;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    for (int i = 0; i < 2; i++) {
        ears[i].heard = (thirds){{0}, {0}};
        for (int p = 0; p < count; p++)
            hit(&ears[i], spectrum, places[p][0], places[p][1], is_impulse);
    }
    sb_beyond_report report =
        sb_planned_beyond(sb_scene_body_planned(ears[1].on.scene, ears[1].id));
    ck_assert(report.has_bands);
    /* The first one that is all noise, and before it the one with the seam. */
    int first = (int)ceil(3 * log2(report.from_hz / 1000) + 0.5);
    compare(ears, first - 1, ears[0].last_third, name);
    sb_spectrum_destroy(spectrum);
}

/* Within two waves of the corners, some at the edges themselves. */
static void in_free_corners(ear ears[2], int count) {
    double places[MANY][2];
    for (int i = 0; i < count; i++) {
        double u = fmax(0.12 * fmod(i * 0.7548776662466927, 1) - 0.02, 0);
        double v = fmax(0.15 * fmod(i * 0.5698402909980532, 1) - 0.02, 0);
        places[i][0] = i % 2 ? u : 1 - u;
        places[i][1] = i / 2 % 2 ? v : 1 - v;
    }
    both_ways(ears, (const double(*)[2])places, count, true, "in free corners");
}

/* A hard striker on a thin sheet chatters above half the sample rate. */
START_TEST(with_all_modes_and_with_noise) {
    static const double inside[][2] = {
        {0.3, 0.37}, {0.71, 0.23}, {0.42, 0.66}, {0.6, 0.81}};
    ear ears[2];
    begin(ears, &sheets[_i], FRAMES);
    both_ways(ears, inside, 4, true, "impulses inside");
    both_ways(ears, inside, 4, false, "strikers inside");
    /* Not strikers: their force there is up to 2.5 dB less at 16 kHz. */
    static const double edge[][2] = {{0, 0.4}, {0, 0.73}, {0.31, 1}};
    if (_i == 0 || _i == 3) both_ways(ears, edge, 3, true, "at a free edge");
    if (_i == 0) in_free_corners(ears, CORNER);
    /* Long waves hardly move there, short ones do. */
    static const double corner[][2] = {{0.02, 0.03}, {0.975, 0.97}};
    if (_i == 1 || _i == 2)
        both_ways(ears, corner, 2, true, "near a held corner");
    end(ears);
}
END_TEST

/* Where waves die on their way and noise would be too loud, there are modes that
 * stand for many. Not strikers: the end of their contact decides what is left of
 * a sound that falls by 10 dB within it. */
START_TEST(with_all_modes_and_with_some_that_stand_for_many) {
    double places[MANY][2];
    ear ears[2];
    for (int i = 0; i < MANY; i++) {
        places[i][0] = 0.05 + 0.9 * fmod(0.5 + i * 0.7548776662466927, 1);
        places[i][1] = 0.05 + 0.9 * fmod(0.5 + i * 0.5698402909980532, 1);
    }
    begin(ears, &damped[_i], SHORT);
    /* The law of short waves knows no grain: it is 2 dB low at 16 kHz. */
    if (sb_material_find(damped[_i].material)->youngs_modulus_across > 0)
        ears[0].last_third--;
    both_ways(ears, (const double(*)[2])places, MANY, true, "impulses");
    if (_i == 2) in_free_corners(ears, MANY);
    end(ears);
}
END_TEST

int main(void) {
    TCase *seams = tcase_create("seams");
    tcase_add_loop_test(seams, with_all_modes_and_with_noise, 0, SHEETS);
    tcase_add_loop_test(seams, with_all_modes_and_with_some_that_stand_for_many,
                        0, DAMPED);
    Suite *suite = suite_create("beyond_seam");
    suite_add_tcase(suite, seams);
    return run_suite(suite);
}
