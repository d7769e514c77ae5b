/* SPDX-License-Identifier: MIT */
/* A session without a server: acts at their times, news and replies to hands,
 * and records that are done again. */
#include "bindings/host/host.h"
#include "bindings/studio/session/session.h"
#include "runtime/engine/engine.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005,\n"
    "    radiation = 'quick' } })\n";

enum { HAND = 7, STEP_FRAMES = 480, MOST_NEWS = 256 };

/* What the only hand is told. */
static char *told[MOST_NEWS];
static int told_count;

static void hear(void *user, const session_news *news) {
    (void)user;
    ck_assert_int_gt(news->hand_count, 0);
    if (news->type != RECORD_NONE || told_count == MOST_NEWS) return;
    ck_assert_uint_eq(news->hands[0], HAND);
    told[told_count] = strndup(news->bytes, news->count);
    ck_assert_ptr_nonnull(told[told_count++]);
}

/* The first message of this type since the last call; the caller deletes it. */
static cJSON *take(const char *type) {
    cJSON *found = NULL;
    for (int i = 0; i < told_count; i++) {
        cJSON *json = cJSON_Parse(told[i]);
        const char *its =
            cJSON_GetStringValue(cJSON_GetObjectItem(json, "type"));
        if (!found && its && strcmp(its, type) == 0) {
            found = json;
        } else {
            cJSON_Delete(json);
        }
        free(told[i]); /* allocated by strndup */
    }
    told_count = 0;
    ck_assert_msg(found != NULL, "no message '%s'", type);
    return found;
}

static double number(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    ck_assert_msg(cJSON_IsNumber(item), "%s is no number", name);
    return item->valuedouble;
}

typedef struct stage {
    sb_host *host;
    session *session;
    int64_t steps;
} stage;

static stage open_stage(const char *record) {
    stage self = {0};
    sb_error err = {0};
    sb_host_def host = sb_host_def_default();
    session_def def = {.send = hear, .record = record};
    ck_assert_int_eq(session_open(&def, &self.session, &err), SB_OK);
    ck_assert_msg(sb_host_open(scratch_path("alone.lua"), &host, &self.host,
                               &err) == SB_OK,
                  "%s", err.message);
    session_attach(self.session, self.host, NULL, scratch_path("alone.lua"),
                   false);
    ck_assert(session_enter(self.session, HAND));
    return self;
}

static void close_stage(stage *self) {
    session_close(self->session);
    sb_host_close(self->host);
}

static double step(stage *self) {
    double from_s = 0.01 * (double)self->steps, to_s = from_s + 0.01;
    float stereo[2 * STEP_FRAMES], peak = 0.0F;
    sb_error err = {0};
    session_idle(self->session);
    session_step(self->session, from_s, to_s);
    ck_assert_int_eq(sb_host_step(self->host, from_s, to_s, &err), SB_OK);
    sb_engine *engine = sb_host_engine(self->host);
    (void)sb_engine_flush(engine, (self->steps + 1) * STEP_FRAMES);
    sb_engine_pull(engine, stereo, STEP_FRAMES);
    for (int n = 0; n < 2 * STEP_FRAMES; n++)
        peak = fmaxf(peak, fabsf(stereo[n]));
    self->steps++;
    return (double)peak;
}

static void act(stage *self, const char *text) {
    cJSON *json = cJSON_Parse(text);
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(json, "type"));
    ck_assert_uint_ne(session_act_kind(type) & ACT_IS_KNOWN, 0);
    session_act(self->session, HAND, json, 0.01 * (double)self->steps);
    cJSON_Delete(json);
}

START_TEST(a_strike_is_answered_and_heard) {
    stage on = open_stage(NULL);
    ck_assert_int_eq(session_state_of(on.session).phase, SESSION_PLAYING);
    ck_assert_double_eq(step(&on), 0.0);
    act(&on, "{\"type\":\"strike\",\"id\":3,\"body\":1,\"speed\":1}");
    cJSON *reply = take("struck");
    ck_assert_double_eq(number(reply, "id"), 3);
    ck_assert_double_gt(number(reply, "impulse"), 0.0);
    cJSON_Delete(reply);
    double peak = 0.0;
    for (int i = 0; i < 10; i++)
        peak = fmax(peak, step(&on));
    ck_assert_double_gt(peak, 1e-4);
    act(&on, "{\"type\":\"strike\",\"id\":4,\"body\":99}");
    reply = take("error");
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(reply, "code")),
                     "no_such_body");
    cJSON_Delete(reply);
    close_stage(&on);
}
END_TEST

