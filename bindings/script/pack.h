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
    char *bytes; /* free with sb_free, also after a Lua error */
    size_t count;
    int capacity;
} packed;

/* Pack the entries of the table at `index`. Raises an error if memory runs out
 * or the nesting is too deep. */
void pack_table(lua_State *L, int index, packed *out);

/* Apply the difference of two packed tables to the table at `index`: set the
 * entries of `after` that are new or changed, and remove those of `before` that
 * are missing in `after`. */
void unpack_changes(lua_State *L, int index, const char *before,
                    size_t before_count, const char *after, size_t after_count);

#endif
