/* SPDX-License-Identifier: MIT */
/* A ball that rolls on a slightly rough surface, against the closed form of
 * rolling.h: balls, loads, speeds, materials, surfaces and bodies. And the same
 * ball on a small copy of the body (ride.h), against the body itself. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/rolling_ride.h"
#include "tests/dsp/surface/rolling_response.h"
#include "tests/dsp/surface/rub_fixture.h"

enum {
    MODES = 24,
    MOST_FRAMES = 1 << 18,
    SETTLE = 64 * 1024, /* frames */
    THIRDS = 21         /* from 100 Hz to 10 kHz */
};

/* --- bodies ---------------------------------------------------------------*/

typedef struct body {
    int count;
    double inverse_mass;
    sb_bank_mode modes[MODES];
    float weights[MODES + 64];
} body;

/* `count` modes from `low_hz` on, evenly spaced in pitch, `loss` being their
 * loss factor. */
static body make_body(int count, double low_hz, double loss, double weight) {
    body b = {.count = count};
    for (int k = 0; k < count; k++) {
        double hz = low_hz * pow(12000 / low_hz, (k + 0.3 * (k % 3)) / count);
        double w = 2 * SB_PI * hz;
        /* at least so damped that the ball's weight soon bends it */
        b.modes[k] = (sb_bank_mode){w, fmax(0.5 * loss * w, 15), 1};
        b.weights[k] = (float)(weight * cos(1.7 * k + 0.4));
    }
    return b;
}

static double complex yield_of(const body *b, double w) {
    double complex sum = 0;
    for (int k = 0; k < b->count; k++) {
        double w0 = b->modes[k].omega_rad_s, s = b->modes[k].sigma_per_s;
        double phi = (double)b->weights[k];
        sum += phi * phi / (w0 * w0 - w * w + 2 * I * s * w);
    }
    return sum;
}

/* --- playing --------------------------------------------------------------*/

typedef struct rider {
    sb_rub rub;
    sb_link link;
    sb_striker striker;
    sb_modal_bank *bank;
    sb_modal_field field;
    void *memory[2];
    sb_ride *ride; /* instead of the link */
    const body *on;
} rider;

static void put_on_body(rider *r, const body *b, const sb_rolling *ball,
                        double rate_hz) {
    r->on = b;
    r->memory[0] = sb_alloc_aligned(sb_modal_bank_bytes(MODES));
    r->memory[1] = sb_alloc_aligned(sb_modal_field_bytes(MODES));
    r->bank = sb_modal_bank_init(r->memory[0], MODES, rate_hz);
    ck_assert_int_eq(sb_modal_bank_set_modes(r->bank, b->modes, b->count),
                     SB_OK);
    sb_modal_field_init(&r->field, r->memory[1], b->count);
    sb_link_init_press(&r->link, &r->striker, &ball->law, ball->mass_kg,
                       ball->inverse_mass);
    r->link.side[0].body = 0;
    r->link.side[0].weights = b->weights;
}

static void put_on_copy(rider *r, const body *b, const sb_rolling *ball,
                        double rate_hz) {
    double weights[MODES];
    for (int k = 0; k < b->count; k++)
        weights[k] = (double)b->weights[k];
    sb_ride_side sides[2] = {{b->modes, weights, b->count}, {0}};
    sb_ride_def def = {.law = ball->law,
                       .mass_kg = ball->mass_kg,
                       .inverse_mass = ball->inverse_mass};
    r->on = b;
    sb_ride_choose(&def, sides, rate_hz);
    r->memory[0] = sb_alloc_aligned(sb_ride_bytes());
    ck_assert_int_eq(sb_ride_init(r->memory[0], &def, rate_hz, &r->ride),
                     SB_OK);
}

static void take_off(rider *r) {
    sb_free(r->memory[0]);
    sb_free(r->memory[1]);
}

