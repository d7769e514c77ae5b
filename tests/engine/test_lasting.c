/* SPDX-License-Identifier: MIT */
/* Lasting contacts through the whole engine: exact frames, ramps, paths
 * without zipper noise, device blocks, and the end of a contact or of its
 * voices. */
#include "runtime/engine/audio/audio_lasting.h"
#include "runtime/engine/lasting_def.h"
#include "tests/engine/engine_fixture.h"

enum { SECOND = 48000, ROOM = SECOND + 4096 };

static sb_surface *rough(double roughness_m) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    def.roughness_m = roughness_m;
    def.grain_m = 1e-4;
    sb_surface *surface = NULL;
    ck_assert_int_eq(sb_surface_create(&def, &surface, NULL), SB_OK);
    return surface;
}

static const double ones[MODES_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};

static sb_lasting_def def_on(sb_voice_id voice, sb_surface *surface) {
    return (sb_lasting_def){.voice = {voice},
                            .weights = {ones},
                            .surface = {surface},
                            .rub = sb_rub_default()};
}

static sb_lasting_id begin(sb_engine *engine, const sb_lasting_def *def,
                           double frame) {
    sb_lasting_id id = {0, 0};
    sb_error err = {0};
    ck_assert_msg(sb_engine_begin_contact(engine, frame, def, &id, &err) ==
                      SB_OK,
                  "%s", err.message);
    return id;
}

static void move(sb_engine *engine, sb_lasting_id id, double frame,
                 sb_move_def def) {
    ck_assert_int_eq(sb_engine_move_contact(engine, id, frame, &def, NULL),
                     SB_OK);
}

static sb_move_def to_force(double force_n, double ramp_s) {
    return (sb_move_def){
        .to.force_n = force_n, .has_force = true, .ramp_s = ramp_s};
}

static sb_move_def to_speed(double speed_m_s, double ramp_s) {
    return (sb_move_def){.to = {0, {speed_m_s, 0}, speed_m_s},
                         .has_speed = {true, true},
                         .has_slip = true,
                         .ramp_s = ramp_s};
}

static sb_move_def to_end(double fade_s) {
    return (sb_move_def){.has_force = true, .ramp_s = fade_s, .is_last = true};
}

/* A mode that decays within a few frames: its output is the force. */
static sb_voice_id dead_voice(sb_engine *engine) {
    double w = 2 * SB_PI * 10000;
    sb_bank_mode mode = {w, w, 1e3};
    return voice_of(engine, &mode, 1, 0);
}

/* --- frames ----------------------------------------------------------------*/

enum { SHORT = 4096, FORGOTTEN = 100 };

/* From `from` to `to` under 1 N, all at once; `to` 0: for ever. */
static void scrape(double from, double to, float *stereo) {
    sb_engine *engine = engine_new();
    sb_surface *surface = rough(5e-6);
    sb_lasting_def def = def_on(dead_voice(engine), surface);
    sb_lasting_id id = begin(engine, &def, 0);
    move(engine, id, 0, to_speed(1, 0));
    move(engine, id, from, to_force(1, 0));
    if (to > 0) move(engine, id, to, to_end(0));
    play(engine, stereo, SHORT);
    ck_assert_int_eq(sb_engine_read_stats(engine).touching, to > 0 ? 0 : 1);
    sb_engine_destroy(engine);
    sb_surface_release(surface);
}

/* On a block's edge, on its middle, inside, and between two frames. */
START_TEST(a_contact_begins_and_ends_on_its_very_frame) {
    static const double from[] = {1024, 1056, 1003, 1050.5, 1087},
                        to[] = {2048, 2080, 2021, 2047.25, 1088};
    static float going[2 * SHORT], ending[2 * SHORT];
    int first = (int)ceil(from[_i]) + LATENCY;
    int end = (int)ceil(to[_i]) + LATENCY;
    scrape(from[_i], 0, going);
    scrape(from[_i], to[_i], ending);
    for (int n = 0; n < first; n++)
        ck_assert_float_eq(going[2 * n], 0);
    ck_assert_float_ne(going[2 * first], 0);
    for (int n = 0; n < end; n++)
        ck_assert_msg(going[2 * n] == ending[2 * n], "frame %d", n);
    ck_assert_float_ne(going[2 * end], ending[2 * end]);
    for (int n = end + FORGOTTEN; n < SHORT; n++)
        ck_assert_msg(ending[2 * n] == 0, "frame %d: %g", n,
                      (double)ending[2 * n]);
}
END_TEST