/* By the quick law modes have none. */
START_TEST(a_pattern_is_told) {
    stage on = open_stage(NULL);
    act(&on, "{\"type\":\"pattern\",\"id\":8,\"body\":1,\"n\":2}");
    cJSON *reply = take("pattern");
    ck_assert_double_eq(number(reply, "n"), 2);
    ck_assert_double_eq(number(reply, "order"), -1);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(reply, "coefs")),
                     0);
    cJSON_Delete(reply);
    for (int i = 0; i < 2; i++) {
        act(&on, i ? "{\"type\":\"pattern\",\"body\":1,\"n\":9999}"
                   : "{\"type\":\"pattern\",\"body\":1}");
        reply = take("error");
        ck_assert_str_eq(
            cJSON_GetStringValue(cJSON_GetObjectItem(reply, "code")),
            "no_such_mode");
        cJSON_Delete(reply);
    }
    close_stage(&on);
}
END_TEST

/* Replies that wait for a solve come with a later step. */
START_TEST(a_material_is_replied_to_when_it_is_solved) {
    stage on = open_stage(NULL);
    (void)step(&on);
    act(&on, "{\"type\":\"material.set\",\"id\":5,\"body\":1,\"name\":"
             "\"glass\"}");
    cJSON *json = NULL;
    for (int i = 0; i < 1000 && !json; i++) {
        (void)step(&on);
        for (int k = 0; k < told_count && !json; k++)
            if (strstr(told[k], "\"change\"")) json = take("ok");
    }
    ck_assert_ptr_nonnull(json);
    ck_assert_double_eq(number(json, "id"), 5);
    cJSON_Delete(json);
    close_stage(&on);
}
END_TEST

/* A hand shows what it sent at once; its undo may come in the same step. */
START_TEST(a_value_and_its_undo_are_told) {
    stage on = open_stage(NULL);
    for (int i = 0; i < 50; i++)
        (void)step(&on);
    act(&on, "{\"type\":\"mode.limit\",\"body\":1,\"count\":3}");
    act(&on, "{\"type\":\"mode.limit\",\"body\":1,\"count\":0}");
    cJSON_Delete(take("ok"));
    (void)step(&on);
    cJSON *json = take("settings");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "limit")), 0);
    cJSON_Delete(json);
    close_stage(&on);
}
END_TEST

/* --- records --------------------------------------------------------------------- */

typedef struct sound {
    float frames[2 * 48000];
    int count;
} sound;

static sb_status keep(void *user, const float *stereo, int frames,
                      sb_error *err) {
    sound *self = user;
    (void)err;
    ck_assert_int_le(self->count + frames, 48000);
    memcpy(self->frames + 2 * self->count, stereo,
           2 * sizeof *stereo * (size_t)frames);
    self->count += frames;
    return SB_OK;
}

static sound sounds[2];

/* Do it in a scene, and what was recorded twice again. */
static void record_and_replay(const char *const *acts, int count) {
    char record[300];
    sb_error err = {0};
    sb_host_def host = sb_host_def_default();
    (void)snprintf(record, sizeof record, "%s", scratch_path("alone.jsonl"));
    stage on = open_stage(record);
    (void)step(&on);
    for (int i = 0; i < count; i++)
        act(&on, acts[i]);
    for (int i = 0; i < 5; i++)
        (void)step(&on);
    close_stage(&on);
    for (int i = 0; i < 2; i++) {
        sounds[i].count = 0;
        double seconds = 0.0;
        session_replaying def = {.scene = scratch_path("alone.lua"),
                                 .file = record,
                                 .seconds = 0.5,
                                 .host = &host,
                                 .sink = keep,
                                 .user = &sounds[i]};
        ck_assert_msg(session_replay(&def, &seconds, &err) == SB_OK, "%s",
                      err.message);
        ck_assert_double_eq_tol(seconds, 0.5, 1e-3);
    }
    ck_assert_int_eq(sounds[0].count, sounds[1].count);
    ck_assert_mem_eq(sounds[0].frames, sounds[1].frames,
                     2 * sizeof(float) * (size_t)sounds[0].count);
    float peak = 0.0F;
    for (int n = 0; n < 2 * sounds[0].count; n++)
        peak = fmaxf(peak, fabsf(sounds[0].frames[n]));
    ck_assert_float_gt(peak, 1e-4F);
}

#define STRIKE "{\"type\":\"strike\",\"body\":1,\"speed\":2}"

START_TEST(a_record_done_again_gives_the_same_sound) {
    static const char *const acts[] = {
        STRIKE, "{\"type\":\"mode.set\",\"body\":1,\"n\":2,\"mute\":true}"};
    record_and_replay(acts, 2);
}
END_TEST

/* --- the room -------------------------------------------------------------------- */

static double nth(const cJSON *list, int i) {
    return cJSON_GetArrayItem(list, i)->valuedouble;
}

