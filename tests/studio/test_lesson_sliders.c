/* SPDX-License-Identifier: MIT */
/* Questions of lessons that go by a slider, over its whole range, against
 * closed forms. */
#include "tests/studio/lesson_test.h"

/* --- sliders ----------------------------------------------------------------------- */

typedef struct sliding {
    int lesson;
    const char *question, *param;
    double low, high;
    bool is_log;
    const char *fixed; /* another param, or "" */
    double at;
    const char *button; /* pressed after each turn, or "" */
    expected (*wanted)(double value);
} sliding;

static expected octave(double f) {
    return if_near(f, 880, 0.01);
}

static expected shorter_t60(double t) {
    return if_near(t, 1, 0.05);
}

static expected shorter_freq(double f) {
    return if_near(f, 440, 0.01);
}

static expected second(double r) {
    return if_near(r, 2.7565, 0.02);
}

static expected third(double r) {
    return if_near(r, 5.4039, 0.02);
}

/* T60 of bending mode n of the bar of lesson 4. */
static double t60_of(int n, double alpha, double beta) {
    double w = SB_TAU * bar_hz("steel", 0.45, 0.01, n);
    return 2 * log(1000) / (alpha + beta * w * w);
}

static expected only_lowest(double alpha) {
    double share = t60_of(1, alpha, 1.5e-6) / t60_of(1, 0.5, 1.5e-6);
    double other = t60_of(2, alpha, 1.5e-6) / t60_of(2, 0.5, 1.5e-6);
    return if_positive(fmin(0.05 - fabs(share - 0.5), 0.25 - fabs(other - 1.0)),
                       1e-3);
}

static expected never(double value) {
    (void)value;
    return REFUSED;
}

static expected wooden(double alpha) {
    double first = t60_of(1, alpha, 2e-6), other = t60_of(3, alpha, 2e-6);
    return if_positive(fmin(0.3 - first, 0.5 * first - other), 1e-3);
}

/* f_mn = pi / 2 sqrt(D / rho h) (m^2 / a^2 + n^2 / b^2), of lesson 5. */
static double apart_hz(double aspect) {
    const sb_material *m = sb_material_find("steel");
    double h = 0.002, nu = m->poisson_ratio;
    double d = m->youngs_modulus * h * h * h / (12 * (1 - nu * nu));
    double unit = SB_PI / 2 * sqrt(d / (m->density * h)) / (0.3 * 0.3);
    return 3 * unit * (1 - 1 / (aspect * aspect));
}

static expected split(double aspect) {
    return if_positive(1 - fabs(apart_hz(aspect) - 20), 1e-3);
}

static expected beats_20(double aspect) {
    double apart = apart_hz(aspect);
    return apart < 0.5 ? REFUSED : if_near(20, apart, 0.06);
}

static expected semitone(double hz) {
    double x = SB_PI * hz / 44100;
    double cents = 1200 * log2(atan(x) / x);
    return hz > 21999 ? REFUSED : if_positive(10 - fabs(cents + 100), 0.05);
}

static expected alias(double hz) {
    return hz <= 22050 ? REFUSED : if_near(44100 - hz, 5000, 0.05);
}

/* Thick theory is 0.7 % lower. */
static expected tone(double speed) {
    double hz = 0.993 * bar_hz("aluminium", 0.22, 0.0095, 1);
    return if_positive(0.05 - fabs(speed / 0.001 / hz - 1), 2e-3);
}

static expected truncate_to(double limit) {
    return limit < 51 ? ACCEPTED : REFUSED;
}

static void slide(const sliding *s) {
    begin();
    if (*s->fixed) turn(s->fixed, s->at);
    later(0.05);
    for (int i = 0; i < GRID; i++) {
        turn(s->param, on_grid(i, s->low, s->high, s->is_log));
        later(0.02);
        if (*s->button) press(s->button);
        if (*s->button) later(0.01);
        check(s->question);
    }
    run(lessons[s->lesson - 1]);
    for (int i = 0; i < GRID; i++) {
        double value = on_grid(i, s->low, s->high, s->is_log);
        expect(i, s->wanted(value), s->question, value);
    }
    if (s->wanted != never) expect_some(s->question, GRID);
}

