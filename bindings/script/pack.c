/* SPDX-License-Identifier: MIT */
/* Serialises plain Lua values, to carry the script's table `state`, which
 * survives a reload, from one Lua state to another.
 *
 * Booleans, numbers, strings, tables of these (also cyclic and shared tables
 * within one entry), and bodies by name. Functions, coroutines, other userdata
 * and metatables belong to their state and are left out.
 * Thread: that of the Lua state. */

#include "bindings/sandbox/guard.h"
#include "bindings/script/protect.h"
#include "bindings/script/script_internal.h"
#include "runtime/base/memory.h"

#include <lauxlib.h>
#include <string.h>

typedef struct packed {
    char *bytes; /* free with sb_free, also after a Lua error */
    size_t count;
    int capacity;
} packed;

/* Deepest nesting of tables; more is an error of the script, such as a long
 * linked list. */
enum { DEEPEST = 100 };

/* Limit: packing runs on the control thread, and the bytes do not count as Lua
 * memory. */
enum { MOST_BYTES = 4 << 20 };

enum {
    TAG_FALSE = 'f',
    TAG_TRUE = 't',
    TAG_INTEGER = 'i',
    TAG_FLOAT = 'n',
    TAG_TEXT = 's',
    TAG_BODY = 'b',
    TAG_TABLE = '{',
    TAG_END = '}',
    TAG_AGAIN = 'r' /* index of a table already packed in this entry */
};

/* --- packing -------------------------------------------------------------- */

static void put(lua_State *L, packed *out, const void *bytes, size_t count) {
    guard_spend(L, 2 + (int64_t)(count / 64));
    if (count > MOST_BYTES || out->count + count > MOST_BYTES ||
        !sb_grow((void **)&out->bytes, &out->capacity,
                 (int)(out->count + count), 1)) {
        luaL_error(L, "state: too large to be kept");
    }
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static void put_tag(lua_State *L, packed *out, char tag) {
    put(L, out, &tag, 1);
}

static void put_text(lua_State *L, packed *out, char tag, const char *text,
                     size_t length) {
    put_tag(L, out, tag);
    put(L, out, &length, sizeof length);
    put(L, out, text, length);
}

static bool can_pack(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
    case LUA_TTABLE:
        return true;
    case LUA_TUSERDATA: {
        const script_body *body = luaL_testudata(L, index, BODY_TYPE);
        return body && script_body_name(script_of(L), body);
    }
    default:
        return false;
    }
}

static void pack_value(lua_State *L, int index, int seen, int depth,
                       packed *out);

/* Keys and values alternate. `seen` maps tables to their indices. */
static void pack_entries(lua_State *L, int index, int seen, int depth,
                         packed *out) {
    lua_pushnil(L);
    while (lua_next(L, index)) {
        int value = lua_gettop(L);
        if (can_pack(L, value) && can_pack(L, value - 1)) {
            pack_value(L, value - 1, seen, depth, out);
            pack_value(L, value, seen, depth, out);
        }
        lua_settop(L, value - 1);
    }
    put_tag(L, out, TAG_END);
}

