/* SPDX-License-Identifier: MIT */
/* runtime/world/world_internal.h -- shared by the files of the world.
 *
 * A step is a frame of several substeps. A substep of length h:
 *
 *   drift    half a substep of free motion: x += v h / 2, rotation exact for
 *            bodies of revolution
 *   find     contact points where the solids are now, in mid-substep
 *   kick     v += g h: with the two half drifts, flight is an exact parabola
 *   blows    contacts that close faster than SB_REST_M_S get their restitution,
 *            pair after pair, until none closes: a blow passes through what
 *            touches (world_blow.c)
 *   solve    contacts and joints, by sequential impulses with a warm start
 *            (world_solve.c, world_joint.c)
 *   push     overlaps are parted without changing velocities (world_solve.c)
 *   drift    the other half
 *
 * An impulse acts in mid-substep. A blow happens at its own time T, so positions
 * are moved by J / m (h/2 - T) as well: the times of a bouncing ball are exact.
 *
 * A contact that rolls on a rim asks for zero velocity at the end of the
 * substep, with its arm extrapolated from the last two substeps, while its
 * impulse acts at the arm of mid-substep. Without this a rolling disk gains or
 * loses energy in proportion to h; with it, the error is of third order.
 *
 * Symbols: h substep_s, T time since the substep began, n normal, r arm.
 * Thread: control. Memory: the world's.
 */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/world/world.h"

#include <math.h>

/* Contact points kept per pair: with four, towers of rotated boxes fall. */
enum { SB_PAIR_POINTS = 8, SB_RINGS_POINTS = 4 };
/* Points that a finder may return before the best are chosen. */
enum { SB_RAW_POINTS = 64 };
/* Bounds on the work of one step, however many solids overlap. */
enum { SB_MOST_CONTACTS = 6000, SB_MOST_PAIRS = 100000 };

/* Contacts that close more slowly do not rebound. It does not depend on the
 * substep, so that the time at which things come to rest does not either. */
#define SB_REST_M_S 0.01
/* Overlaps below this are left alone. */
#define SB_SLOP_M 5e-7

/* Skin of a geom: enough to keep resting solids in contact, too small to see. */
#define SB_SKIN_M 4e-5

/* Mass, centre of mass, inertia. */
typedef struct sb_mass_properties {
    double mass_kg;
    sb_vec3 centre;    /* of mass, in the axes of the shape */
    double inertia[6]; /* about it: xx yy zz xy yz zx */
} sb_mass_properties;

/* A circle of vertices about the axis of a body of revolution. */
typedef struct sb_solid_rim {
    double along_m, radius_m; /* from the centre of mass, from the axis */
} sb_solid_rim;

/* Vertices and faces of a hull or mesh collider. */
typedef struct sb_solid_faces {
    sb_vec3 *points;
    int (*corners)[3]; /* facing outward */
    int point_count, face_count;
    bool is_sheet;      /* open: it has no inside */
    sb_solid_rim *rims; /* of a smooth body of revolution, else NULL */
    int rim_count;
} sb_solid_faces;

typedef struct sb_geoms sb_geoms; /* of the collision library: world_ode.c */
typedef struct sb_sheet sb_sheet; /* a mesh that balls touch: world_sheet.c */

/* How a free solid rotates. */
typedef enum sb_rotor {
    SB_ROTOR_BALL,  /* three equal moments */
    SB_ROTOR_ROUND, /* two equal moments: a body of revolution */
    SB_ROTOR_OTHER
} sb_rotor;

/* What it does to what it touches (sb_solid_def). */
typedef struct sb_solid_surface {
    double restitution, friction, rolling, lever_m;
    sb_solid_given given;
} sb_solid_surface;

/* Its inertia about the principal axes. */
typedef struct sb_solid_inertia {
    sb_quat principal; /* from its principal axes to the shape's */
    double moments[3];
    sb_rotor rotor;
    int axis; /* of a body of revolution */
} sb_solid_inertia;

