/* SPDX-License-Identifier: MIT */
/* Every field of every record, one step outside its range and at its ends, by
 * every door: Lua, a page's message, the library. What one refuses all refuse,
 * with the same name, range and unit; and so does what they accept. */
#include "bindings/library/sandbell.h"
#include "runtime/base/memory.h"
#include "runtime/base/quality_def.h"
#include "runtime/model/material.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/room_def.h"
#include "tests/studio/stage_test.h"

#include <stdio.h>

enum { MESSAGE = 600 };

/* A member of a struct of sandbell.h that is a row's number. */
typedef struct member {
    const char *name;
    size_t offset;
} member;

typedef void library_door(const member *at, const sb_field *row,
                          const double value[3], sandbell_error *err);

typedef struct record {
    const char *name;
    const sb_field *fields;
    const char *lua;  /* %s: name = value */
    const char *page; /* a message without its last brace; %s: "name":value */
    const member *members;
    library_door *library;
} record;

static sandbell_scene *scene;
static sandbell_body bar;
static page one;

/* --- the library ---------------------------------------------------------------- */

static void put(void *def, const member *at, const sb_field *row,
                const double value[3]) {
    size_t count = row->kind == SB_FIELD_VEC3 ? 3 : 1;
    memcpy((char *)def + at->offset, value, count * sizeof *value);
}

#define TO(type, name, field) \
    { name, offsetof(type, field) }

static const member of_strike[] = {
    TO(sandbell_strike_def, "speed", speed_m_s),
    TO(sandbell_strike_def, "impulse", impulse_ns),
    TO(sandbell_strike_def, "mass", mass_kg),
    TO(sandbell_strike_def, "radius", radius_m),
    TO(sandbell_strike_def, "hardness", hardness_n_m),
    TO(sandbell_strike_def, "stiffness", stiffness),
    TO(sandbell_strike_def, "exponent", exponent),
    TO(sandbell_strike_def, "lambda", lambda),
    {NULL, 0}};

static void strike(const member *at, const sb_field *row, const double value[3],
                   sandbell_error *err) {
    sandbell_strike_def def = sandbell_strike_def_default();
    put(&def, at, row, value);
    (void)sandbell_strike(scene, bar, NULL, &def, SANDBELL_NOW, NULL, err);
}

static const member of_contact[] = {
    TO(sandbell_contact_def, "mass", mass_kg),
    TO(sandbell_contact_def, "radius", radius_m),
    TO(sandbell_contact_def, "stiffness", stiffness),
    TO(sandbell_contact_def, "exponent", exponent),
    TO(sandbell_contact_def, "lambda", lambda),
    TO(sandbell_contact_def, "level", level),
    {NULL, 0}};

/* What is no member is a param. */
static void contact(const member *at, const sb_field *row,
                    const double value[3], sandbell_error *err) {
    sandbell_contact_def def = sandbell_contact_def_default();
    sandbell_setting param = {row->name, *value};
    sandbell_contact out = {0};
    def.kind = "slide";
    def.body = bar;
    if (at->name) {
        put(&def, at, row, value);
    } else {
        def.params = &param;
        def.param_count = 1;
    }
    (void)sandbell_contact_begin(scene, &def, NULL, SANDBELL_NOW, &out, err);
    (void)sandbell_contact_end(scene, out, SANDBELL_NOW, 0, NULL);
}

static const member of_load[] = {TO(sandbell_load, "force", force_n),
                                 TO(sandbell_load, "speed", speed_m_s[0]),
                                 TO(sandbell_load, "with_speed", speed_m_s[1]),
                                 TO(sandbell_load, "slip", slip_m_s),
                                 TO(sandbell_load, "ramp", ramp_s),
                                 {NULL, 0}};

static void load(const member *at, const sb_field *row, const double value[3],
                 sandbell_error *err) {
    sandbell_contact_def def = sandbell_contact_def_default();
    sandbell_load to = sandbell_load_default();
    sandbell_contact out = {0};
    def.kind = "slide";
    def.body = bar;
    put(&to, at, row, value);
    (void)sandbell_contact_begin(scene, &def, &to, SANDBELL_NOW, &out, err);
    (void)sandbell_contact_end(scene, out, SANDBELL_NOW, 0, NULL);
}

static const member of_listener[] = {
    TO(sandbell_listener, "position", position),
    TO(sandbell_listener, "facing", facing),
    TO(sandbell_listener, "gain", gain),
    TO(sandbell_listener, "velocity", velocity),
    TO(sandbell_listener, "spacing", spacing_m),
    {NULL, 0}};

static void listener(const member *at, const sb_field *row,
                     const double value[3], sandbell_error *err) {
    sandbell_listener def = sandbell_listener_default();
    put(&def, at, row, value);
    (void)sandbell_set_listener(scene, &def, SANDBELL_NOW, err);
}

