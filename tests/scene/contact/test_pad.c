/* SPDX-License-Identifier: MIT */
/* Prepared places: a hit sounds as the strike of the same place, speed and time
 * does; ids, reloads, reports, and what a hit costs. */
#include "tests/scene/scene_fixture.h"

#include "runtime/base/clock.h"
#include "runtime/engine/audio/audio.h"
#include "runtime/engine/engine_pad.h"
#include "runtime/scene/contact/pad.h"

#include <pthread.h>
#include <stdatomic.h>

enum { FRAMES = 6000, BLOCK = SB_BLOCK_FRAMES };

static float struck[2 * FRAMES], hit[2 * FRAMES];

static const sb_place corner = {.u = 0.1, .v = 0.3};

static sb_body_def plate_def(const char *name, double side_m, int modes) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    def.shape = (sb_shape){.kind = SB_SHAPE_PLATE,
                           .width = side_m,
                           .depth = 0.83 * side_m,
                           .thickness = 0.002};
    def.shape.max_modes = modes;
    def.material = *sb_material_find("steel");
    def.has_material = true;
    return def;
}

static sb_pad_id pad_on(stage on, sb_body_id id, sb_strike_def def) {
    sb_pad_id pad = {0, 0};
    sb_error err = {0};
    ck_assert_msg(
        sb_scene_prepare_pad(on.scene, id, &corner, &def, &pad, &err) == SB_OK,
        "%s", err.message);
    return pad;
}

static void strike_at(stage on, sb_body_id id, sb_strike_def def,
                      double speed_m_s, int frame) {
    sb_impact_estimate unused;
    def.speed_m_s = speed_m_s;
    ck_assert_double_eq(frame / RATE_HZ * RATE_HZ, frame);
    ck_assert_int_eq(sb_scene_strike(on.scene, id, &corner, &def,
                                     frame / RATE_HZ, &unused, NULL),
                     SB_OK);
}

/* --- the same sound ------------------------------------------------------- */

/* The largest difference of the two, relative to the peak. */
static double difference(void) {
    double peak = 0, worst = 0;
    for (int n = 0; n < 2 * FRAMES; n++) {
        peak = fmax(peak, fabs((double)struck[n]));
        worst = fmax(worst, fabs((double)struck[n] - (double)hit[n]));
    }
    ck_assert_double_gt(peak, 1e-5);
    return worst / peak;
}

static const double speeds_m_s[] = {0.03, 0.5, 2.2, 11};
static const int frames[] = {480, 1001, 1024, 3000};

/* Strikes and hits of four speeds. */
static double compare(sb_body_def body, sb_strike_def def) {
    stage a = stage_new(), b = stage_new();
    sb_body_id bar = add(a, body);
    for (int i = 0; i < 4; i++)
        strike_at(a, bar, def, speeds_m_s[i], frames[i]);
    play(a, struck, FRAMES);
    sb_pad_id pad = pad_on(b, add(b, body), def);
    /* In any order. */
    for (int i = 3; i >= 0; i--)
        ck_assert(sb_engine_hit_pad(b.engine, pad, speeds_m_s[i], frames[i]));
    play(b, hit, FRAMES);
    ck_assert_int_eq((int)sb_engine_read_stats(b.engine).strikes, 4);
    ck_assert_int_eq((int)sb_engine_read_stats(b.engine).late, 0);
    stage_free(a);
    stage_free(b);
    return difference();
}

START_TEST(a_hit_has_the_samples_of_the_strike) {
    const sb_level_curve curve = {.points = {{1, 0.5}, {4, 5}}, .count = 2};
    const sb_strike_def defs[] = {
        {.speed_m_s = 0},
        {.striker.mass_kg = 0.01},
        {.striker = {.mass_kg = 0.02, .hardness_n_m = 1e6}},
        {.model = SB_IMPACT_MODEL_IMPULSE},
        {.model = SB_IMPACT_MODEL_KMETHOD},
        {.model = SB_IMPACT_MODEL_TRAPEZOID},
        {.striker.lambda = 1e9, .limit_ns = 0.02, .curve = curve},
        {.striker.radius_m = 0.01, .onset_m_s = 1},
        {.has_gravity = true, .gravity_m_s2 = 9.81},
    };
    for (int i = 0; i < 9; i++) {
        ck_assert_msg(compare(bar_def("bar"), defs[i]) == 0, "strike %d", i);
        ck_assert_msg(compare(plate_def("plate", 0.2, 30), defs[i]) == 0,
                      "plate, strike %d", i);
    }
}
END_TEST