static void play_block(rider *r, const sb_contact_load *from,
                       const sb_contact_load *to, double *excess_ns) {
    double profile_m[SB_PROFILE_POINTS], load[2] = {from->force_n, to->force_n};
    float unheard[SB_BLOCK_FRAMES] = {0};
    sb_rub_profile(&r->rub, from, to, profile_m);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        excess_ns[n] = 0;
    if (r->ride) {
        sb_ride_place places[2] = {{r->on->weights, r->on->count}, {0, 0}};
        sb_ride_block(r->ride, places, load, profile_m, excess_ns);
        return;
    }
    r->link.load_n[0] = load[0];
    r->link.load_n[1] = load[1];
    r->link.profile_m = profile_m;
    r->link.excess_ns = excess_ns;
    sb_island island = {.dt_s = 1.0 / r->rub.rate_hz,
                        .body_count = 1,
                        .link_count = 1,
                        .bank = {r->bank},
                        .field = {&r->field},
                        .out = {unheard},
                        .link = {&r->link}};
    ck_assert(sb_island_look(&island));
    ck_assert(sb_island_play(&island));
}

/* Put down slowly and let it settle; then `count` frames of force, N. */
static void play_ball(rider *r, const sb_surface *surface,
                      const sb_rolling *ball, double speed_m_s, double slip_m_s,
                      double rate_hz, int count, float *force_n) {
    sb_rub_def def = sb_rub_default();
    double load_n = ball->load_n;
    def.surface[0] = surface;
    def.contact = *ball;
    def.law = sb_rolling_law(ball);
    sb_rub_init(&r->rub, &def, rate_hz);
    double excess_ns[SB_BLOCK_FRAMES];
    const int ramp = 64;
    for (int i = -SETTLE / SB_BLOCK_FRAMES; i < count / SB_BLOCK_FRAMES; i++) {
        int gone = i + SETTLE / SB_BLOCK_FRAMES;
        sb_contact_load at[2];
        for (int j = 0; j < 2; j++)
            at[j] =
                (sb_contact_load){load_n * fmin((gone + j) / (double)ramp, 1),
                                  {speed_m_s},
                                  slip_m_s};
        play_block(r, &at[0], &at[1], excess_ns);
        for (int n = 0; n < SB_BLOCK_FRAMES && i >= 0; n++)
            force_n[i * SB_BLOCK_FRAMES + n] = (float)(excess_ns[n] * rate_hz);
    }
}

/* --- spectra --------------------------------------------------------------*/

/* The lines of a real signal whose period is `count` points. */
static double complex *lines_of(const float *x, int count) {
    double complex *room =
        sb_alloc(2 * (size_t)count + 2, sizeof(double complex));
    double complex *work = room + count / 2 + 1, *turn = work + count / 2 + 1;
    ck_assert_ptr_nonnull(room);
    sb_fft_turns(turn, count);
    sb_fft_kernel_real(x, count, room, work, turn, count);
    for (int k = 0; k <= count / 2; k++)
        room[k] /= count;
    return room;
}

static int third_of(double hz) {
    return (int)floor(3 * log2(hz / 1000) + 0.5) + 10;
}

static void add_line(double thirds[THIRDS], double hz, double complex line) {
    int third = third_of(hz);
    if (third >= 0 && third < THIRDS)
        thirds[third] += 2 * creal(line * conj(line));
}

static void measured(const float *force_n, int count, double rate_hz,
                     double thirds[THIRDS]) {
    double complex *lines = lines_of(force_n, count);
    memset(thirds, 0, THIRDS * sizeof *thirds);
    for (int k = 1; k < count / 2; k++)
        add_line(thirds, k * rate_hz / count, lines[k]);
    sb_free(lines);
}

/* The closed form for a surface as it is, before any patch. */
static void expected(const sb_surface *surface, const sb_rolling *ball,
                     const body *b, double speed_m_s, double thirds[THIRDS]) {
    double complex *lines = lines_of(surface->heights_m, surface->points);
    double patch = sb_rolling_patch_m(ball);
    memset(thirds, 0, THIRDS * sizeof *thirds);
    for (int k = 1; k < surface->points / 2; k++) {
        double per_m = 2 * SB_PI * k / surface->period_m;
        double w = per_m * speed_m_s;
        double complex force = rolling_response(ball, w, yield_of(b, w));
        add_line(thirds, w / (2 * SB_PI),
                 force * rolling_mean(patch, per_m) * lines[k]);
    }
    sb_free(lines);
}

static double power_of(const double thirds[THIRDS]) {
    double sum = 0;
    for (int i = 0; i < THIRDS; i++)
        sum += thirds[i];
    return sum;
}