/* Far above what the load can bear, the force equals the load. */
START_TEST(a_force_goes_up_in_a_straight_line) {
    static float flat[2 * SHORT], ramped[2 * SHORT];
    double from = 777, frames = 1500;
    for (int i = 0; i < 2; i++) {
        sb_engine *engine = engine_new();
        sb_surface *surface = rough(1e-3);
        sb_lasting_def def = def_on(dead_voice(engine), surface);
        def.rub.contact.law = (sb_contact_law){1e6, 1, 0};
        sb_lasting_id id = begin(engine, &def, 0);
        move(engine, id, 0, to_speed(1, 0));
        /* What is ramped reads the profile from its first frame on. */
        move(engine, id, 0, to_force(i ? 1 : 1e-9, 0));
        if (!i) move(engine, id, from, to_force(1, frames / RATE_HZ));
        play(engine, i ? flat : ramped, SHORT);
        sb_engine_destroy(engine);
        sb_surface_release(surface);
    }
    double worst = 0, peak = 0;
    for (int n = (int)from; n < SHORT - LATENCY; n++) {
        double way = fmin((n - from) / frames, 1);
        double there = (double)flat[2 * (n + LATENCY)];
        double here = (double)ramped[2 * (n + LATENCY)];
        worst = fmax(worst, fabs(here - way * there));
        peak = fmax(peak, fabs(there));
    }
    ck_assert_double_gt(peak, 1e-6);
    /* What is left in the fast-decaying voice of the frames before. */
    ck_assert_msg(worst < 3e-3 * peak, "%g of %g", worst, peak);
}
END_TEST

/* --- values ----------------------------------------------------------------*/

static double on_ramp(double from, double to, double start, double frames,
                      double n) {
    double way = fmin(fmax((n - start) / frames, 0), 1);
    return from + way * (to - from);
}

/* The contact alone: its output to the voices, block by block. */
START_TEST(each_value_goes_its_own_way) {
    const int none[2] = {0, 0};
    sb_surface *surface = rough(5e-6);
    sb_lasting *lasting = sb_lasting_create(none, false);
    sb_rub_def def = sb_rub_default();
    def.surface[0] = surface;
    sb_rub reference;
    sb_rub_init(&lasting->rub, &def, RATE_HZ);
    sb_rub_init(&reference, &def, RATE_HZ);
    lasting->over_frame = INFINITY;
    /* 2 N within 640 frames, 0.7 m/s within 1920, from 128 frames later on. */
    sb_lasting_move *moves[2];
    for (int i = 0; i < 2; i++)
        moves[i] = sb_lasting_move_create(none, 0);
    *moves[0] = (sb_lasting_move){
        .frames = 640, .named = 1 << SB_LASTING_FORCE, .to = {2}};
    *moves[1] = (sb_lasting_move){.start_frame = 128,
                                  .frames = 1920,
                                  .named = 1 << SB_LASTING_SPEED_0 |
                                           1 << SB_LASTING_SLIP,
                                  .to = {0, 0.7, 0, 0.7}};
    sb_lasting_ended ended;
    ck_assert_ptr_null(sb_lasting_take(lasting, moves[0]));
    ck_assert_ptr_null(sb_lasting_take(lasting, moves[1]));
    sb_contact_load from = {0};
    int given_back = 0;
    for (int n = BLOCK; n <= 40 * BLOCK; n += BLOCK) {
        float wanted[BLOCK] = {0};
        double v = on_ramp(0, 0.7, 128, 1920, n);
        sb_contact_load to = {on_ramp(0, 2, 0, 640, n), {v, 0}, v};
        sb_rub_block(&reference, &from, &to, wanted);
        from = to;
        sb_lasting_advance(lasting, &ended);
        given_back += ended.count;
        ck_assert_double_eq_tol(lasting->now.force_n, to.force_n, 1e-12);
        ck_assert_double_eq_tol(lasting->now.speed_m_s[0], v, 1e-12);
        ck_assert_double_eq_tol(lasting->now.slip_m_s, v, 1e-12);
        for (int i = 0; i < BLOCK; i++)
            ck_assert_float_eq_tol(lasting->impulse_ns[i], wanted[i], 1e-9f);
    }
    ck_assert_int_eq(given_back, 2);
    for (int i = 0; i < 2; i++)
        sb_free(moves[i]);
    sb_free(lasting);
    sb_surface_release(surface);
}
END_TEST

