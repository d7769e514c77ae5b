/* SPDX-License-Identifier: MIT */
/* Rolling is the less bright version of sliding and never the louder one; both
 * are louder with load and speed; a block that slides is as bright as a ball that slides. */
#include "runtime/media/spectrum.h"
#include "tests/in_child.h"
#include "tests/scene/contact/touch_fixture.h"

enum { RATE = 48000, SIZE = 16384, PARTS = 4, FRAMES = (PARTS + 1) * SIZE };

typedef struct heard {
    double db, centroid_hz;
} heard;

typedef struct slide_case {
    const char *material;
    double thickness_m;
} slide_case;

static const slide_case cases[] = {
    {"oak", 0.01}, {"steel", 0.002}, {"glass", 0.005}};
enum { CASES = sizeof cases / sizeof *cases };

/* One contact on a plate. */
typedef struct touch {
    sb_contact_kind kind;
    double radius_m, load_n, speed_m_s, slip_m_s;
    bool is_flat;
    double mass_kg; /* 0: the default */
} touch;

static heard hear(const float *stereo) {
    static float power[SIZE / 2 + 1];
    sb_spectrum *spectrum = NULL;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    double sum = 0, moment = 0;
    for (int part = 0; part < PARTS; part++) {
        sb_stretch stretch = {stereo + (ptrdiff_t)2 * SIZE * (part + 1), SIZE,
                              2, 0};
        sb_spectrum_power(spectrum, &stretch, 0, power);
        for (int k = 1; k < SIZE / 2; k++) {
            sum += (double)power[k];
            moment += (double)power[k] * k * RATE / SIZE;
        }
    }
    sb_spectrum_destroy(spectrum);
    ck_assert_double_gt(sum, 0);
    return (heard){10 * log10(sum), moment / sum};
}

static sb_body_id plate_on(stage on, const slide_case *c) {
    sb_body_def def = sb_body_def_default();
    def.name = "plate";
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = 0.4,
                           .depth = 0.25,
                           .thickness = c->thickness_m,
                           .max_hz = 12000};
    def.material = *sb_material_find(c->material);
    def.has_material = true;
    return add(on, def);
}

typedef struct touched {
    stage on;
    sb_body_id plate;
    const touch *by;
} touched;

static void touch_on(const void *in, void *out) {
    static float stereo[2 * FRAMES];
    const touched *it = in;
    const touch *t = it->by;
    sb_lasting_setup setup = {.kind = t->kind,
                              .body = it->plate,
                              .thing = {.radius_m = t->radius_m},
                              .level = 1,
                              .is_flat = t->is_flat,
                              .seed = 3};
    setup.thing.mass_kg = t->mass_kg;
    double v = t->speed_m_s;
    (void)begin_touch(
        it->on, setup, "steel",
        (sb_contact_load){t->load_n, {v, v - t->slip_m_s}, t->slip_m_s});
    play(it->on, stereo, FRAMES);
    ck_assert_int_eq((int)sb_engine_read_stats(it->on.engine).muted, 0);
    *(heard *)out = hear(stereo);
}

/* The plate is solved once per test. */
static heard sound_of(const slide_case *c, const touch *t) {
    static touched it;
    static const slide_case *of;
    heard made;
    if (of != c) {
        if (of) stage_free(it.on);
        of = c;
        it.on = quiet_stage(RATE);
        it.plate = plate_on(it.on, c);
    }
    it.by = t;
    in_child(touch_on, &it, &made, sizeof made);
    return made;
}

START_TEST(slip_makes_it_brighter_and_not_softer) {
    const double slips[] = {0, 0.1, 0.25, 0.5};
    heard before = {0};
    for (int i = 0; i < 4; i++) {
        touch t = {SB_CONTACT_ROLL, 0.01, 0.32, 0.5, slips[i], false, 0};
        heard now = sound_of(&cases[_i], &t);
        if (i > 0)
            ck_assert_msg(now.db > before.db &&
                              now.centroid_hz > before.centroid_hz,
                          "%s, slip %g: %.1f dB, %.0f Hz after %.1f dB, "
                          "%.0f Hz",
                          cases[_i].material, slips[i], now.db, now.centroid_hz,
                          before.db, before.centroid_hz);
        before = now;
    }
    /* The same contact, made linear. */
    touch t = {SB_CONTACT_SLIDE, 0.01, 0.32, 0.5, 0.5, false, 0};
    heard slides = sound_of(&cases[_i], &t);
    ck_assert_msg(fabs(slides.db - before.db) < 6 &&
                      fabs(slides.centroid_hz / before.centroid_hz - 1) < 0.2,
                  "%s: slides by %.1f dB, %.0f Hz; rolls with slip by %.1f dB, "
                  "%.0f Hz",
                  cases[_i].material, slides.db, slides.centroid_hz, before.db,
                  before.centroid_hz);
}
END_TEST