/* --- cases ----------------------------------------------------------------*/

typedef struct roll_case {
    const char *name;
    double radius_m, density, modulus; /* of the ball; E* of the pair */
    double load;                       /* in weights */
    sb_surface_kind kind;
    double speed_m_s;
    int modes;
    double low_hz, loss, weight;
} roll_case;

/* Glass, steel and rubber on wood, metal and glass. No contact resonance is at
 * the border of two third octaves. */
static const roll_case cases[] = {
    {"glass on oak", 8e-3, 2500, 9e9, 1, SB_SURFACE_FRACTAL, 0.6, 24, 90, 0.02,
     1.2},
    {"steel on steel", 8e-3, 7850, 1.1e11, 1, SB_SURFACE_FRACTAL, 0.6, 24, 180,
     2e-3, 0.8},
    {"heavy load", 1e-2, 7850, 2.2e10, 20, SB_SURFACE_FRACTAL, 0.6, 20, 140,
     5e-3, 1},
    {"light load", 2e-2, 2500, 3e10, 0.3, SB_SURFACE_FRACTAL, 1.2, 20, 300,
     5e-3, 2},
    {"rubber", 1.5e-2, 1100, 1.4e7, 1, SB_SURFACE_FRACTAL, 0.6, 16, 120, 0.02,
     1},
    {"small steel", 2e-3, 7850, 6e10, 3, SB_SURFACE_FRACTAL, 0.3, 24, 200, 5e-3,
     1.5},
    {"slow", 6e-3, 2500, 1.6e10, 1, SB_SURFACE_NOISE, 0.3, 12, 250, 0.01, 1},
    {"fast", 6e-3, 2500, 2e10, 2, SB_SURFACE_NOISE, 1.2, 12, 250, 0.01, 3},
    {"grid", 8e-3, 2500, 1.4e10, 1, SB_SURFACE_GRID, 0.6, 24, 110, 0.01, 1},
    {"gravel", 1.2e-2, 7850, 2e10, 1, SB_SURFACE_GRAVEL, 0.6, 24, 110, 0.01, 1},
    {"stored", 8e-3, 2500, 1.4e10, 1, SB_SURFACE_STORED, 0.6, 24, 110, 0.01, 1},
    {"bodies that yield", 1e-2, 7850, 6e10, 1, SB_SURFACE_FRACTAL, 0.6, 24, 70,
     5e-3, 5},
};
enum { CASES = sizeof cases / sizeof *cases };

static sb_rolling ball_of(const roll_case *c) {
    sb_rolling ball = {.radius_m = c->radius_m};
    double r = c->radius_m;
    ball.mass_kg = 4.0 / 3.0 * SB_PI * r * r * r * c->density;
    ball.law = (sb_contact_law){4.0 / 3.0 * c->modulus * sqrt(r), 1.5, 0};
    ball.load_n = 9.81 * ball.mass_kg * c->load;
    ball.inverse_mass = 0.4;
    /* 0.005 of the critical damping */
    double inverse = 1 / ball.mass_kg + ball.inverse_mass;
    double loss = 0.01 * sqrt(sb_rolling_stiffness_n_m(&ball) / inverse);
    ball.law.lambda = ball.law.stiffness * loss / ball.load_n;
    return ball;
}

/* As rough as that, with as many frames in a period as `count`. */
static sb_surface *ground_of(const roll_case *c, double rough_m, int *count) {
    sb_surface_def def = sb_surface_default(c->kind);
    static float heights[1 << 15];
    double period_m = 1.6384; /* 131,072 frames at 0.6 m/s and 48 kHz */
    def.roughness_m = def.depth_m = rough_m;
    def.length_m = period_m;
    def.longest_m = 0.02;
    def.shortest_m = 8.0 * period_m / (1 << 19);
    def.grain_m = 4.0 * period_m / (1 << 16);
    if (c->kind == SB_SURFACE_GRID) {
        def.period_m = period_m / 64;
        def.width_m = 2e-3;
        def.edge_m = 2e-4;
    }
    if (c->kind == SB_SURFACE_STORED) {
        sb_random random = sb_random_make(5, 1);
        for (int i = 0; i < 1 << 15; i++)
            heights[i] = (float)(rough_m * (sb_random_unit(&random) - 0.5));
        def.heights_m = heights;
        def.points = 1 << 15;
        def.spacing_m = period_m / def.points;
    }
    sb_surface *surface = make_surface(&def);
    *count = (int)(48000 * period_m / c->speed_m_s + 0.5);
    ck_assert_int_le(*count, MOST_FRAMES);
    ck_assert_int_eq(*count & (*count - 1), 0);
    return surface;
}

