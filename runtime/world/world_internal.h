/* runtime/world/world_internal.h -- shared by the files of the world.
 *
 * A step, from t to t + h:
 *
 *   drift    every solid moves as if alone: x* = x + v h + g h^2 / 2,
 *            v* = v + g h, rotated by its spin
 *   collide  at x*; depth d and closing speed c give the time T since the
 *            first touch:  d = c T - a T^2 / 2
 *   solve    ODE changes velocities so that every contact separates at its
 *            target speed; ODE gets no gravity, and its motion is discarded
 *   correct  an impulse J given a time T ago has moved the solid by T J / m.
 *            Impacts act at their time, lasting contacts in the middle of the
 *            step (the trapezoid rule).
 *
 * Solids keep their own state; ODE's bodies and geoms are set from it.
 *
 * Symbols: h step_s, T lever_s, a closing acceleration, x position.
 * Thread: control. Memory: the world's.
 */
#ifndef SB_WORLD_WORLD_INTERNAL_H
#define SB_WORLD_WORLD_INTERNAL_H

#include "runtime/world/world.h"

#include <ode/ode.h>

/* Contact points kept per pair: with four, towers of rotated boxes fall. A
 * ring keeps points spread around it; two rings cross at four places at
 * most. */
enum { SB_PAIR_POINTS = 8, SB_RING_POINTS = 8, SB_RINGS_POINTS = 4 };
/* Number of capsules of a ring. */
enum { SB_RING_PARTS = 12 };
/* Bounds on the work of one step, however many solids overlap. */
enum { SB_MOST_CONTACT_POINTS = 6000, SB_MOST_PAIRS = 100000 };

/* Mass, centre of mass, inertia. */
typedef struct sb_mass_properties {
    double mass_kg;
    sb_vec3 centre;    /* of mass, in the axes of the shape */
    double inertia[6]; /* about it: xx yy zz xy yz zx */
} sb_mass_properties;

/* An ODE geom and its place on the solid. */
typedef struct sb_part {
    dGeomID geom;
    sb_vec3 at;
    sb_quat turn;
} sb_part;

/* Arrays of a hull or mesh that ODE borrows. */
typedef struct sb_solid_faces {
    double *points;     /* 3 per point */
    dTriIndex *corners; /* 3 per face, outward */
    dTriMeshDataID mesh;
    int point_count, face_count;
} sb_solid_faces;

typedef struct sb_solid {
    uint32_t generation; /* 0: never used */
    bool is_used, is_asleep, is_lost;
    bool is_listed;  /* is in the list of lost solids */
    bool is_drifted; /* has drifted in this step */
    sb_motion motion;
    uint32_t user;
    sb_collider collider;
    double restitution, friction, rolling;
    sb_solid_given given;

    /* of the centre of mass */
    sb_vec3 position, velocity, spin;
    sb_quat rotation;
    sb_mass_properties mass;
    double inverse_mass;
    double inverse_inertia[6]; /* local */

    sb_vec3 start; /* position and rotation at the start of the step */
    sb_quat start_turn;
    sb_vec3 half;    /* half sides of its bounding box, local */
    sb_vec3 middle;  /* centre of that box, relative to the shape's */
    double thin_m;   /* half its least thickness */
    double skin_m;   /* thickness by which geoms are enlarged */
    double left_s;   /* time of the step that remains after a sweep */
    sb_vec3 shift;   /* correction of this step, m */
    sb_vec3 turn;    /* likewise, rad */
    int touch_count; /* number of contacts in this step */
    sb_vec3 calm[2]; /* velocity and spin, low-passed */
    sb_vec3 stay;    /* reference position to detect that it stays in place */
    sb_quat stay_turn;
    double idle_s;   /* time for which it has been slow or stayed in place */
    double calm_m_s; /* speed of its surface, low-passed */
    double heap_s;   /* time for which nearly all solids of its heap have
                      * been idle */
    /* For an island, at its root: least idle time, highest speed, counts. */
    double island_idle_s, fastest_m_s;
    int member_count, idle_count;
    int joint_count; /* number of joints attached to it */

    dBodyID body; /* NULL: fixed */
    dGeomID geom; /* the only part, or the space of all parts; NULL: none */
    sb_part *parts;
    int part_count;
    sb_solid_faces faces;
} sb_solid;