#define DB_120 1e-6

START_TEST(where_the_modes_depend_on_the_speed_it_is_120_db_near) {
    const sb_strike_def defs[] = {
        {.striker.hardness_n_m = 1e6, .stiffening_per_m = 3e4},
        {.striker.hardness_n_m = 1e6, .onset_m_s = 0.3},
        {.speed_m_s = 0},
    };
    for (int i = 0; i < 3; i++) {
        sb_body_def body = plate_def("plate", 0.3, 0);
        body.diffuse.is_on = i == 2;
        body.diffuse.crossover_hz = 3000;
        double apart = compare(body, defs[i]);
        printf("table %d: %.1f dB\n", i, 20 * log10(apart + 1e-12));
        ck_assert_double_le(apart, DB_120);
    }
}
END_TEST

START_TEST(direction_and_point_are_those_of_the_body_when_it_was_prepared) {
    stage a = stage_new(), b = stage_new();
    sb_body_def body = bar_def("bar");
    sb_place place = {.point = {0.05, 0.02, 0},
                      .has_point = true,
                      .direction = {0.3, -1, 0.2},
                      .has_direction = true};
    sb_strike_def def = {.speed_m_s = 1};
    sb_impact_estimate unused;
    sb_pad_id pad = {0, 0};
    sb_body_id one = add(a, body), two = add(b, body);
    ck_assert_int_eq(
        sb_scene_strike(a.scene, one, &place, &def, 0.01, &unused, NULL),
        SB_OK);
    ck_assert_int_eq(
        sb_scene_prepare_pad(b.scene, two, &place, &def, &pad, NULL), SB_OK);
    ck_assert(sb_engine_hit_pad(b.engine, pad, 1, 480));
    play(a, struck, FRAMES);
    play(b, hit, FRAMES);
    ck_assert_double_eq(difference(), 0);
    stage_free(a);
    stage_free(b);
}
END_TEST

/* --- when ------------------------------------------------------------------ */

/* The first frame that is not silent, without the latency. */
static int onset_of(const float *stereo) {
    for (int n = 0; n < FRAMES; n++)
        if (fabsf(stereo[2 * n]) > 1e-6f) return n - STAGE_LATENCY;
    return -1;
}

START_TEST(at_once_is_the_next_block_and_needs_no_flush) {
    const sb_strike_def ideal = {.model = SB_IMPACT_MODEL_IMPULSE};
    const int64_t when[] = {0, -1, 999, 1000, 1027};
    for (int i = 0; i < 5; i++) {
        stage on = stage_new();
        sb_body_id bar = add(on, bar_def("bar"));
        ck_assert(sb_engine_flush(on.engine, 1));
        sb_engine_pull(on.engine, hit, 1000);
        sb_pad_id pad = pad_on(on, bar, ideal);
        ck_assert(sb_engine_hit_pad(on.engine, pad, 0.01, when[i]));
        sb_engine_pull(on.engine, hit + 2000, FRAMES - 1000);
        int right = i < 4 ? 1024 : 1027;
        ck_assert_int_le(abs(onset_of(hit) - right), 12); /* the ears' filter */
        stage_free(on);
    }
}
END_TEST

START_TEST(the_samples_do_not_depend_on_the_frames_per_call) {
    const int per_call[] = {FRAMES, 1, 37, 128, 500};
    for (int k = 0; k < 5; k++) {
        stage on = stage_new();
        sb_pad_id pad = pad_on(on, add(on, bar_def("bar")), (sb_strike_def){0});
        ck_assert(sb_engine_flush(on.engine, FRAMES + BLOCK));
        for (int i = 0; i < 4; i++)
            ck_assert(
                sb_engine_hit_pad(on.engine, pad, speeds_m_s[i], frames[i]));
        for (int n = 0; n < FRAMES; n += per_call[k]) {
            int some = FRAMES - n < per_call[k] ? FRAMES - n : per_call[k];
            sb_engine_pull(on.engine, (k ? hit : struck) + 2 * n, some);
        }
        if (k) ck_assert_mem_eq(hit, struck, sizeof hit);
        stage_free(on);
    }
}
END_TEST