/* So rough that the force fluctuates by a five-hundredth of the load. */
static sb_surface *slightly_rough(const roll_case *c, const sb_rolling *ball,
                                  const body *b, int *count) {
    double thirds[THIRDS], rough_m = 1e-9;
    for (int round = 0; round < 2; round++) {
        sb_surface *surface = ground_of(c, rough_m, count);
        expected(surface, ball, b, c->speed_m_s, thirds);
        sb_surface_release(surface);
        rough_m *= 0.002 * ball->load_n / sqrt(power_of(thirds));
    }
    return ground_of(c, rough_m, count);
}

static float force[MOST_FRAMES], other[MOST_FRAMES];

static void check_thirds(const char *name, const double got[THIRDS],
                         const double want[THIRDS], double least,
                         double most_db) {
    double loudest = 0;
    int checked = 0;
    for (int i = 0; i < THIRDS; i++)
        loudest = fmax(loudest, want[i]);
    for (int i = 0; i < THIRDS; i++) {
        if (want[i] < least * loudest) continue;
        double db = 10 * log10(got[i] / want[i]);
        ck_assert_msg(fabs(db) < most_db, "%s: %+.2f dB at %.0f Hz", name, db,
                      1000 * exp2((i - 10) / 3.0));
        checked++;
    }
    ck_assert_int_ge(checked, 12);
}

START_TEST(a_ball_on_slight_roughness_pushes_as_the_closed_form) {
    const roll_case *c = &cases[_i];
    sb_rolling ball = ball_of(c);
    body b = make_body(c->modes, c->low_hz, c->loss, c->weight);
    int count;
    sb_surface *surface = slightly_rough(c, &ball, &b, &count), *rolled;
    ck_assert_int_eq(sb_surface_roll(surface, ball.radius_m,
                                     sb_rolling_patch_m(&ball), &rolled, 0),
                     SB_OK);
    double want[THIRDS], got[THIRDS];
    sb_surface *plain;
    ck_assert_int_eq(sb_surface_roll(surface, ball.radius_m, 0, &plain, 0),
                     SB_OK);
    expected(plain, &ball, &b, c->speed_m_s, want);
    rider r = {0};
    put_on_body(&r, &b, &ball, 48000);
    play_ball(&r, rolled, &ball, c->speed_m_s, 0, 48000, count, force);
    measured(force, count, 48000, got);
    take_off(&r);
    check_thirds(c->name, got, want, 1e-7, 1.0);
    sb_surface_release(surface);
    sb_surface_release(rolled);
    sb_surface_release(plain);
}
END_TEST

/* The copy has all the modes: the same force, rough or smooth. */
START_TEST(a_small_body_is_copied_whole) {
    const roll_case *c = &cases[_i];
    sb_rolling ball = ball_of(c);
    body b = make_body(c->modes, c->low_hz, c->loss, c->weight);
    int count;
    sb_surface *surface = slightly_rough(c, &ball, &b, &count);
    rider r = {0}, copy = {0};
    put_on_body(&r, &b, &ball, 48000);
    put_on_copy(&copy, &b, &ball, 48000);
    count = 1 << 14;
    play_ball(&r, surface, &ball, c->speed_m_s, 0, 48000, count, force);
    play_ball(&copy, surface, &ball, c->speed_m_s, 0, 48000, count, other);
    for (int n = 0; n < count; n++)
        ck_assert_double_eq_tol((double)other[n], (double)force[n],
                                1e-5 * ball.load_n);
    take_off(&r);
    take_off(&copy);
    sb_surface_release(surface);
}
END_TEST

/* --- asperities -----------------------------------------------------------*/

/* Balls on surfaces without a profile: loads, speeds and slips. */
typedef struct asperity_case {
    double load_n, rough_m, speed_m_s, slip_m_s;
} asperity_case;

