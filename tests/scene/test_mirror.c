/* SPDX-License-Identifier: MIT */
/* A room of six walls: where images are, when reflections arrive, what they have
 * lost, and how the energy goes on into the late field. */
#include "runtime/dsp/room/early_fit.h"
#include "runtime/scene/state/around.h"
#include "runtime/scene/state/mirror.h"
#include "tests/dsp/room/decay.h"
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 48000, LONG = 144000, OCTAVES = SB_ROOM_OCTAVES };

static float sound[2 * FRAMES], dry[2 * FRAMES];

static const sb_vec3 body_at = {0.7, 0.4, -1.9}, ears_at = {-0.8, 0.1, 1.3};

static const sb_hand_mode click_modes[1] = {{2000, 0.002, 1}};

static sb_room_def hall_of(sb_vec3 size, double absorption) {
    sb_room_def room = sb_room_default();
    room.hall.size = size;
    for (int wall = 0; wall < SB_WALLS; wall++)
        for (int i = 0; i < SB_ROOM_OCTAVES; i++)
            room.hall.absorption[wall][i] = absorption;
    return room;
}

/* Two microphones at one place hear a click at 0. */
static void hear_click(const sb_room_def *room, int piece, float *out) {
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.ears = SB_EARS_PAIR;
    listener.spacing_m = 0;
    listener.position = ears_at;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    if (room)
        ck_assert_int_eq(sb_scene_set_room(on.scene, room, 0, NULL), SB_OK);
    sb_body_def def = hand_def("click");
    def.shape.modes = click_modes;
    def.shape.mode_count = 1;
    def.position = body_at;
    strike(on, add(on, def), 0, 1e-3);
    for (int n = 0; n < FRAMES; n += piece)
        play(on, &out[2 * n], n + piece < FRAMES ? piece : FRAMES - n);
    stage_free(on);
}

/* The first frame in which the room adds anything, without the latency. */
static int first_of_room(int ear) {
    for (int n = 0; n < FRAMES; n++)
        if (fabsf(sound[2 * n + ear] - dry[2 * n + ear]) > 1e-7f)
            return n - STAGE_LATENCY;
    return -1;
}

/* The body seen in one wall, by its plane alone. */
static sb_vec3 seen_in(const sb_hall_def *hall, int wall, sb_vec3 body) {
    double low[3] = {hall->position.x - 0.5 * hall->size.x, hall->position.y,
                     hall->position.z - 0.5 * hall->size.z};
    double size[3] = {hall->size.x, hall->size.y, hall->size.z};
    double at[3] = {body.x, body.y, body.z};
    int axis = wall / 2;
    double plane = low[axis] + (wall % 2 ? size[axis] : 0.0);
    at[axis] = 2.0 * plane - at[axis];
    return (sb_vec3){at[0], at[1], at[2]};
}

/* Only one wall reflects. */
START_TEST(first_reflections_arrive_to_the_sample) {
    sb_room_def room = hall_of((sb_vec3){5.1, 3.3, 7.7}, 1.0);
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        room.hall.absorption[_i][i] = 0.0;
    /* The late field comes later. */
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        room.reverb.t60_s[i] = 0.1;
    room.reverb.predelay_s = 1;
    hear_click(NULL, FRAMES, dry);
    hear_click(&room, FRAMES, sound);
    sb_vec3 seen = seen_in(&room.hall, _i, body_at);
    double far_m = sb_vec3_length(sb_vec3_sub(seen, ears_at));
    sb_air air = sb_air_default();
    double wanted = far_m / sb_air_speed(&air) * RATE_HZ;
    for (int ear = 0; ear < 2; ear++)
        ck_assert_msg(fabs(first_of_room(ear) - wanted) <= 0.51,
                      "%s: in frame %d, wanted %g", sb_wall_names[_i],
                      first_of_room(ear), wanted);
}
END_TEST

