/* SPDX-License-Identifier: MIT */
/* The room around a scene: what it adds, when, and that it repeats. */
#include "runtime/media/sound_file.h"
#include "runtime/scene/state/around.h"
#include "tests/scene/scene_fixture.h"
#include "tests/scratch.h"

enum { FRAMES = 2 * 48000 };

static float sound[2 * FRAMES], other[2 * FRAMES];

/* A click: a mode of 1 kHz that is gone after some milliseconds. */
static const sb_hand_mode click_modes[1] = {{1000, 0.01, 1}};

static sb_body_def click_def(void) {
    sb_body_def def = hand_def("click");
    def.shape.modes = click_modes;
    def.shape.mode_count = 1;
    return def;
}

static sb_room_def reverb(double t60_s, double level_db) {
    sb_room_def room = sb_room_default();
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        room.reverb.t60_s[i] = t60_s;
    room.reverb.level_db = level_db;
    return room;
}

/* A click at 0, in the room unless it is NULL, in pieces of `piece` frames. */
static void hear_click(const sb_room_def *room, int piece, float *out) {
    stage on = stage_new();
    if (room)
        ck_assert_int_eq(sb_scene_set_room(on.scene, room, 0, NULL), SB_OK);
    sb_body_id click = add(on, click_def());
    strike(on, click, 0, 1e-3);
    for (int n = 0; n < FRAMES; n += piece)
        play(on, out + (size_t)2 * (size_t)n,
             n + piece < FRAMES ? piece : FRAMES - n);
    stage_free(on);
}

static double energy(const float *stereo, int from, int to) {
    double sum = 0;
    for (int n = 2 * from; n < 2 * to; n++)
        sum += (double)stereo[n] * (double)stereo[n];
    return sum;
}

START_TEST(without_a_t60_nothing_changes) {
    sb_room_def none = reverb(0, 20);
    hear_click(NULL, FRAMES, sound);
    hear_click(&none, FRAMES, other);
    ck_assert(energy(sound, 0, FRAMES) > 0);
    ck_assert_mem_eq(sound, other, sizeof sound);
}
END_TEST

START_TEST(pieces_of_any_size_are_the_same_bytes) {
    static const int pieces[] = {64, 100, 480, 12345};
    sb_room_def room = reverb(1.5, 0);
    hear_click(&room, FRAMES, sound);
    hear_click(&room, pieces[_i], other);
    ck_assert_mem_eq(sound, other, sizeof sound);
}
END_TEST

/* The listener is 1 m away. */
START_TEST(level_is_relative_to_the_direct_sound_from_a_metre) {
    sb_room_def room = reverb(0.5, _i - 10);
    hear_click(NULL, FRAMES, other);
    hear_click(&room, FRAMES, sound);
    for (int n = 0; n < 2 * FRAMES; n++)
        sound[n] -= other[n];
    double level_db =
        10 * log10(energy(sound, 0, FRAMES) / energy(other, 0, FRAMES));
    ck_assert_msg(fabs(level_db - (_i - 10)) < 1.5, "%g dB, wanted %d dB",
                  level_db, _i - 10);
}
END_TEST

START_TEST(reverberation_begins_after_the_predelay) {
    sb_room_def room = reverb(0.5, 0);
    room.reverb.predelay_s = 0.25;
    hear_click(NULL, FRAMES, other);
    hear_click(&room, FRAMES, sound);
    for (int n = 0; n < 2 * FRAMES; n++)
        sound[n] -= other[n];
    int begin = STAGE_LATENCY + 12000;
    ck_assert_double_eq(energy(sound, 0, begin), 0);
    ck_assert(energy(sound, begin, begin + 2400) > 0);
}
END_TEST

START_TEST(silence_stays_silent) {
    stage on = stage_new();
    sb_room_def room = reverb(60, 40);
    ck_assert_int_eq(sb_scene_set_room(on.scene, &room, 0, NULL), SB_OK);
    (void)add(on, click_def());
    play(on, sound, FRAMES);
    ck_assert_double_eq(energy(sound, 0, FRAMES), 0);
    stage_free(on);
}
END_TEST