START_TEST(control_posts_hits_that_sound_alike) {
    stage a = stage_new(), b = stage_new();
    sb_pad_id one = pad_on(a, add(a, bar_def("bar")), (sb_strike_def){0});
    sb_pad_id two = pad_on(b, add(b, bar_def("bar")), (sb_strike_def){0});
    for (int i = 0; i < 4; i++) {
        ck_assert(sb_engine_hit_pad(a.engine, one, speeds_m_s[i], frames[i]));
        ck_assert(sb_engine_post_hit(b.engine, two, speeds_m_s[i], frames[i]));
    }
    play(a, struck, FRAMES);
    play(b, hit, FRAMES);
    ck_assert_mem_eq(hit, struck, sizeof hit);
    /* A full queue refuses hits, but not the end of a pad. */
    int posted = 0;
    while (sb_engine_post_hit(b.engine, two, 1, 0))
        posted++;
    ck_assert_int_gt(posted, 1000);
    sb_scene_release_pad(b.scene, two);
    play(b, hit, FRAMES);
    ck_assert(!sb_engine_hit_pad(b.engine, two, 1, 0));
    stage_free(a);
    stage_free(b);
}
END_TEST

/* --- lives ----------------------------------------------------------------- */

static int dropped(stage on) {
    return (int)sb_engine_read_stats(on.engine).dropped;
}

START_TEST(a_released_pad_rings_on_and_takes_no_more_hits) {
    stage a = stage_new(), b = stage_new();
    sb_pad_id pads[2] = {pad_on(a, add(a, bar_def("bar")), (sb_strike_def){0}),
                         pad_on(b, add(b, bar_def("bar")), (sb_strike_def){0})};
    for (int i = 0; i < 4; i++) {
        ck_assert(
            sb_engine_hit_pad(a.engine, pads[0], speeds_m_s[i], frames[i]));
        ck_assert(
            sb_engine_hit_pad(b.engine, pads[1], speeds_m_s[i], frames[i]));
    }
    play(a, struck, FRAMES);
    /* One plays, one is about to, two wait. */
    play(b, hit, 490);
    sb_scene_release_pad(b.scene, pads[1]);
    ck_assert(!sb_engine_has_pad(b.engine, pads[1]));
    ck_assert(!sb_engine_hit_pad(b.engine, pads[1], 1, 0));
    ck_assert_int_eq(dropped(b), 1);
    play(b, hit + 980, FRAMES - 490);
    ck_assert_mem_eq(hit, struck, sizeof hit);
    sb_scene_release_pad(b.scene, pads[1]); /* a no-op */
    sb_pad_id next =
        pad_on(b, sb_scene_find(b.scene, "bar"), (sb_strike_def){0});
    ck_assert_int_eq(next.index, pads[1].index);
    ck_assert(!sb_engine_hit_pad(b.engine, pads[1], 1, 0));
    ck_assert(sb_engine_hit_pad(b.engine, next, 1, 0));
    stage_free(a);
    stage_free(b);
}
END_TEST

START_TEST(memory_of_released_pads_returns) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar"));
    long long before = 0;
    for (int i = 0; i < 3000; i++) {
        sb_pad_id pad = pad_on(on, bar, (sb_strike_def){0});
        ck_assert(sb_engine_hit_pad(on.engine, pad, 1, 0));
        sb_scene_release_pad(on.scene, pad);
        play(on, hit, BLOCK);
        if (i == 1000) before = (long long)sb_memory_live_bytes();
    }
    ck_assert_int_le((long long)sb_memory_live_bytes(), before + 1000000);
    stage_free(on);
}
END_TEST

START_TEST(hits_on_a_body_that_is_gone_are_dropped_and_counted) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar"));
    sb_pad_id pad = pad_on(on, bar, (sb_strike_def){0});
    ck_assert(sb_engine_hit_pad(on.engine, pad, 1, 4000));
    take_away(on, bar, 0.01);
    ck_assert(!sb_engine_has_pad(on.engine, pad));
    play(on, hit, FRAMES); /* the hit that waits finds no body */
    ck_assert_int_eq(dropped(on), 1);
    ck_assert(!sb_engine_hit_pad(on.engine, pad, 1, 0));
    ck_assert(!sb_engine_hit_pad(on.engine, (sb_pad_id){0, 0}, 1, 0));
    ck_assert(!sb_engine_hit_pad(on.engine, (sb_pad_id){UINT32_MAX, 1}, 1, 0));
    ck_assert_int_eq(dropped(on), 4);
    stage_free(on);
}
END_TEST