/* Six walls that absorb .2 of 6 x 3 x 8 m: Sabine's formula, in dry air. */
START_TEST(a_room_is_told_with_its_t60) {
    stage on = open_stage(NULL);
    for (int i = 0; i < 50; i++)
        (void)step(&on);
    act(&on,
        "{\"type\":\"room.set\",\"size\":[6,3,8],\"decay\":\"sabine\","
        "\"walls\":{\"left\":0.2,\"right\":0.2,\"floor\":0.2,\"ceiling\":"
        "[0.2,0.2,0.2,0.2,0.2,0.2,0.2],\"front\":0.2,\"back\":\"carpet\"}}");
    act(&on, "{\"type\":\"room.set\",\"walls\":{\"back\":0.2}}");
    (void)step(&on);
    cJSON *room = take("room");
    const cJSON *t60 = cJSON_GetObjectItem(room, "t60");
    ck_assert_int_eq(cJSON_GetArraySize(t60), 7);
    double area = 0.2 * 2 * (6 * 3 + 6 * 8 + 3 * 8), volume = 6 * 3 * 8;
    ck_assert_double_eq_tol(nth(t60, 0), 0.161 * volume / area, 0.01);
    const cJSON *walls = cJSON_GetObjectItem(room, "walls");
    ck_assert_int_eq(cJSON_GetArraySize(walls), 6);
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(walls->child, "material")));
    cJSON_Delete(room);
    act(&on, "{\"type\":\"room.set\",\"size\":[0,0,0],\"reverb\":{\"t60\":2}}");
    (void)step(&on);
    room = take("room");
    for (int i = 0; i < 7; i++)
        ck_assert_double_eq(nth(cJSON_GetObjectItem(room, "t60"), i), 2.0);
    cJSON_Delete(room);
    close_stage(&on);
}
END_TEST

START_TEST(what_is_no_room_is_refused) {
    static const char *const bad[] = {"\"size\":[6,3,0.1]",
                                      "\"size\":[6,3]",
                                      "\"size\":[6,3,8e4]",
                                      "\"decay\":\"slow\"",
                                      "\"walls\":{\"left\":\"jelly\"}",
                                      "\"walls\":{\"left\":2}",
                                      "\"walls\":{\"left\":[1,1]}",
                                      "\"reverb\":{\"t60\":-1}",
                                      "\"reverb\":{\"t60\":[0,1,1,1,1,1,1]}",
                                      "\"response\":true",
                                      "\"response\":\"hall.wav\""};
    stage on = open_stage(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "{\"type\":\"room.set\",%s}", bad[i]);
        act(&on, text);
        cJSON *reply = take("error");
        ck_assert_str_eq(
            cJSON_GetStringValue(cJSON_GetObjectItem(reply, "code")),
            "bad_field");
        cJSON_Delete(reply);
    }
    close_stage(&on);
}
END_TEST

START_TEST(a_room_is_recorded) {
    static const char *const acts[] = {
        STRIKE, "{\"type\":\"room.set\",\"size\":[6,3,8]}",
        "{\"type\":\"room.set\",\"reverb\":{\"t60\":2,\"level\":10}}"};
    static float dry[4800];
    record_and_replay(acts, 1);
    memcpy(dry, sounds[0].frames + (ptrdiff_t)4800 * 8, sizeof dry);
    record_and_replay(acts, 3);
    double changed = 0.0, was = 0.0;
    for (int n = 0; n < 4800; n++) {
        double now = (double)sounds[0].frames[4800 * 8 + n];
        changed += pow(now - (double)dry[n], 2);
        was += pow((double)dry[n], 2);
    }
    ck_assert_double_gt(changed, 0.1 * was);
}
END_TEST

START_TEST(functions_of_a_scene_allow_no_session) {
    sb_error err = {.message = "a mistake"};
    session_step(NULL, 0.0, 0.01);
    session_idle(NULL);
    session_tell(NULL, "a line");
    session_failed(NULL, &err, "a mistake");
    session_loaded(NULL, NULL, &err);
    session_detach(NULL);
    ck_assert_ptr_null(session_wanted(NULL));
    ck_assert(!session_is_left(NULL));
    session_close(NULL);
}
END_TEST

static void setup(void) {
    scratch_make();
    FILE *file = fopen(scratch_path("alone.lua"), "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(scene_text, file);
    ck_assert_int_eq(fclose(file), 0);
}

int main(void) {
    Suite *suite = suite_create("studio: session");
    TCase *tcase = tcase_create("session");
    tcase_add_checked_fixture(tcase, setup, scratch_remove);
    tcase_add_test(tcase, a_strike_is_answered_and_heard);
    tcase_add_test(tcase, a_pattern_is_told);
    tcase_add_test(tcase, a_material_is_replied_to_when_it_is_solved);
    tcase_add_test(tcase, a_value_and_its_undo_are_told);
    tcase_add_test(tcase, a_record_done_again_gives_the_same_sound);
    tcase_add_test(tcase, a_room_is_told_with_its_t60);
    tcase_add_test(tcase, what_is_no_room_is_refused);
    tcase_add_test(tcase, a_room_is_recorded);
    tcase_add_test(tcase, functions_of_a_scene_allow_no_session);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