/* Half of the room's sound is there one block before, none 50 ms after. */
START_TEST(a_reload_without_a_room_fades_it) {
    stage on = stage_new();
    sb_room_def room = reverb(5, 20);
    ck_assert_int_eq(sb_scene_set_room(on.scene, &room, 0, NULL), SB_OK);
    strike(on, add(on, click_def()), 0, 1e-3);
    play(on, sound, 24000);
    load_again(on, click_def(), 0.5);
    play(on, sound, FRAMES);
    ck_assert(energy(sound, 0, 480) > 0);
    ck_assert_double_eq(energy(sound, 4800, FRAMES), 0);
    stage_free(on);
}
END_TEST

START_TEST(no_memory_changes_nothing) {
    stage on = stage_new();
    sb_room_def room = reverb(1, 0);
    sb_error err;
    ck_assert_int_eq(sb_engine_reserve(on.engine, 1, NULL), SB_OK);
    sb_memory_fail_after(0);
    sb_status status = sb_scene_set_room(on.scene, &room, 0, &err);
    sb_memory_fail_after(-1);
    ck_assert_int_eq(status, SB_NO_MEMORY);
    ck_assert_str_eq(err.message, "room: out of memory");
    sb_room_def now = sb_scene_room(on.scene);
    ck_assert(!sb_reverb_is_on(&now.reverb));
    stage_free(on);
}
END_TEST

/* A file of 0.1 s: 1 at 10 ms left, 0.5 at 80 ms right. */
static sb_room_def response_at(int rate_hz) {
    const char *path = scratch_path("response.wav");
    static float frames[2 * 19200];
    memset(frames, 0, sizeof frames);
    frames[2 * rate_hz / 100] = 1.0f;
    frames[2 * (8 * rate_hz / 100) + 1] = 0.5f;
    sb_sound_def def = {rate_hz, 2, SB_SOUND_FLOAT32};
    sb_sound_writer *writer;
    ck_assert_int_eq(sb_sound_writer_open(&writer, path, &def, NULL), SB_OK);
    ck_assert_int_eq(sb_sound_writer_write(writer, frames, rate_hz / 10, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_sound_writer_close(writer, NULL), SB_OK);
    sb_room_def room = sb_room_default();
    (void)snprintf(room.response.path, sizeof room.response.path, "%s", path);
    return room;
}

/* The click is heard once more, as often as the file says, also if the file has
 * another rate. */
START_TEST(a_response_repeats_the_click) {
    static const int rates_hz[] = {48000, 24000, 96000};
    sb_room_def room = response_at(rates_hz[_i]);
    room.response.level_db = -20;
    hear_click(NULL, FRAMES, other);
    hear_click(&room, FRAMES, sound);
    static const int later[2] = {480, 3840};
    static const double gain[2] = {0.1, 0.05};
    double most = 0, worst = 0;
    for (int n = 0; n < FRAMES; n++) {
        for (int ear = 0; ear < 2; ear++) {
            int from = n - later[ear];
            double wanted =
                from < 0 ? 0 : gain[ear] * (double)other[2 * from + ear];
            double now = (double)other[2 * n + ear];
            double found = (double)sound[2 * n + ear] - now;
            worst = fmax(worst, fabs(found - wanted));
            most = fmax(most, fabs(now));
        }
    }
    /* A file of 24 kHz has nothing of the click's onset above 12 kHz. */
    double limit = rates_hz[_i] < 48000 ? 0.03 : 0.0005;
    ck_assert_msg(worst < limit * most, "off by %g of %g", worst, most);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("room");
    TCase *tests = tcase_create("room");
    tcase_add_test(tests, without_a_t60_nothing_changes);
    tcase_add_loop_test(tests, pieces_of_any_size_are_the_same_bytes, 0, 4);
    tcase_add_loop_test(
        tests, level_is_relative_to_the_direct_sound_from_a_metre, 0, 3);
    tcase_add_test(tests, reverberation_begins_after_the_predelay);
    tcase_add_test(tests, silence_stays_silent);
    tcase_add_test(tests, a_reload_without_a_room_fades_it);
    tcase_add_test(tests, no_memory_changes_nothing);
    tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
    tcase_add_loop_test(tests, a_response_repeats_the_click, 0, 3);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
