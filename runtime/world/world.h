/* SPDX-License-Identifier: MIT */
/* runtime/world/world.h -- rigid bodies that move, fall, collide and rest.
 *
 * Solids are added to the world, which advances in steps of fixed length. Each
 * step yields a list of contact points (contact_point.h), from which
 * tracker.h makes impacts and lasting contacts.
 *
 * Free flight is exact at the ends of steps (a parabola, not Euler's method).
 * An impact within a step is reported with its time, and the solid continues
 * from there at the speed given by the coefficient of restitution, so that the
 * times and heights of a bouncing ball are exact.
 *
 * The same calls give the same motion, bit for bit. Solids at rest fall asleep
 * and cost nothing; whatever touches or pushes them wakes them.
 *
 * Thread: control. Memory: the world owns its solids; definitions and meshes
 *         are copied.
 */
#pragma once

#include "runtime/base/pose.h"
#include "runtime/base/status.h"
#include "runtime/model/collider.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_contact_point sb_contact_point;
typedef struct sb_shape sb_shape;
typedef struct sb_world sb_world;

typedef struct sb_world_def {
    sb_vec3 gravity; /* m/s^2; default { 0, -9.81, 0 } */
    double rate_hz;  /* steps per second, 60 .. 10000; default 1000 */
    int substeps;    /* least number per step; 0: four, and 4000 per second */
} sb_world_def;

sb_world_def sb_world_def_default(void);

SB_NODISCARD sb_status sb_world_create(const sb_world_def *def, sb_world **out,
                                       sb_error *err);
void sb_world_destroy(sb_world *world); /* NULL is allowed */

void sb_world_set_gravity(sb_world *world,
                          sb_vec3 gravity); /* wakes all solids */

/* The share of its closing speed that a pair keeps at `point`, from 0 to the
 * point's own `restitution`. Called within a step for each impact whose
 * restitution is that of the materials, with all but impulse and rub filled
 * in. It must not change the world. */
typedef double (*sb_rebound)(void *user, const sb_contact_point *point);

/* Bodies that vibrate rebound less than their materials do: see strike.h.
 * NULL: all pairs rebound by their restitution. */
void sb_world_set_rebound(sb_world *world, sb_rebound rebound, void *user);

/* Which coefficients were set for the solid itself rather than taken from
 * its material. If one solid of a pair has a coefficient set, that one is
 * used; otherwise the geometric mean of both. */
typedef struct sb_solid_given {
    bool restitution, friction, rolling, lever;
} sb_solid_given;

static inline double sb_pair_mix(double a, bool a_says, double b, bool b_says) {
    if (a_says != b_says) return a_says ? a : b;
    return sqrt(a * b);
}

typedef struct sb_solid_def {
    sb_motion motion;
    sb_pose pose;
    const sb_shape *shape; /* for AUTO, hulls and meshes; or NULL */
    sb_collider collider;
    double density;     /* kg/m^3, for a free solid without a mass */
    double mass_kg;     /* 0: from shape and density */
    double restitution; /* 0 .. 1; combination in a pair: sb_solid_given */
    double friction;    /* Coulomb's, 0 .. 10; likewise */
    double rolling;     /* rolling friction, 0 .. 1, times the radius of
                         * curvature in the rolling direction; likewise */
    double lever_m;     /* rolling friction as a length; with given.lever it is
                         * used instead */
    double drag_m2;     /* drag coefficient times area; 0: no drag */
    sb_solid_given given;
    uint32_t user; /* reported with its contact points */
} sb_solid_def;

/* Stale ids are detected; the all-zero id is "no solid". */
typedef struct sb_solid_id {
    uint32_t index, generation;
} sb_solid_id;

/* BAD_ARGUMENT: an invalid collider, a pose that is not finite or beyond 1e6
 * m or m/s, a free solid without a mass (floor, mesh that encloses nothing)
 * or with one outside 1e-9 .. 1e9 kg. NO_MEMORY. */
SB_NODISCARD sb_status sb_world_add(sb_world *world, const sb_solid_def *def,
                                    sb_solid_id *out, sb_error *err);
void sb_world_remove(sb_world *world, sb_solid_id id); /* stale: a no-op */
int sb_world_count(const sb_world *world);

/* The id must be valid (assert). Functions that change a solid wake it. */
sb_pose sb_world_pose(const sb_world *world, sb_solid_id id);
void sb_world_place(sb_world *world, sb_solid_id id, const sb_pose *pose);
/* Applies an impulse, N s, at a point in world coordinates; NULL: at the
 * centre of mass. */
void sb_world_push(sb_world *world, sb_solid_id id, sb_vec3 impulse_ns,
                   const sb_vec3 *point);
bool sb_world_is_asleep(const sb_world *world, sb_solid_id id);
/* Number of solids that are free and awake. */
int sb_world_awake_count(const sb_world *world);
/* Returns each lost solid once: one that left all bounds or became NaN. It
 * is stopped at its last valid position and collides with nothing. */
bool sb_world_next_lost(sb_world *world, sb_solid_id *out);

/* --- joints --------------------------------------------------------------- */

