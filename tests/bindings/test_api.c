/* SPDX-License-Identifier: MIT */
/* The registered functions, the stubs for editors and the behaviour agree on
 * all names. That the stored files are those the program prints is the test
 * `generated`.
 */
#include "bindings/api/api.h"
#include "bindings/host/host.h"
#include "bindings/reference/reference.h"
#include "bindings/script/script_internal.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

static sb_host *host;

static void open_host(void) {
    sb_error err = {0};
    sb_host_def def = sb_host_def_default();
    ck_assert_msg(!sb_host_open(NULL, &def, &host, &err), "%s", err.message);
}

static void close_host(void) {
    sb_host_close(host);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static char *print_to_memory(void (*print)(FILE *)) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    print(stream);
    (void)fclose(stream);
    return text;
}

static bool has_function(const bind_function *functions, const char *name) {
    for (; functions && functions->name; functions++) {
        if (strcmp(functions->name, name) == 0) return true;
    }
    return false;
}

static bool is_described(const char *name) {
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        if (has_function((*at)->functions, name)) return true;
    }
    return api_find_field(module_fields, name, strlen(name));
}

/* --- registration --------------------------------------------------------- */

START_TEST(sb_holds_what_the_chapters_say_and_nothing_else) {
    lua_State *L = sb_host_script(host)->L;
    script_push_module(L);
    int sb = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, sb)) {
        ck_assert_msg(is_described(lua_tostring(L, -2)),
                      "sb.%s is not described", lua_tostring(L, -2));
        lua_pop(L, 1);
    }
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        for (const bind_function *f = (*at)->functions; f && f->name; f++) {
            ck_assert_msg(lua_getfield(L, sb, f->name) == LUA_TFUNCTION,
                          "sb.%s is not registered", f->name);
            ck_assert_msg(*f->help, "sb.%s has no help", f->name);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, 0);
}
END_TEST

static void check_type(lua_State *L, const bind_type *type) {
    luaL_getmetatable(L, type->name);
    int index = lua_getfield(L, -1, "__index");
    if (index == LUA_TFUNCTION) { /* properties, no methods */
        ck_assert_ptr_nonnull(type->properties);
        ck_assert_ptr_null(type->methods);
        return;
    }
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        ck_assert_msg(has_function(type->methods, lua_tostring(L, -2)),
                      "%s:%s is not described", type->name,
                      lua_tostring(L, -2));
        lua_pop(L, 1);
    }
    for (const bind_function *f = type->methods; f && f->name; f++) {
        lua_pushstring(L, f->name);
        ck_assert_msg(lua_rawget(L, -2) == LUA_TFUNCTION,
                      "%s:%s is not registered", type->name, f->name);
        lua_pop(L, 1);
    }
}

START_TEST(types_have_the_methods_that_are_described) {
    lua_State *L = sb_host_script(host)->L;
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        if ((*at)->type) check_type(L, (*at)->type);
        lua_settop(L, 0);
    }
}
END_TEST

/* --- texts ---------------------------------------------------------------- */

START_TEST(the_stubs_are_valid_lua) {
    char *stubs = print_to_memory(api_print_stubs);
    lua_State *L = luaL_newstate();
    ck_assert_msg(luaL_loadstring(L, stubs) == LUA_OK, "%s",
                  lua_tostring(L, -1));
    lua_close(L);
    free(stubs);
}
END_TEST

START_TEST(the_stubs_name_every_function_field_and_range) {
    char *text = print_to_memory(api_print_stubs);
    char line[200];
    ck_assert_ptr_nonnull(text);
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        for (const bind_function *f = (*at)->functions; f && f->name; f++) {
            (void)snprintf(line, sizeof line, "\nfunction sb.%s(", f->name);
            ck_assert_msg(strstr(text, line), "stubs lack sb.%s", f->name);
        }
        for (const bind_record *r = (*at)->records; r && r->name; r++) {
            ck_assert_msg(strstr(text, r->name), "stubs lack %s", r->name);
            for (const bind_field *f = r->fields; f->name; f++) {
                ck_assert_msg(*f->help, "%s.%s: no help", r->name, f->name);
            }
        }
        const bind_type *type = (*at)->type;
        if (!type) continue;
        for (const bind_function *f = type->methods; f && f->name; f++) {
            (void)snprintf(line, sizeof line, "\nfunction %s:%s(",
                           strchr(type->name, '.') + 1, f->name);
            ck_assert_msg(strstr(text, line), "stubs lack %s:%s", type->name,
                          f->name);
        }
    }
    ck_assert_ptr_nonnull(
        strstr(text, "---@field length number 1e-05 .. 100 m; along x\n"));
    free(text);
}
END_TEST

/* --- what really happens -------------------------------------------------- */

/* The result, or the error's message: free it with sb_free. */
static char *evaluate(const char *text) {
    char *result = NULL;
    bool is_incomplete;
    sb_error err = {0};
    if (sb_host_evaluate(host, text, &result, &is_incomplete, &err)) {
        return sb_copy_text(err.message);
    }
    return result ? result : sb_copy_text("");
}

static void run(const char *text) {
    char *result = evaluate(text);
    ck_assert_str_eq(result, "");
    sb_free(result);
}

