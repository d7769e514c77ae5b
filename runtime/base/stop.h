/* SPDX-License-Identifier: MIT */
/* runtime/base/stop.h -- long work that is no longer wanted ends itself, and
 * tells how far it is.
 *
 * A thread that computes for others watches a flag of theirs. Solvers ask
 * sb_stop_is_wanted wherever they may give up, ten times per second or more; no
 * function needs one more argument for it. The target stop_times measures it.
 *
 * Thread: each has a flag of its own. Memory: the flag is the caller's, and
 * must live until another is watched.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Watch this flag from now on; NULL: none, as at the start of a thread. */
void sb_stop_watch(const atomic_bool *flag);

/* The flag that this thread watches, for threads that work for it. */
const atomic_bool *sb_stop_watched(void);

bool sb_stop_is_wanted(void);

/* INTERRUPTED if it is wanted, else OK. */
SB_NODISCARD sb_status sb_stop_check(sb_error *err);

/* Called repeatedly; returning false interrupts. `stage` names what is being
 * done ("ordering", "factorisation" in per cent, "modes", ...); `expected` is 0
 * while it is unknown. */
typedef bool (*sb_progress)(void *context, const char *stage, int done,
                            int expected);