/* More moves within a block than there is room for: none is lost, least of all
 * the end. */
START_TEST(a_flood_of_moves_still_ends) {
    static float stereo[2 * SHORT];
    sb_engine *engine = engine_new();
    sb_surface *surface = rough(5e-6);
    sb_lasting_def def = def_on(dead_voice(engine), surface);
    sb_lasting_id id = begin(engine, &def, 0);
    move(engine, id, 0, to_speed(1, 0));
    for (int i = 0; i < 40; i++) {
        sb_move_def to = to_force(1 + i % 3, 0);
        to.rows = i % 2;
        to.weights[0] = ones;
        move(engine, id, 1000 + i % 7, to);
    }
    move(engine, id, 1010, to_end(0.01));
    play(engine, stereo, SHORT);
    ck_assert_int_eq(sb_engine_read_stats(engine).touching, 0);
    for (int n = 1010 + 480 + LATENCY + FORGOTTEN; n < SHORT; n++)
        ck_assert_float_eq(stereo[2 * n], 0);
    sb_engine_destroy(engine);
    sb_surface_release(surface);
}
END_TEST

/* --- places ----------------------------------------------------------------*/

enum { BAR = 24, ROWS = 513 };

static double shape_of(int k, double x) {
    return sin((k + 1) * SB_PI * x);
}

static void bar_modes(sb_bank_mode modes[BAR]) {
    for (int k = 0; k < BAR; k++)
        modes[k] =
            (sb_bank_mode){2 * SB_PI * 30 * (k + 1) * (k + 1), 5 + 2 * k, 1};
}

/* The force of the contact below, frame by frame. */
static void known_force(sb_surface *surface, float *impulse_ns, int frames) {
    sb_rub_def def = sb_rub_default();
    def.surface[0] = surface;
    sb_rub rub;
    sb_rub_init(&rub, &def, RATE_HZ);
    /* Speeds, unlike the load, take a block to change. */
    sb_contact_load from = {.force_n = 1}, to = {1, {0.8, 0}, 0.8};
    memset(impulse_ns, 0, (size_t)frames * sizeof *impulse_ns);
    for (int n = 0; n < frames; n += BLOCK, from = to)
        sb_rub_block(&rub, &from, &to, impulse_ns + n);
}

/* Every frame's force where the contact is at that frame, in doubles; less what
 * a force that goes on must not be heard of at its very frame, by the closed
 * forms of the sums over a mode's frames (see sb_modal_bank_unstep). */
static void reference(const float *impulse_ns, int frames, double *out) {
    sb_bank_mode modes[BAR];
    bar_modes(modes);
    memset(out, 0, (size_t)frames * sizeof *out);
    for (int k = 0; k < BAR; k++) {
        double s = modes[k].sigma_per_s, w0 = modes[k].omega_rad_s;
        double wd = sqrt(w0 * w0 - s * s), keep = exp(-s / RATE_HZ);
        double c = keep * cos(wd / RATE_HZ), d = keep * sin(wd / RATE_HZ);
        double gap = (1 - c) * (1 - c) + d * d, turn = w0 / RATE_HZ;
        double steady = (1 - c - s / wd * d) / gap;
        double bend = 0.25 / pow(sin(0.5 * turn), 2) - 1 / (turn * turn);
        double x = 0, y = 0;
        for (int n = 0; n < frames; n++) {
            double at = fmin((double)n / SECOND, 1), shape = shape_of(k, at);
            double push = (double)impulse_ns[n] * shape;
            double last = n > 0 ? (double)impulse_ns[n - 1] * shape : 0;
            x += push;
            y += push * s / wd;
            out[n] += x - steady * push - bend * (push - last);
            double next = c * x - d * y;
            y = d * x + c * y;
            x = next;
        }
    }
}