START_TEST(more_hits_than_the_pad_has_room_for_are_counted) {
    stage on = stage_new();
    sb_pad_id pad = pad_on(on, add(on, bar_def("bar")), (sb_strike_def){0});
    for (int i = 0; i < SB_PAD_HITS; i++)
        ck_assert(sb_engine_hit_pad(on.engine, pad, 1, 1000 + 100 * i));
    ck_assert(!sb_engine_hit_pad(on.engine, pad, 1, 0));
    ck_assert_int_eq(dropped(on), 1);
    ck_assert_int_eq((int)sb_engine_read_stats(on.engine).crowded, 1);
    const double silent[] = {0, -1, NAN};
    play(on, hit, 5500);
    for (int i = 0; i < 3; i++)
        ck_assert(!sb_engine_hit_pad(on.engine, pad, silent[i], 0));
    ck_assert_int_eq(dropped(on), 4);
    ck_assert(sb_engine_hit_pad(on.engine, pad, 1, 0));
    stage_free(on);
}
END_TEST

/* A pad of `before`, hit after it has become `after` by a reload. */
static void check_reload(sb_body_def before, sb_body_def after) {
    stage a = stage_new(), b = stage_new();
    load_again(a, before, 0);
    load_again(b, before, 0);
    sb_pad_id pad =
        pad_on(b, sb_scene_find(b.scene, before.name), (sb_strike_def){0});
    load_again(a, after, 0.01);
    load_again(b, after, 0.01);
    strike_at(a, sb_scene_find(a.scene, after.name), (sb_strike_def){0}, 1.5,
              1500);
    ck_assert(sb_engine_hit_pad(b.engine, pad, 1.5, 1500));
    play(a, struck, FRAMES);
    play(b, hit, FRAMES);
    ck_assert_double_eq(difference(), 0);
    stage_free(a);
    stage_free(b);
}

START_TEST(a_reload_prepares_pads_again) {
    sb_body_def longer = bar_def("bar"), glass = bar_def("bar");
    longer.shape.length = 0.25; /* retuned */
    glass.material = *sb_material_find("glass");
    check_reload(bar_def("bar"), bar_def("bar"));
    check_reload(bar_def("bar"), longer);
    check_reload(bar_def("bar"), glass);
    check_reload(bar_def("bar"), plate_def("bar", 0.2, 60)); /* replaced */
    check_reload(plate_def("bar", 0.2, 60), bar_def("bar"));
}
END_TEST

START_TEST(a_body_that_rings_no_more_has_no_pads) {
    stage on = stage_new();
    load_again(on, bar_def("bar"), 0);
    sb_pad_id pad =
        pad_on(on, sb_scene_find(on.scene, "bar"), (sb_strike_def){0});
    load_again(on, rigid_def("bar"), 0.01);
    ck_assert(!sb_engine_has_pad(on.engine, pad));
    play(on, hit, FRAMES);
    ck_assert(!sb_engine_hit_pad(on.engine, pad, 1, 0));
    stage_free(on);
}
END_TEST

/* --- reports and errors ---------------------------------------------------- */

static sb_event impact_of(stage on) {
    sb_event out, other;
    uint64_t reader = 0;
    ck_assert(next_played(on, &reader, &out));
    ck_assert(!next_played(on, &reader, &other));
    return out;
}

START_TEST(a_hit_is_reported_as_a_strike_is) {
    const sb_strike_def defs[] = {
        {.name = "mallet"}, {.striker.hardness_n_m = 1e6, .name = "mallet"}};
    for (int i = 0; i < 2; i++) {
        stage a = stage_new(), b = stage_new();
        sb_scene_want_impacts(a.scene, true);
        sb_scene_want_impacts(b.scene, true);
        sb_pad_id pad = pad_on(b, add(b, bar_def("bar")), defs[i]);
        strike_at(a, add(a, bar_def("bar")), defs[i], 2, 480);
        ck_assert(sb_engine_hit_pad(b.engine, pad, 2, 480));
        play(a, struck, FRAMES);
        play(b, hit, FRAMES);
        sb_event right = impact_of(a), got = impact_of(b);
        ck_assert_str_eq(got.name[0], "bar");
        ck_assert_str_eq(got.name[1], "mallet");
        ck_assert_int_eq(got.kind, right.kind);
        ck_assert_int_eq(got.model, right.model);
        ck_assert_double_eq(got.time_s, right.time_s);
        ck_assert_double_eq(got.spot.u, right.spot.u);
        ck_assert_double_eq(got.impulse_ns, right.impulse_ns);
        ck_assert_double_eq(got.restitution, right.restitution);
        /* Of a pad that is gone nothing is reported. */
        ck_assert(sb_engine_hit_pad(b.engine, pad, 2, 0));
        play(b, hit, FRAMES);
        sb_scene_release_pad(b.scene, pad);
        uint64_t reader = sb_scene_event_count(b.scene);
        sb_event none;
        ck_assert(!next_played(b, &reader, &none));
        stage_free(a);
        stage_free(b);
    }
}
END_TEST

