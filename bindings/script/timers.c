/* SPDX-License-Identifier: MIT */
#include "bindings/script/timers.h"

#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "bindings/script/script.h"
#include "runtime/base/memory.h"

#include <lauxlib.h>

/* More runs than this in one control step indicate an endless loop. */
enum { MOST_RUNS = 50000, MOST_FAILURES = 100 };

/* Most entries waiting at the same time. */
enum { MOST_TIMERS = 50000 };

static bool is_earlier(const timer *a, const timer *b) {
    if (a->time_s != b->time_s) return a->time_s < b->time_s;
    return a->order < b->order;
}

static void sift_up(timers *list, int i) {
    timer moved = list->heap[i];
    while (i > 0 && is_earlier(&moved, &list->heap[(i - 1) / 2])) {
        list->heap[i] = list->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    list->heap[i] = moved;
}

static void sift_down(timers *list, int i) {
    timer moved = list->heap[i];
    for (;;) {
        int child = 2 * i + 1;
        if (child >= list->count) break;
        if (child + 1 < list->count &&
            is_earlier(&list->heap[child + 1], &list->heap[child])) {
            child++;
        }
        if (!is_earlier(&list->heap[child], &moved)) break;
        list->heap[i] = list->heap[child];
        i = child;
    }
    list->heap[i] = moved;
}

/* The list, with space for one more entry, and for the one that runs and may
 * be put back; raises an error if it is full. */
static timers *list_with_room(lua_State *L) {
    timers *list = script_timers(script_of(L));
    if (list->count >= MOST_TIMERS) {
        bind_error(L, "more than %d timers are waiting already",
                   (int)MOST_TIMERS);
    }
    if (!sb_grow_list(list->heap, list->capacity, list->count + 2)) {
        bind_error(L, "out of memory for one more timer");
    }
    return list;
}

/* Insert an entry with its order. There is space: whoever filled the list has
 * left some (list_with_room). */
static void put(timers *list, timer entry) {
    list->heap[list->count] = entry;
    sift_up(list, list->count++);
}

static uint64_t push(timers *list, timer entry) {
    entry.order = ++list->order;
    put(list, entry);
    return entry.order;
}

static timer take(timers *list, int i) {
    timer taken = list->heap[i];
    list->count--;
    if (i < list->count) {
        list->heap[i] = list->heap[list->count];
        sift_up(list, i);
        sift_down(list, i);
    }
    return taken;
}

static void forget(lua_State *L, const timer *entry) {
    luaL_unref(L, LUA_REGISTRYINDEX, entry->reference);
    luaL_unref(L, LUA_REGISTRYINDEX, entry->argument_reference);
}

uint64_t timers_add_call(lua_State *L, double time_s, double every_s) {
    timers *list = list_with_room(L);
    timer entry = {.time_s = time_s,
                   .kind = every_s > 0.0 ? TIMER_REPEAT : TIMER_CALL,
                   .argument_reference = LUA_NOREF,
                   .first_s = time_s,
                   .every_s = every_s};
    entry.reference = luaL_ref(L, LUA_REGISTRYINDEX);
    return push(list, entry);
}

uint64_t timers_keep_thread(lua_State *L, double time_s, const char *actor) {
    timers *list = list_with_room(L);
    timer entry = {.time_s = time_s,
                   .kind = TIMER_THREAD,
                   .argument_reference = LUA_NOREF};
    entry.reference = luaL_ref(L, LUA_REGISTRYINDEX);
    if (actor) {
        lua_pushstring(L, actor);
        entry.argument_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    return push(list, entry);
}

uint64_t timers_add_thread(lua_State *L, const char *actor) {
    (void)list_with_room(L); /* before anything is made */
    lua_State *thread = lua_newthread(L);
    lua_insert(L, -2);
    lua_xmove(L, thread, 1);
    return timers_keep_thread(L, script_now(script_of(L)), actor);
}

void timers_add_contact_at(lua_State *L, double time_s) {
    timers *list = list_with_room(L);
    timer entry = {.time_s = time_s, .kind = TIMER_CONTACT};
    entry.argument_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    entry.reference = luaL_ref(L, LUA_REGISTRYINDEX);
    push(list, entry);
}

bool timers_in_contact(const timers *list) {
    return list->in_contact;
}

bool timers_cancel(lua_State *L, timers *list, uint64_t order) {
    if (order == list->current) {
        list->is_cancelled = true;
        return true;
    }
    for (int i = 0; i < list->count; i++) {
        if (list->heap[i].order == order) {
            timer cancelled = take(list, i);
            forget(L, &cancelled);
            return true;
        }
    }
    return false;
}

void timers_shift(timers *list, double span_s) {
    for (int i = 0; i < list->count; i++) {
        list->heap[i].time_s += span_s;
        list->heap[i].first_s += span_s;
    }
}

void timers_free(timers *list) {
    sb_free(list->heap);
    *list = (timers){0};
}

/* --- running -------------------------------------------------------------- */

/* scene.contact is not called for a contact of a body that has been removed. */
static bool is_void(lua_State *L, const timer *entry) {
    if (entry->kind != TIMER_CONTACT) return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->argument_reference);
    lua_getfield(L, -1, "a");
    lua_getfield(L, -2, "b");
    bool is_gone = script_is_body_gone(L, -1) || script_is_body_gone(L, -2);
    lua_pop(L, 3);
    return is_gone;
}

static bool call_function(lua_State *L, timers *list, timer *entry) {
    if (is_void(L, entry)) return true;
    int base = lua_gettop(L);
    lua_pushcfunction(L, guard_describe);
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->reference);
    int argument_count = 0;
    if (entry->kind == TIMER_CONTACT) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, entry->argument_reference);
        argument_count = 1;
    }
    list->in_contact = entry->kind == TIMER_CONTACT;
    guard_begin(L, GUARD_CALL);
    int failed = lua_pcall(L, argument_count, 0, base + 1);
    list->in_contact = false;
    lua_remove(L, base + 1);
    return !failed;
}

