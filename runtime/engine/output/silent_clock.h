/* runtime/engine/output/silent_clock.h -- a substitute for a sound card.
 *
 * A thread that pulls frames in real time and discards them.
 *
 * Thread: started and stopped on control; has its own thread.
 * Memory: the caller's.
 */
#ifndef SB_ENGINE_OUTPUT_SILENT_CLOCK_H
#define SB_ENGINE_OUTPUT_SILENT_CLOCK_H

#include "runtime/engine/output/feed.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct sb_silent_clock {
    sb_engine *engine;
    sb_deadlines *deadlines;
    pthread_t thread;
    bool is_running;
    atomic_bool must_stop;
} sb_silent_clock;

SB_NODISCARD sb_status sb_silent_clock_start(sb_silent_clock *clock,
                                             sb_engine *engine,
                                             sb_deadlines *deadlines,
                                             sb_error *err);
void sb_silent_clock_stop(sb_silent_clock *clock);

#endif
