/* SPDX-License-Identifier: MIT */
/* Enforces the limits of a script (memory, time, instructions) and describes
 * its errors.
 * Thread: the one that runs the script. on_late runs in a signal
 * handler on that thread. */
#include "bindings/sandbox/guard.h"

#include "bindings/bind.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* Above this amount the hook ends the script. Refusing the block instead would
 * start a full garbage collection, which takes longer than a callback may. */
#define MEMORY_SOFT_CAP (GUARD_MEMORY_CAP / 8 * 7)

/* Largest block. A larger table would move a million entries in one
 * instruction. */
#define MOST_BLOCK ((size_t)32 << 20)

/* Additional memory after a verdict, for the message and for unwinding. */
#define GRACE ((size_t)1 << 20)

#define LOAD_S      2.0
#define CALL_S      0.05
#define CALL_HELD_S 10.0 /* offline: ticks are the limit, not time */
#define LOAD_TICKS  INT64_C(200000000)
#define CALL_TICKS  INT64_C(20000000)

/* Instructions between two calls of the hook: some microseconds. */
enum { COUNT_EVERY = 1000 };

/* Limit of nested coroutines. Lua counts nested resumes, but not closes. */
enum { DEEPEST = 150 };

/* Limits for the text and the traceback of an error. */
enum { LONGEST_MESSAGE = 1000, DEEPEST_TOLD = 1000 };

guard *guard_of(lua_State *L) {
    void *user;
    (void)lua_getallocf(L, &user);
    return user;
}

/* --- memory --------------------------------------------------------------- */

static guard_refusal refuse(const guard *self, bool is_string, size_t held,
                            size_t size) {
    if (self->is_trusted) return GUARD_NO_REFUSAL;
    size_t cap = GUARD_MEMORY_CAP + (self->verdict ? GRACE : 0);
    if (self->bytes - held + size > cap) return GUARD_ALL;
    /* Allow for the header of a string. */
    if (is_string && size > GUARD_MOST_STRING + 64) return GUARD_STRING;
    return !is_string && size > MOST_BLOCK ? GUARD_TABLE : GUARD_NO_REFUSAL;
}

const char *guard_refusal_text(const guard *self) {
    static const char *const texts[] = {
        [GUARD_NO_REFUSAL] = "",
        [GUARD_ALL] = ": a scene has 256 MB of Lua; --trust removes the limit",
        [GUARD_TABLE] = (": a table may have 32 MB, about two million entries; "
                         "--trust removes the limit"),
        [GUARD_STRING] = ": a string may have 8 MB; --trust removes the limit",
    };
    _Static_assert(GUARD_MEMORY_CAP >> 20 == 256 && MOST_BLOCK >> 20 == 32 &&
                       GUARD_MOST_STRING >> 20 == 8,
                   "the texts have other numbers");
    bool is_full = self->verdict == GUARD_FULL && !self->refusal;
    return texts[is_full ? GUARD_ALL : self->refusal];
}

/* Memory that a block of `size` bytes takes: small blocks, which Lua uses most,
 * take up to twice their size. This is glibc's rule; others are similar. */
static size_t cost_of(size_t size) {
    if (size == 0) return 0;
    /* With room for a number: when a block is given back, nobody says whether
     * it had one. */
    size += sizeof(uint64_t);
    return size <= 24 ? 32 : (size + 23) & ~(size_t)15;
}

/* --- numbers of objects --------------------------------------------------- */

/* Lua passes the type of a new object, and never resizes one. Its number is
 * kept in the last bytes of its block. */
