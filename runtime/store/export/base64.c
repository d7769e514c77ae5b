#include "runtime/store/export/base64.h"

#include <string.h>

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void sb_base64_group(const unsigned char *bytes, size_t count, char text[4]) {
    unsigned a = bytes[0], b = count > 1 ? bytes[1] : 0U;
    unsigned c = count > 2 ? bytes[2] : 0U;
    unsigned all = a << 16 | b << 8 | c;
    text[0] = digits[all >> 18 & 63];
    text[1] = digits[all >> 12 & 63];
    text[2] = '=';
    text[3] = '=';
    if (count > 1) text[2] = digits[all >> 6 & 63];
    if (count > 2) text[3] = digits[all & 63];
}

static int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

bool sb_base64_decode(const char *text, size_t length, void *bytes,
                      size_t count) {
    if (length % 4 != 0 || (count + 2) / 3 != length / 4) return false;
    unsigned char *out = bytes;
    for (size_t i = 0; i < length; i += 4) {
        size_t left = count - i / 4 * 3;
        int given = left >= 3 ? 4 : (int)left + 1;
        unsigned all = 0;
        for (int j = 0; j < 4; j++) {
            int value = j < given ? value_of(text[i + (size_t)j]) : 0;
            if (value < 0) return false;
            if (j >= given && text[i + (size_t)j] != '=') return false;
            all = all << 6 | (unsigned)value;
        }
        for (int j = 0; j < given - 1; j++)
            *out++ = (unsigned char)(all >> (16 - 8 * j));
    }
    return true;
}
