/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/lib_pattern.c -- string.find, match, gmatch and gsub, based
 * on the matcher of match.h.
 * Thread: the one that runs the script. */
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"
#include "bindings/sandbox/match.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

/* Bytes of the subject searched between two checks of the budget. */
enum { PIECE = 1 << 16 };

/* --- find and match ------------------------------------------------------- */

/* The first occurrence of `wanted` in `text`, or NULL. */
static const char *find_plain(lua_State *L, const char *text, size_t length,
                              const char *wanted, size_t wanted_length) {
    if (wanted_length == 0) return text;
    while (length >= wanted_length) {
        size_t window = wanted_length + PIECE;
        if (window > length) window = length;
        const char *found = memmem(text, window, wanted, wanted_length);
        guard_spend(L, (int64_t)(window / 8));
        if (found) return found;
        if (window == length) return NULL;
        text += PIECE + 1;
        length -= PIECE + 1;
    }
    return NULL;
}

static bool has_specials(const char *pattern, size_t length) {
    static const char specials[] = "^$*+?.([%-";
    for (size_t i = 0; i < length; i++)
        if (pattern[i] && strchr(specials, pattern[i])) return true;
    return false;
}

/* The 0-based position given by argument `arg`, counted from the end if
 * negative; greater than `length` if there is no such position. */
static size_t start_of(lua_State *L, int arg, size_t length) {
    lua_Integer place = luaL_optinteger(L, arg, 1);
    if (place > 0) return (size_t)place - 1;
    if (place == 0 || place < -(lua_Integer)length) return 0;
    return length - (size_t)(-place);
}

static int push_place(lua_State *L, const char *subject, const char *s,
                      const char *e) {
    lua_pushinteger(L, s - subject + 1);
    lua_pushinteger(L, e - subject);
    return 2;
}

static int search(lua_State *L, bool is_find) {
    size_t length, pattern_length;
    const char *subject = luaL_checklstring(L, 1, &length);
    const char *p = luaL_checklstring(L, 2, &pattern_length);
    size_t start = start_of(L, 3, length);
    guard_spend(L, 2 + (int64_t)(pattern_length / 64));
    if (start > length) {
        luaL_pushfail(L);
        return 1;
    }
    if (is_find && (lua_toboolean(L, 4) || !has_specials(p, pattern_length))) {
        const char *s =
            find_plain(L, subject + start, length - start, p, pattern_length);
        if (s) return push_place(L, subject, s, s + pattern_length);
        luaL_pushfail(L);
        return 1;
    }
    matcher m;
    bool is_anchored = pattern_length > 0 && *p == '^';
    match_init(&m, L, subject, length, p, pattern_length);
    if (is_anchored) p++;
    const char *s = subject + start;
    do {
        const char *e = match_at(&m, s, p);
        if (!e) continue;
        if (!is_find) return match_push_captures(&m, s, e);
        (void)push_place(L, subject, s, e);
        return 2 + match_push_captures(&m, NULL, NULL);
    } while (s++ < m.subject_end && !is_anchored);
    luaL_pushfail(L);
    return 1;
}

static int find(lua_State *L) {
    return search(L, true);
}

static int match(lua_State *L) {
    return search(L, false);
}

/* --- gmatch --------------------------------------------------------------- */

/* Where to continue, and the end of the previous match: an empty match there is
 * skipped. */
typedef struct gmatch_state {
    size_t next, last; /* from the subject's start; last may be NEVER */
} gmatch_state;

#define NEVER ((size_t)-1)

/* Upvalues: subject, pattern, state. */
static int next_match(lua_State *L) {
    size_t length, pattern_length;
    const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
    gmatch_state *state = lua_touserdata(L, lua_upvalueindex(3));
    matcher m;
    guard_spend(L, 2);
    match_init(&m, L, subject, length, p, pattern_length);
    for (; state->next <= length; state->next++) {
        const char *s = subject + state->next;
        const char *e = match_at(&m, s, p);
        if (!e || (size_t)(e - subject) == state->last) continue;
        state->next = state->last = (size_t)(e - subject);
        return match_push_captures(&m, s, e);
    }
    return 0;
}

