/* SPDX-License-Identifier: MIT */
/* Our string and table functions against Lua's own, on generated arguments: the
 * same results, the same error messages. */
#include "bindings/api/types.h"
#include "bindings/script/script_internal.h"
#include "tests/suite.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

/* `ours` and `real` are the two libraries; `seed` differs from run to run. */
static const char compare[] =
    "local ours, real, rounds = ...\n"
    "local items = { 'a', 'b', '.', '%a', '%d', '%s', '%W', '[ab]', '[^a]',\n"
    "  '[a-c]', '[%d_]', '[]]', '[^]x]', '%b()', '%f[%w]', '%f[^a]', '(', ')',\n"
    "  '()', '%1', '%2', '^', '$', '%%', '%.', '[', '%', '-', ' ', '\\0', 'x',\n"
    "  '%x', '%p', '%g', '%u', '%c', '[%a-z]', '[a-]', '[-a]', '%f', '%b', ']',\n"
    "  '%b', '%bxx', '%0', '%l', '[%', '%\\0' }\n"
    "local tails = { '', '', '', '*', '+', '-', '?' }\n"
    "local letters = { 'a', 'b', 'c', 'x', '(', ')', ' ', '1', '2', '_', '.',\n"
    "  '%', 'A', '\\0', '\\n', '\\200', ']', '-', '$', '^' }\n"
    "local random = math.random\n"
    "local function text(list, most)\n"
    "  local out = {}\n"
    "  for i = 1, random(0, most) do\n"
    "    out[i] = list[random(#list)] .. (list == items and tails[random(#tails)] or '')\n"
    "  end\n"
    "  return table.concat(out)\n"
    "end\n"
    "local function show(...)\n"
    "  local out = { n = select('#', ...), ... }\n"
    "  for i = 1, out.n do out[i] = math.type(out[i]) == nil and real.format('%q', tostring(out[i])) or tostring(out[i]) end\n"
    "  return table.concat(out, ', ')\n"
    "end\n"
    "local function same(name, a, b, ...)\n"
    "  if a ~= b then error(name .. '(' .. show(...) .. ')\\n  ours ' .. a .. '\\n  real ' .. b, 0) end\n"
    "end\n"
    "local function both(name, ...)\n"
    "  local a, b = show(pcall(ours[name], ...)), show(pcall(real[name], ...))\n"
    "  a = real.gsub(a, \"to '[%w.?]*'\", \"to '?'\")\n"
    "  b = real.gsub(b, \"to '[%w.?]*'\", \"to '?'\")\n"
    "  same(name, a, b, ...)\n"
    "end\n"
    "local function all(lib, s, p, init)\n"
    "  return show(pcall(function()\n"
    "    local out = {}\n"
    "    for a, b in lib.gmatch(s, p, init) do\n"
    "      out[#out + 1] = show(a, b)\n"
    "      if #out > 50 then break end\n"
    "    end\n"
    "    return table.concat(out, ' ')\n"
    "  end))\n"
    "end\n"
    "local repls = { 'x', '%0', '%1', '<%1%0>', '%2', '%%', '%', '%z', 7, '' }\n"
    "for i = 1, rounds do\n"
    "  local s, p = text(letters, 12), text(items, 5)\n"
    "  local init = random(4) == 1 and random(-15, 15) or nil\n"
    "  both('find', s, p, init)\n"
    "  both('find', s, text(letters, 2), init, true)\n"
    "  both('match', s, p, init)\n"
    "  same('gmatch', all(ours, s, p, init), all(real, s, p, init), s, p, init)\n"
    "  both('gsub', s, p, repls[random(#repls)], random(3) == 1 and random(0, 3) or nil)\n"
    "  both('gsub', s, p, { a = 'T', b = false, [1] = 1 })\n"
    "  both('gsub', s, p, function(a, b) if a == 'a' then return b end return a and a ~= '' and 'F' end)\n"
    "  both('rep', text(letters, 3), random(-1, 9), random(2) == 1 and text(letters, 2) or nil)\n"
    "end\n"
    "for _, depth in ipairs { 10, 150, 199, 200, 201, 300 } do\n"
    "  for _, item in ipairs { 'a?', 'a*', 'a-', 'a', 'b?', 'b*', '.-', '()' } do\n"
    "    both('find', ('a'):rep(40), item:rep(depth))\n"
    "    both('match', ('a'):rep(40), '(' .. item:rep(depth) .. ')')\n"
    "  end\n"
    "end\n";

