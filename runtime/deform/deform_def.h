/* SPDX-License-Identifier: MIT */
/* runtime/deform/deform_def.h -- definitions that deform.h takes.
 *
 * Start from sb_deform_def_default and sb_deform_body_def_default and change
 * what differs. SI units.
 *
 * Thread: any. Memory: all pointers are the caller's and are not kept.
 */
#pragma once

#include "runtime/base/pose.h"
#include "runtime/base/vec3.h"
#include "runtime/model/material.h"
#include "runtime/model/method.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sb_mesh sb_mesh;
typedef struct sb_model sb_model;
typedef struct sb_shape sb_shape;
typedef struct sb_solid_mesh sb_solid_mesh;

enum {
    SB_DEFORM_BODIES = 64,
    SB_DEFORM_COLLIDERS = 128,
    SB_DEFORM_POINTS = 64, /* of a signal */
    SB_DEFORM_RATE_HZ = 48000
};

/* Either a shape, or a sheet, or a solid. A shape becomes what discrete.h makes
 * of its method: tetrahedra with SOLID, triangles with SHELL. `elements` is
 * their number along its longest side; 0: 24, and six cells across a bar of
 * tetrahedra; for boxes, cylinders and spheres 6, for closed meshes 16. Solids
 * need edges of at most 6 thicknesses, sheets two triangles across or more.
 * A material with a grain is taken as isotropic, with its numbers along the
 * grain. */
typedef struct sb_deform_body_def {
    const char *name; /* for messages */
    const sb_shape *shape;
    const sb_mesh *sheet; /* the middle surface */
    double thickness_m;   /* of `sheet` */
    const sb_solid_mesh *solid;
    /* One per node of `sheet` or `solid`; NULL: free. A shape is held by its
     * support or hold. */
    const sb_hold *holds;
    sb_material material;
    /* Its linear modes, of the same shape and material; those that have patterns
     * are heard by them (sound/sound_modes.h). NULL: by the law of the surface
     * alone. Read only by sb_deform_create. */
    const sb_model *heard;
    sb_vec3 position_m;
    sb_quat rotation;
    sb_vec3 velocity_m_s, spin_rad_s; /* at the beginning */
    /* Gravity does not pull at it, and if nothing holds it, its motion as a
     * whole is braked within some 30 ms: it is struck where it is. */
    bool hovers;
} sb_deform_body_def;

/* In a collider's own axes. */
typedef enum sb_deform_form {
    SB_DEFORM_PLANE,    /* the half-space below y = 0 */
    SB_DEFORM_SPHERE,   /* of radius sizes_m.x */
    SB_DEFORM_BOX,      /* of half sides sizes_m */
    SB_DEFORM_CYLINDER, /* radius sizes_m.x, half length sizes_m.y along y */
    SB_DEFORM_CAPSULE,  /* the same along x; its caps are not in the length */
    SB_DEFORM_RING,     /* radius sizes_m.x in the x-z plane, wire sizes_m.y */
    SB_DEFORM_HULL,     /* convex; faces with outward normals */
    SB_DEFORM_MESH      /* triangles that are touched from either side */
} sb_deform_form;

/* Geometry of HULL and MESH in the collider's own axes. */
typedef struct sb_deform_faces {
    const sb_vec3 *points;
    int point_count;
    const int (*faces)[3];
    int face_count;
} sb_deform_faces;

/* A rigid body that deformable ones touch. Until sb_deform_set_collider it
 * flies on with its acceleration and spin; with a mass, what it touches moves
 * it. */
typedef struct sb_deform_collider {
    sb_deform_form form;
    sb_vec3 sizes_m;
    sb_vec3 position_m;
    sb_quat rotation;
    sb_vec3 velocity_m_s, spin_rad_s;
    double friction;           /* Coulomb's */
    sb_deform_faces faces;     /* read only by sb_deform_create */
    double mass_kg;            /* 0: it is not moved by what it touches */
    double inertia_kg_m2[3];   /* about its own axes; with a mass */
    sb_vec3 acceleration_m_s2; /* of its free flight; with a mass */
    bool is_heard;             /* sb_deform_next_touch reports it */
} sb_deform_collider;

typedef struct sb_deform_def {
    int body_count;
    const sb_deform_body_def *bodies;
    int collider_count;
    const sb_deform_collider *colliders;
    bool bodies_touch; /* each other */
    /* For each body that sounds, what it radiates towards this place: p R, Pa m,
     * at the time at which it leaves the body's centre of mass, R its distance
     * from there to the ear. NULL: no sound. */
    const sb_vec3 *ear_m;
    sb_vec3 gravity_m_s2;
    double air_density;          /* kg/m^3 */
    double speed_of_sound_m_s;   /* of air */
    int threads;                 /* at most; 0: one per core */
    double memory_bytes;         /* 0: no limit */
    double step_s;               /* 0: chosen; for tests of failure */
    const char *instruction_set; /* "avx2", "portable"; NULL: the fastest */
    /* When it is set, from any thread or signal handler, what is running
     * returns SB_INTERRUPTED within 64 steps and can be gone on with; or NULL.
     */
    const atomic_bool *must_stop;
} sb_deform_def;

sb_deform_def sb_deform_def_default(void);           /* no gravity, no sound */
sb_deform_body_def sb_deform_body_def_default(void); /* steel */

/* A number that changes with time: straight lines between points, constant
 * before and after; times count from `start_s`. A push that ends at 0 is then
 * forgotten. With freq_hz above 0 it is
 * multiplied by sin(2 pi freq_hz t). */
typedef struct sb_deform_signal {
    double start_s;
    double freq_hz;
    int count; /* 1 .. SB_DEFORM_POINTS */
    double times_s[SB_DEFORM_POINTS];
    double values[SB_DEFORM_POINTS];
} sb_deform_signal;

/* A ball that flies against a body: with F = K x^1.5, x the indentation. It is
 * gone when it comes off. With stiffness 0 it is an impulse mass * speed. */
typedef struct sb_deform_strike_def {
    int body;
    sb_vec3 at_m;      /* in the body's own axes at rest */
    sb_vec3 direction; /* of flight, in the world; 0: against the surface */
    double time_s;
    double mass_kg, speed_m_s;
    double stiffness; /* K, N/m^1.5 */
} sb_deform_strike_def;

typedef struct sb_deform_blow {
    bool has_begun, is_over;
    double contact_s;  /* how long they have touched */
    double impulse_ns; /* given to the body */
    double speed_m_s;  /* of the ball now, along `direction` */
    double peak_n;
} sb_deform_blow;

/* A force, and on sheets a moment, times a signal: shared among the nodes in a
 * box by their masses, or at the point of the surface nearest to it if it has
 * no size. */
typedef struct sb_deform_push_def {
    int body;
    sb_vec3 low_m, high_m; /* in the body's own axes at rest */
    sb_vec3 force_n, moment_nm;
    sb_deform_signal signal;
} sb_deform_push_def;

/* From where they are now, the nodes in a box follow displacement times the
 * change of the signal, until `until_s`; then they are free. */
typedef struct sb_deform_drive_def {
    int body;
    sb_vec3 low_m, high_m; /* in the body's own axes at rest */
    sb_vec3 displacement_m;
    double until_s;  /* INFINITY: for ever */
    bool is_loose;   /* only along the displacement; free across it */
    bool is_clamped; /* sheets: nor do the nodes turn */
    sb_deform_signal signal;
} sb_deform_drive_def;
