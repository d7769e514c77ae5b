/* runtime/media/image/png_text.c -- the texts in a PNG file, and what ours says. */
#include "runtime/media/image/png16.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length, kind and checksum of a chunk, without what is in it. */
enum { SIGNATURE = 8, CHUNK_HEAD = 8, CHUNK_TAIL = 4, TEXT_MOST = 128 };

typedef struct slice {
    const unsigned char *at;
    size_t count;
} slice;

static size_t big_endian(const unsigned char *b) {
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

/* Drop what comes before the next zero byte, and the byte itself. */
static bool skip_word(slice *rest) {
    const unsigned char *zero =
        rest->count > 0 ? memchr(rest->at, 0, rest->count) : NULL;
    if (!zero) return false;
    rest->count -= (size_t)(zero + 1 - rest->at);
    rest->at = zero + 1;
    return true;
}

static bool skip_keyword(slice *rest, const char *keyword) {
    size_t length = strlen(keyword);
    return rest->count > length && memcmp(rest->at, keyword, length) == 0 &&
           rest->at[length] == 0 && skip_word(rest);
}

/* iTXt has between keyword and text: is it compressed (then it is not for us),
 * how, the language, and the keyword in that language. */
static bool skip_language(slice *rest) {
    if (rest->count < 2 || rest->at[0] != 0) return false;
    rest->at += 2;
    rest->count -= 2;
    bool has_language = skip_word(rest);
    return has_language && skip_word(rest);
}

static bool text_of_chunk(const unsigned char *kind, slice data,
                          const char *keyword, slice *out) {
    bool is_plain = memcmp(kind, "tEXt", 4) == 0;
    bool is_international = memcmp(kind, "iTXt", 4) == 0;
    if (!is_plain && !is_international) return false;
    if (!skip_keyword(&data, keyword)) return false;
    if (is_international && !skip_language(&data)) return false;
    *out = data;
    return true;
}

bool sb_png_find_text(const unsigned char *bytes, size_t count,
                      const char *keyword, char *text, size_t size) {
    if (size == 0 || count < SIGNATURE ||
        memcmp(bytes, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0) {
        return false;
    }
    slice rest = {bytes + SIGNATURE, count - SIGNATURE};
    while (rest.count >= CHUNK_HEAD) {
        size_t length = big_endian(rest.at);
        slice data = {rest.at + CHUNK_HEAD, length}, found;
        if (length > rest.count - CHUNK_HEAD) return false;
        if (text_of_chunk(rest.at + 4, data, keyword, &found)) {
            size_t kept = found.count < size - 1 ? found.count : size - 1;
            memcpy(text, found.at, kept);
            text[kept] = '\0';
            return true;
        }
        size_t whole = CHUNK_HEAD + length + CHUNK_TAIL;
        if (whole >= rest.count) return false;
        rest.at += whole;
        rest.count -= whole;
    }
    return false;
}

bool sb_weights_note_read(const char *text, sb_weights_note *out) {
    static const char word[] = "signed", scale[] = " scale=";
    sb_weights_note note = {.is_signed = true, .scale = 1};
    if (strncmp(text, word, sizeof word - 1) != 0) return false;
    text += sizeof word - 1;
    if (*text) {
        char *end;
        if (strncmp(text, scale, sizeof scale - 1) != 0) return false;
        text += sizeof scale - 1;
        note.scale = strtod(text, &end);
        note.has_scale = true;
        if (end == text || *end || !(note.scale > 0) || !isfinite(note.scale))
            return false;
    }
    *out = note;
    return true;
}

bool sb_png_find_weights(const unsigned char *bytes, size_t count,
                         sb_weights_note *out) {
    char text[TEXT_MOST];
    *out = (sb_weights_note){.scale = 1};
    if (!sb_png_find_text(bytes, count, SB_WEIGHTS_KEYWORD, text, sizeof text))
        return true;
    return sb_weights_note_read(text, out);
}