START_TEST(options_are_those_of_the_records) {
    static const struct {
        const char *record, *call;
    } calls[] = {
        {"sandbell.BodyDef", "sb.body('x', { zz = 1 })"},
        {"sandbell.StrikeDef", "bar:strike { zz = 1 }"},
        {"sandbell.At", "bar:strike { speed = 1, at = { zz = 1 } }"},
        {"sandbell.BarDef", "sb.bar { zz = 1 }"},
        {"sandbell.PlateDef", "sb.plate { zz = 1 }"},
        {"sandbell.DiskDef", "sb.disk { zz = 1 }"},
        {"sandbell.MembraneDef", "sb.membrane { zz = 1 }"},
        {"sandbell.StringDef", "sb.string { zz = 1 }"},
        {"sandbell.RingDef", "sb.ring { zz = 1 }"},
        {"sandbell.ModeDef", "sb.modes { { zz = 1 } }"},
        {"sandbell.MaterialDef", "sb.material('steel', { zz = 1 })"},
        {"sandbell.ListenerDef", "sb.listener { zz = 1 }"},
        {"sandbell.AirDef", "sb.air { zz = 1 }"},
        {"sandbell.ParamDef", "sb.param('p', { zz = 1 })"},
    };
    run("bar = sb.body('bar', { shape = sb.modes { { 440, 1 } } })");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char known[400] = "(known: ";
        const bind_record *record = api_find_record(calls[i].record);
        ck_assert_ptr_nonnull(record);
        for (const bind_field *f = record->fields; f->name; f++) {
            (void)strcat(known, f->name);
            (void)strcat(known, f[1].name ? ", " : ")");
        }
        char *message = evaluate(calls[i].call);
        ck_assert_msg(strstr(message, known), "%s says %s, wanted %s",
                      calls[i].call, message, known);
        sb_free(message);
    }
}
END_TEST

/* Every key of the table `expression` is a field of the record and, but for
 * `optional`, the other way round. */
static void check_keys(const char *expression, const char *name,
                       const char *optional) {
    char text[400];
    const bind_record *record = api_find_record(name);
    ck_assert_ptr_nonnull(record);
    for (const bind_field *f = record->fields; f->name; f++) {
        (void)snprintf(text, sizeof text, "(%s).%s ~= nil", expression,
                       f->name);
        char *there = evaluate(text);
        ck_assert_msg(strcmp(there, "true") == 0 ||
                          strcmp(f->name, optional) == 0,
                      "%s: %s", text, there);
        sb_free(there);
    }
    (void)snprintf(text, sizeof text,
                   "local n = 0 for k in pairs(%s) do n = n + 1 end return n",
                   expression);
    int count = 0;
    for (const bind_field *f = record->fields; f->name; f++)
        count += strcmp(f->name, optional) != 0;
    char *keys = evaluate(text);
    ck_assert_msg(strtol(keys, NULL, 10) == count, "%s has %s fields, not %d",
                  expression, keys, count);
    sb_free(keys);
}

START_TEST(results_have_the_fields_that_are_described) {
    run("bar = sb.body('bar', { shape = sb.modes { { 440, 1 } } })");
    run("function scene.contact(c) seen = c end");
    run("ball = sb.body('ball', { shape = sb.rigid { radius = 0.01 } })");
    run("struck = bar:strike { speed = 1, with = ball }");
    ck_assert_int_eq(sb_host_step(host, 0.0, 0.01, NULL), SB_OK);
    check_keys("struck", "sandbell.Struck", "");
    check_keys("seen", "sandbell.Contact", "");
    check_keys("bar:modes()[1]", "sandbell.Mode", "");
    check_keys("sb.stats()", "sandbell.Stats", "");
    run("steel = sb.material 'steel'");
    const bind_field *p = api_find_type("sandbell.Material")->properties;
    for (; p->name; p++) {
        char text[100];
        (void)snprintf(text, sizeof text, "steel.%s ~= nil", p->name);
        char *there = evaluate(text);
        ck_assert_msg(strcmp(there, "true") == 0, "%s: %s", text, there);
        sb_free(there);
    }
}
END_TEST

START_TEST(callbacks_are_called_as_described) {
    run("seen = {}");
    for (const bind_field *f = scene_callbacks; f->name; f++) {
        char text[100];
        (void)snprintf(text, sizeof text,
                       "function scene.%s() seen.%s = true end", f->name,
                       f->name);
        run(text);
    }
    script_call_first(sb_host_script(host), SCRIPT_START);
    script_call_first(sb_host_script(host), SCRIPT_RELOAD);
    run("bar = sb.body('bar', { shape = sb.modes { { 440, 1 } } })");
    run("local _ = bar:strike { speed = 1 }");
    ck_assert_int_eq(sb_host_step(host, 0.0, 0.01, NULL), SB_OK);
    char *seen = evaluate("seen");
    ck_assert_str_eq(
        seen, "{ contact = true, reload = true, start = true, update = true }");
    sb_free(seen);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("api");
    TCase *texts = tcase_create("texts");
    tcase_add_test(texts, the_stubs_are_valid_lua);
    tcase_add_test(texts, the_stubs_name_every_function_field_and_range);
    suite_add_tcase(suite, texts);
    TCase *live = tcase_create("live");
    tcase_add_checked_fixture(live, open_host, close_host);
    tcase_add_test(live, sb_holds_what_the_chapters_say_and_nothing_else);
    tcase_add_test(live, types_have_the_methods_that_are_described);
    tcase_add_test(live, options_are_those_of_the_records);
    tcase_add_test(live, results_have_the_fields_that_are_described);
    tcase_add_test(live, callbacks_are_called_as_described);
    suite_add_tcase(suite, live);
    return run_suite(suite);
}