static void cross_the_bar(sb_surface *surface, float gain, float *stereo) {
    static double rows[ROWS * BAR];
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < BAR; k++)
            rows[row * BAR + k] = shape_of(k, (double)row / (ROWS - 1));
    sb_bank_mode modes[BAR];
    bar_modes(modes);
    sb_engine *engine = engine_new();
    sb_path_knot knot = knot_of(gain, gain);
    sb_voice_def voice = {.modes = modes, .mode_count = BAR, .knot = &knot};
    sb_lasting_def def = {.surface = {surface}, .rub = sb_rub_default()};
    ck_assert_int_eq(
        sb_engine_add_voice(engine, &voice, 0, &def.voice[0], NULL), SB_OK);
    def.weights[0] = rows;
    sb_lasting_id id = begin(engine, &def, 0);
    sb_move_def go = to_speed(0.8, 0);
    go.to.force_n = 1;
    go.has_force = true;
    move(engine, id, 0, go);
    go = (sb_move_def){.rows = ROWS, .weights = {rows}, .ramp_s = 1};
    move(engine, id, 0, go);
    play(engine, stereo, SECOND + LATENCY);
    sb_engine_destroy(engine);
}

START_TEST(a_way_across_a_bar_is_free_of_zipper_noise) {
    static float impulse_ns[SECOND + BLOCK], stereo[2 * ROOM];
    static double wanted[SECOND];
    sb_surface *surface = rough(5e-6);
    known_force(surface, impulse_ns, SECOND + BLOCK - SECOND % BLOCK);
    reference(impulse_ns, SECOND, wanted);
    double peak = 0, worst = 0, square = 0;
    for (int n = 0; n < SECOND; n++)
        peak = fmax(peak, fabs(wanted[n]));
    double gain = 0.9 / peak;
    cross_the_bar(surface, (float)gain, stereo);
    for (int n = BLOCK; n < SECOND; n++) {
        double off = (double)stereo[2 * (n + LATENCY)] - gain * wanted[n];
        worst = fmax(worst, fabs(off));
        square += off * off;
    }
    double dbfs = 10 * log10(square / SECOND);
    ck_assert_msg(dbfs < -80, "the error is %.1f dBFS, %g at worst", dbfs,
                  worst);
    ck_assert_msg(worst < 5e-4, "%g", worst);
    sb_surface_release(surface);
}
END_TEST

/* --- blocks ----------------------------------------------------------------*/

static void tour(float *stereo, int frames, int device_block) {
    sb_engine *engine = engine_new();
    sb_surface *surface = rough(2e-5);
    sb_lasting_def def = def_on(voice_new(engine, 1000), surface);
    def.voice[1] = voice_new(engine, 1500);
    def.weights[1] = ones;
    def.rub.gain[SB_RUB_IMPACTS] = def.rub.gain[SB_RUB_CREAK] = 1;
    sb_lasting_id id = begin(engine, &def, 10);
    move(engine, id, 100.3, to_force(1, 0.003));
    move(engine, id, 200, to_speed(0.5, 0.02));
    static const double half[2] = {0.5, 1};
    sb_move_def way = {.rows = 2, .weights = {half, half}, .ramp_s = 0.01};
    move(engine, id, 700, way);
    move(engine, id, 3000.7, to_end(0.005));
    ck_assert(sb_engine_flush(engine, frames + 2 * BLOCK));
    for (int done = 0; done < frames; done += device_block) {
        int take = frames - done < device_block ? frames - done : device_block;
        sb_engine_pull(engine, stereo + 2 * (ptrdiff_t)done, take);
    }
    sb_engine_destroy(engine);
    sb_surface_release(surface);
}

START_TEST(the_device_block_does_not_matter) {
    static const int blocks[] = {1, 63, 64, 100, 480, 4096};
    static float a[2 * SHORT], b[2 * SHORT];
    tour(a, SHORT, 128);
    double peak = 0;
    for (int i = 0; i < 2 * SHORT; i++)
        peak = fmax(peak, fabs((double)a[i]));
    ck_assert_double_gt(peak, 1e-4);
    for (int i = 0; i < 6; i++) {
        tour(b, SHORT, blocks[i]);
        ck_assert_int_eq(memcmp(a, b, sizeof a), 0);
    }
}
END_TEST

