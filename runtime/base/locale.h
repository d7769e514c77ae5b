/* SPDX-License-Identifier: MIT */
/* runtime/base/locale.h -- the C locale, for this thread alone.
 *
 * Numbers in texts have a point, and strings are compared byte by byte, in
 * every country: printf, strtod and strcoll would follow the locale that the
 * program has set. A call from a program that is not ours enters and leaves;
 * threads of ours enter when they begin. No other thread is affected.
 *
 * Thread: any. Memory: none.
 */
#pragma once

typedef struct sb_locale {
    void *before; /* what the thread had */
} sb_locale;

/* May be nested. */
sb_locale sb_locale_enter(void);
void sb_locale_leave(sb_locale own);
