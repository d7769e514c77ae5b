/* runtime/engine/output/keeper.h -- a thread that opens one card, minds it, closes it.
 *
 *     sent out ─► OPENING ─► OPEN ─► sent home ─► HOME
 *                    └─────► FAILED (home as well)
 *
 * Every call into the sound system is made by the keeper, so nobody else waits
 * where a server hangs or a driver sleeps. A keeper that is stuck in there can
 * be left behind: it owns all it needs, and goes home by itself if it ever gets
 * free.
 *
 * Thread: control.
 * Memory: shared by control and the keeper; the last to let go frees it.
 */
#ifndef SB_ENGINE_OUTPUT_KEEPER_H
#define SB_ENGINE_OUTPUT_KEEPER_H

#include "runtime/engine/output/device.h"

typedef struct sb_keeper sb_keeper;

typedef enum sb_keeper_state {
    SB_KEEPER_OPENING,
    SB_KEEPER_OPEN, /* facts and feed are good; callbacks come */
    SB_KEEPER_FAILED,
    SB_KEEPER_HOME
} sb_keeper_state;

/* Begin to open a card for this feed of the engine, which is shut at first. The
 * definition is copied. NO_MEMORY also when there is no thread. */
SB_NODISCARD sb_status sb_keeper_send_out(const sb_device_api *api,
                                          const sb_device_def *def,
                                          sb_engine *engine,
                                          sb_deadlines *deadlines,
                                          sb_keeper **out, sb_error *err);

sb_keeper_state sb_keeper_state_of(sb_keeper *keeper);

/* Wait until it is no longer opening, at most `limit_s`; false if it is. */
bool sb_keeper_wait_open(sb_keeper *keeper, double limit_s);

sb_feed *sb_keeper_feed(sb_keeper *keeper);
const sb_device_facts *sb_keeper_facts(const sb_keeper *keeper);    /* OPEN */
sb_status sb_keeper_reason(const sb_keeper *keeper, sb_error *err); /* FAILED */

/* Close the card as soon as may be. The feed must be shut and empty. */
void sb_keeper_send_home(sb_keeper *keeper);

/* Has been sent home and is there, or failed. Waits at most `limit_s`. */
bool sb_keeper_is_home(sb_keeper *keeper, double limit_s);

/* Let go of one that has been sent home, there or not. NULL is allowed. */
void sb_keeper_forget(sb_keeper *keeper);

#endif
