/* SPDX-License-Identifier: MIT */
/* runtime/scene/conductor.h -- one clock for control and audio.
 *
 * The scene advances in control steps of fixed length; a step posts everything
 * that happens in its span before the audio thread gets there. The same steps
 * are taken at the same times whether a device plays or a file is written, so
 * both have the same samples.
 *
 *     render:  step, step, ..., pull a block, step, pull a block, ...
 *     play:    the control thread keeps the horizon a fixed lead before the
 *              audio clock; the device pulls
 *
 * Thread: control. Memory: the caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_engine sb_engine;
typedef struct sb_output sb_output;

typedef struct sb_conductor_def {
    sb_engine *engine;
    /* Run the scene from `from_s` up to `to_s`. */
    sb_status (*step)(void *user, double from_s, double to_s, sb_error *err);
    /* True while something is still scheduled to happen. */
    bool (*is_busy)(void *user);
    /* Take the frames, in order, the look-ahead removed. May be
     * NULL. */
    sb_status (*sink)(void *user, const float *stereo, int frames,
                      sb_error *err);
    /* After each block of SB_BLOCK_FRAMES that a render has computed. May be
     * NULL. */
    sb_status (*computed)(void *user, sb_error *err);
    /* Called about once per control step; true ends the run. May be NULL. */
    bool (*must_stop)(void *user, double now_s);
    /* While playing, called about once per millisecond between steps, to look
     * at files or keys. May be NULL. */
    void (*idle)(void *user);
    void *user;
    /* Render: frames by which steps must be ahead of the sound; default 0. */
    int64_t lead_frames;
    /* Render: true ends it as if its time were over. May be NULL. */
    bool (*is_done)(void *user);
    double step_s; /* default 0.01 */
} sb_conductor_def;

sb_conductor_def sb_conductor_def_default(void);

/* --- steps alone: the caller pulls the frames -------------------------------- */

typedef struct sb_conductor {
    sb_conductor_def def;
    double rate_hz;
    int64_t step_frames;
    int64_t step; /* the next one */
} sb_conductor;

void sb_conductor_init(sb_conductor *self, const sb_conductor_def *def);

/* Take steps until everything before frame `frames` has been sent. Less is
 * reached, without an error, while the command ring is full: the audio side
 * empties it. */
SB_NODISCARD sb_status sb_conductor_reach(sb_conductor *self, int64_t frames,
                                          sb_error *err);

/* The earliest time that, in frames, is not before `frames`. */
double sb_conductor_time_s(double rate_hz, int64_t frames);

/* --- all of a run ------------------------------------------------------------ */

typedef struct sb_span {
    double duration_s;   /* > 0: exactly this long; else until silent */
    double silence_dbfs; /* until-silent: the peak that counts as silence */
    double limit_s;      /* until-silent: at the latest */
} sb_span;

typedef struct sb_conduct_result {
    int64_t frames; /* handed out */
    double peak;    /* of all of them, full scale is 1 */
    double seconds; /* of wall time */
    bool was_cut;   /* until-silent ended at the limit */
} sb_conduct_result;

/* Render faster than real time, into the sink. INTERRUPTED, by must_stop or by
 * a step: `out` says what the sink has got up to there. */
SB_NODISCARD sb_status sb_conduct_render(const sb_conductor_def *def,
                                         const sb_span *span,
                                         sb_conduct_result *out, sb_error *err);

/* Play in real time, through an open output, for `duration_s` or, when that is
 * 0, until must_stop or a step that is INTERRUPTED, which is no failure. With a sink, every frame is recorded. The output is
 * watched, so devices may come and go; it is stopped at the end, not closed. */
SB_NODISCARD sb_status sb_conduct_play(const sb_conductor_def *def,
                                       sb_output *output, double duration_s,
                                       sb_conduct_result *out, sb_error *err);
