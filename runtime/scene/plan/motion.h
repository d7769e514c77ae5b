/* runtime/scene/plan/motion.h -- how a script declares that bodies move.
 *
 * A body has a part that declares its motion and its collider; the scene has
 * one for the world as a whole; joints, identified by name, connect two bodies.
 * Defaults follow from the material: restitution and friction are those of the
 * material, and the rolling friction of a pair is small.
 *
 * Thread: as the plan. Memory: plain values.
 */
#ifndef SB_SCENE_PLAN_MOTION_H
#define SB_SCENE_PLAN_MOTION_H

#include "runtime/base/name.h"
#include "runtime/base/pose.h"
#include "runtime/base/status.h"
#include "runtime/model/collider.h"
#include "runtime/scene/plan/force_field.h"
#include "runtime/scene/strike/strike_def.h"

#include <stdbool.h>

typedef struct sb_shape sb_shape;

/* The motion of one body. */
typedef struct sb_motion_part {
    sb_motion motion;       /* default fixed */
    sb_quat rotation;       /* default none */
    sb_vec3 velocity, spin; /* initial: m/s, rad/s about the world's axes */
    double restitution;     /* 0 .. 1; negative: that of its material */
    double friction;        /* 0 .. 10; likewise */
    double static_friction; /* 0 .. 10; negative: none of its own */
    double rolling;         /* 0 .. 1; likewise */
    double lever_m;         /* rolling friction as a length, 0 .. 1; negative:
                             * by `rolling` */
    double drag_m2;         /* drag coefficient times area; 0: no drag */
    double mass_kg;         /* 0: from its shape and material */
    sb_collider collider;   /* default AUTO: from its shape */
    /* How its impacts are played, in place of sb_world_rules.impact. */
    sb_strike_def impacts; /* used when has_impacts */
    bool has_impacts;
} sb_motion_part;

sb_motion_part sb_motion_part_default(void);

/* The values in effect; `material` may be NULL. */
double sb_motion_restitution(const sb_motion_part *part,
                             const sb_material *material);
double sb_motion_friction(const sb_motion_part *part,
                          const sb_material *material);
double sb_motion_rolling(const sb_motion_part *part,
                         const sb_material *material);
/* The collider in effect: its own, or that of its shape. An open mesh collides
 * as the sheet it is unless it is free. */
sb_collider sb_motion_collider(const sb_motion_part *part,
                               const sb_shape *shape);

/* BAD_ARGUMENT; the message names what is not finite or out of its range. */
SB_NODISCARD sb_status sb_motion_check(const sb_motion_part *part,
                                       const sb_shape *shape, sb_error *err);

/* Are rotation, velocity and spin the same? */
bool sb_motion_is_same_start(const sb_motion_part *a, const sb_motion_part *b);
/* Are impacts with it played alike? */
bool sb_motion_is_same_design(const sb_motion_part *a, const sb_motion_part *b);
/* Is everything else the same, except what the collider AUTO stands for? */
bool sb_motion_is_same(const sb_motion_part *a, const sb_motion_part *b);

/* --- the world ----------------------------------------------------------- */

typedef struct sb_world_rules {
    sb_vec3 gravity;  /* m/s^2; default { 0, -9.81, 0 } */
    double rate_hz;   /* steps per second; 0: 1000 */
    sb_vec3 wind;     /* m/s: of the air that drags bodies */
    double air_kg_m3; /* its density; default 1.204 */
    sb_force_field fields[SB_FORCE_FIELDS];
    int field_count;
    double squeak_m_s; /* slip below which a pair with a larger static friction
                        * squeaks; 0: none does */
    bool is_gradient;  /* impacts use the nonlinear model, else pulses */
    bool occludes;     /* bodies between a body and the listener muffle it */
    /* How impacts are played: only what a sound designer sets. Used where
     * neither body has its own. */
    sb_strike_def impact;
} sb_world_rules;

sb_world_rules sb_world_rules_default(void);

/* A joint between two bodies, which are given by name. */
typedef struct sb_joint_part {
    char name[SB_NAME_SIZE];
    sb_joint_kind kind;
    char body[2][SB_NAME_SIZE]; /* the second may be empty: the world */
    sb_vec3 at, axis; /* world axes, with the bodies where they are declared */
    bool has_limits;
    double low, high; /* rad or m */
    double friction;  /* N m or N */
} sb_joint_part;

SB_NODISCARD sb_status sb_joint_check(const sb_joint_part *joint,
                                      sb_error *err);
bool sb_joint_is_same(const sb_joint_part *a, const sb_joint_part *b);

#endif