/* Forces from outside, as accelerations. */
typedef struct sb_solid_force {
    sb_vec3 push_m_s2;
    sb_vec3 felt_m_s2; /* the former when it last woke it */
    double drag_m2;    /* drag coefficient times area */
} sb_solid_force;

/* Corrections of this substep: m and rad, and velocities that part overlaps. */
typedef struct sb_solid_fix {
    sb_vec3 shift, turn, part_m_s, part_rad_s;
} sb_solid_fix;

typedef struct sb_solid_size {
    sb_vec3 half;   /* half sides of its bounding box, local */
    sb_vec3 middle; /* centre of that box, relative to the shape's */
    double thin_m;  /* half its least thickness */
    double skin_m;  /* thickness by which geoms are enlarged */
} sb_solid_size;

/* Upper bounds of its motion. */
typedef struct sb_solid_bounds {
    sb_vec3 low, high; /* in this step */
    bool are_kept;     /* they hold while it does not move */
    double path_m;     /* the distance that its surface has moved */
    double fast_m_s;   /* the speed of its surface */
} sb_solid_bounds;

/* world_pairs.c */
typedef struct sb_solid_crowd {
    bool is_in;
    int count; /* of others that are too near */
    double spread_s;
    sb_vec3 spread_m_s;
} sb_solid_crowd;

/* world_sleep.c: is it at rest? */
typedef struct sb_solid_rest {
    sb_vec3 calm[2]; /* velocity and spin, low-passed */
    sb_vec3 stay;    /* reference position to detect that it stays in place */
    sb_quat stay_turn;
    double idle_s;     /* time for which it has been slow or stayed in place */
    double around_s;   /* least idle time of what touches it and is awake */
    sb_vec3 stayed_at; /* where its centre was when it last moved away */
    double stayed_s;   /* time since then */
    bool leans;        /* on a free solid that sleeps */
    double calm_m_s;   /* speed of its surface, low-passed */
    double heap_s;     /* time for which nearly all solids of its heap have
                        * been idle */
    /* For an island, at its root: highest speed, counts. */
    double fastest_m_s;
    int member_count, idle_count;
} sb_solid_rest;

/* The centre of mass and what moves it come first: iterations use them. */
typedef struct sb_solid {
    sb_vec3 velocity, spin;
    double inverse_mass;       /* 0: not free */
    double inverse_inertia[6]; /* in world axes, xx yy zz xy yz zx */
    sb_motion motion;
    bool is_used, is_asleep, is_lost;
    bool is_alone;   /* is in no pair */
    bool is_struck;  /* has woken in this step because of a blow */
    bool is_roused;  /* for this step */
    bool is_listed;  /* is in the list of lost solids */
    bool is_new;     /* since sb_world_new_overlaps */
    int touch_count; /* number of contacts in this step */
    int joint_count; /* number of joints attached to it */
    sb_vec3 axle;    /* of a body of revolution, in the world */
    double gyration; /* 1 - C / A, of its moments along and across the axis */
    sb_vec3 position;
    sb_quat rotation;
    double reach_m;  /* farthest point from the centre of mass */
    sb_vec3 axes[3]; /* of a ring's shape, in the world */
    sb_solid_fix fix;
    sb_solid_force force;
    sb_solid_bounds bounds;
    sb_solid_rest rest;
    sb_vec3 sound_position; /* the last that was within all bounds */
    sb_quat sound_rotation;

    uint32_t generation; /* 0: never used */
    uint32_t user;
    sb_collider collider;
    sb_solid_surface surface;
    sb_mass_properties mass;
    sb_solid_inertia inertia;
    sb_solid_size size;
    sb_solid_crowd crowd;
    sb_geoms *geoms; /* NULL: none */
    sb_solid_faces faces;
    sb_sheet *sheet; /* of a hull or mesh, for balls */
} sb_solid;

/* A point found between two solids. The gap is negative where they overlap. */
typedef struct sb_found {
    sb_vec3 point, normal; /* normal into the first */
    double gap_m;
    uint32_t feature; /* which point of the pair it is, from step to step */
    int on; /* on the surface of the first: 1, of the second: -1, between: 0 */
    bool is_round;   /* the place moves over a smooth surface: a rim */
    bool is_faceted; /* facets that stand for a smooth surface */
} sb_found;