static void pack_nested(lua_State *L, int index, int seen, int depth,
                        packed *out) {
    lua_pushvalue(L, index);
    if (lua_rawget(L, seen) == LUA_TNUMBER) {
        lua_Integer number = lua_tointeger(L, -1);
        put_tag(L, out, TAG_AGAIN);
        put(L, out, &number, sizeof number);
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    lua_Integer count = (lua_Integer)lua_rawlen(L, seen) + 1;
    lua_pushvalue(L, index);
    lua_rawseti(L, seen, count); /* the array part gives the next index */
    lua_pushvalue(L, index);
    lua_pushinteger(L, count);
    lua_rawset(L, seen);
    put_tag(L, out, TAG_TABLE);
    pack_entries(L, index, seen, depth + 1, out);
}

static void pack_number(lua_State *L, int index, packed *out) {
    if (lua_isinteger(L, index)) {
        lua_Integer value = lua_tointeger(L, index);
        put_tag(L, out, TAG_INTEGER);
        put(L, out, &value, sizeof value);
    } else {
        lua_Number value = lua_tonumber(L, index);
        put_tag(L, out, TAG_FLOAT);
        put(L, out, &value, sizeof value);
    }
}

/* `index` must be absolute, and can_pack true. */
static void pack_value(lua_State *L, int index, int seen, int depth,
                       packed *out) {
    if (depth > DEEPEST) luaL_error(L, "state: nested too deeply to be kept");
    luaL_checkstack(L, 10, "state");
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        put_tag(L, out, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        break;
    case LUA_TNUMBER:
        pack_number(L, index, out);
        break;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        put_text(L, out, TAG_TEXT, text, length);
        break;
    }
    case LUA_TTABLE:
        pack_nested(L, index, seen, depth, out);
        break;
    default: {
        const char *name =
            script_body_name(script_of(L), lua_touserdata(L, index));
        put_text(L, out, TAG_BODY, name, strlen(name));
        break;
    }
    }
}

/* Pack the entries of the table at `index`, each separately: length, key, value.
 * Raises an error if memory runs out or the nesting is too deep. */
static void pack_table(lua_State *L, int index, packed *out) {
    index = lua_absindex(L, index);
    if (!lua_istable(L, index)) return;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        int value = lua_gettop(L);
        if (can_pack(L, value) && can_pack(L, value - 1)) {
            size_t start = out->count, length = 0;
            put(L, out, &length, sizeof length);
            lua_newtable(L);
            int seen = lua_gettop(L);
            pack_value(L, value - 1, seen, 0, out);
            pack_value(L, value, seen, 0, out);
            length = out->count - start;
            memcpy(out->bytes + start, &length, sizeof length);
        }
        lua_settop(L, value - 1);
    }
}

/* --- unpacking ------------------------------------------------------------ */

typedef struct reader {
    const char *at, *end;
} reader;

static void get(lua_State *L, reader *in, void *to, size_t count) {
    if ((size_t)(in->end - in->at) < count) luaL_error(L, "state: cut short");
    memcpy(to, in->at, count);
    in->at += count;
}

static void unpack_value(lua_State *L, reader *in, int seen);

static void unpack_table(lua_State *L, reader *in, int seen) {
    lua_newtable(L);
    int table = lua_gettop(L);
    lua_pushvalue(L, table);
    lua_rawseti(L, seen, (lua_Integer)lua_rawlen(L, seen) + 1);
    while (in->at < in->end && *in->at != TAG_END) {
        unpack_value(L, in, seen);
        unpack_value(L, in, seen);
        /* A removed body is nil, which cannot be a key: drop the entry. */
        if (lua_isnil(L, -2)) {
            lua_pop(L, 2);
        } else {
            lua_rawset(L, table);
        }
    }
    in->at++;
}

static void unpack_text(lua_State *L, reader *in, char tag) {
    size_t length;
    get(L, in, &length, sizeof length);
    if ((size_t)(in->end - in->at) < length) luaL_error(L, "state: cut short");
    lua_pushlstring(L, in->at, length);
    in->at += length;
    if (tag == TAG_BODY) {
        script_push_body(L, lua_tostring(L, -1));
        lua_remove(L, -2);
    }
}

static void unpack_value(lua_State *L, reader *in, int seen) {
    char tag;
    luaL_checkstack(L, 10, "state");
    get(L, in, &tag, 1);
    if (tag == TAG_INTEGER || tag == TAG_AGAIN) {
        lua_Integer value;
        get(L, in, &value, sizeof value);
        if (tag == TAG_INTEGER) {
            lua_pushinteger(L, value);
        } else {
            lua_rawgeti(L, seen, value);
        }
    } else if (tag == TAG_FLOAT) {
        lua_Number value;
        get(L, in, &value, sizeof value);
        lua_pushnumber(L, value);
    } else if (tag == TAG_TEXT || tag == TAG_BODY) {
        unpack_text(L, in, tag);
    } else if (tag == TAG_TABLE) {
        unpack_table(L, in, seen);
    } else {
        lua_pushboolean(L, tag == TAG_TRUE);
    }
}

