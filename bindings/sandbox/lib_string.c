/* bindings/sandbox/lib_string.c -- the string and utf8 libraries with limits.
 *
 * Most functions are Lua's own, called after a check of the size of their
 * arguments: no single call may take longer than a few milliseconds.
 * Thread: the one that runs the script. */
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/sandbox/libs.h"
#include "bindings/sandbox/order.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST_FORMATTED = 1 << 18, /* bytes of texts; %q may write each as \\ddd */
    MOST_VALUES = 250,        /* in a format */
    LONGEST_LAYOUT = 1000,    /* of string.pack; c99999 at most 166 times */
    MOST_DIGITS = 5,
    MOST_TEXT = 1 << 20 /* bytes that utf8 decodes in one call */
};

/* --- rep ------------------------------------------------------------------ */

/* Length of `count` texts of `one` bytes each with gaps between them; count is
 * at least 1. Raises an error if it is too long. */
static size_t check_length(lua_State *L, size_t one, size_t gap,
                           lua_Integer count) {
    lua_Unsigned most = (GUARD_MOST_STRING + gap) / one;
    if ((lua_Unsigned)count > most) {
        bind_error(L, "string.rep: the result would be longer than %d MB",
                   (int)(GUARD_MOST_STRING >> 20));
    }
    return one * (size_t)count - gap;
}

/* Fill by doubling: one copy per repetition would be slow for short texts. */
static int rep(lua_State *L) {
    size_t length, between;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *gap = luaL_optlstring(L, 3, "", &between);
    if (count <= 0 || length + between == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    size_t total = check_length(L, length + between, between, count);
    luaL_Buffer buffer;
    guard_spend(L, 1 + (int64_t)(total / 64));
    char *out = luaL_buffinitsize(L, &buffer, total + between);
    size_t done = length + between; /* the last gap is removed below */
    memcpy(out, text, length);
    memcpy(out + length, gap, between);
    while (done < total) {
        size_t piece = done < total - done ? done : total - done;
        memcpy(out + done, out, piece);
        done += piece;
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

/* --- Lua's own, when asked for something sensible ------------------------- */

/* Tail-call the function in upvalue 1, so that its messages name the script's
 * line and the name by which it was called. */
static int pass_on(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int64_t length_of(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? (int64_t)lua_rawlen(L, index)
                                             : 0;
}

static int format(lua_State *L) {
    int64_t bytes = 0;
    int count = lua_gettop(L);
    if (count > MOST_VALUES) {
        return bind_error(L, "string.format: more than %d values",
                          (int)MOST_VALUES);
    }
    for (int i = 1; i <= count; i++)
        bytes += length_of(L, i);
    if (bytes > MOST_FORMATTED) {
        return bind_error(L, "string.format: texts of more than %d kB",
                          (int)MOST_FORMATTED / 1024);
    }
    guard_spend(L, 1 + 5 * count + bytes / 4);
    order_replace_addresses(L);
    return pass_on(L);
}

static int pack(lua_State *L) {
    size_t length;
    const char *layout = luaL_checklstring(L, 1, &length);
    int digits = 0;
    bool is_large = length > LONGEST_LAYOUT;
    for (size_t i = 0; i < length && !is_large; i++) {
        digits = isdigit((unsigned char)layout[i]) ? digits + 1 : 0;
        is_large = digits > MOST_DIGITS;
    }
    if (is_large) {
        return bind_error(L, "string.pack: the layout is too large");
    }
    guard_spend(L, 1 + (int64_t)length * 10);
    return pass_on(L);
}

/* Upvalue 2: bytes per tick. */
static int scan(lua_State *L) {
    guard_spend(L, 1 + length_of(L, 1) / lua_tointeger(L, lua_upvalueindex(2)));
    return pass_on(L);
}

static int decode(lua_State *L) {
    if (length_of(L, 1) > MOST_TEXT) {
        return bind_error(L, "utf8: a text of more than 1 MB");
    }
    guard_spend(L, 1 + length_of(L, 1) / 8);
    return pass_on(L);
}

/* Replace the function `name` of the library on top by `function`, which checks
 * its arguments first. */
static void limit(lua_State *L, const char *name, lua_CFunction function,
                  lua_Integer bytes_per_tick) {
    lua_getfield(L, -1, name);
    lua_pushinteger(L, bytes_per_tick);
    lua_pushcclosure(L, function, 2);
    lua_setfield(L, -2, name);
}

void lib_string_limit(lua_State *L) {
    lua_pushcfunction(L, rep);
    lua_setfield(L, -2, "rep");
    limit(L, "format", format, 1);
    limit(L, "pack", pack, 1);
    limit(L, "packsize", pack, 1);
    limit(L, "unpack", pack, 1);
    limit(L, "byte", scan, 4096); /* usually one byte of a long text */
    limit(L, "lower", scan, 8);
    limit(L, "upper", scan, 8);
    limit(L, "reverse", scan, 8);
    limit(L, "sub", scan, 4096);
}

void lib_utf8_limit(lua_State *L) {
    limit(L, "len", decode, 1);
    limit(L, "offset", decode, 1);
    limit(L, "codepoint", decode, 1);
}