/* Two solids whose bounding boxes overlap; first < second. */
typedef struct sb_pair {
    int first, second;
    bool is_done;
} sb_pair;

/* A point where two solids collide, before the solver runs. The depth is
 * negative where only their skins overlap. */
typedef struct sb_collision {
    int first, second;
    sb_vec3 point, normal; /* into the first */
    double depth_m;
} sb_collision;

/* A half-space, and the part of its surface that exists. */
typedef struct sb_face {
    sb_vec3 normal, point;
    const sb_solid *solid; /* box or cylinder that bounds the face; NULL:
                            * unbounded */
    int axis;              /* axis of the solid along the normal */
} sb_face;

/* A collision that ODE solves. */
typedef struct sb_contact_joint {
    dJointFeedback feedback;
    double lever_s; /* time since its impulse acted */
    double rest_m;  /* depth that remains after the correction */
    bool is_turned; /* ODE's bodies are in the opposite order */
} sb_contact_joint;

typedef struct sb_joint {
    uint32_t generation;
    bool is_used;
    int solid[2]; /* second -1: attached to the world */
    dJointID joint, friction;
} sb_joint;

struct sb_world {
    sb_rebound rebound; /* or NULL */
    void *rebound_user;
    sb_vec3 gravity;
    double step_s;
    double skin_m;
    int64_t steps;
    unsigned long random; /* ODE's seed */
    bool is_broken;

    dWorldID ode;
    dSpaceID space;
    dJointGroupID contacts;
    dGeomID ray;
    dGeomID half_space; /* plane geom for one face at a time; in no space */

    sb_solid *solids;
    int solid_count, solid_capacity, used_count;
    int *islands; /* per solid, for this step: union_find.h */
    int island_capacity;
    int *free_slots;
    int free_count, free_capacity;

    sb_joint *joints;
    int joint_count, joint_capacity;

    sb_pair *pairs;
    int pair_count, pair_capacity;
    sb_collision *collisions;
    int collision_count, collision_capacity;
    sb_contact_point
        *contact_points; /* one per collision; after solving, only the
                          * contacts */
    sb_contact_joint *contact_joints;
    int touch_count, touch_capacity;
    sb_solid_id *lost;
    int lost_count, lost_read, lost_capacity;
    bool is_stale; /* geoms are not at the positions of the solids */
    bool is_full;  /* out of memory within a callback from ODE */
};

/* --- world.c -------------------------------------------------------------- */

/* Must be called on a thread before any function of ODE. */
void sb_world_enter(void);
int sb_world_find(const sb_world *world, sb_solid_id id); /* -1: stale */
void sb_world_lose(sb_world *world, int index);

/* --- world_solid.c -------------------------------------------------------- */

void sb_solid_wake(sb_solid *solid);
/* True when it moves in this step. */
bool sb_solid_moves(const sb_solid *solid);
sb_vec3 sb_solid_velocity_at(const sb_solid *solid, sb_vec3 point);
/* I^-1 times a vector in world coordinates. */
sb_vec3 sb_solid_inverse_inertia(const sb_solid *solid, sb_vec3 torque);
double sb_solid_inverse_mass(const sb_solid *solid, sb_vec3 point,
                             sb_vec3 direction);
/* Position of the origin of its shape. */
sb_vec3 sb_solid_origin(const sb_solid *solid);

/* --- world_geom.c --------------------------------------------------------- */

SB_NODISCARD sb_status sb_geom_check(const sb_solid_def *def, sb_error *err);
/* Makes the geoms, skin and bounding box of a solid whose collider is set. */
SB_NODISCARD sb_status sb_geom_make(sb_world *world, sb_solid *solid,
                                    const sb_shape *shape, sb_error *err);