static void check_refused(stage on, sb_body_id id, sb_strike_def def,
                          sb_status right, const char *message) {
    sb_error err = {0};
    sb_pad_id pad;
    ck_assert_int_eq(
        sb_scene_prepare_pad(on.scene, id, &corner, &def, &pad, &err), right);
    ck_assert_str_eq(err.message, message);
}

START_TEST(errors_say_why) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar")), box = add(on, rigid_def("box"));
    const char *single = "body 'bar': a prepared place takes single blows, "
                         "without ";
    const char *words[] = {"bounces", "graze", "scatter"};
    const sb_strike_def defs[] = {
        {.bounces = true}, {.grazes = true}, {.scatter.per_m_s = 3}};
    for (int i = 0; i < 3; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%s%s", single, words[i]);
        check_refused(on, bar, defs[i], SB_BAD_ARGUMENT, text);
    }
    check_refused(on, box, (sb_strike_def){0}, SB_BAD_ARGUMENT,
                  "body 'box' does not ring: it has no places to prepare");
    take_away(on, bar, 0);
    sb_pad_id pad;
    ck_assert_int_eq(
        sb_scene_prepare_pad(on.scene, bar, &corner, &defs[0], &pad, NULL),
        SB_STALE_HANDLE);
    stage_free(on);
}
END_TEST

START_TEST(all_places_may_be_taken) {
    stage on = stage_new();
    sb_body_id bar = add(on, hand_def("hand"));
    for (int i = 0; i < SB_AUDIO_PADS; i++)
        (void)pad_on(on, bar, (sb_strike_def){0});
    check_refused(on, bar, (sb_strike_def){0}, SB_NO_MEMORY,
                  "all 1024 prepared places are taken");
    for (uint32_t i = 0; i < SB_AUDIO_PADS; i++)
        sb_scene_release_pad(on.scene, (sb_pad_id){i, 1});
    for (int i = 0; i < SB_AUDIO_PADS; i++)
        (void)pad_on(on, bar, (sb_strike_def){0});
    check_refused(on, bar, (sb_strike_def){0}, SB_NO_MEMORY,
                  "all 1024 prepared places are taken");
    stage_free(on);
}
END_TEST

START_TEST(without_memory_nothing_is_prepared) {
    stage on = stage_new();
    sb_body_id bar = add(on, bar_def("bar"));
    sb_strike_def def = {0};
    sb_pad_id pad = {0, 0};
    sb_status status = SB_NO_MEMORY;
    for (int n = 0; status; n++) {
        ck_assert_int_lt(n, 10);
        sb_memory_fail_after(n);
        status = sb_scene_prepare_pad(on.scene, bar, &corner, &def, &pad, NULL);
        sb_memory_fail_after(-1);
        ck_assert(!status || status == SB_NO_MEMORY);
        ck_assert_int_eq(sb_engine_has_pad(on.engine, pad), !status);
    }
    ck_assert(sb_engine_hit_pad(on.engine, pad, 1, 0));
    stage_free(on);
}
END_TEST

/* --- two threads ----------------------------------------------------------- */

typedef struct show {
    sb_engine *engine;
    _Atomic uint64_t pad; /* index, and generation above it */
    atomic_bool is_over;
} show;

static void *perform(void *data) {
    show *s = data;
    static float stereo[2 * 100];
    while (!atomic_load(&s->is_over)) {
        uint64_t pad = atomic_load(&s->pad);
        sb_pad_id id = {(uint32_t)pad, (uint32_t)(pad >> 32)};
        (void)sb_engine_hit_pad(s->engine, id, 1, 0);
        sb_engine_pull(s->engine, stereo, 100);
    }
    return NULL;
}

