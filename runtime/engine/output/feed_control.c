/* The control side of a feed: opening and shutting its gate. */
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/output/feed.h"

void sb_feed_init(sb_feed *feed, sb_engine *engine, sb_deadlines *deadlines) {
    atomic_init(&feed->gate, 0);
    atomic_init(&feed->notices, 0);
    atomic_init(&feed->callbacks, 0);
    feed->engine = engine;
    feed->deadlines = deadlines;
    feed->fade_frames = feed->faded_frames = 0;
}

void sb_feed_open(sb_feed *feed, int fade_frames) {
    feed->fade_frames = fade_frames;
    feed->faded_frames = 0;
    atomic_fetch_or_explicit(&feed->gate, SB_FEED_OPEN, memory_order_acq_rel);
}

void sb_feed_shut(sb_feed *feed) {
    atomic_fetch_and_explicit(&feed->gate, ~(unsigned)SB_FEED_OPEN,
                              memory_order_acq_rel);
}

bool sb_feed_is_empty(const sb_feed *feed) {
    return atomic_load_explicit(&feed->gate, memory_order_acquire) == 0;
}

unsigned sb_feed_take_notices(sb_feed *feed) {
    return atomic_exchange_explicit(&feed->notices, 0, memory_order_relaxed);
}

long long sb_feed_callbacks(const sb_feed *feed) {
    return atomic_load_explicit(&feed->callbacks, memory_order_relaxed);
}