/* From wall to wall, last the one on whose side the image is. */
static sb_vec3 walk(const sb_hall_def *hall, int axis, int n, sb_vec3 body) {
    int wall = 2 * axis + ((n > 0) == (abs(n) % 2 == 1));
    for (int i = 0; i < abs(n); i++) {
        body = seen_in(hall, wall, body);
        wall ^= 1;
    }
    return body;
}

START_TEST(images_are_seen_from_wall_to_wall) {
    sb_room_def room = hall_of((sb_vec3){5.1, 3.3, 7.7}, 0.1);
    sb_air air = sb_air_default();
    scene_mirror *mirror = scene_mirror_make(&room.hall, &air, RATE_HZ);
    int per_order[4] = {0};
    for (int i = 0; i < SCENE_IMAGES; i++) {
        const int *n = mirror->images[i].n;
        sb_vec3 wanted = body_at;
        for (int axis = 0; axis < 3; axis++)
            wanted = walk(&room.hall, axis, n[axis], wanted);
        sb_vec3 found = scene_mirror_image(mirror, i, body_at);
        ck_assert_double_le(sb_vec3_length(sb_vec3_sub(found, wanted)), 1e-12);
        per_order[abs(n[0]) + abs(n[1]) + abs(n[2])]++;
    }
    ck_assert_int_eq(per_order[1], 6);
    ck_assert_int_eq(per_order[2], 18);
    ck_assert_int_eq(per_order[3], 38);
    sb_free(mirror);
}
END_TEST

/* Every material once, and all pairs of them, without air. */
START_TEST(reflections_lose_what_walls_absorb) {
    double worst_db[4] = {0};
    sb_air air = sb_air_default();
    air.absorbs = false;
    for (const sb_wall_material *m = sb_wall_materials; m->name; m++) {
        sb_room_def room = hall_of((sb_vec3){5, 3, 7}, 0);
        for (int wall = 0; wall < SB_WALLS; wall++)
            memcpy(room.hall.absorption[wall], m->absorption,
                   sizeof m->absorption);
        scene_mirror *mirror = scene_mirror_make(&room.hall, &air, RATE_HZ);
        for (int i = 0; i < SCENE_IMAGES; i++) {
            const int *n = mirror->images[i].n;
            int order = abs(n[0]) + abs(n[1]) + abs(n[2]);
            for (int octave = 0; octave < SB_ROOM_OCTAVES; octave++) {
                double wanted = pow(1 - m->absorption[octave], 0.5 * order);
                double found =
                    sb_early_response(RATE_HZ, mirror->images[i].gain[0][0],
                                      125.0 * (1 << octave));
                double off_db = fabs(20 * log10(found / wanted));
                worst_db[order] = fmax(worst_db[order], off_db);
            }
        }
        sb_free(mirror);
    }
    for (int order = 1; order < 4; order++)
        ck_assert_msg(worst_db[order] < 0.6 * order, "order %d: %.2f dB", order,
                      worst_db[order]);
}
END_TEST

static double energy(const float *x, int from, int to) {
    double sum = 0;
    for (int n = 2 * from; n < 2 * to; n++)
        sum += 0.5 * (double)x[n] * (double)x[n];
    return sum;
}

/* A diffuse field has 4 pi c / V per second of the energy from 1 m away. */
START_TEST(energy_goes_on_into_the_late_field) {
    static const double absorbed[] = {0.05, 0.1, 0.2, 0.4};
    double alpha = absorbed[_i];
    sb_room_def room = hall_of((sb_vec3){6.1, 4.3, 8.7}, alpha);
    hear_click(NULL, FRAMES, dry);
    hear_click(&room, FRAMES, sound);
    sb_air air = sb_air_default();
    double c = sb_air_speed(&air), volume = sb_hall_volume(&room.hall);
    double direct_m = sb_vec3_length(sb_vec3_sub(body_at, ears_at));
    double at_1m = energy(dry, 0, FRAMES) * direct_m * direct_m;
    double rate = 6 * log(10) / sb_hall_t60_s(&room.hall, &air, 4);
    for (int n = 0; n < FRAMES; n++)
        for (int ear = 0; ear < 2; ear++)
            sound[2 * n + ear] -= dry[2 * n + ear];
    for (double t = 0.02; t < 0.2; t += 0.02) {
        int from = STAGE_LATENCY + (int)(t * RATE_HZ);
        double found = energy(sound, from, from + 960);
        double wanted = at_1m * 4 * SB_PI * c / volume *
                        (exp(-rate * t) - exp(-rate * (t + 0.02))) / rate;
        double off_db = 10 * log10(found / wanted);
        ck_assert_msg(fabs(off_db) < 2.5, "%g ms: %+.2f dB", 1000 * t, off_db);
    }
}
END_TEST