static const sliding slides[] = {
    {1, "octave", "freq", 110, 1760, true, "", 0, "", octave},
    {1, "shorter", "T60", 0.1, 10, true, "", 0, "", shorter_t60},
    {1, "shorter", "freq", 110, 1760, true, "T60", 1, "", shorter_freq},
    {2, "imitate", "second", 1, 6, false, "third", 5.4, "own", second},
    {2, "imitate", "third", 1, 9, false, "second", 2.76, "own", third},
    {4, "only_lowest", "alpha", 0.1, 100, true, "", 0, "", only_lowest},
    {4, "only_lowest", "beta", 1e-8, 1e-5, true, "", 0, "", never},
    {4, "wooden", "alpha", 0.1, 100, true, "beta", 2e-6, "", wooden},
    {8, "semitone", "pitch", 100, 44000, true, "", 0, "", semitone},
    {8, "alias", "pitch", 100, 44000, true, "", 0, "", alias},
    {9, "tone", "speed", 0.02, 2, true, "", 0, "scrape", tone},
    {10, "truncate", "limit", 1, 400, true, "", 0, "all", truncate_to},
};

START_TEST(sliders_are_right_where_the_closed_form_is) {
    slide(&slides[_i]);
}
END_TEST

/* Where the pair is split as asked, 20 beats are right. */
START_TEST(split_and_beats_agree) {
    enum { ASPECTS = 40 }; /* each is another plate to be solved */
    begin();
    for (int i = 0; i < ASPECTS; i++) {
        turn("aspect", 1.04 + 0.0015 * i);
        later(0.02);
        check("split");
        answer("beats", "20");
    }
    run("05_shapes");
    for (int i = 0; i < ASPECTS; i++) {
        double aspect = 1.04 + 0.0015 * i;
        expect(2 * i, split(aspect), "split", aspect);
        expect(2 * i + 1, beats_20(aspect), "beats", aspect);
        ck_assert(!got[2 * i].is_right || got[2 * i + 1].is_right);
    }
    expect_some("split", 2 * ASPECTS);
    begin();
    turn("aspect", 1.1);
    later(0.05);
    type_grid("beats", 5, 100);
    run("05_shapes");
    expect_numbers("beats", 0, 5, 100, apart_hz(1.1), 0.06);
}
END_TEST

START_TEST(the_losses_of_the_button_are_not_ones_own) {
    begin();
    press("wood");
    later(0.05);
    check("wooden");
    turn("alpha", 61);
    later(0.05);
    check("wooden");
    run("04_damping");
    expect(0, REFUSED, "wooden", 60);
    expect(1, ACCEPTED, "wooden", 61);
}
END_TEST

/* Contact of the spring k with the bar of lesson 6, both free: its end has the
 * mass M / (1 + 12 x^2) against a blow at x lengths from the centre. */
static double contact_s(double k) {
    const double width = 0.05, length = 0.36, x = 0.48;
    double mass =
        sb_material_find("aluminium")->density * length * width * 0.0127;
    return SB_PI / sqrt(k * (1 / 0.02 + (1 + 12 * x * x) / mass));
}

/* Frequencies of bending modes 1, 2 and 4 by thick theory (test_model_bar). */
static const double thick_hz[] = {510.573, 1395.705, 0, 4400.700};

/* Level of bending mode a over b after a blow of this duration on the end. */
static double pulse_db(int a, int b, double duration_s) {
    return level_db(a, b, 0.02) +
           10 * log10(pulse_share(thick_hz[a - 1], duration_s) /
                      pulse_share(thick_hz[b - 1], duration_s));
}

START_TEST(a_contact_is_judged_by_its_spectrum) {
    char typed[40];
    begin();
    for (int i = 0; i < GRID; i++) {
        double k = on_grid(i, 1e4, 1e8, true);
        turn("hardness", k);
        press("mine");
        later(0.01);
        check("zero");
        check("bright");
        (void)snprintf(typed, sizeof typed, "%.6g ms",
                       1e3 * SB_PI * sqrt(0.02 / k));
        answer("duration", typed);
    }
    turn("hardness", 1e5);
    press("mine");
    later(0.01);
    type_grid("duration", 0.1, 10);
    run("06_contact_time");
    for (int i = 0; i < GRID; i++) {
        double k = on_grid(i, 1e4, 1e8, true);
        double t = 1e-3 * said(3 * i, "lasted ");
        ck_assert_double_eq_tol(t / contact_s(k), 1.0, 0.1);
        double periods = thick_hz[1] * t;
        expected wanted = if_positive(-20 - pulse_db(2, 1, t), 0.5);
        if (periods < 1 || periods > 2) wanted = REFUSED;
        expect(3 * i, wanted, "zero", k);
        wanted = if_positive(pulse_db(4, 1, t) - 10 * log10(0.5), 0.3);
        expect(3 * i + 1, wanted, "bright", k);
        expect(3 * i + 2, ACCEPTED, "duration", k);
    }
    expect_some("zero", 2 * GRID);
    for (int i = 0; i < GRID; i++) {
        double ms = on_grid(i, 0.1, 10, true);
        double left = 0.1 - fabs(ms / (1e3 * contact_s(1e5)) - 1);
        expect(3 * GRID + i, if_positive(left, 0.01), "duration", ms);
    }
    expect_some("duration", GRID);
}
END_TEST