/* What two materials do with each other. */
typedef struct sb_pair_mix_values {
    double friction, restitution, rolling, lever_m;
} sb_pair_mix_values;

typedef struct sb_anchors sb_anchors;       /* world_find.c */
typedef struct sb_ring_roots sb_ring_roots; /* find_rings.c */
typedef struct sb_pair_lean sb_pair_lean;   /* world_sleep.c */
typedef struct sb_due_pair sb_due_pair;     /* world_blow.c */

/* Two solids whose bounding boxes overlap; first < second. */
typedef struct sb_pair {
    int first, second;
    int face[2];   /* of each, if it is a box: that the other is in front
                       * of, + 1; 0: none */
    bool has_side; /* a ball's centre was there, in the axes of the sheet */
    sb_vec3 side_at;
    bool is_searched;   /* below: from the last search */
    double clear_m;     /* no point was nearer */
    double paths_m;     /* sum of the solids' paths then */
    bool is_leaning;    /* they touch, and one of them sleeps */
    sb_pair_lean *lean; /* of it; or NULL */
    bool is_mixed;
    sb_pair_mix_values mix;
    int start, count; /* contacts of the last substep */
    double closing_m_s,
        since_s;          /* blows: fastest that is due, and since when */
    int times;            /* solved in this substep */
    sb_anchors *anchors;  /* or NULL */
    sb_ring_roots *roots; /* or NULL */
} sb_pair;

/* What is reported of a contact over a step. */
typedef struct sb_contact_sum {
    double impulse_ns, blow_ns, approach_m_s, time_s, depth_m, restitution;
    sb_vec3 rub_ns, velocity[2], centre[2], point;
    bool is_filled, is_blown;
} sb_contact_sum;

/* The blow that a contact had in this substep. */
typedef struct sb_contact_blow {
    double push_ns, rub_ns[2];
    double time_s;
    sb_vec3 point;     /* where it was then */
    double before_m_s; /* normal velocity before blows */
} sb_contact_blow;

/* How an overlap is parted. */
typedef struct sb_contact_part {
    double end_gap_m; /* at the end of the substep */
    double speed_m_s, push_ns;
} sb_contact_part;

/* A contact point as solved. What the iterations use comes first. */
typedef struct sb_contact {
    int solid[2];
    bool is_active, has_end; /* has_end: the velocity wanted is that at the end
                              * of the substep */
    bool is_round, is_faceted, is_blown;
    bool is_crossing;               /* of two free solids that are no balls */
    sb_vec3 normal, side[2];        /* side: two tangents */
    sb_vec3 end_arm[2], end_normal; /* at the end of the substep, as its place
                                     * moves on over a rim */
    double light[2];                /* 1 / mass of those that move freely */
    /* per unit impulse along normal and tangents: change of spin */
    sb_vec3 turn[2][3];
    double mass_kg;    /* effective, of both, along the normal */
    double side_kg[3]; /* inverse of the tangents' matrix: 11, 12, 22 */
    double slide_kg;   /* 1 / its largest eigenvalue */
    double cross[2];   /* normal velocity per unit impulse along the sides */
    double target_m_s; /* least normal velocity after the substep */
    double friction;
    double lever_m;                   /* rolling friction */
    double roll_kg_m2[3], spin_kg_m2; /* likewise inverse matrices */
    /* of this substep; the next one starts with them */
    double push_ns, rub_ns[2], roll_nms[2], spin_nms;
    double closing_m_s;

    uint32_t feature;
    int on; /* as in sb_found */
    sb_vec3 point, arm[2];
    double gap_m, restitution;
    double rest_m_s;        /* what closes more slowly does not rebound */
    double inverse_mass[2]; /* along the normal, at the point */
    sb_contact_blow blow;
    sb_contact_part part;
    sb_contact_sum sum;
} sb_contact;

