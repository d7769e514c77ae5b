/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/body_def.h -- bodies, joints and the world as a script
 * describes them.
 *
 * A body has parts: shape and material, how it is heard, its motion and
 * collider. Where nothing is given, restitution and friction are those of the
 * material, and the rolling friction of a pair is small. The scene has one
 * world; joints, identified by name, connect two bodies.
 *
 * Thread: any. Memory: plain values; what is pointed to is the caller's.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/name.h"
#include "runtime/base/pose.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/collider.h"
#include "runtime/model/shape.h"
#include "runtime/scene/strike/strike_def.h"

#include <stdbool.h>

typedef struct sb_surface sb_surface;
typedef struct sb_texture sb_texture;

/* --- motion ---------------------------------------------------------------- */

/* The motion of one body. Ranges and meanings are in sb_body_fields
 * (body_def.h). Restitution, friction, rolling: negative: that of its material;
 * static friction: negative: none of its own; lever: negative: by `rolling`;
 * mass: 0: from shape and material. */
typedef struct sb_motion_part {
    sb_motion motion;
    sb_quat rotation;       /* default none */
    sb_vec3 velocity, spin; /* initial; of the latter, about the world's axes */
    double restitution, friction, static_friction, rolling;
    double lever_m; /* rolling friction as a length */
    double drag_m2; /* drag coefficient times area */
    double mass_kg;
    sb_collider collider; /* default AUTO: from its shape */
    /* How its impacts are played, in place of sb_world_rules.impact. */
    sb_strike_def impacts; /* used when has_impacts */
    bool has_impacts;
} sb_motion_part;

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

/* Are rotation, velocity and spin the same? */
bool sb_motion_is_same_start(const sb_motion_part *a, const sb_motion_part *b);
/* Are impacts with it played alike? */
bool sb_motion_is_same_design(const sb_motion_part *a, const sb_motion_part *b);
/* Is everything else the same, except what the collider AUTO stands for? */
bool sb_motion_is_same(const sb_motion_part *a, const sb_motion_part *b);

/* --- bodies ---------------------------------------------------------------- */

/* The role of a body when two meet (Maunsbach & Serafin 4.1). */
typedef enum sb_role {
    SB_ROLE_BOTH,     /* strikes, and rings */
    SB_ROLE_EXCITER,  /* strikes others, never sounds itself */
    SB_ROLE_RESONATOR /* sounds, cannot strike */
} sb_role;
/* Modes above a crossover that are heard as noise (diffuse_part.c). */
enum { SB_DIFFUSE_POINTS = 16 };
typedef struct sb_diffuse_part {
    bool is_on;
    /* Without it, what the body's model does not hold is noise of its own
     * accord (beyond_part.c): never, or also where the script chose the number
     * of modes. */
    bool is_off, is_wanted;
    double crossover_hz; /* 50 .. 15000; default 800 */
    double level;        /* of the noise, linear; default 1 */
    int t60_count;       /* 0: decays of the modes */
    struct {
        double freq_hz, t60_s;
    } t60[SB_DIFFUSE_POINTS]; /* rising frequencies; linear on log scales */
} sb_diffuse_part;

/* Stiffening and distortion inside a body (nonlinear_part.c). */
enum {
    SB_NONLINEAR_PLACES = 4,
    SB_NONLINEAR_SPRINGS = SB_NONLINEAR_PLACES + 1 /* and one distortion */
};
typedef struct sb_nonlinear_part {
    bool is_on;
    bool stiffens;
    double amplitude_m;     /* of the lowest mode, a semitone up; 0: default */
    double stiffness_n_m3;  /* at each place; 0: from the amplitude */
    double distortion_ns_m; /* at the first place; 0: none */
    double knee_m_s;        /* where it begins to saturate; default 0.1 */
    int place_count;        /* 0: chosen so that every mode is moved */
    struct {
        double u, v;
    } places[SB_NONLINEAR_PLACES];
} sb_nonlinear_part;

typedef struct sb_body_def {
    const char *name; /* 1 .. 63 bytes, unique in the scene */
    sb_shape shape;
    sb_material material; /* used when has_material */
    bool has_material;
    char material_name[SB_NAME_SIZE]; /* as the script has it, or "" */
    sb_vec3 position;                 /* of the centre */
    double gain;                      /* linear */
    sb_surface *surface; /* its roughness; NULL: from its material */
    sb_texture *weights; /* mode weights instead of the mode shapes; or NULL */
    sb_role role;
    sb_diffuse_part diffuse;
    sb_nonlinear_part nonlinear;
    sb_motion_part moves; /* motion and collider */
    bool hears_removed;   /* planned.c */
    /* Computed by runtime/deform; its modes are silent. A fixed one hovers. */
    bool is_deformable;
    sb_discretisation discretisation; /* of its modes; default exact */
} sb_body_def;

sb_body_def sb_body_def_default(void);

/* What a script may give; what nobody gives has its default. */
extern const sb_field sb_body_fields[];
extern const sb_field sb_pose_fields[]; /* of an sb_pose; without rotation */

/* BAD_ARGUMENT, naming the body: a field that its row does not allow, a shape,
 * material or collider that cannot be. */
SB_NODISCARD sb_status sb_body_check(const sb_body_def *def, sb_error *err);
/* Put "body 'bell': " before the message; returns `status`. */
sb_status sb_body_blame(const char *name, sb_status status, sb_error *err);

/* --- the world -------------------------------------------------------------- */

/* A force on all free bodies, given as data, so that no script runs per body and
 * step. A body of mass m at the distance r from the centre of the field has the
 * acceleration
 *
 *     ( acceleration + force / m + pull d / r^falloff ) cos(2 pi f t + phase)
 *
 * with d the unit vector towards the centre; without a frequency the cosine is
 * 1. Beyond `within_m` there is none. */
enum { SB_FORCE_FIELDS = 16 };

typedef struct sb_force_field {
    sb_vec3 acceleration; /* m/s^2, the same for every mass */
    sb_vec3 force_n;
    sb_vec3 centre_m;
    double pull;         /* m/s^2 at 1 m from the centre; negative: away */
    double falloff;      /* exponent, -2 .. 4; -1: a spring */
    double within_m;     /* INFINITY: everywhere */
    double frequency_hz; /* 0: constant */
    double phase_rad;
} sb_force_field;

sb_force_field sb_force_field_default(void);

/* The acceleration that the field gives at a place and time, m/s^2. */
sb_vec3 sb_force_field_at(const sb_force_field *field, sb_vec3 place,
                          double mass_kg, double time_s);

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