/* The simplest elements lock: by how much, the lesson says in percent. */
START_TEST(elements_are_judged_by_their_error) {
    static const double counts[] = {10, 4, 16, 20, 22, 24};
    static const char *const bodies[] = {"analytic", "shell", "solid", "tet4"};
    enum { COUNTS = sizeof counts / sizeof *counts };
    begin();
    check("refine");
    type_grid("locking", 10, 10000);
    for (int i = 0; i < 4; i++) {
        strike(bodies[i], 0, 0.0025, 0, DOWN);
        check("better");
        later(0.01);
    }
    for (int i = 0; i < COUNTS; i++) {
        turn("elements", counts[i]);
        later(0.03);
        check("refine");
    }
    run("07_from_a_mesh");
    double wrong = said(0, "tet4 is "), before = 1e9;
    ck_assert(!got[0].is_right && wrong > 200);
    for (int i = 0; i < GRID; i++) {
        double x = on_grid(i, 10, 10000, true);
        double left = 0.05 * wrong + 1 - fabs(x - wrong);
        expect(1 + i, if_positive(left, 0.6), "locking", x);
    }
    expect_some("locking", GRID);
    for (int i = 0; i < 4; i++)
        expect(1 + GRID + i, i == 2 ? ACCEPTED : REFUSED, bodies[i], i);
    for (int i = 0; i < COUNTS; i++) {
        const verdict *v = &got[5 + GRID + i];
        wrong = said(5 + GRID + i, v->is_right ? "Still " : "tet4 is ");
        expect(5 + GRID + i, if_positive(150 - wrong, 0.6), "refine",
               counts[i]);
        if (i > 1) ck_assert_double_lt(wrong, before);
        before = wrong;
    }
}
END_TEST

START_TEST(merged_modes_are_counted) {
    enum { TURNS = 11 }; /* each is another plate to be solved */
    char typed[40];
    begin();
    for (int i = 0; i < GRID; i++) { /* nothing is merged yet */
        (void)snprintf(typed, sizeof typed, "%d", i);
        answer("count", typed);
    }
    for (int i = 0; i < TURNS; i++) {
        turn("merge", 10.0 * i / (TURNS - 1));
        later(0.02);
        check("half");
    }
    for (int i = 0; i < GRID; i++) {
        (void)snprintf(typed, sizeof typed, "%d", i);
        answer("count", typed);
    }
    run("10_too_much");
    for (int i = 0; i < GRID; i++)
        expect(i, REFUSED, "count", i);
    double all = said(GRID, " of "), left = 0;
    for (int i = 0; i < TURNS; i++) {
        left = strtod(got[GRID + i].text, NULL);
        expect(GRID + i, 2 * left <= all ? ACCEPTED : REFUSED, "half", left);
    }
    for (int i = 0; i < GRID; i++)
        expect(GRID + TURNS + i, i == all - left ? ACCEPTED : REFUSED, "count",
               i);
    ck_assert_int_gt(accepted, 1);
}
END_TEST

/* The bow sings where friction falls with speed, and hisses far beyond. */
START_TEST(a_slow_bow_sings) {
    static const double speeds[] = {0.06, 0.1, 0.15, 0.8, 1.2, 2.0};
    begin();
    for (int i = 0; i < 6; i++) {
        press("stop");
        later(1.5);
        turn("speed", speeds[i]);
        press("bow");
        later(1.5);
        check("bowed");
    }
    run("09_touching");
    for (int i = 0; i < 6; i++)
        expect(i, speeds[i] < 0.2 ? ACCEPTED : REFUSED, "bowed", speeds[i]);
}
END_TEST

