/* runtime/scene/plan/motion.h -- how a script says that bodies move.
 *
 * A body has a part that says how it moves and what others run into; the scene
 * has one for the world as a whole; and joints, known by their names, hold two
 * bodies together. What is not said follows from the material: restitution and
 * friction are its own, and the rolling friction of a pair is small.
 *
 * Thread: as the plan. Memory: plain values.
 */
#ifndef SB_SCENE_PLAN_MOTION_H
#define SB_SCENE_PLAN_MOTION_H

#include "runtime/base/status.h"
#include "runtime/model/material/material.h"
#include "runtime/world/world.h"

#include <stdbool.h>

/* How one body moves; zeros but for what sb_motion_part_default gives. */
typedef struct sb_motion_part {
    sb_motion motion;       /* default fixed */
    sb_quat rotation;       /* default not turned */
    sb_vec3 velocity, spin; /* at first: m/s, rad/s about the world's axes */
    double restitution;     /* 0 .. 1; negative: as its material */
    double friction;        /* 0 .. 10; likewise */
    double rolling;         /* 0 .. 1; likewise */
    double mass_kg;         /* 0: as its shape and material say */
    sb_collider collider;   /* default AUTO: as its shape is */
} sb_motion_part;

sb_motion_part sb_motion_part_default(void);

/* What counts in the end; `material` may be NULL. */
double sb_motion_restitution(const sb_motion_part *part,
                             const sb_material *material);
double sb_motion_friction(const sb_motion_part *part,
                          const sb_material *material);
double sb_motion_rolling(const sb_motion_part *part,
                         const sb_material *material);
/* What others run into: its own, or that of its shape. */
sb_collider sb_motion_collider(const sb_motion_part *part,
                               const sb_shape *shape);

/* BAD_ARGUMENT naming what is not finite or out of its range. */
SB_NODISCARD sb_status sb_motion_check(const sb_motion_part *part,
                                       const sb_shape *shape, sb_error *err);

/* Are rotation, velocity and spin the same? */
bool sb_motion_is_same_start(const sb_motion_part *a, const sb_motion_part *b);
/* Is all the rest, but for what the collider AUTO stands for? */
bool sb_motion_is_same(const sb_motion_part *a, const sb_motion_part *b);

/* --- the world ------------------------------------------------------------- */

typedef struct sb_world_rules {
    sb_vec3 gravity;  /* m/s^2; default { 0, -9.81, 0 } */
    double rate_hz;   /* steps a second; 0: the finest that it can afford */
    bool is_gradient; /* impacts are played by the nonlinear contact, else as
                         pulses */
    bool occludes;    /* what stands between a body and the listener dulls it */
} sb_world_rules;

sb_world_rules sb_world_rules_default(void);

/* Two bodies held together; names are those of bodies. */
typedef struct sb_joint_part {
    char name[SB_NAME_SIZE];
    sb_joint_kind kind;
    char body[2][SB_NAME_SIZE]; /* the second may be empty: the world */
    sb_vec3 at, axis;           /* of the world, as the bodies are declared */
    bool has_limits;
    double low, high; /* rad or m */
    double friction;  /* N m or N */
} sb_joint_part;

SB_NODISCARD sb_status sb_joint_check(const sb_joint_part *joint,
                                      sb_error *err);
bool sb_joint_is_same(const sb_joint_part *a, const sb_joint_part *b);

#endif