static bool is_numbered(size_t type) {
    return type == LUA_TTABLE || type == LUA_TFUNCTION ||
           type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

static char *number_in(const void *block) {
    return (char *)(uintptr_t)block + sb_memory_block_bytes(block) -
           sizeof(uint64_t);
}

static void *new_object(guard *self, size_t type, size_t size) {
    void *block = sb_resize(NULL, size + sizeof(uint64_t), 1);
    if (!block) return NULL;
    self->last_number++;
    memcpy(number_in(block), &self->last_number, sizeof self->last_number);
    if (type == LUA_TUSERDATA) self->last_userdata = block;
    return block;
}

/* How far the bytes of a userdata are from the begin of its block. */
static void measure_userdata(lua_State *L) {
    guard *self = guard_of(L);
    const char *bytes = lua_newuserdatauv(L, 8, 0);
    self->userdata_offset = (size_t)(bytes - (const char *)self->last_userdata);
    lua_pop(L, 1);
}

uint64_t guard_number(lua_State *L, int index) {
    guard *self = guard_of(L);
    const char *at = lua_topointer(L, index);
    uint64_t number;
    switch (lua_type(L, index)) {
    case LUA_TUSERDATA:
        /* User values would move the bytes. */
        if (lua_getiuservalue(L, index, 1) != LUA_TNONE) at = NULL;
        lua_pop(L, 1);
        if (self->userdata_offset == 0) measure_userdata(L);
        if (at) at -= self->userdata_offset;
        break;
    case LUA_TTHREAD:
        at -= LUA_EXTRASPACE;
        break;
    case LUA_TTABLE:
        break;
    case LUA_TFUNCTION:
        if (!lua_iscfunction(L, index)) break;
        if (!lua_getupvalue(L, index, 1)) return 0; /* no object */
        lua_pop(L, 1);
        break;
    default:
        return 0;
    }
    if (!at) return 0;
    memcpy(&number, number_in(at), sizeof number);
    return number;
}

void *guard_allocate(void *user, void *block, size_t old_size,
                     size_t new_size) {
    guard *self = user;
    size_t held = block ? cost_of(old_size) : 0;
    size_t wanted = cost_of(new_size);
    if (new_size == 0) {
        sb_free(block);
        self->bytes -= held;
        return NULL;
    }
    bool grows = wanted > held;
    /* For a new block, Lua passes the type of the object in old_size. */
    bool is_string = !block && old_size == LUA_TSTRING;
    guard_refusal refusal =
        grows ? refuse(self, is_string, held, wanted) : GUARD_NO_REFUSAL;
    if (refusal) {
        self->refusal = refusal;
        return NULL;
    }
    void *moved = !block && is_numbered(old_size)
                      ? new_object(self, old_size, new_size)
                      : sb_resize(block, new_size, 1);
    if (!moved && grows) return NULL;
    self->bytes += wanted - held;
    return moved ? moved : block; /* Lua requires that shrinking succeeds */
}

/* --- time and work -------------------------------------------------------- */

double guard_time_scale(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 4.0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 4.0;
#endif
#endif
    return 1.0;
}

static void on_count(lua_State *L, lua_Debug *at);

/* Call the hook at every instruction of L. Lua visits all of L's calls for
 * that, up to two hundred thousand: do it only once. */
static void tighten(lua_State *L) {
    if (lua_gethookcount(L) != 1) lua_sethook(L, on_count, LUA_MASKCOUNT, 1);
}

/* Called in the signal handler, on the thread that runs the script. */
static void on_late(void *user) {
    const guard *self = user;
    if (self->running) tighten(self->running);
}

static bool is_timed(const guard *self) {
    return !self->is_trusted && !self->counts_ticks;
}

sb_status guard_init(guard *self) {
    if (!is_timed(self)) return SB_OK;
    self->watch.on_late = on_late;
    self->watch.user = self;
    return watchdog_add(&self->watch);
}

void guard_free(guard *self) {
    watchdog_remove(&self->watch);
}

void guard_begin(lua_State *L, guard_budget budget) {
    guard *self = guard_of(L);
    bool is_load = budget == GUARD_LOAD;
    double call_s = self->is_live ? CALL_S : CALL_HELD_S;
    double share = self->load_share > 0 ? self->load_share : 1.0;
    self->budget_s = is_load ? LOAD_S * share : call_s;
    self->most_ticks =
        is_load ? (int64_t)((double)LOAD_TICKS * share) : CALL_TICKS;
    self->ticks = self->unchecked = 0;
    self->verdict = GUARD_GOES_ON;
    self->refusal = GUARD_NO_REFUSAL;
    self->depth = 0;
    self->running = L;
    lua_sethook(L, on_count, LUA_MASKCOUNT, COUNT_EVERY);
    if (is_timed(self))
        watchdog_arm(&self->watch, self->budget_s * guard_time_scale());
}

void guard_end(lua_State *L) {
    guard *self = guard_of(L);
    if (is_timed(self)) watchdog_disarm(&self->watch);
    self->running = NULL;
}

double guard_pause(lua_State *L) {
    guard *self = guard_of(L);
    return is_timed(self) ? watchdog_pause(&self->watch) : 0;
}

void guard_continue(lua_State *L, double left_s) {
    guard *self = guard_of(L);
    if (is_timed(self)) watchdog_arm(&self->watch, left_s);
}

bool guard_must_stop(lua_State *L) {
    guard *self = guard_of(L);
    return self->must_stop && self->must_stop(self->user);
}

static guard_verdict judge(guard *self) {
    if (self->verdict) return self->verdict;
    if (self->unchecked >= COUNT_EVERY) {
        self->unchecked = 0;
        if (self->must_stop && self->must_stop(self->user))
            return GUARD_STOPPED;
    }
    if (self->is_trusted) return GUARD_GOES_ON;
    if (atomic_load_explicit(&self->watch.is_late, memory_order_relaxed))
        return GUARD_LATE;
    if (self->ticks > self->most_ticks) return GUARD_WORN;
    if (self->bytes > MEMORY_SOFT_CAP) return GUARD_FULL;
    return GUARD_GOES_ON;
}

/* Write the message once, at the place where the limit was exceeded. */
static void write_message(lua_State *L, guard *self) {
    static const char hint[] = "without a pause: is there a loop without end?";
    char *to = self->message;
    size_t size = sizeof self->message;
    bind_line(L, to, size);
    size_t used = strlen(to);
    to += used;
    size -= used;
    switch (self->verdict) {
    case GUARD_STOPPED:
        (void)snprintf(to, size, "interrupted");
        break;
    case GUARD_LATE:
        (void)snprintf(to, size, "more than %g ms %s", self->budget_s * 1e3,
                       hint);
        break;
    case GUARD_WORN:
        (void)snprintf(to, size, "more than %d million instructions %s",
                       (int)(self->most_ticks / 1000000), hint);
        break;
    case GUARD_FULL:
    case GUARD_GOES_ON:
        (void)snprintf(to, size, "out of memory: a scene has %d MB",
                       (int)(GUARD_MEMORY_CAP >> 20));
        break;
    }
}

static void end_script(lua_State *L, guard *self, guard_verdict verdict) {
    if (!self->verdict) {
        self->verdict = verdict;
        write_message(L, self);
    }
    /* From now on call the hook at every instruction: code that runs while the
     * stack is unwound, such as __close, is ended as well. */
    tighten(L);
    (void)lua_checkstack(L, 2);
    lua_pushstring(L, self->message);
    (void)lua_error(L);
}

static void check(lua_State *L, guard *self) {
    guard_verdict verdict = judge(self);
    if (verdict) end_script(L, self, verdict);
}

static void on_count(lua_State *L, lua_Debug *at) {
    guard *self = guard_of(L);
    int count = lua_gethookcount(L);
    (void)at;
    self->ticks += count;
    self->unchecked += count;
    check(L, self);
    if (count != COUNT_EVERY)
        lua_sethook(L, on_count, LUA_MASKCOUNT, COUNT_EVERY);
}

void guard_spend(lua_State *L, int64_t ticks) {
    guard *self = guard_of(L);
    self->ticks += ticks;
    self->unchecked += ticks;
    check(L, self);
}

bool guard_is_over(lua_State *L) {
    return guard_of(L)->verdict != GUARD_GOES_ON;
}

void guard_reraise(lua_State *L, int status) {
    guard *self = guard_of(L);
    guard_verdict verdict = judge(self);
    if (!verdict && status == LUA_ERRMEM && !self->is_trusted)
        verdict = GUARD_FULL;
    if (verdict) end_script(L, self, verdict);
}

/* --- coroutines ----------------------------------------------------------- */

int guard_resume(lua_State *L, lua_State *thread, int argument_count,
                 int *result_count) {
    guard *self = guard_of(L);
    lua_State *before = self->running;
    if (self->depth >= DEEPEST) {
        lua_pop(thread, argument_count);
        lua_pushliteral(thread, "too many coroutines within coroutines");
        return LUA_ERRRUN;
    }
    self->depth++;
    self->running = thread;
    int status = lua_resume(thread, L, argument_count, result_count);
    self->running = before;
    self->depth--;
    return status;
}

int guard_close_thread(lua_State *L, lua_State *thread) {
    guard *self = guard_of(L);
    lua_State *before = self->running;
    if (self->depth >= DEEPEST)
        return bind_error(L, "too many coroutines within coroutines");
    self->depth++;
    self->running = thread;
    int status = lua_resetthread(thread);
    self->running = before;
    self->depth--;
    return status;
}

/* --- telling -------------------------------------------------------------- */

/* Push a text for the error object at `index`. */
static const char *push_message(lua_State *L, int index) {
    const guard *self = guard_of(L);
    size_t length;
    /* After a verdict the message is ours, not the script's. */
    if (self->verdict) return lua_pushstring(L, self->message);
    if (lua_type(L, index) != LUA_TSTRING &&
        luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) {
        return lua_pushfstring(L, "the script raised %s, not a message",
                               bind_show(L, index));
    }
    const char *text = luaL_tolstring(L, index, &length);
    if (length <= LONGEST_MESSAGE) return text;
    (void)lua_pushlstring(L, text, LONGEST_MESSAGE);
    return lua_pushfstring(L, "%s...", lua_tostring(L, -1));
}

/* Like luaL_traceback, which is slow on a deep stack. */
static void push_traceback(lua_State *L, lua_State *thread, const char *message,
                           int level) {
    lua_Debug at;
    if (lua_getstack(thread, DEEPEST_TOLD, &at)) {
        (void)lua_pushfstring(L, "%s\nstack traceback:\n\tmore than %d calls",
                              message, (int)DEEPEST_TOLD);
    } else {
        luaL_traceback(L, thread, message, level);
    }
}

int guard_describe(lua_State *L) {
    lua_settop(L, 1);
    push_traceback(L, L, push_message(L, 1), 1);
    return 1;
}

static int message_of(lua_State *L) {
    (void)push_message(L, 1);
    return 1;
}

void guard_describe_thread(lua_State *L, lua_State *thread) {
    /* The object may have a __tostring that raises an error itself. */
    lua_pushcfunction(L, message_of);
    lua_xmove(thread, L, 1);
    if (lua_pcall(L, 1, 1, 0)) {
        lua_pop(L, 1);
        lua_pushstring(L, guard_is_over(L)
                              ? guard_of(L)->message
                              : "the script raised an object that has no text");
    }
    push_traceback(L, thread, lua_tostring(L, -1), 0);
    lua_remove(L, -2);
}

void guard_first_line(const char *text, char *out, size_t size) {
    const char *trace = strstr(text, "\nstack traceback:");
    size_t length = trace ? (size_t)(trace - text) : strlen(text);
    if (length >= size) length = size - 1;
    memcpy(out, text, length);
    out[length] = '\0';
}
