/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/card_thread.h -- a thread that opens and closes a card.
 *
 *     start ─► OPENING ─► OPEN ─► stop ─► CLOSED
 *                 └─────► FAILED (closed as well)
 *
 * Every call into the sound system is made by this thread, so nobody else waits
 * where a server hangs or a driver sleeps. A thread that hangs there can be
 * abandoned: it owns everything it needs, and ends by itself if it ever
 * returns.
 *
 * Thread: control.
 * Memory: shared by control and the thread; the last to release it frees it.
 */
#pragma once

#include "runtime/engine/output/device.h"

#include <stdbool.h>

typedef struct sb_card_thread sb_card_thread;
typedef struct sb_deadlines sb_deadlines;
typedef struct sb_engine sb_engine;

typedef enum sb_card_state {
    SB_CARD_OPENING,
    SB_CARD_OPEN, /* facts and feed are valid; callbacks come */
    SB_CARD_FAILED,
    SB_CARD_CLOSED
} sb_card_state;

/* Start to open a card for this feed of the engine, which is shut initially.
 * The definition is copied. NO_MEMORY also when no thread can be created. */
SB_NODISCARD sb_status sb_card_thread_start(
    const sb_device_api *api, const sb_device_def *def, sb_engine *engine,
    sb_deadlines *deadlines, sb_card_thread **out, sb_error *err);

sb_card_state sb_card_thread_state(sb_card_thread *thread);

/* Wait until it is no longer opening, at most `limit_s`; false on timeout. */
bool sb_card_thread_wait_open(sb_card_thread *thread, double limit_s);

sb_feed *sb_card_thread_feed(sb_card_thread *thread);
const sb_device_facts *
sb_card_thread_facts(const sb_card_thread *thread); /* OPEN */
sb_status sb_card_thread_reason(const sb_card_thread *thread,
                                sb_error *err); /* FAILED */

/* Close the card as soon as possible. The feed must be shut and empty. */
void sb_card_thread_stop(sb_card_thread *thread);

/* It was stopped and is closed, or failed. Waits at most `limit_s`. */
bool sb_card_thread_is_closed(sb_card_thread *thread, double limit_s);

/* Release a thread that was stopped, closed or not. NULL is allowed. */
void sb_card_thread_release(sb_card_thread *thread);
