/* SPDX-License-Identifier: MIT */
/* tests/studio/stage_test.h -- a scene that pages act on, and short words for
 * what tests of the studio ask. Included by their main files only. */
#pragma once

#include "tests/scratch.h"
#include "tests/studio/page_client.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local p = sb.param('p', { max = 2, default = 1 })\n"
    "bar = sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005, "
    "  radiation = 'quick' } })\n"
    "sb.body('plate', { material = 'glass', position = { 0.5, 0, 0 },\n"
    "  shape = sb.plate { width = 0.2, depth = 0.15, thickness = 0.004, "
    "  radiation = 'quick' } })\n"
    "sb.body('ball', { material = 'steel', motion = 'free',\n"
    "  shape = sb.sphere { radius = 0.01 }, position = { 5, 1, 0 } })\n";

static stage on;

static inline void write_text(const char *name, const char *text) {
    FILE *file = fopen(scratch_path(name), "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

static inline void setup(void) {
    scratch_make();
    write_text("scene.lua", scene_text);
    static char path[300];
    (void)snprintf(path, sizeof path, "%s", scratch_path("scene.lua"));
    stage_open(&on, path);
}

static inline void teardown(void) {
    stage_close(&on);
    (void)unlink(scratch_path("link.lua"));
    scratch_remove();
}

static inline const char *type_of(const cJSON *json) {
    const cJSON *type = cJSON_GetObjectItem(json, "type");
    return cJSON_IsString(type) ? type->valuestring : "none";
}

static inline double number(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    ck_assert_msg(cJSON_IsNumber(item), "%s is missing", name);
    return item->valuedouble;
}

static inline const char *text(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    ck_assert_msg(cJSON_IsString(item), "%s is missing", name);
    return item->valuestring;
}

#define ASK(one, type, ...)                                             \
    do {                                                                \
        cJSON *reply_ = page_ask(one, &on, __VA_ARGS__);                \
        ck_assert_ptr_nonnull(reply_);                                  \
        ck_assert_msg(strcmp(type_of(reply_), type) == 0, "%s: %s",     \
                      type_of(reply_), cJSON_PrintUnformatted(reply_)); \
        cJSON_Delete(reply_);                                           \
    } while (0)

#define EXPECT_ERROR(one, code_, ...)                    \
    do {                                                 \
        cJSON *reply_ = page_ask(one, &on, __VA_ARGS__); \
        ck_assert_str_eq(type_of(reply_), "error");      \
        ck_assert_str_eq(text(reply_, "code"), code_);   \
        cJSON_Delete(reply_);                            \
    } while (0)

static inline int body_id(const char *name) {
    cJSON *all = page_fetch(&on, "scene");
    const cJSON *bodies =
        cJSON_GetObjectItem(cJSON_GetObjectItem(all, "scene"), "bodies");
    const cJSON *body;
    int id = 0;
    cJSON_ArrayForEach(body, bodies) {
        if (strcmp(text(body, "name"), name) == 0) id = (int)number(body, "id");
    }
    cJSON_Delete(all);
    ck_assert_int_gt(id, 0);
    return id;
}

static inline double mode_hz(int body, int n, double *t60) {
    char path[64];
    (void)snprintf(path, sizeof path, "bodies/%d/modes", body);
    cJSON *modes = page_fetch(&on, path);
    const cJSON *row =
        cJSON_GetArrayItem(cJSON_GetObjectItem(modes, "rows"), n - 1);
    double hz = cJSON_GetArrayItem(row, 0)->valuedouble;
    if (t60) *t60 = cJSON_GetArrayItem(row, 1)->valuedouble;
    cJSON_Delete(modes);
    return hz;
}

static inline void strike_end(page *one, int body) {
    ASK(one, "struck",
        "{\"type\":\"strike\",\"body\":%d,\"point\":[0.1,0.0025,0],"
        "\"speed\":1,\"striker\":{\"mass\":0.01}",
        body);
}