static const asperity_case asperities[] = {
    {0.1, 1e-6, 0.5, 0},   {1, 1e-6, 0.5, 0},   {10, 1e-6, 0.5, 0},
    {1, 1e-6, 0.5, 0.1},   {1, 1e-6, 0.5, 0.5}, {10, 1e-6, 0.5, 0.5},
    {1, 1e-6, 2, 0},       {1, 1e-6, 0.1, 0.1}, {1, 1e-8, 0.5, 0.5},
    {0.3, 3e-5, 0.5, 0.5},
};
enum { ASPERITIES = sizeof asperities / sizeof *asperities, NOISE = 1 << 16 };

static sb_rolling ball_on_asperities(const asperity_case *c) {
    return (sb_rolling){.law = {1.2e9, 1.5, 0},
                        .mass_kg = 0.017,
                        .inverse_mass = 0.4,
                        .radius_m = 8e-3,
                        .load_n = c->load_n,
                        .rough_m = c->rough_m};
}

static void expected_of_asperities(const sb_rolling *ball, const body *b,
                                   const asperity_case *c, int count,
                                   double thirds[THIRDS]) {
    memset(thirds, 0, THIRDS * sizeof *thirds);
    double step_hz = 48000.0 / count;
    for (int k = 1; k < count / 2; k++) {
        double w = 2 * SB_PI * k * step_hz;
        double complex f = rolling_response(ball, w, yield_of(b, w));
        double power = rolling_asperity_power(ball, c->speed_m_s, c->slip_m_s,
                                              k * step_hz);
        add_line(thirds, k * step_hz, f * sqrt(0.5 * power * step_hz));
    }
}

/* Of a noise, with Hann's window. */
static void measured_noise(float *force_n, int count, double thirds[THIRDS]) {
    for (int n = 0; n < count; n++)
        force_n[n] *=
            (float)(sqrt(2.0 / 3.0) * (1 - cos(2 * SB_PI * n / count)));
    measured(force_n, count, 48000, thirds);
}

static void check_asperities(const char *name, const double got[THIRDS],
                             const double want[THIRDS]) {
    for (int i = 0; i < THIRDS; i++) {
        double hz = 1000 * exp2((i - 10) / 3.0), db;
        db = 10 * log10(got[i] / want[i]);
        /* Few periods: random. */
        ck_assert_msg(fabs(db) < 0.8 + 60 / sqrt(hz * NOISE / 48000),
                      "%s: %+.2f dB at %.0f Hz", name, db, hz);
    }
}

START_TEST(asperities_push_a_ball_as_the_closed_form) {
    const asperity_case *c = &asperities[_i];
    sb_rolling ball = ball_on_asperities(c);
    body b = make_body(12, 150, 0.02, 0.5);
    double want[THIRDS], got[THIRDS];
    rider r = {0};
    sb_rolling solved = ball;
    solved.law = sb_rolling_law(&ball);
    put_on_body(&r, &b, &solved, 48000);
    play_ball(&r, NULL, &ball, c->speed_m_s, c->slip_m_s, 48000, NOISE, force);
    take_off(&r);
    measured_noise(force, NOISE, got);
    expected_of_asperities(&ball, &b, c, NOISE, want);
    /* Pushed by half of its load, it is not quite linear. */
    double part = sb_rolling_asperities_n(&ball) / ball.load_n;
    if (part < 0.3) check_asperities("ball", got, want);
    double db = 10 * log10(power_of(got) / power_of(want));
    ck_assert_msg(fabs(db) < 2.5, "%+.2f dB", db);
}
END_TEST

START_TEST(asperities_push_a_needle_as_the_closed_form) {
    const asperity_case *c = &asperities[_i];
    sb_rub_def def = sb_rub_default();
    sb_rub rub;
    def.contact = ball_on_asperities(c);
    sb_rub_init(&rub, &def, 48000);
    sb_contact_load load = {c->load_n, {c->speed_m_s}, c->slip_m_s};
    memset(force, 0, sizeof force);
    for (int i = 0; i < NOISE; i += SB_BLOCK_FRAMES)
        sb_rub_block(&rub, &load, &load, force + i);
    for (int n = 0; n < NOISE; n++)
        force[n] *= 48000;
    body still = {0};
    double want[THIRDS], got[THIRDS];
    measured_noise(force, NOISE, got);
    expected_of_asperities(&def.contact, &still, c, NOISE, want);
    check_asperities("needle", got, want);
}
END_TEST

