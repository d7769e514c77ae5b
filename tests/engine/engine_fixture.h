/* SPDX-License-Identifier: MIT */
/* tests/engine/engine_fixture.h -- engines, voices and strikes in one line
 * each.
 *
 * Engines have no ears unless a test opens them: a voice is mixed with the
 * gains of its knot, full scale per unit of velocity, and no travel time.
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/ears/path.h"
#include "runtime/engine/audio/limiter.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/impact_def.h"
#include "runtime/engine/voice_def.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { LATENCY = SB_LIMITER_LATENCY, BLOCK = SB_BLOCK_FRAMES, MODES_MAX = 64 };

#define RATE_HZ 48000.0

/* Without a threshold, so that the end of a sound follows the closed form. */
static inline sb_engine *engine_new(void) {
    sb_engine_def def = sb_engine_def_default();
    def.threshold = 0;
    sb_engine *engine = NULL;
    sb_error err = {0};
    ck_assert_msg(sb_engine_create(&def, &engine, &err) == SB_OK, "%s",
                  err.message);
    return engine;
}

static inline sb_path_knot knot_of(float left, float right) {
    return (sb_path_knot){.ear = {{.full = left}, {.full = right}}};
}

static const sb_path_knot straight = {.ear = {{.full = 1}, {.full = 1}}};

static inline sb_voice_id voice_of(sb_engine *engine, const sb_bank_mode *modes,
                                   int count, double time_frames) {
    sb_voice_def def = {.modes = modes, .mode_count = count, .knot = &straight};
    sb_voice_id id = {0, 0};
    sb_error err = {0};
    ck_assert_msg(sb_engine_add_voice(engine, &def, time_frames, &id, &err) ==
                      SB_OK,
                  "%s", err.message);
    return id;
}

/* One mode of frequency `hz` that rings for seconds. */
static inline sb_voice_id voice_new(sb_engine *engine, double hz) {
    sb_bank_mode mode = {2 * SB_PI * hz, 3, 1};
    return voice_of(engine, &mode, 1, 0);
}

static inline sb_status try_strike(sb_engine *engine, sb_voice_id id,
                                   double time_frames, double impulse_ns,
                                   double duration_s) {
    static double weights[MODES_MAX];
    for (int k = 0; k < MODES_MAX; k++)
        weights[k] = k % 2 ? -1 : 1;
    sb_impact_def def = {
        .impulse_ns = impulse_ns, .duration_s = duration_s, .weights = weights};
    return sb_engine_strike(engine, id, time_frames, &def, NULL);
}

static inline void strike(sb_engine *engine, sb_voice_id id, double time_frames,
                          double impulse_ns) {
    ck_assert_int_eq(try_strike(engine, id, time_frames, impulse_ns, 0), SB_OK);
}

static inline void leave(sb_engine *engine, sb_voice_id id, double time_frames,
                         double fade_s) {
    ck_assert_int_eq(
        sb_engine_remove_voice(engine, id, time_frames, fade_s, NULL), SB_OK);
}

/* Glide to modes that are all `factor` times as high. */
static inline void retune(sb_engine *engine, sb_voice_id id, double time_frames,
                          const sb_bank_mode *modes, int count, double factor) {
    sb_bank_mode to[MODES_MAX];
    sb_retune *prepared = NULL;
    for (int k = 0; k < count; k++) {
        to[k] = modes[k];
        to[k].omega_rad_s *= factor;
    }
    ck_assert_int_eq(sb_engine_prepare_retune(engine, modes, to, count, 0.02,
                                              &prepared, NULL),
                     SB_OK);
    ck_assert_int_eq(sb_engine_reserve(engine, 1, NULL), SB_OK);
    sb_engine_retune(engine, id, time_frames, prepared);
}

/* Flush everything before the end, then pull. */
static inline void play(sb_engine *engine, float *stereo, int frames) {
    int64_t end = sb_engine_clock(engine) + frames + BLOCK;
    ck_assert(sb_engine_flush(engine, end));
    sb_engine_pull(engine, stereo, frames);
}

static inline void play_unheard(sb_engine *engine, int frames) {
    static float unheard[2 * 4096];
    for (; frames > 0; frames -= 4096)
        play(engine, unheard, frames < 4096 ? frames : 4096);
}

/* q' of a unit impulse on voice_new(hz), `t` seconds after it. */
static inline double ring_of(double hz, double t) {
    double w0 = 2 * SB_PI * hz, s = 3, wd = sqrt(w0 * w0 - s * s);
    if (t < 0) return 0;
    return exp(-s * t) * (cos(wd * t) - s / wd * sin(wd * t));
}