/* --- lives -----------------------------------------------------------------*/

START_TEST(a_contact_ends_with_either_of_its_voices) {
    for (int side = 0; side < 2; side++) {
        sb_engine *engine = engine_new();
        sb_surface *surface = rough(5e-6);
        sb_lasting_def def = def_on(voice_new(engine, 1000), surface);
        def.voice[1] = voice_new(engine, 1500);
        def.weights[1] = ones;
        sb_lasting_id id = begin(engine, &def, 0);
        move(engine, id, 0, to_force(1, 0));
        move(engine, id, 0, to_speed(1, 0));
        play_unheard(engine, 1000);
        ck_assert(sb_engine_has_contact(engine, id));
        leave(engine, def.voice[side], 1000, 0.01);
        move(engine, id, 1100, to_force(2, 1)); /* it never gets there */
        play_unheard(engine, 4096);
        play_unheard(engine, BLOCK);
        ck_assert(!sb_engine_has_contact(engine, id));
        ck_assert_int_eq(sb_engine_read_stats(engine).touching, 0);
        sb_move_def stale = to_force(1, 0);
        ck_assert_int_eq(sb_engine_move_contact(engine, id, 6000, &stale, NULL),
                         SB_STALE_HANDLE);
        ck_assert_int_eq(sb_engine_begin_contact(engine, 6000, &def, &id, NULL),
                         SB_STALE_HANDLE);
        sb_engine_destroy(engine);
        sb_surface_release(surface);
    }
}
END_TEST

START_TEST(all_places_may_be_taken_and_given_back) {
    enum { ALL = 4096 };
    static sb_lasting_id ids[ALL];
    sb_engine *engine = engine_new();
    sb_lasting_def def = def_on(voice_new(engine, 1000), NULL);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ALL; i++) {
            sb_lasting_id stale = ids[i];
            ids[i] = begin(engine, &def, 0);
            ck_assert(!sb_engine_has_contact(engine, stale));
            ck_assert(sb_engine_has_contact(engine, ids[i]));
        }
        sb_lasting_id one = {7, 7};
        sb_error err = {0};
        ck_assert_int_eq(sb_engine_begin_contact(engine, 0, &def, &one, &err),
                         SB_NO_MEMORY);
        ck_assert_str_eq(err.message,
                         "all 4096 places for contacts that last are taken");
        play_unheard(engine, BLOCK);
        ck_assert_int_eq(sb_engine_read_stats(engine).touching, ALL);
        for (int i = 0; i < ALL; i++) {
            move(engine, ids[i], 0, to_end(0));
            ck_assert(!sb_engine_has_contact(engine, ids[i]));
        }
        /* Time for them to come back. */
        for (int i = 0; i < 16; i++)
            play_unheard(engine, BLOCK);
        ck_assert_int_eq(sb_engine_read_stats(engine).touching, 0);
    }
    sb_engine_destroy(engine);
}
END_TEST

/* A link is solved frame by frame. Live, those for which there is no time are
 * refused before they begin; in a render all are taken. */
START_TEST(links_have_a_price) {
    enum { MANY = 60 };
    sb_lasting_id ids[MANY];
    for (int is_live = 0; is_live < 2; is_live++) {
        sb_engine_def live = sb_engine_def_default();
        live.is_live = is_live;
        sb_engine *engine = NULL;
        ck_assert_int_eq(sb_engine_create(&live, &engine, NULL), SB_OK);
        sb_lasting_def def = def_on(voice_new(engine, 1000), NULL);
        def.model = SB_LASTING_PRESS;
        def.law = (sb_contact_law){1e8, 1.5, 1e6};
        def.mass_kg = 0.01;
        def.inverse_mass = 100;
        int taken = 0;
        sb_error err = {0};
        while (taken < MANY &&
               !sb_engine_begin_contact(engine, 0, &def, &ids[taken], &err))
            taken++;
        ck_assert_int_ge(taken, 1);
        if (is_live) {
            ck_assert_int_lt(taken, MANY);
            ck_assert_ptr_nonnull(strstr(err.message, "has no time for it"));
            /* One whose force is known costs little. */
            sb_lasting_def known = def_on(voice_new(engine, 500), NULL);
            (void)begin(engine, &known, 0);
            /* An end makes room again. */
            move(engine, ids[0], 0, to_end(0));
            for (int i = 0; i < 16; i++)
                play_unheard(engine, BLOCK);
            (void)begin(engine, &def, 16.0 * BLOCK);
        } else {
            ck_assert_int_eq(taken, MANY);
        }
        sb_engine_destroy(engine);
    }
}
END_TEST