static const char compare_tables[] =
    "local ours, real, rounds = ...\n"
    "local random = math.random\n"
    "local function list(n)\n"
    "  local out = {}\n"
    "  for i = 1, n do out[i] = random(20) end\n"
    "  return out\n"
    "end\n"
    "local function text(t)\n"
    "  local out = {}\n"
    "  for i = -5, 70 do out[#out + 1] = tostring(t[i]) end\n"
    "  return table.concat(out, ' ')\n"
    "end\n"
    "local function both(name, source, ...)\n"
    "  local a, b = { table.unpack(source) }, { table.unpack(source) }\n"
    "  local x = table.pack(pcall(ours[name], a, ...))\n"
    "  local y = table.pack(pcall(real[name], b, ...))\n"
    "  for i = 1, math.max(x.n, y.n) do\n"
    "    local u, v = x[i], y[i]\n"
    "    if type(u) == 'string' then u = u:gsub(\"to '[%w.?]*'\", \"to '?'\") v = tostring(v):gsub(\"to '[%w.?]*'\", \"to '?'\") end\n"
    "    if type(u) == 'table' then u, v = text(u), text(v) end\n"
    "    if u ~= v then error(name .. ': ours ' .. tostring(u) .. ' real ' .. tostring(v), 0) end\n"
    "  end\n"
    "  if text(a) ~= text(b) then error(name .. ': ours ' .. text(a) .. ' real ' .. text(b), 0) end\n"
    "end\n"
    "for i = 1, rounds do\n"
    "  local t = list(random(0, 30))\n"
    "  both('insert', t, random(99))\n"
    "  both('insert', t, random(-1, 33), 99)\n"
    "  both('insert', t)\n"
    "  both('remove', t)\n"
    "  both('remove', t, random(-1, 33))\n"
    "  both('move', t, random(-3, 9), random(-3, 30), random(1, 30))\n"
    "  both('move', t, random(1, 9), random(1, 20), random(-3, 30), {})\n"
    "  both('unpack', t, random(-2, 9), random(-2, 40))\n"
    "  both('unpack', t)\n"
    "  both('concat', t, ',', random(-1, 5), random(-1, 33))\n"
    "  both('concat', t)\n"
    "  both('sort', t)\n"
    "  both('sort', t, function(a, b) return a > b end)\n"
    "end\n"
    "both('unpack', {}, 1, 1e8)\n"
    "both('insert', {}, 1, 2, 3)\n"
    "both('sort', { 1, 'x' })\n"
    "both('concat', { 1, {}, 3 })\n"
    "both('move', {}, 1, math.maxinteger, 2)\n";

/* ThreadSanitizer keeps every stack that a longjmp leaves, and has room for
 * some 65,000 of them; there are a few errors in every round. */
#if defined(__SANITIZE_THREAD__)
enum { PATTERN_ROUNDS = 1000, TABLE_ROUNDS = 200 };
#else
enum { PATTERN_ROUNDS = 20000, TABLE_ROUNDS = 2000 };
#endif

static void run_chunk(const char *text, const char *library, lua_CFunction open,
                      int rounds) {
    script_def def = {
        .api = &sandbell_api, .path = "compare.lua", .folder = ".", .seed = 5};
    sb_script *script;
    ck_assert_int_eq(script_create(&def, &script, NULL), SB_OK);
    lua_State *L = script->L;
    lua_getfield(L, LUA_REGISTRYINDEX, "sandbell.environment");
    ck_assert_int_eq(luaL_loadstring(L, text), LUA_OK);
    lua_pushvalue(L, 1);
    (void)lua_setupvalue(L, 2, 1);
    lua_getfield(L, 1, library);
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1); /* afresh: without our limits */
    lua_pushinteger(L, rounds);
    guard_of(L)->is_trusted = true; /* no budget for the test itself */
    guard_begin(L, GUARD_LOAD);
    int failed = lua_pcall(L, 3, 0, 0);
    guard_end(L);
    ck_assert_msg(!failed, "%s", failed ? lua_tostring(L, -1) : "");
    guard_of(L)->is_trusted = false;
    script_destroy(script);
}

START_TEST(patterns_match_as_lua_does) {
    run_chunk(compare, "string", luaopen_string, PATTERN_ROUNDS);
}
END_TEST

START_TEST(tables_change_as_lua_does) {
    run_chunk(compare_tables, "table", luaopen_table, TABLE_ROUNDS);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("match");
    TCase *tests = tcase_create("against Lua");
    tcase_add_test(tests, patterns_match_as_lua_does);
    tcase_add_test(tests, tables_change_as_lua_does);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
