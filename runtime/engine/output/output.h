/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/output.h -- audio output that survives lost devices.
 *
 * Output goes to a sound card while there is one, otherwise to the silent
 * clock: a thread that requests frames in real time and discards them. Scene
 * time continues through every change, frame by frame.
 *
 *            no callbacks for lost_s, or the system reports it
 *     PLAYING ───────────────────────────────────────────► LEAVING
 *        ▲                                                    │ the last
 *        │ a card calls back                                  ▼ callback is out
 *     trying cards, with growing pauses ◄────────────────── SILENT
 *
 * A card on trial gets silence until it has shown that it works, so nothing is
 * queued in it when it takes over: no burst, and a fade-in of some milliseconds
 * avoids a click. The silent clock waits for the control thread where a sound
 * card would not, so a recorded silent run has the same samples as a render.
 *
 * Thread: control. It waits for a sound system only in open and close, and no
 *         longer than the definition says.
 * Memory: owns everything except the engine. A card that does not return from
 *         its sound system is abandoned, with what it needs.
 */
#pragma once

#include "runtime/engine/output/device.h"

#include <stdint.h>

typedef struct sb_deadlines sb_deadlines;
typedef struct sb_engine sb_engine;
typedef struct sb_output sb_output;

enum { SB_OUTPUT_PAUSES = 4 };

typedef struct sb_output_def {
    sb_engine *engine;
    /* as in sb_device_def; "null": the silent clock only */
    const char *backend;
    const char *device;
    bool needs_device; /* no card at the start is an error, not a message */
    const sb_device_api *api; /* default: sb_device_cards */
    double lost_s;    /* time without a callback until lost; default 1 */
    double stopped_s; /* the same after a STOPPED notice; default 0.1 */
    /* between attempts; the last one repeats; default 0.5, 1, 2, 4 */
    double pauses_s[SB_OUTPUT_PAUSES];
    /* a card that takes longer to open is abandoned; default 5 */
    double open_s;
    /* a card on trial that requests nothing for this long is closed; default 3,
     * as a new PulseAudio sink may sleep for 2 s */
    double trial_s;
    double close_s; /* time that close waits for cards; default 2 */
    double fade_s;  /* fade-in of a new card; default 0.005 */
    /* One line for the user. May be NULL. */
    void (*report)(void *user, const char *message);
    void *user;
} sb_output_def;

sb_output_def sb_output_def_default(void);

/* Open a card, or prepare to continue silently and report that. NO_DEVICE if
 * one is required; BAD_ARGUMENT for an unknown backend. Strings are borrowed
 * until close. */
SB_NODISCARD sb_status sb_output_open(const sb_output_def *def, sb_output **out,
                                      sb_error *err);

/* Start requesting frames. Call once. */
SB_NODISCARD sb_status sb_output_start(sb_output *output, sb_error *err);

/* Supervise the output; call it at least once per control step. Cheap. `now_ns`
 * is sb_clock_ns, or a test's. */
void sb_output_watch(sb_output *output, int64_t now_ns);

/* After it returns, no more frames are requested. */
void sb_output_stop(sb_output *output);

/* Stops first. NULL is allowed. */
void sb_output_close(sb_output *output);

/* Of the present output: "silent clock" on "null" without a card. */
const char *sb_output_name(const sb_output *output);
const char *sb_output_backend(const sb_output *output);

/* The largest number of frames requested at once; may grow before a card takes
 * over, and then does so one watch earlier. */
int sb_output_period_frames(const sb_output *output);

typedef struct sb_output_counts {
    long long losses;  /* of a playing card */
    long long returns; /* from the silent clock to a card */
    int left_behind;   /* cards whose closing has not completed */
} sb_output_counts;

sb_output_counts sb_output_read_counts(const sb_output *output);

/* Of all cards and the silent clock together. Thread: any. */
const sb_deadlines *sb_output_deadlines(const sb_output *output);
