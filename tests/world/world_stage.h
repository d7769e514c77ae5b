/* SPDX-License-Identifier: MIT */
/* tests/world/world_stage.h -- a scene with a slab, in which bodies move. */
#pragma once

#include "runtime/scene/world/scene_world.h"
#include "tests/scene/scene_fixture.h"

/* Whole blocks, so that audio never runs ahead of the control thread. */
#define STEP_FRAMES 512
#define STEP_S      (STEP_FRAMES / RATE_HZ)

static const sb_hand_mode plate_mode = {440, 0.15, 1};
static const sb_hand_mode ball_mode = {2500, 0.15, 1};

/* A box 20 mm high whose top is at y = 0, with one mode. */
static inline sb_body_def slab_def(void) {
    sb_body_def def = sb_body_def_default();
    def.name = "slab";
    def.shape = (sb_shape){
        .kind = SB_SHAPE_MODES, .modes = &plate_mode, .mode_count = 1};
    def.position = (sb_vec3){0, -0.01, 0};
    def.gain = 1e-3;
    def.moves.restitution = 0.8;
    def.moves.collider = (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = 2, .height = 0.02, .depth = 2};
    return def;
}

/* 30 g, 10 mm, one mode, its lowest point 1 m above the slab. */
static inline sb_body_def ball_def(void) {
    sb_body_def def = sb_body_def_default();
    def.name = "ball";
    def.shape = (sb_shape){
        .kind = SB_SHAPE_MODES, .modes = &ball_mode, .mode_count = 1};
    def.position = (sb_vec3){0, 1.01, 0};
    def.gain = 1e-3;
    def.moves.motion = SB_MOTION_FREE;
    def.moves.restitution = 0.8;
    def.moves.mass_kg = 0.03;
    def.moves.collider =
        (sb_collider){.kind = SB_COLLIDER_SPHERE, .radius = 0.01};
    return def;
}

/* Advances by control steps, in blocks of `block` frames. Writes the stereo
 * samples to `out` unless it is NULL. */
static inline void advance(stage on, int first_step, int steps, int block,
                           float *out) {
    float spare[2 * STEP_FRAMES];
    for (int i = first_step; i < first_step + steps; i++) {
        sb_error err = {0};
        ck_assert_msg(sb_scene_advance(on.scene, i * STEP_S, (i + 1) * STEP_S,
                                       &err) == SB_OK,
                      "%s", err.message);
        ck_assert(sb_engine_flush(on.engine, (int64_t)(i + 1) * STEP_FRAMES));
        float *to = out ? out + 2 * (i - first_step) * STEP_FRAMES : spare;
        for (int at = 0; at < STEP_FRAMES; at += block)
            sb_engine_pull(on.engine, to + 2 * at, block);
    }
}
