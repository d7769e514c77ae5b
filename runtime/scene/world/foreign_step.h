/* SPDX-License-Identifier: MIT */
/* runtime/scene/world/foreign_step.h -- contact points and poses from another
 * physics engine.
 *
 * A game moves its bodies itself. After each of its steps it hands over the
 * contact points and the new poses, and the scene makes of them what it makes of
 * the steps of its own world: impacts, rolling, sliding, rest (tracker.h).
 * The scene's own world then moves nothing; it keeps mass properties, and the
 * colliders for rays.
 *
 * The impulse of a step that has a blow in it also bears the weight of the step:
 *
 *     J = m v (1 + e) + m g h
 *
 * The blow alone is played. Closing speeds below 3 g h are chatter of a solver,
 * so a step of h = 1/60 s resolves impacts from 0.5 m/s on, 1/240 s from 0.12 and
 * 1/1000 s from 0.03. Force without speeds is rest, and silent.
 *
 * Symbols: m effective mass, v closing_m_s, e restitution, g gravity along the
 * normal of a point, h step_s, J impulse_ns.
 * Thread: control. Memory: steps are read within the call.
 */
#pragma once

#include "runtime/base/pose.h"
#include "runtime/scene/state/body.h"

/* One contact point of a step. Two bodies may have several, in any order. NAN in
 * all three numbers of a velocity: from the poses of the step before. */
typedef struct sb_foreign_point {
    sb_body_id body[2]; /* the second may be null: it does not ring */
    sb_vec3 point_m;    /* in the world */
    sb_vec3 normal;     /* of length 1, from the second into the first */
    double depth_m;     /* overlap; < 0: a gap */
    /* Along the normal, before the step; < 0: separating; NAN: from the
     * velocities. */
    double closing_m_s;
    double impulse_ns; /* along the normal, in this step; NAN: m v (1 + e) */
    sb_vec3 rub_ns;    /* friction impulse on the first */
    /* Of each surface at the point and of each centre of mass, before the step,
     * m/s. */
    sb_vec3 velocity[2], centre[2];
    /* 1 / effective mass along the normal at the point, 1/kg; 0: not free; -1:
     * from the bodies of the scene. */
    double inverse_mass[2];
    double restitution; /* 0 .. 1; -1: from the materials */
    bool is_smooth;     /* a faceted collider stands for a smooth shape */
    double time_s;      /* of first contact, from the start of the step */
} sb_foreign_point;

/* All that may be left out is: NAN, -1, zero. */
sb_foreign_point sb_foreign_point_default(void);

typedef struct sb_foreign_pose {
    sb_body_id body;
    sb_pose pose; /* after the step */
} sb_foreign_pose;

typedef struct sb_foreign_step {
    double from_s, step_s; /* its start in scene time, its length */
    sb_vec3 gravity_m_s2;
    const sb_foreign_point *points;
    int count;
    /* Of all bodies that moved; a free body without one stands still. */
    const sb_foreign_pose *poses;
    int pose_count;
} sb_foreign_step;

#define SB_FOREIGN_LEAST_S 1e-4
#define SB_FOREIGN_MOST_S  0.1

/* From now on the scene's bodies are moved by foreign steps, and by those only.
 * The first step does it, too; a scene with free bodies that is advanced before
 * needs the call. BAD_ARGUMENT: the scene's own world has moved them already, or
 * must: deformable bodies. NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_foreign_begin(sb_scene *scene, double time_s,
                                              sb_error *err);

/* Take a step: before sb_scene_advance passes its start. Steps may differ in
 * length and have gaps between them. BAD_ARGUMENT: a step outside the range
 * above or before the end of the last one, numbers that are not finite, a
 * normal that has not the length 1, a pose of a fixed body, and as
 * sb_scene_foreign_begin. STALE_HANDLE, NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_foreign_step(sb_scene *scene,
                                             const sb_foreign_step *step,
                                             sb_error *err);

/* The other engine has placed the body elsewhere: its contacts end, and its next
 * pose is a jump. Stale: a no-op. */
void sb_scene_foreign_forget(sb_scene *scene, sb_body_id id);