typedef struct sb_joint_row {
    sb_vec3 along, turn[2]; /* velocity = along . (va - vb) + ... */
    sb_vec3 change[2];      /* of spin per unit impulse */
    double mass, target, impulse, least, most;
} sb_joint_row;

enum { SB_JOINT_ROWS = 10, SB_JOINT_HOLDS = 6 };

typedef struct sb_joint {
    uint32_t generation;
    bool is_used;
    sb_joint_kind kind;
    int solid[2];      /* second -1: attached to the world */
    sb_vec3 anchor[2]; /* in the axes of each solid, from its centre of mass */
    sb_vec3 axis[2];   /* likewise */
    sb_vec3 across[2]; /* a unit vector across the axis: zero angle */
    bool has_limits;
    double low, high, friction;
    double turned; /* angle of a hinge at the last substep, counted on */
    sb_joint_row rows[SB_JOINT_ROWS];
    double kept[SB_JOINT_ROWS]; /* impulses of the last substep */
    int row_count;
    int hold_count; /* of them, the first ones, without limits: solved together */
    double factor[SB_JOINT_HOLDS][SB_JOINT_HOLDS]; /* Cholesky's, of theirs */
} sb_joint;

typedef struct sb_ints {
    int *items;
    int count, capacity;
} sb_ints;

/* world_pairs.c: the sweep for pairs, sorted by the indices of both. */
typedef struct sb_world_sweep {
    sb_ints sorted; /* solids by the low ends of their bounds */
    sb_ints bins;
    uint64_t *keys; /* of the pairs of this step: both indices */
    uint64_t *key_room;
    int key_capacity, key_room_capacity;
    sb_pair *next_pairs;
    int next_capacity;
} sb_world_sweep;

/* world_blow.c */
typedef struct sb_world_blow {
    double spent;     /* of the knocks that are saved up */
    long long count;  /* of knocks, since the world was created */
    sb_due_pair *due; /* a heap */
    int due_count, due_capacity;
    sb_ints links, heads; /* contacts' pairs of each solid */
} sb_world_blow;

/* Contact points of the last step. */
typedef struct sb_world_report {
    sb_contact_point *points;
    int count, capacity;
} sb_world_report;

typedef struct sb_world_contacts {
    sb_contact *items;
    int count, capacity;
} sb_world_contacts;

/* Lost solids that are to be reported. */
typedef struct sb_world_lost {
    sb_solid_id *ids;
    int count, read, capacity;
} sb_world_lost;

struct sb_world {
    sb_rebound rebound; /* or NULL */
    void *rebound_user;
    sb_vec3 gravity, wind;
    double medium; /* density of the air or liquid, kg/m^3 */
    double step_s;
    int substeps; /* least number of substeps per step */
    int64_t steps;
    int substeps_now; /* of the last step */
    double last_substep_s;
    double rim_rad_s; /* how fast a loaded contact ran round a rim in it */
    bool has_new;     /* a solid that is_new */
    bool has_limited; /* the last step found more contacts than are solved */

    sb_solid *solids;
    int solid_count, solid_capacity, used_count;
    sb_ints islands; /* per solid, for this step: union_find.h */
    sb_ints free_slots;
    sb_ints active; /* solids that move and may touch another in this step */
    sb_joint *joints;
    int joint_count, joint_capacity;
    sb_world_sweep sweep;
    sb_pair *pairs; /* sorted by both indices */
    int pair_count, pair_capacity;
    sb_contact *contacts;
    int contact_count, contact_capacity;
    sb_world_contacts old; /* of the last substep */
    sb_world_blow blows;
    int solves_spent; /* of what is saved up for iterations: world_solve.c */
    sb_world_report report;
    sb_world_lost lost;
};

/* Room for at least `need` items; false: no memory. */
static inline bool sb_ints_grow(sb_ints *ints, int need) {
    return sb_grow_list(ints->items, ints->capacity, need);
}

