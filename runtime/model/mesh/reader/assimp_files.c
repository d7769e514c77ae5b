/* SPDX-License-Identifier: MIT */
/* Checks the chunks of GLB files and rewrites the numbers of OBJ files. Runs in
 * the reader process, in the locale "C". */
#include "runtime/model/mesh/reader/assimp_files.h"

#include "runtime/base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- GLB ------------------------------------------------------------------ */

/* Assimp reads two chunks, text and data; what follows them is ignored. */
enum { HEAD_BYTES = 12, CHUNK_HEAD_BYTES = 8, CHUNKS = 2 };

/* Little-endian, at any address. */
static uint32_t number_at(const char *bytes) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--)
        value = value << 8 | (uint8_t)bytes[i];
    return value;
}

sb_status sb_glb_check_chunks(const char *bytes, size_t size, sb_error *err) {
    if (size < HEAD_BYTES || memcmp(bytes, "glTF", 4) != 0) return SB_OK;
    if (number_at(bytes + 4) != 2) return SB_OK;
    size_t at = HEAD_BYTES;
    for (int n = 1; n <= CHUNKS && size - at >= CHUNK_HEAD_BYTES; n++) {
        uint32_t length = number_at(bytes + at);
        at += CHUNK_HEAD_BYTES;
        if (length > size - at) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "it is cut short or damaged: chunk %d should have "
                           "%u bytes, and the file has %zu more",
                           n, length, size - at);
        }
        at += length;
    }
    return SB_OK;
}

/* --- OBJ ------------------------------------------------------------------ */

/* What is written: bytes before `from` of the file have been copied. */
typedef struct rewriting {
    const char *from;
    char *out;
    size_t count, room;
    bool is_full;
} rewriting;

static bool is_end(char c) {
    return c == '\0' || c == '\n' || c == '\r';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static void put(rewriting *r, const char *bytes, size_t count) {
    if (!r->out || r->count + count + 1 > r->room) {
        size_t room = 2 * r->room + count + 64;
        char *moved = sb_resize(r->out, room, 1);
        r->is_full = r->is_full || !moved;
        if (!moved) return;
        r->out = moved;
        r->room = room;
    }
    memcpy(r->out + r->count, bytes, count);
    r->count += count;
}

/* Assimp reads decimal numbers that begin with a digit. */
static bool is_plain(const char *word, const char *stop) {
    if (*word == '+' || *word == '-') word++;
    if (!isdigit((unsigned char)*word)) return false;
    return !memchr(word, 'x', (size_t)(stop - word)) &&
           !memchr(word, 'X', (size_t)(stop - word));
}

static void take_word(rewriting *r, const char *word, const char *stop) {
    char text[40], *end;
    if (is_plain(word, stop)) return;
    double value = strtod(word, &end);
    if (end != stop || !isfinite(value)) return; /* assimp complains of it */
    int length = snprintf(text, sizeof text, "%.17g", value);
    put(r, r->from, (size_t)(word - r->from));
    put(r, text, (size_t)length);
    r->from = stop;
}

/* A line of v, vt or vn from after that word. A backslash before its end
 * continues it in the next. Returns the end. */
static const char *take_line(rewriting *r, const char *at) {
    while (!is_end(*at)) {
        const char *word = at;
        while (!is_end(*at) && !is_blank(*at))
            at++;
        if (at - word == 1 && *word == '\\' && *at) {
            at += *at == '\r' && at[1] == '\n' ? 2 : 1;
        } else if (at > word) {
            take_word(r, word, at);
        }
        while (is_blank(*at))
            at++;
    }
    return at;
}

static bool has_numbers(const char *at) {
    if (*at++ != 'v') return false;
    if (*at == 't' || *at == 'n') at++;
    return is_blank(*at);
}

bool sb_obj_rewrite_numbers(char **bytes, size_t *size) {
    const char *end = *bytes + *size;
    rewriting r = {.from = *bytes};
    for (const char *at = *bytes; at < end && !r.is_full;) {
        while (is_blank(*at))
            at++;
        if (has_numbers(at)) {
            at += strcspn(at, " \t");
            while (is_blank(*at))
                at++;
            at = take_line(&r, at);
        }
        while (at < end && *at != '\n' && *at != '\r')
            at++;
        at++;
    }
    if (r.from > *bytes) put(&r, r.from, (size_t)(end - r.from));
    if (r.is_full) sb_free(r.out);
    if (r.is_full || !r.out) return !r.is_full;
    r.out[r.count] = '\0';
    sb_free(*bytes);
    *bytes = r.out;
    *size = r.count;
    return true;
}
