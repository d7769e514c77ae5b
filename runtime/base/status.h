/* SPDX-License-Identifier: MIT */
/* runtime/base/status.h -- how functions report failure.
 *
 * A function that can fail returns an sb_status and takes, as its last
 * argument, an optional sb_error that receives one human-readable sentence.
 * There is no global "last error": two threads, or two engines, never see each
 * other's failures. On failure, outputs are left untouched.
 *
 * Thread: any.
 */
#pragma once

#include <stdio.h>

/* One list generates both the enum and the names. */
#define SB_STATUS_LIST(X)                                       \
    X(OK)                                                       \
    X(NO_MEMORY)                                                \
    X(BAD_ARGUMENT)   /* outside its valid range */             \
    X(BAD_FORMAT)     /* a file is malformed */                 \
    X(NOT_FOUND)      /* no such file or object */              \
    X(STALE_HANDLE)   /* the object has been removed */         \
    X(QUEUE_FULL)     /* too many commands in a control step */ \
    X(NO_CONVERGENCE) /* a numerical method failed */           \
    X(NO_MODES)       /* nothing that would sound */            \
    X(NO_DEVICE)      /* no usable audio device */              \
    X(IO_ERROR)       /* reading or writing failed */           \
    X(INTERRUPTED)

/* clang-format off */
typedef enum sb_status {
#define X(name) SB_##name,
    SB_STATUS_LIST(X)
#undef X
    SB_STATUS_COUNT
} sb_status;
/* clang-format on */

enum { SB_MESSAGE_SIZE = 480 };

typedef struct sb_error {
    sb_status status;
    int line;                      /* of `file`, from 1 on; 0: not known */
    char file[256];                /* that has the error; or "" */
    char hint[96];                 /* what would help; or "" */
    char message[SB_MESSAGE_SIZE]; /* one sentence, with all of the above */
} sb_error;

#if defined(__GNUC__)
#define SB_NODISCARD       __attribute__((warn_unused_result))
#define SB_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#else
#define SB_NODISCARD
#define SB_PRINTF(fmt, va)
#endif

/* Marks a function the audio thread may call. Clang 20's RealtimeSanitizer
 * enforces it at run time; on every compiler the rt_symbols test checks that
 * the sandbell_rt objects link against nothing that can block. */
#if defined(__has_attribute)
#if __has_attribute(nonblocking)
#define SB_RT __attribute__((nonblocking))
#endif
#endif
#ifndef SB_RT
#define SB_RT
#endif

const char *sb_status_name(sb_status status); /* "QUEUE_FULL" */

/* Fill `err`, if it is not NULL, and return `status`, so that a failure is one
 * line:  return sb_fail(err, SB_BAD_FORMAT, "%s:%d: ...", path, line); */
sb_status sb_fail(sb_error *err, sb_status status, const char *format, ...)
    SB_PRINTF(3, 4);

/* clang-tidy does not see the body of sb_fail; without this macro it assumes
 * that every failure may return SB_OK. */
#ifdef __clang_analyzer__
#define sb_fail(err, status, ...) \
    ((void)(sb_fail)(err, status, __VA_ARGS__), (status))
#endif

/* NO_MEMORY: "WHAT: out of memory", or "out of memory for WHAT". */
sb_status sb_no_memory(sb_error *err, const char *what, ...) SB_PRINTF(2, 3);
sb_status sb_no_memory_for(sb_error *err, const char *what, ...)
    SB_PRINTF(2, 3);
#ifdef __clang_analyzer__
#define sb_no_memory(...)     ((void)(sb_no_memory)(__VA_ARGS__), SB_NO_MEMORY)
#define sb_no_memory_for(...) sb_no_memory(__VA_ARGS__)
#endif

/* The same for an error in a file: the message begins with "FILE: ", or with
 * "FILE:LINE: " if the line is known. */
sb_status sb_fail_in(sb_error *err, sb_status status, const char *file,
                     int line, const char *format, ...) SB_PRINTF(5, 6);

/* What a failure that has been described is about. `err` may be NULL. */
void sb_error_set_place(sb_error *err, const char *file, int line);
void sb_error_set_hint(sb_error *err, const char *format, ...) SB_PRINTF(2, 3);

/* Put "WHERE: " before the message, and return `status`. */
sb_status sb_error_lead(sb_error *err, sb_status status, const char *format,
                        ...) SB_PRINTF(3, 4);

/* The file at `path` has another name for the user: in `file`, and in the
 * message if that begins with it. */
void sb_error_rename(sb_error *err, const char *path, const char *name);
