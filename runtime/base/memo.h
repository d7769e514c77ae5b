/* SPDX-License-Identifier: MIT */
/* runtime/base/memo.h -- results of long work that need not be computed again,
 * and whether there is time to compute them.
 *
 * A thread that computes for others works under a memo of theirs. Solvers name
 * what they compute by a digest of their input, ask for it, and hand it over;
 * no function needs one more argument for it. Without one everything is
 * computed, each time.
 *
 * Thread: each has one of its own. Memory: the memo is the caller's, and must
 * live until another is used; what is found is freed by sb_free.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_memo {
    void *context;
    bool (*find)(void *context, const char *key, char **bytes, size_t *count);
    void (*keep)(void *context, const char *key, const char *bytes,
                 size_t count);
    /* Whether work of about so many seconds is to be done now. */
    bool (*has_time)(void *context, double seconds);
} sb_memo;

void sb_memo_use(const sb_memo *memo); /* NULL: none, as at the start */
const sb_memo *sb_memo_used(void);