/* Read the next entry; false at the end. */
static bool next_entry(reader *in, reader *entry) {
    size_t length;
    if ((size_t)(in->end - in->at) < sizeof length) return false;
    memcpy(&length, in->at, sizeof length);
    *entry = (reader){in->at + sizeof length, in->at + length};
    in->at += length;
    return true;
}

/* True if the entry `wanted` is among the packed entries. The search starts at
 * *hint, where the last one ended, because the order rarely changes. */
static bool has_entry(lua_State *L, const char *bytes, size_t count,
                      const reader *wanted, size_t *hint) {
    reader all = {bytes + *hint, bytes + count}, entry;
    size_t length = (size_t)(wanted->end - wanted->at);
    for (int part = 0; part < 2; part++) {
        while (next_entry(&all, &entry)) {
            guard_spend(L, 1);
            if ((size_t)(entry.end - entry.at) == length &&
                memcmp(entry.at, wanted->at, length) == 0) {
                *hint = (size_t)(entry.end - bytes);
                return true;
            }
        }
        all = (reader){bytes, bytes + *hint};
    }
    return false;
}

/* Set the entry in the table at `index`, or remove it if `is_gone`. */
static void apply_entry(lua_State *L, int index, reader entry, bool is_gone) {
    lua_newtable(L);
    int seen = lua_gettop(L);
    unpack_value(L, &entry, seen);
    unpack_value(L, &entry, seen);
    if (is_gone) {
        lua_pop(L, 1);
        lua_pushnil(L);
    }
    if (!lua_isnil(L, -2)) lua_rawset(L, index);
    lua_settop(L, seen - 1);
}

/* Apply the difference of two packed tables to the table at `index`: set the
 * entries of `after` that are new or changed, and remove those of `before` that
 * are missing in `after`. */
static void unpack_changes(lua_State *L, int index, const char *before,
                           size_t before_count, const char *after,
                           size_t after_count) {
    index = lua_absindex(L, index);
    reader all = {before, before + before_count}, entry;
    size_t hint = 0;
    while (before && next_entry(&all, &entry)) {
        if (!has_entry(L, after, after_count, &entry, &hint))
            apply_entry(L, index, entry, true);
    }
    all = (reader){after, after + after_count};
    hint = 0;
    while (after && next_entry(&all, &entry)) {
        guard_spend(L, 1);
        if (!before || !has_entry(L, before, before_count, &entry, &hint))
            apply_entry(L, index, entry, false);
    }
}

/* --- the table `state` ---------------------------------------------------- */

typedef struct packing {
    const char *before, *after;
    size_t before_count, after_count;
    packed out;
} packing;

static int pack_state(lua_State *L) {
    packing *self = lua_touserdata(L, 1);
    script_push_environment(L);
    lua_getfield(L, -1, "state");
    pack_table(L, -1, &self->out);
    return 0;
}

sb_status script_pack_state(sb_script *script, char **bytes, size_t *count,
                            sb_error *err) {
    packing self = {0};
    sb_status status =
        script_protect(script, GUARD_CALL, pack_state, &self, err);
    if (status) {
        sb_free(self.out.bytes);
        return status;
    }
    *bytes = self.out.bytes;
    *count = self.out.count;
    return SB_OK;
}

static int merge_state(lua_State *L) {
    packing *self = lua_touserdata(L, 1);
    script_push_environment(L);
    if (lua_getfield(L, -1, "state") != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "state");
    }
    unpack_changes(L, -1, self->before, self->before_count, self->after,
                   self->after_count);
    return 0;
}

sb_status script_merge_state(sb_script *script, const char *before,
                             size_t before_count, const char *after,
                             size_t after_count, sb_error *err) {
    packing self = {.before = before,
                    .before_count = before_count,
                    .after = after,
                    .after_count = after_count};
    return script_protect(script, GUARD_CALL, merge_state, &self, err);
}
