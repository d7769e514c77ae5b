/* runtime/engine/output/feed.h -- the door through which a sound card takes
 * frames.
 *
 * Every card that is opened gets a feed of its own. Only the one whose door is
 * open reaches the engine; through a shut one comes silence. A card that has
 * been given up may call again at any time, seconds late: its door is shut.
 *
 *     callback:  gate |= INSIDE;  pull if it was OPEN;  gate &= ~INSIDE
 *     control:   gate &= ~OPEN;   the engine is free once INSIDE is not set
 *
 * Both sides change one word atomically, so a callback is either seen inside
 * or sees the door shut: two cards never pull at the same time, and what the
 * first one wrote is visible to the second.
 *
 * Thread: pull and notice on the card's threads, the rest on control.
 * Memory: the caller's, until the card has been closed.
 */
#ifndef SB_ENGINE_OUTPUT_FEED_H
#define SB_ENGINE_OUTPUT_FEED_H

#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/engine.h"

#include <stdatomic.h>

/* What a sound system may say of a card by itself. */
enum {
    SB_NOTICE_STOPPED = 1, /* or interrupted: no callbacks to be expected */
    SB_NOTICE_REROUTED = 2 /* the sound goes elsewhere now */
};

/* The bits of the gate. */
enum { SB_FEED_OPEN = 1, SB_FEED_INSIDE = 2 };

typedef struct sb_feed {
    atomic_uint gate;
    atomic_uint notices;
    atomic_llong callbacks; /* all of them, whether the door was open or not */
    /* Written by control while the door is shut, then by the callback inside.*/
    sb_engine *engine;
    sb_deadlines *deadlines; /* NULL: not measured */
    int fade_frames;         /* of the fade-in; 0: none */
    int faded_frames;        /* so far */
} sb_feed;

/* Shut. `deadlines` may be NULL; neither is touched while the door is shut. */
void sb_feed_init(sb_feed *feed, sb_engine *engine, sb_deadlines *deadlines);

/* The next frames of the engine, or silence. */
void sb_feed_pull(sb_feed *feed, float *stereo, int frames) SB_RT;
void sb_feed_notice(sb_feed *feed, unsigned notice) SB_RT;

/* Let it pull, fading in over so many frames: a card that joins in the middle
 * of a sound must not click. Nobody else may be pulling. */
void sb_feed_open(sb_feed *feed, int fade_frames);

/* Never waits. Until is_empty, the last callback may still be inside. */
void sb_feed_shut(sb_feed *feed);
bool sb_feed_is_empty(const sb_feed *feed);

unsigned sb_feed_take_notices(sb_feed *feed); /* and forget them */
long long sb_feed_callbacks(const sb_feed *feed);

#endif
