/* bindings/script/pack.h -- plain Lua values as bytes, to move them between
 * states.
 *
 * Booleans, numbers, strings, tables of these (also cyclic and shared tables
 * within one entry), and bodies by name. Functions, coroutines, other userdata
 * and metatables belong to their state and are left out.
 *
 * Thread: that of the Lua state.
 */
#ifndef SB_BINDINGS_SCRIPT_PACK_H
#define SB_BINDINGS_SCRIPT_PACK_H

#include <lua.h>
#include <stddef.h>

typedef struct packed {
    char *bytes; /* sb_free them, also after a Lua error */
    size_t count;
    int capacity;
} packed;

/* The entries of the table at `index`, each by itself. Raises when out of
 * memory or nested too deeply. */
void pack_table(lua_State *L, int index, packed *out);

/* Into the table at `index`: every entry of `after` that is not in `before`
 * with the same value; entries of `before` that are no longer in `after` are
 * taken out. */
void unpack_changes(lua_State *L, int index, const char *before,
                    size_t before_count, const char *after, size_t after_count);

#endif