/* --- memory ----------------------------------------------------------------*/

START_TEST(every_failing_allocation_leaves_all_as_it_was) {
    sb_engine *engine = engine_new();
    sb_surface *surface = rough(5e-6);
    sb_lasting_def def = def_on(voice_new(engine, 1000), surface);
    sb_move_def way = {.rows = 1, .weights = {ones}, .ramp_s = 0.1};
    sb_lasting_id id = {0, 0};
    sb_error err = {0};
    sb_status status = SB_NO_MEMORY;
    int failed = 0;
    for (; status && failed < 20; failed++) {
        sb_memory_fail_after(failed);
        status = sb_engine_begin_contact(engine, 0, &def, &id, &err);
        sb_memory_fail_after(-1);
        if (!status) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_uint_eq(id.generation, 0);
    }
    ck_assert_int_ge(failed, 2);
    status = SB_NO_MEMORY;
    for (failed = 0; status && failed < 20; failed++) {
        sb_memory_fail_after(failed);
        status = sb_engine_move_contact(engine, id, 0, &way, &err);
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert(sb_engine_has_contact(engine, id));
    }
    ck_assert_int_ge(failed, 1);
    /* Its end needs no memory but for the command's. */
    ck_assert_int_eq(sb_engine_reserve(engine, 1, NULL), SB_OK);
    sb_memory_fail_after(0);
    sb_move_def end = to_end(0);
    status = sb_engine_move_contact(engine, id, 0, &end, &err);
    sb_memory_fail_after(-1);
    ck_assert_int_eq(status, SB_OK);
    play_unheard(engine, 256);
    ck_assert_int_eq(sb_engine_read_stats(engine).touching, 0);
    sb_engine_destroy(engine);
    sb_surface_release(surface);
}
END_TEST

/* A contact in progress at the end is freed with the engine; the leak checker
 * of the sanitizers verifies it. */
START_TEST(an_engine_takes_its_contacts_along) {
    for (int frames = 0; frames < 400; frames += 130) {
        sb_engine *engine = engine_new();
        sb_surface *surface = rough(5e-6);
        sb_lasting_def def = def_on(voice_new(engine, 1000), surface);
        sb_lasting_id id = begin(engine, &def, 60);
        sb_move_def way = {.rows = 1, .weights = {ones}, .ramp_s = 0.1};
        move(engine, id, 70, way);
        move(engine, id, 300, way);
        play_unheard(engine, frames);
        sb_engine_destroy(engine);
        ck_assert_int_eq(atomic_load(&surface->users), 1);
        sb_surface_release(surface);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lasting");
    TCase *tcase = tcase_create("lasting");
    tcase_add_loop_test(tcase, a_contact_begins_and_ends_on_its_very_frame, 0,
                        5);
    tcase_add_test(tcase, a_force_goes_up_in_a_straight_line);
    tcase_add_test(tcase, each_value_goes_its_own_way);
    tcase_add_test(tcase, a_flood_of_moves_still_ends);
    tcase_add_test(tcase, a_way_across_a_bar_is_free_of_zipper_noise);
    tcase_add_test(tcase, the_device_block_does_not_matter);
    tcase_add_test(tcase, a_contact_ends_with_either_of_its_voices);
    tcase_add_test(tcase, all_places_may_be_taken_and_given_back);
    tcase_add_test(tcase, links_have_a_price);
    tcase_add_test(tcase, every_failing_allocation_leaves_all_as_it_was);
    tcase_add_test(tcase, an_engine_takes_its_contacts_along);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
