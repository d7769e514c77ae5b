/* SPDX-License-Identifier: MIT */
/* tests/scene/scene_fixture.h -- an engine with a scene, and short functions to
 * add bodies. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/engine/audio/limiter.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"
#include "runtime/scene/world/scene_world.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATE_HZ 48000.0

/* Latency of a stage's sound, frames: limiter, kernel, air and shadow. */
enum { STAGE_LATENCY = 128 + 12 + 16 + 64 };

/* The last filter of a stage's sound: a high-pass at 5 Hz. */
typedef struct high_pass {
    double in, out;
} high_pass;

static inline double high_pass_next(high_pass *state, double in) {
    double keep = exp(-2 * SB_PI * 5 / RATE_HZ);
    state->out = (1 + keep) / 2 * (in - state->in) + keep * state->out;
    state->in = in;
    return state->out;
}

/* The inverse: the input that gives the output `out`. */
static inline double high_pass_undo(high_pass *state, double out) {
    double keep = exp(-2 * SB_PI * 5 / RATE_HZ);
    state->in += (out - keep * state->out) * 2 / (1 + keep);
    state->out = out;
    return state->in;
}

typedef struct stage {
    sb_engine *engine;
    sb_scene *scene;
} stage;

static inline stage stage_new(void) {
    stage made = {NULL, NULL};
    sb_engine_def def = sb_engine_def_default();
    def.threshold = 0;
    ck_assert_int_eq(sb_engine_create(&def, &made.engine, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_create(made.engine, &made.scene, NULL), SB_OK);
    ck_assert_int_eq(sb_engine_latency(made.engine), STAGE_LATENCY);
    /* Without travel time, which test_hear_motion.c tests. */
    sb_listener listener = sb_scene_listener(made.scene);
    listener.ears = SB_EARS_PAN;
    ck_assert_int_eq(sb_scene_set_listener(made.scene, &listener, 0, NULL),
                     SB_OK);
    return made;
}

static inline void stage_free(stage made) {
    sb_scene_destroy(made.scene);
    sb_engine_destroy(made.engine);
}

/* The bar B1 of physics.md. */
static inline sb_body_def bar_def(const char *name) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    def.shape = (sb_shape){
        .kind = SB_SHAPE_BAR, .length = 0.2, .width = 0.02, .thickness = 0.005};
    def.material = *sb_material_find("steel");
    def.has_material = true;
    return def;
}

static const sb_hand_mode two_modes[2] = {{440, 2, 1}, {1234.5, 1, -0.5}};

/* Modes given by hand: quick to make, with the same weights at every place. */
static inline sb_body_def hand_def(const char *name) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    def.shape =
        (sb_shape){.kind = SB_SHAPE_MODES, .modes = two_modes, .mode_count = 2};
    return def;
}

static inline sb_body_def rigid_def(const char *name) {
    sb_body_def def = sb_body_def_default();
    def.name = name;
    return def;
}

static inline sb_body_id add_at(stage on, sb_body_def def, double time_s) {
    sb_body_id id = {0, 0};
    sb_error err = {0};
    ck_assert_msg(sb_scene_add(on.scene, &def, time_s, &id, &err) == SB_OK,
                  "%s", err.message);
    return id;
}

static inline sb_body_id add(stage on, sb_body_def def) {
    return add_at(on, def, 0);
}

static inline sb_status try_strike(stage on, sb_body_id id, double time_s,
                                   double impulse_ns) {
    sb_place end = {.u = 0, .v = 0.5};
    sb_strike_def strike_def = {.impulse_ns = impulse_ns};
    sb_impact_estimate result;
    return sb_scene_strike(on.scene, id, &end, &strike_def, time_s, &result,
                           NULL);
}

/* The next event with what was computed of it. */
static inline bool next_played(stage on, uint64_t *reader, sb_event *out) {
    while (sb_scene_next_event(on.scene, reader, out))
        if (sb_event_is_played(out)) return true;
    return false;
}

/* Mode weights of a force at a place of a body, one per mode. */
static inline void weights_at(stage on, sb_body_id id, const sb_place *place,
                              double *weights) {
    scene_weights(scene_body_of(on.scene, id), place, 1.0, weights);
}

/* An ideal impulse at the middle of a bar's end. */
static inline void strike(stage on, sb_body_id id, double time_s,
                          double impulse_ns) {
    ck_assert_int_eq(try_strike(on, id, time_s, impulse_ns), SB_OK);
}

/* Move a body there, its rotation and motion unchanged. */
static inline sb_status place_body(sb_scene *scene, sb_body_id id,
                                   sb_vec3 position, double time_s,
                                   sb_error *err) {
    sb_pose pose = sb_scene_pose(scene, id);
    pose.position = position;
    return sb_scene_set_pose(scene, id, &pose, time_s, err);
}

static inline void take_away(stage on, sb_body_id id, double time_s) {
    ck_assert_int_eq(sb_scene_remove(on.scene, id, time_s, NULL), SB_OK);
}

/* Commit a plan of this one body, as a reloaded script does. */
static inline sb_commit_counts load_again(stage on, sb_body_def def,
                                          double time_s) {
    sb_plan *plan, *running;
    int index;
    sb_body_id ids[1];
    sb_commit_counts counts;
    ck_assert_int_eq(sb_plan_create(&plan, NULL), SB_OK);
    ck_assert_int_eq(sb_plan_add(plan, &def, &index, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_snapshot(on.scene, &running, NULL), SB_OK);
    ck_assert_int_eq(sb_plan_solve(plan, running, NULL), SB_OK);
    ck_assert_int_eq(
        sb_scene_commit(on.scene, plan, time_s, ids, &counts, NULL), SB_OK);
    sb_plan_destroy(running);
    sb_plan_destroy(plan);
    return counts;
}

static inline void play(stage on, float *stereo, int frames) {
    int64_t end = sb_engine_clock(on.engine) + frames + SB_BLOCK_FRAMES;
    ck_assert(sb_engine_flush(on.engine, end));
    sb_engine_pull(on.engine, stereo, frames);
}