START_TEST(control_prepares_and_releases_while_audio_hits) {
    stage on = stage_new();
    load_again(on, bar_def("bar"), 0);
    show s = {.engine = on.engine};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, perform, &s), 0);
    for (int i = 0; i < 60; i++) {
        sb_pad_id pads[3];
        for (int k = 0; k < 3; k++)
            pads[k] =
                pad_on(on, sb_scene_find(on.scene, "bar"), (sb_strike_def){0});
        long long before = sb_engine_read_stats(on.engine).strikes;
        for (int k = 0; k < 3; k++) {
            atomic_store(&s.pad,
                         (uint64_t)pads[k].generation << 32 | pads[k].index);
            (void)sb_engine_post_hit(on.engine, pads[k], 0.5, 0);
            if (k < 2) sb_scene_release_pad(on.scene, pads[k]);
        }
        /* Until hits have begun. */
        while (sb_engine_read_stats(on.engine).strikes < before + 5) {
            int64_t now = sb_engine_clock(on.engine);
            (void)sb_engine_flush(on.engine, now + BLOCK);
        }
        sb_body_def next = i % 2 ? bar_def("bar") : hand_def("bar");
        load_again(on, next, (double)sb_engine_clock(on.engine) / RATE_HZ);
        sb_scene_release_pad(on.scene, pads[2]);
    }
    atomic_store(&s.is_over, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    stage_free(on);
}
END_TEST

/* --- cost ------------------------------------------------------------------ */

/* Prints; a busy machine must not fail it. */
START_TEST(a_hit_costs_microseconds) {
    enum { HITS = 400 };
    const sb_strike_def defs[] = {{0},
                                  {.striker.hardness_n_m = 1e6},
                                  {.striker.hardness_n_m = 1e6, .onset_m_s = 1},
                                  {.striker.lambda = 1e9},
                                  {.speed_m_s = 0}};
    const char *names[] = {"mass", "pulse", "pulse with an onset",
                           "mass with losses", "mass, diffuse part"};
    for (int i = 0; i < 5; i++) {
        stage on = stage_new();
        sb_body_def body = plate_def("plate", 0.56, 0);
        body.diffuse.is_on = i == 4;
        body.diffuse.crossover_hz = 12000;
        sb_body_id plate = add(on, body);
        int modes = sb_model_mode_count(sb_scene_body_model(on.scene, plate));
        double prepared_s = sb_clock_thread_s();
        sb_pad_id pad = pad_on(on, plate, defs[i]);
        prepared_s = sb_clock_thread_s() - prepared_s;
        double struck_s = sb_clock_thread_s();
        strike_at(on, plate, defs[i], 1, 480);
        struck_s = sb_clock_thread_s() - struck_s;
        double hits_s = 0;
        for (int k = 0; k < HITS; k++) {
            double from_s = sb_clock_thread_s();
            ck_assert(sb_engine_hit_pad(on.engine, pad, 0.5 + k * 5e-3, 0));
            hits_s += sb_clock_thread_s() - from_s;
            if (k % 8 == 7) play(on, hit, 4 * BLOCK);
        }
        printf("%s on %d modes: strike %.0f us, prepared in %.0f us, "
               "hit %.2f us\n",
               names[i], modes, struck_s * 1e6, prepared_s * 1e6,
               hits_s / HITS * 1e6);
        stage_free(on);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pads");
    TCase *tests = tcase_create("pads");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, a_hit_has_the_samples_of_the_strike);
    tcase_add_test(tests,
                   where_the_modes_depend_on_the_speed_it_is_120_db_near);
    tcase_add_test(
        tests, direction_and_point_are_those_of_the_body_when_it_was_prepared);
    tcase_add_test(tests, at_once_is_the_next_block_and_needs_no_flush);
    tcase_add_test(tests, the_samples_do_not_depend_on_the_frames_per_call);
    tcase_add_test(tests, control_posts_hits_that_sound_alike);
    tcase_add_test(tests, a_released_pad_rings_on_and_takes_no_more_hits);
    tcase_add_test(tests, memory_of_released_pads_returns);
    tcase_add_test(tests, hits_on_a_body_that_is_gone_are_dropped_and_counted);
    tcase_add_test(tests, more_hits_than_the_pad_has_room_for_are_counted);
    tcase_add_test(tests, a_reload_prepares_pads_again);
    tcase_add_test(tests, a_body_that_rings_no_more_has_no_pads);
    tcase_add_test(tests, a_hit_is_reported_as_a_strike_is);
    tcase_add_test(tests, errors_say_why);
    tcase_add_test(tests, all_places_may_be_taken);
    tcase_add_test(tests, without_memory_nothing_is_prepared);
    tcase_add_test(tests, control_prepares_and_releases_while_audio_hits);
    tcase_add_test(tests, a_hit_costs_microseconds);
    return run_suite(suite);
}