static int gmatch(lua_State *L) {
    size_t length;
    (void)luaL_checklstring(L, 1, &length);
    (void)luaL_checkstring(L, 2);
    size_t start = start_of(L, 3, length);
    lua_settop(L, 2);
    gmatch_state *state = lua_newuserdatauv(L, sizeof *state, 0);
    *state = (gmatch_state){start > length ? length + 1 : start, NEVER};
    lua_pushcclosure(L, next_match, 3);
    return 1;
}

/* --- gsub ----------------------------------------------------------------- */

/* The replacement text with its %0 .. %9 filled in. */
static void add_text(lua_State *L, matcher *m, luaL_Buffer *out, const char *s,
                     const char *e) {
    size_t length;
    const char *text = lua_tolstring(L, 3, &length);
    const char *end = text + length;
    while (text < end) {
        const char *percent = memchr(text, '%', (size_t)(end - text));
        const char *stop = percent ? percent : end;
        luaL_addlstring(out, text, (size_t)(stop - text));
        guard_spend(L, 1 + (stop - text) / 64);
        if (!percent) return;
        int sign = percent + 1 < end ? (unsigned char)percent[1] : 0;
        text = percent + 2;
        if (sign == '%') {
            luaL_addchar(out, '%');
        } else if (sign == '0') {
            luaL_addlstring(out, s, (size_t)(e - s));
        } else if (isdigit(sign)) {
            match_push_capture(m, sign - '1', s, e);
            (void)luaL_tolstring(L, -1, NULL); /* a position is a number */
            lua_remove(L, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Add the replacement of the match s .. e; false if the match stays unchanged.
 */
static bool add_value(lua_State *L, matcher *m, luaL_Buffer *out, const char *s,
                      const char *e, int kind) {
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        int count = match_push_captures(m, s, e);
        lua_call(L, count, 1);
    } else if (kind == LUA_TTABLE) {
        match_push_capture(m, 0, s, e);
        (void)lua_gettable(L, 3);
    } else {
        add_text(L, m, out, s, e);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, s, (size_t)(e - s));
        return false;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(out);
    return true;
}

static int gsub(lua_State *L) {
    size_t length, pattern_length;
    const char *s = luaL_checklstring(L, 1, &length);
    const char *p = luaL_checklstring(L, 2, &pattern_length);
    const char *last = NULL;
    int kind = lua_type(L, 3);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1);
    lua_Integer count = 0;
    bool has_changed = false;
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING ||
                         kind == LUA_TFUNCTION || kind == LUA_TTABLE,
                     3, "string/function/table");
    /* Convert a number to its text now, before a match depends on it. */
    if (kind == LUA_TNUMBER) (void)lua_tolstring(L, 3, NULL);
    matcher m;
    luaL_Buffer out;
    bool is_anchored = pattern_length > 0 && *p == '^';
    match_init(&m, L, s, length, p, pattern_length);
    if (is_anchored) p++;
    luaL_buffinit(L, &out);
    while (count < most) {
        guard_spend(L, 1);
        const char *e = match_at(&m, s, p);
        if (e && e != last) {
            count++;
            has_changed = add_value(L, &m, &out, s, e, kind) || has_changed;
            s = last = e;
        } else if (s < m.subject_end) {
            luaL_addchar(&out, *s++);
        } else {
            break;
        }
        if (is_anchored) break;
    }
    if (has_changed) {
        luaL_addlstring(&out, s, (size_t)(m.subject_end - s));
        luaL_pushresult(&out);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}

void lib_pattern_limit(lua_State *L) {
    static const luaL_Reg functions[] = {{"find", find},
                                         {"match", match},
                                         {"gmatch", gmatch},
                                         {"gsub", gsub},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
