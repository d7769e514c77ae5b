/* SPDX-License-Identifier: MIT */
/* bindings/script/timers.h -- timers of a script, in the order of scene time.
 *
 * Entries are functions called once, functions called repeatedly, and sleeping
 * coroutines. Each runs at its exact time, also between samples; entries of
 * equal time run in the order in which they were added.
 *
 * Thread: control. Memory: the list holds references in the Lua registry.
 */
#pragma once

#include "runtime/base/status.h"

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum timer_kind {
    TIMER_CALL,   /* once */
    TIMER_REPEAT, /* periodically */
    TIMER_THREAD, /* a coroutine */
    TIMER_CONTACT /* scene.contact, with its argument */
} timer_kind;

typedef struct timer {
    double time_s;
    uint64_t order;
    timer_kind kind;
    int reference;          /* of the function or the coroutine */
    int argument_reference; /* of the contact's table, or of the actor */
    double first_s;         /* repeat n runs at first_s + n * every_s */
    double every_s;
    double runs; /* of a repeat: number of runs so far */
} timer;

typedef struct timers {
    timer *heap; /* earliest first */
    int count, capacity;
    uint64_t order;
    lua_State *running; /* the coroutine that runs now, or NULL */
    const char *actor;  /* of that coroutine (script.h), or NULL */
    bool in_contact;
    int failures; /* in this control step */
    int runs;
    bool is_over;      /* run no more entries in this step */
    uint64_t current;  /* order of the entry that runs now, or 0 */
    bool is_cancelled; /* the entry that runs now has been cancelled */
} timers;

/* Call before the first timers_run of a control step. */
void timers_begin_step(timers *list);

/* Run all entries due before `until_s`. False after an error, whose message is
 * on top of L; call again for the remaining entries. */
bool timers_run(lua_State *L, timers *list, double until_s);

/* Add the function on top of the stack (popped), at `time_s`. `every_s` 0 runs
 * it once. Returns its order, by which it can be cancelled. */
uint64_t timers_add_call(lua_State *L, double time_s, double every_s);

/* Add a coroutine of the function on top of the stack (popped), now, in which
 * `actor` acts (script.h). */
uint64_t timers_add_thread(lua_State *L, const char *actor);

/* Resume the suspended coroutine on top of the stack (popped) at `time_s`. */
uint64_t timers_keep_thread(lua_State *L, double time_s, const char *actor);

/* Add a call of the function and argument on top of the stack (popped) at
 * `time_s`. */
void timers_add_contact_at(lua_State *L, double time_s);

bool timers_in_contact(const timers *list);
bool timers_cancel(lua_State *L, timers *list, uint64_t order);
/* Delay all entries by `span_s`. */
void timers_shift(timers *list, double span_s);
void timers_free(timers *list);