void sb_geom_free(sb_solid *solid);
void sb_geom_place(sb_solid *solid);

/* --- world_hull.c --------------------------------------------------------- */

/* Faces of the convex hull of points, three corners each, facing outward;
 * the points are thinned out to at most 128 and stored in `faces`. */
SB_NODISCARD sb_status sb_hull_make(const sb_vec3 *points, int count,
                                    sb_solid_faces *faces, sb_error *err);

/* --- world_mass.c --------------------------------------------------------- */

SB_NODISCARD sb_status sb_mass_properties_find(const sb_solid_def *def,
                                               const sb_solid_faces *faces,
                                               sb_mass_properties *out,
                                               sb_error *err);

/* --- world_collide.c, world_ring.c, world_rings.c ------------------------- */

SB_NODISCARD sb_status sb_world_collide(sb_world *world, sb_error *err);
/* Collisions of two solids; `out` holds SB_RAW_POINTS. */
enum { SB_RAW_POINTS = 64 };
int sb_world_collide_pair(const sb_world *world, int a, int b,
                          sb_collision *out);
bool sb_world_boxes_overlap(dGeomID one, dGeomID other);
/* Closed-form collisions of a ring with a floor or a face of a box; -1 where
 * the ring touches another part, so that its capsules must be used. `out`
 * holds SB_RING_POINTS; normals point into the ring. */
int sb_ring_collide(const sb_solid *ring, const sb_solid *other, double skin_m,
                    sb_collision *out);
/* Collisions of a ring and a face; -1: too deep, or beyond the face's edge. */
int sb_ring_collide_face(const sb_solid *ring, const sb_face *face,
                         double skin_m, double deepest_m, sb_collision *out);
/* Collisions of two rings; normals point into the first. `out` holds 48. */
int sb_rings_collide(const sb_solid *first, const sb_solid *second,
                     double skin_m, double step_s, sb_collision *out);

/* --- world_face.c --------------------------------------------------------- */

enum { SB_FACE_POINTS = 48 };

bool sb_face_has(const sb_face *face, sb_vec3 point);
/* True when the solid moves so far in a step that it may end on the other
 * side. */
bool sb_face_is_needed(const sb_world *world, const sb_solid *solid,
                       const sb_solid *on);
/* Finds the face that the solid was in front of at the start of the step, at
 * its present position. False if it was in front of none, or `on` has no
 * faces. */
bool sb_face_before(const sb_solid *solid, const sb_solid *on, sb_face *out);
/* Normals point into the solid. `out` holds SB_FACE_POINTS. */
int sb_face_collide(const sb_world *world, const sb_solid *solid,
                    const sb_face *face, double skin_m, sb_collision *out);

/* --- world_contact.c ------------------------------------------------------ */

SB_NODISCARD sb_status sb_world_make_contacts(sb_world *world, sb_error *err);
void sb_world_report_contacts(sb_world *world);

/* --- world_ray.c ---------------------------------------------------------- */

/* Time until the centre of a solid that moves along `direction` reaches the
 * first obstacle. Half-spaces and solids that move along with it are
 * ignored. */
bool sb_world_sweep(sb_world *world, int index, sb_vec3 direction,
                    double most_m, double *time_s, sb_vec3 *normal);
void sb_world_refresh(sb_world *world);

/* --- world_step.c --------------------------------------------------------- */

void sb_solid_drift(sb_world *world, sb_solid *solid, double time_s);

/* --- world_sleep.c -------------------------------------------------------- */

void sb_world_update_sleep(sb_world *world);

/* --- world_joint.c -------------------------------------------------------- */

void sb_world_remove_joints_of(sb_world *world, int solid);
bool sb_world_are_joined(const sb_world *world, int first, int second);
/* Wakes solids that are joined to one that is awake. */
void sb_world_wake_joined(sb_world *world);

#endif