static inline double sb_vec3_part(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline bool sb_is_within(sb_vec3 v, double most) {
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

/* A symmetric matrix xx yy zz xy yz zx times a vector. */
static inline sb_vec3 sb_sym_times(const double m[6], sb_vec3 v) {
    return (sb_vec3){m[0] * v.x + m[3] * v.y + m[5] * v.z,
                     m[3] * v.x + m[1] * v.y + m[4] * v.z,
                     m[5] * v.x + m[4] * v.y + m[2] * v.z};
}

/* --- world.c -------------------------------------------------------------- */

int sb_world_find(const sb_world *world, sb_solid_id id); /* -1: stale */
void sb_world_lose(sb_world *world, int index);

/* --- world_solid.c -------------------------------------------------------- */

void sb_solid_wake(sb_solid *solid);
/* True when it moves in this step. */
bool sb_solid_moves(const sb_solid *solid);
sb_vec3 sb_solid_velocity_at(const sb_solid *solid, sb_vec3 point);
/* Position of the origin of its shape. */
sb_vec3 sb_solid_origin(const sb_solid *solid);
/* Finds the principal axes of its inertia. */
void sb_solid_set_rotor(sb_solid *solid);
/* Inverse inertia in world axes and axes of a ring, for the present
 * rotation. */
void sb_solid_turn_inertia(sb_solid *solid);
/* Moves without forces for `time_s`. */
void sb_solid_drift(sb_solid *solid, double time_s);
sb_quat sb_quat_turned(sb_quat q, sb_vec3 by_rad);
/* Extent from the centre of mass along a unit vector. */
double sb_solid_extent(const sb_solid *solid, sb_vec3 direction);
SB_NODISCARD sb_status sb_mass_properties_find(const sb_solid_def *def,
                                               const sb_solid_faces *faces,
                                               sb_mass_properties *out,
                                               sb_error *err);

/* --- collider_choice.c ---------------------------------------------------- */

SB_NODISCARD sb_status sb_solid_check_collider(const sb_solid_def *def,
                                               sb_error *err);
/* Makes sizes, faces and geoms of a solid whose collider is set. */
SB_NODISCARD sb_status sb_solid_make_collider(sb_solid *solid,
                                              const sb_shape *shape,
                                              sb_error *err);
/* Once the centre of mass is known. */
void sb_solid_set_reach(sb_solid *solid);
/* Once the principal axes are known: the rims of a smooth body of revolution. */
SB_NODISCARD sb_status sb_solid_set_rims(sb_solid *solid, sb_error *err);
void sb_solid_free_collider(sb_solid *solid);

/* --- world_ode.c: the collision library ----------------------------------- */

SB_NODISCARD sb_status sb_geoms_make(sb_solid *solid, sb_error *err);
void sb_geoms_free(sb_solid *solid);
/* Points of two solids that overlap by more than minus their skins. `out`
 * holds SB_RAW_POINTS; features are not set. */
int sb_geoms_collide(const sb_solid *first, const sb_solid *second,
                     sb_found *out);
/* Distance along a ray at which it enters the solid; INFINITY: it does not. */
double sb_geoms_ray(const sb_solid *solid, sb_vec3 from, sb_vec3 direction,
                    double most_m, sb_vec3 *normal);

/* --- world_pairs.c -------------------------------------------------------- */

/* Pairs that may touch in this step. */
SB_NODISCARD sb_status sb_world_find_pairs(sb_world *world, sb_error *err);
void sb_pair_free(sb_pair *pair);
bool sb_world_may_collide(const sb_world *world, int a, int b);

/* --- world_find.c: contact points of a pair ------------------------------- */

/* Points nearer than `margin_m`; at most SB_PAIR_POINTS. -1: no memory. */
int sb_pair_find(const sb_world *world, sb_pair *pair, double margin_m,
                 sb_found *out);
/* Keeps a few of many: the deepest, then repeatedly the farthest from all
 * kept. */
int sb_found_choose(sb_found *points, int count, double close_m, int most);
/* Upper bound of the distance that the surfaces of a pair approach in
 * `time_s`. */
double sb_pair_way(const sb_world *world, const sb_pair *pair, double time_s);

/* --- find_flat.c, find_rings.c, world_sheet.c:
 *     `out` holds SB_RAW_POINTS, normals point into `solid`. -1: the pair is
 *     to be left to the collision library. */

typedef struct sb_plane {
    sb_vec3 normal, point;
} sb_plane;

int sb_find_on_plane(const sb_solid *solid, const sb_plane *plane,
                     double margin_m, sb_found *out);
int sb_find_on_box(const sb_solid *solid, const sb_solid *box, int *face,
                   double margin_m, sb_found *out);
int sb_find_on_ball(const sb_solid *solid, const sb_solid *ball,
                    double margin_m, sb_found *out);
/* -1: no memory. */
int sb_find_rings(const sb_solid *first, const sb_solid *second, sb_pair *pair,
                  double margin_m, sb_found *out);
/* The point of a convex solid nearest to `p`, and the distance, negative
 * inside. False if there is no closed form. */
bool sb_solid_nearest(const sb_solid *solid, sb_vec3 p, sb_vec3 *normal,
                      double *distance_m);

SB_NODISCARD sb_status sb_sheet_make(const sb_solid_faces *faces,
                                     bool is_smooth, double thick_m,
                                     sb_sheet **out, sb_error *err);
void sb_sheet_free(sb_sheet *sheet); /* NULL is allowed */
/* A ball on a sheet: normals point into the ball. */
int sb_find_on_sheet(const sb_solid *ball, const sb_solid *on, sb_pair *pair,
                     double margin_m, sb_found *out);

/* --- world_contact.c ------------------------------------------------------ */

/* Contacts of the present positions, matched with those of the last substep. */
SB_NODISCARD sb_status sb_world_make_contacts(sb_world *world, double substep_s,
                                              sb_error *err);
/* Takes down the velocities before a contact is solved for the first time in a
 * step. */
void sb_contact_begin_sum(const sb_world *world, sb_contact *c);
/* Adds up what the substep that began `since_s` after the step did. */
void sb_world_sum_contacts(sb_world *world, double since_s);
SB_NODISCARD sb_status sb_world_report_contacts(sb_world *world, sb_error *err);

/* --- world_solve.c, world_blow.c ------------------------------------------ */

/* A contact that closed faster than this was struck. */
#define SB_STRUCK_M_S 0.05
/* The impulse of a substep without that of a true blow: what a contact that rolls
 * bears. A blow of two free solids counts: their patch turns and slips in it, and
 * heaps come to rest by that. */
static inline double sb_contact_load(const sb_contact *c) {
    bool is_struck =
        c->is_blown && !c->is_crossing && c->closing_m_s > SB_STRUCK_M_S;
    return c->push_ns + (is_struck ? 0.0 : c->blow.push_ns);
}

void sb_world_prepare(sb_world *world);
void sb_world_blows(sb_world *world, double substep_s);
void sb_world_solve(sb_world *world, double substep_s);
void sb_world_part(sb_world *world, double substep_s);
/* Relative velocity at its place at the end of the substep. */
sb_vec3 sb_contact_velocity(const sb_world *world, const sb_contact *c);
/* Changes a friction impulse so that the slip velocity becomes zero or, beyond
 * `most_ns`, the impulse opposes it. */
void sb_contact_rub(const sb_contact *c, sb_vec3 slip_m_s, double most_ns,
                    double rub_ns[2]);
void sb_contact_apply(sb_world *world, const sb_contact *c, double push_ns,
                      double rub0_ns, double rub1_ns);

/* --- world_sleep.c -------------------------------------------------------- */

void sb_world_update_sleep(sb_world *world);
/* Wakes solids that a moving one strikes, presses or leaves. */
void sb_world_wake_touched(sb_world *world);

/* --- world_joint.c -------------------------------------------------------- */

void sb_world_remove_joints_of(sb_world *world, int solid);
bool sb_world_are_joined(const sb_world *world, int first, int second);
/* Wakes solids that are joined to one that is awake. */
void sb_world_wake_joined(sb_world *world);
void sb_joints_prepare(sb_world *world, double substep_s);
/* Returns the largest velocity that it changes. */
double sb_joints_solve(sb_world *world);
void sb_joints_keep(sb_world *world);
