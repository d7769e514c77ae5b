/* runtime/engine/output/card_thread.h -- a thread that opens one card, minds
 * it, closes it.
 *
 *     sent out ─► OPENING ─► OPEN ─► sent home ─► HOME
 *                    └─────► FAILED (home as well)
 *
 * Every call into the sound system is made by the thread, so nobody else waits
 * where a server hangs or a driver sleeps. A thread that is stuck in there can
 * be left behind: it owns all it needs, and goes home by itself if it ever gets
 * free.
 *
 * Thread: control.
 * Memory: shared by control and the thread; the last to let go frees it.
 */
#ifndef SB_ENGINE_OUTPUT_CARD_THREAD_H
#define SB_ENGINE_OUTPUT_CARD_THREAD_H

#include "runtime/engine/output/device.h"

typedef struct sb_card_thread sb_card_thread;

typedef enum sb_card_state {
    SB_CARD_OPENING,
    SB_CARD_OPEN, /* facts and feed are good; callbacks come */
    SB_CARD_FAILED,
    SB_CARD_CLOSED
} sb_card_state;

/* Begin to open a card for this feed of the engine, which is shut at first. The
 * definition is copied. NO_MEMORY also when there is no thread. */
SB_NODISCARD sb_status sb_card_thread_start(
    const sb_device_api *api, const sb_device_def *def, sb_engine *engine,
    sb_deadlines *deadlines, sb_card_thread **out, sb_error *err);

sb_card_state sb_card_thread_state(sb_card_thread *thread);

/* Wait until it is no longer opening, at most `limit_s`; false if it is. */
bool sb_card_thread_wait_open(sb_card_thread *thread, double limit_s);

sb_feed *sb_card_thread_feed(sb_card_thread *thread);
const sb_device_facts *
sb_card_thread_facts(const sb_card_thread *thread); /* OPEN */
sb_status sb_card_thread_reason(const sb_card_thread *thread,
                                sb_error *err); /* FAILED */

/* Close the card as soon as may be. The feed must be shut and empty. */
void sb_card_thread_stop(sb_card_thread *thread);

/* Has been sent home and is there, or failed. Waits at most `limit_s`. */
bool sb_card_thread_is_closed(sb_card_thread *thread, double limit_s);

/* Let go of one that has been sent home, there or not. NULL is allowed. */
void sb_card_thread_release(sb_card_thread *thread);

#endif