static const member of_material[] = {
#define MATERIAL_FIELD(field, ...) TO(sandbell_material, #field, field),
#include "runtime/model/material_fields.def"
#undef MATERIAL_FIELD
    {NULL, 0}};

static void material(const member *at, const sb_field *row,
                     const double value[3], sandbell_error *err) {
    sandbell_material def = sandbell_material_default();
    put(&def, at, row, value);
    (void)sandbell_body_set_material(scene, bar, &def, SANDBELL_NOW, err);
}

static const member of_body[] = {TO(sandbell_body_def, "position", position),
                                 TO(sandbell_body_def, "velocity", velocity),
                                 TO(sandbell_body_def, "spin", spin),
                                 TO(sandbell_body_def, "mass", mass_kg),
                                 TO(sandbell_body_def, "gain", gain),
                                 {NULL, 0}};

static void body(const member *at, const sb_field *row, const double value[3],
                 sandbell_error *err) {
    sandbell_body_def def = sandbell_body_def_default();
    sandbell_body out;
    def.name = "x";
    def.shape = "rigid";
    def.radius = 0.01;
    put(&def, at, row, value);
    if (!sandbell_body_add(scene, &def, SANDBELL_NOW, &out, err))
        ck_assert_int_eq(sandbell_body_remove(scene, out, SANDBELL_NOW, NULL),
                         0);
}

static const member of_pose[] = {TO(sandbell_pose, "position", position),
                                 TO(sandbell_pose, "velocity", velocity),
                                 TO(sandbell_pose, "spin", spin),
                                 {NULL, 0}};

static void pose(const member *at, const sb_field *row, const double value[3],
                 sandbell_error *err) {
    sandbell_pose def = sandbell_pose_default();
    put(&def, at, row, value);
    (void)sandbell_body_set_pose(scene, bar, &def, SANDBELL_NOW, err);
}

/* --- the records ----------------------------------------------------------------- */

static const record records[] = {
    {"strike", sb_strike_fields, "bar:strike { speed = 1, %s }",
     "{\"type\":\"strike\",\"body\":%d,%s", of_strike, strike},
    {"striker", sb_indenter_fields, "bar:strike { speed = 1, %s }",
     "{\"type\":\"strike\",\"body\":%d,\"striker\":{%s}", of_strike, strike},
    {"contact", sb_lasting_fields, "bar:contact { kind = 'slide', %s }:stop(0)",
     "{\"type\":\"scrape\",\"phase\":\"begin\",\"body\":%d,%s", of_contact,
     contact},
    {"load", sb_lasting_change_fields,
     "bar:contact { kind = 'slide', %s }:stop(0)",
     "{\"type\":\"scrape\",\"phase\":\"begin\",\"body\":%d,%s", of_load, load},
    {"listener", sb_listener_fields, "sb.listener { %s }", NULL, of_listener,
     listener},
    {"quality", sb_quality_fields, "sb.quality { %s }",
     "{\"type\":\"quality.set\",\"body\":%d,%s", NULL, NULL},
    {"room", sb_hall_fields, "sb.room { %s }",
     "{\"type\":\"room.set\",\"body\":%d,%s", NULL, NULL},
    {"reverb", sb_reverb_fields, "sb.reverb { %s }",
     "{\"type\":\"room.set\",\"body\":%d,\"reverb\":{%s}", NULL, NULL},
    {"material", sb_material_fields, "sb.material('steel', { %s })",
     "{\"type\":\"material.set\",\"body\":%d,%s", of_material, material},
    {"body", sb_body_fields,
     "sb.body('x', { shape = sb.rigid { radius = 0.01 }, motion = 'free', %s "
     "}):remove()",
     NULL, of_body, body},
    {"pose", sb_pose_fields, NULL,
     "{\"type\":\"throw\",\"phase\":\"release\",\"body\":%d,%s", of_pose, pose},
};

/* --- the doors ------------------------------------------------------------------- */

static void by_lua(const record *r, const char *field, char *out) {
    char text[400];
    char *result = NULL;
    bool is_incomplete;
    sb_error err = {0};
    (void)snprintf(text, sizeof text, r->lua, field);
    if (sb_host_evaluate(on.host, text, &result, &is_incomplete, &err))
        (void)snprintf(out, MESSAGE, "%s", err.message);
    sb_free(result);
}

static void by_page(const record *r, const char *field, char *out) {
    char text_[400];
    int ball = body_id("ball");
    if (strcmp(r->name, "pose") == 0)
        ASK(&one, "ok",
            "{\"type\":\"throw\",\"phase\":\"grab\",\"body\":%d,"
            "\"point\":[5,1,0]",
            ball);
    (void)snprintf(text_, sizeof text_, r->page, body_id("bar"), field);
    cJSON *reply = page_ask(&one, &on, "%s", text_);
    ck_assert_ptr_nonnull(reply);
    if (strcmp(type_of(reply), "error") == 0)
        (void)snprintf(out, MESSAGE, "%s", text(reply, "message"));
    cJSON_Delete(reply);
}

