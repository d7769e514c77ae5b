/* What a device callback runs. Everything here may run on the audio thread. */
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
