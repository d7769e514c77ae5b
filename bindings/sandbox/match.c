/* SPDX-License-Identifier: MIT */
#include "bindings/sandbox/match.h"

#include "bindings/sandbox/guard.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

enum { ESCAPE = '%', TELL_EVERY = 500 };

void match_init(matcher *self, lua_State *L, const char *subject,
                size_t subject_length, const char *pattern,
                size_t pattern_length) {
    self->L = L;
    self->subject = subject;
    self->subject_end = subject + subject_length;
    self->pattern_end = pattern + pattern_length;
    self->depth = self->steps = self->count = 0;
}

static void step(matcher *self) {
    if (++self->steps < TELL_EVERY) return;
    self->steps = 0;
    guard_spend(self->L, TELL_EVERY);
}

/* --- one character -------------------------------------------------------- */

static int byte_at(const char *at) {
    return (unsigned char)*at;
}

/* The position after the single-character item at p. */
static const char *after_item(matcher *self, const char *p) {
    const char *end = self->pattern_end;
    int first = byte_at(p++);
    if (first == ESCAPE) {
        if (p == end) luaL_error(self->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[') return p;
    if (p < end && *p == '^') p++;
    do { /* a ] in the first position is literal */
        if (p == end) luaL_error(self->L, "malformed pattern (missing ']')");
        step(self);
        if (*p++ == ESCAPE && p < end) p++;
    } while (p == end || *p != ']');
    return p + 1;
}

/* True if c is in the class %`letter`. An upper-case letter is the complement;
 * any other character is literal. */
static bool is_of_class(int c, int letter) {
    static const struct {
        int letter;
        int (*has)(int c);
    } classes[] = {{'a', isalpha}, {'c', iscntrl}, {'d', isdigit},
                   {'g', isgraph}, {'l', islower}, {'p', ispunct},
                   {'s', isspace}, {'u', isupper}, {'w', isalnum},
                   {'x', isxdigit}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].letter != tolower(letter)) continue;
        bool is_in = classes[i].has(c) != 0;
        return isupper(letter) ? !is_in : is_in;
    }
    return letter == c;
}

/* True if c is in the set from the [ at p to the ] at `last`. */
static bool is_in_set(matcher *self, int c, const char *p, const char *last) {
    bool answer = true;
    if (*++p == '^') {
        answer = false;
        p++;
    }
    while (p < last) {
        step(self);
        if (*p == ESCAPE) {
            if (is_of_class(c, byte_at(p + 1))) return answer;
            p += 2;
        } else if (p[1] == '-' && p + 2 < last) {
            if (byte_at(p) <= c && c <= byte_at(p + 2)) return answer;
            p += 3;
        } else {
            if (byte_at(p) == c) return answer;
            p++;
        }
    }
    return !answer;
}

/* True if the item p .. end matches the character at s. */
static bool fits(matcher *self, const char *s, const char *p, const char *end) {
    step(self);
    if (s >= self->subject_end) return false;
    int c = byte_at(s);
    switch (*p) {
    case '.':
        return true;
    case ESCAPE:
        return is_of_class(c, byte_at(p + 1));
    case '[':
        return is_in_set(self, c, p, end - 1);
    default:
        return byte_at(p) == c;
    }
}

/* --- repetitions ---------------------------------------------------------- */

static const char *match_rest(matcher *self, const char *s, const char *p);

/* Match the item p .. end as often as possible, then less often until the rest
 * matches. */
static const char *match_most(matcher *self, const char *s, const char *p,
                              const char *end) {
    ptrdiff_t count = 0;
    while (fits(self, s + count, p, end))
        count++;
    for (; count >= 0; count--) {
        const char *found = match_rest(self, s + count, end + 1);
        if (found) return found;
    }
    return NULL;
}

/* Match the item as rarely as possible, then more often. */
static const char *match_least(matcher *self, const char *s, const char *p,
                               const char *end) {
    for (;; s++) {
        const char *found = match_rest(self, s, end + 1);
        if (found) return found;
        if (!fits(self, s, p, end)) return NULL;
    }
}

/* --- captures, %b, %f ----------------------------------------------------- */

static const char *open_capture(matcher *self, const char *s, const char *p,
                                ptrdiff_t kind) {
    if (self->count >= MATCH_MOST_CAPTURES)
        luaL_error(self->L, "too many captures");
    self->captures[self->count++] = (match_capture){s, kind};
    const char *found = match_rest(self, s, p);
    if (!found) self->count--;
    return found;
}

static const char *close_capture(matcher *self, const char *s, const char *p) {
    int i = self->count - 1;
    while (i >= 0 && self->captures[i].length != MATCH_OPEN)
        i--;
    if (i < 0) luaL_error(self->L, "invalid pattern capture");
    self->captures[i].length = s - self->captures[i].start;
    const char *found = match_rest(self, s, p);
    if (!found) self->captures[i].length = MATCH_OPEN;
    return found;
}

/* %1 to %9: the position after a repetition of the capture, or NULL. */
static const char *match_again(matcher *self, const char *s, int digit) {
    int i = digit - '1';
    if (i < 0 || i >= self->count || self->captures[i].length == MATCH_OPEN)
        luaL_error(self->L, "invalid capture index %%%d", i + 1);
    /* A position capture has no text: its length, cast to size_t, is too large
     * to match. */
    size_t length = (size_t)self->captures[i].length;
    if ((size_t)(self->subject_end - s) < length) return NULL;
    self->steps += (int)(length / 64 < TELL_EVERY ? length / 64 : TELL_EVERY);
    step(self);
    return memcmp(self->captures[i].start, s, length) == 0 ? s + length : NULL;
}

/* %bxy at s, with p on the x: the position after the balancing y, or NULL. */
static const char *match_balance(matcher *self, const char *s, const char *p) {
    if (p + 1 >= self->pattern_end)
        luaL_error(self->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= self->subject_end || *s != *p) return NULL;
    int depth = 1;
    while (++s < self->subject_end) {
        step(self);
        if (*s == p[1]) { /* first: x and y may be the same */
            if (--depth == 0) return s + 1;
        } else if (*s == *p) {
            depth++;
        }
    }
    return NULL;
}

/* %f[set] at s, with p on the [: true if s is in the set and the character
 * before it is not. */
static bool is_frontier(matcher *self, const char *s, const char *p,
                        const char *end) {
    int before = s == self->subject ? 0 : byte_at(s - 1);
    int after = s == self->subject_end ? 0 : byte_at(s);
    return !is_in_set(self, before, p, end - 1) &&
           is_in_set(self, after, p, end - 1);
}

/* --- the pattern ---------------------------------------------------------- */

/* Match %b, %f or %1. True if *p and *s have been advanced (*s is NULL if there
 * is no match), false if the item is a single character. */
static bool match_special(matcher *self, const char **s, const char **p) {
    int letter = *p + 1 < self->pattern_end ? byte_at(*p + 1) : 0;
    if (letter == 'b') {
        *s = match_balance(self, *s, *p + 2);
        *p += 4;
    } else if (letter == 'f') {
        const char *set = *p + 2;
        if (set >= self->pattern_end || *set != '[')
            luaL_error(self->L, "missing '[' after '%%f' in pattern");
        const char *end = after_item(self, set);
        if (!is_frontier(self, *s, set, end)) *s = NULL;
        *p = end;
    } else if (letter >= '0' && letter <= '9') {
        *s = match_again(self, *s, letter);
        *p += 2;
    } else {
        return false;
    }
    return true;
}

/* Match a single character at *p with its suffix. True when done, with the
 * result in *found; false to continue from *s and *p. */
static bool match_single(matcher *self, const char **s, const char **p,
                         const char **found) {
    const char *end = after_item(self, *p);
    int suffix = end < self->pattern_end ? byte_at(end) : 0;
    bool may_lack = suffix == '*' || suffix == '?' || suffix == '-';
    *found = NULL;
    if (!fits(self, *s, *p, end)) {
        *p = end + 1; /* skip an optional item */
        return !may_lack;
    }
    if (suffix == '*') {
        *found = match_most(self, *s, *p, end);
    } else if (suffix == '+') {
        *found = match_most(self, *s + 1, *p, end);
    } else if (suffix == '-') {
        *found = match_least(self, *s, *p, end);
    } else if (suffix == '?') {
        *found = match_rest(self, *s + 1, end + 1);
        *p = end + 1;
        return *found != NULL;
    } else {
        ++*s;
        *p = end;
        return false;
    }
    return true;
}

static const char *match_items(matcher *self, const char *s, const char *p) {
    while (s && p < self->pattern_end) {
        const char *found;
        step(self);
        switch (*p) {
        case '(':
            if (p + 1 < self->pattern_end && p[1] == ')')
                return open_capture(self, s, p + 2, MATCH_POSITION);
            return open_capture(self, s, p + 1, MATCH_OPEN);
        case ')':
            return close_capture(self, s, p + 1);
        case '$':
            if (p + 1 == self->pattern_end)
                return s == self->subject_end ? s : NULL;
            break;
        case ESCAPE:
            if (match_special(self, &s, &p)) continue;
            break;
        default:
            break;
        }
        if (match_single(self, &s, &p, &found)) return found;
    }
    return s;
}

static const char *match_rest(matcher *self, const char *s, const char *p) {
    if (self->depth >= MATCH_DEEPEST)
        luaL_error(self->L, "pattern too complex");
    self->depth++;
    const char *found = match_items(self, s, p);
    self->depth--;
    return found;
}

const char *match_at(matcher *self, const char *s, const char *p) {
    self->count = self->depth = 0;
    return match_rest(self, s, p);
}

/* --- captures for the caller ---------------------------------------------- */

void match_push_capture(matcher *self, int i, const char *s, const char *e) {
    lua_State *L = self->L;
    if (i >= self->count) {
        if (i != 0) luaL_error(L, "invalid capture index %%%d", i + 1);
        (void)lua_pushlstring(L, s, (size_t)(e - s));
        return;
    }
    const match_capture *capture = &self->captures[i];
    if (capture->length == MATCH_OPEN) luaL_error(L, "unfinished capture");
    if (capture->length == MATCH_POSITION) {
        lua_pushinteger(L, capture->start - self->subject + 1);
    } else {
        (void)lua_pushlstring(L, capture->start, (size_t)capture->length);
    }
}

int match_push_captures(matcher *self, const char *s, const char *e) {
    int count = self->count == 0 && s ? 1 : self->count;
    luaL_checkstack(self->L, count, "too many captures");
    for (int i = 0; i < count; i++)
        match_push_capture(self, i, s, e);
    guard_spend(self->L, count + (e && s ? (e - s) / 64 : 0));
    return count;
}