/* In closed form: more load, speed or roughness, and slip, push more, and slip most
 * at high frequencies. */
START_TEST(load_speed_slip_and_roughness_make_it_louder) {
    static const body still = {0};
    for (double load = 0.03; load < 30; load *= 2)
        for (double rough = 1e-9; rough < 1e-4; rough *= 4) {
            asperity_case c[] = {
                {load, rough, 0.5, 0},   {2 * load, rough, 0.5, 0},
                {load, rough, 1, 0},     {load, rough, 0.5, 0.05},
                {load, rough, 0.5, 0.5}, {load, 2 * rough, 0.5, 0}};
            double thirds[6][THIRDS];
            for (int i = 0; i < 6; i++) {
                sb_rolling ball = ball_on_asperities(&c[i]);
                expected_of_asperities(&ball, &still, &c[i], 4096, thirds[i]);
            }
            /* Where few junctions carry all, roughness adds nothing more. */
            for (int i = 1; i < 6; i++)
                ck_assert_msg(power_of(thirds[i]) >
                                  (i == 5 ? 0.8 : 1) * power_of(thirds[0]),
                              "%g N, %g m, %d: %g", load, rough, i,
                              power_of(thirds[i]) / power_of(thirds[0]));
            ck_assert_double_gt(thirds[4][20] / thirds[0][20],
                                thirds[4][0] / thirds[0][0]);
        }
}
END_TEST

START_TEST(stiffness_depth_and_patch_are_hertz) {
    sb_rolling ball = {.law = {.stiffness = 7e8, .exponent = 1.5},
                       .radius_m = 0.008};
    ball.load_n = 0.05;
    double d = sb_rolling_depth_m(&ball), x = 1e-12;
    double k = (sb_contact_force(&ball.law, d + x, 0) -
                sb_contact_force(&ball.law, d - x, 0)) /
               (2 * x);
    ck_assert_double_eq_tol(sb_contact_force(&ball.law, d, 0), 0.05, 1e-12);
    ck_assert_double_eq_tol(sb_rolling_stiffness_n_m(&ball) / k, 1, 1e-4);
    /* 2 E b, E = 3 K / 4 sqrt(R). */
    double e = 0.75 * 7e8 / sqrt(0.008), b = sb_rolling_patch_m(&ball);
    ck_assert_double_eq_tol(sb_rolling_stiffness_n_m(&ball) / (2 * e * b), 1,
                            1e-12);
}
END_TEST

/* The mean of a cosine under a flat punch's pressure, by Gauss and Chebyshev:
 * across the path 1 / sqrt(b^2 - r^2) leaves an even mean. */
START_TEST(the_patch_weighs_as_a_flat_punch) {
    enum { RINGS = 400, SPOKES = 400 };
    for (double x = 0.1; x < 12; x *= 1.7) {
        double sum = 0;
        for (int i = 0; i < RINGS; i++) {
            /* r = sin t: the pressure's root cancels. */
            double t = 0.5 * SB_PI * (i + 0.5) / RINGS, r = sin(t);
            for (int j = 0; j < SPOKES; j++)
                sum += r * cos(x * r * cos(2 * SB_PI * (j + 0.5) / SPOKES));
        }
        sum *= 0.5 * SB_PI / RINGS / SPOKES;
        ck_assert_double_eq_tol(sum, rolling_mean(1, x), 1e-4);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rolling");
    TCase *tcase = tcase_create("rolling");
    tcase_add_test(tcase, stiffness_depth_and_patch_are_hertz);
    tcase_add_test(tcase, the_patch_weighs_as_a_flat_punch);
    tcase_add_loop_test(
        tcase, a_ball_on_slight_roughness_pushes_as_the_closed_form, 0, CASES);
    tcase_add_loop_test(tcase, a_small_body_is_copied_whole, 0, CASES);
    tcase_add_loop_test(tcase, asperities_push_a_ball_as_the_closed_form, 0,
                        ASPERITIES);
    tcase_add_loop_test(tcase, asperities_push_a_needle_as_the_closed_form, 0,
                        ASPERITIES);
    tcase_add_test(tcase, load_speed_slip_and_roughness_make_it_louder);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