static void by_library(const record *r, const sb_field *row,
                       const double value[3], char *out) {
    sandbell_error err = {0};
    const member *at = r->members;
    while (at->name && strcmp(at->name, row->name) != 0)
        at++;
    if (!at->name && (r->library != contact || row->kind != SB_FIELD_NUMBER))
        return;
    r->library(at, row, value, &err);
    (void)snprintf(out, MESSAGE, "%s", err.text);
}

/* --- the walk --------------------------------------------------------------------- */

/* The field as Lua or JSON has it. */
static void show(const sb_field *row, const double value[3], bool is_json,
                 char out[200]) {
    char number_[128];
    const char *const open = is_json ? "[" : "{ ";
    if (row->kind == SB_FIELD_VEC3)
        (void)snprintf(number_, sizeof number_, "%s%.17g, %.17g, %.17g%s", open,
                       value[0], value[1], value[2], is_json ? "]" : " }");
    else
        (void)snprintf(number_, sizeof number_, "%.17g", value[0]);
    (void)snprintf(out, 200, is_json ? "\"%s\":%s" : "%s = %s", row->name,
                   number_);
}

/* "mass must be a number from 1e-06 to 10000 kg, got " */
static void sentence_of(const sb_field *row, char out[SB_FIELD_SENTENCE]) {
    char name[64];
    sb_field part = *row;
    (void)snprintf(name, sizeof name, "%s%s", row->name,
                   row->kind == SB_FIELD_VEC3 ? "[1]" : "");
    part.name = name;
    (void)sb_field_refusal(&part, "", out);
}

static void expect(const record *r, const sb_field *row, double first,
                   bool is_refused) {
    /* A facing has a length. */
    const double value[3] = {first, 0.0, strcmp(row->name, "facing") ? 0 : -1};
    static const char *const doors[] = {"Lua", "the page", "the library"};
    char said[3][MESSAGE] = {"", "", ""}, field[200];
    char sentence[SB_FIELD_SENTENCE];
    bool has[3] = {r->lua != NULL, r->page != NULL, r->library != NULL};
    sentence_of(row, sentence);
    show(row, value, false, field);
    if (has[0]) by_lua(r, field, said[0]);
    show(row, value, true, field);
    if (has[1]) by_page(r, field, said[1]);
    if (has[2]) {
        (void)snprintf(said[2], MESSAGE, "-");
        by_library(r, row, value, said[2]);
        has[2] = strcmp(said[2], "-") != 0;
    }
    for (int i = 0; i < 3; i++) {
        if (!has[i]) continue;
        if (is_refused)
            ck_assert_msg(strstr(said[i], sentence),
                          "%s: %s = %.17g, %s: \"%s\", wanted \"%s\"", r->name,
                          row->name, first, doors[i], said[i], sentence);
        else
            ck_assert_msg(!strstr(said[i], " must be a"),
                          "%s: %s = %.17g, %s: \"%s\"", r->name, row->name,
                          first, doors[i], said[i]);
    }
}

static void open_doors(void) {
    setup();
    page_open(&one, &on, "[]");
    ck_assert_int_eq(
        sandbell_scene_open_text(
            "local sb = require 'sandbell'\n"
            "sb.body('bar', { material = 'steel', shape = sb.bar {\n"
            "length = 0.2, width = 0.02, thickness = 0.005 } })\n",
            NULL, NULL, &scene, NULL),
        0);
    bar = sandbell_body_find(scene, "bar");
}

static void close_doors(void) {
    page_close(&one);
    sandbell_scene_close(scene);
    teardown();
}

/* 0 is "not given" in a struct of the library, but for what has no other. */
static bool has_zero(const record *r) {
    return r->fields == sb_indenter_fields || r->fields == sb_strike_fields ||
           r->fields == sb_lasting_fields;
}

START_TEST(all_doors_refuse_and_accept_alike) {
    const record *r = &records[_i];
    int count = 0;
    for (const sb_field *row = r->fields; row->name; row++) {
        if (row->kind == SB_FIELD_CHOICE || row->kind == SB_FIELD_OTHER)
            continue;
        double step = row->kind == SB_FIELD_COUNT ? 1.0 : 0.0;
        double below = step > 0.0 ? row->min - step
                                  : nextafter(row->min, -(double)INFINITY);
        double above = step > 0.0 ? row->max + step
                                  : nextafter(row->max, (double)INFINITY);
        expect(r, row, below, true);
        expect(r, row, above, true);
        if (!has_zero(r) || row->min != 0.0) expect(r, row, row->min, false);
        expect(r, row, row->max, false);
        count++;
    }
    ck_assert_int_ge(count, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fields");
    TCase *tcase = tcase_create("doors");
    tcase_add_checked_fixture(tcase, open_doors, close_doors);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, all_doors_refuse_and_accept_alike, 0,
                        sizeof records / sizeof *records);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
