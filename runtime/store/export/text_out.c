/* SPDX-License-Identifier: MIT */
#include "runtime/store/export/text_out.h"

#include "runtime/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINT_MOST = 1001 };

sb_status sb_text_begin(sb_text_out *text, const char *path, sb_error *err) {
    text->status = SB_OK;
    text->err = err;
    text->used = text->flushed = 0;
    return sb_out_file_create(&text->file, path, err);
}

void sb_text_flush(sb_text_out *text) {
    if (text->status == SB_OK) {
        text->status =
            sb_out_file_write(text->file, text->buffer, text->used, text->err);
    }
    text->flushed += text->used;
    text->used = 0;
}

void sb_text_bytes(sb_text_out *text, const char *bytes, size_t count) {
    while (count > 0) {
        size_t room = sizeof text->buffer - text->used;
        size_t part = count < room ? count : room;
        memcpy(text->buffer + text->used, bytes, part);
        text->used += part;
        bytes += part;
        count -= part;
        if (text->used == sizeof text->buffer) sb_text_flush(text);
    }
}

void sb_text_print(sb_text_out *text, const char *format, ...) {
    if (sizeof text->buffer - text->used < PRINT_MOST) sb_text_flush(text);
    va_list arguments;
    va_start(arguments, format);
    int count =
        vsnprintf(text->buffer + text->used, PRINT_MOST, format, arguments);
    va_end(arguments);
    if (count > 0) {
        size_t most = PRINT_MOST - 1;
        text->used += (size_t)count < most ? (size_t)count : most;
    }
}

void sb_text_quoted(sb_text_out *text, const char *string) {
    sb_text_bytes(text, "\"", 1);
    while (*string) {
        unsigned char c = (unsigned char)*string;
        int length = sb_utf8_length(string);
        if (c == '"' || c == '\\') {
            sb_text_print(text, "\\%c", c);
        } else if (c < 0x20) {
            sb_text_print(text, "\\u%04x", c);
        } else if (length == 0) {
            sb_text_bytes(text, "?", 1); /* no reader accepts such a byte */
        } else {
            sb_text_bytes(text, string, (size_t)length);
        }
        string += length ? length : 1;
    }
    sb_text_bytes(text, "\"", 1);
}

sb_status sb_text_end(sb_text_out *text) {
    sb_text_flush(text);
    if (text->status == SB_OK) return sb_out_file_commit(text->file, text->err);
    sb_out_file_abort(text->file);
    return text->status;
}
