/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/feed.h -- the gate between a sound card and the engine.
 *
 * Every opened card has its own feed. Only the card whose gate is open reaches
 * the engine; the others get silence. A card that was abandoned may call at any
 * time, seconds late: its gate is shut.
 *
 *     callback:  gate |= INSIDE;  pull if it was OPEN;  gate &= ~INSIDE
 *     control:   gate &= ~OPEN;   the engine is free once INSIDE is not set
 *
 * Both sides change one word atomically. So either control sees the callback
 * inside, or the callback sees the gate shut: two cards never pull at the same
 * time, and what the first one wrote is visible to the second.
 *
 * Thread: pull and notice on the card's threads, the rest on control.
 * Memory: the caller's, until the card has been closed.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sb_deadlines sb_deadlines;
typedef struct sb_engine sb_engine;

/* Notifications from the sound system. */
enum {
    SB_NOTICE_STOPPED = 1, /* or interrupted: no more callbacks */
    SB_NOTICE_REROUTED = 2 /* the output was moved to another device */
};

/* The bits of the gate. */
enum { SB_FEED_OPEN = 1, SB_FEED_INSIDE = 2 };

typedef struct sb_feed {
    atomic_uint gate;
    atomic_uint notices;
    atomic_llong callbacks; /* all, whether the gate was open or not */
    /* Written by control while the gate is shut, then by the callback
     * inside. */
    sb_engine *engine;
    sb_deadlines *deadlines; /* NULL: not measured */
    int fade_frames;         /* length of the fade-in; 0: none */
    int faded_frames;        /* so far */
} sb_feed;

/* Initially shut. `deadlines` may be NULL; neither is touched while shut. */
void sb_feed_init(sb_feed *feed, sb_engine *engine, sb_deadlines *deadlines);

/* Render the next frames of the engine, or silence. */
void sb_feed_pull(sb_feed *feed, float *stereo, int frames) SB_RT;
void sb_feed_notice(sb_feed *feed, unsigned notice) SB_RT;

/* Open the gate, with a fade-in over so many frames: a card that joins during a
 * sound must not click. No other card may be pulling. */
void sb_feed_open(sb_feed *feed, int fade_frames);

/* Never waits. Until is_empty, the last callback may still be inside. */
void sb_feed_shut(sb_feed *feed);
bool sb_feed_is_empty(const sb_feed *feed);

unsigned sb_feed_take_notices(sb_feed *feed); /* clears them */
long long sb_feed_callbacks(const sb_feed *feed);