/* Rates add up: the air takes the same of a mode, whatever its metal takes. */
START_TEST(the_air_takes_its_part) {
    enum { LOSSES = 9 };
    double air = 0.0;
    begin();
    for (int i = 0; i < LOSSES; i++) {
        turn("loss", 0.7 * pow(4, (i + 0.5) / LOSSES));
        later(0.03);
        check("halved");
    }
    run("11_what_reaches_the_ear");
    for (int i = 0; i < LOSSES; i++) {
        double loss = 0.7 * pow(4, (i + 0.5) / LOSSES);
        double w = SB_TAU * said(i, "At "), both = said(i, "T60 is ");
        double metal = 2 * log(1000) / (loss * (1.3 + 1.3e-8 * w * w));
        ck_assert_double_eq_tol(said(i, "and ") / metal, 1, 1e-2);
        double rate = 1 / both - 1 / metal;
        if (i > 0) ck_assert_double_eq_tol(rate / air, 1, 5e-2);
        if (i == 0) air = rate;
        expect(i, if_positive(0.03 - fabs(both / metal - 0.5), 2e-3), "halved",
               loss);
    }
    ck_assert_int_gt(accepted, 0);
}
END_TEST

/* A room of 6 x 3 x 8 m whose walls absorb this share, by Eyring, with air that
 * takes 4.7 dB per km at 1 kHz (ISO 9613, 20 C, half saturated). */
static double eyring_s(double share) {
    double volume = 144, surface = 180, air_1_m = 4.7e-3 * log(10) / 10;
    double area = -surface * log(1 - share) + 4 * air_1_m * volume;
    return 24 * log(10) * volume / (343.2 * area);
}

START_TEST(a_room_is_judged_by_eyring) {
    enum { SHARES = 30 };
    begin();
    for (int i = 0; i < SHARES; i++) {
        turn("absorb", 0.05 * pow(8, (i + 0.5) / SHARES));
        later(0.03);
        check("one_second");
    }
    turn("absorb", 0.2);
    later(0.03);
    for (int i = 0; i < SHARES; i++) {
        turn("distance", 0.2 * pow(17, (i + 0.5) / SHARES));
        later(0.03);
        check("equal");
    }
    run("11_what_reaches_the_ear");
    for (int i = 0; i < SHARES; i++) {
        double share = 0.05 * pow(8, (i + 0.5) / SHARES);
        double t60 = said(i, "T60 is ");
        ck_assert_double_eq_tol(t60 / eyring_s(share), 1, 0.01);
        expect(i, if_near(t60, 1, 0.05), "one_second", share);
    }
    expect_some("one_second", SHARES);
    double critical = 0.0566 * sqrt(144 / eyring_s(0.2));
    for (int i = 0; i < SHARES; i++) {
        double distance = 0.2 * pow(17, (i + 0.5) / SHARES);
        double left = 0.06 - fabs(distance / critical - 1);
        expect(SHARES + i, if_positive(left, 0.015), "equal", distance);
    }
    ck_assert_int_gt(accepted, 0);
}
END_TEST

/* Two dipoles that nearly cancel: between four loud directions four quiet ones,
 * in pairs across, as far from the prongs' motion on both sides. */
START_TEST(a_fork_has_four_quiet_directions) {
    enum { ANGLES = 180 };
    int runs = 0;
    begin();
    for (int i = 0; i < ANGLES; i++) {
        turn("angle", 360.0 * (i + 0.5) / ANGLES);
        later(0.01);
        check("quiet");
    }
    press("round");
    later(0.02);
    check("quiet");
    run("11_what_reaches_the_ear");
    for (int i = 0; i < ANGLES; i++) {
        double degrees = 360.0 * (i + 0.5) / ANGLES;
        double off = fabs(fmod(degrees, 180) - 90); /* from across */
        if (got[i].is_right)
            ck_assert_msg(off > 15 && off < 40, "%g degrees", degrees);
        runs += got[i].is_right && !got[(i + 1) % ANGLES].is_right;
    }
    ck_assert_int_eq(runs, 4);
    ck_assert(!got[ANGLES].is_right);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lesson_sliders");
    TCase *tcase = tcase_create("lesson_sliders");
    tcase_add_loop_test(tcase, sliders_are_right_where_the_closed_form_is, 0,
                        (int)(sizeof slides / sizeof *slides));
    tcase_add_test(tcase, split_and_beats_agree);
    tcase_add_test(tcase, the_losses_of_the_button_are_not_ones_own);
    tcase_add_test(tcase, a_contact_is_judged_by_its_spectrum);
    tcase_add_test(tcase, elements_are_judged_by_their_error);
    tcase_add_test(tcase, merged_modes_are_counted);
    tcase_add_test(tcase, a_slow_bow_sings);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("lesson_11");
    tcase_add_test(tcase, the_air_takes_its_part);
    tcase_add_test(tcase, a_room_is_judged_by_eyring);
    tcase_add_test(tcase, a_fork_has_four_quiet_directions);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