/* Seconds that a yielded coroutine sleeps: the value yielded by sb.sleep, or
 * until the next step after a plain coroutine.yield(). */
static double sleep_of(lua_State *thread, int value_count, double left_s) {
    if (value_count >= 1 && lua_type(thread, -value_count) == LUA_TNUMBER) {
        double asked_s = lua_tonumber(thread, -value_count);
        if (asked_s >= 0.0) return asked_s;
    }
    return left_s;
}

static bool resume_thread(lua_State *L, timers *list, timer *entry,
                          double until_s, bool *goes_on) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->reference);
    lua_State *thread = lua_tothread(L, -1);
    int value_count = 0;
    list->running = thread;
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->argument_reference);
    list->actor = lua_tostring(L, -1); /* the registry holds it */
    lua_pop(L, 1);
    /* On the first resume the stack holds only the function. */
    guard_begin(L, GUARD_CALL);
    int status = guard_resume(L, thread, 0, &value_count);
    list->running = NULL;
    list->actor = NULL;
    if (status == LUA_YIELD) {
        entry->time_s += sleep_of(thread, value_count, until_s - entry->time_s);
        lua_pop(thread, value_count);
        lua_pop(L, 1);
        *goes_on = true;
        return true;
    }
    if (status == LUA_OK) {
        lua_pop(L, 1);
        return true;
    }
    if (status == LUA_ERRMEM) {
        lua_xmove(thread, L, 1); /* no memory for a traceback */
    } else {
        guard_describe_thread(L, thread);
    }
    lua_remove(L, -2);
    return false;
}

/* Run the earliest entry. False with the message on the stack. */
static bool run_one(lua_State *L, timers *list, double until_s) {
    timer entry = take(list, 0);
    script_reach(script_of(L), entry.time_s);
    list->current = entry.order;
    list->is_cancelled = false;
    bool goes_on = entry.kind == TIMER_REPEAT;
    bool is_well = entry.kind == TIMER_THREAD
                       ? resume_thread(L, list, &entry, until_s, &goes_on)
                       : call_function(L, list, &entry);
    list->current = 0;
    if (entry.kind == TIMER_REPEAT) {
        entry.runs += 1.0;
        entry.time_s = entry.first_s + entry.runs * entry.every_s;
    }
    if (is_well && goes_on && !list->is_cancelled) {
        put(list, entry); /* in its order: its handle stays valid */
    } else {
        forget(L, &entry);
    }
    return is_well;
}

/* Remove the earliest entry, which keeps the others from running. Returns false
 * with the message on the stack. */
static bool refuse_earliest(lua_State *L, timers *list) {
    timer culprit = take(list, 0);
    forget(L, &culprit);
    bool has_failed = list->failures >= MOST_FAILURES;
    lua_pushfstring(L, "more than %d timers %s in one step of 10 ms: %s",
                    has_failed ? (int)MOST_FAILURES : (int)MOST_RUNS,
                    has_failed ? "failed" : "ran",
                    has_failed ? "the others wait for the next"
                               : "is there a sb.sleep(0) in a loop?");
    list->is_over = true;
    return false;
}

void timers_begin_step(timers *list) {
    list->runs = list->failures = 0;
    list->is_over = false;
}

bool timers_run(lua_State *L, timers *list, double until_s) {
    while (list->count > 0 && list->heap[0].time_s < until_s &&
           !list->is_over) {
        if (script_is_late(script_of(L))) break;
        if (list->runs++ >= MOST_RUNS || list->failures >= MOST_FAILURES)
            return refuse_earliest(L, list);
        if (!run_one(L, list, until_s)) {
            list->failures++;
            return false;
        }
    }
    return true;
}
