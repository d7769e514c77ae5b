/* Packs and merges the script's table `state`, which survives a reload. */
#include "bindings/script/pack.h"
#include "bindings/script/protect.h"
#include "bindings/script/script_internal.h"
#include "runtime/base/memory.h"

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
