/* SPDX-License-Identifier: MIT */
#include "runtime/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_names[] = {
#define X(name) #name,
    SB_STATUS_LIST(X)
#undef X
};

const char *sb_status_name(sb_status status) {
    return status < SB_STATUS_COUNT ? status_names[status] : "UNKNOWN";
}

/* Begins with `file`, if it is not NULL. */
static void describe(sb_error *err, sb_status status, const char *file,
                     int line, const char *format, va_list args) {
    err->status = status;
    err->line = line;
    err->hint[0] = '\0';
    (void)snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    int used = 0;
    if (file && line > 0)
        used = snprintf(err->message, sizeof err->message, "%s:%d: ", err->file,
                        line);
    else if (file)
        used = snprintf(err->message, sizeof err->message, "%s: ", err->file);
    (void)vsnprintf(err->message + used, sizeof err->message - (size_t)used,
                    format, args);
}

sb_status(sb_fail)(sb_error *err, sb_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (err) describe(err, status, NULL, 0, format, args);
    va_end(args);
    return status;
}

static sb_status lacking(sb_error *err, const char *before, const char *what,
                         va_list args, const char *after) {
    if (!err) return SB_NO_MEMORY;
    char text[SB_MESSAGE_SIZE - 32];
    (void)vsnprintf(text, sizeof text, what, args);
    return sb_fail(err, SB_NO_MEMORY, "%s%s%s", before, text, after);
}

sb_status(sb_no_memory)(sb_error *err, const char *what, ...) {
    va_list args;
    va_start(args, what);
    sb_status status = lacking(err, "", what, args, ": out of memory");
    va_end(args);
    return status;
}

sb_status(sb_no_memory_for)(sb_error *err, const char *what, ...) {
    va_list args;
    va_start(args, what);
    sb_status status = lacking(err, "out of memory for ", what, args, "");
    va_end(args);
    return status;
}

sb_status sb_fail_in(sb_error *err, sb_status status, const char *file,
                     int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (err) describe(err, status, file, line, format, args);
    va_end(args);
    return status;
}

void sb_error_set_place(sb_error *err, const char *file, int line) {
    if (!err) return;
    err->line = line;
    (void)snprintf(err->file, sizeof err->file, "%s", file);
}

void sb_error_set_hint(sb_error *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (err) (void)vsnprintf(err->hint, sizeof err->hint, format, args);
    va_end(args);
}

sb_status sb_error_lead(sb_error *err, sb_status status, const char *format,
                        ...) {
    if (!err) return status;
    sb_error reason = *err;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used, ": %s",
                   reason.message);
    err->status = status;
    return status;
}

void sb_error_rename(sb_error *err, const char *path, const char *name) {
    if (!err) return;
    sb_error reason = *err;
    size_t length = strlen(path);
    sb_error_set_place(err, name, reason.line);
    if (strncmp(reason.message, path, length) == 0)
        (void)snprintf(err->message, sizeof err->message, "%.200s%s", name,
                       reason.message + length);
}