typedef struct sb_world_joint_def {
    sb_joint_kind kind;
    sb_solid_id solid[2]; /* the second may be null: the world itself */
    sb_vec3 anchor;       /* world coordinates, m: ball, hinge */
    sb_vec3 axis;         /* world coordinates: hinge, slider */
    bool has_limits;
    double low, high; /* rad or m, relative to the present position */
    double friction;  /* N m or N opposing the motion, >= 0 */
} sb_world_joint_def;

typedef struct sb_world_joint_id {
    uint32_t index, generation;
} sb_world_joint_id;

SB_NODISCARD sb_status sb_world_add_joint(sb_world *world,
                                          const sb_world_joint_def *def,
                                          sb_world_joint_id *out,
                                          sb_error *err);
void sb_world_remove_joint(sb_world *world,
                           sb_world_joint_id id); /* stale: a no-op */

/* --- time ----------------------------------------------------------------- */

double sb_world_step_s(const sb_world *world);
/* Steps taken so far; the world's time is this number times sb_world_step_s. */
int64_t sb_world_steps(const sb_world *world);
/* INTERRUPTED if sb_stop_is_wanted within it: the rest of the step is left
 * out. */
SB_NODISCARD sb_status sb_world_step(sb_world *world, sb_error *err);

/* Contact points of the last step; valid until the next. Pairs come in a fixed
 * order. */
const sb_contact_point *sb_world_contact_points(const sb_world *world,
                                                int *count);

/* One call per pair, of which one is free, that overlaps by more than 0.2 mm and
 * a twentieth of the thinner one, where the solids are now. Nothing moves. Ends
 * within about a second: returns false if pairs are left that it has not looked
 * at, because there are too many or sb_stop_is_wanted. */
typedef void sb_overlap_visitor(void *user, uint32_t first, uint32_t second,
                                double depth_m);
bool sb_world_overlaps(sb_world *world, sb_overlap_visitor *visit, void *user);
/* Likewise, of solids that were added since its last call; `visit` may be
 * NULL. */
bool sb_world_new_overlaps(sb_world *world, sb_overlap_visitor *visit,
                           void *user);

/* --- ray casts ------------------------------------------------------------ */

typedef struct sb_ray_hit {
    uint32_t user;
    sb_vec3 point, normal;
    double distance_m;
} sb_ray_hit;

/* Finds the nearest solid from `from` along `direction`, within `most_m`;
 * solids whose user is `skip` are ignored. */
bool sb_world_raycast(sb_world *world, sb_vec3 from, sb_vec3 direction,
                      double most_m, uint32_t skip, sb_ray_hit *out);

/* --- what is in the way of a sound ---------------------------------------- */

enum { SB_SHADE_BANDS = 2 };

/* What solids leave of the amplitude of a sound on its way, at SB_SHADE_LOW_HZ and
 * SB_SHADE_HIGH_HZ (base/air.h); `skip` is not in the way. An edge loses
 * 10 lg (3 + 20 N) dB, N = 2 d / wave, d the detour over it; it begins to where N
 * is -0.1. Around a solid the sound comes over the nearest side, the opposite one
 * and both between, whose energies add, unless another solid closes one. Of several
 * solids that which hides the most counts. Balls and boxes are exact; all else
 * hides where it is in the way, as much as its bounding box would.
 * Source: Z. Maekawa, Noise reduction by screens, 1968; ISO 9613-2, 7.4. */
void sb_world_shade(const sb_world *world, sb_vec3 from, sb_vec3 to,
                    uint32_t skip, double speed_m_s,
                    double gain[SB_SHADE_BANDS]);

/* --- forces from outside -------------------------------------------------- */

/* Acts on a free solid in every step until it is set again: a force, N, at its
 * centre of mass. A sleeping solid wakes if it changes by more than a hundredth
 * of gravity. */
void sb_world_set_force(sb_world *world, sb_solid_id id, sb_vec3 force_n);
/* What another solver needs to move a solid: mass properties, and the faces of
 * a hull or mesh in the axes of the shape (borrowed; NULL for other forms). */
typedef struct sb_solid_body {
    double mass_kg; /* 0: not free */
    sb_vec3 centre; /* of mass, in the axes of the shape */
    double moments[3];
    sb_quat principal; /* from the axes of these moments to the shape's */
    sb_collider collider;
    double friction;
    const sb_vec3 *points;
    const int (*corners)[3];
    int point_count, face_count;
} sb_solid_body;
sb_solid_body sb_world_body(const sb_world *world, sb_solid_id id);
/* Changes the motion of a free solid by what that solver found: velocity and
 * spin, and where they have already led it, about its centre of mass. */
typedef struct sb_solid_nudge {
    sb_vec3 velocity_m_s, spin_rad_s, shift_m, turn_rad;
} sb_solid_nudge;
void sb_world_nudge(sb_world *world, sb_solid_id id,
                    const sb_solid_nudge *nudge);

/* Of a free solid, kg. */
double sb_world_mass_kg(const sb_world *world, sb_solid_id id);
/* The air or liquid around all solids: a solid with a drag area A is dragged
 * along by  rho A u^2 / 2,  where u is the velocity of the medium against it. */
void sb_world_set_medium(sb_world *world, double density, sb_vec3 wind);

/* Substeps of every step at least, and whether the last one found more contacts
 * or pairs than are solved. */
int sb_world_least_substeps(const sb_world *world);
bool sb_world_is_limited(const sb_world *world);