START_TEST(load_makes_it_louder) {
    static const struct {
        sb_contact_kind kind;
        double radius_m;
    } things[] = {{SB_CONTACT_ROLL, 8e-3},
                  {SB_CONTACT_ROLL, 5e-3},
                  {SB_CONTACT_SLIDE, 8e-3},
                  {SB_CONTACT_SLIDE, 5e-3},
                  {SB_CONTACT_SLIDE, 1e-4}}; /* a nail */
    const double loads[] = {0.3, 1, 3, 10};
    for (int j = 0; j < 5; j++) {
        double before = 0;
        for (int i = 0; i < 4; i++) {
            touch t = {things[j].kind,
                       things[j].radius_m,
                       loads[i],
                       0.5,
                       j < 2 ? 0 : 0.5,
                       false,
                       0};
            heard now = sound_of(&cases[_i], &t);
            ck_assert_msg(i == 0 || now.db > before + 1,
                          "%s, %d, %g N: %.1f dB after %.1f dB",
                          cases[_i].material, j, loads[i], now.db, before);
            before = now.db;
        }
    }
}
END_TEST

/* A tenfold speed: by 5 to 20 dB, which are powers of 0.25 to 1. */
START_TEST(speed_makes_it_louder) {
    const double speeds[] = {0.03, 0.1, 0.3, 1, 3};
    for (int slides = 0; slides < 2; slides++) {
        double db[5];
        for (int i = 0; i < 5; i++) {
            touch t = {slides ? SB_CONTACT_SLIDE : SB_CONTACT_ROLL,
                       0.005,
                       1,
                       speeds[i],
                       slides ? speeds[i] : 0,
                       false,
                       0};
            db[i] = sound_of(&cases[_i], &t).db;
        }
        for (int i = 0; i + 2 < 5; i++)
            ck_assert_msg(db[i + 2] - db[i] > 5 && db[i + 2] - db[i] < 20,
                          "%s, %s, from %g m/s: %+.1f dB", cases[_i].material,
                          slides ? "slide" : "roll", speeds[i],
                          db[i + 2] - db[i]);
    }
}
END_TEST

/* A needle whose mass is not given is held by a hand; a ball of its radius would
 * follow the surface and be 50 dB softer. */
START_TEST(a_sharp_point_is_held) {
    const double sharp_m[] = {1e-5, 1e-4, 5e-4};
    touch ball = {SB_CONTACT_SLIDE, 8e-3, 1, 0.5, 0.5, false, 0};
    heard blunt = sound_of(&cases[_i], &ball);
    for (int i = 0; i < 3; i++) {
        touch t = {SB_CONTACT_SLIDE, sharp_m[i], 1, 0.5, 0.5, false, 0};
        touch held = t;
        held.mass_kg = 0.01;
        heard now = sound_of(&cases[_i], &t);
        heard other = sound_of(&cases[_i], &held);
        ck_assert_double_eq_tol(now.db, other.db, 1e-9);
        ck_assert_msg(now.db > blunt.db - 10,
                      "%s, %g m: %.1f dB, a ball %.1f dB", cases[_i].material,
                      sharp_m[i], now.db, blunt.db);
    }
}
END_TEST

/* A block on its face, and a ball, under the same load. The modes of a plate are a
 * mean mobility for a known force: on hard glass it is 11 % less bright. */
START_TEST(a_block_that_slides_is_heard_as_a_ball_that_rolls) {
    touch rolls = {SB_CONTACT_ROLL, 0.017, 1.5, 1, 0, false, 0};
    touch slides = {SB_CONTACT_SLIDE, 0, 1.5, 1, 1, true, 0};
    heard ball = sound_of(&cases[_i], &rolls);
    heard block = sound_of(&cases[_i], &slides);
    ck_assert_msg(
        block.db > ball.db && block.centroid_hz > 0.85 * ball.centroid_hz,
        "%s: block %.1f dB, %.0f Hz; ball %.1f dB, %.0f Hz", cases[_i].material,
        block.db, block.centroid_hz, ball.db, ball.centroid_hz);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("slide");
    TCase *tcase = tcase_create("slide");
    tcase_add_loop_test(tcase, slip_makes_it_brighter_and_not_softer, 0, CASES);
    tcase_add_loop_test(tcase, load_makes_it_louder, 0, CASES);
    tcase_add_loop_test(tcase, speed_makes_it_louder, 0, CASES);
    tcase_add_loop_test(tcase, a_sharp_point_is_held, 0, CASES);
    tcase_add_loop_test(
        tcase, a_block_that_slides_is_heard_as_a_ball_that_rolls, 0, CASES);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