/* A body that a script moves every 10 ms, and a listener who moves once. */
static void hear_walk(double step_m, int piece, float *out) {
    stage on = stage_new();
    sb_room_def room = hall_of((sb_vec3){5.1, 3.3, 7.7}, 0.1);
    ck_assert_int_eq(sb_scene_set_room(on.scene, &room, 0, NULL), SB_OK);
    sb_body_id id = add(on, bar_def("bar"));
    strike(on, id, 0, 1e-3);
    for (int step = 0; step < 60; step++) {
        sb_vec3 place = {0.5 + step_m * step, 0, -1};
        ck_assert_int_eq(place_body(on.scene, id, place, 0.01 * step, NULL),
                         SB_OK);
    }
    sb_listener listener = sb_scene_listener(on.scene);
    listener.position.x += 1;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0.3, NULL),
                     SB_OK);
    for (int n = 0; n < FRAMES; n += piece)
        play(on, &out[2 * n], n + piece < FRAMES ? piece : FRAMES - n);
    stage_free(on);
}

START_TEST(moving_bodies_repeat_in_pieces_of_any_size) {
    hear_walk(0.01, FRAMES, dry);
    hear_walk(0.01, 77, sound);
    ck_assert_mem_eq(dry, sound, sizeof dry);
    ck_assert(energy(dry, 0, FRAMES) > 0);
}
END_TEST

/* The largest step between frames, relative to the loudest. */
static double steepness(const float *x) {
    double worst = 0, most = 0;
    for (int n = 9600; n < 28800; n++) {
        double a = (double)x[2 * n], b = (double)x[2 * n + 2];
        worst = fmax(worst, fabs(b - a));
        most = fmax(most, fabs(a));
    }
    return worst / most;
}

START_TEST(a_moving_body_does_not_click) {
    hear_walk(0, FRAMES, dry);
    hear_walk(0.01, FRAMES, sound);
    ck_assert_double_le(steepness(sound), 1.3 * steepness(dry));
}
END_TEST

START_TEST(no_memory_for_a_room_changes_nothing) {
    for (int n = 0; n < 2; n++) {
        stage on = stage_new();
        sb_room_def room = hall_of((sb_vec3){5, 3, 7}, 0.1);
        sb_error err;
        ck_assert_int_eq(sb_engine_reserve(on.engine, 2, NULL), SB_OK);
        sb_memory_fail_after(n);
        sb_status status = sb_scene_set_room(on.scene, &room, 0, &err);
        sb_memory_fail_after(-1);
        ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_room_def now = sb_scene_room(on.scene);
        ck_assert(!sb_hall_is_on(&now.hall));
        stage_free(on);
    }
}
END_TEST

