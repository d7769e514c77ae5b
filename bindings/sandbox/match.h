/* SPDX-License-Identifier: MIT */
/* bindings/sandbox/match.h -- Lua patterns, matched in counted steps.
 *
 * Implements section 6.4.1 of the Lua 5.4 manual. The matcher of Lua's library
 * can take exponential time in one call of a C function, which no hook can
 * interrupt. This one backtracks as well, but reports its steps to the guard
 * every few hundred steps, and its recursion in C is at most MATCH_DEEPEST
 * calls: one per item of the pattern, however long the subject is.
 *
 * Symbols: s a position in the subject, p a position in the pattern.
 * Thread: the one that runs the script. Memory: none of its own; subject and
 * pattern must stay on the Lua stack.
 */
#pragma once

#include <lua.h>
#include <stddef.h>

enum { MATCH_MOST_CAPTURES = 32, MATCH_DEEPEST = 200 };

typedef struct match_capture {
    const char *start;
    ptrdiff_t length; /* or one of the two below */
} match_capture;

enum { MATCH_OPEN = -1, MATCH_POSITION = -2 };

typedef struct matcher {
    lua_State *L;
    const char *subject, *subject_end;
    const char *pattern_end;
    int depth;
    int steps; /* not yet reported to the guard */
    int count; /* of captures */
    match_capture captures[MATCH_MOST_CAPTURES];
} matcher;

void match_init(matcher *self, lua_State *L, const char *subject,
                size_t subject_length, const char *pattern,
                size_t pattern_length);

/* Match the pattern from `p` on exactly at `s`: the end of the match, or NULL.
 * A malformed pattern raises. Captures are those of this match. */
const char *match_at(matcher *self, const char *s, const char *p);

/* Push the i-th capture (from 0), or the whole match s .. e when there are
 * none. */
void match_push_capture(matcher *self, int i, const char *s, const char *e);

/* Push all captures, or the whole match if there are none and `s` is not NULL;
 * returns their number. */
int match_push_captures(matcher *self, const char *s, const char *e);
