/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/guard.h -- limits of a script, and texts of its errors.
 *
 *              processor time     work
 *   load       2 s                200 million ticks
 *   callback   50 ms (10 s when   20 million ticks
 *              nothing is played)
 *   memory     256 MB per state, 8 MB per string, 32 MB per table
 *
 * A tick is an instruction, or as much work of our library functions as takes
 * the same time. Ticks are equal on every machine, so a render that exceeds its
 * budget fails everywhere at the same place. The time limit covers work that
 * ticks do not count, and live playing; a program that is not ours can do
 * without it (counts_ticks). With a sanitizer a script has four times the time.
 *
 * A script that exceeds its budget ends with an error that it cannot catch:
 * pcall, xpcall and coroutines raise it again (libs.c) until the host
 * receives it.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include "bindings/sandbox/watchdog.h"
#include "runtime/base/status.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUARD_MEMORY_CAP  ((size_t)256 << 20)
#define GUARD_MOST_STRING ((size_t)8 << 20)

typedef enum guard_budget { GUARD_LOAD, GUARD_CALL } guard_budget;

/* Why a script was ended. */
typedef enum guard_verdict {
    GUARD_GOES_ON,
    GUARD_STOPPED, /* must_stop returned true */
    GUARD_LATE,    /* time */
    GUARD_WORN,    /* ticks */
    GUARD_FULL     /* memory */
} guard_verdict;

/* Why a block was refused last. */
typedef enum guard_refusal {
    GUARD_NO_REFUSAL, /* or there was none in the whole program */
    GUARD_ALL,        /* more than a scene has */
    GUARD_TABLE,      /* more than a table may have */
    GUARD_STRING      /* more than a string may have */
} guard_refusal;

typedef struct guard {
    size_t bytes;          /* allocated by Lua */
    guard_refusal refusal; /* since the last begin */
    int64_t ticks;         /* since the last begin */
    int64_t most_ticks;    /* of this budget */
    double budget_s;       /* likewise */
    int64_t unchecked;     /* ticks since must_stop was last called */
    guard_verdict verdict;
    char message[320]; /* with the line; set with the verdict */
    int depth;         /* of nested coroutine calls */
    bool is_live;      /* played in real time: a callback may take 50 ms */
    bool is_trusted;   /* no limits except must_stop */
    bool counts_ticks; /* no limit of time: neither signal nor thread */
    double load_share; /* fraction of the load budget; 0: all of it */
    bool (*must_stop)(void *user); /* may be NULL */
    void *user;
    lua_State *volatile running; /* the coroutine that runs */
    uint64_t last_number;        /* of an object (guard_number) */
    const void *last_userdata;   /* its block */
    size_t userdata_offset;      /* of its bytes in its block; 0: unknown */
    time_watch watch;
} guard;

/* After is_trusted and counts_ticks have been set. */
SB_NODISCARD sb_status guard_init(guard *self);
void guard_free(guard *self); /* no effect before init */

/* Allocator for lua_newstate; `user` is the guard, and guard_of reads it back.
 */
void *guard_allocate(void *user, void *block, size_t old_size, size_t new_size);

/* What to say when memory was refused: ": a table may have 32 MB ...", or "" if
 * it was not the script's own limit. */
const char *guard_refusal_text(const guard *self);

/* The number of a table, function, coroutine or userdata, counted from the
 * first object of the state on, the same in every run; 0 for other values, for
 * functions without upvalues and for userdata with user values. */
uint64_t guard_number(lua_State *L, int index);

/* The guard of a state created with guard_allocate. */
guard *guard_of(lua_State *L);

/* Start a new budget for this thread, until guard_end. May be called again for
 * the next callback. */
void guard_begin(lua_State *L, guard_budget budget);
void guard_end(lua_State *L);

/* Called by our library functions: count `ticks` of work. Raises an error when
 * the budget is used up. */
void guard_spend(lua_State *L, int64_t ticks);

/* Work of ours that ends by itself, such as reading a mesh, does not count as
 * time of the script: between these calls its clock stands still. Nothing may
 * raise in between. */
double guard_pause(lua_State *L);
void guard_continue(lua_State *L, double left_s);

/* Whether must_stop of this script's host has returned true. */
bool guard_must_stop(lua_State *L);

/* After an error has been caught: raise it again if the guard raised it.
 * `status` is the result of lua_pcall. */
void guard_reraise(lua_State *L, int status);
bool guard_is_over(lua_State *L);

/* Like lua_resume, with the limits applied to `thread`. */
int guard_resume(lua_State *L, lua_State *thread, int argument_count,
                 int *result_count);
/* Like lua_resetthread. */
int guard_close_thread(lua_State *L, lua_State *thread);

/* Factor on all time limits in this build; above 1 with sanitizers. */
double guard_time_scale(void);

/* Message handler for lua_pcall: converts any error object to a text with a
 * traceback. Calls the object's __tostring. */
int guard_describe(lua_State *L);

/* The same for a coroutine that has failed; pushes the text on L. */
void guard_describe_thread(lua_State *L, lua_State *thread);

/* The message without its traceback if the traceback is a single line of the
 * script, which adds nothing. */
void guard_first_line(const char *text, char *out, size_t size);