/* V 120 m^3, S 148 m^2, all absorb a tenth. */
START_TEST(t60_is_sabines_or_eyrings) {
    sb_room_def room = hall_of((sb_vec3){5, 4, 6}, 0.1);
    sb_air air = sb_air_default();
    air.absorbs = false;
    double c = sb_air_speed(&air);
    double sabine_s = 24 * log(10) * 120 / (c * 14.8);
    double eyring_s = 24 * log(10) * 120 / (c * -148 * log(0.9));
    room.hall.law = SB_DECAY_SABINE;
    ck_assert_double_eq_tol(sb_hall_t60_s(&room.hall, &air, 3), sabine_s, 1e-9);
    room.hall.law = SB_DECAY_EYRING;
    ck_assert_double_eq_tol(sb_hall_t60_s(&room.hall, &air, 3), eyring_s, 1e-9);
    air.absorbs = true;
    double m = sb_air_loss_db_m(&air, 8000) * log(10) / 10;
    double both_s = 24 * log(10) * 120 / (c * (-148 * log(0.9) + 4 * m * 120));
    ck_assert_double_eq_tol(sb_hall_t60_s(&room.hall, &air, 6), both_s, 1e-9);
}
END_TEST

/* Clicks in all octaves at once, in a hall whose walls differ. */
static const sb_hand_mode octave_modes[OCTAVES] = {
    {125, 0.02, 1},   {250, 0.01, 1},   {500, 0.01, 1},  {1000, 0.005, 1},
    {2000, 0.003, 1}, {4000, 0.002, 1}, {8000, 0.001, 1}};

static void hear_octaves(const sb_room_def *room, float *out) {
    stage on = stage_new();
    sb_listener listener = sb_scene_listener(on.scene);
    listener.ears = SB_EARS_HEAD;
    listener.position = ears_at;
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_scene_set_room(on.scene, room, 0, NULL), SB_OK);
    sb_body_def def = hand_def("clicks");
    def.shape.modes = octave_modes;
    def.shape.mode_count = OCTAVES;
    def.position = body_at;
    strike(on, add(on, def), 0, 1e-3);
    play(on, out, LONG);
    stage_free(on);
}

START_TEST(a_render_has_the_t60_of_its_walls) {
    static float heard[2 * LONG];
    static double left[LONG];
    static const sb_vec3 sizes[] = {{6, 3.5, 9}, {9, 5, 13}, {14, 8, 22}};
    sb_room_def room = hall_of(sizes[_i], 0);
    static const char *const walls[SB_WALLS] = {
        "brick", "gypsum_board", "parquet", "wood", "brick", "window"};
    for (int wall = 0; wall < SB_WALLS; wall++)
        memcpy(room.hall.absorption[wall],
               sb_wall_material_find(walls[wall])->absorption,
               sizeof room.hall.absorption[wall]);
    hear_octaves(&room, heard);
    sb_air air = sb_air_default();
    int from = STAGE_LATENCY + (int)(0.1 * RATE_HZ);
    for (int i = 0; i < OCTAVES; i++) {
        double wanted_s = sb_hall_t60_s(&room.hall, &air, i);
        for (int ear = 0; ear < 2; ear++) {
            memset(left, 0, sizeof left);
            add_decay(heard + ear, 2, LONG, RATE_HZ, 125.0 * (1 << i), left);
            double t60_s = t60_of(left, from, LONG, RATE_HZ);
            ck_assert_msg(fabs(t60_s / wanted_s - 1) < 0.05,
                          "ear %d, %d Hz: T60 is %g s, wanted %g s", ear,
                          125 << i, t60_s, wanted_s);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mirror");
    TCase *tests = tcase_create("mirror");
    tcase_add_loop_test(tests, first_reflections_arrive_to_the_sample, 0, 6);
    tcase_add_test(tests, images_are_seen_from_wall_to_wall);
    tcase_add_test(tests, reflections_lose_what_walls_absorb);
    tcase_add_loop_test(tests, energy_goes_on_into_the_late_field, 0, 4);
    tcase_add_test(tests, moving_bodies_repeat_in_pieces_of_any_size);
    tcase_add_test(tests, a_moving_body_does_not_click);
    tcase_add_test(tests, no_memory_for_a_room_changes_nothing);
    tcase_add_test(tests, t60_is_sabines_or_eyrings);
    tcase_add_loop_test(tests, a_render_has_the_t60_of_its_walls, 0, 3);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
