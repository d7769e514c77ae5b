/* SPDX-License-Identifier: MIT */
/* runtime/base/utf8.h -- valid UTF-8, for text that scripts and file names
 * contribute to messages and JSON.
 *
 * Thread: any.
 */
#pragma once

/* Bytes of the character that `text` begins with, 1 to 4; 0 if they are not
 * valid UTF-8 (RFC 3629: no overlong forms, no surrogates) or the text ends. */
static inline int sb_utf8_length(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == 0) return 0;
    if (c[0] < 0x80) return 1;
    int length = c[0] < 0xC2   ? 0
                 : c[0] < 0xE0 ? 2
                 : c[0] < 0xF0 ? 3
                 : c[0] < 0xF5 ? 4
                               : 0;
    for (int i = 1; i < length; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
        (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F)) {
        return 0;
    }
    return length;
}

/* Is the character a control character: C0, delete or C1? Terminals obey
 * them. */
static inline int sb_utf8_is_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return c[0] < 0x20 || c[0] == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0);
}

/* Replace each byte that is not valid UTF-8 by '?', in place. cJSON writes such
 * bytes as they are, and no reader accepts them. NULL is allowed. */
static inline void sb_utf8_mend(char *text) {
    while (text && *text) {
        int length = sb_utf8_length(text);
        if (length == 0) *text = '?';
        text += length ? length : 1;
    }
}
