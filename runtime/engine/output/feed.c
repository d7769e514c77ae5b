/* SPDX-License-Identifier: MIT */
/* The gate between a sound card and the engine: both sides. Thread: pull and
 * notice on the audio thread, the rest on control. */
#include "runtime/engine/output/feed.h"

#include "runtime/base/clock.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"

#include <string.h>

static void fade_in(sb_feed *feed, float *stereo, int frames) {
    for (int n = 0; n < frames && feed->faded_frames < feed->fade_frames; n++) {
        float gain = (float)feed->faded_frames++ / (float)feed->fade_frames;
        stereo[2 * n] *= gain;
        stereo[2 * n + 1] *= gain;
    }
}

static void pull(sb_feed *feed, float *stereo, int frames) {
    int64_t from_ns = feed->deadlines ? sb_clock_ns() : 0;
    sb_engine_pull(feed->engine, stereo, frames);
    if (feed->deadlines)
        sb_engine_report_duration(feed->engine, sb_clock_ns() - from_ns);
    fade_in(feed, stereo, frames);
    if (feed->deadlines) {
        sb_deadline_record(feed->deadlines, from_ns, frames,
                           sb_engine_sample_rate(feed->engine));
    }
}

void sb_feed_pull(sb_feed *feed, float *stereo, int frames) {
    unsigned before = atomic_fetch_or_explicit(&feed->gate, SB_FEED_INSIDE,
                                               memory_order_acq_rel);
    if (before & SB_FEED_OPEN) {
        pull(feed, stereo, frames);
    } else {
        memset(stereo, 0, (size_t)frames * 2 * sizeof *stereo);
    }
    atomic_fetch_and_explicit(&feed->gate, ~(unsigned)SB_FEED_INSIDE,
                              memory_order_acq_rel);
    atomic_fetch_add_explicit(&feed->callbacks, 1, memory_order_relaxed);
}

void sb_feed_notice(sb_feed *feed, unsigned notice) {
    atomic_fetch_or_explicit(&feed->notices, notice, memory_order_relaxed);
}

/* --- control --------------------------------------------------------------*/

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
